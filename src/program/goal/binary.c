/* SPDX-License-Identifier: Apache-2.0 */
/* GOAL in LogGOPSim's binary form, little-endian and packed; positions count from byte 8:
 *     u64 4223; u32 ranks, u8 greatest CPU, u8 greatest NIC; for every rank u64 start, u64 end
 *     at a start: u32 operations, u32 roots, u32 × roots, 39 bytes × operations, u32 × dependents
 * An operation: u32 dependencies, u8 kind, u32 peer, u64 size, u32 tag, u8 CPU, u8 NIC, then u32
 * count and u32 first of those that wait for its end, and the same for its start. */
#include "program/goal/goal.h"

#include "base/memory.h"
#include "program/goal/read.h"

#include <stdlib.h>
#include <string.h>

enum { MAGIC = 4223, SPOILT = 2342, ORIGIN = 8, HEAD = 14, RANGE = 16, OPERATION = 39 };

static uint64_t number_at(const char *at, size_t bytes)
{
    uint64_t number = 0;
    for (size_t i = bytes; i-- > 0;)
        number = number << 8 | (unsigned char)at[i];
    return number;
}

bool weft_goal_is_binary(const char *data, size_t length)
{
    return length >= ORIGIN && (number_at(data, 8) == MAGIC || number_at(data, 8) == SPOILT);
}

/* Bytes of the file; NULL: they cannot be read. They are there until the next call. */
static const char *part_at(const weft_goal_source *source, uint64_t offset, size_t count)
{
    return source->window ? weft_window_part(source->window, offset, count) : source->data + offset;
}

static uint64_t length_of(const weft_goal_source *source)
{
    return source->window ? source->window->size : source->length;
}

#define RANGES 4096 /* read at a time */

typedef struct reader {
    const weft_goal_source *source;
    weft_program_build build;
    uint64_t length, taken;      /* bytes of the file, and of all parts until now */
    char ranges[RANGES * RANGE]; /* of ranks, from a multiple of RANGES on */
} reader;

typedef struct rank_part { /* of the file */
    const char *operations, *dependents;
    uint32_t n_operations;
    uint64_t n_dependents;
} rank_part;

static weft_status fail(const weft_program_build *build, const char *why, uint64_t found,
                        weft_error *err)
{
    return weft_fail(err, WEFT_BAD_INPUT, "%.2000s: rank %u: %s, found %llu", build->file,
                     build->rank, why, (unsigned long long)found);
}

static weft_status unread(const reader *r, weft_error *err)
{
    return weft_fail(err, WEFT_BAD_INPUT,
                     "%.2000s cannot be read to its end: an I/O error, or it became shorter",
                     r->source->file);
}

/* Where the part of the rank in hand begins and ends. */
static weft_status find_range(reader *r, uint64_t *start, uint64_t *end, weft_error *err)
{
    uint32_t rank = r->build.rank, ranks = r->build.program.n_ranks;
    if (rank % RANGES == 0) {
        size_t count = ranks - rank < RANGES ? ranks - rank : RANGES;
        const char *at = part_at(r->source, HEAD + (uint64_t)RANGE * rank, RANGE * count);
        if (!at)
            return unread(r, err);
        memcpy(r->ranges, at, RANGE * count);
    }
    const char *range = r->ranges + (size_t)RANGE * (rank % RANGES);
    *start = number_at(range, 8);
    *end = number_at(range + 8, 8);
    if (*start > *end || *end > r->length - ORIGIN || *end - *start < 8)
        return fail(&r->build, "its part must lie inside the file", *start, err);
    r->taken += *end - *start;
    if (r->taken > 2 * r->length) /* they may be named again and again */
        return fail(&r->build, "parts of ranks must not overlap", *start, err);
    return WEFT_OK;
}

static weft_status find_rank(reader *r, rank_part *part, weft_error *err)
{
    uint64_t start = 0, end = 0;
    WEFT_TRY(find_range(r, &start, &end, err));
    const char *at = part_at(r->source, ORIGIN + start, (size_t)(end - start));
    if (!at)
        return unread(r, err);
    uint64_t left = end - start - 8, count = number_at(at, 4), roots = number_at(at + 4, 4);
    if (4 * roots > left || OPERATION * count > left - 4 * roots)
        return fail(&r->build, "its operations must lie inside its part", count, err);
    part->operations = at + 8 + 4 * roots;
    part->n_operations = (uint32_t)count;
    part->dependents = part->operations + OPERATION * count;
    part->n_dependents = (left - 4 * roots - OPERATION * count) / 4;
    return WEFT_OK;
}

static weft_status read_operation(weft_program_build *build, const char *at, weft_error *err)
{
    static const uint8_t kinds[] = {
        [1] = WEFT_OPERATION_SEND, [2] = WEFT_OPERATION_RECV, [3] = WEFT_OPERATION_CALC};
    uint64_t kind = number_at(at + 4, 1), size = number_at(at + 9, 8);
    uint32_t number;
    if (kind < 1 || kind > 3)
        return fail(build, "an operation is 1 (send), 2 (recv) or 3 (calc)", kind, err);
    if (size > WEFT_PROGRAM_SIZE_MAX)
        return fail(build, "a size is at most 2^48", size, err);
    weft_operation operation = {.kind = kinds[kind],
                                .peer = (uint32_t)number_at(at + 5, 4),
                                .tag = (uint32_t)number_at(at + 17, 4),
                                .cpu = (uint8_t)number_at(at + 21, 1),
                                .nic = (uint8_t)number_at(at + 22, 1)};
    weft_error why;
    if (weft_program_build_add(build, operation, size, &number, &why) != WEFT_OK)
        return weft_fail(err, WEFT_BAD_INPUT, "%.2000s: rank %u: %s", build->file, build->rank,
                         why.text);
    return WEFT_OK;
}

/* Those that wait for an operation; at: their count and the first of them. */
static weft_status read_dependents(weft_program_build *build, const rank_part *part, const char *at,
                                   uint32_t earlier, bool start, weft_error *err)
{
    uint64_t count = number_at(at, 4), first = number_at(at + 4, 4);
    if (count == 0)
        return WEFT_OK;
    if (first > part->n_dependents || count > part->n_dependents - first)
        return fail(build, "dependents must lie inside its part", first, err);
    for (uint64_t d = first; d < first + count; d++) {
        uint64_t later = number_at(part->dependents + 4 * d, 4);
        if (later >= part->n_operations)
            return fail(build, "a dependent must be one of its operations", later, err);
        WEFT_TRY(weft_program_build_depend(
            build,
            (weft_program_edge){.later = (uint32_t)later, .earlier = earlier, .start = start},
            err));
    }
    return WEFT_OK;
}

static weft_status read_rank(reader *r, weft_error *err)
{
    weft_program_build *build = &r->build;
    rank_part part = {0};
    WEFT_TRY(find_rank(r, &part, err));
    for (uint32_t i = 0; i < part.n_operations; i++)
        WEFT_TRY(read_operation(build, part.operations + (size_t)OPERATION * i, err));
    for (uint32_t i = 0; i < part.n_operations; i++) {
        const char *at = part.operations + (size_t)OPERATION * i + 23;
        WEFT_TRY(read_dependents(build, &part, at, i, false, err));
        WEFT_TRY(read_dependents(build, &part, at + 8, i, true, err));
        if (build->n_edges > r->length) /* parts of the file may be named again and again */
            return fail(build, "it must have fewer dependencies than the file has bytes",
                        build->n_edges, err);
    }
    return weft_program_build_rank(build, err);
}

static weft_status read_ranks(reader *r, weft_program *program, weft_error *err)
{
    const weft_program *built = &r->build.program;
    for (uint32_t rank = 0; rank < built->n_ranks; rank++) {
        WEFT_TRY(read_rank(r, err));
        if (built->n_dependents > r->length) /* parts of ranks may be the same */
            return weft_fail(err, WEFT_BAD_INPUT,
                             "%.2000s: all ranks must have fewer dependencies than the file has "
                             "bytes, found %u",
                             r->source->file, built->n_dependents);
    }
    return weft_program_build_finish(&r->build, program, err);
}

weft_status weft_goal_read_binary(const weft_goal_source *source, weft_program *program,
                                  weft_error *err)
{
    uint64_t length = length_of(source);
    const char *head = part_at(source, 0, length < HEAD ? (size_t)length : HEAD);
    if (head && number_at(head, 8) == SPOILT)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "%.2000s was used up by a run of LogGOPSim in place; convert the text "
                         "again",
                         source->file);
    uint64_t ranks = head && length >= HEAD ? number_at(head + ORIGIN, 4) : 0;
    if (ranks == 0 || ranks > WEFT_PROGRAM_RANKS_MAX || (length - HEAD) / RANGE < ranks)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "%.2000s: the table of ranks must lie inside the file, found %llu ranks "
                         "in %llu bytes",
                         source->file, (unsigned long long)ranks, (unsigned long long)length);
    reader *r = weft_alloc(sizeof *r);
    r->source = source;
    r->length = length;
    weft_program_build_init(&r->build, source->file, (uint32_t)ranks);
    r->build.divide.by = source->division;
    weft_status status = read_ranks(r, program, err);
    weft_program_build_done(&r->build);
    free(r);
    return status;
}

weft_status weft_goal_read(const weft_goal_source *source, weft_program *program, weft_error *err)
{
    bool binary = source->window ? weft_goal_is_binary(source->window->at, source->window->count)
                                 : weft_goal_is_binary(source->data, source->length);
    return (binary ? weft_goal_read_binary : weft_goal_read_text)(source, program, err);
}
