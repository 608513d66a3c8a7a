/* SPDX-License-Identifier: Apache-2.0 */
/* Point keys, "routing.selection=diagonal traffic.all.rho=0.3": their order and their parts.
 *
 * A part starts at the beginning or after a space outside brackets and quotes that is followed by
 * a path and '='; so values may hold spaces ("links.rate=400 Gb/s") and whole maps. */
#ifndef WEFT_RESULT_KEY_H
#define WEFT_RESULT_KEY_H

#include "interweft/result.h"

/* Order for people: numbers inside keys compare by value; equal only if the bytes are. */
int weft_key_compare(const char *a, const char *b);

/* The value as a plain decimal number ("0.3", "-5", "1e6", "30%" as 0.3); false if it is not
 * one. */
bool weft_key_number(const char *value, size_t length, double *number);
/* Has a part this value: the same text, or the same number? 10% is 0.1, and 32 stands for 32
 * flits. */
bool weft_key_is_value(const weft_key_part *part, const char *value, size_t length);

#endif
