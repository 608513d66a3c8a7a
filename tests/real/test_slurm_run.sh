#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# weft run --slurm under a real Slurm: an array of points from a file whose name is no friend of shells, and a job that meets its
# time limit, stops with a checkpoint, is requeued and finishes; the same bytes as without Slurm.
# shellcheck source=/dev/null
source "$WEFT_SOURCE/tests/cli/lib.sh"
# shellcheck source=/dev/null
source "$WEFT_SOURCE/tests/real/slurm.sh"
# shellcheck disable=SC2016 # a name, and nothing else
grid='a grid; $(touch broken) it'"'"'s'
cat >"$grid.yaml" <<'END'
interweft: 1
title: Eight points
topology: {kind: torus, dims: [8, 8]}
traffic:
  all: {pattern: uniform, length: 16 flits}
measure: {half-width: 5%}
vary:
  traffic.all.rho: {from: 0.1, to: 0.4, step: 0.1}
  seed: [1, 2]
END
slurm_scenario 250000 >long.yaml
# Without Slurm's commands the message says what is missing; nothing is left behind.
run 1 env PATH=/nowhere "$WEFT" run long.yaml --slurm
has err 'there is no command sbatch here: this needs Slurm'
[[ ! -e long.weft.slurm ]] || fail 'a folder of no job is left'
run 2 "$WEFT" run - --slurm
has err '--slurm does not go with a scenario from standard input'
run 1 "$WEFT" cancel long.weft
has err 'long.weft: no job of Slurm is on these results'

slurm_needs
chmod 755 . # munge insists
# shellcheck disable=SC2154 # lib.sh made the folder we are in
trap 'slurm_down "$work/slurm"; cd /; rm -rf "$work"' EXIT
slurm_up "$PWD/slurm" || fail 'Slurm did not start'
run 1 "$WEFT" run long.yaml --slurm --partition nowhere
has err 'sbatch ended with status 1: sbatch: error: invalid partition specified: nowhere'

# The job of one minute, which is told to stop at once. Slurm looks every thirty seconds; its process is held until then.
run 0 "$WEFT" run long.yaml --slurm --no-wait --time 1min --slurm-options '--signal=B:TERM@50 --comment=held'
has err 'job 1: 1 point in 1 task'
[[ $(timeout 20 scontrol show job 1) == *'Comment=held'* ]] || fail '--slurm-options did not arrive'
slurm_hold long.weft || fail 'the long job does not begin'
run 0 "$WEFT" status long.weft
has out 'job 1 of Slurm, 1 task: 1 running; 0 of 1 points, about '
run 0 "$WEFT" status long.weft --json
has out '{"job": 1, "tasks": {"pending": 0, "running": 1, "done": 0, "stopped": 0, "failed": 0}, "points": 1, "points_done": 0, "left_s": '
run 1 "$WEFT" run long.yaml
has err 'job 1 of Slurm is on these results'

# The array, meanwhile.
run 0 "$WEFT" run "$grid.yaml" --quiet --results whole.weft
run 0 "$WEFT" run "$grid.yaml" --slurm --tasks 3
has err '8 points in 3 tasks'
has out 'Eight points'
[[ $(canonical "$grid.weft") == "$(canonical whole.weft)" ]] || fail 'an array gives other results'
[[ ! -e broken && ! -e "$grid.weft.slurm" && ! -e "$grid.weft.checkpoint" ]] || fail 'something is left of the array'
# One more seed: only its points are submitted.
run 0 "$WEFT" run "$grid.yaml" seed=1,2,3 --slurm --tasks 2 --quiet
run 0 "$WEFT" run "$grid.yaml" seed=1,2,3 --quiet --results more.weft
[[ $(canonical "$grid.weft") == "$(canonical more.weft)" ]] || fail 'a longer grid gives other results'
run 0 "$WEFT" run long.yaml --quiet --results long-whole.weft

slurm_told || fail 'no signal before the time limit'
run 0 "$WEFT" run long.yaml --slurm
has err 'job 1 is on these results already'
restarts=$(timeout 20 scontrol show job 1 | sed -n 's/.*Restarts=\([0-9]*\).*/\1/p')
[[ $restarts -ge 1 ]] || fail "the job was requeued $restarts times, and its time limit should have done that"
[[ $(canonical long.weft) == "$(canonical long-whole.weft)" ]] || fail 'other results than in one go'
[[ ! -e long.weft.slurm && ! -e long.weft.checkpoint ]] || fail 'something is left of the long job'
run 0 "$WEFT" status long.weft
is out '1 point done; no job of Slurm'
echo "an array, and a job requeued $restarts times at its time limit: the same bytes"
