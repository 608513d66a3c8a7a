/* SPDX-License-Identifier: Apache-2.0 */
/* The file of weft study: parameter tables, and the plan of all points of its scenarios. */
#ifndef WEFT_CONFIG_EVALUATION_EVALUATION_H
#define WEFT_CONFIG_EVALUATION_EVALUATION_H

#include "config/bind/bind.h"
#include "config/scenario.h"
#include "interweft/evaluation.h"

typedef struct weft_scenario_entry { /* of the section scenarios */
    int64_t seeds;                   /* WEFT_NONE_INT: those of the file */
} weft_scenario_entry;

typedef struct weft_evaluation_settings {
    int64_t version;
    const char *title, *about;
    int64_t seeds;
    size_t n_figures, n_tables;
    const weft_exhibit *figures, *tables;
    weft_plan *plan;       /* all points */
    const weft_node *tree; /* places of settings, for messages */
} weft_evaluation_settings;

/* The whole file; its .tables are the sections, all of them named. */
extern const weft_table weft_table_evaluation;

/* What a key of these tables means that is no parameter; NULL: it is none of theirs. */
const char *weft_evaluation_apart_brief(const char *key);
/* True if the table is one of this file. */
bool weft_evaluation_has_table(const weft_table *table);

/* Reads a file with its includes, applies overrides ("key=value", NULL-terminated or NULL). */
WEFT_MUST_USE weft_status weft_evaluation_read(const char *file, const char *const *overrides,
                                               const weft_registry *registry, weft_arena *arena,
                                               weft_evaluation_settings *settings, weft_error *err);
/* The same from text, whose scenarios are written out in it. */
WEFT_MUST_USE weft_status weft_evaluation_read_text(const char *name, const char *text,
                                                    size_t length, const weft_registry *registry,
                                                    weft_arena *arena,
                                                    weft_evaluation_settings *settings,
                                                    weft_error *err);

#endif
