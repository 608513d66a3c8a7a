/* SPDX-License-Identifier: Apache-2.0 */
/* Points that differ in one setting alone, such as the seed, as one point with intervals. */
#ifndef WEFT_REPORT_FIGURE_OVER_H
#define WEFT_REPORT_FIGURE_OVER_H

#include "interweft/result.h"

/* *combined, in memory, has a point for each combination of the other settings: the mean of every
 * metric over the values of `setting`, with the interval of Student's t. That is the setting of
 * exactly this name, such as "seed", else the one whose path ends with it. What only some of the
 * points have is the mean of those, what one alone has keeps the interval of its run. Fails if no
 * point has the setting, or if several paths end with its name. */
WEFT_MUST_USE weft_status weft_curves_over(weft_result *from, const char *setting,
                                           weft_result **combined, weft_error *err);

#endif
