/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/watch/waitwatch.h"

#include "base/memory.h"
#include "sim/source.h"

#include <stdlib.h>
#include <string.h>

#define NONE          UINT32_MAX
#define SOURCES_EVERY 16 /* samples: sources are counted */
#define STEPS         64 /* outputs that a chain of waits passes, at most */

typedef struct node { /* of a queue, in one sample */
    uint8_t cause;    /* WEFT_CAUSE_NONE: empty, or moving */
    bool known;       /* its root is */
    uint16_t out, vc;
    double packets, decides; /* of all fronts, and behind the one that decides */
    uint32_t root;           /* an output */
    uint8_t why;             /* the root's cause */
} node;

typedef struct waiting_packet { /* in a queue that waits, or at a source */
    uint32_t queue;             /* its number; of a source: that of the queue it wants */
    uint32_t source;            /* endpoint */
    double packets;
    uint8_t cause; /* of a source: its own */
    uint32_t out;
} waiting_packet;

typedef struct weft_waitwatch_sample {
    node *nodes; /* queues */
    size_t n_nodes;
    uint32_t *used; /* of these, in any order */
    size_t n_used;
    uint8_t *lost; /* per output: why it is idle */
    waiting_packet *packets;
    size_t n_packets, room;
    weft_waitwatch_edge *slots; /* a table with open addressing; packets 0: empty */
    size_t n_slots, n_edges;
} sample;

static size_t batch_of(const weft_waitwatch *s)
{
    return (size_t)s->samples * WEFT_WAITWATCH_BATCHES / s->plan.samples;
}

static uint32_t output_of(const weft_waitwatch *s, uint32_t router, uint32_t out)
{
    return router * s->outs + out;
}

static uint32_t queue_of(const weft_waitwatch *s, weft_input_queue queue)
{
    return (queue.router * s->outs + queue.in) * s->vcs + queue.vc;
}

void weft_waitwatch_init(weft_waitwatch *survey, const weft_network *network,
                         const weft_waitwatch_plan *plan)
{
    weft_platform platform;
    weft_platform_init(&platform, network);
    const weft_topology *topology = &network->topology;
    *survey = (weft_waitwatch){.plan = *plan,
                               .network = network,
                               .outs = topology->ports +
                                       topology->concentration * platform.endpoint_ports,
                               .vcs = network->vcs + 1};
    survey->n_outputs = (size_t)topology->routers * survey->outs;
    survey->outputs = weft_alloc(sizeof *survey->outputs * survey->n_outputs);
    survey->n_sources = (size_t)network->endpoints * network->n_traffic_classes;
    survey->begun = weft_alloc(sizeof *survey->begun * survey->n_sources);
    survey->taken = weft_alloc(sizeof *survey->taken * survey->n_sources);
    survey->arrived = weft_alloc(sizeof *survey->arrived * survey->n_sources);
    survey->flows = weft_alloc(sizeof *survey->flows * WEFT_WAITWATCH_ROOTS * network->endpoints);
    sample *now = weft_alloc(sizeof *now);
    now->n_nodes = survey->n_outputs * survey->vcs;
    now->nodes = weft_alloc(sizeof *now->nodes * now->n_nodes);
    now->used = weft_alloc(sizeof *now->used * now->n_nodes);
    now->lost = weft_alloc(survey->n_outputs);
    now->n_slots = 1024;
    now->slots = weft_alloc(sizeof *now->slots * now->n_slots);
    survey->now = now;
}

void weft_waitwatch_done(weft_waitwatch *survey)
{
    sample *now = survey->now;
    free(now->nodes);
    free(now->used);
    free(now->lost);
    free(now->packets);
    free(now->slots);
    free(now);
    free(survey->outputs);
    free(survey->begun);
    free(survey->taken);
    free(survey->arrived);
    free(survey->flows);
    free(survey->edges);
}

static void add_packet(sample *now, waiting_packet packet)
{
    if (now->n_packets == now->room) {
        now->room = now->room ? 2 * now->room : 256;
        now->packets = weft_realloc(now->packets, now->room, sizeof *now->packets);
    }
    now->packets[now->n_packets++] = packet;
}

static void see_front(void *user, const weft_blocked *front)
{
    weft_waitwatch *s = user;
    sample *now = s->now;
    uint32_t source = weft_packet_source(front->packet);
    if (front->queue.vc == WEFT_BLOCKED_SOURCE) {
        uint32_t queue =
            queue_of(s, (weft_input_queue){front->queue.router, front->out, front->vc});
        bool starts = front->cause == WEFT_CAUSE_NONE; /* the others wait for the link */
        if (starts && front->packets <= 1)
            return;
        add_packet(now,
                   (waiting_packet){.queue = queue,
                                    .source = source,
                                    .packets = (double)(front->packets - starts),
                                    .cause = (uint8_t)(starts ? WEFT_CAUSE_LINK : front->cause),
                                    .out = output_of(s, front->queue.router, front->out)});
        s->at_sources += (double)front->packets;
        return;
    }
    node *at = &now->nodes[queue_of(s, front->queue)];
    if (at->packets == 0)
        now->used[now->n_used++] = (uint32_t)(at - now->nodes);
    /* of several fronts (VOQ) the one that most packets wait behind decides */
    if (at->packets == 0 ||
        (front->cause != WEFT_CAUSE_NONE &&
         (at->cause == WEFT_CAUSE_NONE || (double)front->packets > at->decides))) {
        at->cause = (uint8_t)front->cause;
        at->out = front->out;
        at->vc = front->vc;
        at->decides = (double)front->packets;
    }
    at->packets += (double)front->packets;
    s->in_service += front->cause == WEFT_CAUSE_NONE;
    if (front->cause != WEFT_CAUSE_NONE)
        add_packet(now, (waiting_packet){
                            .queue = queue_of(s, front->queue), .source = source, .packets = 1});
}

static void see_behind(void *user, weft_input_queue queue, const weft_event *packet, uint32_t out)
{
    (void)out;
    weft_waitwatch *s = user;
    add_packet(s->now, (waiting_packet){.queue = queue_of(s, queue),
                                        .source = weft_packet_source(packet),
                                        .packets = 1});
}

static void see_output(void *user, uint32_t router, uint32_t out, bool busy, weft_wait_cause lost)
{
    weft_waitwatch *s = user;
    weft_waitwatch_output *at = &s->outputs[output_of(s, router, out)];
    at->busy += busy;
    at->batch_busy[batch_of(s)] += busy;
    at->lost[lost] += !busy;
    s->now->lost[output_of(s, router, out)] = (uint8_t)(busy ? WEFT_CAUSE_NONE : lost);
}

static void add_edge(sample *now, uint32_t from, uint32_t to, double packets);

static void grow_edges(sample *now)
{
    weft_waitwatch_edge *old = now->slots;
    size_t count = now->n_slots;
    now->n_slots *= 2;
    now->n_edges = 0;
    now->slots = weft_alloc(sizeof *now->slots * now->n_slots);
    for (size_t i = 0; i < count; i++)
        if (old[i].packets > 0)
            add_edge(now, old[i].from, old[i].to, old[i].packets);
    free(old);
}

static void add_edge(sample *now, uint32_t from, uint32_t to, double packets)
{
    size_t at = ((uint64_t)from * 0x9e3779b97f4a7c15u ^ (uint64_t)to * 0xc2b2ae3d27d4eb4fu) >> 20;
    for (at %= now->n_slots; now->slots[at].packets > 0; at = (at + 1) % now->n_slots)
        if (now->slots[at].from == from && now->slots[at].to == to)
            break;
    now->n_edges += now->slots[at].packets == 0;
    now->slots[at].from = from;
    now->slots[at].to = to;
    now->slots[at].packets += packets;
    if (2 * now->n_edges > now->n_slots)
        grow_edges(now);
}

/* The queue behind the output that a front lacks credits of; NONE: there is none. */
static uint32_t next_queue(const weft_waitwatch *s, uint32_t router, const node *at)
{
    const weft_topology *topology = &s->network->topology;
    if (at->out >= topology->ports)
        return NONE;
    weft_end to = topology->kind->peer(topology, router, at->out);
    if (to.router == WEFT_NOWHERE)
        return NONE;
    return queue_of(s, (weft_input_queue){to.router, (uint16_t)to.port, at->vc});
}

static bool waits_for_queue(const node *at)
{
    return at->cause == WEFT_CAUSE_CREDIT || at->cause == WEFT_CAUSE_VC;
}

/* Follows the waits of a queue to their root; a queue that is met again is in a circle, and ends
 * it. Chains are as long as paths, most often. */
static void find_root(const weft_waitwatch *s, uint32_t queue)
{
    node *nodes = s->now->nodes, *at = &nodes[queue];
    uint32_t steps = 0, q = queue;
    while (!at->known) {
        uint32_t router = q / s->vcs / s->outs,
                 next = waits_for_queue(at) ? next_queue(s, router, at) : NONE;
        bool goes_on = next != NONE && nodes[next].packets > 0 &&
                       nodes[next].cause != WEFT_CAUSE_NONE && steps < s->now->n_nodes;
        if (!goes_on) {
            at->root = output_of(s, router, at->out < s->outs ? at->out : 0);
            at->why = at->cause;
            at->known = true;
            break;
        }
        q = next;
        at = &nodes[q];
        steps++;
    }
    for (node *from = &nodes[queue]; from != at;) {
        uint32_t router = (uint32_t)(from - nodes) / s->vcs / s->outs;
        node *next = &nodes[next_queue(s, router, from)];
        from->root = at->root;
        from->why = at->why;
        from->known = true;
        from = next;
    }
}

static void add_flow(weft_waitwatch *s, const waiting_packet *packet, uint32_t root)
{
    for (size_t r = 0; r < s->n_roots; r++)
        if (s->roots[r] == root)
            s->flows[r * s->network->endpoints + packet->source].waiting += packet->packets;
}

/* A packet at an endpoint that does not wait for the queue behind its link; false: it does. */
static bool settle_source(weft_waitwatch *s, const waiting_packet *packet, const node *queue)
{
    weft_waitwatch_output *at = &s->outputs[packet->out];
    bool moves = queue->cause == WEFT_CAUSE_NONE;
    switch (packet->cause) {
    case WEFT_CAUSE_HOST:
        at->host += packet->packets;
        at->injection[batch_of(s)] += packet->packets;
        return true;
    case WEFT_CAUSE_LINK:
        at->injection[batch_of(s)] += moves ? packet->packets : 0;
        return moves;
    case WEFT_CAUSE_CREDIT:
    case WEFT_CAUSE_VC:
        at->stalled[batch_of(s)] += moves ? packet->packets : 0;
        at->short_of_vcs += moves && packet->cause == WEFT_CAUSE_VC ? packet->packets : 0;
        return moves;
    default:
        return moves;
    }
}

/* Every packet to the output that the front of its queue waits for. */
static void settle_packets(weft_waitwatch *s)
{
    sample *now = s->now;
    for (size_t i = 0; i < now->n_packets; i++) {
        const waiting_packet *packet = &now->packets[i];
        const node *at = &now->nodes[packet->queue];
        if (at->cause != WEFT_CAUSE_NONE || packet->cause != WEFT_CAUSE_NONE)
            s->waiting += packet->packets;
        if (settle_source(s, packet, at) || at->out >= s->outs)
            continue;
        uint32_t router = packet->queue / s->vcs / s->outs;
        s->outputs[output_of(s, router, at->out)].local[batch_of(s)] += packet->packets;
        find_root(s, packet->queue);
        add_flow(s, packet, at->root);
    }
}

/* Where the fronts of queues wait: for their own output, or for another one behind it. */
static void settle_edges(weft_waitwatch *s)
{
    sample *now = s->now;
    for (size_t i = 0; i < now->n_used; i++) {
        const node *at = &now->nodes[now->used[i]];
        uint32_t router = now->used[i] / s->vcs / s->outs;
        if (at->cause == WEFT_CAUSE_NONE || at->cause == WEFT_CAUSE_LINE || at->out >= s->outs)
            continue;
        uint32_t from = output_of(s, router, at->out),
                 next = waits_for_queue(at) ? next_queue(s, router, at) : NONE;
        if (next == NONE || now->nodes[next].cause == WEFT_CAUSE_NONE ||
            now->nodes[next].out >= s->outs) {
            *(next == NONE ? &s->outputs[from].contention : &s->outputs[from].credits) +=
                at->packets;
            continue;
        }
        add_edge(now, from, output_of(s, next / s->vcs / s->outs, now->nodes[next].out),
                 at->packets);
        if (now->lost[from] == WEFT_CAUSE_CREDIT || now->lost[from] == WEFT_CAUSE_VC) {
            s->outputs[from].pressed++;
            s->outputs[from].lost[now->lost[from]]--;
            now->lost[from] = WEFT_CAUSE_NONE; /* counted once */
        }
    }
}

/* Counts messages of sources up to now. */
static void count_sources(weft_waitwatch *s, const weft_instance *instance, bool first)
{
    const weft_network *network = s->network;
    const weft_topology *topology = &network->topology;
    for (uint32_t i = 0; i < instance->n_sites; i++) {
        const weft_site *site = &instance->sites[i];
        for (uint32_t local = 0; local < site->sources; local++) {
            uint32_t at = local / network->n_traffic_classes,
                     router = weft_partition_router(&instance->partition, site->block,
                                                    at / topology->concentration),
                     endpoint = weft_site_endpoint(topology, router, at % topology->concentration);
            if (endpoint >= network->endpoints || !site->counted)
                continue;
            size_t source =
                (size_t)endpoint * network->n_traffic_classes + local % network->n_traffic_classes;
            uint32_t taken = site->head[local].index, arrived = site->counted[local].index;
            if (first) {
                s->begun[source].taken = taken;
                s->begun[source].arrived = arrived;
            }
            s->taken[source] = taken - s->begun[source].taken;
            s->arrived[source] = arrived - s->begun[source].arrived;
        }
    }
}

static int heaviest_first(const void *a, const void *b)
{
    const weft_waitwatch_edge *x = a, *y = b;
    if (x->packets != y->packets)
        return x->packets > y->packets ? -1 : 1;
    return x->from != y->from ? (x->from < y->from ? -1 : 1) : (x->to > y->to) - (x->to < y->to);
}

double weft_waitwatch_weight(const weft_waitwatch *survey, size_t output)
{
    double sum = 0;
    for (int k = 0; k < WEFT_WAITWATCH_BATCHES; k++)
        sum += survey->outputs[output].waiting[k];
    return survey->samples ? sum / survey->samples : 0;
}

/* Packets that wait for an output itself, per sample. One that is held up from behind for a part of
 * the time carries less for that reason: contention for it lasts as long as that does. */
static double own_of(const weft_waitwatch *s, size_t output)
{
    const weft_waitwatch_output *at = &s->outputs[output];
    double lost = 0, busy = at->busy, pressed = at->pressed;
    for (int c = WEFT_CAUSE_NONE + 1; c < WEFT_CAUSE_CAUSES; c++)
        lost += at->lost[c];
    bool full = busy >= WEFT_WAITWATCH_FULL * s->samples;
    double part = full || pressed == 0 ? 1 : lost / (lost + pressed);
    return (at->credits + part * at->contention) / s->samples;
}

/* Lets the packets at every output stay, or go on to the outputs they wait for. */
static void follow_waits(weft_waitwatch *s)
{
    double *going = weft_alloc(sizeof *going * s->n_outputs),
           *next = weft_alloc(sizeof *next * s->n_outputs),
           *out = weft_alloc(sizeof *out * s->n_outputs);
    for (size_t i = 0; i < s->n_edges; i++)
        out[s->edges[i].from] += s->edges[i].packets;
    for (int k = 0; k < WEFT_WAITWATCH_BATCHES; k++) {
        for (size_t o = 0; o < s->n_outputs; o++) {
            going[o] = s->outputs[o].local[k];
            s->outputs[o].waiting[k] = 0;
        }
        for (int step = 0; step < STEPS; step++) {
            for (size_t o = 0; o < s->n_outputs; o++) {
                double own = own_of(s, o), all = own + out[o];
                double stays = step + 1 < STEPS && all > 0 ? own / all : 1;
                s->outputs[o].waiting[k] += going[o] * stays;
                going[o] *= out[o] > 0 ? (1 - stays) / out[o] : 0;
                next[o] = 0;
            }
            for (size_t i = 0; i < s->n_edges; i++)
                next[s->edges[i].to] += going[s->edges[i].from] * s->edges[i].packets;
            memcpy(going, next, sizeof *next * s->n_outputs);
        }
    }
    free(going);
    free(next);
    free(out);
}

/* Edges so far, per sample. */
static void list_edges(weft_waitwatch *survey)
{
    sample *now = survey->now;
    free(survey->edges);
    survey->n_edges = 0;
    survey->edges = weft_alloc(sizeof *survey->edges * (now->n_edges + 1));
    for (size_t i = 0; i < now->n_slots; i++)
        if (now->slots[i].packets > 0) {
            weft_waitwatch_edge edge = now->slots[i];
            edge.packets /= survey->samples;
            survey->edges[survey->n_edges++] = edge;
        }
    qsort(survey->edges, survey->n_edges, sizeof *survey->edges, heaviest_first);
}

/* The heaviest roots so far; the first of equals. */
static void choose_roots(weft_waitwatch *s)
{
    list_edges(s);
    follow_waits(s);
    s->n_roots = 0;
    for (size_t i = 0; i < s->n_outputs; i++) {
        double weight = weft_waitwatch_weight(s, i);
        size_t place = s->n_roots;
        while (place > 0 && weight > weft_waitwatch_weight(s, s->roots[place - 1]))
            place--;
        if (weight == 0 || place == WEFT_WAITWATCH_ROOTS)
            continue;
        s->n_roots += s->n_roots < WEFT_WAITWATCH_ROOTS;
        memmove(s->roots + place + 1, s->roots + place,
                (s->n_roots - place - 1) * sizeof *s->roots);
        s->roots[place] = (uint32_t)i;
    }
}

static void take_sample(weft_waitwatch *s, weft_instance *instance, weft_time now)
{
    sample *next = s->now;
    weft_blocked_view view = {
        .front = see_front, .behind = see_behind, .output = see_output, .user = s};
    for (size_t i = 0; i < next->n_used; i++)
        next->nodes[next->used[i]] = (node){0};
    next->n_used = next->n_packets = 0;
    for (uint32_t i = 0; i < instance->n_sites; i++)
        for (uint32_t r = 0; r < instance->sites[i].routers; r++)
            instance->platform.router->blocked(&instance->sites[i], r, now, &view);
    settle_packets(s);
    settle_edges(s);
    s->batch[batch_of(s)]++;
    if (s->samples == 0) {
        s->first = now;
        count_sources(s, instance, true);
    } else if (s->samples % SOURCES_EVERY == 0 || s->samples + 1 == s->plan.samples) {
        count_sources(s, instance, false);
    }
    s->last = now;
    s->samples++;
    if (s->samples == s->plan.samples / WEFT_WAITWATCH_BATCHES)
        choose_roots(s);
}

/* Ticks to the next sample: drawn, so that no period of the traffic is hit again and again. */
static weft_time gap(const weft_waitwatch *s)
{
    uint64_t mean = (uint64_t)((s->plan.until - s->plan.from) / s->plan.samples);
    uint64_t drawn = (s->samples + 1) * 0x9e3779b97f4a7c15u >> 33;
    return mean < 2 ? 1 : (weft_time)(mean / 2 + drawn % (mean + 1)) + (mean == 2);
}

weft_time weft_waitwatch_look(void *survey, weft_instance *instance, weft_time now)
{
    weft_waitwatch *s = survey;
    if (s->samples == s->plan.samples)
        return INT64_MAX;
    if (now < s->plan.from || now == 0)
        return s->plan.from > 0 ? s->plan.from : 1;
    take_sample(s, instance, now);
    return s->samples < s->plan.samples ? now + gap(s) : INT64_MAX;
}

void weft_waitwatch_note(void *survey, weft_trace_kind kind, const weft_event *packet,
                         uint32_t place, uint32_t output, uint32_t vc, weft_time at)
{
    (void)vc, (void)at;
    weft_waitwatch *s = survey;
    if (kind != WEFT_TRACE_HOP || s->n_roots == 0 || s->samples == s->plan.samples)
        return;
    uint32_t taken = output_of(s, place, output);
    for (size_t r = 0; r < s->n_roots; r++)
        if (s->roots[r] == taken)
            s->flows[r * s->network->endpoints + weft_packet_source(packet)].crossed++;
}

void weft_waitwatch_finish(weft_waitwatch *survey)
{
    list_edges(survey);
    follow_waits(survey);
}
