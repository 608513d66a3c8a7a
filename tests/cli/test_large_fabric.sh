#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# An imported fabric of 33,000 routers that all have hosts: its distances and the tables of up-down routing are too many to be
# kept, so check does without them, and a run is refused. tests/long has 100,000 routers.
# shellcheck source=/dev/null
source "$WEFT_SOURCE/tests/cli/lib.sh"

chords 33000 2 >ring.edges
run 0 "$WEFT" import edges ring.edges --order file --hosts 1 -o ring.weftnet
cat >ring.yaml <<'END'
interweft: 1
topology: {kind: file, path: ring.weftnet}
router: {kind: input-queued, vcs: 2, buffer: 8 flits}
routing: {kind: up-down}
traffic: {all: {pattern: uniform, length: 2 flits, load: 0.1}}
END
run 0 "$WEFT" check ring.yaml
has out 'deadlock               none possible: all routes follow one order of the links, by construction (too large to enumerate)'
has out 'run                    refused: ring.yaml:4:10: routing up-down has tables from 33000 routers to 33000, which take 2.0 GiB in a run'
run 1 "$WEFT" run ring.yaml --quiet
has err 'routing up-down has tables from 33000 routers to 33000, which take 2.0 GiB in a run; at most 2 GiB are used for them'
