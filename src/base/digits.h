/* SPDX-License-Identifier: Apache-2.0 */
/* Doubles as text, with '.' in every locale. */
#ifndef WEFT_BASE_DIGITS_H
#define WEFT_BASE_DIGITS_H

#define WEFT_DIGITS_TEXT 40 /* bytes that always suffice */

/* "%.17g"; "nan", "inf", "-inf". */
const char *weft_digits_exact(char out[WEFT_DIGITS_TEXT], double value);
/* The fewest digits (15, 16 or 17) that read back as the same double. */
const char *weft_digits_short(char out[WEFT_DIGITS_TEXT], double value);
/* So many significant digits, and all of a larger whole number: for people, who read 71590 before
 * 7.159e+04. digits ≤ 15. */
const char *weft_digits_plain(char out[WEFT_DIGITS_TEXT], double value, int digits);

#endif
