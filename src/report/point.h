/* SPDX-License-Identifier: Apache-2.0 */
/* A single point as lines in a terminal. */
#ifndef WEFT_REPORT_POINT_H
#define WEFT_REPORT_POINT_H

#include "report/measurands.h"

#include <stdio.h>

/* Prints the settings of its key and its measures, a line each with its interval; then its traffic
 * classes and its packets by hops as small tables. */
void weft_report_point(const weft_point *point, const weft_measurand_list *list, FILE *out,
                       size_t width, bool colour);

#endif
