/* SPDX-License-Identifier: Apache-2.0 */
/* Nodes as JSON: objects one after the other or in a list, with the names of protobuf's fields, as
 * chakra_jsonizer writes them, or {"workload_graph": […]} with attributes as members. Names are
 * compared without _ and capitals: data_deps, dataDeps. Numbers may be in quotes. */
#include "program/format/chakra/chakra.h"
#include "program/format_lines.h"

#include <stdio.h>
#include <string.h>

enum { DEPTH = 64 };

typedef struct reader {
    weft_chakra_file *file;
    const char *at, *end;
    unsigned long line;
} reader;

static weft_status fail(const reader *r, const char *wanted, weft_error *err)
{
    if (r->at == r->end)
        return weft_fail(err, WEFT_BAD_INPUT, "%.2000s:%lu: wanted %s, found the end of the file",
                         r->file->file, r->line, wanted);
    bool plain = *r->at > ' ' && *r->at <= '~';
    return weft_fail(err, WEFT_BAD_INPUT,
                     plain ? "%.2000s:%lu: wanted %s, found '%c'"
                           : "%.2000s:%lu: wanted %s, found the byte 0x%02x",
                     r->file->file, r->line, wanted, (unsigned char)*r->at);
}

static char next(reader *r)
{
    while (r->at < r->end && (*r->at == ' ' || *r->at == '\t' || *r->at == '\r' || *r->at == '\n'))
        r->line += *r->at++ == '\n';
    return r->at < r->end ? *r->at : '\0';
}

/* Takes a sign if it is the next one. */
static bool take(reader *r, char sign)
{
    if (next(r) != sign)
        return false;
    r->at++;
    return true;
}

/* What is between the quotes, as it is in the file. */
static weft_status read_text(reader *r, const char *wanted, weft_chakra_text *text, weft_error *err)
{
    if (!take(r, '"'))
        return fail(r, wanted, err);
    text->at = r->at;
    for (; r->at < r->end && *r->at != '"'; r->at++) {
        if (*r->at == '\\' && r->at + 1 < r->end)
            r->at++;
        r->line += *r->at == '\n';
    }
    text->length = (size_t)(r->at - text->at);
    return take(r, '"') ? WEFT_OK : fail(r, "a quote at the end of a text", err);
}

/* A number, a text, true, false or null, without its quotes. */
static weft_status read_scalar(reader *r, weft_chakra_text *text, weft_error *err)
{
    if (next(r) == '"')
        return read_text(r, "a text", text, err);
    text->at = r->at;
    while (r->at < r->end && strchr("+-.0123456789abcdefghijklmnopqrstuvwxyzEINT", *r->at) &&
           *r->at)
        r->at++;
    text->length = (size_t)(r->at - text->at);
    return text->length > 0 ? WEFT_OK : fail(r, "a number, a text, true, false or null", err);
}

/* Past a value of any kind. */
static weft_status skip(reader *r, weft_error *err)
{
    weft_chakra_text text;
    unsigned depth = 0;
    do {
        char c = next(r);
        if (c == '{' || c == '[') {
            if (++depth > DEPTH)
                return fail(r, "at most 64 values within each other", err);
            r->at++;
        } else if (depth > 0 && (c == '}' || c == ']')) {
            depth--;
            r->at++;
        } else if (depth > 0 && (c == ',' || c == ':')) {
            r->at++;
        } else {
            WEFT_TRY(read_scalar(r, &text, err));
        }
    } while (depth > 0);
    return WEFT_OK;
}

static bool is_named(weft_chakra_text name, const char *plain)
{
    for (size_t i = 0; i < name.length; i++) {
        char c = name.at[i];
        if (c == '_')
            continue;
        if (*plain == '\0' || (c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c) != *plain)
            return false;
        plain++;
    }
    return *plain == '\0';
}

/* A number as an attribute has it; true is 1, false, null and an empty text are 0. False: it is
 * none. */
static bool number_of(weft_chakra_text text, uint64_t *number)
{
    *number = weft_chakra_text_is(text, "true");
    if (text.length == 0 || *number || weft_chakra_text_is(text, "false") ||
        weft_chakra_text_is(text, "null"))
        return true;
    bool negative = text.at[0] == '-';
    weft_format_word word = {text.at + negative, text.length - negative};
    if (!weft_format_word_whole(word, UINT64_MAX, number) && /* exact, an id may be long */
        !weft_format_word_number(word, 1, 1, false, UINT64_MAX, number))
        return false;
    *number = negative ? 0 - *number : *number;
    return true;
}

static weft_status read_number(const reader *r, const char *name, weft_chakra_text text,
                               uint64_t *number, weft_error *err)
{
    if (number_of(text, number))
        return WEFT_OK;
    return weft_fail(err, WEFT_BAD_INPUT, "%.2000s:%lu: %.40s must be a number, found '%.*s'",
                     r->file->file, r->line, name, text.length < 60 ? (int)text.length : 60,
                     text.at);
}

/* Microseconds and their fractions. */
static weft_status read_duration(const reader *r, weft_chakra_text text, double *duration,
                                 weft_error *err)
{
    enum { PICOSECONDS = 1000000 };
    uint64_t whole, fine;
    weft_format_word word = {text.at, text.length};
    WEFT_TRY(read_number(r, "the duration of a node", text, &whole, err));
    *duration = (double)whole;
    if (text.length > 0 && weft_format_word_number(word, PICOSECONDS, 1, true, UINT64_MAX, &fine)) {
        whole = fine / PICOSECONDS;
        *duration = (double)whole + (double)(fine % PICOSECONDS) / PICOSECONDS;
    }
    return WEFT_OK;
}

/* An attribute of a node; only numbers that matter must be numbers. */
static weft_status take_attribute(const reader *r, weft_chakra_node *node, weft_chakra_text name,
                                  weft_chakra_text value, weft_error *err)
{
    uint64_t number;
    char shown[32];
    bool known =
        weft_chakra_text_is(name, "comm_type") && weft_chakra_collective_named(value, &number);
    (void)snprintf(shown, sizeof shown, "%.*s",
                   name.length < sizeof shown ? (int)name.length : (int)sizeof shown - 1, name.at);
    if (!known && weft_chakra_is_number(name))
        WEFT_TRY(read_number(r, shown, value, &number, err));
    else if (!known)
        (void)number_of(value, &number);
    weft_chakra_attribute(node, name, number, value);
    return WEFT_OK;
}

static weft_status read_type(const reader *r, weft_chakra_text text, uint32_t *type,
                             weft_error *err)
{
    static const char *const names[] = {"INVALID_NODE",   "METADATA_NODE", "MEM_LOAD_NODE",
                                        "MEM_STORE_NODE", "COMP_NODE",     "COMM_SEND_NODE",
                                        "COMM_RECV_NODE", "COMM_COLL_NODE"};
    uint64_t number = 0;
    while (number < sizeof names / sizeof names[0] && !weft_chakra_text_is(text, names[number]))
        number++;
    if (number == sizeof names / sizeof names[0])
        WEFT_TRY(read_number(r, "the type of a node", text, &number, err));
    *type = number < UINT32_MAX ? (uint32_t)number : UINT32_MAX;
    return WEFT_OK;
}

static weft_status read_depends(reader *r, weft_error *err)
{
    weft_chakra_text text;
    uint64_t id;
    if (!take(r, '['))
        return fail(r, "a list of nodes", err);
    while (!take(r, ']')) {
        WEFT_TRY(read_scalar(r, &text, err));
        WEFT_TRY(read_number(r, "a node that is waited for", text, &id, err));
        weft_chakra_add_depend(r->file, id);
        if (!take(r, ',') && next(r) != ']')
            return fail(r, "a comma or ]", err);
    }
    return WEFT_OK;
}

static weft_status read_name(reader *r, weft_chakra_text *name, weft_error *err)
{
    WEFT_TRY(read_text(r, "the name of a member in quotes", name, err));
    return take(r, ':') ? WEFT_OK : fail(r, "a colon", err);
}

/* {"name": …, "int64Val": …} */
static weft_status read_attribute(reader *r, weft_chakra_node *node, weft_error *err)
{
    weft_chakra_text name = {0}, value = {0}, key;
    if (!take(r, '{'))
        return fail(r, "an attribute {", err);
    while (!take(r, '}')) {
        WEFT_TRY(read_name(r, &key, err));
        if (is_named(key, "name"))
            WEFT_TRY(read_scalar(r, &name, err));
        else if (next(r) == '{' || next(r) == '[')
            WEFT_TRY(skip(r, err));
        else
            WEFT_TRY(read_scalar(r, &value, err));
        if (!take(r, ',') && next(r) != '}')
            return fail(r, "a comma or }", err);
    }
    return take_attribute(r, node, name, value, err);
}

static weft_status read_attributes(reader *r, weft_chakra_node *node, weft_error *err)
{
    if (!take(r, '['))
        return fail(r, "a list of attributes", err);
    while (!take(r, ']')) {
        WEFT_TRY(read_attribute(r, node, err));
        if (!take(r, ',') && next(r) != ']')
            return fail(r, "a comma or ]", err);
    }
    return WEFT_OK;
}

static weft_status read_nodes(reader *r, bool inner, weft_error *err);

/* A member that is a scalar. */
static weft_status read_member(reader *r, weft_chakra_text key, weft_chakra_node *node, bool *typed,
                               weft_error *err)
{
    weft_chakra_text value;
    WEFT_TRY(read_scalar(r, &value, err));
    if (is_named(key, "id"))
        return read_number(r, "the id of a node", value, &node->id, err);
    if (is_named(key, "type") || is_named(key, "nodetype")) {
        *typed = true;
        return read_type(r, value, &node->type, err);
    }
    if (is_named(key, "durationmicros") || is_named(key, "runtime"))
        return read_duration(r, value, &node->duration, err);
    return take_attribute(r, node, key, value, err);
}

static weft_status read_object(reader *r, bool inner, weft_error *err)
{
    weft_chakra_node node = {.id = 0};
    weft_chakra_text key;
    bool typed = false;
    size_t depends = r->file->n_depends, nodes = r->file->n_nodes;
    while (!take(r, '}')) {
        WEFT_TRY(read_name(r, &key, err));
        if (is_named(key, "workloadgraph") && !inner)
            WEFT_TRY(read_nodes(r, true, err));
        else if (is_named(key, "datadeps") || is_named(key, "ctrldeps"))
            WEFT_TRY(read_depends(r, err));
        else if (is_named(key, "attr"))
            WEFT_TRY(read_attributes(r, &node, err));
        else if (next(r) == '{' || next(r) == '[')
            WEFT_TRY(skip(r, err));
        else
            WEFT_TRY(read_member(r, key, &node, &typed, err));
        if (!take(r, ',') && next(r) != '}')
            return fail(r, "a comma or }", err);
    }
    if (typed)
        weft_chakra_add(r->file, node);
    else if (r->file->n_nodes == nodes) /* metadata */
        r->file->n_depends = depends;
    return WEFT_OK;
}

/* A list of nodes, or an object. */
static weft_status read_nodes(reader *r, bool inner, weft_error *err)
{
    if (take(r, '{'))
        return read_object(r, inner, err);
    if (!take(r, '['))
        return fail(r, "nodes: { or [", err);
    while (!take(r, ']')) {
        if (!take(r, '{'))
            return fail(r, "a node {", err);
        WEFT_TRY(read_object(r, true, err));
        if (!take(r, ',') && next(r) != ']')
            return fail(r, "a comma or ]", err);
    }
    return WEFT_OK;
}

weft_status weft_chakra_read_json(weft_chakra_file *file, weft_error *err)
{
    reader r = {.file = file, .at = file->at, .end = file->stop, .line = 1};
    while (next(&r), r.at < r.end)
        WEFT_TRY(read_nodes(&r, false, err));
    return WEFT_OK;
}

bool weft_chakra_is_json(const char *at, size_t length)
{
    reader r = {.at = at, .end = at + length};
    return next(&r) == '{' || next(&r) == '[';
}
