/* SPDX-License-Identifier: Apache-2.0 */
/* The slowest point of results, and its packets: for weft explain and weft run --trace. */
#ifndef WEFT_CLI_SLOW_H
#define WEFT_CLI_SLOW_H

#include "cli/command.h"
#include "interweft/why.h"

/* The slowest point, the first of equals; says on stderr which, if there are several. */
WEFT_MUST_USE weft_status weft_slow_point(weft_result *result, size_t *found, weft_error *err);
/* How reruns tell of their progress and heed signals. */
weft_why_options weft_slow_options(weft_display *display);
/* Prints the journeys of packets of the slowest point; folder: of the scenario's files, NULL: that
 * of the results. */
WEFT_MUST_USE weft_status weft_slow_trace(weft_result *result, const char *what, const char *folder,
                                          const weft_catalog *catalog, weft_display *display,
                                          weft_error *err);

#endif
