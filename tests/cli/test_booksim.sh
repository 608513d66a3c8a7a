#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# weft import booksim: thirteen kinds of configurations become scenarios that check and run; what cannot be honoured is refused
# by name; the generated page is what the program says.
# shellcheck source=/dev/null
source "$WEFT_SOURCE/tests/cli/lib.sh"
cp "$WEFT_SOURCE"/tests/data/booksim/* .

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

# Values that cannot be honoured, given to mesh.cfg.
refuse() {
    run 1 "$WEFT" import booksim mesh.cfg -o x.yaml "${@:2}"
    none out
    is err "command line:1: $1"
    [[ ! -e x.yaml ]] || fail 'an import that failed left a file'
}
refuse 'speculative = 1: a packet has its channel before it asks for the switch; 0 would be right' speculative=1
refuse "internal_speedup = 2.0: \`router.speedup\` needs a finite output buffer; 1.0 would be right" internal_speedup=2.0
refuse 'wait_for_tail_credit = 1: a channel is free again as soon as its packet'"'"'s tail has left; 0 would be right' wait_for_tail_credit=1
refuse "routing_delay = 3: BookSim's stage takes in nothing new while it is busy, here stages are pipelined; import it with 1 and set \`router.route\` in the scenario" routing_delay=3
refuse "st_prepare_delay = 1: BookSim's stage takes in nothing new while it is busy, here stages are pipelined; import it with 0 and set \`router.crossbar\` in the scenario" st_prepare_delay=1
refuse 'use_read_write = 1: requests with replies are not built yet; 0 would be right' use_read_write=1
refuse 'priority = age: packets have no priorities; none would be right' priority=age
refuse 'sw_allocator = wavefront: islip or separable_input_first would be right' sw_allocator=wavefront
refuse 'vc_buf_size = 4: a packet of 5 flits does not fit; a channel must hold the longest packet' packet_size=5 vc_buf_size=4
refuse 'num_vcs = 17: it must be 1 … 16' num_vcs=17
refuse 'topology = tree4: its roots have two links to every subtree; write it as an anynet' topology=tree4
refuse 'topology = ring: these are translated: mesh, torus, cmesh, fly, fattree, qtree, flatfly, dragonflynew, anynet' topology=ring
refuse 'routing_function = romm: its intermediate routers are minimal ones only; valiant is translated' routing_function=romm
refuse 'routing_function = min: on a mesh these are translated: dor, dim_order, xy_yx, valiant' routing_function=min
refuse 'traffic = hotspot(3): all messages go to the hot endpoints, its own too; see pattern hot-spot' 'traffic=hotspot(3)'
refuse 'traffic = bad_dragon: bad_dragon belongs to topology = dragonflynew' traffic=bad_dragon
refuse 'injection_process = on_off: bernoulli would be right' injection_process=on_off
refuse 'injection_rate = 0: no class may be silent; leave it out' injection_rate=0
refuse 'packet_size = {1,2}: it has too few values for classes = 3' classes=3 'packet_size={1,2}' hold_switch_for_packet=1
refuse 'packet_size = {{1,2}}: lists are {a,b,…}, a value for each class; several for one class are not translated' 'packet_size={{1,2}}'
refuse 'sim_type = batch: latency or throughput would be right' sim_type=batch
refuse 'n = 3: routing_function = xy_yx needs 2 dimensions' n=3 routing_function=xy_yx
refuse "BookSim has no key 'num_vc'" num_vc=4
refuse "k must be a whole number, found '4.5'" k=4.5
refuse "seed must be a whole number, found 'time'" seed=time

# Defaults of BookSim are translated too, and refused like values that are given.
run 1 "$WEFT" import booksim mesh.cfg packet_size=5
is err "mesh.cfg: hold_switch_for_packet = 0 (BookSim's default): flits of several packets would take turns on a link; 1 would be right, here a link belongs to a packet until its tail"
printf 'topology = mesh;\n' >bare.cfg
run 1 "$WEFT" import booksim bare.cfg
is err "bare.cfg: routing_function = none (BookSim's default): on a mesh these are translated: dor, dim_order, xy_yx, valiant"
run 1 "$WEFT" import booksim mesh.cfg n=3
is err 'mesh.cfg:8: traffic = transpose: dimensions are taken in the other order here, which makes a difference to transpose from three dimensions on'
run 1 "$WEFT" import booksim cmesh.cfg traffic=bitcomp
is err 'command line:1: traffic = bitcomp: the endpoints of a cmesh are numbered otherwise here; uniform and randperm are translated'
run 1 "$WEFT" import booksim flatfly.cfg use_noc_latency=1
is err 'command line:1: use_noc_latency = 1: it gives the wires of a flatfly different lengths; 0 would be right'
run 1 "$WEFT" import booksim anynet.cfg
is err 'anynet.cfg:1: topology = anynet: its fabric is written beside the scenario: -o OUT.yaml'
printf 'router 0 node 0 router 1 3\nrouter 1 node 1 router 2\nrouter 2 node 2\n' >two.anynet
run 1 "$WEFT" import booksim anynet.cfg network_file=two.anynet -o x.yaml
is err 'command line:1: network_file = two.anynet: its links have latencies 3 and 1; one for all would be right'

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
run 2 "$WEFT" import booksim
is err 'weft: import takes a format and a file: weft import FORMAT FILE [-o OUT]'
run 2 "$WEFT" import edges x.edges k=4 -o x.weftnet
is err "weft: a fabric has no settings, found 'k=4'"
