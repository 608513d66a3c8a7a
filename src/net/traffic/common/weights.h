/* SPDX-License-Identifier: Apache-2.0 */
/* A traffic matrix between places, read from a file: sparse rows with an alias table each
 * (A. J. Walker, 1977; M. D. Vose, 1991), so that a draw takes constant time. */
#ifndef WEFT_NET_TRAFFIC_COMMON_WEIGHTS_H
#define WEFT_NET_TRAFFIC_COMMON_WEIGHTS_H

#include "interweft/component.h"
#include "interweft/random.h"

#include <stdint.h>

#define WEFT_WEIGHTS_MAX ((size_t)1 << 22) /* non-zero weights */

typedef struct weft_weight {
    uint32_t to;
    uint32_t keep;  /* of 2^32 draws of this entry, number that keep it … */
    uint32_t other; /* … the rest take this one */
    double share;   /* of the row */
} weft_weight;

typedef struct weft_weights {
    uint32_t places;
    uint32_t *row;      /* [places + 1]: first entry of each row */
    weft_weight *entry; /* of a row in ascending order of `to` */
    double *sum;        /* of each row */
    double total;       /* of all rows */
    uint32_t senders;   /* non-empty rows */
} weft_weights;

/* Forms of a file: a matrix with a line per place, or lines "from,to,weight". */
typedef enum weft_weights_form { WEFT_WEIGHTS_EITHER, WEFT_WEIGHTS_FLOWS } weft_weights_form;

/* The places of a file. */
typedef struct weft_places {
    uint32_t count;
    const char *name; /* "endpoint" */
    const char *of;   /* "this network" */
    bool loops;       /* a place may send to itself */
} weft_places;

/* Reads weights; free them with weft_weights_done, also after a failure. */
WEFT_MUST_USE weft_status weft_weights_read(weft_weights *weights, const weft_file *file,
                                            weft_weights_form form, const weft_places *places,
                                            weft_error *err);
/* The same from text; name: the file in error messages. */
WEFT_MUST_USE weft_status weft_weights_parse(weft_weights *weights, const char *name,
                                             const char *text, size_t length,
                                             weft_weights_form form, const weft_places *places,
                                             weft_error *err);
void weft_weights_done(weft_weights *weights);

/* One weight, as read. */
typedef struct weft_triple {
    uint32_t from, to;
    double weight; /* more than 0 */
    unsigned long line;
} weft_triple;

/* Sorts by `from` and `to`, then by line. */
void weft_weights_sort(weft_triple *triples, size_t count);
/* Builds the tables from sorted triples, no two with the same ends. */
void weft_weights_build(weft_weights *weights, uint32_t places, const weft_triple *triples,
                        size_t count);

/* Draws the destination of a message from a place with a non-empty row. */
static inline uint32_t weft_weights_draw(const weft_weights *weights, uint32_t from,
                                         weft_random *random)
{
    uint32_t first = weights->row[from], count = weights->row[from + 1] - first;
    if (count == 1)
        return weights->entry[first].to;
    const weft_weight *entry = &weights->entry[first + weft_random_below(random, count)];
    return weft_random_word(random) < entry->keep ? entry->to : weights->entry[entry->other].to;
}

#endif
