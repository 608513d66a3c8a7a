#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# 65,536 endpoints on a dragonfly, a HyperX and a fat tree: they are built and run, and what a router needs at rest is at most
# 32 B for every virtual channel of every port, 256 B for itself and 256 B for each of its endpoints. Nothing is as
# large as routers × endpoints: that would be 512 MiB and more.
# shellcheck source=/dev/null
source "$WEFT_SOURCE/tests/cli/lib.sh"

if grep -q __asan_init "$WEFT" || grep -q __tsan_init "$WEFT"; then
    echo 'skipped: built with a sanitizer'
    exit 77
fi
cat >large.yaml <<'END'
interweft: 1
title: 65,536 endpoints
topology: {kind: full, routers: 2}
links: {latency: 1 cycle}
router: {kind: input-queued, vcs: 4, buffer: 64 flits}
traffic:
  all: {pattern: uniform, length: 16 flits, load: 0.2}
measure: {links: off, warmup: 20 cycles, half-width: 0.01%, limit: {time: 100 cycles}}
END

# large NAME PORTS ENDPOINTS TOPOLOGY ROUTING: ports of all routers, those to endpoints included.
large() {
    local settings=("topology=$4" "routing=$5") rest allowed routers
    run 0 "$WEFT" check large.yaml "${settings[@]}"
    routers=$(awk '/^routers/ { print $2 }' out)
    [[ $(awk '/^endpoints/ { print $2 }' out) -eq $3 ]] || fail "$1: not $3 endpoints"
    rest=$(awk '/^per router at rest/ { print int($5) }' out)
    allowed=$((4 * 32 * $2 / routers + 256 + 256 * $3 / routers))
    at_most "$rest" "$allowed" "$1: bytes of a router"
    run 0 "$WEFT" run large.yaml --quiet --new "${settings[@]}"
    at_most "$(peak large.weft)" $((256 << 20)) "$1: bytes of all"
}

large dragonfly $((8192 * 39 + 65536)) 65536 '{kind: dragonfly, groups: 256, routers: 32, hosts: 8}' \
    '{kind: dimension-order}'
large HyperX $((4096 * 45 + 65536)) 65536 '{kind: flattened-butterfly, dims: [16, 16, 16], hosts: 16}' \
    '{kind: dimension-order}'
large 'fat tree' $((393216 + 65536)) 65536 '{kind: fat-tree, arity: 16, levels: 4}' '{kind: minimal-adaptive}'
