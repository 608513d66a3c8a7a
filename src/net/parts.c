/* SPDX-License-Identifier: Apache-2.0 */
#include "net/parts.h"

#include "base/glob.h"
#include "base/memory.h"
#include "base/suggest.h"
#include "net/hosts.h"
#include "net/naming.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NAMES_COMPARED 10000 /* at most, for "did you mean" */

void weft_parts_init(weft_parts *parts, const weft_topology *topology)
{
    const weft_weftnet *net = weft_weftnet_of(topology);
    *parts = (weft_parts){.topology = topology,
                          .net = net,
                          .no_router = weft_alloc(net->routers),
                          .no_host = weft_alloc(net->subnet->n_hosts + 1u),
                          .no_cable = weft_alloc(net->n_cables + 1u),
                          .rates = weft_alloc(sizeof *parts->rates * (net->n_cables + 1u))};
    memcpy(parts->rates, net->subnet->rates, sizeof *parts->rates * net->n_cables);
}

void weft_parts_done(weft_parts *parts)
{
    free(parts->no_router);
    free(parts->no_host);
    free(parts->no_cable);
    free(parts->rates);
    *parts = (weft_parts){0};
}

/* ---- names of cables ---- */

/* "leaf1:p7->spine2", "leaf1:p7" or "leaf1->spine2"? */
static bool is_called(const weft_parts *parts, const char *glob, weft_end from, weft_end to)
{
    const char *a = weft_weftnet_name(parts->net, from.router);
    const char *b = weft_weftnet_name(parts->net, to.router);
    char name[WEFT_LINK_NAME_BYTES];
    (void)snprintf(name, sizeof name, "%s:p%u->%s", a, from.port, b);
    if (weft_glob_matches(glob, name))
        return true;
    (void)snprintf(name, sizeof name, "%s:p%u", a, from.port);
    if (weft_glob_matches(glob, name))
        return true;
    (void)snprintf(name, sizeof name, "%s->%s", a, b);
    return weft_glob_matches(glob, name);
}

static bool is_cable(const weft_parts *parts, const char *glob, uint32_t cable)
{
    const weft_end *end = parts->net->cables[cable].end;
    return is_called(parts, glob, end[0], end[1]) || is_called(parts, glob, end[1], end[0]);
}

static bool is_router(const weft_parts *parts, const char *glob, uint32_t router)
{
    return weft_glob_matches(glob, weft_weftnet_name(parts->net, router));
}

/* A * of a name for hosts and switches does not stand for all cables besides. */
static bool names_cables(const char *glob)
{
    return strstr(glob, ":p") || strstr(glob, "->");
}

/* ---- taking away ---- */

static uint32_t remove_routers(weft_parts *parts, const char *glob)
{
    const weft_weftnet *net = parts->net;
    uint32_t count = 0, host = 0;
    for (uint32_t r = 0; r < net->routers; r++) {
        bool gone = is_router(parts, glob, r);
        uint32_t hosts = r < net->homes ? net->hosts[r] : 0;
        for (uint32_t i = 0; i < hosts; i++, host++)
            parts->no_host[host] = parts->no_host[host] || gone;
        parts->no_router[r] = parts->no_router[r] || gone;
        count += gone;
    }
    for (uint32_t c = 0; c < net->n_cables; c++)
        for (int e = 0; e < 2; e++)
            parts->no_cable[c] =
                parts->no_cable[c] || parts->no_router[net->cables[c].end[e].router];
    return count;
}

uint32_t weft_parts_remove(weft_parts *parts, const char *name)
{
    const weft_weftnet *net = parts->net;
    uint32_t count = remove_routers(parts, name);
    for (uint32_t h = 0; h < net->subnet->n_hosts; h++)
        if (weft_glob_matches(name, weft_subnet_host_name(net->subnet, h))) {
            parts->no_host[h] = true;
            count++;
        }
    for (uint32_t c = 0; names_cables(name) && c < net->n_cables; c++)
        if (is_cable(parts, name, c)) {
            parts->no_cable[c] = true;
            count++;
        }
    return count;
}

/* ---- rates ---- */

/* "4xEDR"; false: it is none. */
static bool read_rate(const char *text, weft_subnet_rate *rate)
{
    char *rest;
    unsigned long width = strtoul(text, &rest, 10);
    if (rest == text || *rest != 'x' || width < 1 || width > UINT8_MAX)
        return false;
    rate->width = (uint8_t)width;
    for (rate->speed = 0; rate->speed < WEFT_SUBNET_SPEEDS; rate->speed++)
        if (strcmp(rest + 1, weft_subnet_speeds[rate->speed].name) == 0)
            return true;
    return false;
}

weft_status weft_parts_change_rate(weft_parts *parts, const char *text, uint32_t *count,
                                   weft_error *err)
{
    const char *equals = strrchr(text, '=');
    weft_subnet_rate rate;
    *count = 0;
    if (!equals || !read_rate(equals + 1, &rate))
        return weft_fail(err, WEFT_BAD_USAGE,
                         "a cable's rate is given as NAME=WIDTHxSPEED, such as "
                         "leaf1:p7=1xEDR, found '%.80s'; speeds are SDR, DDR, QDR, FDR10, FDR, "
                         "EDR, HDR, NDR and XDR",
                         text);
    char *name = weft_text_copy_part(text, (size_t)(equals - text));
    for (uint32_t c = 0; c < parts->net->n_cables; c++) {
        const weft_end *end = parts->net->cables[c].end;
        if (is_router(parts, name, end[0].router) || is_router(parts, name, end[1].router) ||
            (names_cables(name) && is_cable(parts, name, c))) {
            parts->rates[c] = rate;
            ++*count;
        }
    }
    free(name);
    return WEFT_OK;
}

/* ---- names that nothing has ---- */

static const char *first_cable(const weft_parts *parts, char name[WEFT_LINK_NAME_BYTES])
{
    name[0] = '\0';
    if (parts->net->n_cables > 0)
        weft_naming_link(parts->topology, parts->net->cables[0].end[0].router,
                         parts->net->cables[0].end[0].port, name);
    return name;
}

weft_status weft_parts_refuse(const weft_parts *parts, const char *name, weft_error *err)
{
    const weft_weftnet *net = parts->net;
    char link[WEFT_LINK_NAME_BYTES], nearest[WEFT_LINK_NAME_BYTES] = "";
    weft_suggest suggest = {.word = name};
    for (uint32_t r = 0; r < net->routers && r < NAMES_COMPARED; r++)
        weft_suggest_offer(&suggest, weft_weftnet_name(net, r));
    for (uint32_t h = 0; h < net->subnet->n_hosts && h < NAMES_COMPARED; h++)
        weft_suggest_offer(&suggest, weft_subnet_host_name(net->subnet, h));
    for (uint32_t l = 0; names_cables(name) && l < 2 * net->n_cables && l < NAMES_COMPARED; l++) {
        weft_end end = net->cables[l / 2].end[l % 2];
        weft_naming_link(parts->topology, end.router, end.port, link);
        weft_suggest_offer(&suggest, link);
        if (suggest.best == link) { /* its memory is used again */
            (void)snprintf(nearest, sizeof nearest, "%s", link);
            suggest.best = nearest;
        }
    }
    if (*weft_suggest_text(&suggest))
        return weft_fail(err, WEFT_BAD_INPUT, "no switch, host or cable is called '%.80s'%s", name,
                         suggest.text);
    const char *first = first_cable(parts, link);
    return weft_fail(err, WEFT_BAD_INPUT, "no switch, host or cable is called '%.80s'; %s%s%s",
                     name, *first ? "the first cable is '" : "no cable joins two switches", first,
                     *first ? "'" : "");
}
