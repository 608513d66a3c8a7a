#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Clocks that jump, by shim.c: the clock of the day a day ahead or a year back, the monotonic one an hour ahead, as after a machine
# that slept. The results have the same bytes, limits and progress go by the monotonic clock and say nothing absurd.
# shellcheck source=/dev/null
source "$WEFT_SOURCE/tests/cli/lib.sh"
shim=$WEFT_BUILD/tests/libfaults.so
[[ -f $shim ]] || {
    echo "skipped: there is no $shim"
    exit 77
}
cat >grid.yaml <<'END2'
interweft: 1
title: Points whose clock jumps
topology: {kind: torus, dims: [4, 4]}
traffic: {all: {pattern: uniform, length: 16 flits, rho: 0.3}}
measure: {half-width: 1%, limit: {packets: 20000}}
vary: {traffic.all.rho: [0.1, 0.3]}
END2
# sane: nothing of what was said is absurd.
sane() {
    if grep -niE -- '(^|[^a-z])(inf|nan)([^a-z]|$)|-[0-9]+(\.[0-9]+)? ?(s|min|h|d)\b|[0-9]{4,} (h|d)\b' err; then fail 'an absurd time'; fi
}
# jumped FLAG... with variables of the shim before it: the same bytes.
jumped() {
    rm -rf grid.weft*
    run 0 env LD_PRELOAD="$shim" "$@" "$WEFT" run grid.yaml --checkpoint 0.05s
    sane
    [[ $(canonical grid.weft) == "$whole" ]] || fail "other results: $*"
    [[ -z $(compgen -G 'grid.weft?*') ]] || fail "left over: $(compgen -G 'grid.weft?*')"
}
run 0 "$WEFT" run grid.yaml --quiet --results whole.weft
whole=$(canonical whole.weft)
for call in 1 2 5 20; do
    for seconds in 86400 -31536000; do jumped FAULT_REAL="$seconds@$call"; done
    jumped FAULT_STEADY="3600@$call"
done
jumped FAULT_STEADY=-7@20 # no kernel does this

# A limit of wall-clock time does not go by the clock of the day.
run 0 env LD_PRELOAD="$shim" FAULT_REAL=86400@3 "$WEFT" run grid.yaml --quiet measure.limit.wall='10 min' --results limit.weft
sane
has out 'converged'
if grep -q 'limit wall' out; then fail 'a limit ended a run as the clock of the day jumped'; fi

# A lock that its writer could not fill is free after a while, also if the clock was set back since.
: >late.weft.lock
touch -d '1 hour' late.weft.lock
run 0 "$WEFT" run grid.yaml --quiet --results late.weft
[[ $(canonical late.weft) == "$whole" ]] || fail 'other results behind a late lock'
