/* SPDX-License-Identifier: Apache-2.0 */
#include "base/memory.h"
#include "program/format.h"

#include <stdlib.h>

#define OTHER_MOST ((size_t)1 << 36) /* bytes */

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
