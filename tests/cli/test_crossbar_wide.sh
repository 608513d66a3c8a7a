#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# weft crossbar with more than 64 ports: runs of every scheduler, matrices of all origins, searches of drawn matrices whose
# bytes do not depend on threads; what is beyond the limit is refused with a sentence.
# shellcheck source=/dev/null
source "$WEFT_SOURCE/tests/cli/lib.sh"

# Every scheduler; named matrices; counts instead of lines where there are too many.
for kind in islip rrm firm drrm1 drrm2 pim wavefront random max-size separable; do
    run 0 "$WEFT" crossbar run "scheduler=$kind" matrix=diagonal n=65 rho=0.5 input=bernoulli cap=200 --slots 2
    has out $'  slot  arrive   cross    wait\n'
    has out 'throughput  '
done
run 0 "$WEFT" crossbar run scheduler=max-weight matrix=diagonal n=70 cap=200 input=on-off rho=0.5 --slots 1
has out 'workload    70 × 70, rows and columns add up to 3; offered load 0.5'
run 0 "$WEFT" crossbar run matrix=uniform n=128 --slots 1
has out 'throughput  1/1 = 1.000000 of the slots of all outputs'
has out 'exact: repeats itself every 128 slots'
has out 'guarantee   every flow gets at least 100.0 % of what it offers'

# Many small switches side by side in a CSV file have the throughput of one (tests/unit/test_crossbar_wide.c has more).
awk 'BEGIN {
    split("10 10 0 0 5 15 10 5 5", small, " ")
    for (i = 0; i < 99; i++)
        for (j = 0; j < 99; j++)
            printf "%d%s", int(i / 3) == int(j / 3) ? small[i % 3 * 3 + j % 3 + 1] : 0, j < 98 ? "," : "\n"
}' >blocks.csv
run 0 "$WEFT" crossbar run matrix=blocks.csv --slots 1
has out 'throughput  7/12 = 0.583333'

# A search; the same bytes with threads.
search=(crossbar search matrices=permuted count=12 n=80 d=40 cap=1000 'scheduler=[islip, wavefront]' --quiet)
run 0 "$WEFT" "${search[@]}" --results one.weft
run 0 "$WEFT" "${search[@]}" --results two.weft --threads 2
canonical one.weft | diff - <(canonical two.weft) || fail 'other bytes with threads'
[[ $(awk -F, '/,matrices,/ && /,12,/' <("$WEFT" export one.weft) | wc -l) -ge 2 ]] || fail 'not all matrices'
run 0 "$WEFT" crossbar search matrices=sequential count=2 n=70 d=5 cap=300 --results few.weft
has out '70 × 70, in weft export --format json'

# Messages.
run 1 "$WEFT" crossbar run matrix=uniform n=1025
has err 'crossbar.n must be 1 … 1024, found 1025'
run 1 "$WEFT" crossbar search n=80 d=7
has err 'a search may draw some of more (matrices=permuted)'
run 1 "$WEFT" crossbar run matrix=uniform n=80 scheduler=max-weight weight=age
has err 'weight must be length in a crossbar of more than 64 ports'
printf '1%.0s,' {1..1025} >wide.csv
run 1 "$WEFT" crossbar run matrix=wide.csv
has err 'wide.csv:1: a matrix is as many lines as a line has whole numbers, separated by commas, at most 1024'
