#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The templates of examples/05-templates build without a warning, run and pass `weft selftest`, which finds a broken promise
# in a kind of every family that plug-ins can add to.
# shellcheck source=/dev/null
source "$WEFT_SOURCE/tests/cli/lib.sh"
# LeakSanitizer (clang 14) crashes on the thread-local storage of some programs that have loaded a library.
export LSAN_OPTIONS=${LSAN_OPTIONS:+$LSAN_OPTIONS:}use_tls=0
cp "$WEFT_SOURCE/examples/05-templates"/* .

grep '^cc ' README.md >lines
while read -r -a command; do
    "$WEFT_CC" "${command[@]:1}" -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror -I "$WEFT_SOURCE/include"
done <lines
run 0 "$WEFT" selftest --plugin ./routing.so
has out '54 scenarios: 18 ok, 0 can deadlock, 36 refused, 0 failed'
has out 'refused  12 scenarios: routing my-routing needs a mesh, found a torus'
run 0 "$WEFT" selftest --plugin ./topology.so
has out '24 scenarios: 19 ok, 0 can deadlock, 5 refused, 0 failed'
run 0 "$WEFT" run mesh.yaml --plugin ./routing.so --quiet
run 0 "$WEFT" run ring.yaml --plugin ./topology.so --quiet
run 0 "$WEFT" selftest --plugin ./topology.so ring.yaml topology.routers=5
has out '1 scenario: 1 ok, 0 can deadlock, 0 refused, 0 failed'
run 1 "$WEFT" run mesh.yaml --plugin ./routing.so --quiet routing.spare=2
has err 'mesh.yaml:5:35: router.vcs must be above routing.spare, found 2'

run 2 "$WEFT" selftest
has err 'selftest needs a plug-in: weft selftest --plugin ./FILE.so'

# broken TEMPLATE SED TEXT: a template with one line changed.
broken() {
    sed -e "$2" "$1" >broken.c
    cmp -s "$1" broken.c && fail "nothing changed: $2"
    "$WEFT_CC" -std=c17 -O1 -shared -fPIC -I "$WEFT_SOURCE/include" -o broken.so broken.c
    run 3 "$WEFT" selftest --plugin ./broken.so
    grep -q '^FAILED ' out || fail 'nothing failed'
    has out "$3"
}
broken routing.c 's/return 1;/return 0;/' 'gives 0 candidates at router'
broken routing.c 's/= port.next_header/= 0/' 'and would leave the network'
broken topology.c 's/n \* n \/ 4/n * n \/ 2/' 'mean_distance is'
broken topology.c 's/crosses ? 0 : 1/crosses ? 0 : 2/' 'is not below its 2 classes'
# A topology that forgets its dateline can deadlock.
sed -e 's/topology->max_vc_classes = 2;/topology->max_vc_classes = 1;/' -e 's/= topology->vc_classes\[DOWN\] = 2;/= topology->vc_classes[DOWN] = 1;/' \
    -e '/\.vc_class = vc_class/d' -e '/^static uint32_t vc_class/,/^}/d' topology.c >open.c
"$WEFT_CC" -std=c17 -O1 -shared -fPIC -I "$WEFT_SOURCE/include" -o open.so open.c
run 3 "$WEFT" selftest --plugin ./open.so
has out 'DEADLOCK topology my-ring, {kind: input-queued, vcs: 2} {kind: dimension-order}'
has out 'deadlock possible: '
has err 'packets can deadlock; '
# Headers that a routing draws and does not list would be overlooked by the proof.
sed -e 's/^static const weft_routing_kind my_routing/static uint32_t initial(const weft_routing *r, uint32_t from, uint32_t to, weft_random *d)\n{\n    (void)d;\n    return r->topology->kind->make_header(r->topology, from, to, NULL);\n}\nstatic uint32_t all(const weft_routing *r, uint32_t from, uint32_t to, void (*each)(void *, uint32_t), void *user)\n{\n    each(user, 1 + initial(r, from, to, NULL));\n    return 1;\n}\n&/' \
    -e 's/\.check = check,/& .initial_header = initial, .proof.initial_headers = all,/' routing.c >unlisted.c
"$WEFT_CC" -std=c17 -O1 -shared -fPIC -I "$WEFT_SOURCE/include" -o unlisted.so unlisted.c
run 3 "$WEFT" selftest --plugin ./unlisted.so
has out 'which initial_headers does not list'

# A routing that draws one of its candidates at every hop: only some draws can be examined.
sed -e 's/(void)random;.*/unsigned second = weft_random_below(random, 5) == 0;/' -e 's/weft_minimal_port port;/weft_minimal_port ports[2];/' \
    -e 's/(void)topology->kind->minimal_ports(topology, at->router, at->header, 1, &port);/unsigned count = topology->kind->minimal_ports(topology, at->router, at->header, 2, ports);\n    weft_minimal_port port = ports[count > 1 \&\& second];/' \
    -e 's/\.check = check,/& .draws = true,/' routing.c >rare.c
"$WEFT_CC" -std=c17 -O1 -shared -fPIC -I "$WEFT_SOURCE/include" -o rare.so rare.c
run 0 "$WEFT" check mesh.yaml --plugin ./rare.so routing.spare=0 'topology={kind: mesh, dims: [2, 2]}' router.vcs=1
grep -q 'none possible' out && fail 'a sample of draws is told as a proof'
run 3 "$WEFT" selftest --plugin ./rare.so
has out 'DEADLOCK routing my-routing'

# plugin FAMILY TYPE MEMBERS FUNCTIONS TEXT: a kind of another family that breaks a promise.
plugin() {
    cat >other.c <<END
#include <interweft/interweft.h>
$4
static const $2 kind = {.base = {.abi = WEFT_ABI, .size = sizeof kind, .name = "other", .brief = "-"}, $3};
static const weft_plugin_item items[] = {{"$1", &kind.base}, {NULL, NULL}};
static const weft_plugin plugin = {WEFT_ABI, sizeof plugin, "other", items};
const weft_plugin *weft_plugin_get(void)
{
    return &plugin;
}
END
    "$WEFT_CC" -std=c17 -O1 -shared -fPIC -I "$WEFT_SOURCE/include" -o other.so other.c
    run "${6:-3}" "$WEFT" selftest --plugin ./other.so
    has out "$5"
}
plugin selection weft_selection_kind '.rank = rank' \
    'static void rank(const void *s, weft_minimal_port *p, unsigned n, unsigned w, weft_random *r) { (void)s, (void)w, (void)r; p[0] = p[n - 1]; }' \
    'selection other loses or changes ports'
plugin selection weft_selection_kind '.rank = rank' \
    'static void rank(const void *s, weft_minimal_port *p, unsigned n, unsigned w, weft_random *r) { (void)s, (void)w, (void)r; weft_minimal_port t = p[0]; p[0] = p[n - 1]; p[n - 1] = t; }' \
    '54 scenarios: 44 ok, 0 can deadlock, 10 refused, 0 failed' 0
pattern='static weft_status build(weft_pattern *p, const void *s, weft_error *e) { (void)p, (void)s, (void)e; return WEFT_OK; }
static uint32_t size(const weft_pattern *p) { return p->topology->edge_routers * p->topology->concentration; }
static double hops(const weft_pattern *p) { return p->topology->kind->mean_distance(p->topology); }
static uint32_t to(const weft_pattern *p, uint32_t s, weft_random *r) { (void)r; return (s + 1)'
members='.build = build, .destination = to, .mean_hops = hops, .senders = size'
plugin pattern weft_pattern_kind "$members" "$pattern % (size(p) + 1); }" 'pattern other: endpoint '
plugin pattern weft_pattern_kind "$members" "$pattern % size(p); }" '18 scenarios: 18 ok, 0 can deadlock, 0 refused, 0 failed' 0
plugin length weft_length_kind '.flits = flits, .mean = mean' \
    'static uint32_t flits(const weft_length *l, weft_random *r) { (void)l; return 1 + weft_random_below(r, 4); }
     static double mean(const weft_length *l) { (void)l; return 2; }' \
    'length other: mean is 2 flits, but 4096 draws have mean 2.'
plugin arrival weft_arrival_kind '.interval = interval' \
    'static weft_fine_time interval(const weft_arrival *a, uint64_t i, weft_random *r) { static uint64_t n; (void)i, (void)r; return weft_fine_time_of(a->mean) + n++; }' \
    'arrival other: the interval before message 0 depends on more than its random stream'
arbiter='static size_t bytes(const void *s, uint32_t n) { (void)s, (void)n; return 1; }
static void reset(const void *s, uint32_t n, void *t) { (void)s, (void)n; *(uint8_t *)t = 0; }
static void granted(const void *s, uint32_t n, void *t, uint32_t w) { (void)s, (void)n, (void)t, (void)w; }
static uint32_t pick(const void *s, uint32_t n, const void *t, const weft_arbiter_input *in) { (void)s, (void)n, (void)t;'
members='.bytes = bytes, .reset = reset, .pick = pick, .granted = granted'
plugin arbiter weft_arbiter_kind "$members" "$arbiter (void)in; return 0; }" 'arbiter other picks 0 of '
plugin arbiter weft_arbiter_kind "$members" \
    "$arbiter uint32_t i = 0; while (!(in->asking[i / 64] >> i % 64 & 1)) i++; return i; }" \
    '36 scenarios: 36 ok, 0 can deadlock, 0 refused, 0 failed' 0
scheduler='static weft_status build(weft_scheduler *s, weft_error *e) { (void)e; s->bytes = 8; return WEFT_OK; }
static void reset(const weft_scheduler *s, void *t) { (void)s, (void)t; }
static void granted(const weft_scheduler *s, void *t, uint32_t i, uint32_t v, uint32_t o, bool f) { (void)s, (void)t, (void)i, (void)v, (void)o, (void)f; }
static void match(const weft_scheduler *s, const void *t, const weft_requests *r, weft_match *m) { (void)t; uint64_t free = ~UINT64_C(0);
    m->inputs = 0;
    for (uint32_t i = 0; i < s->inputs; i++)
        for (uint32_t v = 0; v < s->n_vcs && (r->asking >> i & 1) && !(m->inputs >> i & 1); v++)
            if (r->wants[i * s->n_vcs + v] & free) {
                m->vc[i] = (uint8_t)v;
                m->output[i] = (uint8_t)__builtin_ctzll(r->wants[i * s->n_vcs + v] & free);
                m->inputs |= UINT64_C(1) << i;'
members='.build = build, .reset = reset, .match = match, .granted = granted'
plugin scheduler weft_scheduler_kind "$members" "$scheduler } }" 'scheduler other matches output '
plugin scheduler weft_scheduler_kind "$members" "$scheduler free &= ~(UINT64_C(1) << m->output[i]); } }" \
    '36 scenarios: 36 ok, 0 can deadlock, 0 refused, 0 failed' 0
