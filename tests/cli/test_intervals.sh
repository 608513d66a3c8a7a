#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Every number of a result has an interval, or its method says why it has none: over routers of every kind, converged, at a
# limit, too short, past saturation.
# shellcheck source=/dev/null
source "$WEFT_SOURCE/tests/cli/lib.sh"

reasons='^(setting|count|MSER|goal|floor: .*|limit|bound: .*|model: .*|saturated: .*|run too short.*|no interval: .+)$'
rows=0
for scenario in classes-4d dragonfly past-saturation queue router-devices router-endpoints shared-queue; do
    for settings in 'title=as it is' measure.half-width=20% 'measure.limit={packets: 40}'; do
        run 0 "$WEFT" run "$WEFT_SOURCE/tests/determinism/scenarios/$scenario.yaml" --quiet --new --results one.weft "$settings"
        "$WEFT" export one.weft --format json >one.json
        # a metric a line: "… "value": …, "lo": …, "hi": …, … "method": "…"
        grep -oE '"value": [^,]*, "lo": [^,]*, "hi": [^,]*,.*"method": "[^"]*"' one.json |
            sed -E 's/^"value": ([^,]*), "lo": ([^,]*), "hi": ([^,]*),.*"method": "([^"]*)"$/\1\t\2\t\3\t\4/' >metrics
        awk -F'\t' -v reasons="$reasons" -v what="$scenario, $settings" '
            { open = $2 == "null" || $3 == "null" }
            open && $4 !~ reasons { printf "%s: %s without an interval: %s\n", what, $1, $4; bad = 1 }
            !open && ($2 > $1 || $3 < $1) { printf "%s: %s is not in its interval %s … %s: %s\n", what, $1, $2, $3, $4; bad = 1 }
            END { exit bad }' metrics || fail 'a number without an interval or a reason'
        rows=$((rows + $(wc -l <metrics)))
    done
done
[[ $rows -gt 1000 ]] || fail "only $rows metrics were looked at"
echo "$rows metrics"
