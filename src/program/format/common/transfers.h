/* SPDX-License-Identifier: Apache-2.0 */
/* Flows: messages that start at given times, or when others are over. */
#ifndef WEFT_PROGRAM_FORMAT_COMMON_TRANSFERS_H
#define WEFT_PROGRAM_FORMAT_COMMON_TRANSFERS_H

#include "program/format.h"
#include "program/loose.h"

/* A fuzzer would spend its time on hosts without a message. */
#ifdef FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION
#define WEFT_TRANSFERS_HOSTS_MAX (1u << 12)
#else
#define WEFT_TRANSFERS_HOSTS_MAX (1u << 20)
#endif

typedef struct weft_transfer {
    uint64_t bytes, start; /* ticks */
    uint32_t source, destination;
    uint32_t order;         /* in the file */
    uint32_t send, receive; /* its operations, once they are there */
} weft_transfer;

typedef struct weft_transfers {
    weft_transfer *at;
    size_t count, room;
} weft_transfers;

void weft_transfers_done(weft_transfers *list);
void weft_transfers_add(weft_transfers *list, weft_transfer flow);
/* Adds the operations of all flows, sorted by their start: every source has a CPU of its own, 1,
 * that lets the time between two starts pass. */
WEFT_MUST_USE weft_status weft_transfers_expand(weft_transfers *list, uint32_t n_hosts,
                                                weft_loose *loose, weft_error *err);
/* Reads the number of a host. */
WEFT_MUST_USE weft_status weft_transfers_host(const weft_format_lines *lines, weft_format_word word,
                                              uint32_t most, uint32_t *host, weft_error *err);

#endif
