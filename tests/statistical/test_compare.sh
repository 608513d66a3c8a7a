#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# weft compare against a known truth. Two runs of one scenario with different seeds differ at about the rate that the confidence
# states: of 200 independent points 5 %, that is 10 ± 3.1, at 95 %; 3 standard deviations are allowed. A difference that is there is
# found. Seeds were chosen before the first run.
# shellcheck source=/dev/null
source "$WEFT_SOURCE/tests/cli/lib.sh"

cat >rate.yaml <<'END'
interweft: 1
topology: {kind: torus, dims: [4, 4]}
traffic:
  all: {pattern: uniform, length: 8 flits}
measure: {half-width: 2%, limit: {packets: 30000}}
vary:
  traffic.all.rho: {from: 0.201, to: 0.4, step: 0.001}
END
run 0 "$WEFT" run rate.yaml seed=11 --results a.weft --quiet
run 0 "$WEFT" run rate.yaml seed=12 --results b.weft --quiet
run 0 "$WEFT" run rate.yaml seed=13 'traffic.all.length=9 flits' --results long.weft --quiet

# differ METRIC LEAST MOST: how many of the 200 points differ.
differ() {
    local count
    count=$(sed -n "s/^$1: \([0-9]*\) of 200 differ .*/\1/p" out)
    echo "$1: $count of 200 (from $2 to $3)"
    [[ $count -ge $2 && $count -le $3 ]] || fail "$1: $count of 200 differ"
}

run 0 "$WEFT" compare a.weft b.weft --metric latency,accepted,hops,p50,p99
for metric in latency accepted hops p99; do
    differ "$metric" 1 19
done
differ p50 0 19 # of whole cycles: it differs less often
run 0 "$WEFT" compare a.weft b.weft --same

# A flit more: 9 flits instead of 8 add more than an eighth to the latency, and nothing to the accepted load.
run 0 "$WEFT" compare a.weft long.weft
differ latency 199 200
differ accepted 1 19
run 1 "$WEFT" compare a.weft long.weft --same
