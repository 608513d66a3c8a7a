/* SPDX-License-Identifier: Apache-2.0 */
/* Where settings come from: a text with a name, and sentences about places in it.
 *
 * A source is a scenario file, a command-line override or the default of a parameter. Texts are
 * untrusted: read up to a limit, from regular files only, and refused unless they are UTF-8
 * without control characters. Complaints look like a compiler's: file:line:column, the sentence,
 * the line and a caret below it. */
#ifndef WEFT_CONFIG_SOURCE_H
#define WEFT_CONFIG_SOURCE_H

#include "base/arena.h"
#include "interweft/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#define WEFT_SOURCE_MAX ((size_t)1 << 20) /* bytes of one file */

typedef struct weft_source {
    const char *name; /* as the person named it */
    const char *text; /* \0-terminated */
    size_t length;
    bool unplaced; /* a command line or a default: messages give no line and column */
    dev_t device;  /* identity of a file, to notice cyclic includes */
    ino_t inode;
} weft_source;

/* Reads a regular file of at most WEFT_SOURCE_MAX bytes. On failure returns NULL and says in *why
 * what is wrong, to follow the file's name ("cannot be read: …"). */
const weft_source *weft_source_read(const char *file, weft_arena *arena, const char **why);
/* A source over a copy of text. */
const weft_source *weft_source_of_text(const char *name, const char *text, size_t length,
                                       bool unplaced, weft_arena *arena);
/* Refuses what is not UTF-8, NUL bytes and control characters other than tab and line ends. */
WEFT_MUST_USE weft_status weft_source_check(const weft_source *source, weft_error *err);

/* The path of a file that is named in this source: relative to a file it is written in. */
const char *weft_source_beside(const weft_source *source, const char *file, weft_arena *arena);

/* Line and column (in characters) of a byte, both from 1. */
void weft_source_position(const weft_source *source, size_t offset, unsigned *line,
                          unsigned *column);
/* "file:line:col: ", or "name: " for an unplaced source. */
const char *weft_source_prefix(const weft_source *source, size_t offset, weft_arena *arena);

/* Writes "prefix sentence", the line and a caret under `width` bytes at `offset`; returns
 * WEFT_BAD_INPUT. Control characters that reach the sentence are replaced by '?'. */
weft_status weft_complain(weft_error *err, const weft_source *source, size_t offset, size_t width,
                          const char *format, ...) WEFT_PRINTF(5, 6);

#endif
