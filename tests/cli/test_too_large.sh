#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Fabrics that are chains or have very many endpoints, long routes and large matrices: ways that are too long to count, levels of a
# hierarchy that would need too many VC classes, routers with too many endpoints, too many weights.
# shellcheck source=/dev/null
source "$WEFT_SOURCE/tests/cli/lib.sh"
cat >far.yaml <<'END'
interweft: 1
topology: {kind: file, path: chain.weftnet}
routing: {kind: minimal}
traffic: {all: {length: 4 flits, load: 0.01}}
END
# chain ROUTERS: one after the other.
chain() {
    for ((i = 1; i < $1; i++)); do echo "r$((i - 1)) r$i"; done >chain.edges
    run 0 "$WEFT" import edges chain.edges -o chain.weftnet --order file
}
# refused MESSAGE SETTING...
refused() {
    run 1 "$WEFT" check far.yaml "${@:2}"
    has err "$1"
}
inner='inner: {kind: file, path: chain.weftnet}'

chain 255
run 0 "$WEFT" check far.yaml
run 0 "$WEFT" topology show chain.weftnet
has out 'diameter               254 hops'
chain 256
refused 'far.yaml:2:11: the network has routers more than 254 hops apart, the most there can be: give them shorter ways'

# A VC class for every hop inside, times two before the last outer hop and after it: 2 × 127 are all there can be.
chain 128
run 0 "$WEFT" check far.yaml "topology={kind: hierarchy, outer: {kind: full, routers: 2}, $inner}"
chain 129
refused 'the inner links of this hierarchy need 256 VC classes, the most there can be is 255: use a topology.inner with shorter ways, which needs fewer' \
    "topology={kind: hierarchy, outer: {kind: full, routers: 2}, $inner}"
# Nine times in a torus of four dimensions with two classes each.
chain 30
deep="kind: hierarchy, outer: {kind: torus, dims: [3, 3, 3, 3]}, $inner"
refused 'the inner links of this hierarchy need 261 VC classes, the most there can be is 255: use topology.inner-vcs: 2' "topology={$deep}"
run 0 "$WEFT" check far.yaml "topology={$deep, inner-vcs: 2}"

# A route goes to and fro: 257 hops.
printf '0 1 via%s\n' "$(printf ' 1 0%.0s' {1..128})" >routes.txt
refused 'routes.txt:1: a route has at most 255 hops, found 257' 'topology={kind: mesh, dims: [3, 3]}' 'routing={kind: source, file: routes.txt}'

# 2,116 routers that send to each other.
awk 'BEGIN { for (i = 1; i <= 2116; i++) line = line (i > 1 ? ",1" : "1"); for (i = 1; i <= 2116; i++) print line }' >matrix.csv
refused 'matrix.csv:1983: more than 4194304 weights that are not 0, the most there may be: make small ones 0' \
    'topology={kind: torus, dims: [46, 46], hosts: 2}' 'traffic.all.pattern={kind: matrix, file: matrix.csv, of: routers}'

# Endpoints of one router, and of all together.
printf 'a b\nhost a 2000\nhost b 3\n' >many.edges
run 0 "$WEFT" import edges many.edges -o many.weftnet
refused 'far.yaml:2:11: a router has 2000 endpoints, at most 1024 can be simulated: use fewer' topology.path=many.weftnet
for ((i = 1; i < 32769; i++)); do echo "r$(((i - 1) / 100)) r$i"; done >tree.edges
run 0 "$WEFT" import edges tree.edges -o tree.weftnet --order file
refused '32769 routers have up to 65536 endpoints each, more than can be simulated: use fewer (topology.hosts)' \
    topology.path=tree.weftnet topology.hosts=65536
