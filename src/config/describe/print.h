/* SPDX-License-Identifier: Apache-2.0 */
/* Trees and texts as YAML, in one canonical form that reads back as the same tree. */
#ifndef WEFT_CONFIG_DESCRIBE_PRINT_H
#define WEFT_CONFIG_DESCRIBE_PRINT_H

#include "base/text.h"
#include "config/tree.h"

/* A text as a YAML scalar: plain if that is safe, else double-quoted with escapes. */
void weft_print_text(weft_text *text, const char *scalar);
/* A node in flow style ({a: 1, b: [2, 3]}); numbers in their shortest form; `sorted` puts the keys
 * of maps in the order of their bytes. */
void weft_print_flow(weft_text *text, const weft_node *node, bool sorted);

#endif
