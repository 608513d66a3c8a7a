#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# A narrower half-width is a longer run, on dragonflies of 72 and 1,056 endpoints; where a floor decides instead, the result says so
# (docs/decisions/0013-floors-of-precision.md).
# shellcheck source=/dev/null
source "$WEFT_SOURCE/tests/cli/lib.sh"
cat >small.yaml <<'END'
interweft: 1
topology: {kind: dragonfly, groups: 9, routers: 4, hosts: 2, global: 2}
router: {kind: input-queued, vcs: 4, buffer: 32 flits}
routing: {kind: minimal-adaptive}
traffic: {all: {pattern: uniform, load: 0.3, length: 4 flits}}
measure: {links: off}
END
sed 's/groups: 9, routers: 4, hosts: 2, global: 2/groups: 33, routers: 8, hosts: 4, global: 4/' small.yaml >large.yaml

# length SCENARIO LOAD HALF-WIDTH: cycles of the run, and why it ended.
length() {
    run 0 "$WEFT" run "$1.yaml" --quiet --new --results one.weft "traffic.all.load=$2" "measure.half-width=$3"
    "$WEFT" export one.weft --format json >one.json
    local row='"name": "NAME", "class": "", "by": "",.*"value": \([^,]*\),.*"method": "\([^"]*\)".*'
    sed -n "s/.*${row/NAME/time}/\1/p" one.json
    sed -n "s/.*${row/NAME/half-width}/\2/p" one.json
}
# lengths SCENARIO LOAD HALF-WIDTH...: from wide to narrow; equal ones only where the wider one's floor decides.
lengths() {
    local before=0 why=goal cycles
    local scenario=$1 load=$2 width
    shift 2
    for width; do
        { read -r cycles && read -r reason; } < <(length "$scenario" "$load" "$width")
        echo "$scenario, load $load, $width: $cycles cycles, $reason"
        [[ $reason == goal || $reason == 'floor: '* ]] || fail "reason '$reason'"
        awk -v a="$before" -v b="$cycles" 'BEGIN { exit !(a <= b) }' || fail 'a narrower half-width is a shorter run'
        [[ $cycles != "$before" || $why == 'floor: '* ]] || fail 'equal lengths, and no floor'
        [[ $width != 2% || $cycles != "$before" ]] || fail '2 % is no longer than 10 %'
        before=$cycles why=$reason
    done
}
lengths small 0.3 10% 2% 0.5% 0.2%
[[ $reason == goal ]] || fail '0.2 % is no floor'
lengths small 0.6 10% 2%
lengths large 0.3 10% 2%
run 0 "$WEFT" report one.weft
grep -qE 'verdict +converged to 0\.[0-9]+ % \(floor: shortest run\)' out || fail 'the verdict does not name the floor'
