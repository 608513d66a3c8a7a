#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The reference page of results leaves nothing out: every metric, array and table of real results is on it. The scenarios are those
# of the golden results, and a few that measure what these do not.
# shellcheck source=/dev/null
source "$WEFT_SOURCE/tests/cli/lib.sh"

"$WEFT" page results | awk -F '`' '/^\| `/ { print $2 }' | sort -u >known

# "key" metric "name" …; series, histogram and matrix likewise.
sed -nE 's/^"([^"\\]|\\.)*" (metric|histogram|series|matrix) "([^"]*)" .*/\3/p' "$WEFT_SOURCE/tests/golden/results.txt" >found
cat >all.yaml <<'END'
interweft: 1
topology: {kind: torus, dims: [4, 4]}
router: {kind: input-queued, vcs: 2, buffer: 32 flits}
routing: {kind: dimension-order}
traffic:
  one: {pattern: uniform, length: 8 flits, load: 0.2}
  two: {pattern: transpose, length: 8 flits, load: 0.1}
measure: {limit: {packets: 4000}, by: hops, devices: vcs, links: all, series: 100 cycles}
END
sed 's/input-queued.*/output-queued}/; s/by: hops/by: history/; s/devices: vcs/devices: ports/' all.yaml >history.yaml
for name in all history; do
    run 0 "$WEFT" run "$name.yaml" --quiet
    run 0 "$WEFT" export "$name.weft" --format canonical
    sed -nE 's/^"[^"]*" (metric|histogram|series|matrix) "([^"]*)" .*/\2/p' out >>found
done
run 0 "$WEFT" saturate all.yaml --quiet --tolerance 0.3 traffic.two.load=0.01
run 0 "$WEFT" export all-saturation.weft --format canonical
sed -nE 's/^"[^"]*" metric "([^"]*)" .*/\1/p' out >>found
sort -u found >names
[[ $(wc -l <names) -ge 40 ]] || { cat names; fail 'hardly any names were found'; }
comm -13 known names >missing
none missing
echo "$(wc -l <names) names"
sqlite3 all.weft '.tables' | tr -s ' ' '\n' | grep . | sort -u | comm -13 known - >missing
none missing
