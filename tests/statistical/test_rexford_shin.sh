#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Rexford & Shin, figure 7: cut-through probability and latency on a 16 × 16 torus, five
# shortest-path routings, ten loads, packets of 5 hops, by the z rules. A quick run takes less than two minutes; a wrong
# expected value is noticed. tests/long/test_rexford_shin_full.sh has the full runs.
# shellcheck source=/dev/null
source "$WEFT_SOURCE/tests/cli/lib.sh"
cp -r "$WEFT_SOURCE/studies" .
study=studies/rexford-shin

began=$SECONDS
run 0 "$WEFT" reproduce rexford-shin/fig7 --quick --quiet
at_most $((SECONDS - began)) 120 'seconds of a quick run'
has out '  refuted      the model matches latency, adaptive'
has out '  agrees       the model matches latency, oblivious random'
has out 'rexford-shin/fig7: refuted'
grep -qF 'no report page' err || has rexford-shin-fig7-quick.html '"independent routers (analytic)"'

# 0.761 becomes 0.861; the results are there already.
awk -F, -v OFS=, '$1 == "do" && $13 == 0.3 && $17 == 5 { $19 += 0.1; n++ } { print } END { exit n != 1 }' \
    "$study/expected-s2.csv" >wrong.csv || fail 'no value to change'
cp wrong.csv "$study/expected-s2.csv"
run 1 "$WEFT" reproduce rexford-shin/fig7 --quick --quiet
has out '  disagrees    cut-through, z rules'
has out 'oblivious dimension-order rho=0.3: ours is 12 % below theirs'
has out '  agrees       latency, z rules'
has out 'rexford-shin/fig7: disagrees'
