/* SPDX-License-Identifier: Apache-2.0 */
/* A point of a results file, to be run again: from the scenario in the file, so that it has the
 * seed it had; or, if that is of another grid by now, from its own settings and key. */
#ifndef WEFT_STUDY_WHY_RERUN_H
#define WEFT_STUDY_WHY_RERUN_H

#include "interweft/why.h"
#include "study/internal.h"

typedef struct weft_rerun {
    weft_study *study;
    size_t number; /* of the point in the study */
    weft_study_point point;
} weft_rerun;

/* Opens point i of results, if the files that it names hold what they held; overrides: "key=value",
 * NULL-terminated, or NULL; options may be NULL. After a failure there is nothing to close. */
WEFT_MUST_USE weft_status weft_rerun_open(weft_rerun *rerun, weft_result *result, size_t i,
                                          const weft_catalog *catalog,
                                          const weft_why_options *options,
                                          const char *const *overrides, weft_error *err);
void weft_rerun_close(weft_rerun *rerun);

/* The caller's wishes while a point runs: for the options of a simulation, whose user it is. */
typedef struct weft_rerun_caller {
    const weft_why_options *options; /* NULL: none */
    const char *what;                /* that is being done */
    double until;                    /* ticks of the run; 0: not known */
} weft_rerun_caller;
weft_request weft_rerun_request(void *caller);
void weft_rerun_progress(void *caller, const weft_state *state);

#endif
