#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# weft import booksim: configurations of all kinds become scenarios that check and run; what cannot be honoured is refused by name,
# all of it at once, or with --nearest becomes a comment; the generated page is what the program says.
# shellcheck source=/dev/null
source "$WEFT_SOURCE/tests/cli/lib.sh"
cp -r "$WEFT_SOURCE"/tests/data/booksim/* .

# Every one: the scenario as kept, checked without a deadlock, run to its end.
count=0
for file in *.cfg; do
    name=${file%.cfg}
    run 0 "$WEFT" import booksim "$file" -o "$name.yaml"
    none out
    is err "wrote $name.yaml"
    diff "$name.txt" "$name.yaml" || fail "$file becomes something else"
    run 0 "$WEFT" check "$name.yaml"
    has out 'deadlock               none possible'
    run 0 "$WEFT" run "$name.yaml" --quiet
    count=$((count + 1))
done
[[ $count -ge 13 ]] || fail 'configurations are missing'

# Latency without load, known for this router: 7 + D (4 + L) + P − 1 cycles, a cycle less per router without routing_delay.
run 0 "$WEFT" check torus.yaml
has out "zero-load latency      32 cycles"
run 0 "$WEFT" check single.yaml
has out 'zero-load latency      6 cycles'

# To the terminal; overrides as BookSim takes them.
run 0 "$WEFT" import booksim torus.cfg
cmp out torus.yaml
run 0 "$WEFT" import booksim torus.cfg num_vcs=2 credit_delay=1
has out '  vcs: 2'
has out '  credit: 4 cycles'

# Keys of the kind BookSim's own examples have: refused with every difference, the nearest scenario as kept.
cp near/* .
for file in near/*.cfg; do
    name=${file#near/} name=${name%.cfg}
    run 1 "$WEFT" import booksim "$name.cfg" -o x.yaml
    diff "$name.err" err || fail "$file is refused otherwise"
    [[ ! -e x.yaml ]] || fail 'an import that failed left a file'
    run 0 "$WEFT" import booksim "$name.cfg" --nearest -o "$name.yaml"
    is err "wrote $name.yaml; $(($(wc -l <"$name.err") - 1)) differences from BookSim, see its comments"
    diff "$name.txt" "$name.yaml" || fail "$file becomes something else"
    run 0 "$WEFT" check "$name.yaml"
    has out 'deadlock               none possible'
    run 0 "$WEFT" run "$name.yaml" --quiet
done

# The nearest of a configuration without differences is the same scenario, without a comment.
run 0 "$WEFT" import booksim torus.cfg --nearest
cmp out torus.yaml

# Values that cannot be honoured, given to mesh.cfg: refused, taken nearly with --nearest; or refused with that too.
refuse() {
    run 1 "$WEFT" import booksim mesh.cfg -o x.yaml "${@:2}"
    none out
    is err "command line:1: $1
--nearest writes the scenario all the same, with this difference as a comment"
    [[ ! -e x.yaml ]] || fail 'an import that failed left a file'
    run 0 "$WEFT" import booksim mesh.cfg --nearest -o x.yaml "${@:2}"
    is err 'wrote x.yaml; 1 difference from BookSim, see its comments'
    run 0 "$WEFT" check x.yaml
    rm x.yaml
}
never() {
    run 1 "$WEFT" import booksim mesh.cfg --nearest -o x.yaml "${@:2}"
    none out
    is err "command line:1: $1"
    [[ ! -e x.yaml ]] || fail 'an import that failed left a file'
}
refuse 'speculative = 1: a packet has its channel before it asks for the switch; 0 would be right' speculative=1
refuse "internal_speedup = 2.0: \`router.speedup\` is a whole number and needs a finite output buffer; 1.0 would be right" internal_speedup=2.0
refuse 'wait_for_tail_credit = 1: a channel is free again as soon as its packet'"'"'s tail has left; 0 would be right' wait_for_tail_credit=1
refuse "routing_delay = 3: BookSim's stage takes in nothing new while it is busy, here stages are pipelined (\`router.route\`); 1 would be right" routing_delay=3
refuse "st_prepare_delay = 1: BookSim's stage takes in nothing new while it is busy, here stages are pipelined (\`router.crossbar\`); 0 would be right" st_prepare_delay=1
refuse 'use_read_write = 1: requests with replies are not built yet; 0 would be right' use_read_write=1
refuse 'priority = age: packets have no priorities; none would be right' priority=age
refuse 'sw_allocator = wavefront: islip or separable_input_first would be right; scheduler wavefront is the nearest' sw_allocator=wavefront
refuse 'vc_buf_size = 4: a packet of 5 flits does not fit; a channel must hold the longest packet' packet_size=5 vc_buf_size=4 hold_switch_for_packet=1
refuse 'num_vcs = 17: it must be 1 … 16' num_vcs=17
never 'topology = tree4: its roots have two links to every subtree; write it as an anynet' topology=tree4
never 'topology = ring: these are translated: mesh, torus, cmesh, fly, fattree, qtree, flatfly, dragonflynew, anynet' topology=ring
refuse 'routing_function = romm: its intermediate routers are minimal ones only; valiant is the nearest' routing_function=romm
refuse 'routing_function = min: on a mesh these are translated: dor, dim_order, xy_yx, valiant; dor would be right' routing_function=min
refuse 'traffic = hotspot(3): all messages go to the hot endpoints, its own too; see pattern hot-spot' 'traffic=hotspot(3)'
refuse 'traffic = bad_dragon: bad_dragon belongs to topology = dragonflynew' traffic=bad_dragon
refuse 'injection_process = on_off: bursts are not translated; bernoulli would be right' injection_process=on_off
never 'injection_rate = 0: no class may be silent; leave it out' injection_rate=0
# Half a packet of four flits a cycle is a load of 2, on purpose.
run 0 "$WEFT" import booksim mesh.cfg -o over.yaml injection_rate=0.5 packet_size=4 vc_buf_size=8 hold_switch_for_packet=1
grep -q 'load: 2, overload: true}' over.yaml || fail "$(grep load over.yaml)"
run 0 "$WEFT" check over.yaml
never 'packet_size = {1,2}: it has too few values for classes = 3' classes=3 'packet_size={1,2}' hold_switch_for_packet=1
never 'packet_size = {{1,2}}: lists are {a,b,…}, a value for each class; several for one class are not translated' 'packet_size={{1,2}}'
refuse 'sim_type = batch: latency or throughput is translated; latency would be right' sim_type=batch
never 'n = 3: routing_function = xy_yx needs 2 dimensions' n=3 routing_function=xy_yx traffic=uniform
never "BookSim has no key 'num_vc'; did you mean 'num_vcs'?" num_vc=4
refuse "BookSim has no key 'limit'" limit=64
never 'k = 4.5: it must be a whole number' k=4.5
never 'seed = time: it must be a whole number' seed=time
never 'k = 1: it must be 2 … 1024' k=1

# Defaults of BookSim are translated too, and refused like values that are given.
hint='--nearest writes the scenario all the same, with this difference as a comment'
run 1 "$WEFT" import booksim mesh.cfg packet_size=5
is err "mesh.cfg: hold_switch_for_packet = 0 (BookSim's default): flits of several packets would take turns on a link, here a link belongs to a packet until its tail; 1 would be right
$hint"
printf 'topology = mesh;\n' >bare.cfg
run 1 "$WEFT" import booksim bare.cfg
is err "bare.cfg: routing_function = none (BookSim's default): on a mesh these are translated: dor, dim_order, xy_yx, valiant; dor would be right
$hint"
run 1 "$WEFT" import booksim mesh.cfg n=3
is err "mesh.cfg:8: traffic = transpose: dimensions are taken in the other order here, which makes a difference to transpose from three dimensions on
$hint"
run 1 "$WEFT" import booksim cmesh.cfg traffic=transpose
is err "command line:1: traffic = transpose: the endpoints of a cmesh are numbered otherwise here; uniform and randperm are translated
$hint"
run 1 "$WEFT" import booksim flatfly.cfg use_noc_latency=1
is err "command line:1: use_noc_latency = 1: it gives the wires of a flatfly different lengths, 2 to 6 cycles, 3 in the mean; 0 would be right
$hint"
run 1 "$WEFT" import booksim anynet.cfg
is err 'anynet.cfg:1: topology = anynet: its fabric is written beside the scenario: -o OUT.yaml'
printf 'router 0 node 0 router 1 3\nrouter 1 node 1 router 2\nrouter 2 node 2\n' >two.anynet
run 1 "$WEFT" import booksim anynet.cfg network_file=two.anynet -o x.yaml
is err "command line:1: network_file = two.anynet: its links have latencies from 1 to 3; one for all would be right
$hint"
[[ ! -e x.weftnet ]] || fail 'an import that failed left a fabric'

# What makes no difference is none: a bit complement where only the bits of numbers change places, wires of a flatfly that are all
# alike, allocators where there is one channel to ask for, xr without a pattern that reads it.
same() {
    run 0 "$WEFT" import booksim "$@" -o x.yaml
    is err 'wrote x.yaml'
    mv x.yaml same.yaml
}
same cmesh.cfg traffic=bitcomp
same flatfly.cfg traffic=bitcomp
same flatfly.cfg k=2 x=2 y=2 use_noc_latency=1
has same.yaml 'local: {latency: 2 cycles}'
same mesh.cfg num_vcs=1 vc_allocator=separable_input_first alloc_iters=2
same mesh.cfg xr=2 yr=2
refuse 'xr = 2: it stretches tornado; 1 would be right' traffic=tornado xr=2

# Mistakes of writing, with their lines.
mistake() {
    printf '%b' "$1" >wrong.cfg
    run 1 "$WEFT" import booksim wrong.cfg
    is err "wrong.cfg:$2"
}
mistake 'k = 4' "1: ';' must follow a value, the file ends"
mistake '// a mesh\nk 4;' "2: '=' must follow k, found '4'"
mistake 'k = ;' '1: a value must follow k ='
mistake 'k = 4;\n\n"n" = 2;' "3: expected \`key = value;\`, found '\"'"
run 1 "$WEFT" import booksim missing.cfg
has err 'missing.cfg'

# The page of keys; what else import says about itself.
run 0 "$WEFT" import booksim --keys
cmp out "$WEFT_SOURCE/docs/reference/booksim.md" || fail 'docs/reference/booksim.md is old: tools/docgen'
run 2 "$WEFT" import edges --keys
is err 'weft: --keys is for booksim alone: weft import booksim --keys'
run 2 "$WEFT" import edges x.edges --nearest -o x.weftnet
is err 'weft: --nearest is for booksim alone: weft import booksim FILE --nearest'
run 2 "$WEFT" import booksim
is err 'weft: import takes a format and a file: weft import FORMAT FILE [-o OUT]'
run 2 "$WEFT" import edges x.edges k=4 -o x.weftnet
is err "weft: a fabric has no settings, found 'k=4'"
