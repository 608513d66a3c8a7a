/* SPDX-License-Identifier: Apache-2.0 */
/* Patterns of names. */
#ifndef WEFT_BASE_GLOB_H
#define WEFT_BASE_GLOB_H

#include <stdbool.h>

/* True if a text matches a pattern: * is any text, ? any character. */
bool weft_glob_matches(const char *glob, const char *text);

#endif
