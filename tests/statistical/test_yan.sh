#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Yan's thesis, chapters 3 to 5: models to their digits, simulations beside them by the z rules. A name stands for all
# figures that begin with it.
# shellcheck source=/dev/null
source "$WEFT_SOURCE/tests/cli/lib.sh"
cp -r "$WEFT_SOURCE/studies" .

run 0 "$WEFT" reproduce yan/ch3 --quick --quiet
[[ $(grep -c '^  agrees ' out) -eq 6 ]] || { cat out && fail 'flows differ from the reference, or the root link is not used most'; }
has out '  refuted      high priority is almost twice as fast'
run 0 "$WEFT" reproduce yan/ch4 --quick --quiet
for figure in ch4-fixed ch4-simulated; do
    has out "yan/$figure: agrees"
done
has out '  refuted      response time falls with more room in both'
has out 'yan/ch4-equal: refuted'
has out 'yan/ch4-simulated-equal: refuted'
[[ $(grep -c '^  refuted ' out) -eq 2 ]] || fail 'more of chapter 4 is refuted'
[[ $(cat out) != *ch5* ]] || fail 'figures of another chapter'
run 0 "$WEFT" reproduce yan/ch5 --quick --quiet
for figure in ch5-et ch5-ajt ch5-et-thresholds ch5-ajt-thresholds ch5-et-simulated ch5-ajt-simulated; do
    has out "yan/$figure: refuted"
done
for figure in ch5-et-frozen ch5-variability ch5-with-and-without ch5-two-adapters; do
    has out "yan/$figure: agrees"
done
[[ $(grep -c '^  refuted      the printed equations are within 10 %' out) -eq 2 ]] || fail 'the error of 5 to 10 % is not refuted'
# that fewer packets wait (4, of which one holds elsewhere), that they wait for less time (AJT), that servers are better utilised (2)
[[ $(grep -c '^  refuted ' out) -eq 9 ]] || fail 'more is refuted'
grep -E '^  (agrees|explained|refuted) ' out
