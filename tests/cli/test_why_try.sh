#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# weft explain --try: which settings are tried on which networks, by what they are judged, and what cannot be tried.
# shellcheck source=/dev/null
source "$WEFT_SOURCE/tests/cli/lib.sh"

# A point that accepts all it is offered is judged by latency: without the 4 cycles of a DMA engine 99 % are 4 cycles sooner.
cat >mesh.yaml <<'END'
interweft: 1
topology: {kind: mesh, dims: [4, 4]}
links: {latency: 1 cycle, regional: {rate: 2 flits/cycle}}
endpoint: {dma: 4 cycles}
router: {kind: input-queued, vcs: 2, buffer: 32 flits, vc-stage: true}
routing: {kind: dimension-order}
traffic: {all: {pattern: uniform, length: 4 flits, load: 0.1, window: 2}}
measure: {limit: {time: 2000 cycles}}
END
run 0 "$WEFT" run mesh.yaml --quiet
run 0 "$WEFT" explain mesh.weft --try
has out '  one change at a time; gain of 99 % latency that is saved
   accepted    cycles       p99                    gain, %
     0.1005    25.176      39.5                             as it is
     0.1006    21.175      35.5     +10.1 (+10.1 to +10.1)  endpoint.dma=0 cycles
'
for change in router.vc-stage=false traffic.all.window=16 \
    'links.local.rate=2 flits/cycle and links.global.rate=2 flits/cycle and links.regional.rate=4 flits/cycle'; do
    has out ")  $change
"
done
has out '  router.queues=voq: mesh.weft:5:66: router.vc-stage works with queues: fifo, found voq
'

# Rates that only the file of a topology says stay; a file that says none, or a scenario that says them all, leaves them to try.
# fabric RATE: two switches with a cable, which has this rate.
fabric() {
    printf 'host a 2\nhost b 2\na b %s\n' "$1" >pair.edges
    run 0 "$WEFT" import edges pair.edges -o pair.weftnet
}
cat >pair.yaml <<'END'
interweft: 1
clock: 1 GHz
topology: {kind: file, path: pair.weftnet}
links: {rate: 100 Gb/s, flit: 64 B, latency: 5 ns}
router: {kind: input-queued, vcs: 2, buffer: 32 flits}
routing: {kind: up-down}
traffic: {all: {pattern: uniform, length: 4 flits, load: 0.1}}
measure: {limit: {time: 10 us}}
END
refused='  links.local.rate: the file of the topology has the rates of its links'
fabric rate=25Gb/s
run 0 "$WEFT" run pair.yaml --quiet
run 0 "$WEFT" explain pair.weft --try
has out "$refused"
run 0 "$WEFT" run pair.yaml links.local.rate='50 Gb/s' --quiet --new
run 0 "$WEFT" explain pair.weft --try
has out ')  links.local.rate=100 Gb/s and links.global.rate=200 Gb/s
'
fabric latency=9ns
run 0 "$WEFT" run pair.yaml --quiet --new
run 0 "$WEFT" explain pair.weft --try
has out ')  links.local.rate=200 Gb/s and links.global.rate=200 Gb/s
'
[[ $(cat out) != *"$refused"* ]] || fail 'a file without rates has rates'
