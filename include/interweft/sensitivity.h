/* SPDX-License-Identifier: Apache-2.0 */
/* Sensitivity: each numeric setting of a scenario a little lower and higher, the others as they
 * are, all with the same seeds. So the runs have common random numbers, and differences between
 * them are known better than the values themselves.
 *
 *     weft_sensitivity *sensitivity;
 *     weft_sensitivity_options options = {.study = {.file = "torus.yaml"}, .by = 0.1, .seeds = 8};
 *     weft_sensitivity_open(&options, catalog, &sensitivity, &err);
 *     weft_study_run(weft_sensitivity_study(sensitivity), &err);
 *     weft_sensitivity_close(sensitivity);
 */
#ifndef INTERWEFT_SENSITIVITY_H
#define INTERWEFT_SENSITIVITY_H

#include "interweft/catalog.h"
#include "interweft/status.h"
#include "interweft/study.h"

WEFT_DECLARATIONS

typedef struct weft_sensitivity_options {
    weft_study_options study;
    const char *const *vary; /* paths of settings, NULL-terminated; NULL: all numbers given */
    double by;               /* relative step; whole numbers step by a whole number, at least 1 */
    int64_t seeds;
} weft_sensitivity_options;

typedef enum weft_side { WEFT_SIDE_BASE, WEFT_SIDE_DOWN, WEFT_SIDE_UP, WEFT_SIDES } weft_side;

typedef struct weft_varied_setting {
    const char *path;
    const char *text[WEFT_SIDES];  /* its value, "17.6 flits"; NULL: the scenario cannot have it */
    double value[WEFT_SIDES];      /* its number */
    const char *label[WEFT_SIDES]; /* what the keys of its points begin with */
    const char *why;               /* neither side can be run; NULL: one can */
} weft_varied_setting;

typedef struct weft_sensitivity weft_sensitivity;

WEFT_API WEFT_MUST_USE weft_status weft_sensitivity_open(const weft_sensitivity_options *options,
                                                         const weft_catalog *catalog,
                                                         weft_sensitivity **sensitivity,
                                                         weft_error *err);
WEFT_API void weft_sensitivity_close(weft_sensitivity *sensitivity); /* accepts NULL */
/* Its points, to run; closed with the sensitivity. */
WEFT_API weft_study *weft_sensitivity_study(weft_sensitivity *sensitivity);
WEFT_API size_t weft_sensitivity_settings(const weft_sensitivity *sensitivity,
                                          const weft_varied_setting **settings);
WEFT_API int64_t weft_sensitivity_seeds(const weft_sensitivity *sensitivity);
/* Values that stand for axes of vary, "traffic.all.rho=0.1 …"; "": nothing varied. */
WEFT_API const char *weft_sensitivity_first(const weft_sensitivity *sensitivity);

WEFT_DECLARATIONS_END

#endif
