#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What `weft saturate` calls accepted at offered 1.0 is the steady state of full buffers: on an 8×8 torus of routers
# with 4 virtual channels the mean over 4 seeds of runs of 600,000 cycles, the first 100,000 left out, is .682.
# shellcheck source=/dev/null
source "$WEFT_SOURCE/tests/cli/lib.sh"

cat >torus.yaml <<'END'
interweft: 1
topology: {kind: torus, dims: [8, 8]}
router: {kind: input-queued, vcs: 4, buffer: 64 flits}
routing: {kind: dimension-order}
traffic:
  all: {pattern: uniform, length: 16 flits, load: 0.3}
END
# within NAME LOW HIGH VALUE
within() {
    echo "$1: $4 ($2 … $3)"
    awk -v low="$2" -v high="$3" -v value="$4" 'BEGIN { exit !(value >= low && value <= high) }' ||
        fail "$1 is $4, not $2 … $3"
}
run 0 "$WEFT" saturate torus.yaml --quiet --tolerance 0.1
read -r _ accepted interval rest < <(grep accepted out)
low=${interval//[\[,]/} high=${rest%%]*}
within 'accepted at offered 1.0' 0.667 0.697 "$accepted"
within 'half of its interval' 0 0.0075 "$(awk -v a="$low" -v b="$high" 'BEGIN { print (b - a) / 2 }')"
within 'stable load' 0.6 0.7 "$(awk '/saturation/ { print $3 }' out)"

# A span that is given is measured as it is, and accepted is what `weft run` says at that load, also where host links
# have a rate of their own and endpoints several.
span=(measure.warmup='5000 cycles' measure.limit.time='20000 cycles')
for settings in 'links={}' 'links={rate: 1 flits/cycle, host: {rate: 0.5 flits/cycle}}' \
    'endpoint.ports=2'; do
    run 0 "$WEFT" saturate torus.yaml --quiet --tolerance 0.5 "${span[@]}" "$settings"
    found=$(awk '/accepted/ { print $2 }' out)
    run 0 "$WEFT" run torus.yaml --quiet --new "${span[@]}" "$settings" traffic.all.load=1
    [[ $found == "$(printf %.4g "$(metric torus.weft accepted)")" ]] ||
        fail "$settings: saturate says $found, run $(metric torus.weft accepted)"
done
