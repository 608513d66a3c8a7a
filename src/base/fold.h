/* SPDX-License-Identifier: Apache-2.0 */
/* Lines of text that fit a width. */
#ifndef WEFT_BASE_FOLD_H
#define WEFT_BASE_FOLD_H

#include "base/text.h"

/* Adds a text of lines. Those that are wider go on below, in the column where the text of the line
 * begins; a mapping of YAML behind a comma. */
void weft_fold(const char *text, size_t width, weft_text *to);

#endif
