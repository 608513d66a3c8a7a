#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Ranks whose processes are known, so that signals can be sent to them; and faults at random moments,
# shared by tests/mpi/test_faults.sh and its long version. On top of tests/mpi/lib.sh.
# shellcheck source=/dev/null
source "$WEFT_SOURCE/tests/mpi/lib.sh"

# launch KIND N COMMAND...: like on_ranks, in the background, into ./out and ./err; returns when every
# rank has its process, whose number is in pids/<rank>, or the launcher has ended.
launch() {
    local rank
    ranks=$2
    rm -rf pids
    mkdir pids
    # shellcheck disable=SC2016 # for the rank's own shell
    on_ranks "$1" "$2" bash -c \
        'me=pids/${OMPI_COMM_WORLD_RANK:-$PMI_RANK}; echo $$ >"$me.new"; mv "$me.new" "$me"; exec "$@"' \
        rank "${@:3}" >out 2>err </dev/null &
    launcher=$!
    for ((rank = 0; rank < ranks; rank++)); do
        while [[ ! -f pids/$rank ]] && kill -0 "$launcher" 2>/dev/null; do sleep 0.01; done
    done
}
# listens RANK: waits until its process takes SIGUSR1 and SIGTERM as weft does, or has ended.
listens() {
    local caught process
    process=$(cat "pids/$1")
    while caught=$(sed -n 's/^SigCgt:[[:space:]]*//p' "/proc/$process/status" 2>/dev/null); do
        [[ -z $caught || $((16#$caught & 0x4200)) -ne $((0x4200)) ]] || break
        sleep 0.01
    done
}
# launcher_process: mpirun itself, below the shell that on_ranks is.
launcher_process() {
    grep -lsE "^PPid:[[:space:]]*$launcher$" /proc/[0-9]*/status | sed 's/[^0-9]//g' | sed -n 1p
}
# strike SIGNAL RANK...: to these ranks, or with 'launcher' to mpirun; false if none was there.
strike() {
    local signal=$1 hit=1 rank process
    for rank in "${@:2}"; do
        if [[ $rank == launcher ]]; then
            process=$(launcher_process) || true
        else
            process=$(cat "pids/$rank" 2>/dev/null) || true
        fi
        if [[ $process ]] && kill -s "$signal" "$process" 2>/dev/null; then hit=0; fi
    done
    return $hit
}
# runs PROCESS...: one of them exists and is not dead.
runs() {
    local process state
    for process; do
        { read -r state <"/proc/$process/stat"; } 2>/dev/null || continue
        state=${state##*) }
        [[ $state == [ZX]* ]] || return 0
    done
    return 1
}
# ended: waits for the launcher and for every rank, so that nobody is left; returns the launcher's exit
# status. Ranks that outlive their launcher are a failure. A launcher that outlives its ranks is not
# ours to mend (Open MPI's may miss their end if all are killed at once): it is killed, too.
ended() {
    local status=0 alone=0 processes
    mapfile -t processes < <(cat pids/* 2>/dev/null)
    while runs "$launcher" "${processes[@]}"; do
        if runs "$launcher" && runs "${processes[@]}"; then
            alone=0
        elif [[ $((alone += 1)) -gt 400 ]]; then
            runs "$launcher" || fail "${processes[*]}: ranks that have lost their launcher go on"
            strike KILL launcher || true
        fi
        sleep 0.05
    done
    wait "$launcher" || status=$?
    return $status
}
# now: microseconds.
now() {
    echo "${EPOCHREALTIME/./}"
}
# nap MICROSECONDS
nap() {
    sleep "$(printf '%d.%06d' $(($1 / 1000000)) $(($1 % 1000000)))"
}
# generations RESULTS: the whole checkpoints there are, one per line.
generations() {
    compgen -G "$1.checkpoint/*/[0-9]*/manifest" | grep -v '\.new/' || true
}
# newest RESULTS: the number of the newest whole one of a single point; 0: there is none.
newest() {
    generations "$1" | sed 's:/manifest$::; s:.*/::' | sort -n | tail -1 | grep . || echo 0
}
# committed RESULTS: per point its key and what only that run can know: how long it took.
committed() {
    [[ -f $1 ]] || return 0
    "$WEFT" export "$1" --format json >points.json 2>why || has why 'no point has finished'
    sed -nE 's/^(\{"key": "[^"]*").*/\1/p; s/.*("wall_seconds": [^,]*).*/\1/p' points.json | paste - - | sort
}
# tidy RESULTS: nothing is left beside them.
tidy() {
    local rest
    rest=$(compgen -G "$1?*" || true)
    [[ -z $rest ]] || fail "left over: $rest"
}

# complete BYTES POINTS: the same command goes on until the end; the bytes are these, nothing that was
# committed ($PWD/before) was run again, no point is missing or there twice.
complete() {
    run 0 "${command[@]}"
    [[ $(canonical grid.weft) == "$1" ]] || {
        diff <("$WEFT" export whole.weft --format canonical) \
            <("$WEFT" export grid.weft --format canonical) | head -20 || true
        fail "other results after a fault: ${command[*]}"
    }
    committed grid.weft >after
    [[ -z $(comm -23 before after) ]] || {
        diff before after
        fail 'a committed point was run again'
    }
    [[ $(cut -f 1 after | sort -u | wc -l) -eq $2 && $(wc -l <after) -eq $2 ]] || fail 'points lost'
    tidy grid.weft
}
# undisturbed KIND: how long `program` takes on 3 ranks, in microseconds, in $duration[KIND].
undisturbed() {
    local began status=0
    rm -rf grid.weft*
    launch "$1" 3 "${program[@]}"
    began=$(now)
    ended || status=$?
    duration[$1]=$(($(now) - began))
    [[ $status -eq 0 && $(canonical grid.weft) == "$whole" ]] || {
        cat err
        fail "status $status, or other results, on 3 ranks of $1"
    }
}
# fault VICTIM KIND: kills it at a random moment and goes on.
fault() {
    local -a command=(on_ranks "$2" 3 "${program[@]}") victims=(0 1 2)
    case $1 in
    one) victims=($((RANDOM % 3))) ;;
    launcher) victims=(launcher) ;;
    first) victims=(0) ;;
    esac
    rm -rf grid.weft*
    launch "$2" 3 "${program[@]}"
    nap $((duration[$2] * RANDOM / 32768))
    if strike KILL "${victims[@]}"; then hits=$((hits + 1)); fi
    ended || true
    [[ -z $(generations grid.weft) ]] || resumed=$((resumed + 1))
    committed grid.weft >before
    kept=$((kept + $(wc -l <before)))
    complete "$whole" 6
}
# faults VICTIM COUNT [FLAG...]: so many kills of one rank, all ranks, the first rank or the launcher of
# a grid, under each MPI in turn.
faults() {
    local victim=$1 count=$2 grid=$WEFT_SOURCE/tests/mpi/scenarios/grid.yaml
    local i kind hits=0 resumed=0 kept=0
    local -A duration=()
    local -a kinds program=("$WEFT" run "$grid" --quiet --results grid.weft --checkpoint 0.01s "${@:3}")
    if [[ -z ${whole:-} ]]; then
        run 0 "$WEFT" run "$grid" --quiet --results whole.weft
        whole=$(canonical whole.weft)
        RANDOM=${WEFT_FAULT_SEED:=$RANDOM}
        echo "random moments: WEFT_FAULT_SEED=$WEFT_FAULT_SEED"
    fi
    mapfile -t kinds < <(mpi_kinds)
    for ((i = 0; i < count; i++)); do
        kind=${kinds[i % ${#kinds[@]}]}
        [[ ${duration[$kind]:-} ]] || undisturbed "$kind"
        fault "$victim" "$kind"
    done
    echo "kill -9 of $victim ${*:3}: $count, $hits before its end, $resumed with a checkpoint to go on" \
        "from, $kept points committed before"
}
