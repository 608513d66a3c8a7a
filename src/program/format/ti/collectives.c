/* SPDX-License-Identifier: Apache-2.0 */
/* Collective actions of a time-independent trace. Those with one size have the algorithms of
 * collective.h; those with a size for every rank, scatter and the prefix sums have one each:
 *     gatherv, scatter, scatterv   every rank with the root, all at once
 *     allgatherv, reducescatter    a ring
 *     alltoallv                    in step i to the i-th rank after and from the i-th before
 *     scan, exscan                 in step k with rank xor 2^k, if there is one */
#include "program/format/ti/ti.h"

#include "base/memory.h"

#include <assert.h>
#include <stdlib.h>

/* What the messages of a collective have in common. */
typedef struct part {
    uint32_t me, ranks, tag;
} part;

static weft_status placed(const weft_ti *ti, weft_status status, weft_error *err)
{
    return status == WEFT_OK ? WEFT_OK : weft_format_lines_place(&ti->lines, err);
}

static weft_status differs(const weft_ti *ti, const weft_ti_collective *other, weft_error *err)
{
    return weft_fail(err, WEFT_BAD_INPUT,
                     "%.2000s:%lu: collective operation %u of rank %u must be %s of %llu bytes "
                     "with root %u, as line %u says for another rank",
                     ti->lines.file, ti->lines.number, ti->rank->n_collectives,
                     ti->rank->course.rank, other->action->name, (unsigned long long)other->bytes,
                     other->root, other->line);
}

/* The rank's next collective, which must be the same for all. */
static weft_status begin(weft_ti *ti, const weft_ti_action *action, uint64_t bytes, uint32_t root,
                         part *its, weft_error *err)
{
    uint32_t k = ti->rank->n_collectives++;
    weft_ti_collective one = {
        .action = action, .root = root, .bytes = bytes, .line = (uint32_t)ti->lines.number};
    *its = (part){.me = ti->rank->course.rank,
                  .ranks = ti->n_ranks,
                  .tag = WEFT_TI_TAG_MAX + 1 + k % (WEFT_EXPAND_TAGS - 1)};
    if (k < ti->n_collectives) {
        const weft_ti_collective *other = &ti->collectives[k];
        return other->action == action && other->root == root && other->bytes == bytes
                   ? WEFT_OK
                   : differs(ti, other, err);
    }
    if (k == ti->collective_room) {
        ti->collective_room = k ? 2 * k : 64;
        ti->collectives = weft_realloc(ti->collectives, ti->collective_room, sizeof one);
    }
    ti->collectives[ti->n_collectives++] = one;
    return WEFT_OK;
}

static weft_status read_root(weft_ti *ti, uint32_t *root, weft_error *err)
{
    *root = 0;
    if (weft_format_lines_left(&ti->lines) == 0)
        return WEFT_OK;
    return weft_ti_rank_number(ti, "the rank that is the root", root, err);
}

static weft_status expand(weft_ti *ti, const weft_ti_action *action,
                          weft_collective_operation operation, uint64_t bytes, uint32_t root,
                          weft_error *err)
{
    part its;
    WEFT_TRY(begin(ti, action, bytes, root, &its, err));
    weft_expansion expansion = {
        .collective = {.kind = weft_expand_choose(ti->trace->options, operation, its.ranks, bytes),
                       .ranks = its.ranks,
                       .bytes = bytes,
                       .segments = 1},
        .root = root,
        .tag = its.tag};
    return placed(ti, weft_expand(&expansion, its.me, &ti->rank->course, &ti->loose, err), err);
}

static weft_status do_barrier(weft_ti *ti, const weft_ti_action *action, weft_error *err)
{
    return expand(ti, action, WEFT_COLLECTIVE_BARRIER, 1, 0, err);
}

/* size [root] [type] */
static weft_status do_bcast(weft_ti *ti, const weft_ti_action *action, weft_error *err)
{
    uint64_t elements, bytes;
    uint32_t root, type;
    WEFT_TRY(weft_ti_size(ti, &elements, err));
    WEFT_TRY(read_root(ti, &root, err));
    WEFT_TRY(weft_ti_type(ti, &type, err));
    WEFT_TRY(weft_ti_bytes(ti, elements, type, &bytes, err));
    return expand(ti, action, WEFT_COLLECTIVE_BROADCAST, bytes, root, err);
}

/* size flops [root] [type] */
static weft_status do_reduce(weft_ti *ti, const weft_ti_action *action, weft_error *err)
{
    uint64_t elements, bytes, ticks;
    uint32_t root, type;
    WEFT_TRY(weft_ti_size(ti, &elements, err));
    WEFT_TRY(weft_ti_flops(ti, &ticks, err));
    WEFT_TRY(read_root(ti, &root, err));
    WEFT_TRY(weft_ti_type(ti, &type, err));
    WEFT_TRY(weft_ti_bytes(ti, elements, type, &bytes, err));
    WEFT_TRY(expand(ti, action, WEFT_COLLECTIVE_REDUCE, bytes, root, err));
    return ticks ? weft_ti_compute(ti, ticks, err) : WEFT_OK;
}

/* size flops [type] */
static weft_status do_allreduce(weft_ti *ti, const weft_ti_action *action, weft_error *err)
{
    uint64_t elements, bytes, ticks;
    uint32_t type;
    WEFT_TRY(weft_ti_size(ti, &elements, err));
    WEFT_TRY(weft_ti_flops(ti, &ticks, err));
    WEFT_TRY(weft_ti_type(ti, &type, err));
    WEFT_TRY(weft_ti_bytes(ti, elements, type, &bytes, err));
    WEFT_TRY(expand(ti, action, WEFT_COLLECTIVE_ALLREDUCE, bytes, 0, err));
    return ticks ? weft_ti_compute(ti, ticks, err) : WEFT_OK;
}

/* size size [type type]: of a block; bytes: of all. */
static weft_status read_blocks(weft_ti *ti, bool rooted, uint32_t *root, uint64_t *bytes,
                               weft_error *err)
{
    uint64_t sent, received, block;
    uint32_t type;
    *root = 0;
    WEFT_TRY(weft_ti_size(ti, &sent, err));
    WEFT_TRY(weft_ti_size(ti, &received, err));
    if (rooted)
        WEFT_TRY(read_root(ti, root, err));
    WEFT_TRY(weft_ti_type(ti, &type, err));
    WEFT_TRY(weft_ti_bytes(ti, sent, type, &block, err));
    return weft_ti_bytes(ti, block, ti->n_ranks, bytes, err);
}

static weft_status do_alltoall(weft_ti *ti, const weft_ti_action *action, weft_error *err)
{
    uint64_t bytes;
    uint32_t root;
    WEFT_TRY(read_blocks(ti, false, &root, &bytes, err));
    return expand(ti, action, WEFT_COLLECTIVE_ALL_TO_ALL, bytes, root, err);
}

static weft_status do_allgather(weft_ti *ti, const weft_ti_action *action, weft_error *err)
{
    uint64_t bytes;
    uint32_t root;
    WEFT_TRY(read_blocks(ti, false, &root, &bytes, err));
    return expand(ti, action, WEFT_COLLECTIVE_ALLGATHER, bytes, root, err);
}

static weft_status do_gather(weft_ti *ti, const weft_ti_action *action, weft_error *err)
{
    uint64_t bytes;
    uint32_t root;
    WEFT_TRY(read_blocks(ti, true, &root, &bytes, err));
    return expand(ti, action, WEFT_COLLECTIVE_GATHER, bytes, root, err);
}

/* ---- a size for every rank ---- */

/* One send and one receive, each of which may be missing, that the course waits for. */
static weft_status exchange(weft_ti *ti, const part *its, uint32_t to, uint64_t sent, uint32_t from,
                            uint64_t received, weft_error *err)
{
    weft_course *course = &ti->rank->course;
    uint32_t both[2], count = 0;
    weft_loose_operation send = {
        .kind = WEFT_OPERATION_SEND, .peer = to, .tag = its->tag, .size = sent};
    weft_loose_operation receive = {
        .kind = WEFT_OPERATION_RECV, .peer = from, .tag = its->tag, .size = received};
    if (to != WEFT_PROGRAM_NONE)
        WEFT_TRY(weft_course_beside(course, &ti->loose, send, &both[count++], err));
    if (from != WEFT_PROGRAM_NONE)
        WEFT_TRY(weft_course_beside(course, &ti->loose, receive, &both[count++], err));
    return count > 0 ? weft_course_replace(course, &ti->loose, both, count, err) : WEFT_OK;
}

/* The root and every other rank, all at once; sizes: by rank, of the root. */
static weft_status with_root(weft_ti *ti, const part *its, uint32_t root, bool to_root,
                             uint64_t own, const uint64_t *sizes, weft_error *err)
{
    uint8_t out = WEFT_OPERATION_SEND, in = WEFT_OPERATION_RECV;
    weft_loose_operation message = {.kind = (its->me == root) == to_root ? in : out,
                                    .peer = root,
                                    .tag = its->tag,
                                    .size = own};
    weft_course *course = &ti->rank->course, all = {.rank = its->me};
    uint32_t number;
    if (its->me != root)
        return weft_course_then(course, &ti->loose, message, err);
    weft_status status = WEFT_OK;
    for (uint32_t r = 0; r < its->ranks && status == WEFT_OK; r++) {
        message.peer = r;
        message.size = sizes ? sizes[r] : own;
        if (r == root)
            continue;
        status = weft_course_beside(course, &ti->loose, message, &number, err);
        weft_course_wait(&all, number);
    }
    if (status == WEFT_OK && all.count > 0)
        status = weft_course_replace(course, &ti->loose, all.at, all.count, err);
    weft_course_done(&all);
    return status;
}

static weft_status do_scatter(weft_ti *ti, const weft_ti_action *action, weft_error *err)
{
    uint64_t bytes;
    uint32_t root;
    part its;
    WEFT_TRY(read_blocks(ti, true, &root, &bytes, err));
    WEFT_TRY(begin(ti, action, bytes, root, &its, err));
    return placed(ti, with_root(ti, &its, root, false, bytes / its.ranks, NULL, err), err);
}

/* p sizes, in elements; free() them. */
static weft_status read_sizes(weft_ti *ti, uint64_t **sizes, weft_error *err)
{
    *sizes = NULL;
    if (weft_format_lines_left(&ti->lines) < ti->n_ranks)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "%.2000s:%lu: wanted a size for each of %u ranks, found %zu more words",
                         ti->lines.file, ti->lines.number, ti->n_ranks,
                         weft_format_lines_left(&ti->lines));
    *sizes = weft_realloc(NULL, ti->n_ranks, sizeof **sizes);
    for (uint32_t r = 0; r < ti->n_ranks; r++)
        WEFT_TRY(weft_ti_size(ti, &(*sizes)[r], err));
    return WEFT_OK;
}

static weft_status to_bytes(const weft_ti *ti, uint64_t *sizes, uint32_t type, weft_error *err)
{
    assert(sizes);
    for (uint32_t r = 0; r < ti->n_ranks; r++)
        WEFT_TRY(weft_ti_bytes(ti, sizes[r], type, &sizes[r], err));
    return WEFT_OK;
}

/* gatherv: size, p sizes, [root] [types]; scatterv: p sizes, size, [root] [types]. */
static weft_status rooted_sizes(weft_ti *ti, const weft_ti_action *action, bool to_root,
                                uint64_t **sizes, weft_error *err)
{
    uint64_t own;
    uint32_t root, type;
    part its;
    if (to_root)
        WEFT_TRY(weft_ti_size(ti, &own, err));
    WEFT_TRY(read_sizes(ti, sizes, err));
    if (!to_root)
        WEFT_TRY(weft_ti_size(ti, &own, err));
    WEFT_TRY(read_root(ti, &root, err));
    WEFT_TRY(weft_ti_type(ti, &type, err));
    WEFT_TRY(weft_ti_bytes(ti, own, type, &own, err));
    WEFT_TRY(to_bytes(ti, *sizes, type, err));
    WEFT_TRY(begin(ti, action, 0, root, &its, err));
    return placed(ti, with_root(ti, &its, root, to_root, own, *sizes, err), err);
}

static weft_status do_gatherv(weft_ti *ti, const weft_ti_action *action, weft_error *err)
{
    uint64_t *sizes = NULL;
    weft_status status = rooted_sizes(ti, action, true, &sizes, err);
    free(sizes);
    return status;
}

static weft_status do_scatterv(weft_ti *ti, const weft_ti_action *action, weft_error *err)
{
    uint64_t *sizes = NULL;
    weft_status status = rooted_sizes(ti, action, false, &sizes, err);
    free(sizes);
    return status;
}

/* Blocks travel around a ring; ahead: of the first that a rank sends, from its own. */
static weft_status ring(weft_ti *ti, const part *its, uint32_t ahead, const uint64_t *sizes,
                        weft_error *err)
{
    uint32_t p = its->ranks;
    for (uint32_t k = 0; k + 1 < p; k++) {
        uint32_t sent = (uint32_t)(((uint64_t)its->me + ahead + p - k) % p);
        WEFT_TRY(exchange(ti, its, (its->me + 1) % p, sizes[sent], (its->me + p - 1) % p,
                          sizes[(sent + p - 1) % p], err));
    }
    return WEFT_OK;
}

/* allgatherv: size, p sizes [types]; reducescatter: p sizes, flops [type]. */
static weft_status ring_sizes(weft_ti *ti, const weft_ti_action *action, bool sums,
                              uint64_t **sizes, weft_error *err)
{
    uint64_t own, ticks = 0;
    uint32_t type;
    part its;
    if (!sums)
        WEFT_TRY(weft_ti_size(ti, &own, err));
    WEFT_TRY(read_sizes(ti, sizes, err));
    if (sums)
        WEFT_TRY(weft_ti_flops(ti, &ticks, err));
    WEFT_TRY(weft_ti_type(ti, &type, err));
    WEFT_TRY(to_bytes(ti, *sizes, type, err));
    WEFT_TRY(begin(ti, action, 0, 0, &its, err));
    WEFT_TRY(placed(ti, ring(ti, &its, sums ? its.ranks - 1 : 0, *sizes, err), err));
    return ticks ? weft_ti_compute(ti, ticks, err) : WEFT_OK;
}

static weft_status do_allgatherv(weft_ti *ti, const weft_ti_action *action, weft_error *err)
{
    uint64_t *sizes = NULL;
    weft_status status = ring_sizes(ti, action, false, &sizes, err);
    free(sizes);
    return status;
}

static weft_status do_reducescatter(weft_ti *ti, const weft_ti_action *action, weft_error *err)
{
    uint64_t *sizes = NULL;
    weft_status status = ring_sizes(ti, action, true, &sizes, err);
    free(sizes);
    return status;
}

/* size, p sizes, size, p sizes [types] */
static weft_status all_sizes(weft_ti *ti, const weft_ti_action *action, uint64_t **sent,
                             uint64_t **received, weft_error *err)
{
    uint64_t buffer;
    uint32_t type;
    part its;
    WEFT_TRY(weft_ti_size(ti, &buffer, err));
    WEFT_TRY(read_sizes(ti, sent, err));
    WEFT_TRY(weft_ti_size(ti, &buffer, err));
    WEFT_TRY(read_sizes(ti, received, err));
    WEFT_TRY(weft_ti_type(ti, &type, err));
    WEFT_TRY(to_bytes(ti, *sent, type, err));
    WEFT_TRY(weft_ti_type(ti, &type, err));
    WEFT_TRY(to_bytes(ti, *received, type, err));
    WEFT_TRY(begin(ti, action, 0, 0, &its, err));
    const uint64_t *out = *sent, *in = *received;
    assert(out && in);
    for (uint32_t i = 1; i < its.ranks; i++) {
        uint32_t to = (its.me + i) % its.ranks, from = (its.me + its.ranks - i) % its.ranks;
        WEFT_TRY(placed(ti, exchange(ti, &its, to, out[to], from, in[from], err), err));
    }
    return WEFT_OK;
}

static weft_status do_alltoallv(weft_ti *ti, const weft_ti_action *action, weft_error *err)
{
    uint64_t *sent = NULL, *received = NULL;
    weft_status status = all_sizes(ti, action, &sent, &received, err);
    free(sent);
    free(received);
    return status;
}

/* size flops [type] */
static weft_status do_scan(weft_ti *ti, const weft_ti_action *action, weft_error *err)
{
    uint64_t elements, bytes, ticks;
    uint32_t type;
    part its;
    WEFT_TRY(weft_ti_size(ti, &elements, err));
    WEFT_TRY(weft_ti_flops(ti, &ticks, err));
    WEFT_TRY(weft_ti_type(ti, &type, err));
    WEFT_TRY(weft_ti_bytes(ti, elements, type, &bytes, err));
    WEFT_TRY(begin(ti, action, bytes, 0, &its, err));
    for (uint32_t mask = 1; mask < its.ranks; mask *= 2)
        if ((its.me ^ mask) < its.ranks)
            WEFT_TRY(placed(ti, exchange(ti, &its, its.me ^ mask, bytes, its.me ^ mask, bytes, err),
                            err));
    return ticks ? weft_ti_compute(ti, ticks, err) : WEFT_OK;
}

const weft_ti_action weft_ti_collectives[] = {
    {"barrier", "", do_barrier},
    {"bcast", "size [root] [type]", do_bcast},
    {"reduce", "size flops [root] [type]", do_reduce},
    {"allreduce", "size flops [type]", do_allreduce},
    {"alltoall", "size size [type type]", do_alltoall},
    {"allgather", "size size [type type]", do_allgather},
    {"gather", "size size [root] [type type]", do_gather},
    {"scatter", "size size [root] [type type]", do_scatter},
    {"gatherv", "size, p sizes, [root] [type type]", do_gatherv},
    {"scatterv", "p sizes, size, [root] [type type]", do_scatterv},
    {"allgatherv", "size, p sizes [type type]", do_allgatherv},
    {"reducescatter", "p sizes, flops [type]", do_reducescatter},
    {"alltoallv", "size, p sizes, size, p sizes [type type]", do_alltoallv},
    {"scan", "size flops [type]", do_scan},
    {"exscan", "size flops [type]", do_scan},
    {.name = NULL},
};
