#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Messages may be as long as 1 MiB; longer than a packet can be, they travel as several.
# shellcheck source=/dev/null
source "$WEFT_SOURCE/tests/cli/lib.sh"

cat >long.yaml <<'END_OF_SCENARIO'
interweft: 1
topology: {kind: torus, dims: [4, 4]}
traffic: {all: {length: 1 MiB, load: 0.1}}
measure: {limit: {packets: 500}}
END_OF_SCENARIO
run 0 "$WEFT" run long.yaml --quiet
# A flit is a byte here and takes a cycle: no message comes in less than 2^20 of them.
latency=$(metric long.weft 'message latency')
awk -v t="$latency" 'BEGIN { exit !(t > 1048576 && t < 2 * 1048576) }' || fail "a message takes $latency cycles"
run 1 "$WEFT" run long.yaml traffic.all.length='1025 KiB' --new
has err 'traffic.all.length.size must be 1 B … 1 MiB, found 1025 KiB'
