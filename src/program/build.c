/* SPDX-License-Identifier: Apache-2.0 */
#include "program/build.h"

#include "base/memory.h"
#include "program/match.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

void weft_program_build_init(weft_program_build *build, const char *file, uint32_t n_ranks)
{
    assert(n_ranks > 0 && n_ranks <= WEFT_PROGRAM_RANKS_MAX);
    *build = (weft_program_build){.file = file, .program = {.n_ranks = n_ranks}};
    build->program.first = weft_alloc(sizeof(uint32_t) * ((size_t)n_ranks + 1));
    build->program.at = build->program.first;
    build->program.wild = weft_alloc(sizeof(uint64_t) * ((size_t)n_ranks / 64 + 1));
    build->room = 64;
    build->program.operations = weft_alloc(sizeof *build->program.operations * build->room);
}

void weft_program_build_done(weft_program_build *build)
{
    weft_program_done(&build->program);
    weft_dividing_done(&build->divide);
    free(build->edges);
    *build = (weft_program_build){0};
}

/* Room for one more thing in an array. */
static void *grown(void *array, size_t count, size_t *room, size_t size)
{
    if (count < *room)
        return array;
    *room = *room ? *room + *room / 2 : 64;
    return weft_realloc(array, *room, size);
}

static weft_status check_peer(const weft_program_build *build, const weft_operation *operation,
                              weft_error *err)
{
    bool any = operation->kind == WEFT_OPERATION_RECV && operation->peer == WEFT_PROGRAM_ANY;
    if (operation->kind == WEFT_OPERATION_CALC || any || operation->peer < build->program.n_ranks)
        return WEFT_OK;
    return weft_fail(err, WEFT_BAD_INPUT, "ranks are 0 to %u, found %lld",
                     build->program.n_ranks - 1,
                     operation->peer == WEFT_PROGRAM_ANY ? -1LL : (long long)operation->peer);
}

static void note_wild(weft_program *program, uint32_t rank, const weft_operation *operation)
{
    bool any = operation->kind == WEFT_OPERATION_RECV && operation->peer == WEFT_PROGRAM_ANY;
    if (operation->kind == WEFT_OPERATION_CALC || (!any && operation->tag != WEFT_PROGRAM_ANY))
        return;
    uint32_t receiver = operation->kind == WEFT_OPERATION_RECV ? rank : operation->peer;
    program->wild[receiver / 64] |= (uint64_t)1 << receiver % 64;
}

weft_status weft_program_build_add(weft_program_build *build, weft_operation operation,
                                   uint64_t size, uint32_t *number, weft_error *err)
{
    weft_program *program = &build->program;
    assert(build->rank < program->n_ranks);
    WEFT_TRY(check_peer(build, &operation, err));
    if (program->n_operations >= WEFT_PROGRAM_OPS_MAX)
        return weft_fail(err, WEFT_BAD_INPUT, "a program has at most %u operations",
                         WEFT_PROGRAM_OPS_MAX);
    *number = build->n_here - build->begin;
    if (*number >= WEFT_PROGRAM_RANK_MAX)
        return weft_fail(err, WEFT_BAD_INPUT, "a rank has at most %u operations",
                         WEFT_PROGRAM_RANK_MAX);
    program->operations = grown(program->operations, (size_t)build->n_here + 1, &build->room,
                                sizeof *program->operations);
    operation.size_low = (uint32_t)size;
    operation.size_high = (uint32_t)(size >> 32);
    if (operation.cpu >= program->n_cpus)
        program->n_cpus = operation.cpu + 1u;
    if (operation.nic >= program->n_nics)
        program->n_nics = operation.nic + 1u;
    note_wild(program, build->rank, &operation);
    program->operations[build->n_here++] = operation;
    program->n_operations++;
    return WEFT_OK;
}

weft_status weft_program_build_depend(weft_program_build *build, weft_program_edge edge,
                                      weft_error *err)
{
    if (build->program.n_dependents + build->n_edges >= WEFT_PROGRAM_OPS_MAX)
        return weft_fail(err, WEFT_BAD_INPUT, "a program has at most %u dependencies",
                         WEFT_PROGRAM_OPS_MAX);
    build->edges = grown(build->edges, build->n_edges, &build->edge_room, sizeof *build->edges);
    build->edges[build->n_edges++] = edge;
    return WEFT_OK;
}

/* Lists the dependents of every operation of the rank in hand: by counting, those of its end
 * first. */
static void list_dependents(weft_program_build *build, uint32_t count)
{
    weft_program *program = &build->program;
    weft_operation *operations = program->operations + build->begin;
    size_t need = (size_t)program->n_dependents + build->n_edges;
    if (need > build->dependent_room) {
        build->dependent_room = need + need / 2;
        program->dependents =
            weft_realloc(program->dependents, build->dependent_room, sizeof(uint32_t));
    }
    for (uint32_t i = 0; i < count; i++)
        operations[i].dependents = 0;
    for (size_t e = 0; e < build->n_edges; e++)
        operations[build->edges[e].earlier].dependents++;
    uint32_t next = program->n_dependents;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t its = operations[i].dependents;
        operations[i].dependents = next;
        next += its;
    }
    for (uint32_t start = 0; start < 2; start++)
        for (size_t e = 0; e < build->n_edges; e++) { /* the offsets run ahead … */
            weft_program_edge edge = build->edges[e];
            weft_operation *earlier = &operations[edge.earlier];
            if (edge.start != start)
                continue;
            program->dependents[earlier->dependents++] =
                edge.later | (start ? WEFT_PROGRAM_ON_START : 0);
            earlier->leads |= (uint8_t)start;
        }
    for (uint32_t i = count; i-- > 0;) /* … and are set back */
        operations[i].dependents = i > 0 ? operations[i - 1].dependents : program->n_dependents;
    program->n_dependents = next;
}

/* An operation of the rank that `later` waits for and that never gets its turn. */
static uint32_t blocked_before(const weft_program_build *build, const uint32_t *need,
                               uint32_t later)
{
    for (size_t e = 0; e < build->n_edges; e++)
        if (build->edges[e].later == later && need[build->edges[e].earlier] > 0)
            return build->edges[e].earlier;
    return later;
}

#define CIRCLE_SHOWN 8

/* need: dependencies that are left of every operation of the rank, where nothing can go on. */
static weft_status complain_circle(const weft_program_build *build, const uint32_t *need,
                                   uint32_t count, weft_error *err)
{
    weft_text text;
    uint32_t at = 0, shown = 0;
    while (need[at] == 0)
        at++;
    for (uint32_t i = 0; i < count; i++) /* after so many steps back it is on a circle */
        at = blocked_before(build, need, at);
    uint32_t start = at;
    weft_text_init(&text);
    do {
        weft_text_add(&text, "%s%u", shown ? ", which waits for " : "", at + 1);
        at = blocked_before(build, need, at);
    } while (at != start && ++shown < CIRCLE_SHOWN);
    weft_status status =
        weft_fail(err, WEFT_BAD_INPUT, "%.2000s: rank %u: operation %s%s%u: none of them can start",
                  build->file, build->rank, text.at,
                  at == start ? ", which waits for " : " …, and so on to ", start + 1);
    weft_text_done(&text);
    return status;
}

/* Takes operations away that need nothing more, until none is left. */
static weft_status check_circles(const weft_program_build *build, uint32_t count, weft_error *err)
{
    const weft_program *program = &build->program;
    uint32_t *need = weft_alloc(sizeof *need * ((size_t)count + 1));
    uint32_t *free_ones = weft_alloc(sizeof *free_ones * ((size_t)count + 1));
    uint32_t n_free = 0, taken = 0;
    for (size_t e = 0; e < build->n_edges; e++)
        need[build->edges[e].later]++;
    for (uint32_t i = 0; i < count; i++)
        if (need[i] == 0)
            free_ones[n_free++] = i;
    for (; taken < n_free; taken++) {
        uint32_t i = free_ones[taken];
        const weft_operation *operation = &program->operations[build->begin + i];
        uint32_t end = i + 1 < count ? operation[1].dependents : program->n_dependents;
        for (uint32_t d = operation->dependents; d < end; d++) {
            uint32_t later = program->dependents[d] & ~WEFT_PROGRAM_ON_START;
            if (--need[later] == 0)
                free_ones[n_free++] = later;
        }
    }
    weft_status status = taken < count ? complain_circle(build, need, count, err) : WEFT_OK;
    free(need);
    free(free_ones);
    return status;
}

/* Keeps the operations of a rank at the end of the array, or forgets them. first_dependent: where
 * its dependents begin. */
static void keep_or_forget(weft_program_build *build, uint32_t rank, uint32_t first_dependent)
{
    weft_program *program = &build->program;
    bool kept = weft_dividing_keeps(&build->divide, rank);
    program->at[rank] = kept ? build->begin : WEFT_PROGRAM_NONE;
    if (kept)
        return;
    build->n_here = build->begin;
    program->n_dependents = first_dependent;
}

/* The program has become long: of the ranks until now only some are kept. */
static weft_status begin_division(weft_program_build *build, weft_error *err)
{
    weft_program *program = &build->program;
    weft_operation *operations = program->operations;
    uint32_t all = program->n_dependents;
    WEFT_TRY(weft_dividing_begin(&build->divide, program->n_ranks, err));
    program->divided = true;
    program->at = weft_alloc(sizeof *program->at * ((size_t)program->n_ranks + 1));
    build->n_here = program->n_dependents = 0;
    for (uint32_t r = 0; r <= build->rank; r++) {
        uint32_t from = program->first[r], count = program->first[r + 1] - from;
        WEFT_TRY(weft_dividing_rank(&build->divide, r, operations + from, count, err));
        uint32_t first = count ? operations[from].dependents : 0;
        uint32_t end = program->first[r + 1] < program->n_operations
                           ? operations[from + count].dependents
                           : all;
        uint32_t begin = program->n_dependents;
        build->begin = build->n_here;
        for (uint32_t i = 0; i < count; i++) {
            operations[build->n_here] = operations[from + i];
            operations[build->n_here++].dependents -= first - begin;
        }
        if (end > first && count > 0) {
            memmove(program->dependents + begin, program->dependents + first,
                    sizeof *program->dependents * (end - first));
            program->n_dependents += end - first;
        }
        keep_or_forget(build, r, begin);
    }
    return WEFT_OK;
}

weft_status weft_program_build_rank(weft_program_build *build, weft_error *err)
{
    weft_program *program = &build->program;
    weft_dividing *divide = &build->divide;
    uint32_t count = build->n_here - build->begin, first_dependent = program->n_dependents;
    list_dependents(build, count);
    if (build->n_edges > 0)
        WEFT_TRY(check_circles(build, count, err));
    build->n_edges = 0;
    program->first[build->rank + 1] = program->n_operations;
    if (divide->on) {
        WEFT_TRY(weft_dividing_rank(divide, build->rank, program->operations + build->begin, count,
                                    err));
        keep_or_forget(build, build->rank, first_dependent);
    } else if (divide->by && program->n_operations > divide->by->most) {
        WEFT_TRY(begin_division(build, err));
    }
    build->begin = build->n_here;
    build->rank++;
    return WEFT_OK;
}

weft_status weft_program_build_finish(weft_program_build *build, weft_program *program,
                                      weft_error *err)
{
    weft_program *built = &build->program;
    assert(build->rank == built->n_ranks);
    built->operations[build->n_here] = (weft_operation){.dependents = built->n_dependents};
    weft_program_origin origin = {
        .file = build->file, .line_of = build->line_of, .reader = build->reader};
    if (built->divided) {
        WEFT_TRY(weft_dividing_match(&build->divide, built, &origin, err));
        weft_program_trim(built, build->n_here);
    } else {
        built->partners = weft_realloc(NULL, (size_t)built->n_operations + 1, sizeof(uint32_t));
        memset(built->partners, 0xff, sizeof(uint32_t) * ((size_t)built->n_operations + 1));
        WEFT_TRY(weft_program_match(built, &origin, err));
    }
    *program = *built;
    build->program = (weft_program){0};
    return WEFT_OK;
}
