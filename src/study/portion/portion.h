/* SPDX-License-Identifier: Apache-2.0 */
/* A part of a grid: the points that were chosen by number. What it writes is collected into the
 * whole results later (weft_study_left, weft_study_collect), so that no two machines ever write one
 * file. */
#ifndef WEFT_STUDY_PORTION_H
#define WEFT_STUDY_PORTION_H

#include "study/internal.h"

/* Chooses the points that a list of numbers names, "1,4,7-9". */
WEFT_MUST_USE weft_status weft_portion_choose(weft_study *study, const char *list, weft_error *err);
/* The number of points that are chosen. */
size_t weft_portion_points(const weft_study *study);

static inline bool weft_portion_leaves_out(const weft_study *study, size_t i)
{
    return study->left_out && study->left_out[i];
}

#endif
