#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Points of a results file with other precision are run anew if need be, those of another scenario are refused.
# shellcheck source=/dev/null
source "$WEFT_SOURCE/tests/cli/lib.sh"

cat >ring.yaml <<'END'
interweft: 1
topology: {kind: torus, dims: [4, 4]}
traffic: {all: {pattern: uniform, length: 8 flits, rho: 0.2}}
measure: {half-width: 20%, limit: {packets: 100}}
vary: {traffic.all.rho: [0.1, 0.2]}
END
# same SETTING...: with these settings, nothing is run anew.
same() {
    canonical ring.weft >before
    run 0 "$WEFT" run ring.yaml --quiet "$@"
    canonical ring.weft | diff before - || fail "points were run anew with $*"
}
# anew SETTING...: with these settings, points are.
anew() {
    canonical ring.weft >before
    run 0 "$WEFT" run ring.yaml --quiet "$@"
    if canonical ring.weft | cmp -s before -; then fail "no point was run anew with $*"; fi
}
run 0 "$WEFT" run ring.yaml --quiet
same
anew measure.limit.packets=3000
same measure.limit.packets=3000 measure.half-width=30%
anew measure.limit.packets=3000 measure.half-width=2%

# refused RESULTS WHY SCENARIO: they stay as they are.
refused() {
    canonical "$1" >before
    run 1 "$WEFT" run "$3" --quiet --results "$1"
    is err "$1: 2 of its 2 points were run $2; --results FILE starts another file beside it, --new starts this one anew"
    canonical "$1" | diff before -
}
sed 's/^vary.*/vary: {seed: [1, 2]}/' ring.yaml >seeds.yaml
refused ring.weft 'in a grid over traffic.all.rho, this one is over seed and has other seeds' seeds.yaml
sed '/^vary/d' ring.yaml >one.yaml
refused ring.weft 'in a grid over traffic.all.rho, this one is over nothing and has other seeds' one.yaml
# A latency in ns needs a clock.
sed 's/^vary.*/vary: {links.latency: [1 cycle, 2 cycles]}/' ring.yaml >cycles.yaml
sed 's/^vary.*/clock: 1 GHz\nvary: {links.latency: [1 ns, 2 ns]}/' ring.yaml >ns.yaml
run 0 "$WEFT" run ns.yaml --quiet
refused ns.weft 'as links.latency=1 ns, which this scenario cannot have' cycles.yaml
