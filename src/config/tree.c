/* SPDX-License-Identifier: Apache-2.0 */
/* YAML's events → a tree. Every limit is checked before the next event is asked for.
 *
 * Children of open maps and lists wait on one stack (keys and values alternating in a map) and
 * are copied into the arena when their parent closes. An anchor becomes known when its node is
 * complete, so no node can contain itself. */
#include "config/tree.h"

#include "base/memory.h"
#include "config/yaml/yaml.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define ANCHORS_MAX 256

typedef struct level { /* a map or list that is still open */
    weft_node *node;
    size_t base; /* its first child on the stack */
    const char *anchor;
} level;

typedef struct anchor {
    const char *name;
    const weft_node *node;
} anchor;

typedef struct reader {
    const weft_source *source;
    size_t *nodes_left;
    weft_arena *arena;
    weft_error *err;
    weft_yaml *yaml;
    const weft_node **stack;
    size_t stacked, room;
    level levels[WEFT_DEPTH_MAX];
    unsigned depth;
    anchor anchors[ANCHORS_MAX];
    unsigned n_anchors;
    uint32_t last; /* end of the last token: the place of an empty value */
    const weft_node *root;
    unsigned documents;
} reader;

static weft_status complain_here(reader *r, const weft_yaml_event *event, const char *sentence)
{
    return weft_complain(r->err, r->source, event->start, 1, "%s", sentence);
}

static weft_status new_node(reader *r, const weft_yaml_event *event, weft_node_type type,
                            weft_node **out)
{
    if (*r->nodes_left == 0)
        return complain_here(r, event, "more than 100000 values, the limit of a scenario");
    --*r->nodes_left;
    weft_node *node = WEFT_TAKE(r->arena, weft_node, 1);
    *node = (weft_node){.type = (uint8_t)type, .height = 1, .size = 1, .source = r->source};
    bool written = event->end > event->start || !event->plain;
    node->offset = written ? (uint32_t)event->start : r->last;
    node->width = event->end > event->start ? (uint32_t)(event->end - event->start) : 1;
    if (written)
        r->last = (uint32_t)event->end;
    *out = node;
    return WEFT_OK;
}

static bool is_key(const reader *r)
{
    const level *top = r->depth ? &r->levels[r->depth - 1] : NULL;
    return top && top->node->type == WEFT_NODE_MAP && (r->stacked - top->base) % 2 == 0;
}

static weft_status check_key(reader *r, const weft_node *node)
{
    if (node->type != WEFT_NODE_SCALAR)
        return weft_node_complain(r->err, node, "a key must be a word, found %s",
                                  node->type == WEFT_NODE_MAP ? "a map" : "a list");
    if (node->plain && strcmp(node->text, "<<") == 0)
        return weft_node_complain(r->err, node,
                                  "merge keys ('<<') are not used here; 'include' merges files");
    const level *top = &r->levels[r->depth - 1];
    if ((r->stacked - top->base) / 2 >= WEFT_KEYS_MAX)
        return weft_node_complain(r->err, node, "a map has more than %d keys", WEFT_KEYS_MAX);
    for (size_t i = top->base; i < r->stacked; i += 2) {
        if (strcmp(r->stack[i]->text, node->text) != 0)
            continue;
        unsigned line, column;
        weft_source_position(r->source, r->stack[i]->offset, &line, &column);
        return weft_node_complain(r->err, node,
                                  "key '%.60s' is given twice; the first is at line %u, column %u",
                                  node->text, line, column);
    }
    return WEFT_OK;
}

static weft_status add_child(reader *r, const weft_node *node)
{
    if (is_key(r))
        WEFT_TRY(check_key(r, node));
    if (r->depth == 0) {
        r->root = node;
        return WEFT_OK;
    }
    if (r->depth + node->height > WEFT_DEPTH_MAX)
        return weft_node_complain(r->err, node, "nested deeper than %d levels", WEFT_DEPTH_MAX);
    if (r->stacked == r->room) {
        r->room = r->room ? r->room * 2 : 64;
        r->stack = weft_realloc(r->stack, r->room, sizeof *r->stack);
    }
    r->stack[r->stacked++] = node;
    return WEFT_OK;
}

static const char *copy_name(reader *r, const char *name)
{
    return name ? weft_arena_copy(r->arena, name, strlen(name)) : NULL;
}

static weft_status remember(reader *r, const char *name, const weft_node *node)
{
    if (!name)
        return WEFT_OK;
    if (r->n_anchors == ANCHORS_MAX)
        return weft_node_complain(r->err, node, "more than %d anchors", ANCHORS_MAX);
    r->anchors[r->n_anchors++] = (anchor){name, node};
    return WEFT_OK;
}

/* The column, from 0, of the innermost map or list without brackets; -1: there is none. */
static long block_column(const reader *r)
{
    for (unsigned i = r->depth; i-- > 0;) {
        size_t at = r->levels[i].node->offset, begin = at;
        if (r->source->text[at] == '{' || r->source->text[at] == '[')
            continue;
        while (begin > 0 && r->source->text[begin - 1] != '\n')
            begin--;
        return (long)(at - begin);
    }
    return -1;
}

/* A quote that goes on in a line that is indented like its key was meant to end before. */
static weft_status check_quote(reader *r, const weft_yaml_event *event)
{
    const char *text = r->source->text, *at = text + event->start, *end = text + event->end;
    long outer = block_column(r);
    while ((at = memchr(at, '\n', (size_t)(end - at)))) {
        long spaces = (long)strspn(++at, " ");
        if (spaces > outer || at + spaces >= end || strchr("\t\r\n", at[spaces]))
            continue;
        unsigned line, column;
        weft_source_position(r->source, (size_t)(at - text), &line, &column);
        return weft_complain(r->err, r->source, event->start - 1, 1,
                             "not valid YAML: this quote is not closed before line %u, which is "
                             "indented no deeper than its key",
                             line);
    }
    return WEFT_OK;
}

static weft_status on_scalar(reader *r, const weft_yaml_event *event)
{
    weft_node *node = NULL;
    WEFT_TRY(new_node(r, event, WEFT_NODE_SCALAR, &node));
    assert(node);
    if (memchr(event->text, '\0', event->length))
        return weft_node_complain(r->err, node, "text with a NUL character");
    node->text = weft_arena_copy(r->arena, event->text, event->length);
    node->plain = event->plain;
    if (event->quoted)
        WEFT_TRY(check_quote(r, event));
    WEFT_TRY(add_child(r, node));
    return remember(r, copy_name(r, event->anchor), node);
}

static weft_status on_alias(reader *r, const weft_yaml_event *event)
{
    const weft_node *target = NULL;
    for (unsigned i = r->n_anchors; i-- > 0 && !target;)
        if (strcmp(r->anchors[i].name, event->anchor) == 0)
            target = r->anchors[i].node;
    if (!target)
        return complain_here(r, event, "alias without an anchor that is complete before it");
    if (target->size > *r->nodes_left)
        return complain_here(r, event,
                             "this alias expands the scenario to more than 100000 values, the "
                             "limit; nothing was expanded");
    *r->nodes_left -= target->size;
    return add_child(r, target);
}

static weft_status on_open(reader *r, const weft_yaml_event *event, weft_node_type type)
{
    if (r->depth == WEFT_DEPTH_MAX)
        return complain_here(r, event, "nested deeper than 32 levels");
    weft_node *node = NULL;
    WEFT_TRY(new_node(r, event, type, &node));
    assert(node);
    if (is_key(r))
        return check_key(r, node);
    r->levels[r->depth++] = (level){node, r->stacked, copy_name(r, event->anchor)};
    return WEFT_OK;
}

static void adopt(reader *r, const level *closed)
{
    weft_node *node = closed->node;
    bool map = node->type == WEFT_NODE_MAP;
    size_t children = r->stacked - closed->base, step = map ? 2 : 1;
    node->n_values = (uint32_t)(children / step);
    const weft_node **keys = map ? WEFT_TAKE(r->arena, const weft_node *, node->n_values) : NULL;
    const weft_node **values = WEFT_TAKE(r->arena, const weft_node *, node->n_values);
    for (size_t i = 0; i < node->n_values; i++) {
        const weft_node *const *child = r->stack + closed->base + i * step;
        if (map)
            keys[i] = child[0];
        values[i] = child[step - 1];
        node->size += values[i]->size + (map ? 1 : 0);
        if (values[i]->height >= node->height)
            node->height = (uint16_t)(values[i]->height + 1);
    }
    node->keys = keys;
    node->values = values;
    r->stacked = closed->base;
}

static weft_status on_close(reader *r)
{
    assert(r->depth > 0);
    level closed = r->levels[--r->depth];
    adopt(r, &closed);
    WEFT_TRY(add_child(r, closed.node));
    return remember(r, closed.anchor, closed.node);
}

static weft_status on_event(reader *r, const weft_yaml_event *event)
{
    if (event->tagged)
        return weft_complain(r->err, r->source, event->tag, 1,
                             "tags ('!…') have no meaning in a scenario; leave it out");
    switch (event->type) {
    case WEFT_YAML_DOCUMENT:
        if (r->documents++)
            return complain_here(r, event, "a second document; a scenario file holds one");
        return WEFT_OK;
    case WEFT_YAML_SCALAR:
        return on_scalar(r, event);
    case WEFT_YAML_ALIAS:
        return on_alias(r, event);
    case WEFT_YAML_LIST:
        return on_open(r, event, WEFT_NODE_LIST);
    case WEFT_YAML_MAP:
        return on_open(r, event, WEFT_NODE_MAP);
    case WEFT_YAML_CLOSE:
        return on_close(r);
    default:
        return WEFT_OK;
    }
}

static weft_status pump(reader *r)
{
    weft_yaml_event event = {.type = WEFT_YAML_NOTHING};
    while (event.type != WEFT_YAML_END) {
        WEFT_TRY(weft_yaml_next(r->yaml, &event, r->err));
        WEFT_TRY(on_event(r, &event));
    }
    return WEFT_OK;
}

/* A directive changes what the text means. */
static weft_status refuse_directives(const reader *r, size_t from)
{
    const char *text = r->source->text;
    for (size_t i = from; i < r->source->length; i++)
        if (text[i] == '%' && (i == from || text[i - 1] == '\n' || text[i - 1] == '\r'))
            return weft_complain(
                r->err, r->source, i, 1,
                "a line that begins with %% (a YAML directive) has no meaning in a "
                "scenario; leave it out, or quote the text");
    return WEFT_OK;
}

weft_status weft_tree_parse(const weft_source *source, size_t from, size_t *nodes_left,
                            weft_arena *arena, const weft_node **root, weft_error *err)
{
    reader *r = weft_alloc(sizeof *r);
    *r = (reader){.source = source,
                  .nodes_left = nodes_left,
                  .arena = arena,
                  .err = err,
                  .last = (uint32_t)from,
                  .yaml = weft_yaml_create(source, from)};
    weft_status status = refuse_directives(r, from);
    if (status == WEFT_OK)
        status = pump(r);
    *root = status == WEFT_OK ? r->root : NULL;
    weft_yaml_destroy(r->yaml);
    free(r->stack);
    free(r);
    return status;
}
