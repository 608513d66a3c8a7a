/* SPDX-License-Identifier: Apache-2.0 */
/* Variants of one scenario: each numeric setting lower and higher, as a joint plan over seeds. */
#ifndef WEFT_CONFIG_EVALUATION_VARIANTS_H
#define WEFT_CONFIG_EVALUATION_VARIANTS_H

#include "config/scenario.h"
#include "interweft/sensitivity.h"

typedef struct weft_variants {
    weft_varied_setting *settings;
    size_t n_settings;
    const char *first; /* values that stand for axes of vary */
    weft_plan *plan;
} weft_variants;

/* Reads a scenario with its overrides and finds the values of each setting. `sound` says whether a
 * scenario can be run. */
WEFT_MUST_USE weft_status
weft_variants_read(const weft_sensitivity_options *options, const weft_registry *registry,
                   bool (*sound)(weft_scenario *scenario, weft_arena *arena, weft_error *err),
                   weft_arena *arena, weft_variants *variants, weft_error *err);

#endif
