#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Rexford & Shin, figures 9 and 12, and what goes beyond them: a quick run of each agrees, or explains where it does not;
# what the formulas say is drawn over figures 10 to 14. All figures: tests/long/test_rexford_shin_full.sh.
# shellcheck source=/dev/null
source "$WEFT_SOURCE/tests/cli/lib.sh"
cp -r "$WEFT_SOURCE/studies" .

for figure in fig9 fig12 classes; do
    run 0 "$WEFT" reproduce "rexford-shin/$figure" --quick --quiet
    if [[ $figure == fig9 ]]; then
        has out '  refuted      dimension order beats random for normal packets, adaptive'
        [[ $(grep -c '^  refuted ' out) -eq 1 ]] || fail 'more is refuted'
    else
        has out "rexford-shin/$figure: agrees"
    fi
    grep -E '^  (agrees|explained|refuted) ' out
    case $figure in
    fig9) grep -qF 'no report page' err || has rexford-shin-fig9-quick.html '"latency by hops of normal"' ;;
    fig1?) grep -qF 'no report page' err || has "rexford-shin-$figure-quick.html" '"independent routers (analytic)"' ;;
    esac
done
run 0 "$WEFT" reproduce rexford-shin/placement-ring --quick --quiet
has out '  agrees       a Hamiltonian cycle beats rows'
has out 'rexford-shin/placement-ring: explained'
