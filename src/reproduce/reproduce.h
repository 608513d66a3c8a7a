/* SPDX-License-Identifier: Apache-2.0 */
/* A study folder as read: figures, the keys that tell points apart, and what is claimed about them.
 * Everything lives in the book's arena and was checked when the folder was opened. */
#ifndef WEFT_REPRODUCE_REPRODUCE_H
#define WEFT_REPRODUCE_REPRODUCE_H

#include "base/arena.h"
#include "config/tree.h"
#include "interweft/reproduce.h"
#include "reproduce/expected_table.h"

#include <string.h>

#define WEFT_KEYS_OF_A_FIGURE 8

typedef struct weft_pin { /* something must have a value */
    const char *name, *value;
} weft_pin;

typedef struct weft_label {  /* a value of a key that stands for several settings */
    const char *name, *code; /* ours; the expected table's */
    size_t n_pins;
    const weft_pin *pins; /* settings */
} weft_label;

typedef struct weft_group_key { /* tells points, and rows of an expected table, apart */
    const char *name;
    const char *column;  /* in expected tables */
    const char *setting; /* a path whose value is taken as it is; NULL: labels */
    size_t n_labels;
    const weft_label *labels;
} weft_group_key;

typedef struct weft_known { /* a disagreement and why it is there */
    size_t n_pins;
    const weft_pin *pins; /* keys */
    const char *reason;
} weft_known;

typedef struct weft_only { /* a key has one of these values, or lies in a range */
    size_t choice;         /* all of a choice must hold, and that of one choice is enough */
    size_t key;
    size_t n_values; /* 0: a range */
    const char *const *values;
    double from, to;
} weft_only;

typedef struct weft_adjust { /* theirs changes by slope × (our metric − their column + less) */
    const char *metric, *column; /* metric NULL: it does not */
    double slope, less;
    size_t at; /* the column */
} weft_adjust;

typedef enum weft_rule {
    WEFT_RULE_Z,
    WEFT_RULE_DIGITS,
    WEFT_RULE_WITHIN,
    WEFT_RULE_DISTRIBUTION, /* metric names a matrix, index one of its lines */
    WEFT_RULE_SHOWN,
    WEFT_RULE_BRACKET,
    WEFT_RULE_ORDERING,
    WEFT_RULE_TREND,
    WEFT_RULE_NONE
} weft_rule;

typedef enum weft_direction { WEFT_RISING, WEFT_FALLING } weft_direction;

typedef struct weft_claim {
    const char *name;
    int rule; /* weft_rule */
    const char *metric, *class, *by;
    int64_t index;
    const char *reason;
    /* against a table of theirs */
    const char *file, *value, *error, *at;
    double divisor, freedom; /* standard error = error / divisor */
    bool single;             /* theirs is one run, as unsure as one of ours */
    double margin, margin_share;
    int64_t digits;
    bool written;           /* as many digits as the table has */
    double share, absolute; /* within */
    weft_adjust adjust;
    size_t n_only; /* points that count; 0: all */
    const weft_only *only;
    double stable, unstable; /* bracket; unstable WEFT_NONE_REAL: not known */
    const weft_csv *table;
    size_t value_column, error_column; /* error_column: the number of columns if there is none */
    size_t at_column;                  /* of a distribution's places */
    /* the number of columns: the table does not know it */
    size_t key_columns[WEFT_KEYS_OF_A_FIGURE];
    size_t n_rows;
    const size_t *rows; /* those of the table that `where` lets through */
    /* among ours */
    const char *along;
    int direction; /* weft_direction */
    size_t along_key;
    size_t n_order; /* 0: by value */
    const char *const *order;
    size_t n_known;
    const weft_known *known;
} weft_claim;

typedef struct weft_variant { /* quick or full */
    int64_t seeds;
    const char *const *overrides; /* NULL-terminated */
} weft_variant;

typedef struct weft_overlay_key { /* what a key of the figure is to the model */
    size_t key;
    const char *setting; /* takes the key's value; NULL: labels */
    size_t n_labels;
    const weft_label *labels; /* a value of the key, and the model's settings for it */
} weft_overlay_key;

typedef struct weft_overlay { /* a model whose curves are drawn over a figure's */
    const char *name, *model;
    const char *index; /* the model's setting that is a claim's index; NULL: none is */
    const weft_node *settings;
    size_t n_keys;
    const weft_overlay_key *keys;
    size_t n_outputs;
    const weft_pin *outputs; /* a metric of ours, and the output that is the same */
} weft_overlay;

typedef struct weft_figure_plan {
    weft_figure shown;
    const struct weft_figure_maker *maker; /* that makes its results */
    const void *input;                     /* what the maker has read */
    weft_variant variant[2];
    size_t n_keys;
    const weft_group_key *keys;
    size_t n_claims;
    const weft_claim *claims;
    const weft_overlay *overlay; /* NULL: none */
} weft_figure_plan;

struct weft_reproduction {
    weft_arena arena;
    const char *folder, *name, *title, *source, *note;
    size_t n_figures;
    const weft_figure_plan *figures;
};

/* read_study.c: folder/study.yaml into the book. */
WEFT_MUST_USE weft_status weft_reproduction_read(weft_reproduction *book, weft_error *err);
/* claim.c: one claim of a figure whose keys are known. */
WEFT_MUST_USE weft_status weft_claim_read(const weft_reproduction *book, const char *path,
                                          const weft_node *map, const weft_figure_plan *figure,
                                          weft_arena *arena, weft_claim *claim, weft_error *err);

/* claim_scope.c: which points count and what theirs is corrected by; columns are looked up in
 * claim->table. */
WEFT_MUST_USE weft_status weft_claim_scope(const char *path, const weft_node *map,
                                           const weft_figure_plan *figure, weft_arena *arena,
                                           weft_claim *claim, weft_error *err);
/* overlay.c: the model of a figure whose keys are known; NULL if there is none. */
WEFT_MUST_USE weft_status weft_overlay_read(const char *path, const weft_node *map,
                                            const weft_figure_plan *figure, weft_arena *arena,
                                            const weft_overlay **overlay, weft_error *err);
/* Two values are the same: as numbers if both are, else as texts. */
bool weft_value_same(const char *a, const char *b);
/* A figure's key by its name; n_keys if there is none. */
static inline size_t weft_figure_key(const weft_figure_plan *figure, const char *name)
{
    size_t i = 0;
    while (i < figure->n_keys && strcmp(figure->keys[i].name, name) != 0)
        i++;
    return i;
}

#endif
