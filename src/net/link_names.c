/* SPDX-License-Identifier: Apache-2.0 */
#include "net/link_names.h"

#include "base/glob.h"
#include "base/memory.h"
#include "base/suggest.h"
#include "net/hosts.h"
#include "net/naming.h"
#include "net/topology/common/weftnet.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NAMES_COMPARED 10000 /* at most, for "did you mean" */
#define BETWEEN        " - "

typedef struct search {
    const weft_topology *topology;
    weft_link_visit *visit;
    void *user;
    uint32_t found;
} search;

const char *weft_link_names_nearest(const weft_topology *topology, const char *name, char out[160])
{
    weft_suggest suggest = {.word = name};
    const weft_weftnet *net = weft_weftnet_of(topology);
    for (uint32_t r = 0; net && r < net->routers && r < NAMES_COMPARED; r++)
        weft_suggest_offer(&suggest, weft_weftnet_name(net, r));
    (void)snprintf(out, 160, "%s", weft_suggest_text(&suggest));
    return out;
}

/* "(3, 0)" of places as "(3,0)" of links. */
static void close_up(char *name)
{
    char *to = name;
    for (const char *from = name; *from; from++)
        if (!(*from == ' ' && from > name && from[-1] == ','))
            *to++ = *from;
    *to = '\0';
}

static bool router_matches(const weft_topology *topology, uint32_t router, const char *glob)
{
    char name[WEFT_NAME_BYTES];
    if (weft_glob_matches(glob, weft_naming_name(topology, router, name)))
        return true;
    weft_naming_place(topology, router, name);
    if (weft_glob_matches(glob, name))
        return true;
    close_up(name);
    return weft_glob_matches(glob, name);
}

uint32_t weft_link_names_routers(const weft_topology *topology, const char *glob,
                                 void (*visit)(void *user, uint32_t router), void *user)
{
    uint32_t found = 0;
    for (uint32_t r = 0; r < topology->routers; r++)
        if (router_matches(topology, r, glob)) {
            visit(user, r);
            found++;
        }
    return found;
}

/* A link and the one back. */
static void take(search *s, uint32_t router, uint32_t port)
{
    const weft_topology *topology = s->topology;
    weft_end end = topology->kind->peer(topology, router, port);
    s->visit(s->user, router, port);
    s->found++;
    if (end.port < topology->ports &&
        topology->kind->peer(topology, end.router, end.port).router == router)
        s->visit(s->user, end.router, end.port);
}

static void mark(void *user, uint32_t router)
{
    ((uint8_t *)user)[router] = 1;
}

/* Links from routers of one set to those of another; to NULL: to any router. */
static void take_between(search *s, const uint8_t *from, const uint8_t *to)
{
    const weft_topology *topology = s->topology;
    for (uint32_t r = 0; r < topology->routers; r++)
        for (uint32_t p = 0; from[r] && p < topology->ports; p++) {
            uint32_t other = topology->kind->peer(topology, r, p).router;
            if (other != WEFT_NOWHERE && (!to || to[other]))
                take(s, r, p);
        }
}

static void take_named(search *s, const char *glob)
{
    const weft_topology *topology = s->topology;
    char name[WEFT_LINK_NAME_BYTES];
    for (uint32_t r = 0; r < topology->routers; r++)
        for (uint32_t p = 0; p < topology->ports; p++) {
            if (topology->kind->peer(topology, r, p).router == WEFT_NOWHERE)
                continue;
            weft_naming_link(topology, r, p, name);
            if (weft_glob_matches(glob, name))
                take(s, r, p);
        }
}

static weft_status no_router(const weft_topology *topology, const char *setting, const char *name,
                             weft_error *err)
{
    char nearest[160];
    return weft_fail(err, WEFT_BAD_INPUT, "%s: there is no router '%.60s'%s", setting, name,
                     weft_link_names_nearest(topology, name, nearest));
}

static weft_status take_pair(search *s, const char *setting, const char *one, const char *other,
                             uint8_t *sets, weft_error *err)
{
    const weft_topology *topology = s->topology;
    uint8_t *a = sets, *b = sets + topology->routers;
    if (weft_link_names_routers(topology, one, mark, a) == 0)
        return no_router(topology, setting, one, err);
    if (weft_link_names_routers(topology, other, mark, b) == 0)
        return no_router(topology, setting, other, err);
    take_between(s, a, b);
    take_between(s, b, a); /* where links lead one way only */
    if (s->found == 0)
        return weft_fail(err, WEFT_BAD_INPUT, "%s: no link joins %.60s and %.60s", setting, one,
                         other);
    return WEFT_OK;
}

/* Names the nearest link, or if none is near the first. */
static weft_status no_link(const weft_topology *topology, const char *setting, const char *text,
                           weft_error *err)
{
    weft_suggest suggest = {.word = text};
    char first[WEFT_LINK_NAME_BYTES] = "", name[WEFT_LINK_NAME_BYTES], best[WEFT_LINK_NAME_BYTES];
    uint32_t compared = 0;
    for (uint32_t r = 0; r < topology->routers && compared < NAMES_COMPARED; r++)
        for (uint32_t p = 0; p < topology->ports; p++) {
            if (topology->kind->peer(topology, r, p).router == WEFT_NOWHERE)
                continue;
            weft_naming_link(topology, r, p, name);
            if (compared++ == 0)
                memcpy(first, name, sizeof first);
            weft_suggest_offer(&suggest, name);
            if (suggest.best == name)
                suggest.best = memcpy(best, name, sizeof best);
        }
    const char *nearest = weft_suggest_text(&suggest);
    return weft_fail(err, WEFT_BAD_INPUT, "%s: there is no link '%.80s'%s%.80s%s", setting, text,
                     *nearest ? nearest : "; one is '", *nearest ? "" : first, *nearest ? "" : "'");
}

static weft_status take_any(search *s, const char *setting, const char *text, uint8_t *set,
                            weft_error *err)
{
    const weft_topology *topology = s->topology;
    if (weft_link_names_routers(topology, text, mark, set) > 0)
        take_between(s, set, NULL);
    else
        take_named(s, text);
    if (s->found > 0)
        return WEFT_OK;
    if (!strstr(text, "->"))
        return no_router(topology, setting, text, err);
    return no_link(topology, setting, text, err);
}

weft_status weft_link_names_visit(const weft_topology *topology, const char *setting,
                                  const char *text, weft_link_visit *visit, void *user,
                                  weft_error *err)
{
    search s = {.topology = topology, .visit = visit, .user = user};
    const char *between = strstr(text, BETWEEN);
    uint8_t *sets = weft_alloc(2 * (size_t)topology->routers);
    weft_status status;
    if (between) {
        size_t length = (size_t)(between - text);
        char *one = weft_alloc(length + 1);
        memcpy(one, text, length);
        status = take_pair(&s, setting, one, between + strlen(BETWEEN), sets, err);
        free(one);
    } else {
        status = take_any(&s, setting, text, sets, err);
    }
    free(sets);
    return status;
}
