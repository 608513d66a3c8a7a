/* SPDX-License-Identifier: Apache-2.0 */
/* Which points of a results file hold for a scenario: those with the same settings, whatever the
 * title, the rest of the grid or the points of that grid say. */
#ifndef WEFT_STUDY_REUSE_H
#define WEFT_STUDY_REUSE_H

#include "study/internal.h"

/* Opens the study's results file for this scenario. Points that were run with other settings are
 * a refusal that names them. stale[i]: point i of the grid is there, but less precise than the
 * scenario wants it. */
WEFT_MUST_USE weft_status weft_reuse_open(weft_study *study, bool *stale, weft_result **result,
                                          weft_error *err);

#define WEFT_REUSE_FAILED "failed: " /* what the verdict of a point begins with that has failed */

/* The same of a joint plan, whose points follow from their settings alone: points that were run
 * with other settings, or failed, are stale; a point that another key has with the same settings is
 * copied. */
WEFT_MUST_USE weft_status weft_reuse_joint(weft_study *study, bool *stale, weft_result *result,
                                           weft_error *err);
/* Was a point of a file run with the settings that point i of a joint plan has? */
WEFT_MUST_USE weft_status weft_reuse_same(const weft_study *study, size_t i,
                                          const weft_point *point, bool *same, weft_error *err);

#endif
