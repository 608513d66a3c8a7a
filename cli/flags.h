/* SPDX-License-Identifier: Apache-2.0 */
/* A flag of the program: one record says its name, its type, where its value goes and what help
 * prints. A table of flags ends with a record without a name. */
#ifndef WEFT_CLI_FLAGS_H
#define WEFT_CLI_FLAGS_H

#include "interweft/status.h"

#include <stddef.h>

/* In brackets: the type of the member at `offset`. */
typedef enum weft_flag_type {
    WEFT_FLAG_SWITCH, /* takes no value (bool) */
    WEFT_FLAG_TEXT,   /* (const char *) */
    WEFT_FLAG_TEXTS,  /* may be given several times (weft_texts) */
    WEFT_FLAG_WHOLE,  /* a whole number (int64_t) */
    WEFT_FLAG_NUMBER, /* (double) */
    WEFT_FLAG_BYTES,  /* a size such as 4GiB (int64_t) */
    WEFT_FLAG_TIME,   /* a wall-clock time such as 30min, in seconds (double) */
} weft_flag_type;

typedef struct weft_texts {
    const char **texts; /* NULL-terminated */
    size_t n_texts;
} weft_texts;

typedef struct weft_flag {
    const char *name;
    const char *value; /* what help calls its value; NULL: takes none */
    const char *help;
    weft_flag_type type;
    size_t offset;        /* of its value in the structure it is for */
    const char *fallback; /* the value if it is not given; NULL: zero */
    double min, max;      /* of numbers; both 0: any */
} weft_flag;

/* The flag that an argument (--name or --name=value) means; NULL: none of the table. */
const weft_flag *weft_flags_find(const weft_flag *table, const char *argument);

/* Stores a value at its place in `into`. Lists have room for it. */
WEFT_MUST_USE weft_status weft_flag_set(const weft_flag *flag, const char *value, void *into,
                                        weft_error *err);

#endif
