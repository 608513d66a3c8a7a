/* SPDX-License-Identifier: Apache-2.0 */
#include "program/format.h"

#include <string.h>

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

weft_status weft_format_unknown(const weft_format_input *trace, weft_error *err)
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
    return weft_format_unknown(trace, err);
}
