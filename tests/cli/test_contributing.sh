#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The recipe "add a component" in CONTRIBUTING.md is true: its ring compiles without a warning as a
# file of the tree, and works as the plug-in it describes.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

# block N: the Nth C block of CONTRIBUTING.md.
block() {
    awk -v wanted="$1" '/^```c$/ { n++; on = n == wanted; next } /^```/ { on = 0 } on' \
        "$WEFT_SOURCE/CONTRIBUTING.md"
}
# must TEXT: standard input contains it.
must() {
    local output
    output=$(cat)
    if [[ $output != *"$1"* ]]; then
        printf 'expected: %s\nfound: %s\n' "$1" "$output"
        exit 1
    fi
}

block 1 >tree.c
block 2 | must 'KIND(topology, ring)'
block 3 >plugin.c

# In the tree, list.def declares the record; here a copy with its line stands before the file.
mkdir -p src/net
sed "s/^FAMILY(topology)/&\n$(block 2)/" "$WEFT_SOURCE/src/net/list.def" >src/net/list.def
"$WEFT_CC" -std=c17 -D_GNU_SOURCE -O2 -Wall -Wextra -Wpedantic -Wconversion -Wshadow \
    -Wmissing-prototypes -Wstrict-prototypes -Werror -I "$WEFT_SOURCE/include" \
    -I src -I "$WEFT_SOURCE/src" -c tree.c -o tree.o

# As a plug-in, outside the tree, against the installed headers, with the commands of the page.
cmake --install "$WEFT_BUILD" --prefix "$work/installed" >/dev/null
sed 's|#include "net/topology.h"|#include <interweft/interweft.h>\nextern const weft_topology_kind weft_topology_ring;|' \
    tree.c >ring.c
line=$(grep '^cc .*ring\.so' "$WEFT_SOURCE/CONTRIBUTING.md")
read -r -a command <<<"$line"
"$WEFT_CC" "${command[@]:1}" -Wall -Wextra -Werror -I installed/include
WEFT=$work/installed/bin/weft

"$WEFT" list topology --plugin ./ring.so | must 'one ring, two ports per router'
"$WEFT" describe ring --plugin ./ring.so | must 'routers on the ring'

cat >ring.yaml <<'END'
interweft: 1
title: A ring
topology: {kind: ring, routers: 8}
router: {kind: output-queued}
routing: {kind: minimal-oblivious, selection: dimension-order}
traffic:
  all: {pattern: uniform, arrival: poisson, length: 8 flits, load: 0.1}
measure: {limit: {packets: 20000}}
END
"$WEFT" run ring.yaml --plugin ./ring.so >run.txt 2>run.err || { cat run.txt run.err; exit 1; }
[[ -s ring.weft ]] || { echo 'no results file'; exit 1; }

# Without the plug-in the kind does not exist, and the message says so.
if "$WEFT" check ring.yaml >check.txt 2>check.err; then
    echo 'ring was accepted without its plug-in'
    exit 1
fi
must 'ring' <check.err
