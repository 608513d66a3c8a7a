/* SPDX-License-Identifier: Apache-2.0 */
/* Journeys of single packets, hop by hop: where each waited, for what and for whom. A point is run
 * again, with its own scenario and seed. */
#ifndef INTERWEFT_TRACED_H
#define INTERWEFT_TRACED_H

#include "interweft/catalog.h"
#include "interweft/result.h"
#include "interweft/status.h"
#include "interweft/why.h"

WEFT_DECLARATIONS

typedef struct weft_traced_wait { /* a row of ticks in which it waited for the same */
    double time;
    char text[512]; /* for what and whom, and what that one waited for */
} weft_traced_wait;

typedef struct weft_traced_stop {
    char place[160];      /* "source", or the router */
    char in[64];          /* input and VC; "" at the source */
    double arrived, left; /* it was ready to go on, and went; NaN: not yet */
    char out[200];        /* the output it took, and the VC behind it */
    size_t n_waits;
    weft_traced_wait *waits;
} weft_traced_stop;

typedef struct weft_traced_packet {
    char name[96]; /* SOURCE:MESSAGE, with several classes SOURCE:CLASS:MESSAGE, and .PACKET */
    uint32_t source, destination, flits;
    double born, delivered; /* NaN: not delivered */
    size_t n_stops;
    weft_traced_stop *stops;
} weft_traced_packet;

typedef struct weft_traced {
    const char *unit; /* of times */
    size_t n_packets;
    weft_traced_packet *packets;
} weft_traced;

#define WEFT_TRACED_MAX 1000 /* packets */

/* Follows packets of point i of results that are open for reading. what: "slowest", the number of
 * the slowest that are wanted ("10"), or the name of a packet. The slowest are those of the
 * measured part of the run. options may be NULL. */
WEFT_API WEFT_MUST_USE weft_status weft_traced_find(weft_result *result, size_t i, const char *what,
                                                    const weft_catalog *catalog,
                                                    const weft_why_options *options,
                                                    weft_traced **traced, weft_error *err);
/* Fails for what no network could have. */
WEFT_API WEFT_MUST_USE weft_status weft_traced_check(const char *what, weft_error *err);
WEFT_API void weft_traced_destroy(weft_traced *traced);

WEFT_DECLARATIONS_END

#endif
