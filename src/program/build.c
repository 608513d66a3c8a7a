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
    build->program.wild = weft_alloc(sizeof(uint64_t) * ((size_t)n_ranks / 64 + 1));
    build->room = 64;
    build->program.operations = weft_alloc(sizeof *build->program.operations * build->room);
}

void weft_program_build_done(weft_program_build *build)
{
    weft_program_done(&build->program);
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
    program->operations = grown(program->operations, (size_t)program->n_operations + 1,
                                &build->room, sizeof *program->operations);
    operation.size_low = (uint32_t)size;
    operation.size_high = (uint32_t)(size >> 32);
    if (operation.cpu >= program->n_cpus)
        program->n_cpus = operation.cpu + 1u;
    if (operation.nic >= program->n_nics)
        program->n_nics = operation.nic + 1u;
    note_wild(program, build->rank, &operation);
    *number = program->n_operations - program->first[build->rank];
    program->operations[program->n_operations++] = operation;
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
static void list_dependents(weft_program_build *build, uint32_t first, uint32_t count)
{
    weft_program *program = &build->program;
    weft_operation *operations = program->operations + first;
    size_t need = (size_t)program->n_dependents + build->n_edges;
    if (need > build->dependent_room) {
        build->dependent_room = need + need / 2;
        program->dependents =
            weft_realloc(program->dependents, build->dependent_room, sizeof(uint32_t));
    }
    for (uint32_t i = 0; i < count; i++)
        operations[i].on_end = operations[i].on_start = 0;
    for (size_t e = 0; e < build->n_edges; e++) {
        weft_operation *earlier = &operations[build->edges[e].earlier];
        (*(build->edges[e].start ? &earlier->on_start : &earlier->on_end))++;
    }
    uint32_t next = program->n_dependents;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t ends = operations[i].on_end, starts = operations[i].on_start;
        operations[i].on_end = next;
        operations[i].on_start = next + ends;
        next += ends + starts;
    }
    for (size_t e = 0; e < build->n_edges; e++) { /* the offsets run ahead … */
        weft_program_edge edge = build->edges[e];
        weft_operation *earlier = &operations[edge.earlier];
        uint32_t *at = edge.start ? &earlier->on_start : &earlier->on_end;
        program->dependents[(*at)++] = first + edge.later;
    }
    for (uint32_t i = count; i-- > 0;) { /* … and are set back */
        operations[i].on_start = operations[i].on_end;
        operations[i].on_end = i > 0 ? operations[i - 1].on_start : program->n_dependents;
    }
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
static weft_status check_circles(const weft_program_build *build, uint32_t first, uint32_t count,
                                 weft_error *err)
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
        const weft_operation *operation = &program->operations[first + i];
        uint32_t end = i + 1 < count ? operation[1].on_end : program->n_dependents;
        for (uint32_t d = operation->on_end; d < end; d++)
            if (--need[program->dependents[d] - first] == 0)
                free_ones[n_free++] = program->dependents[d] - first;
    }
    weft_status status = taken < count ? complain_circle(build, need, count, err) : WEFT_OK;
    free(need);
    free(free_ones);
    return status;
}

weft_status weft_program_build_rank(weft_program_build *build, weft_error *err)
{
    weft_program *program = &build->program;
    uint32_t first = program->first[build->rank], count = program->n_operations - first;
    list_dependents(build, first, count);
    if (build->n_edges > 0)
        WEFT_TRY(check_circles(build, first, count, err));
    build->n_edges = 0;
    program->first[++build->rank] = program->n_operations;
    return WEFT_OK;
}

weft_status weft_program_build_finish(weft_program_build *build, weft_program *program,
                                      weft_error *err)
{
    weft_program *built = &build->program;
    assert(build->rank == built->n_ranks);
    built->operations[built->n_operations] =
        (weft_operation){.on_end = built->n_dependents, .on_start = built->n_dependents};
    built->partners = weft_realloc(NULL, (size_t)built->n_operations + 1, sizeof(uint32_t));
    memset(built->partners, 0xff, sizeof(uint32_t) * ((size_t)built->n_operations + 1));
    weft_program_origin origin = {
        .file = build->file, .line_of = build->line_of, .reader = build->reader};
    WEFT_TRY(weft_program_match(built, &origin, err));
    *program = *built;
    build->program = (weft_program){0};
    return WEFT_OK;
}
