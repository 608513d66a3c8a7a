/* SPDX-License-Identifier: Apache-2.0 */
/* libyaml's events with places in bytes. Its marks count characters; a cursor that moves from mark
 * to mark turns them into bytes, so that a whole text is walked about once. */
#include "config/yaml/yaml.h"

#include "base/memory.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

struct weft_yaml {
    const weft_source *source;
    size_t from;       /* where the text that is read begins in the source */
    size_t characters; /* the cursor: so many characters behind it … */
    size_t bytes;      /* … and so many bytes */
    yaml_parser_t parser;
    yaml_event_t event; /* the one that was given last */
};

weft_yaml *weft_yaml_create(const weft_source *source, size_t from)
{
    assert(from <= source->length);
    weft_yaml *yaml = weft_alloc(sizeof *yaml);
    yaml->source = source;
    yaml->from = from;
    if (!yaml_parser_initialize(&yaml->parser))
        weft_memory_exhausted(sizeof yaml->parser);
    yaml_parser_set_encoding(&yaml->parser, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(&yaml->parser, (const unsigned char *)source->text + from,
                                 source->length - from);
    return yaml;
}

void weft_yaml_destroy(weft_yaml *yaml)
{
    yaml_event_delete(&yaml->event);
    yaml_parser_delete(&yaml->parser);
    free(yaml);
}

static bool continues(char byte)
{
    return ((unsigned char)byte & 0xC0) == 0x80;
}

/* The byte of the source that a mark means. */
static size_t byte_of(weft_yaml *yaml, const yaml_mark_t *mark)
{
    const char *text = yaml->source->text + yaml->from;
    size_t length = yaml->source->length - yaml->from;
    for (; yaml->characters < mark->index && yaml->bytes < length; yaml->characters++)
        do
            yaml->bytes++;
        while (yaml->bytes < length && continues(text[yaml->bytes]));
    for (; yaml->characters > mark->index; yaml->characters--)
        do
            yaml->bytes--;
        while (yaml->bytes > 0 && continues(text[yaml->bytes]));
    return yaml->from + yaml->bytes;
}

static bool is_blank(char byte)
{
    return byte == ' ' || byte == '\t' || byte == '\n' || byte == '\r';
}

/* The next thing written at or behind a byte, past blanks and comments. */
static size_t next_written(const weft_source *source, size_t at)
{
    while (at < source->length && (is_blank(source->text[at]) || source->text[at] == '#')) {
        if (source->text[at] == '#')
            at += strcspn(source->text + at, "\r\n");
        else
            at++;
    }
    return at;
}

/* A node's event begins with its anchor and its tag, in any order; its place is behind them. */
static void skip_properties(const weft_source *source, weft_yaml_event *event)
{
    size_t at = event->start;
    while (at < event->end && (source->text[at] == '&' || source->text[at] == '!')) {
        if (source->text[at] == '!' && !event->tagged) {
            event->tagged = true;
            event->tag = at;
        }
        at += strcspn(source->text + at, " \t\r\n,[]{}");
        at = next_written(source, at);
    }
    event->start = at < event->end ? at : event->end;
}

/* What the kinds of events have in common: nothing, or an anchor and a tag. */
static void describe_node(weft_yaml *yaml, weft_yaml_event *event)
{
    yaml_event_t *e = &yaml->event;
    const yaml_char_t *anchor = NULL, *tag = NULL;
    if (e->type == YAML_SCALAR_EVENT) {
        anchor = e->data.scalar.anchor;
        tag = e->data.scalar.tag;
        event->text = (const char *)e->data.scalar.value;
        event->length = e->data.scalar.length;
        event->plain = e->data.scalar.style == YAML_PLAIN_SCALAR_STYLE;
        event->quoted = e->data.scalar.style == YAML_SINGLE_QUOTED_SCALAR_STYLE ||
                        e->data.scalar.style == YAML_DOUBLE_QUOTED_SCALAR_STYLE;
    } else if (e->type == YAML_SEQUENCE_START_EVENT) {
        anchor = e->data.sequence_start.anchor;
        tag = e->data.sequence_start.tag;
    } else if (e->type == YAML_MAPPING_START_EVENT) {
        anchor = e->data.mapping_start.anchor;
        tag = e->data.mapping_start.tag;
    } else if (e->type == YAML_ALIAS_EVENT) {
        event->anchor = (const char *)e->data.alias.anchor;
        event->start++;
        return;
    }
    event->anchor = (const char *)anchor;
    if (anchor || tag)
        skip_properties(yaml->source, event);
    if (event->quoted) {
        event->start++;
        event->end--;
    }
}

static weft_yaml_type type_of(yaml_event_type_t type)
{
    static const weft_yaml_type types[] = {
        [YAML_STREAM_END_EVENT] = WEFT_YAML_END,
        [YAML_DOCUMENT_START_EVENT] = WEFT_YAML_DOCUMENT,
        [YAML_ALIAS_EVENT] = WEFT_YAML_ALIAS,
        [YAML_SCALAR_EVENT] = WEFT_YAML_SCALAR,
        [YAML_SEQUENCE_START_EVENT] = WEFT_YAML_LIST,
        [YAML_SEQUENCE_END_EVENT] = WEFT_YAML_CLOSE,
        [YAML_MAPPING_START_EVENT] = WEFT_YAML_MAP,
        [YAML_MAPPING_END_EVENT] = WEFT_YAML_CLOSE,
    };
    return types[type];
}

static weft_status refuse(weft_yaml *yaml, weft_error *err)
{
    const yaml_parser_t *parser = &yaml->parser;
    if (parser->error == YAML_MEMORY_ERROR)
        weft_memory_exhausted(yaml->source->length);
    const char *problem = parser->problem ? parser->problem : "";
    if (parser->error == YAML_READER_ERROR) {
        size_t at = yaml->from + parser->problem_offset;
        return weft_yaml_complain(err, yaml->source, problem, at, at);
    }
    size_t at = byte_of(yaml, &parser->problem_mark);
    size_t since = parser->context ? byte_of(yaml, &parser->context_mark) : at;
    return weft_yaml_complain(err, yaml->source, problem, at, since);
}

weft_status weft_yaml_next(weft_yaml *yaml, weft_yaml_event *event, weft_error *err)
{
    yaml_event_delete(&yaml->event);
    if (!yaml_parser_parse(&yaml->parser, &yaml->event))
        return refuse(yaml, err);
    *event = (weft_yaml_event){.type = type_of(yaml->event.type)};
    event->start = byte_of(yaml, &yaml->event.start_mark);
    event->end = byte_of(yaml, &yaml->event.end_mark);
    describe_node(yaml, event);
    return WEFT_OK;
}
