/* SPDX-License-Identifier: Apache-2.0 */
/* Variants of a scenario as one study. */
#include "base/memory.h"
#include "config/evaluation/variants.h"
#include "sim/platform.h"
#include "study/internal.h"

#include <math.h>
#include <stdlib.h>

#define SEEDS_MAX 10000

struct weft_sensitivity {
    weft_study *study;
    weft_sensitivity_options options;
    weft_variants variants; /* in the arena of the study */
    const weft_catalog *catalog;
};

/* Can the network of a variant be built and simulated? */
static bool is_sound(weft_scenario *scenario, weft_arena *arena, weft_error *err)
{
    weft_network network;
    weft_platform platform;
    if (weft_network_build(&network, scenario, arena, err) != WEFT_OK)
        return false;
    weft_platform_init(&platform, &network);
    weft_status status = weft_platform_check(&platform, err);
    weft_network_done(&network);
    return status == WEFT_OK;
}

static weft_status read_plan(weft_study *study, const void *user, weft_error *err)
{
    weft_sensitivity *sensitivity = (weft_sensitivity *)(uintptr_t)user;
    WEFT_TRY(weft_variants_read(&sensitivity->options, weft_catalog_registry(sensitivity->catalog),
                                is_sound, &study->arena, &sensitivity->variants, err));
    study->plan = sensitivity->variants.plan;
    return WEFT_OK;
}

weft_status weft_sensitivity_open(const weft_sensitivity_options *options,
                                  const weft_catalog *catalog, weft_sensitivity **sensitivity,
                                  weft_error *err)
{
    *sensitivity = NULL;
    WEFT_TRY(weft_study_options_file(&options->study, err));
    if (!(isfinite(options->by) && options->by > 0))
        return weft_fail(err, WEFT_BAD_USAGE, "by must be a step above 0, such as 0.1, found %g",
                         options->by);
    WEFT_TRY(weft_study_options_count("seeds", options->seeds, 1, SEEDS_MAX, err));
    weft_sensitivity *opened = weft_alloc(sizeof *opened);
    opened->options = *options;
    opened->catalog = catalog;
    weft_status status =
        weft_study_open_plan(&opened->options.study, read_plan, opened, &opened->study, err);
    if (status != WEFT_OK) {
        free(opened);
        return status;
    }
    *sensitivity = opened;
    return WEFT_OK;
}

void weft_sensitivity_close(weft_sensitivity *sensitivity)
{
    if (sensitivity)
        weft_study_close(sensitivity->study);
    free(sensitivity);
}

weft_study *weft_sensitivity_study(weft_sensitivity *sensitivity)
{
    return sensitivity->study;
}

size_t weft_sensitivity_settings(const weft_sensitivity *sensitivity,
                                 const weft_varied_setting **settings)
{
    *settings = sensitivity->variants.settings;
    return sensitivity->variants.n_settings;
}

int64_t weft_sensitivity_seeds(const weft_sensitivity *sensitivity)
{
    return sensitivity->options.seeds;
}

const char *weft_sensitivity_first(const weft_sensitivity *sensitivity)
{
    return sensitivity->variants.first;
}
