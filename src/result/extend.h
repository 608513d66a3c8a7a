/* SPDX-License-Identifier: Apache-2.0 */
/* A results file that goes on with another scenario: another grid, another title, another goal.
 * Whether its points hold for that scenario is for the caller to say, who knows settings. */
#ifndef WEFT_RESULT_EXTEND_H
#define WEFT_RESULT_EXTEND_H

#include "interweft/result.h"

/* As weft_result_create, whatever scenario the file was begun with: weft_result_scenario says
 * which. */
WEFT_MUST_USE weft_status weft_result_extend(const char *path, const char *title,
                                             const char *scenario, bool fresh, weft_result **result,
                                             weft_error *err);
/* From now on it is of this scenario. Refused if a file that both name has changed. */
WEFT_MUST_USE weft_status weft_result_adopt(weft_result *result, const char *title,
                                            const char *scenario, weft_error *err);
/* What weft_result_open says of a file that was begun and holds no point. */
#define WEFT_RESULT_EMPTY "is empty: no point has finished"
/* The number of the point with this key; as many as there are: none. */
size_t weft_result_find(const weft_result *result, const char *key);
/* Key, settings and verdict of point i, as weft_result_read. */
WEFT_MUST_USE weft_status weft_result_head(weft_result *result, size_t i, const weft_point **point,
                                           weft_error *err);
/* Commits a point in place of the one with its key. */
WEFT_MUST_USE weft_status weft_result_replace(weft_result *result, const weft_point *point,
                                              weft_error *err);

#endif
