#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# One long simulation, whole and in pieces: stopped by SIGTERM again and again, gone on with on other blocks and
# threads each time. The same result bytes. WEFT_HOPS: packet-hops; 10,000,000,000 unless told. A ring of 256 idealised
# routers, whose packets pass 64 links each, is the fastest there is.
# shellcheck source=/dev/null
source "$WEFT_SOURCE/tests/cli/lib.sh"
hops=${WEFT_HOPS:-10000000000}
packets=$((hops * 1001 / 64128)) # mean distance 64.25, and some of them are under way at the end

cat >hops.yaml <<END
interweft: 1
topology: {kind: torus, dims: [256]}
routing: dimension-order
traffic: {all: {pattern: uniform, length: 4 flits, rho: 0.3}}
measure: {half-width: 0.0001%, by: hops, limit: {packets: $packets}}
END

started=$SECONDS
run 0 "$WEFT" run hops.yaml --quiet --threads 1 --blocks 1 --results whole.weft
seconds=$((SECONDS - started))
echo "whole: $seconds s"

# Some eight pieces, none shorter than a fifth of a second.
pieces=0
status=4
while [[ $status -eq 4 ]]; do
    pieces=$((pieces + 1))
    slice=$((seconds * 125 + RANDOM % (seconds * 50 + 1) + 200))
    status=0
    timeout --preserve-status -s TERM "$(printf '%d.%03d' $((slice / 1000)) $((slice % 1000)))" \
        "$WEFT" run hops.yaml --quiet --threads $((1 + pieces % 2)) --blocks $((1 + 3 * (pieces % 4))) \
        --results pieces.weft >out 2>err || status=$?
done
[[ $status -eq 0 ]] || fail "piece $pieces ended with status $status: $(cat err)"
[[ $pieces -gt 1 ]] || fail 'it was too fast to be stopped'

done_hops=$("$WEFT" export whole.weft --format csv |
    awk -F, '$1 == "packets" && $3 == "hops" { hops += $4 * $5 } END { printf "%.0f", hops }')
cmp <("$WEFT" export whole.weft --format canonical) <("$WEFT" export pieces.weft --format canonical) ||
    fail 'other results in pieces'
[[ ! -e pieces.weft.checkpoint ]] || fail 'a checkpoint is left over'
echo "$done_hops packet-hops measured, $pieces pieces: the same result bytes"
