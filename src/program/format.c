/* SPDX-License-Identifier: Apache-2.0 */
#include "program/format.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

#define OTHER_MOST ((size_t)1 << 36) /* bytes */

const weft_format_kind *const weft_formats[] = {
#define FORMAT(name) &weft_format_##name,
#include "program/format/list.def"
#undef FORMAT
    NULL};

const weft_format_kind *weft_format_find(const char *name)
{
    for (const weft_format_kind *const *format = weft_formats; *format; format++)
        if (strcmp((*format)->name, name) == 0)
            return *format;
    return NULL;
}

static weft_status unknown(const weft_format_input *trace, weft_error *err)
{
    weft_text names;
    weft_text_init(&names);
    for (const weft_format_kind *const *format = weft_formats; *format; format++)
        weft_text_add(&names, "\n  %-14s %s", (*format)->name, (*format)->brief);
    weft_status status = weft_fail(err, WEFT_BAD_INPUT, "%.2000s is in no format that is known:%s",
                                   trace->file, names.at);
    weft_text_done(&names);
    return status;
}

weft_status weft_format_read(const weft_format_input *trace, weft_program *program,
                             const weft_format_kind **format, weft_error *err)
{
    for (const weft_format_kind *const *one = weft_formats; *one; one++) {
        if (!(*one)->is(trace))
            continue;
        *format = *one;
        return (*one)->read(trace, program, err);
    }
    return unknown(trace, err);
}

void weft_format_counted(weft_format_summary *summary, const char *name)
{
    size_t i = 0;
    while (i < summary->n_counts && summary->counts[i].name != name)
        i++;
    if (i == WEFT_FORMAT_COUNTS)
        return;
    if (i == summary->n_counts)
        summary->counts[summary->n_counts++] = (weft_format_count){.name = name};
    summary->counts[i].count++;
}

weft_status weft_format_other(const weft_format_input *trace, const char *name, size_t length,
                              char **path, weft_bytes *bytes, weft_error *err)
{
    size_t folder = (size_t)(weft_bytes_name(trace->file) - trace->file);
    if (trace->options->alone)
        return weft_fail(err, WEFT_BAD_INPUT, "%.2000s names another file", trace->file);
    *path = weft_text_format("%.*s%.*s", (int)(length && name[0] == '/' ? 0 : folder), trace->file,
                             (int)length, name);
    weft_status status = weft_bytes_read(*path, OTHER_MOST, "a trace", bytes, err);
    if (status != WEFT_OK) {
        free(*path);
        *path = NULL;
    }
    return status;
}
