/* SPDX-License-Identifier: Apache-2.0 */
/* Connection matrices of htsim:
 *     Nodes 16
 *     Connections 2
 *     Triggers 1
 *     0->1 id 1 start 0 size 2000000 recv_done_trigger 1
 *     2->3 id 2 trigger 1 size 2000000
 *     trigger id 1 oneshot          (or multishot, or barrier count 3)
 * A start is in picoseconds. A trigger fires when a flow that names it has been sent or received,
 * and starts the flows that wait for it: a oneshot all of them, once; a multishot the next of them
 * at every time, here both in the order of the file; a barrier all of them after `count` times.
 * Where the two are at different hosts, a message of one byte tells it; of a barrier with several
 * on both sides the source of the first flow collects and spreads it. Failures of switches and
 * links are not the program's and left out. */
#include "base/memory.h"
#include "program/format/common/transfers.h"

#include <stdlib.h>
#include <string.h>

enum { TAG = 1 }; /* of messages of triggers; flows have 0 */
#define PICOSECONDS 1000000000000u

typedef enum shot { SHOT_ONE, SHOT_MULTI, SHOT_BARRIER } shot;

typedef struct trigger {
    uint64_t id;
    shot kind;
    uint32_t count; /* of a barrier */
    unsigned long line;
} trigger;

typedef enum link_kind { ON_SEND, ON_RECEIVE, STARTS } link_kind;

typedef struct link { /* between a flow and a trigger */
    uint64_t id;      /* of the trigger */
    uint32_t flow;
    link_kind what;
    unsigned long line;
} link;

typedef struct matrix {
    const weft_format_input *input;
    weft_format_lines lines;
    uint64_t n_nodes, n_connections;
    weft_transfers flows;
    trigger *triggers;
    size_t n_triggers, trigger_room;
    link *links;
    size_t n_links, link_room;
    uint32_t *by_order; /* where a flow of the file is in the sorted list */
    weft_loose loose;
} matrix;

static weft_format_lines lines_of(const weft_format_input *input)
{
    return (weft_format_lines){
        .file = input->file, .at = input->bytes.at, .end = input->bytes.at + input->bytes.count};
}

static bool is_connections(const weft_format_input *input)
{
    weft_format_lines lines = lines_of(input);
    return weft_format_lines_next(&lines) &&
           weft_format_word_is(weft_format_lines_word(&lines), "Nodes");
}

static weft_status fail(const matrix *m, const char *wanted, weft_format_word found,
                        weft_error *err)
{
    return weft_format_lines_fail(&m->lines, wanted, found, err);
}

static weft_status read_whole(matrix *m, const char *wanted, uint64_t most, uint64_t *number,
                              weft_error *err)
{
    weft_format_word word = weft_format_lines_word(&m->lines);
    return weft_format_word_whole(word, most, number) ? WEFT_OK : fail(m, wanted, word, err);
}

static void *grown(void *array, size_t count, size_t *room, size_t size)
{
    if (count < *room)
        return array;
    *room = *room ? 2 * *room : 16;
    return weft_realloc(array, *room, size);
}

/* ---- lines ---- */

static weft_status add_link(matrix *m, link_kind what, uint32_t flow, weft_error *err)
{
    link one = {.flow = flow, .what = what, .line = m->lines.number};
    WEFT_TRY(read_whole(m, "the number of a trigger", UINT32_MAX, &one.id, err));
    m->links = grown(m->links, m->n_links, &m->link_room, sizeof one);
    m->links[m->n_links++] = one;
    return WEFT_OK;
}

static weft_status read_start(matrix *m, weft_transfer *flow, weft_error *err)
{
    weft_format_word word = weft_format_lines_word(&m->lines);
    return weft_format_word_number(word, m->input->options->ticks_per_second, PICOSECONDS, true,
                                   WEFT_PROGRAM_SIZE_MAX, &flow->start)
               ? WEFT_OK
               : fail(m, "a start in picoseconds, at most 2^48 ticks", word, err);
}

static weft_status read_option(matrix *m, weft_format_word key, weft_transfer *flow,
                               weft_error *err)
{
    uint32_t number = (uint32_t)m->flows.count;
    uint64_t unused;
    if (weft_format_word_is(key, "start"))
        return read_start(m, flow, err);
    if (weft_format_word_is(key, "size"))
        return read_whole(m, "bytes, at most 2^48", WEFT_PROGRAM_SIZE_MAX, &flow->bytes, err);
    if (weft_format_word_is(key, "trigger"))
        return add_link(m, STARTS, number, err);
    if (weft_format_word_is(key, "send_done_trigger"))
        return add_link(m, ON_SEND, number, err);
    if (weft_format_word_is(key, "recv_done_trigger"))
        return add_link(m, ON_RECEIVE, number, err);
    if (weft_format_word_is(key, "id") || weft_format_word_is(key, "prio"))
        return read_whole(m, "a number", UINT32_MAX, &unused, err);
    return fail(m, "id, start, trigger, size, send_done_trigger, recv_done_trigger or prio", key,
                err);
}

/* "0->1", of which the arrow is known. */
static weft_status read_flow(matrix *m, weft_format_word pair, const char *arrow, weft_error *err)
{
    weft_transfer flow = {.bytes = 0};
    weft_format_word from = {pair.at, (size_t)(arrow - pair.at)};
    weft_format_word to = {arrow + 2, pair.length - from.length - 2};
    uint32_t most = (uint32_t)m->n_nodes - 1;
    WEFT_TRY(weft_transfers_host(&m->lines, from, most, &flow.source, err));
    WEFT_TRY(weft_transfers_host(&m->lines, to, most, &flow.destination, err));
    for (weft_format_word key = weft_format_lines_word(&m->lines); key.length > 0;
         key = weft_format_lines_word(&m->lines))
        WEFT_TRY(read_option(m, key, &flow, err));
    if (m->flows.count >= m->n_connections)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "%.2000s:%lu: the file promises %llu connections, found another",
                         m->input->file, m->lines.number, (unsigned long long)m->n_connections);
    weft_transfers_add(&m->flows, flow);
    weft_format_counted(m->input->summary, "connections");
    return WEFT_OK;
}

static weft_status read_trigger(matrix *m, weft_error *err)
{
    trigger one = {.count = 1, .line = m->lines.number};
    uint64_t count;
    weft_format_word word = weft_format_lines_word(&m->lines);
    if (!weft_format_word_is(word, "id"))
        return fail(m, "`id` and the number of the trigger", word, err);
    WEFT_TRY(read_whole(m, "the number of the trigger", UINT32_MAX, &one.id, err));
    word = weft_format_lines_word(&m->lines);
    if (weft_format_word_is(word, "multishot"))
        one.kind = SHOT_MULTI;
    else if (weft_format_word_is(word, "barrier"))
        one.kind = SHOT_BARRIER;
    else if (!weft_format_word_is(word, "oneshot"))
        return fail(m, "oneshot, multishot or barrier", word, err);
    word = weft_format_lines_word(&m->lines);
    if (weft_format_word_is(word, "count")) {
        WEFT_TRY(read_whole(m, "how often a barrier is named", UINT32_MAX, &count, err));
        one.count = (uint32_t)count;
    } else if (one.kind == SHOT_BARRIER) {
        return fail(m, "`count` and how often the barrier is named", word, err);
    }
    m->triggers = grown(m->triggers, m->n_triggers, &m->trigger_room, sizeof one);
    m->triggers[m->n_triggers++] = one;
    weft_format_counted(m->input->summary, "triggers");
    return WEFT_OK;
}

static const char *find_arrow(weft_format_word word)
{
    for (size_t i = 0; i + 1 < word.length; i++)
        if (word.at[i] == '-' && word.at[i + 1] == '>')
            return word.at + i;
    return NULL;
}

static weft_status read_line(matrix *m, weft_error *err)
{
    weft_format_word word = weft_format_lines_word(&m->lines);
    const char *arrow = find_arrow(word);
    uint64_t unused;
    if (weft_format_word_is(word, "Connections"))
        return read_whole(m, "the number of connections", UINT32_MAX, &m->n_connections, err);
    if (weft_format_word_is(word, "Triggers") || weft_format_word_is(word, "Failures"))
        return read_whole(m, "their number", UINT32_MAX, &unused, err);
    if (weft_format_word_is(word, "trigger"))
        return read_trigger(m, err);
    if (arrow)
        return read_flow(m, word, arrow, err);
    if (!weft_format_word_is(word, "failure"))
        return fail(m, "Connections, Triggers, Failures, a connection a->b, trigger or failure",
                    word, err);
    weft_format_counted(m->input->summary, "failures (left out)");
    return WEFT_OK;
}

/* ---- triggers ---- */

static int by_trigger(const void *a, const void *b)
{
    const link *x = a, *y = b;
    if (x->id != y->id)
        return x->id < y->id ? -1 : 1;
    bool p = x->what == STARTS, q = y->what == STARTS;
    if (p != q)
        return p ? 1 : -1;
    return x->flow < y->flow ? -1 : x->flow > y->flow;
}

static int by_id(const void *a, const void *b)
{
    const trigger *x = a, *y = b;
    return x->id < y->id ? -1 : x->id > y->id;
}

/* The operation of a flow that a link is about. */
static uint32_t operation_of(const matrix *m, const link *which)
{
    const weft_transfer *flow = &m->flows.at[m->by_order[which->flow]];
    return which->what == ON_RECEIVE ? flow->receive : flow->send;
}

static weft_status add_message(matrix *m, uint32_t earlier, uint32_t rank, uint32_t *arrived,
                               weft_error *err)
{
    uint32_t from = m->loose.operations[earlier].rank, sent;
    weft_loose_operation send = {
        .kind = WEFT_OPERATION_SEND, .rank = from, .peer = rank, .tag = TAG, .size = 1};
    weft_loose_operation receive = {
        .kind = WEFT_OPERATION_RECV, .rank = rank, .peer = from, .tag = TAG, .size = 1};
    WEFT_TRY(weft_loose_add(&m->loose, send, &sent, err));
    WEFT_TRY(weft_loose_depend(&m->loose, sent, earlier, err));
    return weft_loose_add(&m->loose, receive, arrived, err);
}

/* `later` waits for `earlier`, by a message if it is elsewhere. */
static weft_status connect(matrix *m, uint32_t later, uint32_t earlier, weft_error *err)
{
    uint32_t rank = m->loose.operations[later].rank;
    if (m->loose.operations[earlier].rank != rank)
        WEFT_TRY(add_message(m, earlier, rank, &earlier, err));
    return weft_loose_depend(&m->loose, later, earlier, err);
}

/* Each of several operations waits for each of several others, one of the two being one alone. */
static weft_status connect_each(matrix *m, const link *events, size_t n_events, const link *starts,
                                size_t n_starts, weft_error *err)
{
    for (size_t e = 0; e < n_events; e++)
        for (size_t s = 0; s < n_starts; s++)
            WEFT_TRY(connect(m, operation_of(m, &starts[s]), operation_of(m, &events[e]), err));
    return WEFT_OK;
}

static weft_status connect_all(matrix *m, const link *events, size_t n_events, const link *starts,
                               size_t n_starts, weft_error *err)
{
    if (n_events <= 1 || n_starts <= 1)
        return connect_each(m, events, n_events, starts, n_starts, err);
    weft_loose_operation join = {.kind = WEFT_OPERATION_CALC,
                                 .rank = m->loose.operations[operation_of(m, starts)].rank};
    uint32_t hub;
    WEFT_TRY(weft_loose_add(&m->loose, join, &hub, err));
    for (size_t e = 0; e < n_events; e++)
        WEFT_TRY(connect(m, hub, operation_of(m, &events[e]), err));
    for (size_t s = 0; s < n_starts; s++)
        WEFT_TRY(connect(m, operation_of(m, &starts[s]), hub, err));
    return WEFT_OK;
}

static weft_status fire(matrix *m, const trigger *which, const link *links, size_t n_events,
                        size_t n_starts, weft_error *err)
{
    const link *starts = links + n_events;
    uint64_t wanted = which->kind == SHOT_BARRIER ? which->count
                      : which->kind == SHOT_ONE   ? 1
                                                  : n_starts;
    bool fits = which->kind == SHOT_MULTI ? n_events >= wanted : n_events == wanted;
    if (!fits && n_starts > 0)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "%.2000s:%lu: trigger %llu must be named by the end of %llu connections, "
                         "found %zu",
                         m->input->file, which->line, (unsigned long long)which->id,
                         (unsigned long long)wanted, n_events);
    if (which->kind != SHOT_MULTI)
        return connect_all(m, links, n_events, starts, n_starts, err);
    for (size_t s = 0; s < n_starts; s++)
        WEFT_TRY(connect(m, operation_of(m, &starts[s]), operation_of(m, &links[s]), err));
    return WEFT_OK;
}

static weft_status fire_all(matrix *m, weft_error *err)
{
    size_t first = 0;
    if (m->n_links > 0)
        qsort(m->links, m->n_links, sizeof *m->links, by_trigger);
    if (m->n_triggers > 0)
        qsort(m->triggers, m->n_triggers, sizeof *m->triggers, by_id);
    while (first < m->n_links) {
        const link *links = m->links + first;
        size_t events = 0, starts = 0;
        for (; first < m->n_links && m->links[first].id == links->id; first++)
            (*(m->links[first].what == STARTS ? &starts : &events))++;
        trigger key = {.id = links->id};
        const trigger *which =
            m->n_triggers ? bsearch(&key, m->triggers, m->n_triggers, sizeof *m->triggers, by_id)
                          : NULL;
        if (!which)
            return weft_fail(err, WEFT_BAD_INPUT,
                             "%.2000s:%lu: trigger %llu has no line 'trigger id %llu …'",
                             m->input->file, links->line, (unsigned long long)links->id,
                             (unsigned long long)links->id);
        WEFT_TRY(fire(m, which, links, events, starts, err));
    }
    return WEFT_OK;
}

/* ---- a matrix ---- */

static weft_status read_matrix(matrix *m, weft_program *program, weft_error *err)
{
    m->lines = lines_of(m->input);
    (void)weft_format_lines_next(&m->lines);
    (void)weft_format_lines_word(&m->lines);
    WEFT_TRY(read_whole(m, "the number of nodes, at most 1048576", WEFT_TRANSFERS_HOSTS_MAX,
                        &m->n_nodes, err));
    if (m->n_nodes == 0)
        return weft_fail(err, WEFT_BAD_INPUT, "%.2000s:%lu: wanted nodes, 1 to 1048576, found 0",
                         m->input->file, m->lines.number);
    while (weft_format_lines_next(&m->lines))
        WEFT_TRY(read_line(m, err));
    if (m->flows.count != m->n_connections)
        return weft_fail(
            err, WEFT_BAD_INPUT, "%.2000s:%lu: the file promises %llu connections, found %zu",
            m->input->file, m->lines.number, (unsigned long long)m->n_connections, m->flows.count);
    uint32_t nodes = (uint32_t)m->n_nodes;
    WEFT_TRY(weft_transfers_expand(&m->flows, nodes, &m->loose, err));
    m->by_order = weft_realloc(NULL, m->flows.count + 1, sizeof *m->by_order);
    for (size_t i = 0; i < m->flows.count; i++)
        m->by_order[m->flows.at[i].order] = (uint32_t)i;
    WEFT_TRY(fire_all(m, err));
    return weft_loose_finish(&m->loose, nodes, program, err);
}

static weft_status read_connections(const weft_format_input *input, weft_program *program,
                                    weft_error *err)
{
    matrix m = {.input = input};
    weft_loose_init(&m.loose, input->file, input->options->operations_max);
    weft_status status = read_matrix(&m, program, err);
    weft_transfers_done(&m.flows);
    weft_loose_done(&m.loose);
    free(m.triggers);
    free(m.links);
    free(m.by_order);
    return status;
}

const weft_format_kind weft_format_connections = {
    .name = "connections",
    .brief = "connection matrices of htsim: Nodes 16, 0->1 start 0 size 4096",
    .is = is_connections,
    .read = read_connections,
};
