#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Settings written otherwise: in short, in a file that includes another, below or above what vary sets, with other units.
# shellcheck source=/dev/null
source "$WEFT_SOURCE/tests/cli/lib.sh"

cat >base.yaml <<'END'
interweft: 1
topology: {kind: torus, dims: [4, 4]}
routing: minimal-adaptive
router: {kind: input-queued, vcs: 4, buffer: 8 flits}
traffic: {all: {length: 4 flits, rho: 0.1}}
measure: {limit: {packets: 500}}
END
# points WANTED ARGUMENT...: how many points there are.
points() {
    local wanted=$1
    shift
    run 0 "$WEFT" check base.yaml --json "$@"
    python3 -c 'import json, sys; d = json.load(open("out")); print(d)' | grep -q "'points': {'text': '$wanted" ||
        { cat out && fail "not $wanted points: $*"; }
}

# A kind that is given by its name stays when an including file adds a setting.
printf 'interweft: 1\ninclude: base.yaml\nrouting: {selection: random}\n' >more.yaml
run 0 "$WEFT" check more.yaml
has out 'routing: {kind: minimal-adaptive, selection: {kind: random}}'

points 2 traffic.all.rho=1e-3,1e-2
points 3 vary.traffic.all.rho=0.1/0.3/0.1
points 4 'traffic.all.length=1 flit/4 flits/1 flits'
points 3 'vary.links.latency={from: 0, to: 2 cycles, step: 1 cycle}'
# All of a long list is read.
run 1 "$WEFT" check base.yaml "seed=$(seq -s, 1 1200),7"
has err 'vary.seed has the value 7 twice'
run 1 "$WEFT" check base.yaml topology.dims.0=8
has err "'dims' is a list, whose parts have no names"
# A byte order mark at the beginning of standard input.
printf '\xEF\xBB\xBF' | cat - base.yaml >marked.yaml
"$WEFT" check - <marked.yaml >out || fail 'a byte order mark'

# A setting below or above one of together holds for all of its maps.
cat base.yaml - >together.yaml <<'END'
vary:
  together:
    - {routing: {kind: minimal-adaptive, selection: random}, traffic.all: {length: 4 flits, rho: 0.1}}
    - {routing: {kind: minimal-adaptive, selection: diagonal}, traffic.all: {length: 4 flits, rho: 0.2}}
END
run 0 "$WEFT" run together.yaml --quiet traffic.all.rho=0.3 --results a.weft
has out '{length: 4 flits, rho: 0.3}'
run 0 "$WEFT" run together.yaml --quiet traffic.all.rho=0.3 'routing={kind: minimal-adaptive, selection: random}' --results b.weft
has out 'verdict       limit packets' # one point is shown as such
