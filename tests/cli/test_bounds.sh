#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Bounds before a run: what check says of them, that results hold them, and the search for a bad pattern.
# shellcheck source=/dev/null
source "$WEFT_SOURCE/tests/cli/lib.sh"

cat >mesh.yaml <<'END'
interweft: 1
topology: {kind: mesh, dims: [8, 8]}
router: {kind: input-queued, vcs: 4, buffer: 64 flits}
routing: {kind: dimension-order}
traffic:
  all: {pattern: uniform, length: 8 flits, load: 0.1}
measure: {limit: {packets: 3000}}
END
run 0 "$WEFT" check mesh.yaml
has out 'throughput bound       0.492188: link (0,3)+y saturates first (channel load 2.03175)
other bounds           injection 1, ejection 1, '
has out 'zero-load latency      26 cycles
'
run 0 "$WEFT" check mesh.yaml traffic.all.pattern=transpose traffic.all.load=0.2
has out 'throughput bound       0.125: link (0,0)+y saturates first (channel load 8)'
has out 'this point saturates'
# One idealised router has no other bound.
printf '%s\n' 'interweft: 1' 'topology: {kind: full, routers: 1, hosts: 2}' 'traffic: {all: {length: 4 flits, load: 0.3}}' >one.yaml
run 0 "$WEFT" check one.yaml
has out 'throughput bound '
if grep -q 'other bounds' out; then fail 'an empty list of other bounds'; fi
run 0 "$WEFT" check mesh.yaml routing.kind=minimal-adaptive
has out ': links like (3,0)+x saturate first (channel load 2.03175, on average)'
run 0 "$WEFT" check mesh.yaml topology='{kind: torus, dims: [8, 8, 8, 8]}'
has out '0.999756: all links like (0,0,0,0)+x saturate first'
run 0 "$WEFT" check mesh.yaml topology='{kind: mesh, dims: [30, 30, 30]}'
has out '0.133328: links like (14,0,0)+x saturate first (channel load 7.50028)'
plane=(topology='{kind: torus, dims: [5, 4], hosts: 8}' routing=ugal router.vcs=8 traffic.all.load=0.01)
run 0 "$WEFT" check mesh.yaml "${plane[@]}" traffic.all.from=32-63
has out '0.310547: all links out of the plane of router (1, 0) across dimension 0 saturate under any routing'
run 0 "$WEFT" check mesh.yaml "${plane[@]}" traffic.all.to=32-63
has out '0.0625: all links into the plane of router (1, 0) across dimension 0 saturate under any routing'
# 4 routers of 32 senders have 16 links to others, to which 480 of 511 messages go
row=(topology='{kind: torus, dims: [4, 4, 4], hosts: 8}' routing=ugal router.vcs=8 traffic.all.load=0.01)
run 0 "$WEFT" check mesh.yaml "${row[@]}" traffic.all.from=160-191
has out '0.532292: all links out of the row of router (1, 1, 0) along dimension 2 saturate under any routing'
run 0 "$WEFT" check mesh.yaml "${row[@]}" traffic.all.to=160-191
has out '0.0333333: all links into the row of router (1, 1, 0) along dimension 2 saturate under any routing'
run 0 "$WEFT" check mesh.yaml topology='{kind: butterfly, arity: 2, stages: 3}' routing=minimal-adaptive
has out 'throughput bound       0.875: the links between its halves saturate
other bounds           injection 1, ejection 1, cut 1, capacity 1
'
run 0 "$WEFT" check mesh.yaml topology='{kind: mesh, dims: [30, 30, 30]}' \
    traffic.all.pattern='{kind: hot-spot, node: 5, share: 10%}'
has out 'channel load           not computed: 729000000 pairs of routers
throughput bound       '

# 66,048 endpoints: every link between groups, and what no routing can exceed
big='{kind: dragonfly, groups: 129, routers: 32, hosts: 16}'
run 0 "$WEFT" check mesh.yaml topology="$big" router.vcs=4 routing.kind=minimal-oblivious
has out 'throughput bound       0.251949: links like group 0 router 0:p31->group 1 router 31 saturate first'
has out ' cut 0.251949'
run 0 "$WEFT" check mesh.yaml topology="$big" router.vcs=4 routing='{kind: ugal}'
has out 'throughput bound       0.251949: all links out of group 0 of 32 routers saturate under any routing'
has out 'deadlock               none possible: '

# results hold them, whatever the class
run 0 "$WEFT" run mesh.yaml --results one.weft --quiet
run 0 "$WEFT" export one.weft
has out 'accepted,,bound,0,0.4921875,'
has out 'fraction,bound: channel load,'
has out 'latency,,bound,0,26,,,0,cycles,bound: zero load,'
run 0 "$WEFT" run mesh.yaml --results two.weft --quiet \
    traffic='{near: {pattern: neighbour, length: 8 flits, load: 0.1}, far: {pattern: complement, length: 4 flits, load: 0.1}}'
run 0 "$WEFT" export two.weft
has out 'latency,near,bound,0,'
has out 'latency,far,bound,0,30,,,0,cycles,bound: zero load,' # 8 hops on average

# the worst permutation, and what it does when it is run
run 0 "$WEFT" check mesh.yaml --worst --witness worst.csv
has out 'channel load           7, on link '
has out 'throughput bound       0.142857
search                 exact: no permutation is worse'
[[ $(wc -l <worst.csv) -ge 63 ]] || fail 'the witness is too short'
cp out first
run 0 "$WEFT" check mesh.yaml --worst --seed 1 --effort 8
diff first out || fail 'the same seed finds something else'
run 0 "$WEFT" check mesh.yaml traffic.all.pattern='{kind: flows, file: worst.csv}'
has out ' saturates first (channel load 7)'
# by endpoints where the routing tells those of a router apart; the first 64 are shown
run 0 "$WEFT" check mesh.yaml --worst topology='{kind: fat-tree, arity: 4, levels: 2}' routing=minimal-oblivious
is out '# worst pattern for routing minimal-oblivious
channel load           3, on link level 1 switch 0:p0->level 2 switch 0
throughput bound       0.333333
search                 exact: no permutation is worse (matchings on all links)
witness                endpoint>endpoint
    0>4 1>8 2>12 3>0 4>1 5>2 6>3 7>5
    8>6 9>7 10>9 11>10 12>11 13>14 14>15 15>13'
run 0 "$WEFT" check mesh.yaml --worst 'topology.dims=[12, 12]' --witness all.csv
has out '
    … 80 more (--witness FILE writes all)'
[[ $(wc -l <all.csv) -gt 80 ]] || fail 'the witness is not whole'
# what an effort of 1 is enough for
run 0 "$WEFT" check mesh.yaml --worst --effort 1 topology='{kind: random-regular, routers: 560, degree: 5}' router={} routing=minimal-oblivious
has out '
search                 the worst found; matchings on 1 of 2800 links
'
run 0 "$WEFT" check mesh.yaml --worst --effort 1 topology='{kind: random-regular, routers: 680, degree: 5}' router={} routing=minimal-oblivious
has out '
search                 the worst found by local search
'
run 1 "$WEFT" check mesh.yaml --worst routing.kind=minimal-adaptive
has err 'routing minimal-adaptive looks at the load'
run 2 "$WEFT" check mesh.yaml --worst --effort 0
has err '--effort takes a whole number from 1 to 1000000'
