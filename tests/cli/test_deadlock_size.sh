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
verdict "$dragonfly" 4 '{kind: dimension-order}' 'none possible: 509888 channels have an order of 3 levels that every packet follows (seen from 16 of 4112 routers, all others see the same)'
verdict "$dragonfly" 8 '{kind: valiant}' 'none possible: every leg of a way has virtual channels of its own, where 1019776 channels have an order of 3 levels that every packet follows (seen from 16 of 4112 routers, all others see the same)'
verdict '{kind: hyperx, dims: [16, 16, 16], hosts: 16}' 8 '{kind: valiant}' 'none possible: every leg of a way has virtual channels of its own, where dimensions come in order, with 1 level of channels along each'
verdict '{kind: torus, dims: [32, 32, 16], hosts: 4}' 4 '{kind: valiant}' 'none possible: every leg of a way has virtual channels of its own, where dimensions come in order'

# The 4.5D torus of 8^4 cells of 4, and with one class of virtual channels inside the cells.
cells='outer: {kind: torus, dims: [8, 8, 8, 8]}, inner: {kind: full, routers: 4, hosts: 4}, attach: [0, 0, 1, 1, 2, 2, 3, 3]'
verdict "{kind: hierarchy, $cells}" 8 '{kind: dimension-order}' 'none possible: '
has out '(seen in planes of two dimensions, all others are alike)'
verdict "{kind: hierarchy, $cells}" 8 '{kind: zone}' 'none possible: an escape path is open at every hop, and '
verdict "{kind: hierarchy, $cells, inner-vcs: 1}" 4 '{kind: dimension-order}' 'possible: '
has out 'circle                 a packet from router '
