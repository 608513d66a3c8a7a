#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Hamiltonian cycles: queues at the links packets came by serve as well as queues at those they leave by, to the last tick;
# on minimal routes they do not. What does not fit is refused.
# shellcheck source=/dev/null
source "$WEFT_SOURCE/tests/cli/lib.sh"

cat >torus.yaml <<'END'
interweft: 1
topology: {kind: torus, dims: [8, 8]}
router:   {kind: output-queued, header: 1 cycle}
endpoint: {injection: unlimited, reception: unlimited}
routing:  {kind: hamiltonian}
traffic:
  all: {pattern: uniform, arrival: poisson, length: {kind: exponential, mean: 64 flits}, rho: 0.6}
measure:  {by: history, half-width: 0.0001%, limit: {packets: 50000}}
END
# numbers RESULTS: every metric, histogram and link, without the settings.
numbers() {
    "$WEFT" export "$1" --format canonical | grep -v '^point' | grep -v 'fifos' | sha256sum
}
for fifos in output input; do
    run 0 "$WEFT" run torus.yaml router.fifos=$fifos --results $fifos.weft
done
[[ $(numbers output.weft) == "$(numbers input.weft)" ]] || fail 'queues at inputs change the times on cycles'
[[ $("$WEFT" export output.weft --format canonical | grep -vc '^point') -gt 200 ]] || fail 'nothing was compared'
[[ $(metric output.weft delivered) -ge 50000 ]] || fail 'too few packets'

for fifos in output input; do
    run 0 "$WEFT" run torus.yaml router.fifos=$fifos routing.kind=minimal-oblivious --results $fifos.weft --new
done
[[ $(numbers output.weft) != "$(numbers input.weft)" ]] || fail 'queues at inputs hold nobody up on minimal routes'

# Cycles where they are not much longer, minimal routes elsewhere; with virtual channels and finite buffers as well.
run 0 "$WEFT" run torus.yaml 'routing={kind: hamiltonian, detour: 1.5}' --results mixed.weft
awk -v hops="$(metric mixed.weft hops)" 'BEGIN { exit !(hops > 4.0 && hops < 11.1) }' ||
    fail "a mean of $(metric mixed.weft hops) hops"
run 0 "$WEFT" check torus.yaml 'router={kind: input-queued, vcs: 2, buffer: 200 flits}' \
    endpoint.injection=one-port endpoint.reception=one-port traffic.all.length='16 flits' traffic.all.rho=0.2
has out 'deadlock               none possible'

run 1 "$WEFT" check torus.yaml 'topology.dims=[8, 4]'
has err 'routing hamiltonian needs a torus of k × k routers, k from 3 to 63'
run 1 "$WEFT" check torus.yaml 'topology={kind: fat-tree, levels: 2, arity: 4}' routing.kind=d-mod-k router.fifos=input
has err 'router.fifos input is for topologies whose links join the same ports everywhere'
