#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The same result bytes for any number of blocks.
# shellcheck source=/dev/null
source "$WEFT_SOURCE/tests/cli/lib.sh"

for scenario in "$WEFT_SOURCE"/tests/determinism/scenarios/*.yaml; do
    name=$(basename "$scenario" .yaml)
    for blocks in 1 2 7 64; do
        run 0 "$WEFT" run "$scenario" --quiet --blocks "$blocks" --results "$blocks.weft" --new
        sum=$(canonical "$blocks.weft")
        [[ $blocks -eq 1 ]] && sequential=$sum
        [[ $sum == "$sequential" ]] || {
            diff <("$WEFT" export 1.weft --format canonical) \
                <("$WEFT" export "$blocks.weft" --format canonical) | head -20 || true
            fail "$name: $blocks blocks give other results than one"
        }
    done
    echo "$name: $sequential"
done
