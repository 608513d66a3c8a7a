/* SPDX-License-Identifier: Apache-2.0 */
/* Times of ends are a heap; a connection that ends leaves its slot to another. Everything is drawn
 * from one stream, in the order of time. */
#include "analytic/connections.h"

#include "base/memory.h"
#include "base/numeric.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define WARMUP_PART 10 /* of all requests */
#define TRIES_MOST  1000000

typedef struct held { /* an open connection */
    weft_connection connection;
    uint32_t length, path[WEFT_LINK_PATH_MAX];
} held;

typedef struct ending {
    double time;
    uint32_t slot;
} ending;

typedef struct field {
    const weft_connections *all;
    weft_admission links;
    weft_random random;
    double now, since; /* since: of the batch */
    held **slots;      /* those in use, then free ones */
    ending *heap;
    uint32_t n_open, room;
    uint64_t number;    /* of the last connection */
    double *busy;       /* Σ reserved × time of a link, whole run … */
    double *last;       /* … up to this time */
    double batch, open; /* Σ reserved × time of all links, of the batch; Σ connections × time */
    int64_t reserved;   /* on all links, now */
    double began;       /* of what is counted */
} field;

static double exponential(weft_random *random)
{
    return -weft_log(weft_random_open(random));
}

/* ---- the ends of connections ---- */

static void lift(field *f, uint32_t i)
{
    ending moved = f->heap[i];
    for (; i > 0 && f->heap[(i - 1) / 2].time > moved.time; i = (i - 1) / 2)
        f->heap[i] = f->heap[(i - 1) / 2];
    f->heap[i] = moved;
}

static void sink(field *f, uint32_t i)
{
    ending moved = f->heap[i];
    for (uint32_t child; (child = 2 * i + 1) < f->n_open; i = child) {
        if (child + 1 < f->n_open && f->heap[child + 1].time < f->heap[child].time)
            child++;
        if (f->heap[child].time >= moved.time)
            break;
        f->heap[i] = f->heap[child];
    }
    f->heap[i] = moved;
}

/* The slot for the next connection. */
static held *free_slot(field *f)
{
    if (f->n_open == f->room) {
        uint32_t more = f->room ? 2 * f->room : 64;
        f->slots = weft_realloc(f->slots, more, sizeof *f->slots);
        f->heap = weft_realloc(f->heap, more, sizeof *f->heap);
        for (; f->room < more; f->room++) {
            f->slots[f->room] = weft_alloc(sizeof **f->slots);
            f->heap[f->room].slot = f->room;
        }
    }
    return f->slots[f->heap[f->n_open].slot];
}

/* ---- time ---- */

static void pass_time(field *f, double to)
{
    f->batch += (double)f->reserved * (to - f->now);
    f->open += f->n_open * (to - f->now);
    f->now = to;
}

static void count_link(field *f, uint32_t link)
{
    f->busy[link] += (double)f->links.links[link].used * (f->now - f->last[link]);
    f->last[link] = f->now;
}

static void count_path(field *f, const held *h, int sign)
{
    for (uint32_t i = 0; i < h->length; i++)
        count_link(f, h->path[i]);
    f->reserved += sign * h->connection.bandwidth * (int64_t)h->length;
}

/* ---- messages ---- */

static bool is_lost(field *f)
{
    return f->all->lost > 0 && weft_random_open(&f->random) < f->all->lost;
}

/* One message all the way; false: it was lost. */
static bool send(field *f, weft_admission_message *message)
{
    while (!is_lost(f))
        if (!weft_admission_handle(&f->links, message))
            return true;
    return false;
}

static void release(field *f, const held *h)
{
    for (int i = 0; i < TRIES_MOST; i++) {
        weft_admission_message message = {.kind = WEFT_RELEASE,
                                          .connection = h->connection,
                                          .path = h->path,
                                          .length = h->length};
        if (h->length == 0 || send(f, &message))
            return;
    }
    assert(false && "a release is never lost so often");
}

static void end_first(field *f)
{
    ending first = f->heap[0];
    const held *h = f->slots[first.slot];
    pass_time(f, first.time);
    count_path(f, h, -1);
    release(f, h);
    f->heap[0] = f->heap[--f->n_open];
    f->heap[f->n_open] = first;
    if (f->n_open > 0)
        sink(f, 0);
}

/* The paths of connections on one router without links of endpoints are empty: admitted. */
static void ask(field *f, held *h, double hold, weft_connections_count *count)
{
    weft_admission_message message = {
        .kind = WEFT_PROBE, .connection = h->connection, .path = h->path, .length = h->length};
    for (uint32_t i = 0; i < h->length; i++)
        count_link(f, h->path[i]);
    bool heard = h->length == 0 || send(f, &message);
    count->requests++;
    if (heard && message.verdict == WEFT_ADMITTED) {
        f->reserved += h->connection.bandwidth * (int64_t)h->length;
        f->heap[f->n_open].time = f->now + hold;
        lift(f, f->n_open++);
        return;
    }
    count->refused++;
    count->lost += !heard;
    count->reason[message.verdict] += heard;
    if (!heard)
        release(f, h);
}

/* ---- requests ---- */

static uint32_t draw_class(field *f, double rate)
{
    double at = weft_random_open(&f->random) * rate;
    uint32_t k = 0;
    for (; k + 1 < f->all->n_classes && at >= f->all->classes[k].rate; k++)
        at -= f->all->classes[k].rate;
    return k;
}

static weft_status come(field *f, double rate, weft_connections_count *counts, weft_error *err)
{
    const weft_connections *all = f->all;
    uint32_t k = draw_class(f, rate), ends = all->paths->endpoints;
    uint32_t from = weft_random_below(&f->random, ends);
    uint32_t to = weft_random_below(&f->random, ends - 1);
    to += to >= from;
    held *h = free_slot(f);
    h->connection =
        (weft_connection){.number = ++f->number, .sl = k, .bandwidth = all->classes[k].bandwidth};
    h->length = weft_link_paths_find(all->paths, from, to, &f->random, h->path);
    if (h->length == UINT32_MAX)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "routing: the path from endpoint %u to %u does not arrive in %d links",
                         from, to, WEFT_LINK_PATH_MAX);
    double hold = all->classes[k].hold * (all->fixed_hold ? 1 : exponential(&f->random));
    ask(f, h, hold, &counts[k]);
    return WEFT_OK;
}

static void open_links(field *f)
{
    const weft_connections *all = f->all;
    weft_admission_init(&f->links, all->paths->links, all->inclusive);
    for (uint32_t l = 0; l < all->paths->links; l++) {
        weft_admission_link *link = &f->links.links[l];
        bool host = l >= all->paths->host_links;
        link->capacity = host ? all->host_capacity : all->capacity;
        for (uint32_t k = 0; k < all->n_classes; k++)
            link->pool[k] = host || all->classes[k].pool > link->capacity ? link->capacity
                                                                          : all->classes[k].pool;
        if (all->entries == 0)
            continue;
        weft_vl_filling_reset(&link->filling, all->entries);
        link->weight_unit = all->weight_unit;
    }
}

/* Sums over the connections of a link are what it has reserved, and no pool is overfull. */
static bool is_sound(const weft_connections *all, const weft_admission_link *link)
{
    int64_t used[WEFT_SLS] = {0}, sum = 0;
    for (size_t i = 0; i < link->n_slots; i++)
        if (link->connections[i].number)
            used[link->connections[i].sl] += link->connections[i].bandwidth;
    for (uint32_t sl = 0; sl < WEFT_SLS; sl++) {
        sum += used[sl];
        bool fits = all->inclusive ? used[sl] <= link->pool[sl]
                                   : used[sl] < link->pool[sl] || used[sl] == 0;
        if (used[sl] != link->pool_used[sl] || !fits)
            return false;
    }
    return sum == link->used && sum >= 0 && sum <= link->capacity;
}

static void look(const field *f, bool *sound)
{
    for (uint32_t l = 0; l < f->links.n_links; l++)
        sound[l] = sound[l] && is_sound(f->all, &f->links.links[l]);
}

static double used_capacity(const field *f)
{
    double sum = 0;
    for (uint32_t l = 0; l < f->links.n_links; l++)
        sum += f->busy[l] > 0 ? (double)f->links.links[l].capacity : 0;
    return sum;
}

/* Requests of one batch; NULL: they are not counted. */
static weft_status run_batch(field *f, uint64_t requests, double rate,
                             weft_connections_count *counts, weft_error *err)
{
    weft_connections_count none[WEFT_CONNECTION_CLASSES] = {{0}};
    f->since = f->now;
    f->batch = 0;
    for (uint64_t i = 0; i < requests; i++) {
        double next = f->now + exponential(&f->random) / rate;
        while (f->n_open > 0 && f->heap[0].time <= next)
            end_first(f);
        pass_time(f, next);
        WEFT_TRY(come(f, rate, counts ? counts : none, err));
    }
    return WEFT_OK;
}

static weft_status run_all(field *f, weft_connections_answer *answer, bool *sound, weft_error *err)
{
    const weft_connections *all = f->all;
    double rate = 0;
    for (uint32_t k = 0; k < all->n_classes; k++)
        rate += all->classes[k].rate;
    WEFT_TRY(run_batch(f, all->requests / WARMUP_PART + 1, rate, NULL, err));
    for (uint32_t l = 0; l < f->links.n_links; l++) {
        f->busy[l] = 0;
        f->last[l] = f->now;
    }
    f->began = f->now;
    f->open = 0;
    for (int b = 0; b < WEFT_CONNECTION_BATCHES; b++) {
        WEFT_TRY(
            run_batch(f, all->requests / WEFT_CONNECTION_BATCHES + 1, rate, answer->count[b], err));
        answer->utilisation[b] = f->batch / (f->now - f->since);
        look(f, sound);
    }
    return WEFT_OK;
}

static void measure(field *f, weft_connections_answer *answer, const bool *sound)
{
    double time = f->now - f->began, capacity;
    answer->open = f->open / time;
    for (uint32_t l = 0; l < f->links.n_links; l++) {
        count_link(f, l);
        double share = f->busy[l] / (time * (double)f->links.links[l].capacity);
        answer->most = share > answer->most ? share : answer->most;
        answer->sound += sound[l];
    }
    capacity = used_capacity(f);
    for (int b = 0; b < WEFT_CONNECTION_BATCHES && capacity > 0; b++)
        answer->utilisation[b] /= capacity;
    while (f->n_open > 0)
        end_first(f);
    for (uint32_t l = 0; l < f->links.n_links; l++)
        answer->left += (uint64_t)f->links.links[l].used + f->links.links[l].n_connections;
}

weft_status weft_connections_run(const weft_connections *all, weft_connections_answer *answer,
                                 weft_error *err)
{
    uint32_t links = all->paths->links;
    field f = {.all = all,
               .random = weft_random_stream(all->seed, 0, 0, WEFT_FOR_MESSAGE),
               .busy = weft_alloc((links + 1) * sizeof *f.busy),
               .last = weft_alloc((links + 1) * sizeof *f.last)};
    bool *sound = weft_alloc((links + 1) * sizeof *sound);
    memset(sound, true, links);
    memset(answer, 0, sizeof *answer);
    open_links(&f);
    weft_status status = run_all(&f, answer, sound, err);
    if (status == WEFT_OK)
        measure(&f, answer, sound);
    for (uint32_t i = 0; i < f.room; i++)
        free(f.slots[i]);
    free(f.slots);
    free(f.heap);
    free(f.busy);
    free(f.last);
    free(sound);
    weft_admission_done(&f.links);
    return status;
}
