#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# tools/check-words finds retired identifiers, keys and words, and long lines, and nothing in a right tree.
set -euo pipefail
source_dir=${WEFT_SOURCE:-$(cd "$(dirname "$0")/../.." && pwd)}
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
mkdir -p "$tree/src/net" "$tree/docs" "$tree/src/crossbar"

# expect STATUS TEXT: the checker's status and whole output.
expect() {
    local status=0 output
    output=$("$source_dir/tools/check-words" "$tree") || status=$?
    if [[ $status -ne $1 || $output != "$2" ]]; then
        diff <(echo "status $1"; echo "$2") <(echo "status $status"; echo "$output") || true
        exit 1
    fi
}

printf '/* A packet in a VC, %s. */\nint n_vcs;\n' 'of — three — wide characters, not six bytes each: fits in 100' >"$tree/src/net/good.h"
printf '/* 64 switches in SIMD lanes. */\n' >"$tree/src/crossbar/lanes.h"
printf 'The deadlock watch looks at counters.\n' >"$tree/docs/page.md"
expect 0 ''

printf '/* The lane of a packet. */\nstatic weft_way ways[2]; /* the crew */\nconst char *text = "weft_way";\n' >"$tree/src/net/bad.c"
printf 'traffic: {all: {lanes: [0]}}\n' >"$tree/docs/bad.yaml"
printf 'The lookout looks.\n' >"$tree/docs/bad.md"
printf 'int %0101d;\n' 7 >"$tree/src/net/long.c"
expect 1 'src/net/long.c:1: over 100 columns
docs/bad.md:1: "the lookout looks.": retired word; say deadlock watch
docs/bad.yaml:1: "traffic: {all: {lanes: [0]}}": retired word; say vcs:
src/net/bad.c:1: "  the lane of a packet. ": retired word; say VC, virtual channel; lanes are SIMD'\''s
src/net/bad.c:2: "static weft_way ways[2]; ": retired word; say weft_minimal_port, weft_candidate, weft_route_context, weft_congestion_view, weft_vc_plan, weft_phase, weft_tier
src/net/bad.c:2: "  the crew ": retired word; say communicator, ranks'
