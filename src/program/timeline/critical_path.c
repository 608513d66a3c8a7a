/* SPDX-License-Identifier: Apache-2.0 */
/* A walk back in time. Each function explains why an operation came to a stage at a tick, adds the
 * step that led there, and returns the operation and the stage to explain next. */
#include "program/timeline/critical_path.h"

#include "base/memory.h"

#include <stdlib.h>

typedef enum stage {
    START,   /* nothing is left to explain */
    RELEASE, /* all it waits for had happened */
    BEGIN,   /* it began on its CPU */
    ANSWER,  /* a receive answered a request */
    REPLY,   /* a send got the answer to its request */
    END      /* it was over */
} stage;

typedef struct walk {
    weft_critical_path *path;
    const weft_past *operations;
    uint32_t at;
    stage stage;
    uint64_t time;
    bool sound; /* time never goes forward */
} walk;

static const weft_past *current(const walk *w)
{
    return &w->operations[w->at];
}

/* The time since `from` was spent on this. */
static void add_step(walk *w, weft_path_part part, uint64_t from, uint32_t operation, uint32_t to,
                     uint64_t size)
{
    weft_critical_path *path = w->path;
    w->sound = w->sound && from <= w->time;
    if (from < w->time && w->sound) {
        if (path->n_steps == path->room) {
            path->room = path->room ? 2 * path->room : 64;
            path->steps = weft_realloc(path->steps, path->room, sizeof *path->steps);
        }
        path->steps[path->n_steps++] = (weft_path_step){.from = from,
                                                        .until = w->time,
                                                        .part = part,
                                                        .operation = operation,
                                                        .to = to,
                                                        .size = size};
    }
    w->time = from;
}

static void go(walk *w, uint32_t operation, stage next)
{
    w->at = operation;
    w->stage = operation == WEFT_HISTORY_NONE ? START : next;
}

static void add_run(walk *w, uint32_t operation)
{
    const weft_past *past = &w->operations[operation];
    add_step(w, past->kind == WEFT_OPERATION_CALC ? WEFT_PATH_COMPUTE : WEFT_PATH_OVERHEAD,
             past->run, operation, past->rank, 0);
}

/* Data that follow a request leave after the answer, and after what leaves before. */
static void explain_data(walk *w)
{
    const weft_past *send = current(w);
    add_step(w, WEFT_PATH_INJECTION, send->answered, w->at, send->rank, 0);
    w->stage = REPLY;
}

static void explain_end(walk *w)
{
    const weft_past *past = current(w);
    if (past->kind == WEFT_OPERATION_SEND && past->asks && past->answered > 0) {
        add_step(w, WEFT_PATH_INJECTION, past->sent, w->at, past->rank, past->size);
        explain_data(w);
        return;
    }
    add_run(w, w->at);
    w->stage = BEGIN;
}

/* The answer came from the receive. */
static void explain_reply(walk *w)
{
    const weft_past *send = current(w), *receive = &w->operations[send->partner];
    add_step(w, WEFT_PATH_NETWORK, receive->answers, send->partner, send->rank, 0);
    go(w, send->partner, ANSWER);
}

/* The request came last, or the receive was posted last. */
static void explain_answer(walk *w)
{
    const weft_past *receive = current(w);
    const weft_past *send = &w->operations[receive->partner];
    if (receive->asked < receive->answers) {
        w->stage = RELEASE;
        return;
    }
    add_step(w, WEFT_PATH_NETWORK, send->until, receive->partner, receive->rank, 0);
    w->at = receive->partner;
    add_run(w, w->at);
    w->stage = BEGIN;
}

/* A message that came last: on its way, and before that at its sender. */
static void explain_message(walk *w)
{
    const weft_past *receive = current(w);
    uint32_t sender = receive->partner;
    const weft_past *send = &w->operations[sender];
    add_step(w, WEFT_PATH_NETWORK, send->sent, sender, receive->rank, send->size);
    w->at = sender;
    if (send->asks && send->answered > 0) {
        explain_data(w);
        return;
    }
    add_step(w, WEFT_PATH_OVERHEAD, send->run, sender, send->rank, 0);
    w->stage = BEGIN;
}

/* Another operation held the CPU, or an earlier send the link. */
static void explain_busy(walk *w)
{
    const weft_past *past = current(w);
    uint32_t before = past->before, sender = past->sender;
    if (before != WEFT_HISTORY_NONE && w->operations[before].until == w->time) {
        add_run(w, before);
        go(w, before, BEGIN);
        return;
    }
    if (sender == WEFT_HISTORY_NONE) {
        w->sound = false;
        return;
    }
    const weft_past *earlier = &w->operations[sender];
    bool data = earlier->asks && earlier->answered > 0 && earlier->answered <= w->time;
    add_step(w, WEFT_PATH_INJECTION, data ? earlier->answered : earlier->run, sender, past->rank,
             earlier->size);
    go(w, sender, data ? REPLY : BEGIN);
}

static void explain_begin(walk *w)
{
    const weft_past *past = current(w);
    bool receives = past->kind == WEFT_OPERATION_RECV;
    uint64_t ready = receives ? past->taken : past->ready;
    if (w->time > ready)
        explain_busy(w);
    else if (receives && past->arrived >= past->taken && past->partner != WEFT_HISTORY_NONE)
        explain_message(w);
    else
        w->stage = RELEASE;
}

static void explain_release(walk *w)
{
    const weft_past *past = current(w);
    uint32_t cause = past->cause;
    w->sound = w->sound && past->ready == w->time;
    if (cause == WEFT_HISTORY_NONE)
        w->stage = START;
    else if (!past->by_start)
        go(w, cause, END);
    else
        go(w, cause, w->operations[cause].kind == WEFT_OPERATION_RECV ? RELEASE : BEGIN);
}

static void explain(walk *w)
{
    static void (*const by_stage[])(walk *) = {[RELEASE] = explain_release,
                                               [BEGIN] = explain_begin,
                                               [ANSWER] = explain_answer,
                                               [REPLY] = explain_reply,
                                               [END] = explain_end};
    by_stage[w->stage](w);
}

static uint32_t last_operation(const weft_history *history)
{
    uint32_t last = 0;
    for (size_t i = 1; i < history->n_operations; i++)
        if (history->operations[i].over > history->operations[last].over)
            last = (uint32_t)i;
    return last;
}

bool weft_critical_path_find(weft_critical_path *path, const weft_history *history)
{
    *path = (weft_critical_path){0};
    if (history->n_operations == 0)
        return false;
    walk w = {.path = path,
              .operations = history->operations,
              .at = last_operation(history),
              .stage = END,
              .sound = true};
    w.time = current(&w)->over;
    size_t stages = 8 * history->n_operations; /* each operation comes to each stage once */
    for (; w.stage != START && w.sound && stages > 0; stages--)
        explain(&w);
    for (size_t i = 0; i < path->n_steps / 2; i++) {
        weft_path_step swap = path->steps[i];
        path->steps[i] = path->steps[path->n_steps - 1 - i];
        path->steps[path->n_steps - 1 - i] = swap;
    }
    return w.sound && w.stage == START;
}

void weft_critical_path_done(weft_critical_path *path)
{
    free(path->steps);
    *path = (weft_critical_path){0};
}
