#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The job script of docs/howto/parallel.md under a real Slurm: two ranks by srun, told to stop before they
# are through; the job submits itself again and the second one finishes with the same bytes.
# shellcheck source=/dev/null
source "$WEFT_SOURCE/tests/cli/lib.sh"
# shellcheck source=/dev/null
source "$WEFT_SOURCE/tests/real/slurm.sh"
slurm_needs

slurm_scenario 250000 >fabric.yaml
chmod 755 . # munge insists
mkdir bin
ln -s "$WEFT" bin/weft
export PATH=$PWD/bin:$PATH
# the page's script, on this machine's one node
awk '/^```bash$/ { on = 1; next } /^```/ { on = 0 } on' "$WEFT_SOURCE/docs/howto/parallel.md" |
    sed -e 's/--nodes=4 --ntasks-per-node=2 --cpus-per-task=32/--nodes=1 --ntasks=2/' \
        -e 's/--mem-per-cpu=2G --time=12:00:00/--time=10/' -e 's/--threads 32/--threads 1 --ranks 2 --quiet/' >job.sh
export OMPI_MCA_mpi_yield_when_idle=1 # beside other tests
[[ -s job.sh ]] || fail 'the page has no job script'
# shellcheck disable=SC2154 # lib.sh made the folder we are in
trap 'slurm_down "$work/slurm"; cd /; rm -rf "$work"' EXIT
slurm_up "$PWD/slurm" || fail 'Slurm did not start'

first=$(timeout 20 sbatch --parsable job.sh)
for ((tries = 0; tries < 1500; tries++)); do
    [[ -s fabric.weft ]] && break
    sleep 0.02
done
mapfile -t held < <(slurm_processes '^[^ ]*weft run fabric.yaml .*--checkpoint 1h$') # slow on any machine
kill -STOP "${held[@]}"
timeout 20 scancel --signal=TERM "$first"
slurm_told || fail 'the ranks are not told to stop'
for ((tries = 0; tries < 600; tries++)); do
    [[ -z $(timeout 10 squeue -h) ]] && break
    sleep 0.2
done
cat slurm-*.out
jobs=$(find . -maxdepth 1 -name 'slurm-*.out' | wc -l)
[[ $jobs -ge 2 ]] || fail "$jobs jobs ran; the first should have been stopped and have submitted another"
has "slurm-$first.out" 'stopped; the same command goes on'
[[ ! -e fabric.weft.checkpoint ]] || fail 'a checkpoint is left'
run 0 "$WEFT" run fabric.yaml --quiet --results whole.weft
[[ $(canonical fabric.weft) == "$(canonical whole.weft)" ]] || fail 'other results than in one go'
echo "$jobs jobs, the same bytes as one run"
