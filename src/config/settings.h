/* SPDX-License-Identifier: Apache-2.0 */
/* The tree of one point → its checked settings, and the settings as text. */
#ifndef WEFT_CONFIG_SETTINGS_H
#define WEFT_CONFIG_SETTINGS_H

#include "base/text.h"
#include "config/sections.h"

/* Binds every section of a tree (without include and vary). Fills everything of *scenario but key
 * and point_seed. */
WEFT_MUST_USE weft_status weft_settings_bind(const weft_registry *registry, const weft_node *tree,
                                             weft_arena *arena, weft_scenario *scenario,
                                             weft_error *err);

typedef struct weft_named_sections {
    weft_class_settings *classes;
    weft_job_settings *jobs;
    size_t n_classes, n_jobs;
} weft_named_sections;
/* Adds a bound scenario as YAML, defaults filled in; reading it gives the same text again. */
void weft_show_scenario(weft_text *text, const weft_bound_scenario *bound,
                        const weft_named_sections *named);

/* Binds the section of jobs, which may be missing. */
WEFT_MUST_USE weft_status weft_settings_jobs(weft_binder *binder, const weft_node *tree,
                                             weft_named_sections *named);

#endif
