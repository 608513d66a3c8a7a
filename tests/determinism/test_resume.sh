#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Same bytes over interruptions: a grid that was stopped by Ctrl-C, or killed, and gone on with by the
# same command has the same result bytes as one that ran through; another scenario is refused.
# shellcheck source=/dev/null
source "$WEFT_SOURCE/tests/cli/lib.sh"

cat >grid.yaml <<'END'
interweft: 1
title: A grid to interrupt
topology: {kind: torus, dims: [8, 8]}
routing: {kind: minimal-adaptive, selection: diagonal}
traffic:
  all: {pattern: uniform, length: 16 flits, rho: 0.3}
measure: {half-width: 0.1%, limit: {time: 60000 cycles, packets: 1000000000}}
vary:
  traffic.all.rho: {from: 0.1, to: 0.8, step: 0.1}
END
# points RESULTS: how many are committed.
points() {
    "$WEFT" export "$1" --format json 2>/dev/null | grep -c '"verdict"' || true
}
# interrupt SIGNAL: starts the grid and sends the signal once a point is committed; $status is its
# exit status, or that of `wait` for a killed process.
interrupt() {
    "$WEFT" run grid.yaml --quiet >out 2>err </dev/null &
    local process=$! seen
    seen=$(points grid.weft)
    while kill -0 $process 2>/dev/null && [[ $(points grid.weft) -le $seen ]]; do
        sleep 0.02
    done
    kill -s "$1" $process 2>/dev/null || true
    status=0
    wait $process || status=$?
}

run 0 "$WEFT" run grid.yaml --quiet --results whole.weft
whole=$(canonical whole.weft)

interrupt INT
[[ $status -eq 4 || $status -eq 0 ]] || fail "status $status after SIGINT instead of 4"
if [[ $status -eq 4 ]]; then
    none out
    is err 'stopped; the same command goes on with the points that are missing'
    [[ $(points grid.weft) -lt 8 && ! -e grid.weft.lock ]] || fail 'SIGINT left a lock, or no gap'
fi
interrupt KILL
[[ $status -eq 137 || $status -eq 0 ]] || fail "status $status after SIGKILL"
run 0 "$WEFT" run grid.yaml --quiet
[[ $(canonical grid.weft) == "$whole" ]] || fail 'interrupted and resumed: other results'
has err 'results in grid.weft'

# Once more: nothing is left to do, and nothing changes.
before=$(sha256sum <grid.weft)
run 0 "$WEFT" run grid.yaml --quiet
[[ $(sha256sum <grid.weft) == "$before" ]] || fail 'a finished study was written again'

# Another scenario is refused, by a changed file and by a setting, unless --new.
run 1 "$WEFT" run grid.yaml --quiet seed=2
none out
is err 'grid.weft: 8 of its 8 points were run with seed 1, this scenario has 2; --results FILE starts another file beside it, --new starts this one anew'
sed -i 's/dims: \[8, 8\]/dims: [4, 4]/' grid.yaml
run 1 "$WEFT" run grid.yaml --quiet
[[ $(sha256sum <grid.weft) == "$before" ]] || fail 'a refused command changed the results'
run 0 "$WEFT" run grid.yaml --quiet --new measure.limit.time='2000 cycles'
[[ $(canonical grid.weft) != "$whole" ]] || fail '--new kept the old results'

# Two at a time: the second is told who is writing.
"$WEFT" run grid.yaml --quiet --new measure.limit.time='100000000 cycles' >/dev/null 2>&1 </dev/null &
first=$!
until [[ -s grid.weft.lock ]] || ! kill -0 $first 2>/dev/null; do sleep 0.02; done
run 1 "$WEFT" run grid.yaml --quiet --new measure.limit.time='100000000 cycles'
has err "grid.weft is being written by process $first"
kill -s INT $first
status=0
wait $first || status=$?
[[ $status -eq 4 ]] || fail "status $status after SIGINT instead of 4"
