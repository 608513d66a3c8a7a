#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# shellcheck disable=SC2016 # back-ticks and dollars are meant as they are
#
# What every verb does when all is well: exit status 0, results on stdout, all else on stderr.
# shellcheck source=/dev/null
source "$WEFT_SOURCE/tests/cli/lib.sh"

cat >torus.yaml <<'END'
interweft: 1
title: A small torus
topology: {kind: torus, dims: [4, 4]}
routing: {kind: minimal-adaptive, selection: diagonal}
traffic:
  all: {pattern: uniform, length: 8 flits, rho: 0.3}
measure: {limit: {time: 20000 cycles}}
vary:
  traffic.all.rho: [0.1, 0.3]
END

# run: the table on stdout, where the results are on stderr, nothing in colour in a pipe.
run 0 "$WEFT" run torus.yaml --jobs 2
has out 'A small torus'
has out 'latency'
has out '±'
has out '0.1875' # offered, in the other unit
is err $'2 points, 2 at a time\nresults in torus.weft'
[[ -s torus.weft && ! -e torus.weft.lock && ! -e torus.weft-journal ]] || fail 'files left over'
grep -q $'\033' out err && fail 'escape sequences in a pipe'

# Where the results go, which overrides apply, and that a report is the same table again.
mkdir elsewhere
run 0 "$WEFT" run torus.yaml --results elsewhere/mine.weft --quiet seed=3 vary.traffic.all.rho='[0.2]'
is err 'results in elsewhere/mine.weft'
cp out table
run 0 "$WEFT" report elsewhere/mine.weft
is out "$(cat table)"
[[ $(cat err) == 'wrote elsewhere/mine.html' || $(cat err) == 'no page: '* ]] || fail 'what about the page?'

# check runs nothing and writes nothing.
run 0 "$WEFT" check torus.yaml --results never.weft
for line in '# settings as understood' 'routers                16' 'endpoints              16' \
    'links                  64' 'per router at rest' 'memory at rest' 'points                 2' \
    'time  ' 'results                never.weft' 'offered                load 0.1875, rho 0.1'; do
    has out "$line"
done
none err
[[ ! -e never.weft ]] || fail 'check left a results file'
# A FIFO at each of four inputs costs a router the time at which it is free.
rest() {
    run 0 "$WEFT" check torus.yaml "$@"
    awk '/^per router at rest/ { print $5 }' out
}
without=$(rest) with=$(rest router.fifos=input)
[[ $((with - without)) -eq 32 ]] || fail "four inputs take $((with - without)) B"
run 0 "$WEFT" check torus.yaml
# What check understood is a scenario again.
sed -n '2,/^$/p' out >understood.yaml
run 0 "$WEFT" check understood.yaml

# saturate: a knee, in both units, and what is accepted at full load.
cat >ring.yaml <<'END'
interweft: 1
title: A ring that saturates
topology: {kind: torus, dims: [16]}
traffic:
  all: {pattern: uniform, length: 4 flits, load: 0.2}
measure: {limit: {packets: 60000}}
END
run 0 "$WEFT" saturate ring.yaml --quiet --tolerance 0.1
is err 'results in ring-saturation.weft'
# Uniform traffic on a ring of 16: 64/15 hops over two links each way, so rho 1 is load 15/32.
awk '/saturation/ { low = $3; high = $5 } END { exit !(low < 15 / 32 && high > 0.3 && low < high) }' \
    out || { cat out && fail 'the knee is not below rho 1'; }
has out 'at offered 1.0'
[[ ! -e ring.weft ]] || fail 'saturate left a results file'

# A half-width that the shortest run reaches is told: the floor ended it, not the goal.
run 0 "$WEFT" run ring.yaml --quiet measure.half-width=50%
has out '(floor: shortest run)'
"$WEFT" export ring.weft | grep -q '^half-width,,,0,[0-9.]*,,,[0-9]*,fraction,floor: shortest run,converged,0$' ||
    fail 'the result does not say which floor ended the run'
rm ring.weft

# --threads is a limit: a network that is too small for two is run by one, as check says, and not slower.
seconds() {
    local began=$EPOCHREALTIME
    run 0 "$WEFT" run ring.yaml --quiet --new 'topology.dims=[8]' vary.traffic.all.load='[0.1, 0.2, 0.3]' "$@"
    echo "$EPOCHREALTIME $began" | awk '{ print $1 - $2 }'
}
one=$(seconds --threads 1) two=$(seconds --threads 2)
awk -v one="$one" -v two="$two" 'BEGIN { exit !(two < 2 * one + 0.5) }' ||
    fail "three small points take $one s on a thread, $two s if two are allowed"
run 0 "$WEFT" check ring.yaml --threads 2
has out 'threads                1 of 2 allowed: more would not pay or are not free'
rm ring.weft

# list, describe, schema, page: generated, on stdout.
run 0 "$WEFT" list
has out 'torus'
has out 'not built yet'
run 0 "$WEFT" list topology
has out 'hypercube'
for name in torus traffic measure poisson; do
    run 0 "$WEFT" describe "$name"
    has out "$name"
done
run 0 "$WEFT" page topology
has out '# '
run 0 "$WEFT" schema
cp out schema.json
run 0 "$WEFT" export torus.weft --format json
cp out results.json
if command -v python3 >/dev/null; then
    python3 - <<'END' || fail 'schema or JSON export is not what it should be'
import json
schema = json.load(open("schema.json"))
assert "$schema" in schema and schema["$defs"]
results = json.load(open("results.json"))
assert results["title"] == "A small torus" and len(results["points"]) == 2
for point in results["points"]:
    found = [m for m in point["metrics"] if m["name"] == "latency" and m["by"] == ""]
    assert len(found) == 1 and found[0]["lo"] <= found[0]["value"] <= found[0]["hi"]
    assert found[0]["unit"] == "cycles"
END
fi

# export: CSV is the default, one header, as many fields in every row; canonical has no provenance.
run 0 "$WEFT" export torus.weft
none err
awk -F, 'NR == 1 { n = NF } NF != n || NF < 12 { exit 1 }' out || fail 'ragged CSV'
has out 'traffic.all.rho,name,class,by,index,value,lo,hi,n,unit,method,verdict,saturated'
cp out default
run 0 "$WEFT" export torus.weft --format csv
is out "$(cat default)"
run 0 "$WEFT" export torus.weft --format canonical
head -1 out | grep -q '^interweft results 1$' || fail 'canonical has another first line'
grep -qE 'peak|wall|gcc|clang|hostname' out && fail 'canonical tells about the machine'

# --help and --version.
for verb in run saturate check compare report export list describe schema page; do
    for flag in --help -h; do
        run 0 "$WEFT" "$verb" "$flag"
        has out "weft $verb"
        none err
    done
done
run 0 "$WEFT" --help
has out 'weft run'
run 0 "$WEFT" --version
grep -qE '^weft [0-9]+\.[0-9]+\.[0-9]+$' out || fail 'no version'

# Saturated points are results, not failures.
run 0 "$WEFT" run ring.yaml --quiet traffic.all.load=1.5 traffic.all.overload=true
has out 'saturated'

# On a terminal, a line of progress is drawn and wiped; NO_COLOR takes the colour, and only that.
if command -v script >/dev/null; then
    slow="$WEFT run ring.yaml --new measure.half-width=0.0001% measure.limit.packets=3000000"
    slow+=' "measure.limit.wall=1 s"'
    script -qec "$slow" /dev/null >out </dev/null || fail 'no success on a terminal'
    has out ' % ' # of it is done
    has out ', about '
    grep -q nan out && fail 'progress shows nan'
    slow="stty cols 60; $WEFT run torus.yaml --new --jobs 2 measure.half-width=0.01% measure.limit.time=none"
    slow+=' "measure.limit.wall=1 s"'
    script -qec "$slow" /dev/null >out </dev/null || fail 'no success on a terminal'
    has out $'\r\033[K0 of 2 points done, 2 running, 0 left  '
    tr '\r' '\n' <out | grep 'running' | awk 'length($0) > 63 { print; exit 1 }' || fail 'progress is wider than the terminal'
    NO_COLOR=1 script -qec "$WEFT report ring.weft" /dev/null >out </dev/null
    grep -q $'\033' out && fail 'colour although NO_COLOR is set'
fi

# Pictures: whatever a title says is text.
if ! command -v gnuplot >/dev/null; then
    exit 0
fi
cat >title.yaml <<'END'
interweft: 1
title: "`touch canary` $(touch canary) '; system('touch canary') ' \"q\" <b>&amp; %s %n {/Symbol a} x^y_z"
topology: {kind: torus, dims: [4, 4]}
traffic:
  "all": {pattern: uniform, length: 8 flits, rho: 0.3}
measure: {limit: {packets: 2000}}
vary:
  traffic.all.rho: [0.1, 0.3]
END
run 0 "$WEFT" run title.yaml --quiet
has out '`touch canary` $(touch canary)'
run 0 "$WEFT" report title.weft --svg 'a `touch canary`.svg' --png "b'\$(touch canary)\".png"
none out
has err 'wrote a `touch canary`.svg'
[[ ! -e canary ]] || fail 'a title was executed'
has 'a `touch canary`.svg' '</svg>'
grep -q '<b>' 'a `touch canary`.svg' && fail 'a title became markup'
[[ $(head -c 4 "b'\$(touch canary)\".png" | tail -c 3) == PNG ]] || fail 'not a PNG'
