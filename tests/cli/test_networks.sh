#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Networks as sold: routing minimal is the textbook's on each, byte for byte; a Megafly's VCs; trunks double a HyperX; the study
# of dragonflies in small.
# shellcheck source=/dev/null
source "$WEFT_SOURCE/tests/cli/lib.sh"

cat >one.yaml <<'END'
interweft: 1
topology: {kind: torus, dims: [4, 4]}
router: {kind: input-queued, vcs: 4, buffer: 32 flits}
routing: {kind: minimal}
traffic: {all: {pattern: uniform, length: 4 flits, load: 0.3}}
measure: {half-width: 0.1%, limit: {time: 2000 cycles}}
END

# results FILE: all but the settings of the point.
results() {
    "$WEFT" export "$1" --format canonical | grep -v '^"[^"]*" point '
}

# becomes TOPOLOGY ROUTING NAME: on it minimal is this routing, and weft check says so.
becomes() {
    run 0 "$WEFT" run one.yaml "topology=$1" --quiet --results minimal.weft --new
    run 0 "$WEFT" run one.yaml "topology=$1" "routing={kind: $2}" --quiet --results named.weft --new
    diff <(results minimal.weft) <(results named.weft) >differing || fail "minimal on $1 is not $2"
    run 0 "$WEFT" check one.yaml "topology=$1"
    has out "minimal routing        $3"
}
becomes '{kind: torus, dims: [4, 4]}' dimension-order 'dimension order'
becomes '{kind: hyperx, dims: [3, 4], hosts: 2}' dimension-order 'dimension order'
becomes '{kind: fat-tree, form: xgft, down: [4, 4, 2], up: [1, 2, 1]}' d-mod-k 'd-mod-k'
becomes '{kind: dragonfly, groups: 5, routers: 4, hosts: 2}' dimension-order 'level by level'
becomes '{kind: megafly, groups: 5, leaves: 2, hosts: 2, global: 4}' dimension-order 'level by level'
becomes '{kind: slim-fly, q: 3}' dimension-order 'a shortest path'

# The VCs of a Megafly: 2, 4 and 5 by default; 1 and 2 with one class inside of groups and a router in between.
megafly='topology={kind: megafly, groups: 9, leaves: 4, hosts: 4, global: 4}'
free='deadlock               none possible: the channel dependency graph is acyclic'
# needs VCS SETTING...: so many are enough, one less is refused.
needs() {
    local vcs=$1
    shift
    run 0 "$WEFT" check one.yaml router.vcs="$vcs" "$@"
    has out "$free"
    [[ $vcs -eq 1 ]] || run 1 "$WEFT" check one.yaml router.vcs=$((vcs - 1)) "$@"
}
needs 2 "$megafly"
needs 4 "$megafly" 'routing={kind: valiant}'
needs 4 "$megafly" 'routing={kind: ugal}'
needs 5 "$megafly" 'routing={kind: par}'
needs 1 "$megafly" topology.inner-vcs=1
needs 2 "$megafly" topology.inner-vcs=1 'routing={kind: ugal, via: router}'
run 0 "$WEFT" check one.yaml "$megafly" router.vcs=2 topology.inner-vcs=1 'routing={kind: ugal, via: group}'
has out 'deadlock               possible'

# Two links between every two routers of a line: twice the bound, and names of their own.
for trunk in '[1, 1]' '[2, 2]'; do
    run 0 "$WEFT" check one.yaml "topology={kind: hyperx, dims: [3, 3], hosts: 8, trunk: $trunk}"
    sed -n 's/^throughput bound *\([0-9.]*\).*/\1/p' out
done >bounds
[[ $(tr '\n' ' ' <bounds) == '0.369792 0.739583 ' ]] || fail "bounds of trunks are $(tr '\n' ' ' <bounds)"
run 0 "$WEFT" run one.yaml 'topology={kind: hyperx, dims: [3, 3], hosts: 8, trunk: [2, 2]}' traffic.all.load=0.6 measure.links=all --quiet --results trunk.weft --new
results trunk.weft >trunk
grep -q '(0,0)->(0,1)#2' trunk || fail 'the second link of a trunk has no name'
run 1 "$WEFT" check one.yaml 'topology={kind: hyperx, dims: [3, 3], trunk: [2]}'
has err 'topology.trunk must have a number for each of 2 dimensions, found 1'

# The study in small.
run 0 "$WEFT" reproduce dragonfly/half --quick --quiet
has out 'dragonfly/half: agrees'
run 0 "$WEFT" reproduce dragonfly/dragonfly-1056 --quick --quiet
has out 'dragonfly/dragonfly-1056: agrees'

# A leaf of a Megafly spreads its packets over all spines, and they come down from all, also with many links between two groups.
run 0 "$WEFT" check one.yaml 'topology={kind: megafly, groups: 4, leaves: 8, hosts: 8, global: 8}' router.vcs=2
has out 'throughput bound       0.664062: link '

# A tree with two rails: every endpoint has a link to two leaf switches, by an adapter that is a switch of its own.
run 0 "$WEFT" run one.yaml 'topology={kind: fat-tree, form: xgft, down: [4, 4], up: [2, 2]}' endpoint.ports=2 --quiet --results rails.weft --new
run 0 "$WEFT" run one.yaml 'topology={kind: fat-tree, form: xgft, down: [1, 4, 4], up: [1, 2, 2]}' endpoint.ports=2 --quiet --results named.weft --new
diff <(results rails.weft) <(results named.weft) >differing || fail 'two rails are not two links of an adapter'
run 0 "$WEFT" check one.yaml 'topology={kind: fat-tree, form: xgft, down: [4, 4], up: [2, 4]}' endpoint.ports=2 'routing={kind: up-down, adaptive: true}'
has out 'throughput bound       1: '
