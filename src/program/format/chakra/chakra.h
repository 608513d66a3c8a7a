/* SPDX-License-Identifier: Apache-2.0 */
/* Chakra execution traces (mlcommons/chakra): a file of nodes for every rank, as protobuf messages
 * or as JSON. */
#ifndef WEFT_PROGRAM_FORMAT_CHAKRA_CHAKRA_H
#define WEFT_PROGRAM_FORMAT_CHAKRA_CHAKRA_H

#include "program/expand.h"

typedef enum weft_chakra_type {
    WEFT_CHAKRA_INVALID,
    WEFT_CHAKRA_METADATA,
    WEFT_CHAKRA_LOAD,
    WEFT_CHAKRA_STORE,
    WEFT_CHAKRA_COMP,
    WEFT_CHAKRA_SEND,
    WEFT_CHAKRA_RECV,
    WEFT_CHAKRA_COLL,
    WEFT_CHAKRA_TYPES
} weft_chakra_type;

typedef struct weft_chakra_text { /* within the file */
    const char *at;
    size_t length;
} weft_chakra_text;

typedef struct weft_chakra_node {
    uint64_t id;
    double duration; /* microseconds */
    uint64_t size;   /* bytes of a message or a collective */
    uint64_t source, destination, tag, collective;
    weft_chakra_text group; /* of a collective; empty: all ranks */
    size_t place;           /* for messages: its number in the file */
    uint32_t type;
    uint32_t first, count; /* dependencies */
    uint32_t begin, end;   /* operations, once they are there */
    bool cpu;              /* an operation of the CPU, not of a device */
} weft_chakra_node;

typedef struct weft_chakra_file { /* of a rank */
    const char *file;
    const char *at, *stop; /* what is not read yet */
    weft_chakra_node *nodes;
    size_t n_nodes, node_room;
    uint64_t *depends; /* identifiers of nodes */
    size_t n_depends, depend_room;
} weft_chakra_file;

void weft_chakra_file_done(weft_chakra_file *file);
void weft_chakra_add_depend(weft_chakra_file *file, uint64_t id);
/* Adds a node; its dependencies are those that were added since the last one. */
void weft_chakra_add(weft_chakra_file *file, weft_chakra_node node);
/* Takes an attribute that matters: a number, a truth value as 0 or 1, or a text. */
void weft_chakra_attribute(weft_chakra_node *node, weft_chakra_text name, uint64_t number,
                           weft_chakra_text text);
/* Is an attribute's number one that matters? */
bool weft_chakra_is_number(weft_chakra_text name);
/* Names of collectives by their numbers. */
enum { WEFT_CHAKRA_COLLECTIVES = 10 };
extern const char *const weft_chakra_collectives[WEFT_CHAKRA_COLLECTIVES];
/* The number of a collective's name; false: there is none. */
bool weft_chakra_collective_named(weft_chakra_text name, uint64_t *number);
bool weft_chakra_text_is(weft_chakra_text text, const char *word);

WEFT_MUST_USE weft_status weft_chakra_read_wire(weft_chakra_file *file, weft_error *err);
WEFT_MUST_USE weft_status weft_chakra_read_json(weft_chakra_file *file, weft_error *err);
/* Judged by its first messages, or its first sign. */
bool weft_chakra_is_wire(const char *at, size_t length);
bool weft_chakra_is_json(const char *at, size_t length);

/* ---- process groups ---- */

typedef struct weft_chakra_step { /* the k-th collective of a group */
    uint64_t collective, size;
    uint32_t tag;
} weft_chakra_step;

typedef struct weft_chakra_group {
    char *name;
    uint32_t *members, n_members; /* ranks */
    weft_chakra_step *steps;
    uint32_t n_steps, step_room;
    uint32_t rank, position, taken; /* of the rank in hand, and how many it took part in */
} weft_chakra_group;

typedef struct weft_chakra_groups {
    weft_chakra_group *at;
    size_t count;
} weft_chakra_groups;

/* Reads a file of groups, `{"1": [0, 1], …}`. */
WEFT_MUST_USE weft_status weft_chakra_groups_read(weft_chakra_groups *groups, const char *file,
                                                  const weft_bytes *bytes, uint32_t n_ranks,
                                                  weft_error *err);
/* The group of all ranks is always there, under the names "" and "0". */
void weft_chakra_groups_all(weft_chakra_groups *groups, uint32_t n_ranks);
weft_chakra_group *weft_chakra_groups_find(weft_chakra_groups *groups, weft_chakra_text name);
void weft_chakra_groups_done(weft_chakra_groups *groups);

#endif
