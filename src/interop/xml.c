/* SPDX-License-Identifier: Apache-2.0 */
#include "interop/xml.h"

#include <string.h>

weft_xml weft_xml_of(const char *name, const char *text, size_t length)
{
    weft_xml xml = {.place = weft_lines_of(name, text, length)};
    xml.place.line = 1;
    return xml;
}

static size_t left(const weft_xml *xml)
{
    return (size_t)(xml->place.end - xml->place.at);
}

static bool starts(const weft_xml *xml, const char *with)
{
    return left(xml) >= strlen(with) && memcmp(xml->place.at, with, strlen(with)) == 0;
}

/* Moves on by so many bytes and counts lines. */
static void advance(weft_xml *xml, size_t bytes)
{
    for (; bytes > 0; bytes--)
        xml->place.line += *xml->place.at++ == '\n';
}

static bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

static void skip_space(weft_xml *xml)
{
    while (left(xml) && is_space(*xml->place.at))
        advance(xml, 1);
}

static weft_status wrong(const weft_xml *xml, weft_error *err, const char *what)
{
    return weft_lines_fail(&xml->place, err, "%s", what);
}

/* Past the next `end`, which must come. */
static weft_status skip_past(weft_xml *xml, const char *end, const char *what, weft_error *err)
{
    const char *found = memmem(xml->place.at, left(xml), end, strlen(end));
    if (!found)
        return wrong(xml, err, what);
    advance(xml, (size_t)(found - xml->place.at) + strlen(end));
    return WEFT_OK;
}

static bool in_name(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == ':' || c == '.' || c == '-' || (unsigned char)c >= 0x80;
}

static weft_word take_name(weft_xml *xml)
{
    const char *start = xml->place.at;
    while (left(xml) && in_name(*xml->place.at))
        xml->place.at++;
    return (weft_word){.at = start, .length = (size_t)(xml->place.at - start)};
}

static weft_status take_attribute(weft_xml *xml, weft_error *err)
{
    weft_word key = take_name(xml);
    skip_space(xml);
    if (key.length == 0 || !starts(xml, "="))
        return wrong(xml, err, "expected an attribute such as id=\"a\" or the end of the tag");
    advance(xml, 1);
    skip_space(xml);
    char quote = left(xml) ? *xml->place.at : '\0';
    if (quote != '"' && quote != '\'')
        return wrong(xml, err, "the value of an attribute must be in quotes");
    advance(xml, 1);
    const char *start = xml->place.at, *end = memchr(start, quote, left(xml));
    if (!end)
        return wrong(xml, err, "the value of an attribute has no end");
    if (xml->count == WEFT_XML_ATTRIBUTES)
        return wrong(xml, err, "a tag has more than 32 attributes");
    xml->key[xml->count] = key;
    xml->value[xml->count++] = (weft_word){.at = start, .length = (size_t)(end - start)};
    advance(xml, (size_t)(end - start) + 1);
    return WEFT_OK;
}

/* From behind the < to behind the >. */
static weft_status take_begin(weft_xml *xml, weft_error *err)
{
    xml->name = take_name(xml);
    xml->begins = true;
    if (xml->name.length == 0)
        return wrong(xml, err, "expected the name of an element after <");
    if (xml->depth == WEFT_XML_DEPTH)
        return wrong(xml, err, "elements are nested deeper than 32");
    xml->open[xml->depth++] = xml->name;
    for (skip_space(xml); !starts(xml, ">") && !starts(xml, "/>"); skip_space(xml)) {
        if (!left(xml))
            return wrong(xml, err, "a tag has no end");
        WEFT_TRY(take_attribute(xml, err));
    }
    xml->closing = starts(xml, "/");
    advance(xml, xml->closing ? 2 : 1);
    return WEFT_OK;
}

/* From behind the </. */
static weft_status take_end(weft_xml *xml, weft_error *err)
{
    xml->name = take_name(xml);
    xml->begins = false;
    skip_space(xml);
    if (!starts(xml, ">"))
        return wrong(xml, err, "an end tag is </name>");
    const weft_word *open = xml->depth ? &xml->open[xml->depth - 1] : NULL;
    if (!open || open->length != xml->name.length ||
        memcmp(open->at, xml->name.at, open->length) != 0)
        return weft_lines_fail(&xml->place, err, "</%.*s> ends an element that is not open",
                               WEFT_WORD(xml->name));
    advance(xml, 1);
    xml->depth--;
    return WEFT_OK;
}

/* What is no tag after a <; *skipped tells whether it was such. */
static weft_status skip_other(weft_xml *xml, bool *skipped, weft_error *err)
{
    *skipped = true;
    if (starts(xml, "<!--"))
        return skip_past(xml, "-->", "a comment has no end", err);
    if (starts(xml, "<?"))
        return skip_past(xml, "?>", "a processing instruction has no end", err);
    if (starts(xml, "<!"))
        return wrong(xml, err, "document types and CDATA are not read: leave them out");
    *skipped = false;
    return WEFT_OK;
}

weft_status weft_xml_next(weft_xml *xml, bool *more, weft_error *err)
{
    *more = true;
    xml->count = 0;
    xml->text = (weft_word){.at = xml->place.at};
    if (xml->closing) { /* the same name again */
        xml->closing = xml->begins = false;
        xml->depth--;
        return WEFT_OK;
    }
    for (bool skipped = true; skipped;) {
        const char *start = xml->place.at, *tag = memchr(start, '<', left(xml));
        xml->text = (weft_word){.at = start, .length = tag ? (size_t)(tag - start) : left(xml)};
        advance(xml, xml->text.length);
        if (!tag) {
            *more = false;
            return xml->depth ? wrong(xml, err, "the file ends inside an element") : WEFT_OK;
        }
        WEFT_TRY(skip_other(xml, &skipped, err));
    }
    advance(xml, 1);
    if (!starts(xml, "/"))
        return take_begin(xml, err);
    advance(xml, 1);
    return take_end(xml, err);
}

weft_word weft_xml_attribute(const weft_xml *xml, const char *key)
{
    for (unsigned i = 0; i < xml->count; i++)
        if (weft_word_is(xml->key[i], key))
            return xml->value[i];
    return (weft_word){0};
}

/* Writes a character as UTF-8; returns its bytes, 0 if there is none of that number. */
static size_t encode(uint64_t code, char out[4])
{
    if (code == 0 || code > 0x10FFFF || (code >= 0xD800 && code <= 0xDFFF))
        return 0;
    if (code < 0x80) {
        out[0] = (char)code;
        return 1;
    }
    size_t bytes = code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    for (size_t i = bytes - 1; i > 0; i--, code >>= 6)
        out[i] = (char)(0x80 | (code & 0x3F));
    out[0] = (char)((0xF00 >> bytes & 0xFF) | code);
    return bytes;
}

/* The entity at `at` (an &): its characters, and how many bytes it has in *taken; 0: it is none. */
static size_t entity(const char *at, size_t room, size_t *taken, char out[4])
{
    static const struct {
        const char *name;
        char is;
    } known[] = {{"&lt;", '<'}, {"&gt;", '>'}, {"&amp;", '&'}, {"&quot;", '"'}, {"&apos;", '\''}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        *taken = strlen(known[i].name);
        if (*taken <= room && memcmp(at, known[i].name, *taken) == 0) {
            out[0] = known[i].is;
            return 1;
        }
    }
    const char *end = memchr(at, ';', room < 12 ? room : 12);
    if (!end || end - at < 3 || at[1] != '#')
        return 0;
    bool hex = at[2] == 'x';
    uint64_t code = 0;
    for (const char *c = at + (hex ? 3 : 2); c < end; c++) {
        unsigned digit = *c >= '0' && *c <= '9'   ? (unsigned)(*c - '0')
                         : *c >= 'a' && *c <= 'f' ? (unsigned)(*c - 'a' + 10)
                         : *c >= 'A' && *c <= 'F' ? (unsigned)(*c - 'A' + 10)
                                                  : 99;
        if (digit >= (hex ? 16u : 10u))
            return 0;
        code = code * (hex ? 16 : 10) + digit;
    }
    *taken = (size_t)(end - at) + 1;
    return encode(code, out);
}

weft_status weft_xml_decode(const weft_xml *xml, weft_word raw, char *into, size_t room,
                            weft_word *out, weft_error *err)
{
    size_t used = 0, at = 0;
    while (at < raw.length && is_space(raw.at[at]))
        at++;
    while (raw.length > at && is_space(raw.at[raw.length - 1]))
        raw.length--;
    while (at < raw.length) {
        char bytes[4] = {raw.at[at]};
        size_t count = 1, taken = 1;
        if (raw.at[at] == '&')
            count = entity(raw.at + at, raw.length - at, &taken, bytes);
        if (count == 0)
            return wrong(xml, err,
                         "& begins &lt; &gt; &amp; &quot; &apos; or &#number;, nothing else");
        if (room - used < count)
            return weft_lines_fail(&xml->place, err, "a text is longer than %zu bytes", room);
        memcpy(into + used, bytes, count);
        used += count;
        at += taken;
    }
    *out = (weft_word){.at = into, .length = used};
    return WEFT_OK;
}
