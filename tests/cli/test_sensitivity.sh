#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# weft sensitivity: the table, CSV and JSON of elasticities, what has none and why, and what is refused.
# shellcheck source=/dev/null
source "$WEFT_SOURCE/tests/cli/lib.sh"

cat >torus.yaml <<'END'
interweft: 1
topology: {kind: torus, dims: [4, 4]}
router: {kind: input-queued, vcs: 2, buffer: 16 flits}
routing: {kind: dimension-order}
traffic:
  all: {pattern: uniform, length: 4 flits, load: 0.2}
measure: {limit: {packets: 3000}}
END
run 0 "$WEFT" sensitivity torus.yaml --quiet --seeds 3
has out 'mean latency: '
has out ' cycles as the scenario is; 3 seeds'
grep -qE '^traffic\.all\.length +3 … 5 flits +0\.3[0-9]+ ± ' out || { cat out; fail 'not the elasticity of the length'; }
grep -qE '^router\.vcs +2 … 3 .* cannot be lower$' out || { cat out; fail 'one VC is too few here'; }
has out 'Common random numbers: intervals '
cp out table

# The points are there: the same again, of another quantity, as CSV and as JSON.
run 0 "$WEFT" sensitivity torus.yaml --quiet --seeds 3 -o torus.csv
is err 'wrote torus.csv'
diff table out
run 0 "$WEFT" sensitivity torus.yaml --quiet --seeds 3 --json
python3 - out torus.csv <<'END'
import csv, json, sys
found = json.load(open(sys.argv[1]))
rows = {r["setting"]: r for r in csv.DictReader(open(sys.argv[2]))}
assert found["metric"] == "mean" and found["unit"] == "cycles" and found["seeds"] == 3
assert found["lo"] < found["value"] < found["hi"]
assert len(found["settings"]) == len(rows) == 4
for s in found["settings"]:
    r = rows[s["setting"]]
    assert r["from"] == s["from"] and r["to"] == s["to"] and r["note"] == s["note"], s
    assert float(r["elasticity"]) == s["elasticity"] and float(r["lo"]) == s["lo"] and float(r["hi"]) == s["hi"], s
    assert s["matters"] == (s["lo"] > 0 or s["hi"] < 0), s
    assert float(r["at from"]) == s["at from"] and int(r["seeds"]) == 3, s
END
run 0 "$WEFT" sensitivity torus.yaml --quiet --seeds 3 --of accepted
has out 'accepted load: 0.2'
! grep -q 'fraction' out || fail 'a unit that is none'
grep -qE '^traffic\.all\.load +0\.18 … 0\.22 +(1\.0|0\.9)' out || { cat out; fail 'what is accepted is what is offered'; }

# Runs that do not settle have no mean latency: said at which value, and without an interval where one run alone has one.
sed 's/3000/400/' torus.yaml >short.yaml
echo 'vary: {traffic.all.load: [0.3, 0.5]}' >>short.yaml
run 0 "$WEFT" sensitivity short.yaml --quiet --seeds 2
has out 'with the first values of what varies: traffic.all.load=0.3'
has out 'is still warming up at '
! grep -q nan out || { cat out; fail 'nan is no interval'; }
run 0 "$WEFT" sensitivity short.yaml --quiet --seeds 2 -o short.csv
awk -F, 'NR == 1 { n = NF } NF != n { exit 1 }' short.csv || fail 'lines of different lengths'
grep -qE '^router\.buffer,16 flits,16 flits,mean,cycles,.*,,,,,0,is still warming up at ' short.csv || { cat short.csv; fail 'an elasticity of runs that have not settled'; }
run 1 "$WEFT" sensitivity torus.yaml --quiet --seeds 2 traffic.all.load=1 --new
is err 'the scenario as it is has no mean latency in any run (it saturates, or measures no such quantity); choose a lower load or another quantity with --of'
run 0 "$WEFT" sensitivity torus.yaml --quiet --seeds 2 traffic.all.load=0.8 --vary traffic.all.load --by 25% --new 'measure.limit={packets: 20000}'
grep -qE ' saturates at 1$' out || { cat out; fail 'a load of 1 does not saturate'; }

# Of jobs it is their time, the same with every seed.
cat >job.yaml <<'END'
interweft: 1
topology: {kind: torus, dims: [4, 4]}
router: {kind: input-queued, vcs: 2, buffer: 2000 flits}
jobs: {a: {collective: allreduce/ring, ranks: 4, size: 1 KiB}}
END
run 0 "$WEFT" sensitivity job.yaml --quiet --seeds 2
has out 'completion time: 1566 cycles as the scenario is; 2 seeds'
grep -qE '^jobs\.a\.size +1 … 2 KiB +1566 … 3102 +0\.98' out || { cat out; fail 'not the elasticity of the size'; }

# A setting that neither side can have says why; a side whose packets deadlock fails.
cat >cyclic.yaml <<'END'
interweft: 1
topology: {kind: torus, dims: [8, 8]}
router: {kind: input-queued, vcs: 2, buffer: 4 flits}
routing: {kind: dimension-order, dateline: none}
traffic: {all: {pattern: uniform, length: 4 flits, load: 0.3}}
measure: {warmup: 0 cycles, limit: {time: 4000 cycles}}
END
run 0 "$WEFT" sensitivity cyclic.yaml --quiet --seeds 2 --vary traffic.all.load --by 90%
grep -qE '^traffic\.all\.load +0\.03 … 0\.3 .* fails at 0\.57$' out || { cat out; fail 'a side that deadlocks'; }
run 0 "$WEFT" sensitivity cyclic.yaml --quiet --seeds 2 'router={}' 'routing={kind: minimal-adaptive}' endpoint.ports=1 --new
grep -qE '^endpoint\.ports +1 +cannot vary$' out || { cat out; fail 'an endpoint with one link has two ports'; }
has out 'endpoint.ports cannot vary: command line: endpoint.ports must be left out: endpoints of routers of kind output-queued have one link and no delays of their own'

# What is refused.
run 2 "$WEFT" sensitivity torus.yaml --of verdict
is err 'weft: --of: a verdict is no number'
run 2 "$WEFT" sensitivity torus.yaml --of zz
has err "weft: --of: there is no 'zz' (there are verdict, "
run 2 "$WEFT" sensitivity torus.yaml --seeds 1
is err "weft: --seeds takes a whole number from 2 to 10000, found '1'"
run 2 "$WEFT" sensitivity torus.yaml --vary zz
is err "weft: --vary: the scenario does not give 'zz'; give it a value, such as router.vcs=4"
run 1 "$WEFT" sensitivity torus.yaml --vary routing.kind
has err "torus.yaml:4:17: --vary: routing.kind is no number other than 0; found 'dimension-order'"
run 1 "$WEFT" sensitivity torus.yaml --quiet --seeds 2 --of slowdown --new
has err 'the scenario as it is has no slowdown in any run'
# A point that cannot be read.
command -v sqlite3 >/dev/null || exit 0
run 0 "$WEFT" sensitivity torus.yaml --quiet --seeds 2 --new
sqlite3 torus-sensitivity.weft "UPDATE metric SET unit = hex(zeroblob(40000)) WHERE name = 'latency' AND class = '' AND \"by\" = ''"
run 1 "$WEFT" sensitivity torus.yaml --quiet --seeds 2
has err 'torus-sensitivity.weft is damaged: table metric, row '
