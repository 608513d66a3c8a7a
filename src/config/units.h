/* SPDX-License-Identifier: Apache-2.0 */
/* Quantities with units: `64 B`, `4 packets`, `400 Gb/s`, `4xHDR`, `5 ns`, `2 cycles`, `95%`. */
#ifndef WEFT_CONFIG_UNITS_H
#define WEFT_CONFIG_UNITS_H

#include "base/suggest.h"
#include "interweft/component.h"

#define WEFT_QUANTITY_CHARS 64

typedef enum weft_quantity_verdict {
    WEFT_QUANTITY_OK,
    WEFT_QUANTITY_NO_NUMBER,
    WEFT_QUANTITY_NO_UNIT,
    WEFT_QUANTITY_BAD_UNIT,
    WEFT_QUANTITY_BAD_WIDTH /* of an InfiniBand link */
} weft_quantity_verdict;

typedef struct weft_quantity {
    double value; /* in the base unit; may be infinite if the text is absurd */
    int base;     /* weft_time_unit, weft_size_unit or weft_rate_unit; else 0 */
} weft_quantity;

/* Reads a quantity of a DURATION, SIZE, ROOM, RATE, FREQUENCY or FRACTION. Space between number and
 * unit may be left out. A bare 0 needs no unit; a fraction may have none. */
weft_quantity_verdict weft_quantity_read(weft_param_type type, const char *text,
                                         weft_quantity *quantity);
/* The unit part of a text, "" if there is none; NULL if it has no number. */
const char *weft_quantity_unit(const char *text);
/* Writes it with the largest unit that reads back exactly. */
char *weft_quantity_write(weft_param_type type, weft_quantity quantity,
                          char out[static WEFT_QUANTITY_CHARS]);
/* The units of a type, for a person: "cycles, ps, ns, us, ms, s, min, h". */
const char *weft_quantity_units(weft_param_type type);
/* The unit that others spell so (Gbps, gb/s, usec), or NULL. */
const char *weft_quantity_meant(weft_param_type type, const char *name);
/* Offers each of them as what may be meant. */
void weft_quantity_offer_units(weft_param_type type, weft_suggest *suggest);
/* The same as alternatives of a regular expression. */
const char *weft_quantity_pattern(weft_param_type type);
/* A number and a unit that is known for any type, or a number alone, in its one canonical form
 * ("0.30" → "0.3", "5.0ns" → "5 ns"); false if text is something else. */
bool weft_quantity_canonical(const char *text, char out[static WEFT_QUANTITY_CHARS]);

#endif
