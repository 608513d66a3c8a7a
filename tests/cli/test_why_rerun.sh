#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What weft explain runs again is the point of the results: with its files, its settings and its seed; what it cannot do it says.
# shellcheck source=/dev/null
source "$WEFT_SOURCE/tests/cli/lib.sh"

# settings that are varied are tried like others, with the messages of the point itself
cat >vcs.yaml <<'END'
interweft: 1
topology: {kind: mesh, dims: [4, 4]}
links: {latency: 1 cycle}
router: {kind: input-queued, vcs: 2, buffer: 32 flits}
routing: {kind: dimension-order}
traffic: {all: {pattern: transpose, length: 4 flits, load: 0.4}}
vary: {router.vcs: [2, 4]}
measure: {limit: {time: 4000 cycles}}
END
run 0 "$WEFT" run vcs.yaml --quiet
run 0 "$WEFT" explain vcs.weft vcs=4 --try
grep -q '(.* to .*)  router.vcs=8$' out || fail 'the setting that was varied is not tried'
[[ $(cat out) != *'has no point'* ]] || fail 'the point is lost'
