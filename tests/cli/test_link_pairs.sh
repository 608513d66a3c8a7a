#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Cut-through on the pair of links that most packets pass: the metrics are those of the four matrices of pairs.
# shellcheck source=/dev/null
source "$WEFT_SOURCE/tests/cli/lib.sh"
run 0 "$WEFT" run "$WEFT_SOURCE/studies/rexford-shin/bit-reversal-pair.yaml" --quiet --results pairs.weft \
    'traffic.all.rho=0.1' measure.limit.packets=20000
run 0 "$WEFT" export pairs.weft --format json
python3 - out <<'END_OF_CHECK'
import json, sys
point = json.load(open(sys.argv[1]))["points"][0]
cc, cb, bc, bb = ([a["values"] for a in point["matrices"] if a["name"] == name][0] for name in (
    "cut-through after cut-through", "blocking after cut-through", "cut-through after blocking", "blocking after blocking"))
assert len(cc) == 256 * 16
packets = [sum(four) for four in zip(cc, cb, bc, bb)]
at = packets.index(max(packets))
found = {m["name"]: m for m in point["metrics"] if m["by"] == "pair"}
assert len(found) == 3
for name, cut, every in (("cut-through", cc[at] + bc[at], packets[at]), ("cut-through after cut-through", cc[at], cc[at] + cb[at]),
                         ("cut-through after blocking", bc[at], bc[at] + bb[at])):
    assert found[name]["n"] == every and abs(found[name]["value"] - cut / every) < 1e-12, (name, found[name])
    assert f"router {at // 16}, from port {at % 16 // 4} to port {at % 4}" in found[name]["method"], found[name]["method"]
END_OF_CHECK

# Where nothing is counted by devices there is no pair.
run 0 "$WEFT" run "$WEFT_SOURCE/studies/rexford-shin/bit-reversal.yaml" --quiet --results none.weft \
    'traffic.all.rho=0.1' measure.limit.packets=2000
run 0 "$WEFT" export none.weft
! grep -q ',pair,' out || fail 'there is a pair'
