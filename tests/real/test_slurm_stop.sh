#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Jobs of weft run --slurm that are stopped: two ranks by srun --mpi=pmix, cancelled, submitted again and preempted; a task that fails; a task
# whose node is drained before it begins, goes down while it runs and is resumed. The same bytes as without Slurm.
# shellcheck source=/dev/null
source "$WEFT_SOURCE/tests/cli/lib.sh"
# shellcheck source=/dev/null
source "$WEFT_SOURCE/tests/real/slurm.sh"
slurm_needs
held=() # slurm_hold fills it
slurm_scenario 250000 >long.yaml
export OMPI_MCA_mpi_yield_when_idle=1 # beside other tests
chmod 755 . # munge insists
# shellcheck disable=SC2154 # lib.sh made the folder we are in
trap 'slurm_down "$work/slurm"; cd /; rm -rf "$work"' EXIT
slurm_up "$PWD/slurm" || fail 'Slurm did not start'
node=$(hostname -s)

# Two ranks, cancelled: they write a checkpoint together and are not requeued.
run 0 "$WEFT" run long.yaml --slurm --no-wait --ranks 2 --results ranks.weft
has err '1 point in 1 task, of about'
has err '2 ranks each'
grep -q "^srun --mpi='pmix' " ranks.weft.slurm/job.sh || fail 'ranks are not started by srun'
slurm_hold ranks.weft || fail 'the ranks do not begin'
[[ ${#held[@]} -eq 2 ]] || fail "${#held[@]} ranks instead of two"
"$WEFT" cancel ranks.weft >cancelled & canceller=$!
slurm_told || fail 'the ranks are not told to stop'
wait $canceller
has cancelled 'job 1 cancelled, 0 of 1 points done'
[[ -n $(ls ranks.weft.checkpoint/*/) ]] || fail 'the ranks left no checkpoint'
run 0 "$WEFT" status ranks.weft
has out 'job 1 of Slurm, 1 task: 1 stopped; 0 of 1 points'
run 0 "$WEFT" cancel ranks.weft
is out 'job 1 has ended already'
# The node is drained: what is submitted waits.
timeout 20 scontrol update "NodeName=$node" State=DRAIN Reason=test
run 0 "$WEFT" run long.yaml --slurm --no-wait --results node.weft --checkpoint 1s
run 0 "$WEFT" status node.weft
has out 'job 2 of Slurm, 1 task: 1 pending'
timeout 20 scontrol update "NodeName=$node" State=RESUME
slurm_hold node.weft || fail 'the job does not begin when its node is resumed'
# It goes down: its jobs are killed, and requeued by Slurm.
timeout 20 scontrol update "NodeName=$node" State=DOWN Reason=test
run 0 "$WEFT" run long.yaml --quiet --results whole.weft
timeout 20 scontrol update "NodeName=$node" State=RESUME
restarts=$(timeout 20 scontrol show job 2 | sed -n 's/.*Restarts=\([0-9]*\).*/\1/p')
[[ $restarts -ge 1 ]] || fail 'the job was not requeued when its node went down'
# Meanwhile the two ranks go on from their checkpoint, as another job, until a more urgent one wants the whole node.
run 0 "$WEFT" run long.yaml --slurm --ranks 2 --results ranks.weft --no-wait
has err 'job 3: 1 point in 1 task'
slurm_hold ranks.weft || fail 'the ranks do not begin again'
printf '#!/bin/bash\n' >urgent.sh
timeout 20 sbatch --partition=urgent --ntasks=4 --output=/dev/null urgent.sh >out
slurm_told || fail 'the ranks are not told to make room'
run 0 "$WEFT" run long.yaml --slurm --results ranks.weft
has err 'job 3 is on these results already'
grep -q 'preempted JobId=3_0.* has been requeued' slurm/log/slurmctld.log || fail 'the ranks were not preempted'
[[ $(canonical ranks.weft) == "$(canonical whole.weft)" ]] || fail 'ranks that were cancelled and preempted give other results'
run 0 "$WEFT" run long.yaml --slurm --results node.weft
[[ $(canonical node.weft) == "$(canonical whole.weft)" ]] || fail 'a node that went down gives other results'

# A task that fails says why; the rest is run here then.
short='measure.limit.time=20000 cycles'
run 0 "$WEFT" run long.yaml "$short" --slurm --no-wait --results failed.weft --slurm-options --hold
"$WEFT" run long.yaml "$short" --slurm --results failed.weft >/dev/null 2>follower & follower=$!
for ((tries = 0; tries < 100; tries++)); do
    grep -q 'is on these results already' follower && break
    sleep 0.1
done
mv long.yaml away.yaml
timeout 20 scontrol release 5
status=0
wait $follower || status=$?
[[ $status -eq 1 ]] || fail "status $status of the one who follows a job that fails"
has follower 'job 5: 1 of its 1 tasks failed; task 0 ended with status 1: '
has follower 'long.yaml'
run 0 "$WEFT" status failed.weft
has out 'task 0 ended with status 1: see failed.weft.slurm/0.log'
mv away.yaml long.yaml
run 0 "$WEFT" run long.yaml "$short" --results failed.weft
find . -name '*.slurm' -o -name '*.checkpoint' | grep . && fail 'something is left'
echo "two ranks cancelled, resumed and preempted, a node drained, down and resumed: the same bytes"
