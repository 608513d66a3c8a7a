/* SPDX-License-Identifier: Apache-2.0 */
/* Nodes become operations: a calculation on CPU 0 (of the CPU) or 1 (of a device), a message or a
 * collective on CPU 2; metadata are empty calculations on CPU 3, where they wait for no work. A
 * collective begins and ends with an empty calculation, so that what depends on its node has one
 * operation to wait for. The k-th collective of a group, by the identifiers of its nodes, is the
 * same one at all of its ranks. */
#include "base/memory.h"
#include "program/format/chakra/chakra.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ON_CPU, ON_DEVICE, ON_NIC, ON_NOTHING };   /* CPUs */
enum { MICROSECONDS = 1000000, TAGS = 1u << 30 }; /* tags of messages; collectives have the rest */

typedef struct chakra {
    const weft_format_input *input;
    weft_chakra_file file; /* of the rank in hand */
    weft_chakra_groups groups;
    weft_loose loose;
    uint32_t rank, n_ranks, n_collectives;
} chakra;

static weft_status fail(const chakra *c, const weft_chakra_node *node, const char *wanted,
                        uint64_t found, weft_error *err)
{
    return weft_fail(err, WEFT_BAD_INPUT, "%.2000s: node %zu (id %llu): wanted %s, found %llu",
                     c->file.file, node->place, (unsigned long long)node->id, wanted,
                     (unsigned long long)found);
}

/* ---- operations ---- */

static weft_status add_one(chakra *c, weft_chakra_node *node, weft_loose_operation operation,
                           weft_error *err)
{
    operation.rank = c->rank;
    WEFT_TRY(weft_loose_add(&c->loose, operation, &node->begin, err));
    node->end = node->begin;
    return WEFT_OK;
}

static weft_status add_calc(chakra *c, weft_chakra_node *node, weft_error *err)
{
    /* At most 2^48 ticks, so that the product stays below 2^64. */
    uint64_t per = c->input->options->ticks_per_second;
    double ticks = node->duration * (double)per / MICROSECONDS + 0.5;
    if (ticks > (double)WEFT_PROGRAM_SIZE_MAX)
        return fail(c, node, "a duration of at most 2^48 ticks, in microseconds",
                    (uint64_t)node->duration, err);
    return add_one(c, node,
                   (weft_loose_operation){.kind = WEFT_OPERATION_CALC,
                                          .size = (uint64_t)ticks,
                                          .cpu = node->cpu ? ON_CPU : ON_DEVICE},
                   err);
}

static weft_status add_nothing(chakra *c, weft_chakra_node *node, weft_error *err)
{
    return add_one(c, node, (weft_loose_operation){.kind = WEFT_OPERATION_CALC, .cpu = ON_NOTHING},
                   err);
}

static weft_status add_message(chakra *c, weft_chakra_node *node, weft_error *err)
{
    bool send = node->type == WEFT_CHAKRA_SEND;
    uint64_t peer = send ? node->destination : node->source;
    if (peer >= c->n_ranks)
        return fail(c, node, send ? "a comm_dst that has a file" : "a comm_src that has a file",
                    peer, err);
    if (node->tag >= TAGS)
        return fail(c, node, "a comm_tag below 2^30", node->tag, err);
    if (node->size > WEFT_PROGRAM_SIZE_MAX)
        return fail(c, node, "a comm_size of at most 2^48", node->size, err);
    return add_one(c, node,
                   (weft_loose_operation){.kind = send ? WEFT_OPERATION_SEND : WEFT_OPERATION_RECV,
                                          .peer = (uint32_t)peer,
                                          .tag = (uint32_t)node->tag,
                                          .size = node->size,
                                          .cpu = ON_NIC},
                   err);
}

/* ---- collectives ---- */

enum { SCATTER = 4 };

typedef struct collective_type {
    weft_collective_operation operation;
    bool per_rank; /* comm_size is what one rank has */
} collective_type;

/* In the order of their names. */
static const collective_type types[WEFT_CHAKRA_COLLECTIVES] = {
    {WEFT_COLLECTIVE_ALLREDUCE, false},      {WEFT_COLLECTIVE_REDUCE, false},
    {WEFT_COLLECTIVE_ALLGATHER, true},       {WEFT_COLLECTIVE_GATHER, true},
    {WEFT_COLLECTIVE_OPERATIONS, false},     {WEFT_COLLECTIVE_BROADCAST, false},
    {WEFT_COLLECTIVE_ALL_TO_ALL, false},     {WEFT_COLLECTIVE_REDUCE_SCATTER, false},
    {WEFT_COLLECTIVE_REDUCE_SCATTER, false}, {WEFT_COLLECTIVE_BARRIER, false},
};

/* Where the rank in hand is in a group. */
static bool find_position(const chakra *c, weft_chakra_group *group)
{
    if (group->rank == c->rank)
        return true;
    uint32_t i = 0;
    while (i < group->n_members && group->members[i] != c->rank)
        i++;
    if (i == group->n_members)
        return false;
    group->rank = c->rank;
    group->position = i;
    group->taken = 0;
    return true;
}

/* The group's next collective, which must be the same for all ranks. */
static weft_status next_step(chakra *c, const weft_chakra_node *node, weft_chakra_group *group,
                             uint32_t *tag, weft_error *err)
{
    uint32_t k = group->taken++;
    if (k < group->n_steps) {
        const weft_chakra_step *step = &group->steps[k];
        *tag = step->tag;
        if (step->collective == node->collective && step->size == node->size)
            return WEFT_OK;
        return weft_fail(err, WEFT_BAD_INPUT,
                         "%.2000s: node %zu (id %llu): collective %u of group %s must be %s of "
                         "%llu bytes, as at another rank",
                         c->file.file, node->place, (unsigned long long)node->id, k + 1,
                         group->name, weft_chakra_collectives[step->collective],
                         (unsigned long long)step->size);
    }
    if (k == group->step_room) {
        group->step_room = k ? 2 * k : 8;
        group->steps = weft_realloc(group->steps, group->step_room, sizeof *group->steps);
    }
    *tag = TAGS + c->n_collectives++;
    group->steps[group->n_steps++] =
        (weft_chakra_step){.collective = node->collective, .size = node->size, .tag = *tag};
    return WEFT_OK;
}

static weft_status expand(chakra *c, const weft_chakra_node *node, const weft_chakra_group *group,
                          uint32_t tag, weft_course *course, weft_error *err)
{
    const collective_type *type = &types[node->collective];
    uint64_t bytes = type->per_rank ? node->size * group->n_members : node->size;
    weft_expansion expansion = {.members = group->members,
                                .tag = tag,
                                .collective = {.ranks = group->n_members, .segments = 1}};
    if (type->operation == WEFT_COLLECTIVE_BARRIER || bytes == 0)
        bytes = 1;
    expansion.collective.bytes = bytes;
    if (node->collective == SCATTER)
        return weft_expand_scatter(&expansion, group->position, course, &c->loose, err);
    expansion.collective.kind =
        weft_expand_choose(c->input->options, type->operation, group->n_members, bytes);
    return weft_expand(&expansion, group->position, course, &c->loose, err);
}

static weft_status add_collective(chakra *c, weft_chakra_node *node, weft_error *err)
{
    weft_chakra_group *group = weft_chakra_groups_find(&c->groups, node->group);
    uint32_t tag;
    if (!group)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "%.2000s: node %zu (id %llu): the ranks of process group '%.*s' are not "
                         "known: groups=FILE names them",
                         c->file.file, node->place, (unsigned long long)node->id,
                         (int)(node->group.length < 64 ? node->group.length : 64), node->group.at);
    if (node->collective >= WEFT_CHAKRA_COLLECTIVES)
        return fail(c, node, "a comm_type, 0 to 9", node->collective, err);
    if (node->size > WEFT_PROGRAM_SIZE_MAX / group->n_members)
        return fail(c, node, "a comm_size of at most 2^48 for all ranks", node->size, err);
    if (!find_position(c, group))
        return weft_fail(
            err, WEFT_BAD_INPUT, "%.2000s: node %zu (id %llu): rank %u is not in process group %s",
            c->file.file, node->place, (unsigned long long)node->id, c->rank, group->name);
    WEFT_TRY(next_step(c, node, group, &tag, err));
    weft_course course = {.rank = c->rank, .cpu = ON_NIC};
    weft_loose_operation empty = {.kind = WEFT_OPERATION_CALC};
    weft_status status = weft_course_then(&course, &c->loose, empty, err);
    node->begin = status == WEFT_OK ? course.at[0] : 0;
    if (status == WEFT_OK)
        status = expand(c, node, group, tag, &course, err);
    if (status == WEFT_OK)
        status = weft_course_then(&course, &c->loose, empty, err);
    node->end = status == WEFT_OK ? course.at[0] : 0;
    weft_course_done(&course);
    return status;
}

/* ---- nodes ---- */

static const struct {
    const char *name;
    weft_status (*add)(chakra *c, weft_chakra_node *node, weft_error *err);
} kinds[WEFT_CHAKRA_TYPES] = {
    [WEFT_CHAKRA_METADATA] = {"metadata", add_nothing}, [WEFT_CHAKRA_LOAD] = {"loads", add_calc},
    [WEFT_CHAKRA_STORE] = {"stores", add_calc},         [WEFT_CHAKRA_COMP] = {"comp", add_calc},
    [WEFT_CHAKRA_SEND] = {"send", add_message},         [WEFT_CHAKRA_RECV] = {"recv", add_message},
    [WEFT_CHAKRA_COLL] = {"coll", add_collective},
};

static int by_id(const void *a, const void *b)
{
    const weft_chakra_node *x = a, *y = b;
    if (x->id != y->id)
        return x->id < y->id ? -1 : 1;
    return x->place < y->place ? -1 : x->place > y->place;
}

static weft_status add_nodes(chakra *c, weft_error *err)
{
    weft_chakra_node *nodes = c->file.nodes;
    if (c->file.n_nodes > 0)
        qsort(nodes, c->file.n_nodes, sizeof *nodes, by_id);
    for (size_t i = 0; i < c->file.n_nodes; i++) {
        if (nodes[i].type == WEFT_CHAKRA_INVALID || nodes[i].type >= WEFT_CHAKRA_TYPES)
            return fail(c, &nodes[i], "a type, 1 to 7", nodes[i].type, err);
        if (i > 0 && nodes[i].id == nodes[i - 1].id)
            return fail(c, &nodes[i], "an id of its own", nodes[i].id, err);
        weft_format_counted(c->input->summary, kinds[nodes[i].type].name);
        WEFT_TRY(kinds[nodes[i].type].add(c, &nodes[i], err));
    }
    return WEFT_OK;
}

static weft_status add_dependencies(chakra *c, weft_error *err)
{
    weft_chakra_file *file = &c->file;
    for (size_t i = 0; i < file->n_nodes; i++) {
        const weft_chakra_node *node = &file->nodes[i];
        for (uint32_t d = node->first; d < node->first + node->count; d++) {
            weft_chakra_node key = {.id = file->depends[d]};
            size_t low = 0, high = file->n_nodes;
            while (low < high) {
                size_t middle = low + (high - low) / 2;
                if (file->nodes[middle].id < key.id)
                    low = middle + 1;
                else
                    high = middle;
            }
            if (low == file->n_nodes || file->nodes[low].id != key.id)
                return fail(c, node, "dependencies on nodes of the file", key.id, err);
            WEFT_TRY(weft_loose_depend(&c->loose, node->begin, file->nodes[low].end, err));
        }
    }
    return WEFT_OK;
}

static weft_status add_rank(chakra *c, uint32_t rank, const char *path, const weft_bytes *bytes,
                            weft_error *err)
{
    c->rank = rank;
    c->file = (weft_chakra_file){.file = path, .at = bytes->at, .stop = bytes->at + bytes->count};
    weft_status status =
        (weft_chakra_is_json(bytes->at, bytes->count) ? weft_chakra_read_json
                                                      : weft_chakra_read_wire)(&c->file, err);
    if (status == WEFT_OK)
        status = add_nodes(c, err);
    if (status == WEFT_OK)
        status = add_dependencies(c, err);
    weft_chakra_file_done(&c->file);
    return status;
}

/* ---- files ---- */

typedef struct file_name { /* stem, rank, ending: "run.", 3, ".et" */
    const char *stem, *ending;
    int stem_length;
    uint64_t rank;
} file_name;

/* False: the name has no number of a rank before its ending. */
static bool take_apart(const char *file, file_name *name)
{
    name->stem = weft_bytes_name(file);
    name->ending = strrchr(name->stem, '.');
    if (!name->ending || name->ending == name->stem)
        return false;
    const char *digits = name->ending;
    while (digits > name->stem && digits[-1] >= '0' && digits[-1] <= '9')
        digits--;
    name->stem_length = (int)(digits - name->stem);
    return digits > name->stem && digits[-1] == '.' &&
           weft_format_word_whole((weft_format_word){digits, (size_t)(name->ending - digits)},
                                  WEFT_PROGRAM_RANKS_MAX, &name->rank);
}

/* The file of a rank; false: there is none. */
static bool open_rank(const chakra *c, const file_name *name, uint32_t rank, char **path,
                      weft_bytes *bytes)
{
    char *text = weft_text_format("%.*s%u%s", name->stem_length, name->stem, rank, name->ending);
    weft_status status = weft_format_other(c->input, text, strlen(text), path, bytes, NULL);
    free(text);
    return status == WEFT_OK;
}

static weft_status count_files(chakra *c, const file_name *name, weft_error *err)
{
    weft_bytes bytes;
    char *path;
    while (c->n_ranks < WEFT_PROGRAM_RANKS_MAX && open_rank(c, name, c->n_ranks, &path, &bytes)) {
        free(path);
        free(bytes.at);
        c->n_ranks++;
    }
    if (name->rank < c->n_ranks)
        return WEFT_OK;
    return weft_fail(err, WEFT_BAD_INPUT,
                     "%.2000s: ranks are numbered from 0 and each has a file, found none of rank "
                     "%u",
                     c->input->file, c->n_ranks);
}

static weft_status read_groups(chakra *c, weft_error *err)
{
    weft_bytes bytes;
    weft_chakra_groups_all(&c->groups, c->n_ranks);
    const char *file = c->input->options->groups;
    if (!file)
        return WEFT_OK;
    WEFT_TRY(weft_bytes_read(file, (size_t)1 << 32, "process groups", &bytes, err));
    weft_status status = weft_chakra_groups_read(&c->groups, file, &bytes, c->n_ranks, err);
    free(bytes.at);
    return status;
}

static weft_status read_all(chakra *c, weft_program *program, weft_error *err)
{
    file_name name;
    bool several = take_apart(c->input->file, &name) && !c->input->options->alone;
    if (several)
        WEFT_TRY(count_files(c, &name, err));
    else
        c->n_ranks = 1;
    c->input->summary->files = c->n_ranks;
    WEFT_TRY(read_groups(c, err));
    if (!several)
        WEFT_TRY(add_rank(c, 0, c->input->file, &c->input->bytes, err));
    for (uint32_t r = 0; several && r < c->n_ranks; r++) {
        weft_bytes bytes;
        char *path;
        if (!open_rank(c, &name, r, &path, &bytes))
            return weft_fail(err, WEFT_BAD_INPUT, "%.2000s: the file of rank %u has gone",
                             c->input->file, r);
        weft_status status = add_rank(c, r, path, &bytes, err);
        free(path);
        free(bytes.at);
        WEFT_TRY(status);
    }
    return weft_loose_finish(&c->loose, c->n_ranks, program, err);
}

static weft_status read_chakra(const weft_format_input *input, weft_program *program,
                               weft_error *err)
{
    chakra c = {.input = input};
    weft_loose_init(&c.loose, input->file, input->options->operations_max);
    weft_status status = read_all(&c, program, err);
    weft_chakra_groups_done(&c.groups);
    weft_loose_done(&c.loose);
    return status;
}

static bool is_chakra(const weft_format_input *input)
{
    return weft_chakra_is_json(input->bytes.at, input->bytes.count) ||
           weft_chakra_is_wire(input->bytes.at, input->bytes.count);
}

const weft_format_kind weft_format_chakra = {
    .name = "chakra",
    .brief = "Chakra execution traces, protobuf or JSON: run.0.et, run.1.et, …",
    .is = is_chakra,
    .read = read_chakra,
};
