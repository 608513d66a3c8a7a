/* SPDX-License-Identifier: Apache-2.0 */
/* Files of programs in the formats of others, and what their readers share. */
#ifndef WEFT_PROGRAM_FORMAT_H
#define WEFT_PROGRAM_FORMAT_H

#include "base/file.h"
#include "base/window.h"
#include "program/collective.h"
#include "program/divide.h"
#include "program/format_lines.h"

typedef struct weft_format_options {
    uint64_t ticks_per_second, flops_per_second;
    /* The algorithm of every operation; NULL: by the number of ranks and bytes. */
    const weft_collective_kind *algorithms[WEFT_COLLECTIVE_OPERATIONS];
    const char *groups;    /* a file of process groups, or NULL */
    size_t operations_max; /* that a program may have */
    bool alone;            /* a file must not name others */
} weft_format_options;

#define WEFT_FORMAT_COUNTS 40

typedef struct weft_format_count { /* of a kind of line or node */
    const char *name;
    uint64_t count;
} weft_format_count;

typedef struct weft_format_summary { /* what was in a file */
    weft_format_count counts[WEFT_FORMAT_COUNTS];
    size_t n_counts;
    uint32_t files;
} weft_format_summary;

typedef struct weft_format_input {
    const char *file;
    weft_bytes bytes; /* a \0 follows them */
    const weft_format_options *options;
    weft_format_summary *summary;
    /* Not NULL: bytes are the beginning of a file that is read through this window. */
    weft_window *window;
    weft_program_division *division; /* of a program that is read through a window */
} weft_format_input;

typedef struct weft_format_kind {
    const char *name, *brief;
    bool (*is)(const weft_format_input *trace); /* judged by its content */
    bool streams; /* a large file is read through a window, and judged by its beginning */
    weft_status (*read)(const weft_format_input *trace, weft_program *program, weft_error *err);
} weft_format_kind;

/* The formats that are built in, the list of them, which ends with NULL, and a reader by name. */
#define FORMAT(name) extern const weft_format_kind weft_format_##name;
#include "program/format/list.def"
#undef FORMAT
extern const weft_format_kind *const weft_formats[];
const weft_format_kind *weft_format_find(const char *name);

/* Reads a file in whatever format it is; *format: its own. */
WEFT_MUST_USE weft_status weft_format_read(const weft_format_input *trace, weft_program *program,
                                           const weft_format_kind **format, weft_error *err);
/* Says that a file is in none of them. */
WEFT_MUST_USE weft_status weft_format_unknown(const weft_format_input *trace, weft_error *err);
/* One more of this kind; name: a constant text. */
void weft_format_counted(weft_format_summary *summary, const char *name);
/* Reads a file that a trace names; its path is found from the trace's own folder. */
WEFT_MUST_USE weft_status weft_format_other(const weft_format_input *trace, const char *name,
                                            size_t length, char **path, weft_bytes *bytes,
                                            weft_error *err);

#endif
