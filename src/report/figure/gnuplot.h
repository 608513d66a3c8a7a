/* SPDX-License-Identifier: Apache-2.0 */
/* Text for gnuplot's scripts, and gnuplot as a child process. */
#ifndef WEFT_REPORT_GNUPLOT_H
#define WEFT_REPORT_GNUPLOT_H

#include "base/text.h"
#include "interweft/status.h"

#include <stddef.h>

/* A text in single quotes, in which gnuplot runs and replaces nothing. A quote inside becomes an
 * apostrophe (gnuplot 5.4 does not read a doubled quote at the start of a string); control
 * characters, which could end the line, a space. */
void weft_gnuplot_quote(weft_text *script, const char *text);

/* Fails with a message if there is no gnuplot. */
WEFT_MUST_USE weft_status weft_gnuplot_find(weft_error *err);
/* Feeds the script to gnuplot's input and its output to the file path, which appears only once it
 * is complete. Fails with a message if gnuplot is missing or refuses the script. */
WEFT_MUST_USE weft_status weft_gnuplot_run(const char *script, size_t length, const char *path,
                                           weft_error *err);

#endif
