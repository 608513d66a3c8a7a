#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Stalls that last for thousands of times 2^28 ticks are counted whole: two endpoints send messages of a megabyte to a third, so a link
# of the first carries data half of the time and waits for credits the other half.
# shellcheck source=/dev/null
source "$WEFT_SOURCE/tests/cli/lib.sh"
cat >stalls.yaml <<'END'
interweft: 1
clock: 1 GHz
topology: {kind: mesh, dims: [3]}
links: {rate: 10 Gb/s, latency: 10.001 ns, flit: 64 B}
router: {kind: input-queued, vcs: 1, buffer: 2 packets}
routing: {kind: dimension-order}
traffic: {all: {pattern: {kind: hot-spot, node: 2, share: 1}, length: 1 MB, load: 0.9, from: 0-1}}
measure: {warmup: 0 ns, devices: ports, half-width: 0.0001%, limit: {time: 1 s}}
END
run 0 "$WEFT" run stalls.yaml --quiet --new
run 0 "$WEFT" export stalls.weft --format json
python3 - out <<'END_OF_CHECK'
import json, re, sys
found = {m["name"]: m for m in json.load(open(sys.argv[1]))["points"][0]["matrices"]}
span = int(re.search(r"\d+", found["port busy"]["unit"]).group())
busy, stalled = found["port busy"]["values"][0], found["port stalls"]["values"][0]
assert span == 10**12, span
assert 0.49 < busy / span < 0.51, busy
# Until the first message has been stored, and between the packets of a start, nothing waits.
assert 0.998 < (busy + stalled) / span <= 1, (busy, stalled)
print(f"busy {busy / span:.4f}, stalled {stalled / span:.4f}")
END_OF_CHECK
