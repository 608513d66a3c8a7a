# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
# One program of two processors: $WEFT of this machine, and $theirs for another one, run by qemu-user. Sourced by
# tests/real/test_big_endian.sh and tests/long/test_processors.sh, behind tests/cli/lib.sh.
# shellcheck disable=SC2154 # processor, theirs: of the test

# wants PROGRAM…: the test is skipped without them.
wants() {
    local program
    for program; do
        command -v "$program" >/dev/null || { echo "skipped: needs $program" && exit 77; }
    done
}
# same_bytes WHAT FILE FILE
same_bytes() {
    cmp -s "$2" "$3" || {
        diff -a "$2" "$3" | head -20
        fail "$1: other bytes on $processor"
    }
}
# same_result NAME SCENARIO OPTION…: run on both; each reads the other's file.
same_result() {
    local name=$1 scenario=$2
    shift 2
    run 0 "$WEFT" run "$scenario" --quiet --results ours.weft --new "$@"
    run 0 "$theirs" run "$scenario" --quiet --results theirs.weft --new "$@"
    "$WEFT" export ours.weft --format canonical >ours.txt
    "$WEFT" export theirs.weft --format canonical >theirs.txt
    same_bytes "$name" ours.txt theirs.txt
    "$theirs" export ours.weft --format canonical >read.txt
    same_bytes "$name, our results read there" ours.txt read.txt
}
# same_answer COMMAND…: what it prints on both, and its status; but for lines of METIS, which tools/cross leaves out.
same_answer() {
    local status=0 other=0
    "$WEFT" "$@" >ours.txt 2>ours.err </dev/null || status=$?
    "$theirs" "$@" >theirs.txt 2>theirs.err </dev/null || other=$?
    [[ $status -eq $other ]] || { cat theirs.err && fail "weft $*: status $other instead of $status on $processor"; }
    sed -i '/METIS/d' ours.txt theirs.txt
    same_bytes "weft $*" ours.txt theirs.txt
    same_bytes "messages of weft $*" ours.err theirs.err
}
# same_file NAME COMMAND…: the file NAME that it writes.
same_file() {
    local name=$1
    shift
    run 0 "$WEFT" "$@"
    mv "$name" ours.bin
    run 0 "$theirs" "$@"
    same_bytes "weft $*" ours.bin "$name"
}
# goes_on FIRST SECOND: the first program is stopped with a checkpoint, the second goes on from it, to the bytes of
# point.yaml run through (whole.txt, by $WEFT). How far the first came is its own: at least to the first checkpoint.
goes_on() {
    local process status=0
    rm -rf point.weft*
    "$1" run point.yaml --quiet --checkpoint 0.02s >out 2>err </dev/null &
    process=$!
    until compgen -G 'point.weft.checkpoint/*/[0-9]*/manifest' | grep -v '\.new/' >/dev/null || ! kill -0 "$process" 2>/dev/null; do
        sleep 0.02
    done
    kill -s TERM "$process" 2>/dev/null || true
    wait "$process" || status=$?
    [[ $status -eq 4 ]] || { cat err && fail "status $status instead of 4 after SIGTERM"; }
    compgen -G 'point.weft.checkpoint/*/[0-9]*/manifest' >/dev/null || fail 'SIGTERM left no checkpoint'
    cp -r point.weft.checkpoint kept
    run 0 "$2" run point.yaml --quiet --checkpoint 1h
    ! grep -i 'anew\|checkpoint' err || fail 'the checkpoint of another processor is not taken'
    "$WEFT" export point.weft --format canonical >through.txt
    same_bytes 'gone on from a checkpoint of another processor' whole.txt through.txt
    rm -rf kept
}
# checkpoints_cross OPTION…: both ways.
checkpoints_cross() {
    cat >point.yaml <<'EOF'
interweft: 1
topology: {kind: torus, dims: [4, 4]}
routing: {kind: minimal-adaptive, selection: random}
router: {kind: input-queued, buffer: 256 flits, vcs: 4}
traffic:
  all: {pattern: uniform, length: {kind: exponential, mean: 8 flits}, load: 0.3}
measure: {by: hops, series: 2000 cycles, links: all, half-width: 0.01%, limit: {time: 300000 cycles}}
EOF
    run 0 "$WEFT" run point.yaml --quiet --results whole.weft --new
    "$WEFT" export whole.weft --format canonical >whole.txt
    goes_on "$WEFT" "$theirs"
    goes_on "$theirs" "$WEFT"
    echo 'checkpoints: taken on either processor, gone on with on the other'
}
# files_cross: networks, programs and pages that either writes are the same bytes.
files_cross() {
    local data=$WEFT_SOURCE/tests/data
    same_file net.weftnet import edges "$data/fabrics/irregular.edges" --order file -o net.weftnet
    same_file fabric.weftnet import infiniband "$data/infiniband/ibnetdiscover.txt" \
        --lft "$data/infiniband/opensm-lfts.dump" --order file -o fabric.yaml
    same_file program.goal.bin import workload "$data/workloads/allreduce-doubling-6x1024-gamma.goal" -o program.goal.bin
    same_file trace.goal.bin import workload "$data/workloads/chakra/four-nodes.et" -o trace.goal.bin
    same_answer workload time program.goal.bin
    same_answer topology show topology='{kind: file, path: net.weftnet}'
    echo 'networks and programs: the same files'
}
