/* SPDX-License-Identifier: Apache-2.0 */
/* A communicator whose members are threads of this process, as far as the farm needs one:
 * messages, teams and sums. A member is on its thread's stack; a team is freed when its last
 * member closes it. */
#ifndef WEFT_TEST_FARM_THREADS_H
#define WEFT_TEST_FARM_THREADS_H

#include "base/memory.h"
#include "kernel/comm.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define MEMBERS_MOST 8

typedef struct message {
    struct message *next;
    uint32_t from;
    void *data;
    size_t bytes;
} message;

typedef struct shared { /* by the members of one communicator */
    struct shared *next;
    struct shared *whole; /* NULL: this is the whole communicator */
    uint32_t number, ranks[MEMBERS_MOST], size;
    uint32_t joined, left;  /* members that have come, and gone */
    uint32_t waiting, turn; /* in sum */
    int64_t total, result;
    pthread_mutex_t lock;
    pthread_cond_t change;
    message *box[MEMBERS_MOST];
    struct shared *teams; /* being made, or alive */
    int wrong;            /* a team was made in two ways */
    long messages;        /* posted and not read */
} shared;

typedef struct member {
    weft_comm comm;
    shared *shared;
} member;

static shared *of(weft_comm *comm)
{
    return ((member *)(void *)comm)->shared;
}

static void comm_post(weft_comm *comm, uint32_t to, const void *data, size_t bytes)
{
    shared *s = of(comm);
    message *l = weft_alloc(sizeof *l);
    *l = (message){.from = comm->rank, .data = weft_alloc(bytes), .bytes = bytes};
    memcpy(l->data, data, bytes);
    pthread_mutex_lock(&s->lock);
    message **at = &s->box[to];
    while (*at)
        at = &(*at)->next;
    *at = l;
    s->messages++;
    pthread_mutex_unlock(&s->lock);
}

static bool comm_poll(weft_comm *comm, uint32_t *from, void **data, size_t *bytes)
{
    shared *s = of(comm);
    pthread_mutex_lock(&s->lock);
    message *l = s->box[comm->rank];
    if (l) {
        s->box[comm->rank] = l->next;
        s->messages--;
    }
    pthread_mutex_unlock(&s->lock);
    if (!l)
        return false;
    *from = l->from;
    *data = l->data;
    *bytes = l->bytes;
    free(l);
    return true;
}

static void comm_sum(weft_comm *comm, int64_t *values, size_t count)
{
    shared *s = of(comm);
    for (size_t i = 0; i < count; i++) {
        pthread_mutex_lock(&s->lock);
        uint32_t turn = s->turn;
        s->total += values[i];
        if (++s->waiting == s->size) {
            s->result = s->total;
            s->total = 0;
            s->waiting = 0;
            s->turn++;
            pthread_cond_broadcast(&s->change);
        }
        while (s->turn == turn)
            pthread_cond_wait(&s->change, &s->lock);
        values[i] = s->result;
        pthread_mutex_unlock(&s->lock);
    }
}

static void shared_init(shared *s, uint32_t size)
{
    s->size = size;
    pthread_mutex_init(&s->lock, NULL);
    pthread_cond_init(&s->change, NULL);
}

static void shared_done(shared *s)
{
    pthread_mutex_destroy(&s->lock);
    pthread_cond_destroy(&s->change);
}

static shared *find_team(shared *whole, const uint32_t *ranks, uint32_t count, uint32_t number)
{
    for (shared *t = whole->teams; t; t = t->next)
        if (t->number == number && t->joined < t->size)
            return t;
    shared *t = weft_alloc(sizeof *t);
    shared_init(t, count);
    t->whole = whole;
    t->number = number;
    memcpy(t->ranks, ranks, count * sizeof *ranks);
    t->next = whole->teams;
    whole->teams = t;
    return t;
}

static weft_comm *comm_team(weft_comm *comm, const uint32_t *ranks, uint32_t count, uint32_t number)
{
    shared *whole = of(comm);
    uint32_t rank = count;
    for (uint32_t k = 0; k < count; k++)
        if (ranks[k] == comm->rank)
            rank = k;
    pthread_mutex_lock(&whole->lock);
    shared *t = find_team(whole, ranks, count, number);
    if (t->size != count || memcmp(t->ranks, ranks, count * sizeof *ranks) != 0 || rank == count)
        whole->wrong++;
    t->joined++;
    pthread_cond_broadcast(&whole->change);
    while (t->joined < t->size)
        pthread_cond_wait(&whole->change, &whole->lock);
    pthread_mutex_unlock(&whole->lock);
    member *m = weft_alloc(sizeof *m);
    *m = (member){{comm->kind, rank, count, count}, t};
    return &m->comm;
}

static void comm_close(weft_comm *comm)
{
    shared *t = of(comm), *whole = t->whole;
    free(comm);
    pthread_mutex_lock(&whole->lock);
    if (++t->left == t->size) {
        shared **at = &whole->teams;
        while (*at != t)
            at = &(*at)->next;
        *at = t->next;
        shared_done(t);
        free(t);
    }
    pthread_mutex_unlock(&whole->lock);
}

static const weft_comm_kind threads = {.abi = WEFT_COMM_ABI,
                                       .name = "threads",
                                       .sum = comm_sum,
                                       .post = comm_post,
                                       .poll = comm_poll,
                                       .team = comm_team,
                                       .close = comm_close};

#endif
