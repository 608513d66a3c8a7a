/* SPDX-License-Identifier: Apache-2.0 */
/* The keys qos_… of OpenSM's configuration, kept word by word: arbitration tables of VLs,
 * limits and the SL2VL table, for all ports or (qos_ca_, qos_sw0_, qos_swe_, qos_rtr_) some. */
#include "interop/infiniband/dumps.h"

#include <stdlib.h>

typedef struct reading {
    weft_text text;
    uint32_t keys;
} reading;

/* "0:64,1:64": VL and weight; or VLs alone. Returns how many, 0: it is no such list. */
static uint32_t count_vls(weft_word value, bool weights)
{
    weft_ib_line line = {.at = value.at, .end = value.at + value.length};
    uint64_t number;
    uint32_t count = 0;
    do {
        if (!weft_ib_line_number(&line, 15, &number) ||
            (weights &&
             (!weft_ib_line_skips(&line, ":") || !weft_ib_line_number(&line, UINT8_MAX, &number))))
            return 0;
        count++;
    } while (weft_ib_line_skips(&line, ","));
    return line.at == line.end ? count : 0;
}

static bool ends_with(weft_word key, const char *end)
{
    size_t length = strlen(end);
    return key.length >= length && memcmp(key.at + key.length - length, end, length) == 0;
}

static weft_status check_value(const weft_ib_line *line, weft_word key, weft_word value,
                               weft_error *err)
{
    if (weft_word_is(value, "(null)"))
        return WEFT_OK;
    if (ends_with(key, "_sl2vl") && count_vls(value, false) != 16)
        return weft_lines_fail(&line->place, err, "%.*s takes 16 VLs 0 … 15, found '%.*s'",
                               WEFT_WORD(key), WEFT_WORD(value));
    if ((ends_with(key, "_vlarb_high") || ends_with(key, "_vlarb_low")) &&
        count_vls(value, true) == 0)
        return weft_lines_fail(&line->place, err,
                               "%.*s takes VLs and weights such as 0:64,1:64, found '%.*s'",
                               WEFT_WORD(key), WEFT_WORD(value));
    return WEFT_OK;
}

static weft_word next_word(weft_ib_line *line)
{
    weft_ib_line_blanks(line);
    const char *start = line->at;
    while (line->at < line->end && *line->at != ' ' && *line->at != '\t')
        line->at++;
    return (weft_word){.at = start, .length = (size_t)(line->at - start)};
}

static weft_status read_line(void *user, weft_ib_line line, weft_error *err)
{
    reading *r = user;
    weft_ib_line_blanks(&line);
    weft_ib_line start = line;
    if (!weft_ib_line_skips(&line, "qos_"))
        return WEFT_OK;
    weft_word key = next_word(&start), value = next_word(&start);
    if (memchr(key.at, '\0', key.length) || memchr(value.at, '\0', value.length) ||
        value.length == 0)
        return weft_lines_fail(&line.place, err, "%.*s has no value", WEFT_WORD(key));
    WEFT_TRY(check_value(&start, key, value, err));
    weft_text_append(&r->text, key.at, key.length);
    weft_text_append(&r->text, " ", 1);
    weft_text_append(&r->text, value.at, value.length);
    weft_text_append(&r->text, "\n", 1);
    r->keys++;
    return WEFT_OK;
}

weft_status weft_ib_qos_read(weft_weftnet *net, const weft_ib_source *source, weft_text *found,
                             weft_error *err)
{
    reading r = {0};
    weft_text_init(&r.text);
    weft_status status =
        weft_ib_source_read(source, "OpenSM's configuration", read_line, &r, NULL, err);
    if (status != WEFT_OK || r.keys == 0) {
        weft_text_done(&r.text);
        WEFT_TRY(status);
        return weft_fail(err, WEFT_BAD_INPUT,
                         "%.1024s has no keys qos_…: it should be OpenSM's "
                         "configuration",
                         source->file);
    }
    net->subnet->qos = weft_text_take(&r.text);
    weft_text_add(found, "%-22s %u keys qos_… of OpenSM, kept word by word\n", "QoS", r.keys);
    return WEFT_OK;
}
