#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# A million routers on one core: 32^4, rho 0.3, 16-cycle links, 2,000 cycles within a minute and 1 GiB.
# shellcheck source=/dev/null
source "$WEFT_SOURCE/tests/cli/lib.sh"
grep -q __asan_init "$WEFT" && exit 77

cat >million.yaml <<'END'
interweft: 1
title: A million routers
topology: {kind: torus, dims: [32, 32, 32, 32]}
links: {latency: 16 cycles}
traffic:
  all: {pattern: uniform, length: {kind: exponential, mean: 16 flits}, rho: 0.3}
measure: {links: off, half-width: 0.0001%, limit: {time: 2000 cycles, packets: 1000000000}}
END
TIMEFORMAT=%U
seconds=$({ time run 0 "$WEFT" run million.yaml --quiet; } 2>&1)
has out 'limit time'
at_most "$(peak million.weft)" $((1 << 30)) 'bytes'
at_most "${seconds%.*}" 60 'seconds of one core'
