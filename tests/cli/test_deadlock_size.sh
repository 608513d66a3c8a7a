#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Verdicts on networks with 65,536 endpoints and more, complete and without --thorough: by symmetry, planes, lines and legs.
# shellcheck source=/dev/null
source "$WEFT_SOURCE/tests/cli/lib.sh"

# verdict TOPOLOGY VCS ROUTING TEXT: what check says.
verdict() {
    cat >it.yaml <<END
interweft: 1
topology: $1
router: {kind: input-queued, vcs: $2, buffer: 8 flits}
routing: $3
traffic: {all: {pattern: uniform, length: 2 flits, load: 0.1}}
END
    run 0 "$WEFT" check it.yaml
    has out "deadlock               $4"
}

dragonfly='{kind: dragonfly, groups: 257, routers: 16, hosts: 16}'
verdict "$dragonfly" 4 '{kind: dimension-order}' 'none possible: the channel dependency graph is acyclic (509888 channels, 3 levels; from 16 of 4112 routers, the others are equivalent)'
verdict "$dragonfly" 8 '{kind: valiant}' 'none possible: phases have VCs of their own; within each the channel dependency graph is acyclic (1019776 channels, 3 levels; from 16 of 4112 routers, the others are equivalent)'
verdict '{kind: hyperx, dims: [16, 16, 16], hosts: 16}' 8 '{kind: valiant}' 'none possible: phases have VCs of their own; within each dimensions are visited in order, and along each the channel dependency graph is acyclic (1 level)'
verdict '{kind: torus, dims: [32, 32, 16], hosts: 4}' 4 '{kind: valiant}' 'none possible: phases have VCs of their own; within each dimensions are visited in order'
verdict '{kind: fat-tree, arity: 32, levels: 3}' 8 '{kind: valiant}' 'none possible: phases have VCs of their own, and minimal routes of this topology follow one order of its links, by construction (too large to enumerate)'

# The 4.5D torus of 8^4 cells of 4, and with one class of virtual channels inside the cells.
cells='outer: {kind: torus, dims: [8, 8, 8, 8]}, inner: {kind: full, routers: 4, hosts: 4}, attach: [0, 0, 1, 1, 2, 2, 3, 3]'
verdict "{kind: hierarchy, $cells}" 8 '{kind: dimension-order}' 'none possible: '
has out 'in planes of two dimensions, the others are equivalent)'
verdict "{kind: hierarchy, $cells}" 8 '{kind: zone}' 'none possible: '
verdict "{kind: hierarchy, $cells, inner-vcs: 1}" 4 '{kind: dimension-order}' 'possible: '
has out 'cycle                  a packet from router '
