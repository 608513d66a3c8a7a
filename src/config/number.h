/* SPDX-License-Identifier: Apache-2.0 */
/* Decimal numbers as text: read exactly, written in their shortest form. Independent of the
 * locale. */
#ifndef WEFT_CONFIG_NUMBER_H
#define WEFT_CONFIG_NUMBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define WEFT_NUMBER_CHARS 64

/* Reads [+-] digits [. digits] [e[+-]digits] at the start of text, times 10^shift, rounded once.
 * Returns the characters taken; 0: no number there. Too large a number gives ±infinity. */
size_t weft_number_read(const char *text, int shift, double *value);
/* The whole text is an integer of 64 bits ("4096", also "5e6"). */
bool weft_integer_read(const char *text, int64_t *value);
/* The shortest decimal that reads back as the same double, such as 0.05 or 3e+20. */
char *weft_number_write(double value, char out[static WEFT_NUMBER_CHARS]);

#endif
