/* SPDX-License-Identifier: Apache-2.0 */
#include "program/loose.h"

#include "base/memory.h"
#include "program/build.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

void weft_loose_init(weft_loose *loose, const char *file, size_t most)
{
    *loose = (weft_loose){.file = file,
                          .most = most < WEFT_PROGRAM_OPS_MAX ? most : WEFT_PROGRAM_OPS_MAX};
}

void weft_loose_done(weft_loose *loose)
{
    free(loose->operations);
    free(loose->edges);
    *loose = (weft_loose){0};
}

static void *grown(void *array, size_t count, size_t *room, size_t size)
{
    if (count < *room)
        return array;
    *room = *room ? *room + *room / 2 : 64;
    return weft_realloc(array, *room, size);
}

weft_status weft_loose_add(weft_loose *loose, weft_loose_operation operation, uint32_t *number,
                           weft_error *err)
{
    if (loose->n_operations >= loose->most)
        return weft_fail(err, WEFT_BAD_INPUT, "%s: the program has more than %zu operations",
                         loose->file, loose->most);
    loose->operations =
        grown(loose->operations, loose->n_operations, &loose->room, sizeof *loose->operations);
    *number = (uint32_t)loose->n_operations;
    loose->operations[loose->n_operations++] = operation;
    return WEFT_OK;
}

weft_status weft_loose_depend(weft_loose *loose, uint32_t later, uint32_t earlier, weft_error *err)
{
    assert(loose->operations[later].rank == loose->operations[earlier].rank);
    if (loose->n_edges / 2 >= loose->most)
        return weft_fail(err, WEFT_BAD_INPUT, "%s: the program has more than %zu dependencies",
                         loose->file, 2 * loose->most);
    loose->edges = grown(loose->edges, loose->n_edges, &loose->edge_room, sizeof *loose->edges);
    loose->edges[loose->n_edges++] = (weft_loose_edge){.later = later, .earlier = earlier};
    return WEFT_OK;
}

/* ---- by rank ---- */

typedef struct order { /* of operations or dependencies by rank */
    uint32_t *at;      /* their numbers */
    size_t *first;     /* of every rank, and of n_ranks */
} order;

static void order_done(order *by)
{
    free(by->at);
    free(by->first);
}

static uint32_t rank_of(const weft_loose *loose, bool edges, size_t i)
{
    return loose->operations[edges ? loose->edges[i].later : i].rank;
}

/* Counting keeps the order within a rank. */
static order order_of(const weft_loose *loose, bool edges, uint32_t n_ranks)
{
    size_t count = edges ? loose->n_edges : loose->n_operations;
    order by = {.at = weft_realloc(NULL, count + 1, sizeof *by.at),
                .first = weft_alloc(sizeof *by.first * ((size_t)n_ranks + 2))};
    for (size_t i = 0; i < count; i++)
        by.first[(size_t)rank_of(loose, edges, i) + 2]++;
    for (size_t r = 2; r < (size_t)n_ranks + 2; r++)
        by.first[r] += by.first[r - 1];
    for (size_t i = 0; i < count; i++)
        by.at[by.first[(size_t)rank_of(loose, edges, i) + 1]++] = (uint32_t)i;
    return by;
}

static weft_status add(weft_program_build *build, const weft_loose_operation *one, uint32_t *number,
                       weft_error *err)
{
    weft_operation operation = {
        .kind = one->kind, .peer = one->peer, .tag = one->tag, .cpu = one->cpu, .nic = one->nic};
    return weft_program_build_add(build, operation, one->size, number, err);
}

/* number: of every operation within its rank. */
static weft_status build_rank(const weft_loose *loose, weft_program_build *build, const order *ops,
                              const order *edges, uint32_t *number, weft_error *err)
{
    uint32_t rank = build->rank;
    for (size_t i = ops->first[rank]; i < ops->first[rank + 1]; i++)
        WEFT_TRY(add(build, &loose->operations[ops->at[i]], &number[ops->at[i]], err));
    for (size_t i = edges->first[rank]; i < edges->first[rank + 1]; i++) {
        weft_loose_edge edge = loose->edges[edges->at[i]];
        WEFT_TRY(weft_program_build_depend(
            build,
            (weft_program_edge){.later = number[edge.later], .earlier = number[edge.earlier]},
            err));
    }
    return weft_program_build_rank(build, err);
}

static weft_status build_all(const weft_loose *loose, weft_program_build *build, const order *ops,
                             const order *edges, weft_program *program, weft_error *err)
{
    uint32_t *number = weft_realloc(NULL, loose->n_operations + 1, sizeof *number);
    weft_status status = WEFT_OK;
    for (uint32_t r = 0; r < build->program.n_ranks && status == WEFT_OK; r++)
        status = build_rank(loose, build, ops, edges, number, err);
    free(number);
    return status == WEFT_OK ? weft_program_build_finish(build, program, err) : status;
}

weft_status weft_loose_finish(weft_loose *loose, uint32_t n_ranks, weft_program *program,
                              weft_error *err)
{
    weft_program_build build;
    order ops = order_of(loose, false, n_ranks), edges = order_of(loose, true, n_ranks);
    weft_program_build_init(&build, loose->file, n_ranks);
    weft_status status = build_all(loose, &build, &ops, &edges, program, err);
    weft_program_build_done(&build);
    order_done(&ops);
    order_done(&edges);
    return status;
}

/* ---- courses ---- */

void weft_course_done(weft_course *course)
{
    free(course->at);
    course->at = NULL;
    course->count = course->room = 0;
}

void weft_course_wait(weft_course *course, uint32_t operation)
{
    if (course->count == course->room) {
        course->room = course->room ? 2 * course->room : 4;
        course->at = weft_realloc(course->at, course->room, sizeof *course->at);
    }
    course->at[course->count++] = operation;
}

static weft_status add_after(const weft_course *course, weft_loose *loose,
                             weft_loose_operation operation, uint32_t *number, weft_error *err)
{
    operation.rank = course->rank;
    operation.cpu = course->cpu;
    WEFT_TRY(weft_loose_add(loose, operation, number, err));
    for (uint32_t i = 0; i < course->count; i++)
        WEFT_TRY(weft_loose_depend(loose, *number, course->at[i], err));
    return WEFT_OK;
}

weft_status weft_course_join(weft_course *course, weft_loose *loose, weft_error *err)
{
    uint32_t number = 0;
    if (course->count <= 2)
        return WEFT_OK;
    WEFT_TRY(add_after(course, loose, (weft_loose_operation){.kind = WEFT_OPERATION_CALC}, &number,
                       err));
    course->at[0] = number;
    course->count = 1;
    return WEFT_OK;
}

weft_status weft_course_beside(weft_course *course, weft_loose *loose,
                               weft_loose_operation operation, uint32_t *number, weft_error *err)
{
    WEFT_TRY(weft_course_join(course, loose, err));
    return add_after(course, loose, operation, number, err);
}

weft_status weft_course_then(weft_course *course, weft_loose *loose, weft_loose_operation operation,
                             weft_error *err)
{
    uint32_t number = 0;
    WEFT_TRY(add_after(course, loose, operation, &number, err));
    course->count = 0;
    weft_course_wait(course, number);
    return WEFT_OK;
}

weft_status weft_course_replace(weft_course *course, weft_loose *loose, const uint32_t *operations,
                                uint32_t count, weft_error *err)
{
    course->count = 0;
    for (uint32_t i = 0; i < count; i++)
        weft_course_wait(course, operations[i]);
    return weft_course_join(course, loose, err);
}
