#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Whatever is killed, torn, flipped or full: the same command gives the same result bytes in the end, and
# says what it could not use. tests/long/test_faults.sh kills more often.
# shellcheck source=/dev/null
source "$WEFT_SOURCE/tests/mpi/faults.sh"
point=$WEFT_SOURCE/tests/mpi/scenarios/point.yaml
mapfile -t kinds < <(mpi_kinds)
first=${kinds[0]}
last=${kinds[-1]}

# start_point RESULTS FLAG...: three ranks that write checkpoints often; returns when two are there.
start_point() {
    launch "$first" 3 "$WEFT" run "$point" --quiet --results "$1" --ranks 3 --checkpoint 0.02s "${@:2}"
    while [[ $(newest "$1") -lt 2 ]] && runs "$(cat pids/0)"; do sleep 0.01; done
}

# A disk that is full, in a mount namespace of its own: the test calls itself in it.
full_disk() {
    local status=0 whole
    mkdir disk
    mount -t tmpfs -o size=32m tmpfs disk 2>/dev/null || exit 77
    trap 'umount disk; rm -rf "$PWD"' EXIT
    run 0 "$WEFT" run "$point" --quiet --results whole.weft
    whole=$(canonical whole.weft)
    # fill: takes what is free, again and again while the run lives.
    fill() {
        while runs "$(cat pids/0)"; do
            dd if=/dev/zero of=disk/filler bs=4k oflag=append conv=notrunc status=none 2>/dev/null || true
        done
    }
    # stopped_and_resumed WHAT: status 4, a message that names a file, and a good end with room again.
    stopped_and_resumed() {
        [[ $status -eq 4 ]] || {
            cat out err
            fail "status $status instead of 4 when $1 does not fit"
        }
        none out
        [[ $(wc -l <err) -eq 1 ]] || fail "$(wc -l <err) messages instead of one"
        echo "no room for $1: $(cat err)"
        rm disk/filler
        cp err said
        run 0 on_ranks "$first" 2 "$WEFT" run "$point" --quiet --results disk/point.weft --ranks 2
        is err 'results in disk/point.weft'
        [[ $(canonical disk/point.weft) == "$whole" ]] || fail "other results when $1 did not fit"
        tidy disk/point.weft
        rm disk/point.weft
    }
    start_point disk/point.weft
    fill
    ended || status=$?
    [[ $(newest disk/point.weft) -ge 2 ]] || fail 'the last checkpoint is gone'
    [[ -z $(compgen -G 'disk/point.weft.checkpoint/*/*.new') ]] || fail 'half a checkpoint is left'
    stopped_and_resumed 'a checkpoint'
    has said 'disk/point.weft.checkpoint/'
    has said 'No space left on device'

    launch "$first" 2 "$WEFT" run "$point" --quiet --results disk/point.weft --ranks 2 --checkpoint 0
    listens 0
    while [[ ! -s disk/point.weft.lock ]]; do sleep 0.01; done
    sleep 0.1
    fill
    status=0
    ended || status=$?
    stopped_and_resumed 'a point'
    has said 'disk/point.weft: cannot write this point (those before it are kept): the disk is full'
}
if [[ ${1:-} == full-disk ]]; then
    full_disk
    exit 0
fi

faults one 3 --ranks 3
faults all 3 --ranks 3
faults first 2
faults launcher 2 --ranks 3

# ---- damaged checkpoints ----

run 0 "$WEFT" run "$point" --quiet --results undamaged.weft
whole=$(canonical undamaged.weft)
start_point point.weft
strike KILL 0 1 2 || fail 'the point was too fast for a signal'
ended || true
rm -rf point.weft.checkpoint/*/*.new
mkdir kept
cp -r point.weft* kept
folder=$(echo point.weft.checkpoint/*)
new=$(newest point.weft)
old=$((new - 1))
[[ -f $folder/$old/manifest ]] || fail 'only one checkpoint is there'

# flip FILE OFFSET: one bit of it.
flip() {
    local byte
    byte=$(od -An -tu1 -j "$2" -N 1 "$1")
    # shellcheck disable=SC2059 # the byte is the format
    printf "\\x$(printf '%02x' $((byte ^ 16)))" | dd of="$1" bs=1 seek="$2" conv=notrunc status=none
}
middle() {
    echo $(($(stat -c %s "$1") / 2))
}
# used KIND RANKS LINE...: goes on; stderr starts these lines and then says where the results are.
used() {
    local kind=$1 count=$2 line at=0
    shift 2
    run 0 on_ranks "$kind" "$count" "$WEFT" run "$point" --quiet --results point.weft --ranks "$count"
    mapfile -t lines <err
    for line in "$@" 'results in point.weft'; do
        [[ ${lines[at]:-} == "$line"* ]] || {
            cat err
            fail "stderr does not say: $line"
        }
        [[ $line == results* || ${lines[at]} == *'; going on from before it' ]] || fail "${lines[at]}"
        at=$((at + 1))
    done
    [[ ${#lines[@]} -eq $at ]] || {
        cat err
        fail 'stderr says more than it should'
    }
    [[ $(canonical point.weft) == "$whole" ]] || fail "other results after: $*"
    tidy point.weft
    if [[ $# -gt 0 ]]; then printf '  %s\n' "${lines[@]:0:$#}"; fi
    rm -rf point.weft*
    cp -r kept/. .
}

used "$last" 2
truncate -s -100 "$folder/$new/part-00001"
used "$first" 2 "$folder/$new/part-00001: shorter than its manifest says"
truncate -s 0 "$folder/$new/part-00002"
used "$last" 1 "$folder/$new/part-00002: shorter than its manifest says"
echo more >>"$folder/$new/part-00000"
used "$first" 1 "$folder/$new/part-00000: longer than its manifest says"
flip "$folder/$new/part-00002" "$(middle "$folder/$new/part-00002")"
used "$last" 2 "$folder/$new/part-00002: chunk of box 0 is damaged"
flip "$folder/$new/part-00000" 0
used "$first" 3 "$folder/$new/part-00000: not a part of a checkpoint"
flip "$folder/$new/manifest" "$(middle "$folder/$new/manifest")"
used "$first" 2 "$folder/$new/manifest: "
truncate -s -1 "$folder/$new/manifest"
used "$last" 3 "$folder/$new/manifest: "
rm "$folder/$new/part-00001"
used "$first" 2 "$folder/$new/part-00001: cannot open: No such file or directory"
rm "$folder/$new/manifest"
used "$first" 1 "$folder/$new/manifest: cannot open: No such file or directory"
cp "$folder/$old/part-00000" "$folder/$new/part-00000"
used "$last" 2 "$folder/$new/part-00000: "
flip "$folder/$new/part-00001" 200
rm "$folder/$old/part-00001" # nothing is left: from the start
used "$first" 2 "$folder/$new/part-00001: chunk of box 0 is damaged" \
    "$folder/$old/part-00001: cannot open: No such file or directory"
rm -rf point.weft*

# ---- a lock that its owner could not take away ----

start_point point.weft
process=$(cat pids/0)
strike KILL 0
ended || true
has point.weft.lock " $process "
run 0 on_ranks "$last" 2 "$WEFT" run "$point" --quiet --results point.weft --ranks 2
[[ $(canonical point.weft) == "$whole" ]] || fail 'other results after the lock was taken over'
tidy point.weft

# ---- a full disk ----

space=(unshare -m)
[[ $(id -u) -eq 0 ]] || space=(unshare -rm)
status=77
if "${space[@]}" true 2>/dev/null; then
    status=0
    "${space[@]}" bash "$WEFT_SOURCE/tests/mpi/test_faults.sh" full-disk || status=$?
fi
if [[ $status -eq 77 ]]; then
    echo 'left out: a full disk, as no file system can be mounted here'
elif [[ $status -ne 0 ]]; then
    fail 'a full disk'
fi
