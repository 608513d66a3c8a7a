/* SPDX-License-Identifier: Apache-2.0 */
/* BookSim2's anynet files: in every line a router (or node) and what it is joined to,
 *     router 0 node 0 node 1 router 1 5
 * a number after a link is its latency. A link may stand in the lines of both its routers; it is
 * one cable. BookSim2 takes latency 1 where none is written, also for the way back of a link
 * that is written once; here both ways are alike, and two that differ are refused. Latencies of
 * nodes are not used. */
#include "interop/formats.h"

#include "base/memory.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct mention { /* router to router, or node to router */
    uint32_t from, to, latency;
    unsigned long line;
} mention;

typedef struct list {
    mention *at;
    size_t count, room;
} list;

typedef struct reader {
    weft_import_graph *import_graph;
    weft_lines lines;
    list links, nodes; /* links: from < to */
    bool latencies;    /* some are written */
    list routers;      /* from: those that are mentioned; in the end each once, by number */
    weft_error *err;
} reader;

static void add(list *to, mention one)
{
    if (to->count == to->room) {
        to->room = to->room ? 2 * to->room : 256;
        to->at = weft_realloc(to->at, to->room, sizeof *to->at);
    }
    to->at[to->count++] = one;
}

/* "router 3" or "node 3"; *is_router tells which. */
static weft_status read_thing(reader *r, weft_word word, bool *is_router, uint32_t *number)
{
    uint64_t value;
    *is_router = weft_word_is(word, "router");
    if (!*is_router && !weft_word_is(word, "node"))
        return weft_lines_fail(&r->lines, r->err, "expected `router` or `node`, found '%.*s'",
                               WEFT_WORD(word));
    weft_word id = weft_lines_word(&r->lines);
    if (!weft_word_number(id, WEFT_WEFTNET_MOST - 1, &value))
        return weft_lines_fail(
            &r->lines, r->err, "after `%s` comes its number, 0 … %u, found '%.*s'",
            *is_router ? "router" : "node", WEFT_WEFTNET_MOST - 1, WEFT_WORD(id));
    *number = (uint32_t)value;
    if (*is_router)
        add(&r->routers, (mention){.from = *number});
    return WEFT_OK;
}

static weft_status link(reader *r, uint32_t head, bool head_router, uint32_t body, bool body_router,
                        uint32_t latency)
{
    mention one = {.from = head, .to = body, .latency = latency, .line = r->lines.line};
    if (!head_router && !body_router)
        return weft_lines_fail(&r->lines, r->err,
                               "node %u is joined to node %u; nodes are joined "
                               "to routers",
                               head, body);
    if (head_router && body_router) {
        if (head == body)
            return weft_lines_fail(&r->lines, r->err, "router %u is joined to itself", head);
        one.from = head < body ? head : body;
        one.to = head < body ? body : head;
        r->latencies = r->latencies || latency > 0;
        add(&r->links, one);
        return WEFT_OK;
    }
    one.from = head_router ? body : head;
    one.to = head_router ? head : body;
    add(&r->nodes, one);
    return WEFT_OK;
}

static weft_status read_line(reader *r)
{
    uint32_t head = 0, body = 0, latency;
    bool head_router = false, body_router = false;
    WEFT_TRY(read_thing(r, weft_lines_word(&r->lines), &head_router, &head));
    weft_word word = weft_lines_word(&r->lines);
    while (word.at) {
        WEFT_TRY(read_thing(r, word, &body_router, &body));
        latency = 0;
        word = weft_lines_word(&r->lines);
        if (word.length > 0 && word.at[0] >= '0' && word.at[0] <= '9') {
            WEFT_TRY(weft_import_graph_latency(&r->lines, word, &latency, NULL, r->err));
            word = weft_lines_word(&r->lines);
        }
        WEFT_TRY(link(r, head, head_router, body, body_router, latency));
    }
    return WEFT_OK;
}

static int by_ends(const void *a, const void *b)
{
    const mention *x = a, *y = b;
    if (x->from != y->from)
        return x->from < y->from ? -1 : 1;
    if (x->to != y->to)
        return x->to < y->to ? -1 : 1;
    return x->line < y->line ? -1 : x->line > y->line;
}

static void sort(list *it)
{
    if (it->count > 0)
        qsort(it->at, it->count, sizeof *it->at, by_ends);
}

/* Routers in the order of their numbers. */
static weft_status name_routers(reader *r)
{
    size_t kept = 0;
    sort(&r->routers);
    for (size_t i = 0; i < r->routers.count; i++) {
        char name[16];
        uint32_t id = r->routers.at[i].from, router;
        if (kept > 0 && r->routers.at[kept - 1].from == id)
            continue;
        r->routers.at[kept++].from = id;
        int length = snprintf(name, sizeof name, "%u", id);
        WEFT_TRY(weft_import_graph_router_of(r->import_graph, &r->lines,
                                             (weft_word){.at = name, .length = (size_t)length},
                                             &router, r->err));
    }
    r->routers.count = kept;
    return WEFT_OK;
}

/* The import graph's number of a router. */
static uint32_t find(const reader *r, uint32_t id)
{
    size_t low = 0, high = r->routers.count;
    while (high - low > 1) {
        size_t middle = (low + high) / 2;
        if (r->routers.at[middle].from <= id)
            low = middle;
        else
            high = middle;
    }
    return (uint32_t)low;
}

static weft_status join_routers(reader *r)
{
    sort(&r->links);
    for (size_t i = 0; i < r->links.count;) {
        const mention *one = &r->links.at[i];
        uint32_t latency = one->latency;
        r->lines.line = one->line;
        for (i++;
             i < r->links.count && r->links.at[i].from == one->from && r->links.at[i].to == one->to;
             i++) {
            uint32_t other = r->links.at[i].latency;
            r->lines.line = r->links.at[i].line;
            if (latency && other && latency != other)
                return weft_lines_fail(&r->lines, r->err,
                                       "the link between routers %u and %u has latency %u here and "
                                       "%u in line %lu; links are alike both ways",
                                       one->from, one->to, other, latency, one->line);
            latency = latency ? latency : other;
        }
        weft_import_graph_cable cable = {
            .end = {{find(r, one->from), WEFT_NO_PORT_YET}, {find(r, one->to), WEFT_NO_PORT_YET}},
            .latency = latency ? latency : r->latencies,
            .class = WEFT_NO_CLASS};
        WEFT_TRY(weft_import_graph_join(r->import_graph, &r->lines, cable, r->err));
    }
    return WEFT_OK;
}

static weft_status place_nodes(reader *r)
{
    sort(&r->nodes);
    for (size_t i = 0; i < r->nodes.count; i++) {
        const mention *one = &r->nodes.at[i], *before = i ? one - 1 : NULL;
        bool again = before && before->from == one->from;
        r->lines.line = one->line;
        if (again && before->to != one->to)
            return weft_lines_fail(&r->lines, r->err,
                                   "node %u is joined to router %u here and to router %u in line "
                                   "%lu; it has one router",
                                   one->from, one->to, before->to, before->line);
        if (!again)
            WEFT_TRY(
                weft_import_graph_hosts(r->import_graph, &r->lines, find(r, one->to), 1, r->err));
    }
    return WEFT_OK;
}

static weft_status draw(reader *r)
{
    while (weft_lines_next(&r->lines))
        WEFT_TRY(read_line(r));
    WEFT_TRY(name_routers(r));
    WEFT_TRY(join_routers(r));
    return place_nodes(r);
}

weft_status weft_anynet_read(weft_import_graph *import_graph, const char *text, size_t length,
                             weft_error *err)
{
    reader r = {.import_graph = import_graph,
                .lines = weft_lines_of(import_graph->file, text, length),
                .err = err};
    weft_status status = draw(&r);
    free(r.links.at);
    free(r.nodes.at);
    free(r.routers.at);
    return status;
}
