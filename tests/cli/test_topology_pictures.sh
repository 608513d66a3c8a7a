#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# weft topology: pictures of every form, in which no router hides another, and exports that a format cannot say.
# shellcheck source=/dev/null
source "$WEFT_SOURCE/tests/cli/lib.sh"

if command -v gnuplot >/dev/null; then
    # drawn ROUTERS CABLES TOPOLOGY: a picture with so many of each, every router at a place of its own.
    drawn() {
        run 0 "$WEFT" topology show "topology=$3" --svg it.svg
        grep -q ": $1 routers, $2 cables<" it.svg || { grep -o '>[^<]*routers[^<]*<' it.svg; fail "$3: not $1 routers and $2 cables"; }
        local places
        places=$(grep -oE "<use [^>]*translate\([^)]*\)" it.svg | grep -oE 'translate.*' | sort -u | wc -l)
        [[ $places -ge $1 && $places -le $(($1 + 2)) ]] || fail "$3: $places places for $1 routers"
    }
    drawn 6 6 '{kind: torus, dims: [6]}'
    drawn 16 32 '{kind: torus, dims: [4, 4]}'
    drawn 27 54 '{kind: mesh, dims: [3, 3, 3]}'
    drawn 16 32 '{kind: hypercube, dimensions: 4}'
    drawn 20 40 '{kind: dragonfly, groups: 5, routers: 4}'
    drawn 40 105 '{kind: dragonfly, groups: 10, routers: 4, global: 3}'
    drawn 20 30 '{kind: megafly, groups: 5, leaves: 2}'
    drawn 12 16 '{kind: butterfly, arity: 2, stages: 3}'
    drawn 8 16 '{kind: fat-tree, arity: 4, levels: 2}'
    drawn 5 10 '{kind: full, routers: 5}'
    drawn 50 175 '{kind: slim-fly, q: 5}'
    drawn 12 21 '{kind: hierarchy, outer: {kind: full, routers: 3}, inner: {kind: full, routers: 4}}'
fi

# refused MESSAGE FORMAT TOPOLOGY
refused() {
    run 1 "$WEFT" topology export "topology=$3" --format "$2"
    none out
    is err "$1"
}
for format in edges graphml; do
    refused 'the links of a butterfly lead one way, which this format cannot say: use dot' $format '{kind: butterfly, arity: 2, stages: 3}'
done
refused 'the links of a butterfly lead one way, which InfiniBand does not know: use dot' ibnetdiscover '{kind: butterfly, arity: 2, stages: 3}'
refused 'a switch of InfiniBand has at most 254 ports, a router here 299 and 1 endpoints' ibnetdiscover '{kind: full, routers: 300}'
refused 'a subnet of InfiniBand has at most 49151 switches and hosts, this network 180000' ibnetdiscover '{kind: torus, dims: [300, 300]}'
# Names that an edge list quotes come back, and one that it cannot say is refused.
printf '"host" "router"\nhost "a=b"\n"host" "a=b"\n"router" "x#y z"\n' >names.edges
run 0 "$WEFT" import edges names.edges -o names.weftnet --order file
run 0 "$WEFT" topology export names.weftnet --format edges
cp out again.edges
run 0 "$WEFT" import edges again.edges -o again.weftnet --order file
cmp names.weftnet again.weftnet || fail 'names got lost'
printf '<graphml><graph><node id="a&quot;"/><node id="b"/><edge source="b" target="a&quot;"/></graph></graphml>\n' >quote.graphml
run 0 "$WEFT" import graphml quote.graphml -o quote.weftnet
run 1 "$WEFT" topology export quote.weftnet --format edges
is err 'router a" has a " in its name, which an edge list cannot say: use graphml'
run 0 "$WEFT" topology export quote.weftnet --format graphml
has out 'a&quot;'
# Of an InfiniBand fabric parts that are not there.
printf 'Switch 4 "a"\n[1] "h"[1]\n[2] "g"[1]\nCa 1 "h"\n[1] "a"[1]\nCa 1 "g"\n[1] "a"[2]\n' >ib.net
run 0 "$WEFT" import infiniband ib.net -o ib.yaml
run 0 "$WEFT" topology export ib.weftnet --format ibnetdiscover --without g
! grep -q '"g"' out || fail 'a host that was taken away'
for part in --without=zz --rate=zz=4xEDR; do
    run 1 "$WEFT" topology export ib.weftnet --format ibnetdiscover $part
    is err "no switch, host or cable is called '${part#*=}'; no cable joins two switches"
done
