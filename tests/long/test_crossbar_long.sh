#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The laboratory at length: a million random cases through lanes and objects; tables VI and VII with 10,000 matrices of
# every generator; RRM with the cap of 300,000 slots; the whole study.
# shellcheck source=/dev/null
source "$WEFT_SOURCE/tests/cli/lib.sh"
cp -r "$WEFT_SOURCE/studies" .

run 0 "$WEFT_BUILD/tests/test_crossbar_lanes" 1000000
cat out

run 0 "$WEFT" crossbar search scheduler=rrm n=4 'd=[7,8]' cap=300000 --results rrm.weft --quiet
cat out
"$WEFT" export rrm.weft | grep ',throughput,,,0,' >rrm.csv
awk -F, '{ want = $1 == 7 ? 0.7423 : 0.7315; d = $6 - want; exit !(d < 0.001 && d > -0.001) }' rrm.csv || fail 'RRM'

for how in uniform sequential permuted; do
    run 0 "$WEFT" crossbar search matrices=$how count=10000 n=16 d=100 'iterations=[1,4]' \
        'scheduler=[islip,firm,rrm,drrm1,drrm2]' --results $how.weft --quiet
    cat out
done
run 0 "$WEFT" reproduce zheng --full --quiet
cat out
