/* SPDX-License-Identifier: Apache-2.0 */
#include "base/json.h"

#include "base/digits.h"
#include "base/utf8.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

void weft_json_string(weft_text *text, const char *string)
{
    weft_text_append(text, "\"", 1);
    size_t left = strlen(string);
    for (const char *at = string; left;) {
        uint32_t code;
        size_t length = weft_utf8_next(at, left, &code);
        if (length == 0)
            weft_text_append(text, "\\ufffd", 6);
        else if (code == '"' || code == '\\')
            weft_text_add(text, "\\%c", (char)code);
        else if (code == '\n')
            weft_text_append(text, "\\n", 2);
        else if (code == '\t')
            weft_text_append(text, "\\t", 2);
        else if (weft_utf8_is_control(code))
            weft_text_add(text, "\\u%04x", (unsigned)code);
        else
            weft_text_append(text, at, length);
        at += length ? length : 1;
        left -= length ? length : 1;
    }
    weft_text_append(text, "\"", 1);
}

void weft_json_number(weft_text *text, double value)
{
    char digits[WEFT_DIGITS_TEXT];
    weft_text_add(text, "%s", isfinite(value) ? weft_digits_short(digits, value) : "null");
}

void weft_json_init(weft_json *json)
{
    *json = (weft_json){.depth = 0};
    weft_text_init(&json->text);
}

void weft_json_done(weft_json *json)
{
    weft_text_done(&json->text);
}

static void new_line(weft_json *json)
{
    weft_text_add(&json->text, "\n%*s", (int)json->depth, "");
}

/* What stands before a value: the comma, its line, its name. */
static void lead(weft_json *json, const char *name)
{
    if (json->any[json->depth])
        weft_text_append(&json->text, ",", 1);
    if (json->depth > 0)
        new_line(json);
    json->any[json->depth] = true;
    if (!name)
        return;
    weft_json_string(&json->text, name);
    weft_text_append(&json->text, ": ", 2);
}

static void begin(weft_json *json, const char *name, const char *opening, char closing)
{
    assert(json->depth + 1 < WEFT_JSON_DEPTH);
    lead(json, name);
    weft_text_append(&json->text, opening, 1);
    json->depth++;
    json->any[json->depth] = false;
    json->closing[json->depth] = closing;
}

void weft_json_object(weft_json *json, const char *name)
{
    begin(json, name, "{", '}');
}

void weft_json_list(weft_json *json, const char *name)
{
    begin(json, name, "[", ']');
}

void weft_json_end(weft_json *json)
{
    assert(json->depth > 0);
    bool any = json->any[json->depth];
    char closing = json->closing[json->depth--];
    if (any)
        new_line(json);
    weft_text_append(&json->text, &closing, 1);
    if (json->depth == 0)
        weft_text_append(&json->text, "\n", 1);
}

void weft_json_text(weft_json *json, const char *name, const char *value)
{
    lead(json, name);
    weft_json_string(&json->text, value);
}

void weft_json_real(weft_json *json, const char *name, double value)
{
    lead(json, name);
    weft_json_number(&json->text, value);
}

void weft_json_whole(weft_json *json, const char *name, int64_t value)
{
    lead(json, name);
    weft_text_add(&json->text, "%" PRId64, value);
}

void weft_json_flag(weft_json *json, const char *name, bool value)
{
    lead(json, name);
    weft_text_add(&json->text, "%s", value ? "true" : "false");
}
