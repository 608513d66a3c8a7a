#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Rexford & Shin: the full runs of figures 7 and 8 (packets of 5 and of 12 hops) give what is recorded, to the digit; quick runs of
# the figures that CI leaves out agree.
# shellcheck source=/dev/null
source "$WEFT_SOURCE/tests/cli/lib.sh"
cp -r "$WEFT_SOURCE/studies" .
study=studies/rexford-shin

# One full run serves both figures: their scenario is the same.
run 0 "$WEFT" reproduce rexford-shin/fig7 --full --record --quiet
cat out
cp rexford-shin-fig7.weft rexford-shin-fig8.weft
run 0 "$WEFT" reproduce rexford-shin/fig8 --full --record --quiet
cat out
for figure in fig7 fig8; do
    diff <(cut -d, -f3- "$WEFT_SOURCE/$study/recorded/$figure.csv") \
        <(cut -d, -f3- "$study/recorded/$figure.csv") ||
        fail "$figure is not as recorded; if that is meant: weft reproduce rexford-shin --full --record"
done

for figure in fig10 fig11 fig13 fig14 placement-stencil lengths; do
    run 0 "$WEFT" reproduce "rexford-shin/$figure" --quick --quiet
    has out "rexford-shin/$figure: agrees"
    grep -E '^  (agrees|explained|refuted) ' out
done
