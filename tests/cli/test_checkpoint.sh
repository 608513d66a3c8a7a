#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Checkpoints of one process: SIGUSR1 writes one and the run goes on, SIGTERM writes one and stops; the
# same command goes on from there and not from the start, to the same result bytes.
# shellcheck source=/dev/null
source "$WEFT_SOURCE/tests/cli/lib.sh"
# A sanitizer's search for leaks at the end cannot stand signals; other tests look for leaks.
export ASAN_OPTIONS=detect_leaks=0

cat >point.yaml <<'END'
interweft: 1
title: A point to interrupt
topology: {kind: torus, dims: [8, 8]}
endpoint: {injection: one-port}
routing: {kind: minimal-adaptive, selection: random}
traffic:
  all: {pattern: uniform, length: {kind: exponential, mean: 16 flits}, rho: 0.4}
measure: {by: hops, series: 2000 cycles, links: all, half-width: 0.01%, limit: {time: 500000 cycles}}
END
# generations: how many whole checkpoints there are.
generations() {
    compgen -G 'point.weft.checkpoint/*/[0-9]*/manifest' | grep -cv '\.new/' || true
}
# start FLAG...: in the background, behind this shell; returns when weft takes signals as it means to.
# Until it is weft the process is this shell's child, which catches signals, too, to remove $work.
start() {
    local caught
    nice -n 5 "$WEFT" run point.yaml --quiet "$@" >out 2>err </dev/null &
    process=$!
    while caught=$(sed -n 's/^SigCgt:[[:space:]]*//p' "/proc/$process/status" 2>/dev/null); do
        [[ /proc/$process/exe -ef $WEFT && $caught ]] || continue
        [[ $((16#$caught & 0x4200)) -ne $((0x4200)) ]] || break
    done
}
# written COUNT: waits for so many checkpoints.
written() {
    while [[ $(generations) -lt $1 ]] && kill -0 "$process" 2>/dev/null; do sleep 0.01; done
    [[ $(generations) -ge $1 ]] || fail "$(generations) checkpoints instead of $1"
}
# wait_for STATUS: the process ends so.
wait_for() {
    local status=0
    wait "$process" || status=$?
    [[ $status -eq $1 ]] || {
        cat out err
        fail "status $status instead of $1"
    }
}
# newest: the number of the last one.
newest() {
    compgen -G 'point.weft.checkpoint/*/[0-9]*/manifest' | grep -v '\.new/' |
        sed 's:/manifest$::; s:.*/::' | sort -n | tail -1
}
# finished: the results are those of the run that was left alone, and nothing is beside them.
finished() {
    is err 'results in point.weft'
    [[ $(canonical point.weft) == "$whole" ]] || fail 'other results'
    [[ -z $(compgen -G 'point.weft?*') ]] || fail "left over: $(compgen -G 'point.weft?*')"
    rm point.weft
}

run 0 "$WEFT" run point.yaml --quiet --results whole.weft
whole=$(canonical whole.weft)

# Usage.
for value in '' soon -1s 10 1e3 5m 3d 1e9s inf nan '0 0' s; do
    run 2 "$WEFT" run point.yaml --checkpoint "$value"
    none out
    is err "weft: --checkpoint takes a time such as 90s, 30min or 2h, found '$value'"
done
run 2 "$WEFT" run point.yaml --checkpoint
is err 'weft: --checkpoint needs a value: --checkpoint TIME'
for value in 0 0s 90s 1.5h '30 min'; do
    run 0 "$WEFT" run point.yaml --quiet --results short.weft --checkpoint "$value" --new \
        measure.limit.time='500 cycles'
done

# SIGUSR1: a checkpoint, and on to the end.
start
kill -s USR1 "$process"
written 1
wait_for 0
finished

# By the clock.
start --checkpoint 0.01s
written 2
wait_for 0
finished

# SIGTERM: a checkpoint, a message, status 4; on with other blocks.
start
kill -s TERM "$process"
wait_for 4
none out
is err 'stopped; the same command goes on with the points that are missing'
[[ $(generations) -eq 1 && ! -e point.weft.lock ]] || fail 'SIGTERM left no checkpoint, or a lock'
cp -r point.weft.checkpoint kept
run 0 "$WEFT" run point.yaml --quiet --blocks 5
finished

# A checkpoint whenever there can be one, and a point that cannot be committed, as a directory is in the
# way: all checkpoints are counted then. Going on from the last one must not go beyond the end, and what
# was stopped in between must not start anew: then there would be more checkpoints.
short=(--checkpoint 0.000001s measure.limit.time='20000 cycles')
run 0 "$WEFT" run point.yaml --quiet --results short.weft --new "${short[@]}"
# uncommitted: the point runs to its end, $count checkpoints were written until then.
uncommitted() {
    mkdir point.weft-journal
    wait_for 4
    has err 'point.weft: cannot write'
    rmdir point.weft-journal
    count=$(newest)
}
start "${short[@]}"
written 1
uncommitted
every=$count
run 0 "$WEFT" run point.yaml --quiet "${short[@]}"
[[ $(canonical point.weft) == "$(canonical short.weft)" ]] || fail 'went on beyond the end'
rm point.weft
start "${short[@]}"
written 2
kill -s TERM "$process"
wait_for 4
stopped=$(newest)
start "${short[@]}"
while [[ $(newest) -eq $stopped ]] && kill -0 "$process" 2>/dev/null; do sleep 0.01; done
uncommitted
echo "$every checkpoints; stopped after $stopped of them and gone on: $count"
[[ $count -eq $every ]] || fail 'the point was started anew'
run 0 "$WEFT" run point.yaml --quiet "${short[@]}"
[[ $(canonical point.weft) == "$(canonical short.weft)" ]] || fail 'other results'
rm point.weft

# A crash after a point was committed: nothing is run again, and its checkpoint goes.
cp whole.weft point.weft
mv kept point.weft.checkpoint
run 0 "$WEFT" run point.yaml --quiet
finished

# SIGINT stops the same way, also if no checkpoints are wanted by the clock; on with more threads.
start --checkpoint 0
kill -s INT "$process"
wait_for 4
written 1
run 0 "$WEFT" run point.yaml --quiet --threads 2 --blocks 4
finished

# A short point and a long one, stopped: the short one alone, or another grid, leaves the checkpoint of the long one, which is gone on with.
both='measure.limit.time=300 cycles,500000 cycles'
run 0 "$WEFT" run point.yaml "$both" --quiet --results both.weft
whole=$(canonical both.weft)
start "$both" --jobs 1
kill -s TERM "$process"
wait_for 4
[[ $(generations) -ge 1 ]] || fail 'SIGTERM left no checkpoint'
run 0 "$WEFT" run point.yaml "$both" --quiet --points 1
kept=$(ls point.weft.checkpoint || true)
[[ $(wc -w <<<"$kept") -eq 1 && $(generations) -ge 1 ]] || fail 'the checkpoint of a point that was left out is gone'
run 0 "$WEFT" run point.yaml 'measure.limit.time=200 cycles,300 cycles' --quiet --results other.weft
mv other.weft point.weft
run 0 "$WEFT" run point.yaml 'measure.limit.time=200 cycles,300 cycles' --quiet
[[ $(ls point.weft.checkpoint) == "$kept" ]] || fail 'the checkpoint of a point of another grid is gone'
rm point.weft
start "$both"
kill -s TERM "$process"
wait_for 4
[[ $(generations) -ge 2 ]] || fail 'the point that was stopped twice was started anew'
run 0 "$WEFT" run point.yaml "$both" --quiet
finished
start
kill -s TERM "$process"
wait_for 4
run 0 "$WEFT" run point.yaml 'measure.limit.time=200 cycles,300 cycles' --quiet --new
[[ ! -e point.weft.checkpoint ]] || fail '--new left a checkpoint'
