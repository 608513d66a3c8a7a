#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Plug-ins that claim too much, or were compiled against other headers: a claim is printed as a claim and refuted by
# --thorough; a record of another interface is refused with a sentence; a shorter one of this interface works.
# shellcheck source=/dev/null
source "$WEFT_SOURCE/tests/cli/lib.sh"

# plugin NAME FAMILY SOURCE: compiles NAME.so from a source that defines `static const … kind`.
plugin() {
    {
        cat "$3"
        cat <<END
static const weft_plugin_item items[] = {{"$2", &kind.base}, {NULL, NULL}};
static const weft_plugin plugin = {WEFT_ABI, sizeof plugin, "$1", items};
const weft_plugin *weft_plugin_get(void)
{
    return &plugin;
}
END
    } >"$1.c"
    "$WEFT_CC" -std=c17 -O1 -shared -fPIC -I "$WEFT_SOURCE/include" -o "$1.so" "$1.c"
}

# Minimal routes of a torus in one class of VCs deadlock; this kind says that they cannot.
cat >liar.in <<'END'
#include <interweft/interweft.h>
static weft_status assign_vcs(weft_routing *routing, uint32_t vcs, weft_error *err)
{
    (void)err;
    routing->plan = (weft_vc_plan){.n_vcs = vcs, .open = (uint16_t)((1u << vcs) - 1)};
    return WEFT_OK;
}
static unsigned candidates(const weft_routing *routing, const weft_route_context *at, weft_random *random,
                           weft_candidate *out)
{
    (void)random;
    weft_minimal_port port;
    routing->topology->kind->minimal_ports(routing->topology, at->router, at->header, 1, &port);
    out[0] = (weft_candidate){port.port, 0, routing->plan.open, port.next_header};
    return 1;
}
static const weft_routing_kind kind = {.base = {.abi = WEFT_ABI, .size = sizeof kind, .name = "liar", .brief = "-"},
                                       .assign_vcs = assign_vcs,
                                       .candidates = candidates,
                                       .always_minimal = true,
                                       .proof = {.globally_ordered = true, .input_independent = true}};
END
plugin liar routing liar.in
cat >torus.yaml <<'END'
interweft: 1
topology: {kind: torus, dims: [64, 64]}
router: {kind: input-queued, vcs: 1, buffer: 16 flits}
routing: {kind: liar}
traffic: {all: {pattern: uniform, length: 4 flits, load: 0.1}}
measure: {limit: {time: 100 cycles}}
END
run 0 "$WEFT" check torus.yaml --plugin ./liar.so 'topology.dims=[24, 24]'
has out 'possible: '
grep -q 'none possible' out && fail 'a claim is told as a proof'
# On a mesh it is true, but beyond what can be followed in seconds it is a claim. (The sanitizers take too long.)
if ! grep -q __asan_init "$WEFT"; then
    run 0 "$WEFT" check torus.yaml --plugin ./liar.so 'topology={kind: mesh, dims: [128, 128]}'
    has out 'not verified; routing liar claims, and --thorough verifies: all routes follow one order of the links'
    grep -q 'none possible' out && fail 'a claim is told as a proof'
fi
run 0 "$WEFT" check torus.yaml --plugin ./liar.so --thorough 'topology.dims=[24, 24]'
has out 'possible: '
run 0 "$WEFT" check torus.yaml --plugin ./liar.so 'topology.dims=[8, 8]'
has out 'possible: '

# A routing that decides again and does not list what it may decide.
sed -e 's/^static const weft_routing_kind kind/static uint32_t reroute(const weft_routing *r, const weft_route_context *at, const weft_congestion_view *v, weft_random *d)\n{\n    (void)r, (void)v, (void)d;\n    return at->header;\n}\n&/' \
    -e 's/\.always_minimal = true/.reroute = reroute/' liar.in >quiet.in
plugin quiet routing quiet.in
run 0 "$WEFT" check torus.yaml --plugin ./quiet.so 'topology.dims=[4, 4]'
has out 'deadlock               not examined: routing liar does not list its headers (proof.reroute_outcomes)'

# Another interface.
sed 's/\.abi = WEFT_ABI/.abi = 1/' liar.in >old.in
plugin old routing old.in
run 1 "$WEFT" check torus.yaml --plugin ./old.so
has err 'a routing was built for interface 1 of Interweft; this is interface 3: compile it against today'
# A record that is longer than today's.
sed 's/\.size = sizeof kind/.size = sizeof kind + 8/' liar.in >new.in
plugin new routing new.in
run 1 "$WEFT" check torus.yaml --plugin ./new.so
has err 'a routing was built for a newer Interweft'

# A record that ends behind its base, for every family: what it lacks is told, whatever lies behind it in the plug-in.
# short FAMILY STATUS
short() {
    cat >short.in <<END
#include <interweft/interweft.h>
static const struct {
    weft_component base;
    unsigned char rest[4096];
} kind = {.base = {.abi = WEFT_ABI, .size = sizeof(weft_component), .name = "short", .brief = "-"},
          .rest = {[0 ... 4095] = 0xa5}};
END
    plugin short "$1" short.in
    run "$2" "$WEFT" describe short --plugin ./short.so
}
for family in topology routing scheduler arbiter pattern arrival length model; do
    short "$family" 1
    has err "$family 'short' has no \`"
    has err "\`, which every $family needs"
done
for family in router scope placement; do
    short "$family" 1
    has err "plug-ins cannot add to the family $family"
done
# This needs nothing: it keeps dimension order.
short selection 0
has out 'selection short: -'
run 0 "$WEFT" run torus.yaml --plugin ./short.so --quiet router.vcs=4 \
    'routing={kind: minimal-adaptive, selection: short}' 'topology={kind: mesh, dims: [4, 4]}'
# Of a routing that ends behind `assign_vcs`, everything works; of one that ends before it, with unbounded buffers.
sed 's/\.size = sizeof kind/.size = offsetof(weft_routing_kind, check)/' liar.in >brief.in
plugin brief routing brief.in
run 0 "$WEFT" run torus.yaml --plugin ./brief.so --quiet --new 'topology={kind: mesh, dims: [4, 4]}'
has out 'limit time'
sed 's/\.size = sizeof kind/.size = offsetof(weft_routing_kind, assign_vcs)/' liar.in >brief.in
plugin brief routing brief.in
run 1 "$WEFT" run torus.yaml --plugin ./brief.so --quiet --new
has err 'routing liar does not say which virtual channels a packet may use'
for router in output-queued shared-queue; do
    run 0 "$WEFT" run torus.yaml --plugin ./brief.so --quiet --new "router={kind: $router}"
    has out 'limit time'
done

# Mistakes in a plug-in are told in a sentence before anything is simulated.
# broken FILE FAMILY SCENARIO SED TEXT [STATUS]: an example with one line changed.
broken() {
    sed -e "$4" "$1" >broken.c
    cmp -s "$1" broken.c && fail "nothing changed: $4"
    "$WEFT_CC" -std=c17 -O1 -shared -fPIC -I "$WEFT_SOURCE/include" -o broken.so broken.c
    for verb in check run; do
        run "${6:-3}" "$WEFT" "$verb" "$3" --plugin ./broken.so
        has err "$5"
        grep -qE "^$3:[0-9]+:[0-9]+: $2 " err || fail 'no place'
    done
}
routing=$WEFT_SOURCE/examples/03-own-routing topology=$WEFT_SOURCE/examples/04-own-topology
cp "$routing/mesh.yaml" "$topology/kautz.yaml" .
broken "$routing/west_first.c" routing mesh.yaml 's/ports\[i\]\.next_header}/0}/' 'and would leave the network, at router'
broken "$routing/west_first.c" routing mesh.yaml 's/return count;/return 0;/' 'gives 0 candidates at router 0'
broken "$routing/west_first.c" routing mesh.yaml 's/0, vcs,/0, 0,/' 'gives VCs 0x0 at router 0'
broken "$routing/west_first.c" routing mesh.yaml 's/0, vcs,/0, 0x8000,/' 'gives VCs 0x8000 at router 0'
broken "$routing/west_first.c" routing mesh.yaml 's/{ports\[i\].port/{3/' 'there is no link'
broken "$topology/kautz.c" topology kautz.yaml '/\.upstream = upstream/d' 'but the other end of that is'
broken "$topology/kautz.c" topology kautz.yaml 's/= routers \* net->degree;/= routers;/' 'has 108 links, but says 36'
broken "$topology/kautz.c" topology kautz.yaml 's/return ((const instance \*)topology->self)->mean/& \/ 2/' 'mean_distance is '
broken "$topology/kautz.c" topology kautz.yaml 's/return hops(net, &here, &there);/return 1 + hops(net, \&here, \&there);/' 'distance from router 0 to 1 is '
broken "$topology/kautz.c" topology kautz.yaml 's/topology->ports = net->degree;/& topology->uniform = true;/' 'is not uniform'
broken "$topology/kautz.c" topology kautz.yaml 's/topology->ports = net->degree;/& topology->cut.n_rows = 2;/' 'cut.row has to begin with 0 and ascend'
broken "$topology/kautz.c" topology kautz.yaml 's/^static const weft_topology_kind/static void zero(const weft_topology *t, uint32_t *order)\n{\n    for (uint32_t r = 0; r < t->routers; r++)\n        order[r] = 0;\n}\n&/; s/\.upstream = upstream,/& .cut_order = zero,/' 'cut_order puts router 0 at place 1'
broken "$topology/kautz.c" topology kautz.yaml 's/return port->hops - 1u;/return port->hops;/' 'is not below its 3 classes'

# Routers without virtual channels do not tell a routing the input: ports that depend on it are found out.
sed 's/^router:.*/router: output-queued/' mesh.yaml >queued.yaml
broken "$routing/west_first.c" routing queued.yaml 's/return count;/return at->port == WEFT_FROM_ENDPOINT ? count : 1;/' \
    'set ports_by_input'
broken "$routing/west_first.c" routing queued.yaml 's/\.assign_vcs = /.ports_by_input = true, &/' \
    'chooses ports by the port and the virtual channel a packet came in by' 1
