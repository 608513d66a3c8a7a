/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as words that name endpoints, in a scenario or a line each in a file, on a small
 * mesh: a message, or a set whose ranges are in order and do not meet, and in which ranks and
 * endpoints are each other's. */
#include "fuzz_file.h"
#include "net/hosts.h"
#include "net/topology.h"

static void check(const weft_host_set *set, uint32_t endpoints)
{
    uint32_t rank = 0, next = 0;
    for (uint32_t i = 0; i < set->n_ranges; i++) {
        const weft_host_range *range = &set->ranges[i];
        if (range->count == 0 || range->rank != rank || (i > 0 && range->first <= next) ||
            range->first >= endpoints || range->count > endpoints - range->first)
            abort();
        next = range->first + range->count;
        rank += range->count;
    }
    if (rank != set->count || rank == 0 || rank >= endpoints) /* all are no set */
        abort();
    for (uint32_t e = 0, below = 0; e < endpoints; e++) {
        bool inside = weft_host_set_has(set, e);
        if (weft_host_set_below(set, e) != below || (inside && weft_host_set_at(set, below) != e))
            abort();
        below += inside;
    }
}

static void read_words(const weft_hosts *hosts, const weft_topology *topology)
{
    weft_arena arena;
    weft_error err;
    const weft_host_set *set;
    weft_arena_init(&arena);
    if (weft_hosts_read(hosts, topology, "fuzz", &arena, &set, &err) == WEFT_OK && set)
        check(set, topology->edge_routers * topology->concentration);
    weft_arena_done(&arena);
}

/* A mesh of 3 × 5 routers with two endpoints each, made once. */
static weft_topology *mesh(void)
{
    static weft_topology topology = {.kind = &weft_topology_mesh};
    char set[4096] = {0};
    weft_error err;
    if (topology.self)
        return &topology;
    if (topology.kind->base.settings_size > sizeof set)
        abort();
    for (const weft_param *p = topology.kind->base.params; p->name; p++)
        if (strcmp(p->name, "dims") == 0)
            *(weft_ints *)(void *)(set + p->offset) = (weft_ints){.count = 2, .at = {3, 5}};
        else if (strcmp(p->name, "hosts") == 0)
            *(int64_t *)(void *)(set + p->offset) = 2;
    topology.self = calloc(1, topology.kind->base.instance_size + 1);
    if (!topology.self || weft_topology_build(&topology, set, &err) != WEFT_OK)
        abort();
    return &topology;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = calloc(1, size + 1);
    if (!text)
        abort();
    if (size > 0)
        memcpy(text, data, size);
    const weft_file word = {.text = text};
    read_words(&(weft_hosts){.count = 1, .at = &word}, mesh());
    const weft_file file = {.text = "file fuzz", .path = fuzz_file("hosts", data, size)};
    read_words(&(weft_hosts){.count = 1, .at = &file}, mesh());
    free(text);
    return 0;
}
