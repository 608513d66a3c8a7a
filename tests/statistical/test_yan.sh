#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Yan's thesis, chapters 4 and 5: models to their digits, simulations beside them by the z rules. A name stands for all
# figures that begin with it.
# shellcheck source=/dev/null
source "$WEFT_SOURCE/tests/cli/lib.sh"
cp -r "$WEFT_SOURCE/studies" .

run 0 "$WEFT" reproduce yan/ch4 --quick --quiet
for figure in ch4-fixed ch4-equal ch4-simulated; do
    has out "yan/$figure: agrees"
done
[[ $(cat out) != *ch5* ]] || fail 'figures of another chapter'
run 0 "$WEFT" reproduce yan/ch5 --quick --quiet
for figure in ch5-et ch5-ajt ch5-et-simulated ch5-ajt-simulated; do
    has out "yan/$figure: agrees"
done
grep -E '^  (agrees|explained) ' out
