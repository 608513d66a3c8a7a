/* SPDX-License-Identifier: Apache-2.0 */
/* What a drawn scenario needs beyond the parameter tables: sizes that are small, kinds that go
 * together. A kind without a line here is drawn from its table alone, so a new kind is covered
 * without an edit.
 *
 * A hint is a list of texts with | between them, all equally likely. "-" leaves the setting out,
 * #a-b stands for a number from a to b, $DATA for the folder tests/data. "?word text" is left out
 * unless the scenario has the word so far, "!word text" if it has; + is a blank of the word. */
#ifndef WEFT_RANDOM_HINTS_H
#define WEFT_RANDOM_HINTS_H

#include <stdbool.h>
#include <stddef.h>

/* The hint for a setting; owner: family/kind, or section/kind of router. NULL: there is none. */
const char *hint_for(const char *owner, const char *param);

/* How often a kind is drawn; 10 unless told. */
unsigned hint_weight(const char *owner);

/* Is a kind meant for this topology and this router? "": any. */
bool hint_suits(const char *owner, const char *topology, const char *router);

/* May packets find ways past what is down? Faults are drawn more often then. */
bool hint_goes_round(const char *routing, const char *router);

/* Sections that only make sense together; NULL: drawn as ever. */
typedef struct ensemble {
    const char *topology, *router, *routing, *from;
} ensemble;
extern const ensemble hint_ensembles[];
extern const size_t hint_ensemble_count;

#endif
