#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Counters of VCs add up to those of their port, also in a span as short as a few packets, and no port is busier than time.
# shellcheck source=/dev/null
source "$WEFT_SOURCE/tests/cli/lib.sh"
cat >vcs.yaml <<'END'
interweft: 1
topology: {kind: torus, dims: [4, 4]}
router: {kind: input-queued, vcs: 4, buffer: 4 packets}
traffic: {all: {pattern: uniform, length: 64 flits, load: 0.9}}
measure: {limit: {time: 1500 cycles}}
END
for devices in ports vcs; do
    run 0 "$WEFT" run vcs.yaml measure.devices=$devices --quiet --new --results $devices.weft
    run 0 "$WEFT" export $devices.weft --format json
    mv out $devices
done
python3 - ports vcs <<'END_OF_CHECK'
import json, re, sys
ports, vcs = ([m for m in json.load(open(name))["points"][0]["matrices"] if m["name"] == "port busy"][0] for name in sys.argv[1:])
span = int(re.search(r"\d+", ports["unit"]).group())
assert len(vcs["values"]) == 4 * len(ports["values"]) and sum(ports["values"]) > 0
for port, busy in enumerate(ports["values"]):
    assert 0 <= busy <= span, (port, busy, span)
    assert abs(busy - sum(vcs["values"][4 * port:4 * port + 4])) <= 4, (port, busy, vcs["values"][4 * port:4 * port + 4], span)
END_OF_CHECK
