#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Rexford & Shin's formulas: every number of expected-analytic.csv comes out of `weft model cut-through`, to the last
# digit it is written with; a number that is changed by one in that digit is noticed.
# shellcheck source=/dev/null
source "$WEFT_SOURCE/tests/cli/lib.sh"
cp -r "$WEFT_SOURCE/studies" .
table=studies/rexford-shin/expected-analytic.csv

numbers=$(awk -F, 'NR > 1 { for (i = 3; i <= NF; i++) n += $i != "" } END { print n }' "$table")
run 0 "$WEFT" reproduce rexford-shin/analysis --full --quiet
has out 'rexford-shin/analysis: agrees'
has out 'rexford-shin/analysis-torus: agrees'
equal=$(sed -n 's/.* cells, \([0-9]*\) equal$/\1/p' out | awk "{ n += \$1 } END { print n }")
[[ $equal -eq $numbers && $numbers -eq 240 ]] || fail "$equal of $numbers numbers are equal"
echo "$equal of $numbers numbers are equal"

# 492.8 becomes 492.9, 0.6738 becomes 0.6739.
sed -i 's/^\(0.5,5,.*,\)492.8,/\1492.9,/; s/^\(0.5,12,.*,\)0.6738,/\10.6739,/' "$table"
[[ $(diff "$WEFT_SOURCE/$table" "$table" | grep -c '^>') -eq 2 ]] || fail 'no numbers to change'
run 1 "$WEFT" reproduce rexford-shin/analysis --full --quiet
has out '  disagrees    latency, passive, equal to the digits written (formula): 30 cells, 29 equal'
has out '  disagrees    cut-through, passive, 12 hops, equal to the digits written (formula): 10 cells, 9 equal'
[[ $(grep -c '^  disagrees' out) -eq 2 ]] || fail 'more than two claims disagree'

# The same for scripts.
run 1 "$WEFT" reproduce rexford-shin/analysis --full --quiet --json
python3 - out <<'END'
import json, sys
figures = json.load(open(sys.argv[1]))
assert [f["figure"] for f in figures] == ["rexford-shin/analysis", "rexford-shin/analysis-torus"]
claims = [c for f in figures for c in f["claims"]]
assert sum(c["verdict"] == "disagrees" for c in claims) == 2
assert sum(cell["verdict"] == "disagrees" for c in claims for cell in c["cells"]) == 2
END
