/* SPDX-License-Identifier: Apache-2.0 */
/* Doubles as text and text as doubles, with '.' in every locale of the program or its thread. */
#ifndef WEFT_BASE_DIGITS_H
#define WEFT_BASE_DIGITS_H

#include "interweft/status.h"

#include <stdarg.h>
#include <stddef.h>

#define WEFT_DIGITS_TEXT 40 /* bytes that always suffice */

/* "%.17g"; "nan", "inf", "-inf". */
const char *weft_digits_exact(char out[WEFT_DIGITS_TEXT], double value);
/* The fewest digits (15, 16 or 17) that read back as the same double. */
const char *weft_digits_short(char out[WEFT_DIGITS_TEXT], double value);
/* So many significant digits, and all of a larger whole number: for people, who read 71590 before
 * 7.159e+04. digits ≤ 15. */
const char *weft_digits_plain(char out[WEFT_DIGITS_TEXT], double value, int digits);

/* As vsnprintf. */
int weft_digits_vprint(char *out, size_t size, const char *format, va_list args) WEFT_PRINTF(3, 0);
/* As snprintf. */
int weft_digits_print(char *out, size_t size, const char *format, ...) WEFT_PRINTF(3, 4);
/* As strtod. */
double weft_digits_read(const char *text, char **end);

#endif
