/* SPDX-License-Identifier: Apache-2.0 */
/* The farm. Every member is a worker; rank 0 also has the coordinator: it deals
 * (farm/work_queue.h), counts the answers and takes the rows. It writes messages to itself too,
 * which arrive at once.
 *
 * 1. The coordinator sends ITEM (run this with these members), STOP (begin nothing more) and
 * END. 2. An ITEM and a STOP get exactly one answer each: ROW (done, here is its row), FREE
 * (done, or
 *    not begun) or FAILED.
 * 3. END is sent when no answer is missing. So nothing is under way when the members leave, and
 * no
 *    order among messages is relied upon.
 * 4. An ITEM for several members is begun also after STOP: the others may be waiting for the
 * team. 5. Items are handed out before rows are taken: nobody waits for the disk. */
#include "farm/farm.h"

#include "base/clock.h"
#include "base/memory.h"
#include "farm/workers.h"
#include "farm/work_queue.h"
#include "kernel/exchange_self.h"

#include <assert.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef enum kind { ITEM = 1, STOP, END, ROW, FREE, FAILED, REFUSED } kind;

typedef struct head { /* what every message begins with */
    uint32_t kind;
    uint32_t status; /* END, FAILED, REFUSED; the sentence follows */
    uint64_t item;   /* ITEM; ROW, whose bytes follow */
    uint32_t number; /* ITEM: of its team … */
    uint32_t count;  /* … and how many members it has; their ranks follow */
} head;

typedef struct message {
    struct message *next;
    uint32_t from;
    head head;
    void *data; /* all of it, owned */
    size_t bytes;
} message;

typedef struct queue {
    message *first, **last;
} queue;

typedef struct coordinator {
    weft_work_queue *work_queue;
    uint64_t unanswered;
    uint32_t teams; /* made so far */
    queue rows;     /* to be taken */
    bool refused;   /* taking one has failed */
} coordinator;

struct weft_farm {
    weft_comm *comm;
    const weft_farm_job *job;
    weft_comm *solo; /* the communicator of one process for narrow items */
    queue items;     /* ITEMs to be run */
    bool stopping, ended;
    weft_status status;
    weft_error error;
    coordinator *coordinator; /* on rank 0; else NULL */
    weft_workers *workers;    /* of a communicator of one process; else NULL */
};

/* ---- messages ---- */

static void queue_init(queue *q)
{
    *q = (queue){.last = &q->first};
}

static void queue_push(queue *q, message *l)
{
    *q->last = l;
    q->last = &l->next;
}

static message *queue_pop(queue *q)
{
    message *l = q->first;
    if (l) {
        q->first = l->next;
        if (!q->first)
            q->last = &q->first;
    }
    return l;
}

static void message_free(message *l)
{
    free(l->data);
    free(l);
}

static const void *body(const message *l)
{
    return (const char *)l->data + sizeof l->head;
}

static size_t body_bytes(const message *l)
{
    return l->bytes - sizeof l->head;
}

static void receive(weft_farm *farm, uint32_t from, void *data, size_t bytes);

static void send(weft_farm *farm, uint32_t to, head h, const void *data, size_t bytes)
{
    char *all = weft_alloc(sizeof h + bytes);
    memcpy(all, &h, sizeof h);
    if (bytes)
        memcpy(all + sizeof h, data, bytes);
    if (to == farm->comm->rank) {
        receive(farm, to, all, sizeof h + bytes);
        return;
    }
    farm->comm->kind->post(farm->comm, to, all, sizeof h + bytes);
    free(all);
}

static void send_text(weft_farm *farm, uint32_t to, kind what, weft_status status, const char *text)
{
    head h = {.kind = (uint32_t)what, .status = (uint32_t)status};
    send(farm, to, h, text, strlen(text));
}

/* The status and the sentence of a message. */
static weft_status read_text(const message *l, weft_error *err)
{
    size_t most = sizeof err->text - 1;
    size_t length = body_bytes(l) < most ? body_bytes(l) : most;
    memcpy(err->text, body(l), length);
    err->text[length] = '\0';
    return l->head.status <= WEFT_STOPPED ? (weft_status)l->head.status : WEFT_BROKEN;
}

/* ---- the coordinator ---- */

/* The first failure counts: from here on nothing is begun. */
static void fail(weft_farm *farm, weft_status status, const char *text)
{
    assert(farm->coordinator && status != WEFT_OK);
    if (farm->status != WEFT_OK)
        return;
    (void)weft_fail(&farm->error, status, "%s", text);
    farm->status = status;
    farm->stopping = true;
    for (uint32_t m = 1; m < farm->comm->size; m++) {
        farm->coordinator->unanswered++;
        send(farm, m, (head){.kind = STOP}, NULL, 0);
    }
}

static void assignment(weft_farm *farm)
{
    coordinator *o = farm->coordinator;
    weft_assignment dealt;
    while (!farm->stopping && weft_work_queue_next(o->work_queue, weft_clock(), &dealt)) {
        head h = {.kind = ITEM, .item = dealt.item, .count = dealt.n_ranks};
        h.number = dealt.n_ranks > 1 ? o->teams++ : 0;
        o->unanswered += dealt.n_ranks;
        for (uint32_t k = 0; k < dealt.n_ranks; k++)
            send(farm, dealt.ranks[k], h, dealt.ranks, dealt.n_ranks * sizeof *dealt.ranks);
    }
}

/* Takes the oldest row that is there; false if there is none. */
static bool take(weft_farm *farm)
{
    coordinator *o = farm->coordinator;
    message *row = queue_pop(&o->rows);
    if (!row)
        return false;
    if (!o->refused) {
        weft_error err = {0};
        weft_status status = farm->job->take(farm->job->user, (size_t)row->head.item, body(row),
                                             body_bytes(row), &err);
        o->refused = status != WEFT_OK;
        if (o->refused)
            fail(farm, status, err.text);
    }
    message_free(row);
    return true;
}

/* An answer to what the coordinator sent. */
static void account(weft_farm *farm, message *l)
{
    coordinator *o = farm->coordinator;
    assert(o->unanswered > 0);
    o->unanswered--;
    if (l->head.kind == FAILED) {
        weft_error err;
        weft_status status = read_text(l, &err);
        fail(farm, status == WEFT_OK ? WEFT_BROKEN : status, err.text);
    }
    if (!farm->stopping)
        weft_work_queue_done(o->work_queue, l->from);
    if (l->head.kind == ROW)
        queue_push(&o->rows, l);
    else
        message_free(l);
}

static bool all_done(const weft_farm *farm)
{
    const coordinator *o = farm->coordinator;
    return o->unanswered == 0 && !o->rows.first && !farm->items.first &&
           (farm->stopping || weft_work_queue_left(o->work_queue) == 0);
}

/* ---- every member ---- */

static void answer(weft_farm *farm, kind what, uint64_t item, const void *row, size_t bytes)
{
    send(farm, 0, (head){.kind = (uint32_t)what, .item = item}, row, bytes);
}

static bool is_item(const weft_farm *farm, const message *l)
{
    uint32_t size = farm->comm->size, count = l->head.count;
    if (l->from != 0 || l->head.item >= farm->job->n_items || count == 0 || count > size)
        return false;
    if (body_bytes(l) != count * sizeof(uint32_t))
        return false;
    uint32_t rank, least = 0; /* that the next one may have */
    bool named = false;
    for (uint32_t k = 0; k < count; k++) {
        memcpy(&rank, (const char *)body(l) + k * sizeof rank, sizeof rank);
        if (rank < least || rank >= size)
            return false;
        least = rank + 1;
        named |= rank == farm->comm->rank;
    }
    return named;
}

static bool is_answer(const weft_farm *farm, const message *l)
{
    bool right = l->head.kind == FREE || l->head.kind == FAILED ||
                 (l->head.kind == ROW && l->head.item < farm->job->n_items);
    return right && farm->coordinator && farm->coordinator->unanswered > 0;
}

static void finish(weft_farm *farm, const message *l)
{
    weft_error err;
    farm->ended = true;
    farm->status = read_text(l, &err);
    if (farm->status != WEFT_OK)
        farm->error = err;
}

/* A message that no farm writes: this is another program's, or memory is damaged. */
static void refuse(weft_farm *farm, const message *l)
{
    weft_error err;
    weft_status status = weft_fail(&err, WEFT_BROKEN,
                                   "member %u got a message of %zu bytes from member %u that it "
                                   "cannot read: do all run the same program?",
                                   farm->comm->rank, l->bytes, l->from);
    farm->stopping = true;
    if (farm->coordinator)
        fail(farm, status, err.text);
    else
        send_text(farm, 0, REFUSED, status, err.text); /* no answer to what the coordinator sent */
}

/* Takes data over. */
static void receive(weft_farm *farm, uint32_t from, void *data, size_t bytes)
{
    message *l = weft_alloc(sizeof *l);
    *l = (message){.from = from, .data = data, .bytes = bytes};
    if (bytes >= sizeof l->head)
        memcpy(&l->head, data, sizeof l->head);
    if (l->head.kind == ITEM && is_item(farm, l)) {
        queue_push(&farm->items, l);
        return;
    }
    if (is_answer(farm, l)) {
        account(farm, l);
        return;
    }
    if (l->head.kind == STOP && from == 0) {
        farm->stopping = true;
        answer(farm, FREE, 0, NULL, 0);
    } else if (l->head.kind == END && from == 0) {
        finish(farm, l);
    } else if (l->head.kind == REFUSED && farm->coordinator) {
        weft_error err;
        (void)read_text(l, &err);
        fail(farm, WEFT_BROKEN, err.text);
    } else {
        refuse(farm, l);
    }
    message_free(l);
}

static void listen(weft_farm *farm)
{
    uint32_t from;
    void *data;
    size_t bytes;
    while (farm->comm->kind->poll(farm->comm, &from, &data, &bytes))
        receive(farm, from, data, bytes);
}

/* Reads what has come and, in the coordinator, does what is to be done about it. */
static void attend(weft_farm *farm)
{
    do {
        listen(farm);
        if (farm->coordinator)
            assignment(farm);
    } while (farm->coordinator && take(farm));
}

static void run_item(weft_farm *farm, const message *l)
{
    const weft_farm_job *job = farm->job;
    weft_comm *comm = farm->comm, *team = farm->solo;
    if (l->head.count > 1) {
        uint32_t *ranks = weft_alloc(body_bytes(l));
        memcpy(ranks, body(l), body_bytes(l));
        team = comm->kind->team(comm, ranks, l->head.count, l->head.number);
        free(ranks);
    }
    void *row = NULL;
    size_t bytes = 0;
    weft_error err = {0};
    weft_status status = job->run(job->user, farm, (size_t)l->head.item, team, &row, &bytes, &err);
    kind what = team->rank == 0 ? ROW : FREE;
    if (team != farm->solo)
        team->kind->close(team);
    if (status == WEFT_OK) {
        answer(farm, what, l->head.item, row, what == ROW && row ? bytes : 0);
    } else {
        farm->stopping = true;
        send_text(farm, 0, FAILED, status, err.text);
    }
    free(row);
}

/* Begins the oldest item that has come; false if there is none. */
static bool work(weft_farm *farm)
{
    message *l = queue_pop(&farm->items);
    if (!l)
        return false;
    if (farm->stopping && l->head.count == 1)
        answer(farm, FREE, 0, NULL, 0);
    else
        run_item(farm, l);
    message_free(l);
    return true;
}

/* Waits a little longer each time: first only lets others run, then sleeps up to a millisecond. */
static void nap(unsigned *naps)
{
    const unsigned yields = 64;
    if (++*naps <= yields) {
        (void)sched_yield();
        return;
    }
    unsigned steps = *naps - yields;
    long most = 1000000, ns = steps < 16 ? 10000L * (long)steps * (long)steps : most;
    nanosleep(&(struct timespec){.tv_nsec = ns < most ? ns : most}, NULL);
}

static void leave(weft_farm *farm)
{
    for (uint32_t m = 1; m < farm->comm->size; m++)
        send_text(farm, m, END, farm->status, farm->error.text);
    farm->ended = true;
}

static void run_together(weft_farm *farm)
{
    unsigned naps = 0;
    while (!farm->ended) {
        attend(farm);
        if (work(farm))
            naps = 0;
        else if (farm->coordinator && all_done(farm))
            leave(farm);
        else if (!farm->ended)
            nap(&naps);
    }
    assert(!farm->items.first);
}

/* ---- a communicator of one process ---- */

static weft_status run_alone(void *user, weft_workers *workers, size_t i, void **row, size_t *bytes,
                             weft_error *err)
{
    weft_farm farm = *(const weft_farm *)user;
    farm.workers = workers;
    return farm.job->run(farm.job->user, &farm, i, farm.comm, row, bytes, err);
}

static weft_status take_own(void *user, size_t i, const void *row, size_t bytes, weft_error *err)
{
    const weft_farm *farm = user;
    return farm->job->take(farm->job->user, i, row, bytes, err);
}

static weft_status run_workers(weft_farm *farm, weft_error *err)
{
    const weft_farm_job *job = farm->job;
    weft_workers_job own = {.threads = job->at_once ? job->at_once : 1,
                            .n_items = job->n_items,
                            .run = run_alone,
                            .take = take_own,
                            .user = farm};
    return weft_workers_run(&own, err);
}

bool weft_farm_serve(weft_farm *farm)
{
    if (farm->workers)
        return weft_workers_stops(farm->workers);
    attend(farm);
    return farm->stopping;
}

uint32_t weft_farm_beside(const weft_farm *farm)
{
    return farm->workers ? weft_workers_beside(farm->workers) : 1;
}

weft_status weft_farm_run(weft_comm *comm, const weft_farm_job *job, weft_error *err)
{
    weft_farm farm = {.comm = comm, .job = job};
    if (!comm || comm->size == 1)
        return run_workers(&farm, err);
    coordinator own = {0};
    queue_init(&farm.items);
    farm.solo = weft_comm_self();
    if (comm->rank == 0) {
        queue_init(&own.rows);
        own.work_queue = weft_work_queue_create(comm->size, job->n_items, job->items, true);
        farm.coordinator = &own;
    }
    run_together(&farm);
    weft_work_queue_destroy(own.work_queue);
    weft_comm_close(farm.solo);
    if (farm.status != WEFT_OK)
        return weft_fail(err, farm.status, "%s", farm.error.text);
    return WEFT_OK;
}
