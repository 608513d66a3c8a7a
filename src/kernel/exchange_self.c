/* SPDX-License-Identifier: Apache-2.0 */
/* The communicator of one process. Sums, broadcasts and teams have nothing to do; what a process
 * sends to itself, on requests or by message, arrives in the order it was sent.
 *
 * A request is idle, or it holds one side of a message whose other side has not been given yet; as
 * soon as both are known the bytes are copied and both requests are idle again. */
#include "kernel/exchange_self.h"

#include "base/memory.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef enum side { IDLE, SENDING, RECEIVING } side;

typedef struct request {
    side side;
    const void *data; /* SENDING */
    void *buffer;     /* RECEIVING */
    size_t bytes;     /* sent, or room */
    uint64_t turn;    /* the order in which it was given */
} request;

typedef struct message {
    struct message *next;
    void *data;
    size_t bytes;
} message;

typedef struct self {
    weft_comm comm;
    request *requests;
    uint32_t count;
    uint64_t turn;
    message *first, **last;
} self;

static self *of(weft_comm *comm)
{
    assert(comm->size == 1);
    return (self *)(void *)comm;
}

static void self_requests(weft_comm *comm, uint32_t count)
{
    self *s = of(comm);
    free(s->requests);
    s->requests = weft_alloc(count * sizeof *s->requests);
    s->count = count;
}

/* The request that has waited longest on this side; NULL if there is none. */
static request *waiting(self *s, side wanted)
{
    request *oldest = NULL;
    for (uint32_t i = 0; i < s->count; i++)
        if (s->requests[i].side == wanted && (!oldest || s->requests[i].turn < oldest->turn))
            oldest = &s->requests[i];
    return oldest;
}

static void self_send(weft_comm *comm, uint32_t number, uint32_t to, const void *data, size_t bytes)
{
    self *s = of(comm);
    assert(to == 0 && number < s->count && s->requests[number].side == IDLE);
    (void)to;
    request *other = waiting(s, RECEIVING);
    if (!other) {
        s->requests[number] =
            (request){.side = SENDING, .data = data, .bytes = bytes, .turn = s->turn++};
        return;
    }
    assert(bytes <= other->bytes);
    if (bytes)
        memcpy(other->buffer, data, bytes);
    other->side = IDLE;
}

static void self_receive(weft_comm *comm, uint32_t number, uint32_t from, void *buffer, size_t room)
{
    self *s = of(comm);
    assert(from == 0 && number < s->count && s->requests[number].side == IDLE);
    (void)from;
    request *other = waiting(s, SENDING);
    if (!other) {
        s->requests[number] =
            (request){.side = RECEIVING, .buffer = buffer, .bytes = room, .turn = s->turn++};
        return;
    }
    assert(other->bytes <= room);
    if (other->bytes)
        memcpy(buffer, other->data, other->bytes);
    other->side = IDLE;
}

static bool self_finished(weft_comm *comm, uint32_t number)
{
    self *s = of(comm);
    assert(number < s->count);
    return s->requests[number].side == IDLE;
}

static void self_sum(weft_comm *comm, int64_t *values, size_t count)
{
    (void)comm, (void)values, (void)count; /* they are the sums */
}

static void self_broadcast(weft_comm *comm, void *data, size_t bytes)
{
    (void)comm, (void)data, (void)bytes; /* rank 0 has them */
}

static void *copy(const void *data, size_t bytes)
{
    void *made = weft_alloc(bytes);
    if (bytes)
        memcpy(made, data, bytes);
    return made;
}

static void self_gather(weft_comm *comm, const void *data, size_t bytes, void **all, size_t *sizes)
{
    (void)comm;
    assert(all && sizes);
    *all = copy(data, bytes);
    sizes[0] = bytes;
}

static void self_post(weft_comm *comm, uint32_t to, const void *data, size_t bytes)
{
    self *s = of(comm);
    assert(to == 0);
    (void)to;
    message *new = weft_alloc(sizeof *new);
    *new = (message){.data = copy(data, bytes), .bytes = bytes};
    *s->last = new;
    s->last = &new->next;
}

static bool self_poll(weft_comm *comm, uint32_t *from, void **data, size_t *bytes)
{
    self *s = of(comm);
    message *first = s->first;
    if (!first)
        return false;
    s->first = first->next;
    if (!s->first)
        s->last = &s->first;
    *from = 0;
    *data = first->data;
    *bytes = first->bytes;
    free(first);
    return true;
}

static weft_comm *self_team(weft_comm *comm, const uint32_t *ranks, uint32_t count, uint32_t number)
{
    assert(comm->size == 1 && count == 1 && ranks[0] == 0);
    (void)comm, (void)ranks, (void)count, (void)number;
    return weft_comm_self();
}

static void self_close(weft_comm *comm)
{
    self *s = of(comm);
    uint32_t from;
    void *data;
    size_t bytes;
    while (self_poll(comm, &from, &data, &bytes))
        free(data);
    free(s->requests);
    free(s);
}

static void self_abort(weft_comm *comm, int status)
{
    (void)comm;
    _exit(status);
}

static const weft_comm_kind self_kind = {
    .abi = WEFT_COMM_ABI,
    .name = "self",
    .requests = self_requests,
    .send = self_send,
    .receive = self_receive,
    .finished = self_finished,
    .sum = self_sum,
    .broadcast = self_broadcast,
    .gather = self_gather,
    .post = self_post,
    .poll = self_poll,
    .team = self_team,
    .close = self_close,
    .abort = self_abort,
};

weft_comm *weft_comm_self(void)
{
    self *s = weft_alloc(sizeof *s);
    s->comm = (weft_comm){.kind = &self_kind, .rank = 0, .size = 1, .here = 1};
    s->last = &s->first;
    return &s->comm;
}
