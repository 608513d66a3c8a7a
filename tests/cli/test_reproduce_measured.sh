#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Figures of what bench/ measured: verdicts go the other way on altered measurements; mistakes are told.
# shellcheck source=/dev/null
source "$WEFT_SOURCE/tests/cli/lib.sh"
cp -r "$WEFT_SOURCE/studies" .
study=studies/hinetsim
run 0 "$WEFT" reproduce hinetsim/fig10 --full --quiet
has out 'hinetsim/fig10: agrees'
run 0 "$WEFT" reproduce hinetsim/fig11 --full --quiet
has out 'hinetsim/fig11: explained'
run 0 "$WEFT" reproduce hinetsim/fig12 --full --quiet
has out 'hinetsim/fig12: agrees'

# B varies as much as A does, threads bring nothing, the known difference of processes is gone, memory is that of theirs.
sed -i 's/^full,+B,[^,]*,[^,]*,/full,+B,0.5,0.2,/' $study/measured-maps.csv
run 0 "$WEFT" reproduce hinetsim/fig10 --full --quiet
has out '  refuted      B, C and D vary little at 100 % injection'
sed -i 's/^\(fat tree,2 threads\),.*/\1,8.0/; s/^\(flattened butterfly,2 ranks\),.*/\1,9.0/' $study/measured-speedup.csv
run 1 "$WEFT" reproduce hinetsim/fig11 --full --quiet
has out '  disagrees    two threads are twice as fast'
has out 'a difference is known here, but ours'
sed -i 's/^65536,.*/65536,73000000000/' $study/measured-memory.csv
run 1 "$WEFT" reproduce hinetsim/fig12 --full --quiet
has out '  disagrees    65,536 nodes take less than 72 GB'

sed -i 's/metrics: {bytes: B}/metrics: {octets: B}/' $study/study.yaml
run 1 "$WEFT" reproduce hinetsim/fig12 --quiet
has err "measured-memory.csv has no column 'octets'"
sed -i 's/metrics: {octets: B}/metrics: {bytes: B}/' $study/study.yaml
sed -i 's/^1296,.*/1296,much/' $study/measured-memory.csv
run 1 "$WEFT" reproduce hinetsim/fig12 --full --quiet
has err "column bytes must be a number, found 'much'"
