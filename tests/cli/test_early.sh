#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# measure.early: runs deep in saturation and far below it end early, say so, and tell the same.
# shellcheck source=/dev/null
source "$WEFT_SOURCE/tests/cli/lib.sh"

cat >torus.yaml <<'END'
interweft: 1
topology: {kind: torus, dims: [4, 4]}
router: {kind: input-queued, vcs: 2, buffer: 32 flits}
routing: {kind: dimension-order}
traffic:
  all: {pattern: uniform, arrival: poisson, length: 16 flits, load: 0.1}
END
# packets LOAD [SETTING...]: that a run has delivered; its table is in out.
packets() {
    run 0 "$WEFT" run torus.yaml --quiet --new --threads 1 traffic.all.load="$1" "${@:2}"
    cp out table
    "$WEFT" export torus.weft --format csv | sed -n 's/^\(.*,\)\{0,1\}delivered,,,0,\([0-9]*\),.*/\2/p' | sed -n 1p
}
latency() {
    "$WEFT" export torus.weft --format csv | sed -n 's/^\(.*,\)\{0,1\}latency,,,0,\([0-9.]*\),.*/\2/p' | sed -n 1p
}
usual=$(packets 0.1)
usual_latency=$(latency)
early=$(packets 0.1 measure.early=true)
((early * 4 < usual)) || fail "far below saturation: $early packets early, $usual as usual"
has table 'floor: shortest run'
awk -v a="$(latency)" -v b="$usual_latency" 'BEGIN { exit !(a / b - 1 < 0.02 && a / b - 1 > -0.02) }' ||
    fail "latency $(latency) early, $usual_latency as usual"
usual=$(packets 1.0)
! grep -q 'saturated early' table || fail 'it ended early unasked'
early=$(packets 1.0 measure.early=true)
((early * 2 < usual)) || fail "deep in saturation: $early packets early, $usual as usual"
has table 'saturated early'
# Nothing is asked for: nothing is written.
run 0 "$WEFT" check torus.yaml
! grep -q early out || fail 'a setting that nobody gave is shown'
