#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# weft topology: numbers of a scenario's network, of a fabric and of settings alone; pictures; exports that can be
# imported again.
# shellcheck source=/dev/null
source "$WEFT_SOURCE/tests/cli/lib.sh"
cp "$WEFT_SOURCE"/tests/data/fabrics/small.* .

run 0 "$WEFT" topology show small.weftnet
is out 'topology               file
routers                6
with endpoints         4
endpoints              8, 2 a router
degree                 3 … 4
switches               6 of up to 5 ports, endpoints included
cables                 6 local, 4 global, 8 host
diameter               2 hops
mean distance          1.66667 hops
bisection              at most 8 links, one direction each (METIS: 4 and 4 endpoints)'

cat >torus.yaml <<'END'
interweft: 1
topology: {kind: torus, dims: [4, 4]}
traffic:
  all: {pattern: uniform, length: 1 flits, load: 0.1}
END
run 0 "$WEFT" topology show torus.yaml 'topology.dims=[6, 4]' topology.hosts=3
has out 'topology               torus
routers                24
endpoints              72, 3 a router
degree                 4
switches               24 of up to 7 ports, endpoints included
cables                 48 local, 72 host
diameter               5 hops
mean distance          2.6087 hops
'
run 0 "$WEFT" topology show topology.kind=mesh 'topology.dims=[3, 5]'
has out 'degree                 2 … 4
'
run 0 "$WEFT" topology show topology.kind=fat-tree topology.arity=4 topology.levels=3
has out 'groups                 4 of 4 routers with endpoints'
run 0 "$WEFT" topology show topology.kind=megafly topology.groups=5 topology.leaves=4
has out 'groups                 5 of 8 routers'
run 0 "$WEFT" topology show topology.kind=dragonfly topology.groups=5 topology.routers=4
has out 'groups                 5 of 4 routers'
run 0 "$WEFT" topology show topology.kind=full topology.routers=1
has out 'diameter               0 hops'
run 0 "$WEFT" topology show topology.kind=hypercube topology.dimensions=4
has out 'links, one direction each'
# Not all pairs of more than 11,585 routers are looked at.
run 0 "$WEFT" topology show topology.kind=mesh 'topology.dims=[116, 116]'
has out 'diameter               at least 230 hops
mean distance          77.3333 hops'

run 2 "$WEFT" topology show
is err 'weft: name a scenario, a .weftnet file, or settings such as topology.kind=torus topology.dims=[8,8]'
run 2 "$WEFT" topology draw torus.yaml
is err "weft: weft topology show, export or path, found 'draw'"
run 2 "$WEFT" topology export torus.yaml
is err 'weft: --format is missing: edges, graphml, dot or ibnetdiscover'
run 2 "$WEFT" topology export torus.yaml --format csv
is err "weft: --format is edges, graphml, dot or ibnetdiscover, found 'csv'"
run 1 "$WEFT" topology show topology.kind=tors
has err "'tors'"

# Exports go back to the same bytes.
for format in edges graphml; do
    run 0 "$WEFT" topology export small.weftnet --format "$format" -o "again.$format"
    is err "wrote again.$format"
    run 0 "$WEFT" import "$format" "again.$format" --order file -o again.weftnet
    cmp again.weftnet small.weftnet
    run 0 "$WEFT" topology export torus.yaml --format "$format"
    mv out torus.out
    run 0 "$WEFT" import "$format" torus.out --order file -o torus.weftnet
    run 0 "$WEFT" topology export torus.weftnet --format "$format"
    diff <(sed 's/torus/file/' torus.out) out || fail "$format of a torus is another one when imported"
done
run 0 "$WEFT" topology export small.weftnet --format dot
has out 'graph "file" {
  node [shape=circle];
  "a";'
has out '  "s1" [shape=box];
'
has out '  "a" -- "s2" [style=bold];
'
run 1 "$WEFT" topology export topology.kind=butterfly topology.arity=2 topology.stages=3 --format edges
has err 'the links of a butterfly lead one way, which this format cannot say: use dot'
run 0 "$WEFT" topology export topology.kind=butterfly topology.arity=2 topology.stages=3 --format dot
has out '" -> "'

# An imported torus is a torus: the same distances, and the same bound for its bisection.
run 0 "$WEFT" topology show torus.weftnet
has out 'diameter               4 hops
mean distance          2.13333 hops
bisection              at most 16 links, one direction each (METIS: 8 and 8 endpoints)'

# Faults: numbers, exports and pictures are those of what is left.
run 0 "$WEFT" topology show topology.kind=torus 'topology.dims=[4]' 'faults.links=[0, 1]'
has out 'faults                 1 cable is down
degree                 1 … 2
switches               4 of up to 3 ports, endpoints included
cables                 3 local, 4 host
diameter               3 hops
mean distance          1.66667 hops
bisection              at most 2 links, one direction each'
for format in edges graphml dot ibnetdiscover; do
    run 0 "$WEFT" topology export topology.kind=torus 'topology.dims=[4]' 'faults.links=[0, 1]' --format "$format"
    mv out ring.out
    case $format in
    dot)
        has ring.out '"0" -- "3";'
        ! grep '"0" -- "1"' ring.out || fail 'dot has a cable that is down'
        ;;
    ibnetdiscover) run 0 "$WEFT" import infiniband ring.out -o ring.yaml && has out 'cables                 3' ;;
    *) run 0 "$WEFT" import "$format" ring.out -o ring.weftnet && has out 'cables                 3' ;;
    esac
done
run 0 "$WEFT" topology show ring.weftnet
has out 'diameter               3 hops'
spine=(topology.kind=leaf-spine topology.leaves=4 topology.spines=2 'faults.routers=[5]')
run 0 "$WEFT" topology show "${spine[@]}"
has out 'faults                 4 cables are down, and so 1 router is
degree                 1 … 4'
for format in edges graphml; do
    run 0 "$WEFT" topology export "${spine[@]}" --format "$format"
    mv out spine.out
    run 0 "$WEFT" import "$format" spine.out -o spine.weftnet
    has out 'routers                5'
done
run 0 "$WEFT" topology export "${spine[@]}" --format dot
! grep '"5"' out || fail 'dot has a router that is down'
run 0 "$WEFT" topology export "${spine[@]}" --format ibnetdiscover
has out '# 5 switches, 4 hosts, 4 cables between switches'
run 0 "$WEFT" topology show topology.kind=leaf-spine topology.leaves=4 topology.spines=2 'faults.links=[0, 4, 0, 5]'
has out 'diameter               none: there is no way from router 0 to router 1'
run 1 "$WEFT" topology show topology.kind=torus 'topology.dims=[4]' 'faults.links=[0, 9]'
has err 'faults.links names router 9, but routers are 0 … 3'
# A cable keeps the rate of its file when one before it is down, and so do hosts.
printf 'host %s 1 rate=50Gb/s\n' a b c >timed.edges
printf '%s class=local ports=%s rate=%dGb/s\n' 'a b' 0:0 10 'b c' 1:0 20 'c a' 1:1 30 >>timed.edges
run 0 "$WEFT" import edges timed.edges --order file -o timed.weftnet
run 0 "$WEFT" topology export timed.weftnet --format edges 'faults=[a - b]'
diff <(sed '/^a b/d' timed.edges) <(sed 1d out) || fail 'another rate'
# A subnet of InfiniBand, with --without beside faults.
net=$WEFT_SOURCE/tests/data/infiniband
run 0 "$WEFT" import infiniband "$net/ibnetdiscover.txt" -o subnet.yaml
run 0 "$WEFT" topology export subnet.yaml --format ibnetdiscover
before=$(awk '/^#/ { print $6; exit }' out)
cable='T-0-0:p1->T-1-0'
run 0 "$WEFT" topology export subnet.yaml --format ibnetdiscover "faults=['$cable']"
has out "hosts, $((before - 1)) cables between switches"
run 0 "$WEFT" topology export subnet.yaml --format ibnetdiscover "faults=['$cable']" --without "$cable"
has out "hosts, $((before - 1)) cables between switches"

# Pictures.
run 1 "$WEFT" topology show topology.kind=torus 'topology.dims=[80, 80]' --svg large.svg
has err 'a picture shows at most 4096 routers and 65536 cables, this network has 6400 and 25600 links'
if command -v gnuplot >/dev/null; then
    run 0 "$WEFT" topology show small.weftnet --svg small.svg --png small.png
    is err 'wrote small.svg
wrote small.png'
    has small.svg 'file: 6 routers, 10 cables'
    has small.svg 'routers without endpoints'
    [[ $(head -c 4 small.png | tail -c 3) == PNG ]] || fail 'small.png is no PNG'
    run 0 "$WEFT" topology show "${spine[@]}" --svg spine.svg
    has spine.svg 'leaf-spine: 5 routers, 4 cables'
    # Names that would run into each other stand upright, long ones are cut before their hosts.
    ! grep 'rotate(270)' small.svg || fail 'short names stand upright'
    long=$(printf 'x%.0s' {1..200})
    for leaf in rack{00..15}-leaf-sw1; do
        printf 'host %s 6\n%s spine1\n%s spine2\n' "$leaf" "$leaf" "$leaf"
    done >leaves.edges
    sed "s/rack15/$long/" leaves.edges >long.edges
    for fabric in leaves long; do
        run 0 "$WEFT" import edges "$fabric.edges" -o "$fabric.weftnet"
        run 0 "$WEFT" topology show "$fabric.weftnet" --svg "$fabric.svg"
        grep -q 'rotate(270)' "$fabric.svg" || fail "names of $fabric do not stand upright"
    done
    has leaves.svg 'rack15-leaf-sw1 (6)'
    has long.svg "${long:0:23}… (6)"
    ! grep "${long:0:24}" long.svg || fail 'a long name is not cut'
fi
# A network that was built is given back when its faults are refused.
run 1 "$WEFT" topology show topology='{kind: random-regular, routers: 8, degree: 3}' 'faults={routers: [99]}'
has err 'faults.routers names router 99, but routers are 0 … 7'
