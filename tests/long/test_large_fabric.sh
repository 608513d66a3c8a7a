#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# An imported fabric of 100,000 routers that all have hosts: check answers within a minute of one core and 4 GiB, with shortest
# ways and with up-down routing. A run is refused, with the figure.
# shellcheck source=/dev/null
source "$WEFT_SOURCE/tests/cli/lib.sh"
grep -q __asan_init "$WEFT" && exit 77

chords 100000 7 >large.edges
run 0 "$WEFT" import edges large.edges --order file --hosts 1 -o large.weftnet
has out 'routers                100000'
cat >large.yaml <<'END'
interweft: 1
topology: {kind: file, path: large.weftnet}
router: {kind: input-queued, vcs: 12, buffer: 8 flits}
routing: {kind: minimal-adaptive}
traffic: {all: {pattern: uniform, length: 2 flits, load: 0.1}}
END

# look TEXT SETTING...: the verdict, its time and memory.
look() {
    local wanted=$1 seconds
    shift
    TIMEFORMAT=%U
    seconds=$({ time (
        ulimit -v $((4 << 20))
        run 0 "$WEFT" check large.yaml "$@"
    ); } 2>&1)
    has out "deadlock               none possible: $wanted"
    at_most "${seconds%.*}" 60 'seconds of one core'
}
look 'the VC class of a hop is the number of hops left'
look 'all routes follow one order of the links' routing=up-down
run 1 "$WEFT" run large.yaml --quiet
has err 'the distances from 100000 routers to 100000 take 9.3 GiB in a run, at most 2 GiB are used for them'
