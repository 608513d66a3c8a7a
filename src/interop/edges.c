/* SPDX-License-Identifier: Apache-2.0 */
/* Edge lists: a cable per line, as two names of routers and, if wished, class=global, latency=5
 * (cycles) or latency=30ns, rate=100Gb/s and ports=3:7;
 *     host NAME [NUMBER]    a router has hosts, whose links may have latency= and rate= too
 *     router NAME           a router, cables or not
 * Names with spaces, or those called host or router, stand in double quotes. */
#include "interop/formats.h"

#include <string.h>

/* "key=value" with this key: the value. */
static bool has_key(weft_word word, const char *key, weft_word *value)
{
    size_t length = strlen(key);
    if (word.length <= length || memcmp(word.at, key, length) != 0 || word.at[length] != '=')
        return false;
    *value = (weft_word){.at = word.at + length + 1, .length = word.length - length - 1};
    return true;
}

static weft_status read_extras(weft_lines *lines, weft_import_graph_cable *cable, weft_error *err)
{
    weft_word word, value;
    while ((word = weft_lines_word(lines)).at) {
        if (has_key(word, "class", &value))
            WEFT_TRY(weft_import_graph_class(lines, value, &cable->class, err));
        else if (has_key(word, "latency", &value))
            WEFT_TRY(weft_import_graph_latency(lines, value, &cable->latency, &cable->timing, err));
        else if (has_key(word, "rate", &value))
            WEFT_TRY(weft_import_graph_rate(lines, value, &cable->timing, err));
        else if (has_key(word, "ports", &value))
            WEFT_TRY(weft_import_graph_ports(lines, value, cable, err));
        else
            return weft_lines_fail(lines, err,
                                   "after the two routers of a cable come class=, latency=, rate= "
                                   "or ports=, found '%.*s'",
                                   WEFT_WORD(word));
    }
    return WEFT_OK;
}

static weft_status read_cable(weft_import_graph *import_graph, weft_lines *lines, weft_word first,
                              weft_error *err)
{
    weft_import_graph_cable cable = {
        .end = {{.port = WEFT_NO_PORT_YET}, {.port = WEFT_NO_PORT_YET}}, .class = WEFT_NO_CLASS};
    weft_word second = weft_lines_word(lines);
    if (!second.at)
        return weft_lines_fail(lines, err,
                               "a cable is two routers in one line, found only '%.*s' (a router "
                               "without cables: router NAME)",
                               WEFT_WORD(first));
    WEFT_TRY(weft_import_graph_router_of(import_graph, lines, first, &cable.end[0].router, err));
    WEFT_TRY(weft_import_graph_router_of(import_graph, lines, second, &cable.end[1].router, err));
    WEFT_TRY(read_extras(lines, &cable, err));
    return weft_import_graph_join(import_graph, lines, cable, err);
}

static bool same_links(const weft_link_settings *a, const weft_link_settings *b)
{
    return a->rate.value == b->rate.value && a->rate.unit == b->rate.unit &&
           a->latency.value == b->latency.value && a->latency.unit == b->latency.unit;
}

static weft_status read_host(weft_import_graph *import_graph, weft_lines *lines, weft_error *err)
{
    uint32_t router, latency = 0;
    uint64_t hosts = 1;
    weft_word word, value;
    WEFT_TRY(
        weft_import_graph_router_of(import_graph, lines, weft_lines_word(lines), &router, err));
    weft_import_graph_router *its = &import_graph->routers[router];
    weft_link_settings timing = {0};
    for (bool first = true; (word = weft_lines_word(lines)).at; first = false) {
        if (has_key(word, "latency", &value))
            WEFT_TRY(weft_import_graph_latency(lines, value, &latency, &timing, err));
        else if (has_key(word, "rate", &value))
            WEFT_TRY(weft_import_graph_rate(lines, value, &timing, err));
        else if (!first || !weft_word_number(word, WEFT_WEFTNET_HOSTS_MAX, &hosts))
            return weft_lines_fail(lines, err,
                                   "hosts are `host NAME` or `host NAME NUMBER`, and latency= or "
                                   "rate= of their links, found '%.*s'",
                                   WEFT_WORD(word));
    }
    if (latency > 0)
        timing.latency = (weft_duration){latency, WEFT_CYCLES};
    if (its->hosts > 0 && !same_links(&timing, &its->timing))
        return weft_lines_fail(lines, err,
                               "the hosts of a router have the same latency and rate; an earlier "
                               "line of %s has others",
                               weft_import_graph_name(import_graph, router));
    its->timing = timing;
    return weft_import_graph_hosts(import_graph, lines, router, hosts, err);
}

static weft_status read_router(weft_import_graph *import_graph, weft_lines *lines, weft_error *err)
{
    uint32_t router;
    WEFT_TRY(
        weft_import_graph_router_of(import_graph, lines, weft_lines_word(lines), &router, err));
    weft_word more = weft_lines_word(lines);
    if (more.at)
        return weft_lines_fail(lines, err, "a router is `router NAME`, found '%.*s' after it",
                               WEFT_WORD(more));
    return WEFT_OK;
}

weft_status weft_edges_read(weft_import_graph *import_graph, const char *text, size_t length,
                            weft_error *err)
{
    weft_lines lines = weft_lines_of(import_graph->file, text, length);
    while (weft_lines_next(&lines)) {
        weft_word first = weft_lines_word(&lines);
        if (!first.quoted && weft_word_is(first, "host"))
            WEFT_TRY(read_host(import_graph, &lines, err));
        else if (!first.quoted && weft_word_is(first, "router"))
            WEFT_TRY(read_router(import_graph, &lines, err));
        else
            WEFT_TRY(read_cable(import_graph, &lines, first, err));
    }
    return WEFT_OK;
}
