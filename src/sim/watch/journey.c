/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/watch/journey.h"

#include "base/memory.h"
#include "sim/source.h"

#include <stdlib.h>
#include <string.h>

typedef struct weft_journey_grant { /* of an output */
    weft_packet_identity name;
    uint32_t in;  /* by which the packet had come; WEFT_NOWHERE: not known */
    weft_time at; /* −1: none was seen */
} grant;

typedef struct weft_journey_place { /* where a packet is, or is going to */
    weft_packet_identity name;
    uint32_t router, in;
    bool used;
} place_of;

#define PLACES 65536u /* a table in which a packet may take the place of another */

static weft_packet_identity name_of(const weft_event *packet)
{
    return (weft_packet_identity){weft_packet_source(packet), weft_packet_traffic_class(packet),
                                  weft_packet_index(packet),
                                  weft_packet_follows(packet) ? packet->data[2] : 0};
}

static bool same_name(const weft_packet_identity *a, const weft_packet_identity *b)
{
    return a->source == b->source && a->traffic_class == b->traffic_class && a->index == b->index &&
           a->number == b->number;
}

/* Is it of a later message of the same source? */
static bool is_later(const weft_packet_identity *a, const weft_packet_identity *b)
{
    return a->source == b->source && a->traffic_class == b->traffic_class && a->index > b->index;
}

static place_of *place_at(const weft_journeys *js, const weft_packet_identity *name)
{
    uint64_t hash = ((uint64_t)name->source << 32 | name->index) * 0x9e3779b97f4a7c15u +
                    (name->traffic_class + 16u * name->number) * 0xc2b2ae3d27d4eb4fu;
    return &js->places[hash >> 40 & (PLACES - 1)];
}

static void put_place(const weft_journeys *js, const weft_packet_identity *name, uint32_t router,
                      uint32_t in)
{
    *place_at(js, name) = (place_of){*name, router, in, true};
}

static uint32_t input_of(const weft_journeys *js, const weft_packet_identity *name, uint32_t router)
{
    const place_of *found = place_at(js, name);
    return found->used && same_name(&found->name, name) && found->router == router ? found->in
                                                                                   : WEFT_NOWHERE;
}

static weft_journey_stop *last_stop(const weft_journey *j)
{
    return &j->stops[j->n_stops - 1];
}

static void add_stop(weft_journey *j, weft_journey_stop stop)
{
    if (j->n_stops == j->room) {
        j->room = 2 * j->room;
        j->stops = weft_realloc(j->stops, j->room, sizeof *j->stops);
    }
    j->stops[j->n_stops++] = stop;
}

static bool is_under_way(const weft_journey *j)
{
    return j->delivered < 0 && !j->absent;
}

static bool at_source(const weft_journey *j)
{
    return j->n_stops == 1 && j->stops[0].left < 0;
}

#define NEVER (INT64_MAX / 2)

/* The tick at which a message comes to its source, NEVER: after `until`; −1: that depends on
 * deliveries. */
static weft_time birth_of(const weft_network *network, const weft_packet_identity *name,
                          weft_time until)
{
    const weft_workload *workload = &network->traffic_classes[name->traffic_class].workload;
    weft_cursor cursor = workload->kind->first(workload, name->source);
    if (workload->kind->delivered || network->jobs)
        return -1;
    weft_time at = weft_fine_time_tick(cursor.at);
    while (cursor.live && cursor.index < name->index && at <= until) {
        workload->kind->skip(workload, name->source, &cursor);
        at = weft_fine_time_near(cursor.at, at);
    }
    return cursor.live && at <= until ? at : NEVER;
}

static void note(void *user, weft_trace_kind kind, const weft_event *packet, uint32_t place,
                 uint32_t output, uint32_t vc, weft_time at);

void weft_journeys_init(weft_journeys *journeys, const weft_network *network,
                        const weft_packet_identity *names, size_t count, weft_time until)
{
    weft_platform platform;
    weft_platform_init(&platform, network);
    const weft_topology *topology = &network->topology;
    *journeys =
        (weft_journeys){.network = network,
                        .count = count,
                        .at = weft_alloc(sizeof *journeys->at * (count ? count : 1)),
                        .outs = topology->ports + topology->concentration * platform.endpoint_ports,
                        .own = {.note = note, .user = journeys, .dormant = true}};
    journeys->trace = &journeys->own;
    size_t outputs = (size_t)topology->routers * journeys->outs;
    journeys->grants = weft_alloc(sizeof *journeys->grants * outputs);
    journeys->places = weft_alloc(sizeof *journeys->places * PLACES);
    for (size_t i = 0; i < outputs; i++)
        journeys->grants[i].at = -1;
    for (size_t i = 0; i < count; i++) {
        weft_journey *j = &journeys->at[i];
        *j = (weft_journey){.name = names[i],
                            .birth = birth_of(network, &names[i], until),
                            .delivered = -1,
                            .room = 8,
                            .stops = weft_alloc(8 * sizeof *j->stops)};
        add_stop(j, (weft_journey_stop){.router = WEFT_NOWHERE, .ready = j->birth, .left = -1});
    }
}

void weft_journeys_done(weft_journeys *journeys)
{
    for (size_t i = 0; i < journeys->count; i++) {
        for (size_t s = 0; s < journeys->at[i].n_stops; s++)
            free(journeys->at[i].stops[s].waits);
        free(journeys->at[i].stops);
    }
    free(journeys->at);
    free(journeys->places);
    free(journeys->grants);
}

const weft_journey *weft_journeys_unborn(const weft_journeys *journeys)
{
    for (size_t i = 0; i < journeys->count; i++)
        if (journeys->at[i].birth == NEVER)
            return &journeys->at[i];
    return NULL;
}

bool weft_journeys_over(const weft_journeys *journeys)
{
    for (size_t i = 0; i < journeys->count; i++)
        if (is_under_way(&journeys->at[i]))
            return false;
    return true;
}

/* The low half of a tick as the last one up to now that ends so. */
static weft_time whole_tick(uint32_t low, weft_time now)
{
    return now - (int32_t)((uint32_t)now - low);
}

/* The input of a router behind an injection link of an endpoint. */
static weft_journey_stop first_router(const weft_journeys *js, uint32_t endpoint, uint32_t link,
                                      uint32_t vc)
{
    const weft_topology *topology = &js->network->topology;
    weft_platform platform;
    weft_platform_init(&platform, js->network);
    uint32_t router = weft_topology_home(topology, endpoint),
             host = endpoint - weft_topology_first(topology, router),
             ports = weft_topology_tier(topology, router).ports;
    return (weft_journey_stop){.router = router,
                               .in = ports + host * platform.endpoint_ports + link,
                               .vc = vc,
                               .ready = -1,
                               .left = -1};
}

static void take_hop(weft_journeys *js, weft_journey *j, const weft_event *packet, uint32_t router,
                     uint32_t output, uint32_t vc, weft_time at)
{
    const weft_topology *topology = &js->network->topology;
    weft_journey_stop *stop = last_stop(j);
    stop->ready = whole_tick(packet->when, at);
    stop->left = at;
    stop->output = output;
    stop->out_vc = vc;
    if (output >= weft_topology_tier(topology, router).ports)
        return;
    weft_end to = topology->kind->peer(topology, router, output);
    add_stop(j, (weft_journey_stop){
                    .router = to.router, .in = to.port, .vc = vc, .ready = -1, .left = -1});
}

static void note_grant(weft_journeys *js, const weft_packet_identity *name, uint32_t router,
                       uint32_t output, weft_time at)
{
    const weft_topology *topology = &js->network->topology;
    js->grants[(size_t)router * js->outs + output] = (grant){*name, input_of(js, name, router), at};
    if (output >= weft_topology_tier(topology, router).ports)
        return;
    weft_end to = topology->kind->peer(topology, router, output);
    put_place(js, name, to.router, to.port);
}

/* From now on it is known when a message came to its source: before that it did not wait there. */
static void set_birth(weft_journey *j, weft_time birth)
{
    weft_journey_stop *stop = &j->stops[0];
    weft_time more = birth - j->seen; /* ticks that were noted, but for those since then */
    size_t gone = 0;
    for (size_t w = 0; w < stop->n_waits; w++)
        more += stop->waits[w].ticks;
    while (gone < stop->n_waits && stop->waits[gone].ticks <= more)
        more -= stop->waits[gone++].ticks;
    stop->n_waits -= gone;
    if (stop->n_waits > 0) {
        memmove(stop->waits, stop->waits + gone, stop->n_waits * sizeof *stop->waits);
        stop->waits[0].ticks -= more > 0 ? more : 0;
    }
    j->birth = stop->ready = birth;
}

/* Messages of programs leave in any order: a later one says nothing about those before it. */
static bool is_numbered_in_order(const weft_journeys *js, const weft_packet_identity *name)
{
    return !js->network->jobs || name->traffic_class != js->network->n_traffic_classes - 1;
}

static bool same_message(const weft_packet_identity *a, const weft_packet_identity *b)
{
    return a->source == b->source && a->traffic_class == b->traffic_class && a->index == b->index;
}

static void note(void *user, weft_trace_kind kind, const weft_event *packet, uint32_t place,
                 uint32_t output, uint32_t vc, weft_time at)
{
    weft_journeys *js = user;
    weft_packet_identity name = name_of(packet);
    if (kind == WEFT_TRACE_HOP)
        note_grant(js, &name, place, output, at);
    else if (kind == WEFT_TRACE_INJECT) {
        weft_journey_stop first = first_router(js, name.source, output, vc);
        put_place(js, &name, first.router, first.in);
    }
    for (size_t i = 0; i < js->count; i++) {
        weft_journey *j = &js->at[i];
        if (kind == WEFT_TRACE_INJECT && at_source(j) && is_later(&name, &j->name) &&
            is_numbered_in_order(js, &name))
            j->absent = true;
        if (!same_message(&j->name, &name))
            continue;
        if (kind == WEFT_TRACE_INJECT && j->birth < 0 && !weft_packet_follows(packet))
            set_birth(j, at - (weft_time)weft_birth_age(weft_packet_birth(packet), at));
        if (j->name.number != name.number)
            continue;
        if (kind == WEFT_TRACE_INJECT) {
            weft_journey_stop *stop = last_stop(j);
            j->flits = weft_packet_flits(packet);
            stop->left = at;
            stop->output = output;
            stop->out_vc = vc;
            add_stop(j, first_router(js, name.source, output, vc));
        } else if (kind == WEFT_TRACE_HOP) {
            take_hop(js, j, packet, place, output, vc, at);
        } else if (kind == WEFT_TRACE_DELIVER || kind == WEFT_TRACE_DROP) {
            j->destination = place;
            j->delivered = at;
        }
    }
}

/* ---- what a packet waits for ---- */

typedef struct gaze { /* at one router, for one queue */
    const weft_packet_identity *wanted;
    weft_input_queue queue; /* in which the packet is, or whose front is asked for */
    bool found, front;      /* the wanted packet is there; it is the front */
    bool any;               /* the queue has a front: */
    weft_blocked first;
    weft_packet_identity first_name;
} gaze;

static bool same_queue(weft_input_queue a, weft_input_queue b)
{
    return a.router == b.router && a.in == b.in && a.vc == b.vc;
}

static void see_front(void *user, const weft_blocked *front)
{
    gaze *g = user;
    if (!same_queue(front->queue, g->queue))
        return;
    weft_packet_identity name = name_of(front->packet);
    bool wanted = g->wanted && same_name(&name, g->wanted);
    if (g->front || (g->any && !wanted && g->first.cause != WEFT_CAUSE_NONE))
        return; /* VOQ: there are several fronts */
    g->any = true;
    g->front = wanted;
    g->found = g->found || wanted;
    g->first = *front;
    g->first_name = name;
}

static void see_behind(void *user, weft_input_queue queue, const weft_event *packet, uint32_t out)
{
    gaze *g = user;
    (void)out;
    if (!same_queue(queue, g->queue) || !g->wanted)
        return;
    weft_packet_identity name = name_of(packet);
    g->found = g->found || same_name(&name, g->wanted);
}

static gaze look_at(weft_instance *instance, weft_input_queue queue,
                    const weft_packet_identity *wanted, weft_time now)
{
    gaze g = {.wanted = wanted, .queue = queue};
    weft_blocked_view view = {.front = see_front, .behind = see_behind, .user = &g, .only = &queue};
    uint32_t local;
    const weft_site *site = weft_instance_find(instance, queue.router, &local);
    if (site)
        instance->platform.router->blocked(site, local, now, &view);
    return g;
}

/* The packet that had an output in the tick before now. */
static bool who_had(const weft_journeys *js, uint32_t router, uint32_t output,
                    weft_packet_identity *who, weft_time *since)
{
    if (output >= js->outs)
        return false;
    const grant *last = &js->grants[(size_t)router * js->outs + output];
    *who = last->name;
    *since = last->at;
    return last->at >= 0;
}

/* The packet that an input fed into the crossbar last, and its output. */
static bool who_left(const weft_journeys *js, uint32_t router, uint32_t in,
                     weft_packet_identity *who, uint32_t *output)
{
    weft_time last = -1;
    for (uint32_t out = 0; out < js->outs; out++) {
        const grant *g = &js->grants[(size_t)router * js->outs + out];
        if (g->at <= last || g->in != in)
            continue;
        last = g->at;
        *who = g->name;
        *output = out;
    }
    return last >= 0;
}

static bool waits_for_queue(weft_wait_cause cause)
{
    return cause == WEFT_CAUSE_CREDIT || cause == WEFT_CAUSE_VC;
}

/* The queue behind an output, or behind an injection link. */
static weft_input_queue queue_behind(const weft_journeys *js, const weft_blocked *front)
{
    const weft_topology *topology = &js->network->topology;
    if (front->queue.vc == WEFT_BLOCKED_SOURCE)
        return (weft_input_queue){front->queue.router, front->out, front->vc};
    weft_end to = topology->kind->peer(topology, front->queue.router, front->out);
    return (weft_input_queue){to.router, (uint16_t)to.port, front->vc};
}

/* What a packet that is in the way waits for itself. */
static void look_further(const weft_journeys *js, weft_instance *instance, weft_input_queue queue,
                         weft_time now, weft_journey_wait *wait)
{
    gaze next = look_at(instance, queue, NULL, now);
    weft_time since;
    wait->known = next.any;
    if (!next.any)
        return;
    wait->who = next.first_name;
    wait->then = next.first.cause;
    wait->then_router = queue.router;
    wait->then_output = next.first.out;
    if (waits_for_queue(next.first.cause)) {
        gaze third = look_at(instance, queue_behind(js, &next.first), NULL, now);
        wait->then_known = third.any;
        wait->then_who = third.first_name;
    } else if (next.first.cause == WEFT_CAUSE_LINE) {
        wait->then_known =
            who_left(js, queue.router, queue.in, &wait->then_who, &wait->then_output);
    } else if (next.first.cause != WEFT_CAUSE_NONE) {
        wait->then_known = who_had(js, queue.router, next.first.out, &wait->then_who, &since);
    }
}

/* Why the front of a queue was not granted in the tick before now. */
static weft_journey_wait explain_front(const weft_journeys *js, weft_instance *instance,
                                       const weft_blocked *front, weft_time now)
{
    weft_journey_wait wait = {.cause = front->cause, .output = front->out, .vc = front->vc};
    weft_time since = -1;
    if (waits_for_queue(front->cause)) {
        look_further(js, instance, queue_behind(js, front), now, &wait);
    } else if (front->cause == WEFT_CAUSE_LINE) {
        wait.known = who_left(js, front->queue.router, front->queue.in, &wait.who, &wait.output);
        wait.output = wait.known ? wait.output : WEFT_NOWHERE;
    } else if (front->cause == WEFT_CAUSE_OUTPUT || front->cause == WEFT_CAUSE_ARBITER) {
        wait.known = who_had(js, front->queue.router, front->out, &wait.who, &since);
        wait.lost = wait.known && since == now - 1;
    }
    return wait;
}

static bool same_wait(const weft_journey_wait *a, const weft_journey_wait *b)
{
    return a->cause == b->cause && a->output == b->output && a->vc == b->vc && a->lost == b->lost &&
           a->known == b->known && (!a->known || same_name(&a->who, &b->who));
}

/* A tick (or more) of waiting; the same as before makes that longer. */
static void add_wait(weft_journey_stop *stop, weft_journey_wait wait)
{
    weft_journey_wait *last = stop->waits && stop->n_waits ? &stop->waits[stop->n_waits - 1] : NULL;
    if (last && same_wait(last, &wait)) {
        wait.ticks += last->ticks;
        *last = wait;
        return;
    }
    if (!stop->waits || stop->n_waits == stop->room) {
        stop->room = stop->room ? 2 * stop->room : 8;
        stop->waits = weft_realloc(stop->waits, stop->room, sizeof *stop->waits);
    }
    stop->waits[stop->n_waits++] = wait;
}

/* Looks at a packet in the network: it was at its last stop in the tick before now, unless it is
 * still on the way there. */
static void look_in_network(weft_journeys *js, weft_instance *instance, weft_journey *j,
                            weft_time now)
{
    weft_journey_stop *stop = last_stop(j);
    if (stop->left >= 0)
        return;
    weft_input_queue queue = {stop->router, (uint16_t)stop->in, (uint16_t)stop->vc};
    gaze g = look_at(instance, queue, &j->name, now);
    if (!g.found || !g.any)
        return;
    weft_journey_wait wait = explain_front(js, instance, &g.first, now);
    if (!g.front) {
        weft_journey_wait behind = {.cause = WEFT_CAUSE_BEHIND,
                                    .output = WEFT_NOWHERE,
                                    .known = true,
                                    .who = g.first_name,
                                    .then = wait.cause,
                                    .then_router = stop->router,
                                    .then_output = wait.output,
                                    .then_known = wait.known,
                                    .then_who = wait.who};
        wait = behind;
    }
    wait.ticks = 1;
    add_wait(stop, wait);
}

typedef struct source_gaze {
    uint32_t endpoint, traffic_class;
    bool any;
    weft_blocked front;
    weft_packet_identity name;
} source_gaze;

static void see_source(void *user, const weft_blocked *front)
{
    source_gaze *g = user;
    weft_packet_identity name = name_of(front->packet);
    if (front->queue.vc != WEFT_BLOCKED_SOURCE || name.source != g->endpoint ||
        name.traffic_class != g->traffic_class)
        return;
    g->any = true;
    g->front = *front;
    g->name = name;
}

/* The birth of the message whose packet is next at a source. */
static weft_time birth_at_front(const weft_journeys *js, const weft_site *site, uint32_t router,
                                const source_gaze *g, weft_time now)
{
    const weft_topology *topology = &js->network->topology;
    uint32_t host = weft_topology_host(topology, g->endpoint),
             source = (router * topology->concentration + host) * js->network->n_traffic_classes +
                      g->traffic_class;
    uint64_t birth = weft_packet_follows(g->front.packet) ? weft_sources_birth(site, source)
                                                          : weft_packet_birth(g->front.packet);
    return now - (weft_time)weft_birth_age(birth, now);
}

/* Looks at a packet at its source; returns the tick of the next look, before which it cannot have
 * left: a message takes a tick at least on one of the links. */
static weft_time look_at_source(weft_journeys *js, weft_instance *instance, weft_journey *j,
                                weft_time now)
{
    const weft_topology *topology = &js->network->topology;
    uint32_t local, router = weft_topology_home(topology, j->name.source);
    const weft_site *site = weft_instance_find(instance, router, &local);
    source_gaze g = {.endpoint = j->name.source, .traffic_class = j->name.traffic_class};
    const weft_input_queue all = {.router = router, .vc = WEFT_BLOCKED_SOURCE};
    weft_blocked_view view = {.front = see_source, .user = &g, .only = &all};
    instance->platform.router->blocked(site, local, now, &view);
    if (j->birth < 0 && g.any && g.name.index == j->name.index)
        set_birth(j, birth_at_front(js, site, local, &g, now));
    weft_time ahead = 0; /* messages of jobs have numbers of any order */
    if (g.any && g.name.index < j->name.index && !js->network->jobs)
        ahead = (weft_time)(j->name.index - g.name.index) / instance->platform.endpoint_ports;
    weft_time next = ahead > 2 ? now + ahead - 2 : now + 1;
    if (!g.any || (j->birth >= 0 && j->birth >= now))
        return j->birth > now ? j->birth : now + 1;
    weft_journey_wait wait = explain_front(js, instance, &g.front, now);
    if (!same_name(&g.name, &j->name))
        wait = (weft_journey_wait){.cause = WEFT_CAUSE_BEHIND,
                                   .output = WEFT_NOWHERE,
                                   .known = true,
                                   .who = g.name,
                                   .then = wait.cause,
                                   .then_router = WEFT_NOWHERE,
                                   .then_output = g.front.out,
                                   .then_known = wait.known,
                                   .then_who = wait.who};
    else if (wait.cause == WEFT_CAUSE_NONE)
        return next;
    wait.ticks = now - (j->seen > j->birth ? j->seen : j->birth);
    add_wait(&j->stops[0], wait);
    return next;
}

/* Routers note grants only while somebody is about to leave its source, or has left it. */
static void watch(weft_journeys *js, weft_instance *instance, bool on)
{
    if (js->watching == on)
        return;
    js->watching = on;
    for (uint32_t i = 0; i < instance->n_sites; i++)
        instance->platform.router->note(&instance->sites[i], on);
}

weft_time weft_journeys_look(void *journeys, weft_instance *instance, weft_time now)
{
    weft_journeys *js = journeys;
    weft_time next = INT64_MAX;
    bool soon = false;
    for (size_t i = 0; i < js->count; i++) {
        weft_journey *j = &js->at[i];
        weft_time then = now + 1;
        if (!is_under_way(j))
            continue;
        if (at_source(j) && now > 0)
            then = look_at_source(js, instance, j, now);
        else if (at_source(j))
            then = j->birth > 0 ? j->birth : 1;
        else
            look_in_network(js, instance, j, now);
        j->seen = now;
        soon = soon || then <= now + 1;
        next = then < next ? then : next;
    }
    watch(js, instance, soon);
    return next;
}
