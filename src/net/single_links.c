/* SPDX-License-Identifier: Apache-2.0 */
#include "net/single_links.h"

#include "net/hosts.h"
#include "net/link_names.h"
#include "net/topology/common/weftnet.h"

#include <stdio.h>
#include <string.h>

#define HOSTS_OF "host " /* what a name of endpoints' links begins with */

typedef struct work {
    weft_single_links *single;
    weft_topology *topology;
    const weft_scenario *scenario;
    weft_arena *arena;
    uint8_t *link, *host; /* classes, as the topology gets them */
    uint32_t endpoints;
    bool differ;                            /* a link has not the class of its port */
    bool full;                              /* there are more classes than numbers */
    const weft_link_settings *given;        /* by links.where, in hand … */
    int16_t becomes[WEFT_LINK_CLASSES_MAX]; /* … and what it makes of a class; −1: not known yet */
} work;

static weft_link_settings *settings_of(const work *w, uint32_t class)
{
    return class < WEFT_LINK_CLASSES ? &w->single->named[class]
                                     : &w->single->at[class - WEFT_LINK_CLASSES];
}

static bool same(const weft_link_settings *a, const weft_link_settings *b)
{
    return a->rate.unit == b->rate.unit && a->rate.value == b->rate.value &&
           a->latency.unit == b->latency.unit && a->latency.value == b->latency.value;
}

/* The class with these settings: this one, if it has them, or else one of single links. */
static uint32_t class_with(work *w, uint32_t class, const weft_link_settings *set)
{
    weft_single_links *single = w->single;
    if (same(settings_of(w, class), set))
        return class;
    w->differ = true;
    for (uint32_t i = 0; i < single->count; i++)
        if (same(&single->at[i], set))
            return WEFT_LINK_CLASSES + i;
    if (single->count == WEFT_LINK_CLASSES_MAX - WEFT_LINK_CLASSES) {
        w->full = true;
        return class;
    }
    single->at[single->count] = *set;
    return WEFT_LINK_CLASSES + single->count++;
}

/* A class with what is given of a rate and a latency. */
static uint32_t changed(work *w, uint32_t class, const weft_link_settings *by)
{
    weft_link_settings set = *settings_of(w, class);
    if (by->rate.unit != WEFT_NO_RATE)
        set.rate = by->rate;
    if (by->latency.unit != WEFT_NO_TIME)
        set.latency = by->latency;
    return class_with(w, class, &set);
}

/* ---- of a file ---- */

/* What the file says of a link, where the scenario's class leaves it to it. */
static uint32_t class_of_file(work *w, uint32_t class, weft_link_settings file)
{
    if (w->scenario->links.given[class].rate)
        file.rate.unit = WEFT_NO_RATE;
    if (w->scenario->links.given[class].latency)
        file.latency.unit = WEFT_NO_TIME;
    return changed(w, class, &file);
}

static void take_file(work *w, const weft_weftnet *net)
{
    uint32_t ports = w->topology->ports, host = 0;
    for (uint32_t c = 0; c < net->n_cables; c++) {
        const weft_cable *cable = &net->cables[c];
        uint8_t class = (uint8_t)class_of_file(w, cable->class, weft_weftnet_timing(net, c));
        for (int e = 0; e < 2; e++)
            w->link[(size_t)cable->end[e].router * ports + cable->end[e].port] = class;
    }
    for (uint32_t home = 0; home < net->homes; host += net->hosts[home++])
        for (uint32_t h = 0; h < weft_topology_hosts(w->topology, home); h++) {
            uint32_t nth = h < net->hosts[home] ? h : 0;
            w->host[weft_topology_first(w->topology, home) + h] = (uint8_t)class_of_file(
                w, WEFT_LINK_HOST, weft_weftnet_host_timing(net, home, host + nth));
        }
}

/* ---- of links.where ---- */

static uint8_t class_of_where(work *w, uint8_t class)
{
    if (w->becomes[class] < 0)
        w->becomes[class] = (int16_t)changed(w, class, w->given);
    return (uint8_t)w->becomes[class];
}

static void change_link(void *user, uint32_t router, uint32_t port)
{
    work *w = user;
    uint8_t *class = &w->link[(size_t)router * w->topology->ports + port];
    *class = class_of_where(w, *class);
}

static weft_status change_hosts(work *w, const char *setting, const char *word, weft_error *err)
{
    weft_file text = {.text = strcmp(word, "*") == 0 ? "all" : word};
    weft_hosts hosts = {.count = 1, .at = &text};
    weft_host_range all = {.first = 0, .count = w->endpoints};
    const weft_host_set *set;
    WEFT_TRY(weft_hosts_read(&hosts, w->topology, setting, w->arena, &set, err));
    for (uint32_t i = 0; i < (set ? set->n_ranges : 1); i++) {
        weft_host_range range = set ? set->ranges[i] : all;
        for (uint32_t e = range.first; e < range.first + range.count; e++)
            w->host[e] = class_of_where(w, w->host[e]);
    }
    return WEFT_OK;
}

static weft_status take_where(work *w, const weft_link_where *where, weft_error *err)
{
    char setting[80];
    (void)snprintf(setting, sizeof setting, "links.where.%.60s", where->glob);
    w->given = &where->set;
    memset(w->becomes, -1, sizeof w->becomes);
    if (strncmp(where->glob, HOSTS_OF, strlen(HOSTS_OF)) == 0)
        return change_hosts(w, setting, where->glob + strlen(HOSTS_OF), err);
    return weft_link_names_visit(w->topology, setting, where->glob, change_link, w, err);
}

/* ---- what most links have ---- */

/* How many links of a named class have which class now. */
static void count_classes(const work *w, uint32_t named, uint32_t count[WEFT_LINK_CLASSES_MAX])
{
    const weft_topology *topology = w->topology;
    memset(count, 0, sizeof *count * WEFT_LINK_CLASSES_MAX);
    for (uint32_t e = 0; named == WEFT_LINK_HOST && e < w->endpoints; e++)
        count[w->host[e]]++;
    for (uint32_t r = 0; named != WEFT_LINK_HOST && r < topology->routers; r++)
        for (uint32_t p = 0; p < topology->ports; p++)
            count[w->link[(size_t)r * topology->ports + p]] +=
                topology->port_class[p] == named &&
                topology->kind->peer(topology, r, p).router != WEFT_NOWHERE;
}

static void exchange(uint8_t *class, size_t count, uint32_t a, uint32_t b)
{
    for (size_t i = 0; i < count; i++)
        class[i] = class[i] == a ? (uint8_t)b : class[i] == b ? (uint8_t)a : class[i];
}

/* Links of a named class leave it for one of single links with the same rate and latency; false:
 * there is no number left for that. */
static bool clear_named(work *w, uint32_t named)
{
    size_t links = (size_t)w->topology->routers * w->topology->ports;
    uint32_t other = WEFT_LINK_CLASSES + w->single->count;
    if (other == WEFT_LINK_CLASSES_MAX)
        return false;
    w->single->count++;
    *settings_of(w, other) = *settings_of(w, named);
    exchange(w->link, links, named, other);
    exchange(w->host, w->endpoints, named, other);
    return true;
}

/* The links of a named class, none of which has it any more, get it back from another one, with
 * the rate and latency of that. */
static void rename_links(work *w, uint32_t named, uint32_t from)
{
    const weft_topology *topology = w->topology;
    size_t links = (size_t)topology->routers * topology->ports;
    *settings_of(w, named) = *settings_of(w, from);
    for (size_t i = 0; named != WEFT_LINK_HOST && i < links; i++)
        if (topology->port_class[i % topology->ports] == named && w->link[i] == from)
            w->link[i] = (uint8_t)named;
    for (uint32_t e = 0; named == WEFT_LINK_HOST && e < w->endpoints; e++)
        if (w->host[e] == from)
            w->host[e] = (uint8_t)named;
}

/* A named class gets the rate and latency of most of its links: loads are told in them. */
static void settle_named(work *w, uint32_t named)
{
    const weft_topology *topology = w->topology;
    uint32_t count[WEFT_LINK_CLASSES_MAX], most = named;
    count_classes(w, named, count);
    for (uint32_t c = 0; c < WEFT_LINK_CLASSES + w->single->count; c++)
        most = count[c] > count[most] ? c : most;
    if (most < WEFT_LINK_CLASSES) {
        if (most != named && (count[named] == 0 || clear_named(w, named)))
            rename_links(w, named, most);
        return;
    }
    weft_link_settings kept = *settings_of(w, named);
    *settings_of(w, named) = *settings_of(w, most);
    *settings_of(w, most) = kept;
    exchange(w->link, (size_t)topology->routers * topology->ports, named, most);
    exchange(w->host, w->endpoints, named, most);
}

/* Leaves out a class that no link has any more; true: all have the classes of their ports. */
static bool drop_unused(work *w)
{
    const weft_topology *topology = w->topology;
    size_t links = (size_t)topology->routers * topology->ports;
    bool used[WEFT_LINK_CLASSES_MAX] = {false}, plain = true;
    for (size_t i = 0; i < links; i++) {
        if (topology->kind
                ->peer(topology, (uint32_t)(i / topology->ports), (uint32_t)(i % topology->ports))
                .router == WEFT_NOWHERE)
            w->link[i] = topology->port_class[i % topology->ports];
        used[w->link[i]] = true;
        plain = plain && w->link[i] == topology->port_class[i % topology->ports];
    }
    for (uint32_t e = 0; e < w->endpoints; e++) {
        used[w->host[e]] = true;
        plain = plain && w->host[e] == WEFT_LINK_HOST;
    }
    for (uint32_t c = WEFT_LINK_CLASSES + w->single->count; c-- > WEFT_LINK_CLASSES;) {
        uint32_t last = WEFT_LINK_CLASSES + w->single->count - 1;
        if (used[c])
            continue;
        *settings_of(w, c) = *settings_of(w, last);
        used[c] = used[last];
        exchange(w->link, links, c, last);
        exchange(w->host, w->endpoints, c, last);
        w->single->count--;
    }
    return plain;
}

/* ---- all of it ---- */

static void open_tables(work *w)
{
    const weft_topology *topology = w->topology;
    size_t links = (size_t)topology->routers * topology->ports;
    w->link = weft_arena_take(w->arena, links + 1);
    w->host = weft_arena_take(w->arena, (size_t)w->endpoints + 1);
    for (size_t i = 0; i < links; i++)
        w->link[i] = topology->port_class[i % topology->ports];
    memset(w->host, WEFT_LINK_HOST, w->endpoints);
}

static weft_status check_where(const weft_topology *topology, weft_error *err)
{
    if (weft_topology_bidirectional(topology))
        return WEFT_OK;
    return weft_fail(err, WEFT_BAD_INPUT,
                     "links.where is for topologies whose links lead both ways; those of a %s do "
                     "not",
                     topology->kind->base.name);
}

weft_status weft_single_links_find(weft_single_links *single, weft_topology *topology,
                                   const weft_scenario *scenario, weft_arena *arena,
                                   weft_error *err)
{
    const weft_weftnet *net = weft_weftnet_of(topology);
    work w = {.single = single, .topology = topology, .scenario = scenario, .arena = arena};
    const weft_links *links = &scenario->links;
    *single =
        (weft_single_links){.named = {links->local, links->global, links->host, links->regional}};
    if (!net && scenario->links.n_where == 0)
        return WEFT_OK;
    w.endpoints = weft_topology_endpoints(topology);
    open_tables(&w);
    if (net)
        take_file(&w, net);
    if (scenario->links.n_where > 0)
        WEFT_TRY(check_where(topology, err));
    for (size_t i = 0; i < scenario->links.n_where; i++)
        WEFT_TRY(take_where(&w, &scenario->links.where[i], err));
    if (w.full)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "links have more than %d different pairs of rate and latency: round them, "
                         "or give links.local.latency for all",
                         WEFT_LINK_CLASSES_MAX - WEFT_LINK_CLASSES);
    if (!w.differ)
        return WEFT_OK;
    for (uint32_t c = 0; c < WEFT_LINK_CLASSES; c++)
        settle_named(&w, c);
    if (!drop_unused(&w)) {
        topology->link_class = w.link;
        topology->host_class = w.host;
    }
    return WEFT_OK;
}
