#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# weft explain --trace: what packets wait for, each cause in its words; names of packets, and names that no packet has.
# (tests/reference/test_property.c: are journeys right?)
# shellcheck source=/dev/null
source "$WEFT_SOURCE/tests/cli/lib.sh"

# trace NAME: the five slowest packets of 2000 cycles of tests/data/why/NAME.yaml are in ./out.
trace() {
    run 0 "$WEFT" run "$WEFT_SOURCE/tests/data/why/$1.yaml" measure.limit.time='2000 cycles' --quiet --new -o point.weft
    run 0 "$WEFT" explain point.weft --trace 5
}
trace 04-injection-bus
has out "; that one: the endpoint's bus or rate control"
# At its source a packet lacks VCs and credits of the injection link, not of the link to the endpoint that sends it.
trace 12-vcs-of-a-class
has out '; that one: no open VC of the injection link'
has out '  no open VC of link (3,1)-x'
has out 'packet 5:bulk:'
trace 13-vcs-stage
has out '; that one: no credits of the injection link, first in the buffer behind it: '
has out '  stages of the router'
trace 20-fault
has out 'others were granted than it for link spine 1:p1->leaf 1'
for wait in 'no credits' 'no open VC'; do
    ! grep -q "that one: $wait of endpoint" out || fail 'a source waits for credits of the endpoint'
done

# A message of three packets; the packets that it does not have.
cat >mesh.yaml <<'END'
interweft: 1
topology: {kind: mesh, dims: [4, 4]}
links: {latency: 1 cycle}
router: {kind: input-queued, vcs: 2, buffer: 32 flits}
routing: {kind: dimension-order}
endpoint: {mtu: 4 flits}
traffic: {all: {pattern: transpose, length: 12 flits, load: 0.3}}
measure: {limit: {time: 2000 cycles}}
END
run 0 "$WEFT" run mesh.yaml --quiet
run 0 "$WEFT" explain mesh.weft --trace 1:2.2
is out 'times in cycles

packet 1:2.2 of 4 flits, endpoint 1 to 4: latency 24 cycles, from 54 to 78
      ready at    waited
            54         8  source → injection link 0, VC 1
                       4  behind 1:2.1; that one: the injection link carries another packet
                       4  the injection link carries another packet
            65         0  router (0, 1), injection input 4, VC 1 → link (0,1)+x, VC 1
            69         0  router (1, 1), input 1, VC 1 → link (1,1)-y, VC 1
            73         0  router (1, 0), input 2, VC 1 → endpoint 4'
# refused PACKET MESSAGE
refused() {
    run 1 "$WEFT" explain mesh.weft --trace "$1"
    none out
    is err "$2"
}
refused 1:2.3 'message 2 of endpoint 1 has no packet 3: they are counted from 0'
refused 1:0.4294967295 'message 0 of endpoint 1 has no packet 4294967295: they are counted from 0'
refused 0 '--trace 0: 1 to 1000 packets'
refused 1001 '--trace 1001: 1 to 1000 packets'
refused 1:3x "--trace: 'x' behind the name of a packet"
refused 1:3.1x "--trace: '.1x' behind the name of a packet"
refused 1:none:3 "--trace: there is no traffic class 'none'"
# Messages that wait for answers: whether they come is known only when the run has ended.
run 0 "$WEFT" run mesh.yaml traffic.all.window=1 endpoint={} --quiet --new
refused 1:100000 'endpoint 1 has not come to message 100000 when the run ends'
refused 1:3.1 'message 3 of endpoint 1 has no packet 1: they are counted from 0'
# Nothing was delivered.
run 0 "$WEFT" run mesh.yaml measure.limit.time='5 cycles' --quiet --new
refused slowest 'no message was delivered in the measured part'
# Messages of a program leave in another order than their numbers say.
cat >order.goal <<'GOAL'
num_ranks 3
rank 0 {
  a: send 700b to 1 tag 1
  b: send 400b to 2 tag 2
  a requires b
}
rank 1 {
  x: recv 700b from 0 tag 1
}
rank 2 {
  y: recv 400b from 0 tag 2
}
GOAL
cat >order.yaml <<'END'
interweft: 1
topology: {kind: torus, dims: [3]}
links: {flit: 64 B}
router: {kind: input-queued, vcs: 2, buffer: 16 flits}
jobs: {j: {file: order.goal}}
END
run 0 "$WEFT" run order.yaml --quiet --trace 2
has out 'of 11 flits, endpoint 0 to 1'
has out 'of 7 flits, endpoint 0 to 2'
