#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# A grid spread over ranks: the same result bytes on any number of them, also after it was stopped or
# killed; one message where something is wrong, and how much of two cores it makes use of.
# shellcheck source=/dev/null
source "$WEFT_SOURCE/tests/mpi/faults.sh"

cat >grid.yaml <<'END'
interweft: 1
title: A grid for a farm
topology: {kind: torus, dims: [8, 8]}
endpoint: {injection: one-port}
routing: {kind: minimal-adaptive, selection: random}
traffic:
  all: {pattern: uniform, length: {kind: exponential, mean: 16 flits}, rho: 0.3}
measure: {by: hops, half-width: 0.01%, limit: {time: 6000 cycles}}
vary:
  traffic.all.rho: {from: 0.1, to: 0.8, step: 0.1}
  routing.selection: [dimension-order, random, diagonal]
END
mapfile -t kinds < <(mpi_kinds)
first=${kinds[0]}
last=${kinds[-1]}
run 0 "$WEFT" run grid.yaml --quiet --results whole.weft
cp out table
whole=$(canonical whole.weft)

# The same bytes and the same table, once.
for kind in "${kinds[@]}"; do
    for count in 1 2 3 4; do
        run 0 on_ranks "$kind" "$count" "$WEFT" run grid.yaml --quiet --new
        [[ $(canonical grid.weft) == "$whole" ]] || fail "other results on $count ranks of $kind"
        is out "$(cat table)"
        is err 'results in grid.weft'
        tidy grid.weft
    done
done
run 0 on_ranks "$first" 4 "$WEFT" run grid.yaml --quiet --new --ranks 2 # teams
[[ $(canonical grid.weft) == "$whole" ]] || fail 'other results on two teams'
run 0 on_ranks "$last" 3 "$WEFT" run grid.yaml --quiet --new --ranks 2 --threads 2 --blocks 6
[[ $(canonical grid.weft) == "$whole" ]] || fail 'other results on a team and one'
echo "24 points on 1 to 4 ranks of ${kinds[*]}: ${whole:0:16}"

# stopped KIND RANKS SIGNAL VICTIM...: the grid is started or gone on with, and gets this signal once
# another point is committed. $status is the launcher's. A signal that comes after the last point says
# nothing: then again, from where the grid stood.
stopped() {
    local before try rank
    before=$(committed grid.weft | wc -l)
    [[ ! -f grid.weft ]] || cp grid.weft stood.weft
    for try in {1..10}; do
        launch "$1" "$2" "$WEFT" run grid.yaml --quiet measure.limit.time='150000 cycles'
        for ((rank = 0; rank < $2; rank++)); do listens "$rank"; done
        while [[ $(committed grid.weft | wc -l) -lt $((before + 1)) ]] && runs "$(cat pids/0)"; do
            sleep 0.01
        done
        strike "$3" "${@:4}" || true
        status=0
        ended || status=$?
        committed grid.weft >before
        echo "SIG$3 to ${*:4} of $2 ranks of $1: status $status, $(wc -l <before) of 24 points committed"
        [[ $(wc -l <before) -eq 24 ]] || return 0
        rm -rf grid.weft*
        [[ $before -eq 0 ]] || cp stood.weft grid.weft
    done
    fail "the grid was too fast for a signal, $try times"
}
# gone_on: what is missing is added, on another number of ranks.
gone_on() {
    run 0 on_ranks "$1" "$2" "$WEFT" run grid.yaml --quiet measure.limit.time='150000 cycles'
    [[ $(canonical grid.weft) == "$long" ]] || fail 'stopped and gone on with: other results'
    committed grid.weft >after
    [[ -z $(comm -23 before after) && $(wc -l <after) -eq 24 ]] || fail 'a point was run again, or lost'
    tidy grid.weft
}
run 0 "$WEFT" run grid.yaml --quiet --results long.weft measure.limit.time='150000 cycles'
long=$(canonical long.weft)
rm grid.weft
stopped "$first" 3 INT 2 # any rank may get it
[[ $status -eq 4 ]] || fail "status $status after SIGINT to a rank instead of 4"
is err 'stopped; the same command goes on with the points that are missing'
none out
stopped "$last" 2 KILL 0
stopped "$first" 2 INT launcher # Ctrl-C: Open MPI has a status of its own
[[ $status -ne 0 ]] || fail 'status 0 after Ctrl-C'
gone_on "$last" 3
rm grid.weft
stopped "$last" 3 INT launcher
[[ $status -ne 0 ]] || fail 'status 0 after Ctrl-C'
gone_on "$first" 4
rm stood.weft

# once MESSAGE: this is the one line on stderr that weft itself wrote.
once() {
    [[ $(grep -cF "$1" err) -eq 1 ]] || {
        cat err
        fail "not said once: $1"
    }
}
# What is wrong is said once, by rank 0.
for kind in "${kinds[@]}"; do
    run 1 on_ranks "$kind" 3 "$WEFT" run grid.yaml --quiet router.headr=2
    once "command line: router has no setting 'headr'; did you mean 'header'?"
    none out
    run 1 on_ranks "$kind" 3 "$WEFT" run missing.yaml
    once 'missing.yaml cannot be read: No such file or directory'
    run 1 on_ranks "$kind" 3 "$WEFT" run grid.yaml --quiet topology.kind=mesh # it holds a torus
    once 'grid.weft: 24 of its 24 points were run with topology.kind torus'
    run 2 on_ranks "$kind" 2 "$WEFT" run grid.yaml --rank 2
    has err "weft: run has no flag '--rank'"
done
"$WEFT" run grid.yaml --quiet --new measure.limit.time='100000000 cycles' >/dev/null 2>&1 </dev/null &
process=$!
until [[ -s grid.weft.lock ]] || ! runs $process; do sleep 0.02; done
run 1 on_ranks "$first" 3 "$WEFT" run grid.yaml --quiet measure.limit.time='100000000 cycles'
once "grid.weft is being written by process $process"
none out
kill -s TERM $process
wait $process || true
rm -rf grid.weft*

# Two ranks with 200 short points, each rank one point at a time, against two processes that know nothing
# of each other and have 200 points each, at once: what two cores of this machine can do, whether or not
# they share a physical core or the machine is loaded. Best of three.
cat >many.yaml <<'END'
interweft: 1
title: Many short points
topology: {kind: torus, dims: [8, 8]}
traffic:
  all: {pattern: uniform, length: 16 flits, rho: 0.3}
measure: {half-width: 0.01%, limit: {time: 20000 cycles}}
vary:
  seed: {from: 1, to: 200, step: 1}
END
# farm RANKS NAME: runs the points on so many ranks.
farm() {
    on_ranks "$first" "$1" "$WEFT" run many.yaml --quiet --new --jobs 1 --results "$2.weft" >/dev/null
}
best=0
for _ in 1 2 3; do
    began=$(now)
    farm 1 left &
    left=$!
    farm 1 right
    wait $left
    apart=$(($(now) - began))
    began=$(now)
    farm 2 both
    together=$(($(now) - began))
    percent=$((100 * apart / (2 * together)))
    echo "200 short points on two ranks: $((together / 1000)) ms; twice as many on two processes:" \
        "$((apart / 1000)) ms: efficiency $percent %"
    [[ $percent -le $best ]] || best=$percent
    [[ $best -lt 90 ]] || break
done
[[ $best -ge 60 || $(nproc) -lt 2 ]] || fail "the farm makes use of only $best % of two cores"
[[ $(canonical both.weft) == "$(canonical left.weft)" ]] || fail 'other results on two ranks'
