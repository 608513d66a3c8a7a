#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Same bytes over restarts: a point that is stopped or killed again and again, each time gone on with on
# another number of ranks and threads and by another MPI, gives the result bytes of an uninterrupted run.
# shellcheck source=/dev/null
source "$WEFT_SOURCE/tests/mpi/faults.sh"
point=$WEFT_SOURCE/tests/mpi/scenarios/point.yaml
mapfile -t kinds < <(mpi_kinds)
first=${kinds[0]}
last=${kinds[-1]}
settings=() # key=value, beside the scenario's own

# leg KIND RANKS THREADS SIGNAL VICTIM...: starts or goes on, and sends the signal to these ranks: KILL
# once two more checkpoints are there, others when the point is under way.
leg() {
    local kind=$1 threads=$3 signal=$4 before wanted=0 parts status=0
    local -a every=()
    before=$(newest point.weft)
    if [[ $signal == KILL ]]; then
        every=(--checkpoint 0.02s)
        wanted=$((before + 2))
    fi
    launch "$kind" "$2" "$WEFT" run "$point" --quiet --results point.weft --ranks "$2" \
        --threads "$threads" --blocks 12 "${every[@]}" "${settings[@]}"
    listens 0
    [[ $signal == KILL ]] || sleep 0.1
    while [[ $(newest point.weft) -lt $wanted ]] && runs "$(cat pids/0)"; do sleep 0.01; done
    strike "$signal" "${@:5}" || fail "$kind $2 was too fast for a signal"
    ended || status=$?
    [[ $(newest point.weft) -gt $before ]] || fail "SIG$signal left no checkpoint"
    if [[ $signal != KILL ]]; then
        [[ $status -eq 4 ]] || fail "status $status after SIG$signal instead of 4"
        none out
        is err 'stopped; the same command goes on with the points that are missing'
    fi
    parts=$(compgen -G "point.weft.checkpoint/*/$(newest point.weft)/part-*" | wc -l)
    [[ $parts -eq $2 ]] || fail "$2 ranks wrote a checkpoint of $parts parts"
    echo "stopped by SIG$signal on $2 ranks of $kind with $threads threads: checkpoint $(newest point.weft)"
}
# finish KIND RANKS THREADS: goes on until the end; the results are those of the run that was left alone.
finish() {
    run 0 on_ranks "$1" "$2" "$WEFT" run "$point" --quiet --results point.weft --ranks "$2" \
        --threads "$3" --blocks 12 "${settings[@]}"
    is <(grep -v '^starvation' err) 'results in point.weft' # long packets of the last scenario are starved
    [[ $(canonical point.weft) == "$whole" ]] || {
        diff <("$WEFT" export whole.weft --format canonical) \
            <("$WEFT" export point.weft --format canonical) | head -20 || true
        fail 'stopped and restarted: other results'
    }
    tidy point.weft
    echo "finished on $2 ranks of $1 with $3 threads: the same results, nothing left over"
    rm point.weft
}

run 0 "$WEFT" run "$point" --quiet --results whole.weft
whole=$(canonical whole.weft)

leg "$first" 3 1 TERM 1
leg "$last" 2 2 TERM 0 1
leg "$first" 1 2 INT 0
leg "$first" 4 1 KILL 0 1 2 3
leg "$last" 3 1 KILL 2
leg "$last" 1 1 TERM 0
finish "$first" 2 2

leg "$last" 4 1 KILL 0 1 2 3
leg "$first" 2 1 KILL 0
finish "$last" 1 2

# SIGUSR1 writes a checkpoint, and the run goes on to its end.
launch "$first" 2 "$WEFT" run "$point" --quiet --results point.weft --ranks 2
listens 1
strike USR1 1
while [[ $(newest point.weft) -eq 0 ]] && runs "$(cat pids/0)"; do sleep 0.01; done
[[ $(newest point.weft) -gt 0 ]] || fail 'SIGUSR1 wrote no checkpoint'
ended || fail "status $? after SIGUSR1"
[[ $(canonical point.weft) == "$whole" ]] || fail 'other results after SIGUSR1'
tidy point.weft
rm point.weft

# What another seed or another scenario left behind is not gone on from, and it is said why.
for other in seed=2 routing.selection=diagonal; do
    launch "$first" 2 "$WEFT" run "$point" --quiet --results point.weft --ranks 2 "$other"
    listens 0
    strike TERM 0
    status=0
    ended || status=$?
    [[ $status -eq 4 && $(newest point.weft) -eq 1 ]] || fail "status $status after SIGTERM"
    rm point.weft
    folder=$(echo point.weft.checkpoint/*)
    run 0 on_ranks "$first" 3 "$WEFT" run "$point" --quiet --results point.weft --ranks 3
    is err "$folder: checkpoint 1 is of another scenario; going on from before it
results in point.weft"
    [[ $(canonical point.weft) == "$whole" ]] || fail "went on from a checkpoint of $other"
    tidy point.weft
    rm point.weft
    echo "a checkpoint of $other is not used"
done

# --new forgets checkpoints, its own and those of the scenario that was there before.
leg "$first" 2 1 TERM 0
run 0 on_ranks "$last" 2 "$WEFT" run "$point" --quiet --results point.weft --new --ranks 2
is err 'results in point.weft'
[[ $(canonical point.weft) == "$whole" ]] || fail '--new: other results'
tidy point.weft
rm point.weft
leg "$first" 2 1 TERM 0
run 0 "$WEFT" run "$point" --quiet --results point.weft --new measure.limit.time='5000 cycles' \
    vary.seed='[1, 2]'
is err 'results in point.weft'
tidy point.weft
rm point.weft

# The input-queued router: packets in the middle of a crossbar, ramps of credits, pointers and coins of the
# arbiters, messages of which a part has arrived. tests/determinism/test_router_restart.c has more of them, in one process.
for name in voq adaptive endpoints bursts; do
    point=$WEFT_SOURCE/tests/determinism/scenarios/router-$name.yaml
    settings=(measure.warmup='1000 cycles' measure.limit.time='50000 cycles')
    run 0 "$WEFT" run "$point" --quiet --results whole.weft --new "${settings[@]}"
    whole=$(canonical whole.weft)
    echo "router-$name:"
    leg "$first" 3 1 TERM 1
    leg "$last" 2 2 KILL 0 1
    finish "$first" 1 2
done

# In the middle of collectives: ranks that wait, messages that have come early, requests without answers.
point=$WEFT_SOURCE/tests/mpi/scenarios/jobs.yaml
settings=(jobs.ring.repeat=100 jobs.doubling.repeat=1000 jobs.exchange.repeat=1000 measure.timeline-limit=1000000)
run 0 "$WEFT" run "$point" --quiet --results whole.weft --new "${settings[@]}"
whole=$(canonical whole.weft)
echo 'jobs:'
leg "$first" 3 1 TERM 1
leg "$last" 2 2 KILL 0 1
leg "$first" 4 1 TERM 2
finish "$first" 1 2

# Programs of which every process has its own ranks alone: others after each restart.
cp "$WEFT_SOURCE/tests/mpi/scenarios/divided.yaml" .
awk -v ranks=24 -v steps=3000 -f "$WEFT_SOURCE/tests/data/workloads/exchange.awk" >trace.goal
run 0 "$WEFT" import workload trace.goal -o trace.bin
point=divided.yaml
settings=()
run 0 "$WEFT" run "$point" --quiet --results whole.weft --new
whole=$(canonical whole.weft)
echo 'divided:'
leg "$first" 3 1 TERM 1
leg "$last" 2 2 KILL 0 1
leg "$first" 4 1 TERM 2
finish "$first" 1 2
