#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The commands of docs/howto/slurm.md under a real Slurm, and the results they give.
# shellcheck source=/dev/null
source "$WEFT_SOURCE/tests/cli/lib.sh"
# shellcheck source=/dev/null
source "$WEFT_SOURCE/tests/real/slurm.sh"
# shellcheck source=/dev/null
source "$WEFT_SOURCE/tests/cli/study_lib.sh"
slurm_needs
chmod 755 . # munge insists
# shellcheck disable=SC2154 # lib.sh made the folder we are in
trap 'slurm_down "$work/slurm.up"; cd /; rm -rf "$work"' EXIT
slurm_up "$PWD/slurm.up" || fail 'Slurm did not start'
export OMPI_MCA_mpi_yield_when_idle=1 # beside other tests
follow slurm 0
cat err
has err '8 points in 2 tasks'
has err '1 point in 1 task'
has err '2 ranks each'
has out 'job 6 of Slurm, 1 task: '
has out 'job 6 cancelled, '
has err 'wrote paper.html'
cd slurm || exit 1
[[ -s paper-figures/latency.svg && ! -e paper.weft.slurm && ! -e paper.weft.running ]] || fail 'no figure, or something is left'
run 0 "$WEFT" run large.yaml --quiet --results whole.weft
[[ $(canonical large.weft) == "$(canonical whole.weft)" ]] || fail 'two ranks give other results'
run 0 "$WEFT" run grid.yaml seed=1,2,3 --quiet --results whole-grid.weft
[[ $(canonical grid.weft) == "$(canonical whole-grid.weft)" ]] || fail 'an array gives other results'
run 0 "$WEFT" study paper.yaml --quiet --results whole-paper.weft
[[ $(canonical paper.weft) == "$(canonical whole-paper.weft)" ]] || fail 'a study gives other results'
# A point that fails is kept as such by its task, and does not hold up the others. A job that is held is pending.
half_bad_study >bad.yaml
run 0 "$WEFT" study bad.yaml --slurm --no-wait --slurm-options --hold
run 0 "$WEFT" study status bad.yaml
has out 'of Slurm, to be collected: 1 pending (JobHeldUser); 0 of 2 points'
run 0 "$WEFT" cancel bad.weft
run 3 "$WEFT" study bad.yaml --slurm
has err '1 of 2 points failed, such as scenario=torus series=cyclic: '
run 0 "$WEFT" study status bad.yaml
has out 'all                                                1       0       1       0'
