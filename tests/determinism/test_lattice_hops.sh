#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Hops of output-queued routers along a lattice in dimension order have code of their own; with a history the
# general code runs. Both give the same numbers: on every lattice, variant and kind of port, with and without a table of the
# routers behind links (small blocks have one), on any blocks.
# shellcheck source=/dev/null
source "$WEFT_SOURCE/tests/cli/lib.sh"

# scene TOPOLOGY ROUTER ENDPOINT PACKETS BREAKDOWN: a scenario in scene.yaml.
scene() {
    cat >scene.yaml <<EOF
interweft: 1
topology: $1
router: $2
endpoint: $3
routing: {kind: minimal-oblivious, selection: dimension-order}
traffic: {all: {pattern: uniform, arrival: poisson, length: {kind: exponential, mean: 8 flits}, rho: 0.4}}
measure: {by: $5, half-width: 0.001%, limit: {packets: $4}}
EOF
}
# numbers FILE [FLAG...]: runs the scenario; its rows, sorted.
numbers() {
    rm -f some.weft
    "$WEFT" run scene.yaml --results some.weft --quiet "${@:2}" >some.out 2>&1 || { cat some.out; fail 'does not run'; }
    "$WEFT" export some.weft --format csv | sort >"$1"
}
# same TOPOLOGY ROUTER ENDPOINT PACKETS FLAG...
same() {
    scene "$1" "$2" "$3" "$4" hops
    numbers own "${@:5}"
    scene "$1" "$2" "$3" "$4" history
    numbers general --blocks 1
    [[ -s own && -z $(comm -23 own general) ]] || fail "$1 $2 $3: $(comm -23 own general | head -3)"
    [[ $(wc -l <general) -gt $(wc -l <own) ]] || fail 'no history'
}
for variant in S2 S0 VCT; do
    for ports in unlimited one-port; do
        endpoint="{injection: $ports, reception: $ports}"
        router="{kind: output-queued, variant: $variant, header: 2 cycles}"
        same '{kind: torus, dims: [5, 4, 2]}' "$router" "$endpoint" 3000 --blocks 1
        same '{kind: torus, dims: [5, 4, 2]}' "$router" "$endpoint" 3000 --blocks 4
        same '{kind: mesh, dims: [4, 6], hosts: 2}' "$router" "$endpoint" 3000 --blocks 4
        same '{kind: hypercube, dimensions: 5}' "$router" "$endpoint" 3000 --blocks 1
    done
done
# 20,736 links in a block: no table.
same '{kind: torus, dims: [72, 72]}' '{kind: output-queued}' '{}' 20000 --blocks 1
same '{kind: torus, dims: [72, 72]}' '{kind: output-queued}' '{}' 20000 --blocks 9 --threads 2
