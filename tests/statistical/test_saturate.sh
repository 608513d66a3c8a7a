#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What `weft saturate` calls accepted at offered 1.0 is the steady state of full buffers: on an 8×8 torus of routers
# with 4 virtual channels the mean over 4 seeds of runs of 600,000 cycles, the first 100,000 left out, is .682.
# shellcheck source=/dev/null
source "$WEFT_SOURCE/tests/cli/lib.sh"

cat >torus.yaml <<'END'
interweft: 1
topology: {kind: torus, dims: [8, 8]}
router: {kind: input-queued, vcs: 4, buffer: 64 flits}
routing: {kind: dimension-order}
traffic:
  all: {pattern: uniform, length: 16 flits, load: 0.3}
END
# within NAME LOW HIGH VALUE
within() {
    echo "$1: $4 ($2 … $3)"
    awk -v low="$2" -v high="$3" -v value="$4" 'BEGIN { exit !(value >= low && value <= high) }' ||
        fail "$1 is $4, not $2 … $3"
}
run 0 "$WEFT" saturate torus.yaml --quiet --tolerance 0.1
read -r _ accepted interval rest < <(grep accepted out)
low=${interval//[\[,]/} high=${rest%%]*}
within 'accepted at offered 1.0' 0.667 0.697 "$accepted"
within 'half of its interval' 0 0.0075 "$(awk -v a="$low" -v b="$high" 'BEGIN { print (b - a) / 2 }')"
within 'stable load' 0.6 0.7 "$(awk '/saturation/ { print $3 }' out)"
has out '  bound        0.9844'

# A run that ends before it can tell proves nothing. This dragonfly saturates between .34 and .38 (20 million
# packets: .355 is carried, .365 is not), and its bound is .5; runs of 50,000 packets hardly fill its buffers.
cat >dragonfly.yaml <<'END'
interweft: 1
topology: {kind: dragonfly, groups: 9, routers: 4, hosts: 2}
router: {kind: input-queued, vcs: 6, buffer: 32 flits}
routing: {kind: valiant}
traffic:
  all: {pattern: group-adversarial, length: 1 flit, load: 0.3}
END
run 0 "$WEFT" saturate dragonfly.yaml --quiet --tolerance 0.05 measure.limit.packets=50000
within 'stable load of short runs' 0 0.38 "$(awk '/saturation/ { print $3 }' out)"
within 'unstable load of short runs' 0.34 0.5 "$(awk '/saturation/ { print $5 }' out)"
has out '  wide because runs at '
has out ' ended at measure.limit.packets, after '
has out '  bound        0.5'
run 0 "$WEFT" saturate dragonfly.yaml --quiet --tolerance 0.05 measure.limit.packets=1000000
within 'stable load' 0.32 0.37 "$(awk '/saturation/ { print $3 }' out)"
within 'unstable load' 0.35 0.4 "$(awk '/saturation/ { print $5 }' out)"

# A 16-ring of finite buffers carries less once it is congested, and the bracket says so.
run 0 "$WEFT" saturate torus.yaml --quiet --tolerance 0.05 'topology.dims=[16,16]' measure.limit.packets=400000
has out '  congestion   an empty network carries up to '
within 'a congested 16-ring' 0.15 0.27 "$(awk '/saturation/ { print $3 }' out)"

# Unbounded queues do not hold packets back at their sources. Tornado on a ring of 8 saturates at 1/3; at load 1.0 every
# hop passes on a share s of what comes, s + s² + s³ = 1, so a packet of three hops arrives with s³ = .1607.
run 0 "$WEFT" saturate torus.yaml --quiet --tolerance 0.05 'router={}' 'routing={kind: minimal-adaptive}' \
    traffic.all.pattern=tornado
within 'stable load of the idealised ring' 0.28 0.3334 "$(awk '/saturation/ { print $3 }' out)"
within 'unstable load of the idealised ring' 0.333 0.334 "$(awk '/saturation/ { print $5 }' out)"
within 'accepted by the idealised ring at 1.0' 0.152 0.170 "$(awk '/accepted/ { print $2 }' out)"

# A span that is given is measured as it is, and accepted is what `weft run` says at that load, also where host links
# have a rate of their own and endpoints several.
span=(measure.warmup='5000 cycles' measure.limit.time='20000 cycles')
for settings in 'links={}' 'links={rate: 1 flits/cycle, host: {rate: 0.5 flits/cycle}}' \
    'endpoint.ports=2'; do
    run 0 "$WEFT" saturate torus.yaml --quiet --tolerance 0.5 "${span[@]}" "$settings"
    found=$(awk '/accepted/ { print $2 }' out)
    run 0 "$WEFT" run torus.yaml --quiet --new "${span[@]}" "$settings" traffic.all.load=1
    [[ $found == "$(printf %.4g "$(metric torus.weft accepted)")" ]] ||
        fail "$settings: saturate says $found, run $(metric torus.weft accepted)"
done

# Queues that drop packets never grow without bound: there is nothing to bracket.
run 1 "$WEFT" saturate torus.yaml --quiet 'router={kind: shared-queue, queue: [2]}' 'routing={kind: minimal-adaptive}'
has err 'this network has no saturation load: its queues drop packets instead of growing ('
