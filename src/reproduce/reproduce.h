/* SPDX-License-Identifier: Apache-2.0 */
/* A study folder as read: figures, the keys that distinguish points, and the claims about them.
 * Everything lives in the arena of the book and was checked when the folder was opened. */
#ifndef WEFT_REPRODUCE_REPRODUCE_H
#define WEFT_REPRODUCE_REPRODUCE_H

#include "base/arena.h"
#include "config/tree.h"
#include "interweft/reproduce.h"
#include "reproduce/expected_table.h"

#include <string.h>

#define WEFT_KEYS_OF_A_FIGURE 8

/* A constraint: the setting or key of this name has this value. */
typedef struct weft_pin {
    const char *name, *value;
} weft_pin;

/* A value of a key that stands for several settings. */
typedef struct weft_label {
    const char *name, *code; /* our name; its code in expected tables */
    size_t n_pins;
    const weft_pin *pins; /* settings */
} weft_label;

/* A key that distinguishes points, and rows of an expected table. */
typedef struct weft_group_key {
    const char *name;
    const char *column;  /* in expected tables */
    const char *setting; /* path of the setting whose value is used; NULL: labels */
    size_t n_labels;
    const weft_label *labels;
} weft_group_key;

/* A known difference: where, why, and between which values ours must lie. */
typedef struct weft_known {
    size_t n_pins;
    const weft_pin *pins; /* keys */
    const char *reason;
    bool unexplained; /* reason says what was tried: no cause is known */
    double from, to;  /* of the cell's `ours` */
} weft_known;

/* A term of a contrast: times × a metric of ours, a key's value, or 1. */
typedef struct weft_term {
    double times;
    const char *metric, *class, *by; /* metric "": a key or 1 */
    int64_t index;
    const char *key; /* "": a metric or 1 */
    size_t key_at;
    size_t n_pins;
    const weft_pin *pins; /* keys that differ from those of the first term's point */
} weft_term;

/* A condition on points: a key has one of these values, or lies in a range. */
typedef struct weft_only {
    size_t choice; /* a point counts if all conditions of one choice hold */
    size_t key;
    size_t n_values; /* 0: a range */
    const char *const *values;
    double from, to;
} weft_only;

/* An adjustment: theirs changes by slope × (our metric − their column + less). */
typedef struct weft_adjust {
    const char *metric, *column; /* metric NULL: no adjustment */
    double slope, less;
    size_t at; /* number of the column */
} weft_adjust;

typedef enum weft_rule {
    WEFT_RULE_Z,
    WEFT_RULE_DIGITS,
    WEFT_RULE_WITHIN,
    WEFT_RULE_DISTRIBUTION, /* metric names a matrix, index is one of its rows */
    WEFT_RULE_SHOWN,
    WEFT_RULE_BRACKET,
    WEFT_RULE_ORDERING,
    WEFT_RULE_TREND,
    WEFT_RULE_CONTRAST,
    WEFT_RULE_NONE
} weft_rule;

typedef enum weft_direction { WEFT_RISING, WEFT_FALLING } weft_direction;

/* What a contrast is claimed to be. */
typedef enum weft_sign { WEFT_ABOVE_ZERO, WEFT_BELOW_ZERO, WEFT_ABOUT_ZERO } weft_sign;

typedef struct weft_claim {
    const char *name;
    int rule; /* weft_rule */
    const char *metric, *class, *by;
    int64_t index;
    const char *reason;
    int against; /* whose values or words */
    /* A printed sentence, its place, and how sure our data are; "": not a printed sentence. */
    const char *sentence, *place, *sure;
    /* against a table of theirs */
    const char *file, *value, *error, *at;
    double divisor, freedom; /* standard error = error / divisor */
    bool single;             /* theirs is one run, with the error of one of ours */
    double margin, margin_share;
    int64_t digits;
    bool written;           /* number of digits as in the table */
    double share, absolute; /* within */
    weft_adjust adjust;
    size_t n_only; /* points that count; 0: all */
    const weft_only *only;
    double stable, unstable; /* bracket; unstable WEFT_NONE_REAL: unknown */
    const weft_csv *table;
    size_t value_column, error_column; /* error_column: the number of columns if there is none */
    size_t at_column;                  /* of a distribution's places */
    /* Column of each key; the number of columns if the table has none for it. */
    size_t key_columns[WEFT_KEYS_OF_A_FIGURE];
    size_t n_rows;
    const size_t *rows; /* rows of the table selected by `where` */
    /* among values of ours */
    const char *along;
    int direction; /* weft_direction */
    size_t along_key;
    size_t n_order; /* 0: by value */
    const char *const *order;
    int sign; /* weft_sign of a contrast */
    size_t n_terms;
    const weft_term *terms;
    size_t n_known;
    const weft_known *known;
} weft_claim;

typedef struct weft_variant { /* quick or full */
    int64_t seeds;
    const char *const *overrides; /* NULL-terminated */
} weft_variant;

/* The settings of the model for a key of the figure. */
typedef struct weft_overlay_key {
    size_t key;
    const char *setting; /* gets the value of the key; NULL: labels */
    size_t n_labels;
    const weft_label *labels; /* a value of the key, and the model's settings for it */
} weft_overlay_key;

/* A model whose curves are drawn over those of a figure. */
typedef struct weft_overlay {
    const char *name, *model;
    const char *index; /* the model's setting for the index of a claim; NULL: none */
    const weft_node *settings;
    size_t n_keys;
    const weft_overlay_key *keys;
    size_t n_outputs;
    const weft_pin *outputs; /* a metric of ours, and the corresponding output */
} weft_overlay;

typedef struct weft_figure_plan {
    weft_figure shown;
    const struct weft_figure_maker *maker; /* makes its results */
    const void *input;                     /* read by the maker */
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
    int against; /* of claims that do not say */
    size_t n_figures;
    const weft_figure_plan *figures;
};

/* read_study.c: reads folder/study.yaml into the book. */
WEFT_MUST_USE weft_status weft_reproduction_read(weft_reproduction *book, weft_error *err);
/* claim.c: reads one claim of a figure whose keys have been read. */
WEFT_MUST_USE weft_status weft_claim_read(const weft_reproduction *book, const char *path,
                                          const weft_node *map, const weft_figure_plan *figure,
                                          weft_arena *arena, weft_claim *claim, weft_error *err);

/* claim_known.c: reads the known differences of a claim. */
WEFT_MUST_USE weft_status weft_claim_known(const char *path, const weft_node *map,
                                           const weft_figure_plan *figure, weft_arena *arena,
                                           weft_claim *claim, weft_error *err);
/* claim_terms.c: reads the terms of a contrast. */
WEFT_MUST_USE weft_status weft_claim_terms(const char *path, const weft_node *map,
                                           const weft_figure_plan *figure, weft_arena *arena,
                                           weft_claim *claim, weft_error *err);
/* pins.c: reads a map from names to scalars; `what` names it in messages. */
WEFT_MUST_USE weft_status weft_pins_read(const char *what, const weft_node *map, weft_arena *arena,
                                         const weft_pin **pins, size_t *count, weft_error *err);
#define WEFT_AGAINST_OWN 5 /* of the choices: no word of the document's */
/* Whose values or words a claim is judged by; NULL-terminated. The first is the document. */
extern const char *const weft_against_choices[];
/* The same as one writes it: "document", "reference simulation", … */
const char *weft_against_name(int against);
/* claim_scope.c: reads the points a claim applies to and the adjustment of theirs; columns are
 * looked up in claim->table. */
WEFT_MUST_USE weft_status weft_claim_scope(const char *path, const weft_node *map,
                                           const weft_figure_plan *figure, weft_arena *arena,
                                           weft_claim *claim, weft_error *err);
/* overlay.c: reads the model of a figure whose keys have been read; NULL if there is none. */
WEFT_MUST_USE weft_status weft_overlay_read(const char *path, const weft_node *map,
                                            const weft_figure_plan *figure, weft_arena *arena,
                                            const weft_overlay **overlay, weft_error *err);
/* pins.c: true if two values are equal: as numbers if both are numbers, else as texts. */
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
