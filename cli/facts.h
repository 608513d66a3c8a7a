/* SPDX-License-Identifier: Apache-2.0 */
/* Answers that are lines "name   value" under headings, as JSON. */
#ifndef WEFT_CLI_FACTS_H
#define WEFT_CLI_FACTS_H

#include <stdio.h>

/* A heading "# network" opens an object; each line is a member {"text": …}, with "value" if the
 * text begins with a number, "unit" if one follows, and further members for parts such as
 * "rho 0.2" or "64 host". Lines that begin with blanks go on with the text before. The settings
 * are one text. */
void weft_facts_print(const char *text, FILE *out);

#endif
