#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The α-β form beside the time of a collective, without contention: never above it, and the same where the form is exact (blocks of whole flits; trees and
# doubling over powers of two).
# shellcheck source=/dev/null
source "$WEFT_SOURCE/tests/cli/lib.sh"
python3 - >forms.yaml <<'END'
rings = ["allreduce/ring", "reduce-scatter/ring", "allgather/ring", "allreduce/rabenseifner", "allgather/bruck", "all-to-all/bruck", "all-to-all/pairwise"]
trees = ["allreduce/recursive-doubling", "allreduce/tree", "broadcast/binomial", "reduce/binomial", "gather/binomial", "barrier/dissemination",
         "barrier/recursive-doubling", "all-to-all/linear", "allreduce/direct", "broadcast/chain"]
print("""interweft: 1
topology: {kind: full, routers: 2, hosts: 1}
routing: {kind: dimension-order}
links: {flit: 16 B, latency: 30 cycles}
router: {kind: output-queued, variant: VCT}
host: {overhead: 25 cycles}
jobs:
  it: {collective: allreduce/ring, ranks: 2, size: 64 B}
vary:
  together:""")
for p in (2, 3, 4, 5, 7, 8, 13, 16, 24, 32, 33):
    for kind in rings + trees:
        for size in (1, 100, 16 * p, 160 * p, 5001):
            if kind.startswith("barrier") and size > 1:
                continue
            print(f"    - {{topology.routers: {p}, jobs.it.ranks: {p}, jobs.it.collective: {kind}, jobs.it.size: {size} B, jobs.it.repeat: {3 if size == 100 else 1}}}")
END
run 0 "$WEFT" run forms.yaml --quiet --new
"$WEFT" export forms.weft >rows.csv
python3 - <<'END' || fail 'a form is above a time, or differs from it where it is exact'
import csv
times, forms = {}, {}
for row in csv.DictReader(open("rows.csv")):
    if row["name"] == "completion" and row["class"] == "it":
        key = (row["jobs.it.collective"], int(row["jobs.it.ranks"]), row["jobs.it.size"])
        if row["by"] == "":
            times[key] = float(row["value"])
        if (row["by"], row["index"]) == ("bound", "2"):
            forms[key] = float(row["value"])
assert len(times) == 847 and forms.keys() == times.keys(), (len(times), len(forms))
wrong, equal = [], {}
for key, time in times.items():
    kind, p, size = key
    number, unit = size.split()
    size = int(float(number) * {"B": 1, "KiB": 1024}[unit])
    power = p & (p - 1) == 0
    even = size % (16 * p) == 0
    exact = (kind.startswith("barrier/d") or ("chain" in kind and (size % 16 == 0 or size == 1)) or
             (even and kind in ("allreduce/ring", "reduce-scatter/ring", "allgather/ring", "allgather/bruck", "all-to-all/bruck", "all-to-all/pairwise")) or
             (even and power and "rabenseifner" in kind) or
             (power and kind in ("allreduce/recursive-doubling", "allreduce/tree", "broadcast/binomial", "reduce/binomial",
                                 "barrier/recursive-doubling") and (size % 16 == 0 or size == 1)))
    equal.setdefault(kind, [0, 0])[0] += exact
    equal[kind][1] += time == forms[key]
    if forms[key] > time or (exact and forms[key] != time):
        wrong.append((key, time, forms[key]))
print(equal)
for it in wrong[:40]:
    print(it)
assert not wrong, len(wrong)
END
run 0 "$WEFT" check forms.yaml
has out 'completion           at least 224 cycles, by its α-β form'
run 0 "$WEFT" report forms.weft --columns completion,alpha-beta
