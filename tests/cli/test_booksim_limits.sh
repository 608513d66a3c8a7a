#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# weft import booksim: values at the ends of what is translated, for every topology, router and list; a long list of differences is cut.
# shellcheck source=/dev/null
source "$WEFT_SOURCE/tests/cli/lib.sh"
cp -r "$WEFT_SOURCE"/tests/data/booksim/* .

# differs MESSAGE FILE KEY=VALUE...: refused with these differences; --nearest writes a scenario that checks.
differs() {
    run 1 "$WEFT" import booksim "${@:2}" -o x.yaml
    local hint='this difference'
    [[ $1 != *$'\n'* ]] || hint='each difference'
    is err "$1
--nearest writes the scenario all the same, with $hint as a comment"
    run 0 "$WEFT" import booksim "${@:2}" --nearest -o x.yaml
    run 0 "$WEFT" check x.yaml
    rm x.yaml
}
# never MESSAGE FILE KEY=VALUE...: refused, and nothing is near.
never() {
    run 1 "$WEFT" import booksim "${@:2}" --nearest -o x.yaml
    none out
    is err "$1"
    [[ ! -e x.yaml ]] || fail 'an import that failed left a file'
}
# same FILE KEY=VALUE...: translated without a difference, into a scenario that checks.
same() {
    run 0 "$WEFT" import booksim "$@" -o x.yaml
    is err 'wrote x.yaml'
    run 0 "$WEFT" check x.yaml
    mv x.yaml same.yaml
}
at='command line:1:'

# Topologies.
never "$at n = 3: it must be 2 … 2" cmesh.cfg n=3
differs "cmesh.cfg:3: y = 4: BookSim wants it to be x = 3
$at x = 3: it must be k = 4" cmesh.cfg x=3
differs "$at c = 2: it must be xr × yr = 4
$at c = 2: BookSim's cmesh has 4 endpoints at a router" cmesh.cfg c=2
differs 'cmesh.cfg:2: c = 4: it must be xr × yr = 8' cmesh.cfg xr=4
differs "$at y = 4: BookSim wants it to be x = 3" cmesh.cfg k=3 x=3 y=4
same cmesh.cfg use_noc_latency=0
same torus.cfg use_noc_latency=1
has same.yaml 'local: {latency: 2 cycles}'
never "$at n = 9: k^n routers are too many, at most 16777216" flatfly.cfg k=100 n=9
differs "$at use_noc_latency = 1: it gives the wires of a flatfly different lengths, 1 to 12 cycles, 4 in the mean; 0 would be right" \
    flatfly.cfg xr=4 yr=1 use_noc_latency=1
never "$at k = 300: a switch has at most 256 endpoints" fly.cfg n=1 k=300
printf 'topology = anynet;\nrouting_function = min;\n' >nameless.cfg
run 1 "$WEFT" import booksim nameless.cfg -o x.yaml
is err "nameless.cfg: network_file = (empty) (BookSim's default): an anynet needs the name of its file"
never 'gone cannot be read: No such file or directory' anynet.cfg network_file=gone
printf 'rooter 0\n' >bad.anynet
never "bad.anynet:1: expected \`router\` or \`node\`, found 'rooter'" anynet.cfg network_file=bad.anynet
printf 'router 0 node 0 router 1 3\nrouter 1 node 1\n' >pair.anynet
same anynet.cfg network_file=pair.anynet
has same.yaml 'local: {latency: 3 cycles}'

# Traffic.
never "$at traffic = zzz: BookSim has no such pattern" mesh.cfg traffic=zzz
differs "$at traffic = uniform(3): parameters in parentheses are not translated" mesh.cfg 'traffic=uniform(3)'
for value in '{uniform,}' '{}' '{uniform}'; do
    never "$at traffic = $value: it has too few values for classes = 2" mesh.cfg classes=2 "traffic=$value"
done
for value in '{uniform,neighbor' '{uniform}x' '{uniform,{neighbor}}'; do
    never "$at traffic = $value: lists are {a,b,…}, a value for each class; several for one class are not translated" mesh.cfg classes=2 "traffic=$value"
done
for value in 0 99; do differs "$at classes = $value: it must be 1 … 16" mesh.cfg classes=$value; done
for value in x 2; do
    never "$at injection_rate = $value: it must be a number, 0 … 1
$at injection_rate = $value: no class may be silent; leave it out" mesh.cfg injection_rate=$value
done
never "$at packet_size = 0: it must be a number, 1 … 65535" mesh.cfg packet_size=0
differs "$at packet_size = 1.5: it must be a whole number of flits" mesh.cfg packet_size=1.5
never "$at injection_rate = 1: a load of 2000 is too much" \
    mesh.cfg injection_rate=1 injection_rate_uses_flits=0 packet_size=2000 vc_buf_size=2000 hold_switch_for_packet=1

# Routers.
speedup="\`router.speedup\` is a whole number and needs a finite output buffer; 1.0 would be right"
for value in 0.5 3.0 99.0; do differs "$at internal_speedup = $value: $speedup" mesh.cfg internal_speedup=$value; done
never "$at internal_speedup = x: it must be a number" mesh.cfg internal_speedup=x
differs "$at output_speedup = 2: \`router.output-speedup\` needs a finite output buffer; 1 would be right" mesh.cfg output_speedup=2
differs "$at st_final_delay = 0: BookSim needs one cycle here; 1 would be right" mesh.cfg st_final_delay=0
differs "$at arb_type = tree: round_robin or matrix is translated; round_robin would be right" \
    mesh.cfg arb_type=tree sw_allocator=separable_input_first
differs "$at sw_allocator = zzz: islip or separable_input_first would be right; scheduler islip is the nearest" mesh.cfg sw_allocator=zzz
differs "$at vc_allocator = zzz: \`router.vc-stage\`: channels take requesters, requesters accept, once; islip would be right" mesh.cfg vc_allocator=zzz
same mesh.cfg sim_type=throughput
same mesh.cfg vc_buf_size=1
has same.yaml 'buffer: 1 flit'
same mesh.cfg 'k=4;n=2'

# What is no word of the language is shown as '?', wherever it stands.
# wrong TEXT MESSAGE: the file as printf writes it.
wrong() {
    printf '%b' "$1" >wrong.cfg
    run 1 "$WEFT" import booksim wrong.cfg
    [[ $(head -n 1 err) == "wrong.cfg:$2" ]] || { cat err; fail "not: $2"; }
}
wrong 'k = 4;/\n' "2: '=' must follow /, the file ends"
wrong 'k = 4\001;\n' "1: ';' must follow a value, found '?'"
wrong 'k\001= 4;\n' "1: '=' must follow k, found '?'"
wrong '\001 = 4;\n' "1: expected \`key = value;\`, found '?'"
wrong 'k = 4;\000\n' "1: expected \`key = value;\`, found '?'"
wrong 'k = a//b\n;' '1: k = a: it must be a whole number'
wrong 'k = 1e3;' '1: k = 1e3: it must be a whole number'
wrong 'k = 99999999999999999;' '1: k = 99999999999999999: it must be a whole number'

# More differences than a message has room for.
many=()
for i in {10..80}; do many+=("unknown_key_of_some_length_$i=3"); done
run 1 "$WEFT" import booksim mesh.cfg "${many[@]}"
has err "command line:1: BookSim has no key 'unknown_key_of_some_length_10'"
shown=$(grep -c unknown_key err)
has err "… and $((71 - shown)) more
--nearest writes the scenario all the same, with each difference as a comment"
