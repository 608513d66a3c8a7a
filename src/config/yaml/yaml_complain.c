/* SPDX-License-Identifier: Apache-2.0 */
/* What a person reads when a text is not YAML: for each problem the library names, our sentence and
 * the place that is to be mended, which often is where the thing began that has no end. */
#include "config/yaml/yaml.h"

#include "base/utf8.h"

#include <stdio.h>
#include <string.h>

typedef struct place {
    const weft_source *source;
    size_t at, since;
} place;

typedef weft_status (*sentence_fn)(weft_error *err, const place *p);

#define COMPLAIN(err, p, offset, ...) \
    weft_complain(err, (p)->source, offset, 1, "not valid YAML: " __VA_ARGS__)

/* A list or map in brackets that goes on with something else, or never ends. */
static weft_status open_bracket(weft_error *err, const place *p, const char *close,
                                const char *what)
{
    if (p->at >= p->source->length)
        return COMPLAIN(err, p, p->since, "this '%c' is never closed; '%s' is missing",
                        p->source->text[p->since], close);
    unsigned line, column;
    weft_source_position(p->source, p->since, &line, &column);
    return COMPLAIN(err, p, p->at,
                    "',' or '%s' is missing here; the %s begins at line %u, column %u", close, what,
                    line, column);
}

static weft_status open_list(weft_error *err, const place *p)
{
    return open_bracket(err, p, "]", "list");
}

static weft_status open_map(weft_error *err, const place *p)
{
    return open_bracket(err, p, "}", "map");
}

static weft_status no_token(weft_error *err, const place *p)
{
    char found = p->source->text[p->at];
    if (found == '\t')
        return COMPLAIN(err, p, p->at, "a tab indents this line; use spaces");
    return COMPLAIN(err, p, p->at, "a value cannot begin with '%c'; put it in quotes", found);
}

static weft_status open_quote(weft_error *err, const place *p)
{
    return COMPLAIN(err, p, p->since, "this quote is never closed");
}

static weft_status second_colon(weft_error *err, const place *p)
{
    return COMPLAIN(err, p, p->at,
                    "a key cannot stand here; put text with ': ' in quotes, or look for a ':' that "
                    "is missing above");
}

static weft_status tight_colon(weft_error *err, const place *p)
{
    return COMPLAIN(err, p, p->at, "a space is missing behind ':'");
}

static weft_status no_colon(weft_error *err, const place *p)
{
    return COMPLAIN(err, p, p->since, "this key has no ':' behind it");
}

static weft_status odd_indentation(weft_error *err, const place *p)
{
    unsigned line, column;
    weft_source_position(p->source, p->since, &line, &column);
    return COMPLAIN(err, p, p->at,
                    "this fits nothing above it; the map or list around it began at line %u, "
                    "column %u",
                    line, column);
}

static weft_status item_misplaced(weft_error *err, const place *p)
{
    return COMPLAIN(err, p, p->at, "an item ('- ') begins a line of its own");
}

static weft_status no_value(weft_error *err, const place *p)
{
    if (p->at >= p->source->length)
        return COMPLAIN(err, p, p->at, "the text ends where a value is missing");
    return COMPLAIN(err, p, p->at, "a value is missing before this '%.1s'",
                    p->source->text + p->at);
}

static weft_status wrong_escape(weft_error *err, const place *p)
{
    return COMPLAIN(err, p, p->at,
                    "no escape sequence that is known; write \\\\ for a backslash, or use single "
                    "quotes");
}

static weft_status wrong_name(weft_error *err, const place *p)
{
    return COMPLAIN(err, p, p->since,
                    "'%.1s' begins a name of letters and digits; put the text in quotes",
                    p->source->text + p->since);
}

static weft_status wrong_tag(weft_error *err, const place *p)
{
    return weft_complain(err, p->source, p->since, 1,
                         "tags ('!…') have no meaning in a scenario; leave it out");
}

static weft_status wrong_block(weft_error *err, const place *p)
{
    return COMPLAIN(err, p, p->at,
                    "behind '|' or '>' stand at most a digit 1 … 9 and '+' or '-'; the text begins "
                    "in the next line, indented by spaces");
}

static weft_status explicit_key(weft_error *err, const place *p)
{
    return COMPLAIN(err, p, p->at, "'? ' cannot begin a key here; leave it out");
}

static weft_status more_text(weft_error *err, const place *p)
{
    return COMPLAIN(err, p, p->at, "the value before this is complete; nothing can follow it");
}

static weft_status no_character(weft_error *err, const place *p)
{
    uint32_t code = 0;
    (void)weft_utf8_next(p->source->text + p->at, p->source->length - p->at, &code);
    return COMPLAIN(err, p, p->at, "U+%04X is no character of a text", (unsigned)code);
}

static weft_status other(weft_error *err, const place *p)
{
    return COMPLAIN(err, p, p->at, "the text cannot be understood from here");
}

static const struct {
    const char *problem; /* the library's words, or how they begin */
    sentence_fn say;
} sentences[] = {
    {"did not find expected ',' or ']'", open_list},
    {"did not find expected ',' or '}'", open_map},
    {"found character that cannot start any token", no_token},
    {"found a tab character that violates indentation", no_token},
    {"found unexpected end of stream", open_quote},
    {"found unexpected document indicator", open_quote},
    {"mapping values are not allowed", second_colon},
    {"found unexpected ':'", tight_colon},
    {"could not find expected ':'", no_colon},
    {"did not find expected key", odd_indentation},
    {"did not find expected '-' indicator", odd_indentation},
    {"block sequence entries are not allowed", item_misplaced},
    {"mapping keys are not allowed", explicit_key},
    {"did not find expected node content", no_value},
    {"found unknown escape character", wrong_escape},
    {"did not find expected hexdecimal number", wrong_escape},
    {"found invalid Unicode character escape code", wrong_escape},
    {"did not find expected alphabetic or numeric", wrong_name},
    {"did not find expected '!'", wrong_tag},
    {"did not find the expected '>'", wrong_tag},
    {"did not find expected whitespace or line break", wrong_tag},
    {"did not find expected tag URI", wrong_tag},
    {"found undefined tag handle", wrong_tag},
    {"did not find URI escaped octet", wrong_tag},
    {"found an incorrect leading UTF-8 octet", wrong_tag},
    {"found an incorrect trailing UTF-8 octet", wrong_tag},
    {"found an indentation indicator equal to 0", wrong_block},
    {"did not find expected comment or line break", wrong_block},
    {"found a tab character where an indentation", wrong_block},
    {"did not find expected <document start>", more_text},
    {"control characters are not allowed", no_character},
    {"", other},
};

weft_status weft_yaml_complain(weft_error *err, const weft_source *source, const char *problem,
                               size_t at, size_t since)
{
    const place p = {source, at, since};
    size_t i = 0;
    while (strncmp(problem, sentences[i].problem, strlen(sentences[i].problem)) != 0)
        i++;
    return sentences[i].say(err, &p);
}
