/* SPDX-License-Identifier: Apache-2.0 */
/* The slowest packets are found in one run and followed in the next; a packet that is named is
 * followed at once. */
#include "interweft/traced.h"

#include "base/memory.h"
#include "net/naming.h"
#include "sim/watch/journey.h"
#include "sim/watch/slowest.h"
#include "study/why/rerun.h"
#include "study/why/why.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static weft_status run(const weft_network *network, weft_simulation_options options,
                       weft_rerun_caller *who, weft_error *err)
{
    weft_simulation *simulation;
    weft_ending ending;
    options.request = weft_rerun_request;
    options.progress = weft_rerun_progress;
    options.user = who;
    WEFT_TRY(weft_simulation_create(network, &options, &simulation, err));
    weft_status status = weft_simulation_run(simulation, &ending, err);
    weft_simulation_destroy(simulation);
    if (status == WEFT_OK && ending == WEFT_END_INTERRUPTED)
        return weft_fail(err, WEFT_STOPPED, "stopped");
    return status;
}

/* ---- which packets ---- */

/* A number without a sign, and what is behind it; false: there is none. One above UINT32_MAX
 * becomes UINT64_MAX. */
static bool read_number(const char **text, uint64_t *number)
{
    size_t digits = strspn(*text, "0123456789");
    *number = strtoull(*text, NULL, 10);
    if (*number > UINT32_MAX)
        *number = UINT64_MAX;
    *text += digits;
    return digits > 0;
}

/* What the text of a caller asks for. */
typedef struct wish {
    unsigned long slowest; /* so many; 0: a packet */
    char class[64];        /* "": the first one */
    uint64_t source, index, number;
} wish;

/* "3:17", "3:bulk:17" or "3:17.2". */
static weft_status read_name(const char *text, wish *name, weft_error *err)
{
    const char *at = text;
    bool good = read_number(&at, &name->source) && *at++ == ':';
    const char *colon = good ? strchr(at, ':') : NULL;
    if (colon) {
        (void)snprintf(name->class, sizeof name->class, "%.*s", (int)(colon - at), at);
        at = colon + 1;
    }
    good = good && read_number(&at, &name->index);
    if (!good)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "--trace %s: neither slowest, a number of packets (10), nor a packet, "
                         "ENDPOINT:MESSAGE or ENDPOINT:CLASS:MESSAGE",
                         text);
    const char *rest = at;
    if (*rest && (*at++ != '.' || !read_number(&at, &name->number) || *at))
        return weft_fail(err, WEFT_BAD_INPUT, "--trace: '%s' behind the name of a packet", rest);
    if (name->source == UINT64_MAX || name->index == UINT64_MAX || name->number == UINT64_MAX)
        return weft_fail(err, WEFT_BAD_INPUT, "--trace %s: numbers end at %u", text, UINT32_MAX);
    return WEFT_OK;
}

static weft_status read_wish(const char *what, wish *found, weft_error *err)
{
    char *end;
    bool word = strcmp(what, "slowest") == 0;
    *found = (wish){.slowest = word ? 1 : strtoul(what, &end, 10)};
    if (!word && !(*what >= '0' && *what <= '9' && *end == 0)) {
        found->slowest = 0;
        return read_name(what, found, err);
    }
    if (found->slowest == 0 || found->slowest > WEFT_TRACED_MAX)
        return weft_fail(err, WEFT_BAD_INPUT, "--trace %s: 1 to %d packets", what, WEFT_TRACED_MAX);
    return WEFT_OK;
}

weft_status weft_traced_check(const char *what, weft_error *err)
{
    wish ignored;
    return read_wish(what, &ignored, err);
}

static weft_status find_named(const weft_network *network, const wish *wanted,
                              weft_packet_identity *name, weft_error *err)
{
    uint32_t f = 0;
    while (*wanted->class && f < network->n_traffic_classes &&
           strcmp(network->scenario->traffic[f].name, wanted->class) != 0)
        f++;
    if (f == network->n_traffic_classes)
        return weft_fail(err, WEFT_BAD_INPUT, "--trace: there is no traffic class '%s'",
                         wanted->class);
    if (wanted->source >= network->endpoints)
        return weft_fail(err, WEFT_BAD_INPUT, "--trace: endpoint %u of %lld",
                         (unsigned)wanted->source, (long long)network->endpoints);
    *name = (weft_packet_identity){(uint32_t)wanted->source, f, (uint32_t)wanted->index,
                                   (uint32_t)wanted->number};
    return WEFT_OK;
}

static weft_status find_slowest(const weft_network *network, const weft_point *stored,
                                size_t wanted, weft_rerun_caller *who, weft_packet_identity **names,
                                size_t *count, weft_error *err)
{
    const weft_metric *warm = weft_point_metric(stored, "warm-up", "", "", 0);
    double tick = weft_timing_value(&network->timing, 1);
    weft_slowest slowest = {.wanted = wanted,
                            .from = warm ? (weft_time)(warm->value / tick) : 0,
                            .at = weft_alloc(sizeof *slowest.at * (wanted + 1))};
    who->what = "the slowest packets";
    weft_status status = run(network, (weft_simulation_options){.slowest = &slowest}, who, err);
    if (status == WEFT_OK && slowest.count == 0)
        status = weft_fail(err, WEFT_BAD_INPUT, "no message was delivered in the measured part");
    *names = weft_alloc(sizeof **names * (slowest.count + 1));
    *count = slowest.count;
    for (size_t i = 0; i < slowest.count; i++)
        (*names)[i] = (weft_packet_identity){slowest.at[i].source, slowest.at[i].traffic_class,
                                             slowest.at[i].index, slowest.at[i].number};
    free(slowest.at);
    return status;
}

static weft_status choose(const weft_network *network, const weft_point *stored, const char *what,
                          weft_rerun_caller *who, weft_packet_identity **names, size_t *count,
                          weft_error *err)
{
    wish wanted;
    WEFT_TRY(read_wish(what, &wanted, err));
    if (wanted.slowest > 0)
        return find_slowest(network, stored, wanted.slowest, who, names, count, err);
    *names = weft_alloc(sizeof **names);
    *count = 1;
    return find_named(network, &wanted, *names, err);
}

/* ---- what is told of them ---- */

static void name_packet(const weft_network *network, const weft_packet_identity *who, char *text,
                        size_t size)
{
    int used = network->n_traffic_classes > 1 && network->scenario->n_traffic > who->traffic_class
                   ? snprintf(text, size, "%u:%s:%u", who->source,
                              network->scenario->traffic[who->traffic_class].name, who->index)
                   : snprintf(text, size, "%u:%u", who->source, who->index);
    if (who->number && used > 0 && (size_t)used < size)
        (void)snprintf(text + used, size - (size_t)used, ".%u", who->number);
}

/* What is waited for at a router, or at a source (WEFT_NOWHERE), and for whom. */
static void tell(const weft_network *network, weft_wait_cause cause, bool lost, uint32_t router,
                 uint32_t output, const char *who, char *text, size_t size)
{
    char out[160] = "another output";
    if (router == WEFT_NOWHERE)
        (void)snprintf(out, sizeof out, "the injection link");
    else if (output != WEFT_NOWHERE)
        weft_why_output_name(network, router, output, out);
    switch (cause) {
    case WEFT_CAUSE_OUTPUT:
        if (lost)
            (void)snprintf(text, size, "lost arbitration for %s to %s", out,
                           *who ? who : "another");
        else
            (void)snprintf(text, size, "%s carries %s", out, *who ? who : "another packet");
        break;
    case WEFT_CAUSE_LINE:
        (void)snprintf(text, size, "its input feeds %s%s%s", *who ? out : "another packet",
                       *who ? " with " : "", who);
        break;
    case WEFT_CAUSE_CREDIT:
        (void)snprintf(text, size, "no credits of %s%s%s", out,
                       *who ? ", first in the buffer behind it: " : ", on their way back", who);
        break;
    case WEFT_CAUSE_VC:
        (void)snprintf(text, size, "no open VC of %s%s%s", out,
                       *who ? ", first in the buffer behind it: " : "", who);
        break;
    case WEFT_CAUSE_ARBITER:
        (void)snprintf(text, size, "others were granted than it for %s", out);
        break;
    case WEFT_CAUSE_LINK:
        (void)snprintf(text, size, "the injection link carries another packet");
        break;
    case WEFT_CAUSE_HOST:
        (void)snprintf(text, size, "the endpoint's bus or rate control");
        break;
    case WEFT_CAUSE_BEHIND:
        (void)snprintf(text, size, "behind %s", who);
        break;
    case WEFT_CAUSE_NONE:
    case WEFT_CAUSE_CAUSES:
        (void)snprintf(text, size, "stages of the router");
        break;
    }
}

static void tell_wait(const weft_network *network, uint32_t router, const weft_journey_wait *wait,
                      weft_traced_wait *to)
{
    char who[96] = "", then[96] = "", first[200], second[200];
    uint32_t then_router = wait->cause == WEFT_CAUSE_BEHIND ? router : wait->then_router;
    if (wait->known)
        name_packet(network, &wait->who, who, sizeof who);
    if (wait->then_known)
        name_packet(network, &wait->then_who, then, sizeof then);
    tell(network, wait->cause, wait->lost, router, wait->output, who, first, sizeof first);
    bool more = wait->known && wait->then != WEFT_CAUSE_NONE &&
                (wait->cause == WEFT_CAUSE_BEHIND || wait->cause == WEFT_CAUSE_CREDIT ||
                 wait->cause == WEFT_CAUSE_VC);
    to->time = weft_timing_value(&network->timing, (double)wait->ticks);
    if (more)
        tell(network, wait->then, false, then_router, wait->then_output, then, second,
             sizeof second);
    (void)snprintf(to->text, sizeof to->text, "%s%s%s", first, more ? "; that one: " : "",
                   more ? second : "");
}

static double time_of(const weft_network *network, weft_time ticks)
{
    return ticks < 0 ? NAN : weft_timing_value(&network->timing, (double)ticks);
}

static void tell_stop(const weft_network *network, const weft_journey *j,
                      const weft_journey_stop *stop, weft_traced_stop *to)
{
    const weft_topology *topology = &network->topology;
    char name[WEFT_NAME_BYTES], out[160];
    bool source = stop->router == WEFT_NOWHERE;
    uint32_t router = source ? weft_topology_home(topology, j->name.source) : stop->router;
    weft_naming_place(topology, router, name);
    if (source)
        (void)snprintf(to->place, sizeof to->place, "source");
    else
        (void)snprintf(to->place, sizeof to->place, "router %.140s", name);
    if (!source)
        (void)snprintf(to->in, sizeof to->in,
                       stop->in < weft_topology_tier(topology, router).ports
                           ? "input %u, VC %u"
                           : "injection input %u, VC %u",
                       stop->in, stop->vc);
    if (source && stop->left >= 0)
        (void)snprintf(to->out, sizeof to->out, "injection link %u, VC %u", stop->output,
                       stop->out_vc);
    else if (stop->left >= 0) {
        weft_why_output_name(network, router, stop->output, out);
        if (stop->output < weft_topology_tier(topology, router).ports)
            (void)snprintf(to->out, sizeof to->out, "%s, VC %u", out, stop->out_vc);
        else
            (void)snprintf(to->out, sizeof to->out, "%s", out);
    }
    to->arrived = time_of(network, stop->ready);
    to->left = time_of(network, stop->left);
    to->n_waits = stop->n_waits;
    to->waits = weft_alloc(sizeof *to->waits * (stop->n_waits + 1));
    for (size_t w = 0; w < stop->n_waits; w++)
        tell_wait(network, stop->router, &stop->waits[w], &to->waits[w]);
}

static weft_traced *tell_all(const weft_network *network, const weft_journeys *journeys)
{
    weft_traced *made = weft_alloc(sizeof *made);
    *made = (weft_traced){.unit = weft_timing_unit(&network->timing),
                          .n_packets = journeys->count,
                          .packets = weft_alloc(sizeof *made->packets * (journeys->count + 1))};
    for (size_t i = 0; i < journeys->count; i++) {
        const weft_journey *j = &journeys->at[i];
        weft_traced_packet *to = &made->packets[i];
        name_packet(network, &j->name, to->name, sizeof to->name);
        to->source = j->name.source;
        to->destination = j->destination;
        to->flits = j->flits;
        to->born = time_of(network, j->birth);
        to->delivered = time_of(network, j->delivered);
        to->n_stops = j->n_stops;
        to->stops = weft_alloc(sizeof *to->stops * j->n_stops);
        for (size_t s = 0; s < j->n_stops; s++)
            tell_stop(network, j, &j->stops[s], &to->stops[s]);
    }
    return made;
}

void weft_traced_destroy(weft_traced *traced)
{
    for (size_t i = 0; traced && i < traced->n_packets; i++) {
        for (size_t s = 0; s < traced->packets[i].n_stops; s++)
            free(traced->packets[i].stops[s].waits);
        free(traced->packets[i].stops);
    }
    if (traced)
        free(traced->packets);
    free(traced);
}

/* ---- the runs ---- */

typedef struct follower { /* the caller of the second run: it ends when all have arrived */
    weft_rerun_caller caller;
    weft_journeys *journeys;
} follower;

static weft_request ask(void *user)
{
    follower *who = user;
    return weft_journeys_over(who->journeys) ? WEFT_REQUEST_STOP : weft_rerun_request(&who->caller);
}

static void tell_progress(void *user, const weft_state *state)
{
    weft_rerun_progress(&((follower *)user)->caller, state);
}

static weft_status never_comes(const weft_journey *journey, weft_error *err)
{
    return weft_fail(err, WEFT_BAD_INPUT,
                     "endpoint %u has not come to message %u when the run ends",
                     journey->name.source, journey->name.index);
}

/* It has left its source, or has at least been seen to wait there. */
static weft_status check_start(const weft_journey *journey, weft_error *err)
{
    const weft_journey_stop *source = &journey->stops[0];
    if (journey->absent)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "message %u of endpoint %u has no packet %u: they are counted from 0",
                         journey->name.index, journey->name.source, journey->name.number);
    return source->left < 0 && source->n_waits == 0 ? never_comes(journey, err) : WEFT_OK;
}

/* The last tick of the run that the results tell of. */
static weft_time end_of(const weft_network *network, const weft_point *stored)
{
    const weft_metric *time = weft_point_metric(stored, "time", "", "", 0);
    double ticks = time ? time->value / weft_timing_value(&network->timing, 1) : INFINITY;
    return ticks < 1e18 ? (weft_time)ticks + 1 : INT64_MAX;
}

static weft_status follow(const weft_network *network, weft_journeys *journeys,
                          const weft_why_options *options, weft_error *err)
{
    const weft_journey *unborn = weft_journeys_unborn(journeys);
    if (unborn)
        return never_comes(unborn, err);
    weft_simulation *simulation;
    weft_ending ending;
    follower who = {.caller = {.options = options, .what = "following packets"},
                    .journeys = journeys};
    weft_simulation_options how = {.request = ask,
                                   .progress = tell_progress,
                                   .user = &who,
                                   .look = weft_journeys_look,
                                   .looker = journeys,
                                   .trace = journeys->trace};
    WEFT_TRY(weft_simulation_create(network, &how, &simulation, err));
    weft_status status = weft_simulation_run(simulation, &ending, err);
    weft_simulation_destroy(simulation);
    if (status == WEFT_OK && ending == WEFT_END_INTERRUPTED && !weft_journeys_over(journeys))
        return weft_fail(err, WEFT_STOPPED, "stopped");
    for (size_t i = 0; status == WEFT_OK && i < journeys->count; i++)
        status = check_start(&journeys->at[i], err);
    return status;
}

static weft_status trace(weft_rerun *rerun, const weft_point *stored, const char *what,
                         const weft_why_options *options, weft_traced **traced, weft_error *err)
{
    const weft_network *network = &rerun->point.network;
    weft_rerun_caller who = {.options = options};
    weft_packet_identity *names = NULL;
    size_t count = 0;
    weft_platform platform;
    weft_platform_init(&platform, network);
    if (!platform.router->blocked || !platform.router->note)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "routers of kind %s do not tell what packets wait for; --trace follows "
                         "packets through input-queued ones",
                         platform.router->carriage.base.name);
    weft_status status = choose(network, stored, what, &who, &names, &count, err);
    if (status == WEFT_OK) {
        weft_journeys journeys;
        weft_journeys_init(&journeys, network, names, count, end_of(network, stored));
        status = follow(network, &journeys, options, err);
        if (status == WEFT_OK)
            *traced = tell_all(network, &journeys);
        weft_journeys_done(&journeys);
    }
    free(names);
    return status;
}

weft_status weft_traced_find(weft_result *result, size_t i, const char *what,
                             const weft_catalog *catalog, const weft_why_options *options,
                             weft_traced **traced, weft_error *err)
{
    weft_rerun rerun;
    const weft_point *stored;
    *traced = NULL;
    WEFT_TRY(weft_rerun_open(&rerun, result, i, catalog, options, NULL, err));
    weft_status status = weft_result_read(result, i, &stored, err);
    if (status == WEFT_OK)
        status = trace(&rerun, stored, what, options, traced, err);
    weft_rerun_close(&rerun);
    return status;
}
