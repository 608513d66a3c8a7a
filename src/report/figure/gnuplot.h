/* SPDX-License-Identifier: Apache-2.0 */
/* Runs gnuplot as a child process. */
#ifndef WEFT_REPORT_GNUPLOT_H
#define WEFT_REPORT_GNUPLOT_H

#include "interweft/status.h"

#include <stddef.h>

/* Feeds the script to gnuplot's input and its output to the file path, which appears only once it
 * is complete. Fails with a message if gnuplot is missing or refuses the script. */
WEFT_MUST_USE weft_status weft_gnuplot_run(const char *script, size_t length, const char *path,
                                           weft_error *err);

#endif
