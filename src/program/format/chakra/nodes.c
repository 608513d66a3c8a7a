/* SPDX-License-Identifier: Apache-2.0 */
#include "base/memory.h"
#include "program/format/chakra/chakra.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

void weft_chakra_file_done(weft_chakra_file *file)
{
    free(file->nodes);
    free(file->depends);
    *file = (weft_chakra_file){0};
}

static void *grown(void *array, size_t count, size_t *room, size_t size)
{
    if (count < *room)
        return array;
    *room = *room ? *room + *room / 2 : 64;
    return weft_realloc(array, *room, size);
}

void weft_chakra_add_depend(weft_chakra_file *file, uint64_t id)
{
    file->depends =
        grown(file->depends, file->n_depends, &file->depend_room, sizeof *file->depends);
    file->depends[file->n_depends++] = id;
}

void weft_chakra_add(weft_chakra_file *file, weft_chakra_node node)
{
    const weft_chakra_node *last = file->n_nodes ? &file->nodes[file->n_nodes - 1] : NULL;
    node.first = last ? last->first + last->count : 0;
    node.count = (uint32_t)file->n_depends - node.first;
    node.place = file->n_nodes + 1;
    file->nodes = grown(file->nodes, file->n_nodes, &file->node_room, sizeof *file->nodes);
    file->nodes[file->n_nodes++] = node;
}

bool weft_chakra_text_is(weft_chakra_text text, const char *word)
{
    return text.length > 0 && text.length == strlen(word) &&
           memcmp(text.at, word, text.length) == 0;
}

const char *const weft_chakra_collectives[WEFT_CHAKRA_COLLECTIVES] = {
    "ALL_REDUCE", "REDUCE",         "ALL_GATHER",           "GATHER", "SCATTER", "BROADCAST",
    "ALL_TO_ALL", "REDUCE_SCATTER", "REDUCE_SCATTER_BLOCK", "BARRIER"};

bool weft_chakra_collective_named(weft_chakra_text name, uint64_t *number)
{
    for (uint64_t i = 0; i < WEFT_CHAKRA_COLLECTIVES; i++)
        if (weft_chakra_text_is(name, weft_chakra_collectives[i])) {
            *number = i;
            return true;
        }
    return false;
}

/* Attributes that are numbers of a node. */
static const struct {
    const char *name;
    size_t offset;
} numbers[] = {{"comm_type", offsetof(weft_chakra_node, collective)},
               {"comm_size", offsetof(weft_chakra_node, size)},
               {"comm_src", offsetof(weft_chakra_node, source)},
               {"comm_dst", offsetof(weft_chakra_node, destination)},
               {"comm_tag", offsetof(weft_chakra_node, tag)}};

bool weft_chakra_is_number(weft_chakra_text name)
{
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        if (weft_chakra_text_is(name, numbers[i].name))
            return true;
    return weft_chakra_text_is(name, "is_cpu_op");
}

void weft_chakra_attribute(weft_chakra_node *node, weft_chakra_text name, uint64_t number,
                           weft_chakra_text text)
{
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        if (weft_chakra_text_is(name, numbers[i].name))
            memcpy((char *)node + numbers[i].offset, &number, sizeof number);
    if (weft_chakra_text_is(name, "is_cpu_op"))
        node->cpu = number != 0;
    if (weft_chakra_text_is(name, "pg_name"))
        node->group = text;
}
