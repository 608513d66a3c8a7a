#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# weft sensitivity against queues whose elasticities are known: M/M/1 and M/D/1, to the arrival rate and to the service
# time; common random numbers narrow the intervals, as runs with seeds of their own show; ranks, one-sided steps,
# saturation, mistakes.
# shellcheck source=/dev/null
source "$WEFT_SOURCE/tests/cli/lib.sh"
export COLUMNS=80

cat >queue.yaml <<'END'
interweft: 1
topology: {kind: full, routers: 1, hosts: 2}
clock: 1000 Hz
router: {kind: queue, service: 1000 cycles, scv: 1}
traffic: {all: {from: 0, arrival: poisson, length: 1 flits, rate: 0.5}}
measure: {half-width: 0.01%, limit: {packets: 100000}}
END
for scv in 1 0; do
    run 0 "$WEFT" sensitivity queue.yaml router.scv=$scv --vary traffic.all.rate --vary router.service --quiet \
        --results $scv.weft -o $scv.csv
done
has out 'mean latency: '
has out 'router.service    900 … 1100 cycles  '
awk '{ if (gsub(/[^\x80-\xbf]/, "") > 80) exit 1 }' out || fail 'a line of the table is wide'
python3 - <<'END' || fail 'elasticities are others'
import csv, math
T = 2.3646242515927849  # Student's t, 7 degrees of freedom, 97.5 %
def mean_sojourn(scv, rate, service):  # Pollaczek and Khinchine
    return service + rate * service ** 2 * (1 + scv) / 2 / (1 - rate * service)
for scv in (1, 0):
    rows = {r["setting"]: r for r in csv.DictReader(open(f"{scv}.csv"))}
    for setting, low, high in (("traffic.all.rate", (0.45, 1), (0.55, 1)), ("router.service", (0.5, 0.9), (0.5, 1.1))):
        row = rows[setting]
        truth = math.log(mean_sojourn(scv, *high) / mean_sojourn(scv, *low)) / math.log(1.1 / 0.9)
        found, half = float(row["elasticity"]), (float(row["hi"]) - float(row["lo"])) / 2
        independent = float(row["half-width of independent runs"])
        print(f"scv {scv} {setting}: truth {truth:.4f}, found {found:.4f} +- {half:.4f}, independent {independent:.4f}")
        assert abs(found - truth) < 4 / T * half, "beyond 4 standard errors"
        assert half < 0.05 and independent > 2 * half, "common random numbers help less than expected"
END
# Runs with seeds of their own, by pairing different seeds: as wide as the table says that they would be.
python3 - <<'END' || fail 'independent runs are others'
import csv, math, sqlite3, statistics
T = 2.3646242515927849
db = sqlite3.connect("1.weft")
value = {}
for key, latency in db.execute("SELECT p.key, m.value FROM point p JOIN metric m ON m.point = p.id "
                               "WHERE m.name = 'latency' AND m.class = '' AND m.\"by\" = ''"):
    value[key] = latency
row = next(r for r in csv.DictReader(open("1.csv")) if r["setting"] == "traffic.all.rate")
def half(shift):
    d = [(math.log(value[f"setting=traffic.all.rate value=0.55 seed={(s + shift) % 8 + 1}"])
          - math.log(value[f"setting=traffic.all.rate value=0.45 seed={s + 1}"])) / math.log(1.1 / 0.9) for s in range(8)]
    return T * statistics.stdev(d) / 8 ** 0.5
paired, shifted = half(0), statistics.mean(half(k) for k in range(1, 8))
print(f"paired {paired:.4f}, seeds of their own {shifted:.4f}")
assert abs(paired / ((float(row["hi"]) - float(row["lo"])) / 2) - 1) < 1e-9
assert shifted > 2 * paired
assert 0.7 < shifted / float(row["half-width of independent runs"]) < 1.4
END
# The same command runs nothing; what matters comes first; a whole number steps by one; one that cannot be lower says so.
cat >torus.yaml <<'END'
interweft: 1
topology: {kind: torus, dims: [4, 4]}
router: {kind: input-queued, vcs: 2, buffer: 16 flits}
routing: {kind: dimension-order}
traffic: {all: {pattern: uniform, length: 4 flits, load: 0.4}}
measure: {half-width: 10%, limit: {packets: 4000}}
vary: {traffic.all.load: [0.4, 0.6]}
END
run 0 "$WEFT" sensitivity torus.yaml --seeds 3
has err "24 points"
has out 'with the first values of what varies: traffic.all.load=0.4'
has out 'router.vcs          2 … 3 '
has out 'cannot be lower'
run 0 "$WEFT" sensitivity torus.yaml --seeds 3 --json
has err 'all 24 points are there already'
python3 - out <<'END' || fail 'rows are in another order'
import json, sys
rows = json.load(open(sys.argv[1]))["settings"]
sizes = [abs(r["elasticity"]) for r in rows if r["matters"]]
assert sizes == sorted(sizes, reverse=True) and len(rows) == 4, rows
assert [r["matters"] for r in rows] == sorted((r["matters"] for r in rows), reverse=True)
END
run 0 "$WEFT" sensitivity torus.yaml traffic.all.load=0.92 --vary traffic.all.load --by 9% --seeds 2 --quiet --of accepted
run 0 "$WEFT" sensitivity torus.yaml traffic.all.load=1 --vary traffic.all.load --seeds 2 --quiet --of accepted
has out "0.9 … 1 "
run 1 "$WEFT" sensitivity queue.yaml traffic.all.rate=1.5 --vary traffic.all.rate --seeds 2 --quiet
has err 'it saturates, or measures no such quantity'
run 2 "$WEFT" sensitivity torus.yaml --vary traffic.all.laod
has err "--vary: the scenario does not give 'traffic.all.laod'; did you mean 'traffic.all.load'?"
run 1 "$WEFT" sensitivity torus.yaml --vary routing.kind
has err 'torus.yaml:4:17: --vary: routing.kind is no number other than 0'
run 2 "$WEFT" sensitivity torus.yaml --by 200%
run 2 "$WEFT" sensitivity torus.yaml --of p98
has err "--of: there is no 'p98'"
run 2 "$WEFT" sensitivity torus.yaml -o x.svg
has err 'sensitivity writes files that end in .csv or .json'
