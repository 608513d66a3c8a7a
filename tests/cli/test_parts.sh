#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Points of a grid by number, parts and their collection, without Slurm: sbatch, squeue and scancel are stand-ins that run
# the job script here, or say what a real one would.
# shellcheck source=/dev/null
source "$WEFT_SOURCE/tests/cli/lib.sh"
cat >grid.yaml <<'END'
interweft: 1
title: Six points
topology: {kind: torus, dims: [4, 4]}
traffic:
  all: {pattern: uniform, length: 16 flits}
measure: {half-width: 10%, limit: {packets: 3000}}
vary:
  traffic.all.rho: {from: 0.1, to: 0.3, step: 0.1}
  seed: [1, 2]
END
run 0 "$WEFT" run grid.yaml --quiet --results whole.weft
whole=$(canonical whole.weft)

# Points by number go to the results file, or to a part with its progress.
run 0 "$WEFT" run grid.yaml --points 2,4-5 --results some.weft --quiet
run 0 "$WEFT" status some.weft
is out '3 points done; no job of Slurm'
run 0 "$WEFT" run grid.yaml --points 6 --part part.weft --results some.weft --quiet
[[ $(cut -d' ' -f1-3 part.weft.progress) == '1 of 1' ]] || fail "progress: $(cat part.weft.progress)"
for list in 0 7 3-2 '1,' ,1 1-x -1 '1,,2' ''; do
    run 2 "$WEFT" run grid.yaml --points="$list" --results wrong.weft
    has err '--points'
done
[[ ! -e wrong.weft ]] || fail 'a wrong list began a file'

# Slurm that is not there, or has no answer.
mkdir bin
run 1 env PATH=/nowhere "$WEFT" run grid.yaml --slurm
has err 'there is no command sbatch here: this needs Slurm (Debian: slurm-client)'
run 2 "$WEFT" run grid.yaml --slurm --points 1
has err '--slurm does not go with --points'
run 2 "$WEFT" run grid.yaml --slurm --new
has err 'remove the results file, or name another'
# sbatch runs all tasks at once, here; $FAKE_FAIL names one that fails, $FAKE_NONE that nothing is run. $FAKE_HOLD: not before there is
# a file of this name; $FAKE_BROKEN: nobody can write a record then; $FAKE_SILENT: no answer.
cat >bin/sbatch <<'END'
#!/bin/bash
[[ -z ${FAKE_SILENT-} ]] || exec sleep 60
printf '%s\n' "$@" >sbatch.words
script=${!#}
until [[ -z ${FAKE_HOLD-} || -e $FAKE_HOLD ]]; do sleep 0.02; done
[[ -z ${FAKE_BROKEN-} ]] || mkdir -p "${script%/*}/job/x"
for ((task = 0; task < $(wc -l <"${script%/*}/points"); task++)); do
    [[ -z ${FAKE_NONE-} ]] || break
    SLURM_ARRAY_JOB_ID=7 SLURM_ARRAY_TASK_ID=$task bash "$script" >"${script%/*}/$task.log" 2>&1
    [[ ${FAKE_FAIL-} != "$task" ]] || { echo 'failed 1' >"${script%/*}/$task.state"; rm "${script%/*}/$task".weft*; }
done
echo '7;cluster'
END
# shellcheck disable=SC2016 # the script's own
printf '#!/bin/bash\n[[ -z ${FAKE_DOWN-} ]] || { echo "squeue: error: unable to contact" >&2; exit 1; }\n[[ -z ${FAKE_QUEUE-} ]] || echo "$FAKE_QUEUE"\n' >bin/squeue
printf '#!/bin/bash\nprintf "main|1-00:00:00\\nnight*|3:00\\nfree|infinite\\n"\n' >bin/sinfo
printf '#!/bin/bash\nprintf "%%s\\n" "$*" >>scancel.words\n' >bin/scancel
printf '#!/bin/bash\nprintf "%%s\\n" "$*" >>scontrol.words\n' >bin/scontrol
chmod +x bin/*
export PATH=$PWD/bin:$PATH

# An sbatch that does not answer, meanwhile.
mkdir silent
(cd silent && FAKE_SILENT=1 "$WEFT" run ../grid.yaml --slurm --no-wait >out 2>err </dev/null || echo $? >status) & silent=$!

run 0 "$WEFT" run grid.yaml --slurm --tasks 4 --account me --slurm-options ' --qos=low  --hold '
[[ $(canonical grid.weft) == "$whole" ]] || fail 'parts collected are not the whole'
[[ $(head -6 sbatch.words) == $'--parsable\n--output=grid.weft.slurm/%a.log\n--account=me\n--qos=low\n--hold\ngrid.weft.slurm/job.sh' ]] || fail "$(cat sbatch.words)"
[[ ! -e grid.weft.slurm ]] || fail 'the folder of a job that was collected is left'

# A task that fails: the others are kept, and without Slurm the rest is run here.
rm grid.weft
FAKE_FAIL=1 run 1 "$WEFT" run grid.yaml --slurm --tasks 3
has err 'job 7: 1 of its 3 tasks failed; task 1 ended with status 1'
run 0 "$WEFT" status grid.weft
has out 'job 7 of Slurm, 3 tasks: 2 done, 1 failed; 4 of 6 points'
run 0 "$WEFT" run grid.yaml
has err '2 points'
[[ $(canonical grid.weft) == "$whole" ]] || fail 'the rest of a job gives other results'

# A job that is there: nobody runs beside it; it is cancelled by its number alone.
rm grid.weft
FAKE_NONE=1 run 0 "$WEFT" run grid.yaml --slurm --tasks 2 --no-wait
grep -q -- '--time=3$' grid.weft.slurm/job.sh || fail 'the time limit is not that of the default partition'
export FAKE_QUEUE=$'0|RUNNING|None\n1|PENDING|Resources'
run 1 "$WEFT" run grid.yaml
has err 'job 7 of Slurm is on these results: '
run 0 "$WEFT" status grid.weft
has out 'job 7 of Slurm, 2 tasks: 1 pending (Resources), 1 running; 0 of 6 points'
FAKE_DOWN=1 run 1 "$WEFT" status grid.weft
has err 'squeue ended with status 1: squeue: error: unable to contact'
unset FAKE_QUEUE
run 0 "$WEFT" cancel grid.weft
is out 'job 7 has ended already'
echo 'job 7 --user=root' >grid.weft.slurm/job
run 1 "$WEFT" cancel grid.weft
has err 'grid.weft.slurm/job is not the record of a job that weft has submitted'
[[ ! -e scancel.words ]] || fail 'scancel was called with what a file says'

# A part of another scenario is passed over.
rm -r grid.weft.slurm grid.weft
FAKE_NONE=1 run 0 "$WEFT" run grid.yaml --slurm --tasks 1 --no-wait
run 0 "$WEFT" run grid.yaml measure.half-width=9% --part grid.weft.slurm/0.weft --quiet
run 0 "$WEFT" run grid.yaml
has err '6 points'
[[ $(canonical grid.weft) == "$whole" ]] || fail 'points of another scenario were collected'
[[ -s grid.weft.slurm/0.weft ]] || fail 'finished points of another scenario were removed'

# What a job has finished is not lost to a command that wants less, or something else.
for other in '--points 1' 'traffic.all.rho=0.1,0.15'; do
    rm -rf grid.weft*
    run 0 "$WEFT" run grid.yaml --slurm --tasks 2 --no-wait
    # shellcheck disable=SC2086 # words
    run 0 "$WEFT" run grid.yaml $other
    run 0 "$WEFT" run grid.yaml --points 1 # and again
    run 0 "$WEFT" run grid.yaml
    [[ ! -e grid.weft.slurm ]] || fail "$other: a folder that was collected is left"
    [[ $other == traffic* || $(canonical grid.weft) == "$whole" ]] || fail "$other: other results"
    has err 'all 6 points are there already'
done
rm grid.weft
run 0 "$WEFT" run grid.yaml --slurm --tasks 2 --no-wait
run 0 "$WEFT" run grid.yaml traffic.all.rho=0.15 seed=1
has err 'grid.weft.slurm holds 6 finished points of another grid or with other settings, which the command that submitted the job collects'
rm grid.weft
run 1 "$WEFT" run grid.yaml traffic.all.rho=0.15,0.17 --slurm --no-wait
has err 'grid.weft.slurm holds 6 finished points of another grid or with other settings'
has err '--results FILE submits this beside it'
run 0 "$WEFT" run grid.yaml --slurm
[[ $(canonical grid.weft) == "$whole" && ! -e grid.weft.slurm ]] || fail 'the first command did not collect its job'

# A full disk ends a task with status 4, too: it does not requeue itself, as nobody has asked it to stop.
rm grid.weft
FAKE_NONE=1 run 0 "$WEFT" run grid.yaml --slurm --tasks 1 --no-wait
# shellcheck disable=SC2016 # the shell's own
FAKE_QUEUE=RUNNING SLURM_ARRAY_JOB_ID=7 SLURM_ARRAY_TASK_ID=0 run 4 bash -c 'trap "" XFSZ; ulimit -f 40; exec bash grid.weft.slurm/job.sh'
has err 'cannot write'
is grid.weft.slurm/0.state 'failed 4'
[[ ! -e scontrol.words ]] || fail "a task without room was requeued: $(cat scontrol.words)"
run 0 "$WEFT" run grid.yaml
[[ $(canonical grid.weft) == "$whole" && ! -e grid.weft.slurm ]] || fail 'what a task did before the disk was full is not gone on with'

# A file that the scenario names has changed since the job: --new is what the message says, and does it.
flows=('traffic.all.pattern={kind: flows, file: flows.csv}' --results flows.weft)
printf '0,3,3\n1,3,1\n' >flows.csv
run 0 "$WEFT" run grid.yaml "${flows[@]}" --slurm --tasks 2 --no-wait
printf '0,3,3\n1,3,2\n' >flows.csv
run 1 "$WEFT" run grid.yaml "${flows[@]}"
has err 'the file flows.csv has changed since these results were begun; --results FILE starts others beside them, --new starts them anew'
run 0 "$WEFT" run grid.yaml "${flows[@]}" --new
has err '6 points'
[[ ! -e flows.weft.slurm ]] || fail '--new left the folder of a job'

# Two commands at a time: one submits, the other is refused, with --slurm or without.
rm grid.weft sbatch.words
FAKE_HOLD=go "$WEFT" run grid.yaml --slurm --tasks 2 --no-wait >held.out 2>held.err </dev/null & held=$!
until [[ -s sbatch.words ]]; do sleep 0.02; done
run 1 "$WEFT" run grid.yaml --slurm --no-wait
has err 'grid.weft.slurm is being written by process'
run 1 "$WEFT" run grid.yaml
has err 'grid.weft.slurm is being written by process'
touch go
wait $held || fail "$(cat held.err)"
run 0 "$WEFT" run grid.yaml
has err 'all 6 points are there already'
[[ $(canonical grid.weft) == "$whole" && -z $(compgen -G 'grid.weft?*') ]] || fail "left: $(compgen -G 'grid.weft?*')"

# A job that was submitted and cannot be recorded: its number is said, and it keeps its folder. So does one of which nobody knows.
rm grid.weft
FAKE_NONE=1 FAKE_BROKEN=1 run 1 "$WEFT" run grid.yaml --slurm --tasks 2 --no-wait
has err 'job 7 was submitted, and cannot be recorded: '
# shellcheck disable=SC2016 # a command that is shown
has err '`scancel 7` ends it'
[[ -s grid.weft.slurm/job.sh && -s grid.weft.slurm/points ]] || fail 'the folder of a job that may run is gone'
wait $silent
cd silent || exit
[[ $(cat status) -eq 1 ]] || fail "status $(cat status)"
has err 'sbatch has not answered for 30 s'
has err 'grid.weft.slurm/job.sh may be in the queue all the same'
[[ -s grid.weft.slurm/job.sh ]] || fail 'the folder of a job that may be in the queue is gone'
for where in --slurm --new; do
    run 1 "$WEFT" run ../grid.yaml $where
    has err 'grid.weft.slurm/job.sh was to be submitted, and nobody knows whether it was'
done
rm -r grid.weft.slurm
run 0 "$WEFT" run ../grid.yaml --slurm
[[ $(canonical grid.weft) == "$whole" ]] || fail 'other results'
