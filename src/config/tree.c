/* SPDX-License-Identifier: Apache-2.0 */
/* libfyaml's events → a tree. The parser is a pull parser, so every limit is checked before the
 * next event is asked for; it never prints: its diagnostics are collected and become ours.
 *
 * Children of open maps and lists wait on one stack (keys and values alternating in a map) and
 * are copied into the arena when their parent closes. An anchor becomes known when its node is
 * complete, so no node can contain itself. */
#include "config/tree.h"

#include "base/memory.h"

#include <assert.h>
#include <libfyaml.h>
#include <stdarg.h>
#include <stdio.h>
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
    size_t from; /* where the parsed part begins in the source */
    size_t *nodes_left;
    weft_arena *arena;
    weft_error *err;
    struct fy_parser *parser;
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

static weft_status complain_here(reader *r, struct fy_event *event, const char *sentence)
{
    const struct fy_mark *mark = fy_event_start_mark(event);
    return weft_complain(r->err, r->source, mark ? r->from + mark->input_pos : r->last, 1, "%s",
                         sentence);
}

static weft_status new_node(reader *r, struct fy_event *event, weft_node_type type, weft_node **out)
{
    if (*r->nodes_left == 0)
        return complain_here(r, event, "more than 100000 values, the limit of a scenario");
    --*r->nodes_left;
    weft_node *node = WEFT_TAKE(r->arena, weft_node, 1);
    *node = (weft_node){.type = (uint8_t)type, .height = 1, .size = 1, .source = r->source};
    const struct fy_mark *start = fy_event_start_mark(event), *end = fy_event_end_mark(event);
    node->offset = start ? (uint32_t)(r->from + start->input_pos) : r->last;
    uint32_t stop = end ? (uint32_t)(r->from + end->input_pos) : node->offset;
    node->width = stop > node->offset ? stop - node->offset : 1;
    if (end)
        r->last = stop;
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
                                  weft_node_found(node, r->arena));
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

static const char *token_text(reader *r, struct fy_token *token)
{
    size_t length = 0;
    const char *text = token ? fy_token_get_text(token, &length) : NULL;
    return text ? weft_arena_copy(r->arena, text, length) : NULL;
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

static weft_status on_scalar(reader *r, struct fy_event *event)
{
    weft_node *node = NULL;
    WEFT_TRY(new_node(r, event, WEFT_NODE_SCALAR, &node));
    assert(node);
    struct fy_token *token = event->scalar.value;
    size_t length = 0;
    const char *text = token ? fy_token_get_text(token, &length) : "";
    if (!text)
        text = "", length = 0;
    if (memchr(text, '\0', length))
        return weft_node_complain(r->err, node, "text with a NUL character");
    node->text = weft_arena_copy(r->arena, text, length);
    node->plain = !token || fy_token_scalar_style(token) == FYSS_PLAIN;
    WEFT_TRY(add_child(r, node));
    return remember(r, token_text(r, event->scalar.anchor), node);
}

static weft_status on_alias(reader *r, struct fy_event *event)
{
    const char *name = token_text(r, event->alias.anchor);
    const weft_node *target = NULL;
    for (unsigned i = r->n_anchors; i-- > 0 && !target;)
        if (name && strcmp(r->anchors[i].name, name) == 0)
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

static weft_status on_open(reader *r, struct fy_event *event, weft_node_type type,
                           struct fy_token *anchor_token)
{
    if (r->depth == WEFT_DEPTH_MAX)
        return complain_here(r, event, "nested deeper than 32 levels");
    weft_node *node = NULL;
    WEFT_TRY(new_node(r, event, type, &node));
    assert(node);
    if (is_key(r))
        return check_key(r, node);
    r->levels[r->depth++] = (level){node, r->stacked, token_text(r, anchor_token)};
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

static weft_status on_event(reader *r, struct fy_event *event)
{
    struct fy_token *tag = fy_event_get_tag_token(event);
    if (tag)
        return weft_complain(r->err, r->source, r->from + fy_token_start_mark(tag)->input_pos, 1,
                             "tags ('!…') have no meaning in a scenario; leave it out");
    switch (event->type) {
    case FYET_DOCUMENT_START:
        if (r->documents++)
            return complain_here(r, event, "a second document; a scenario file holds one");
        return WEFT_OK;
    case FYET_SCALAR:
        return on_scalar(r, event);
    case FYET_ALIAS:
        return on_alias(r, event);
    case FYET_SEQUENCE_START:
        return on_open(r, event, WEFT_NODE_LIST, event->sequence_start.anchor);
    case FYET_MAPPING_START:
        return on_open(r, event, WEFT_NODE_MAP, event->mapping_start.anchor);
    case FYET_SEQUENCE_END:
    case FYET_MAPPING_END:
        return on_close(r);
    default:
        return WEFT_OK;
    }
}

/* The parser's first error as our sentence. */
static weft_status syntax_error(reader *r, struct fy_diag *diag)
{
    void *at = NULL;
    const struct fy_diag_error *error = fy_diag_errors_iterate(diag, &at);
    size_t offset = r->source->length;
    if (error) {
        weft_source part = {.text = r->source->text + r->from,
                            .length = r->source->length - r->from};
        offset = r->from + weft_source_offset(&part, error->line, error->column);
    }
    return weft_complain(r->err, r->source, offset, 1, "not valid YAML: %.200s",
                         error && error->msg ? error->msg : "the text cannot be parsed");
}

static weft_status pump(reader *r, struct fy_diag *diag)
{
    for (;;) {
        struct fy_event *event = fy_parser_parse(r->parser);
        if (!event)
            return fy_parser_get_stream_error(r->parser) ? syntax_error(r, diag) : WEFT_OK;
        bool end = event->type == FYET_STREAM_END;
        weft_status status = on_event(r, event);
        fy_parser_event_free(r->parser, event);
        if (status != WEFT_OK || end)
            return status;
    }
}

/* A directive changes what the text means, and a long one keeps the parser busy for ever. */
static weft_status refuse_directives(const reader *r)
{
    const char *text = r->source->text;
    for (size_t i = r->from; i < r->source->length; i++)
        if (text[i] == '%' && (i == r->from || text[i - 1] == '\n' || text[i - 1] == '\r'))
            return weft_complain(
                r->err, r->source, i, 1,
                "a line that begins with %% (a YAML directive) has no meaning in a "
                "scenario; leave it out, or quote the text");
    return WEFT_OK;
}

weft_status weft_tree_parse(const weft_source *source, size_t from, size_t *nodes_left,
                            weft_arena *arena, const weft_node **root, weft_error *err)
{
    assert(from <= source->length);
    struct fy_diag_cfg quiet;
    fy_diag_cfg_default(&quiet);
    quiet.fp = NULL;
    quiet.output_fn = NULL;
    quiet.level = FYET_ERROR;
    struct fy_diag *diag = fy_diag_create(&quiet);
    fy_diag_set_collect_errors(diag, true);
    struct fy_parse_cfg config = {.flags = FYPCF_QUIET | FYPCF_COLLECT_DIAG | FYPCF_JSON_NONE |
                                           FYPCF_DEFAULT_VERSION_1_2,
                                  .diag = diag};
    reader *r = weft_alloc(sizeof *r);
    *r = (reader){.source = source,
                  .from = from,
                  .nodes_left = nodes_left,
                  .arena = arena,
                  .err = err,
                  .last = (uint32_t)from,
                  .parser = fy_parser_create(&config)};
    weft_status status = refuse_directives(r);
    if (status == WEFT_OK && source->length > from) {
        (void)fy_parser_set_string(r->parser, source->text + from, source->length - from);
        status = pump(r, diag);
    }
    *root = status == WEFT_OK ? r->root : NULL;
    fy_parser_destroy(r->parser);
    fy_diag_destroy(diag);
    free(r->stack);
    free(r);
    return status;
}
