#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# A dragonfly written as a complete graph of complete graphs is the built-in one: the same metrics, histograms and series
# byte for byte, the point's key and settings aside. Tori of networks come from settings alone.
# shellcheck source=/dev/null
source "$WEFT_SOURCE/tests/cli/lib.sh"

cat >dragonfly.yaml <<'END'
interweft: 1
topology: {kind: dragonfly, groups: 9, routers: 4, hosts: 2}
links: {latency: 1 cycle, global: {latency: 8 cycles}}
router: {kind: input-queued, vcs: 2, buffer: 32 flits}
routing: {kind: dimension-order, dateline: per-hop}
traffic:
  all: {pattern: uniform, length: 4 flits, load: 0.4}
measure: {by: hops, links: all, half-width: 0.1%, limit: {time: 3000 cycles}}
END

# results FILE: all but the settings of the point.
results() {
    "$WEFT" export "$1" --format canonical | grep -v '^"[^"]*" point '
}

# same NAME DRAGONFLY HIERARCHY: both topologies give the same results.
same() {
    run 0 "$WEFT" run dragonfly.yaml "topology=$2" --quiet --results built-in.weft --new
    run 0 "$WEFT" run dragonfly.yaml "topology=$3" --quiet --results written.weft --new
    results built-in.weft >built-in
    results written.weft >written
    for rows in metric histogram links; do
        grep -q "^\"[^\"]*\" $rows " built-in || fail "$1: the results have no $rows"
    done
    diff built-in written || fail "$1: not the same results"
}

same relative '{kind: dragonfly, groups: 9, routers: 4, hosts: 2}' \
    '{kind: hierarchy, outer: {kind: full, routers: 9}, inner: {kind: full, routers: 4, hosts: 2}}'
same absolute '{kind: dragonfly, groups: 7, routers: 3, hosts: 2, arrangement: absolute}' \
    '{kind: hierarchy, outer: {kind: full, routers: 7, order: absolute}, inner: {kind: full, routers: 3, hosts: 2}}'
same 'several links' '{kind: dragonfly, groups: 3, routers: 4, global: 2, arrangement: palm-tree}' \
    '{kind: hierarchy, outer: {kind: full, routers: 3, links: 4, order: palm-tree}, inner: {kind: full, routers: 4}}'

# The 4.5D torus, and a 3D torus of 2×3×2 meshes.
run 0 "$WEFT" run dragonfly.yaml traffic.all.load=0.1 --quiet --new \
    'topology={kind: hierarchy, outer: {kind: torus, dims: [3, 3, 3, 3]}, inner: {kind: full, routers: 4, hosts: 2}, attach: [0, 0, 1, 1, 2, 2, 3, 3]}'
run 0 "$WEFT" run dragonfly.yaml traffic.all.load=0.02 router.vcs=7 --quiet --new \
    'topology={kind: hierarchy, outer: {kind: torus, dims: [3, 3, 3]}, inner: {kind: mesh, dims: [2, 3, 2]}}'

# What does not fit is said.
run 1 "$WEFT" check dragonfly.yaml 'topology={kind: hierarchy, outer: {kind: full, routers: 9, hosts: 2}, inner: {kind: full, routers: 4}}'
has err 'topology.outer must have hosts: 1, found 2'
run 1 "$WEFT" check dragonfly.yaml 'topology={kind: hierarchy, outer: {kind: full, routers: 9}, inner: {kind: full, routers: 4}, attach: [0, 1]}'
has err 'topology.attach must list the inner router of every outer port, 8 numbers, found 2'
