/* SPDX-License-Identifier: Apache-2.0 */
/* Permutation patterns: every endpoint sends to one other. A kind is one function from source to
 * destination; fixed points are silent unless `self` is included. Where senders and receivers are
 * one set, kinds that work on numbers work on the ranks in it: `map` takes and returns ranks. */
#ifndef WEFT_NET_TRAFFIC_COMMON_PERMUTATION_H
#define WEFT_NET_TRAFFIC_COMMON_PERMUTATION_H

#include "interweft/traffic.h"

typedef struct weft_permutation {
    uint32_t (*map)(const weft_pattern *pattern, uint32_t source);
    double mean_hops;
    uint32_t senders;
    uint32_t bits; /* of an endpoint's number, where the kind works on bits */
    bool returns;  /* fixed points send to themselves */
} weft_permutation;

/* Settings; `by` of kinds that can also work on coordinates. */
enum { WEFT_BY_NUMBER, WEFT_BY_COORDINATES };
typedef struct weft_permutation_settings {
    int by; /* −1: not given, by number */
    int self;
} weft_permutation_settings;
extern const weft_param weft_permutation_params[], weft_permutation_by_params[];

/* Size of the permutation: number of endpoints, or of ranks. */
uint32_t weft_permutation_size(const weft_pattern *pattern);
/* Sets the treatment of fixed points; call before the pattern is built. */
void weft_permutation_self(weft_pattern *pattern, const void *settings);
/* Fills pattern->self (a weft_permutation). */
void weft_permutation_build(weft_pattern *pattern,
                            uint32_t (*map)(const weft_pattern *pattern, uint32_t source));
/* The same for kinds that work on the bits of the number: refuses a number of endpoints that is not
 * a power of two (`even`: of four). */
WEFT_MUST_USE weft_status weft_permutation_build_bits(weft_pattern *pattern,
                                                      uint32_t (*map)(const weft_pattern *pattern,
                                                                      uint32_t source),
                                                      bool even, weft_error *err);
/* The same for kinds that move along the coordinates: refuses a topology without coordinates. */
WEFT_MUST_USE weft_status weft_permutation_build_lattice(
    weft_pattern *pattern, uint32_t (*map)(const weft_pattern *pattern, uint32_t source),
    weft_error *err);
/* One of the two, according to the settings. */
WEFT_MUST_USE weft_status weft_permutation_build_by(
    weft_pattern *pattern, const void *settings,
    uint32_t (*bits)(const weft_pattern *pattern, uint32_t source), bool even,
    uint32_t (*place)(const weft_pattern *pattern, uint32_t source), weft_error *err);
uint32_t weft_permutation_destination(const weft_pattern *pattern, uint32_t source,
                                      weft_random *random);
void weft_permutation_odds(const weft_pattern *pattern, uint32_t source, weft_odds_visitor each,
                           void *user);
double weft_permutation_mean_hops(const weft_pattern *pattern);
uint32_t weft_permutation_senders(const weft_pattern *pattern);

/* The source with every coordinate moved by step(size) around its dimension. */
uint32_t weft_permutation_shift(const weft_pattern *pattern, uint32_t source,
                                uint32_t (*step)(uint32_t size));

/* The record of a permutation kind. */
#define WEFT_PERMUTATION_KIND(id, text, about, build_function) \
    WEFT_PERMUTATION_RECORD(id, text, about, build_function, false, weft_permutation_params)
/* The record of a kind that moves all sources by the same vector. */
#define WEFT_SHIFT_KIND(id, text, about, build_function) \
    WEFT_PERMUTATION_RECORD(id, text, about, build_function, true, weft_permutation_params)
/* The record of a kind that works on numbers or on coordinates. */
#define WEFT_PERMUTATION_BY_KIND(id, text, about, build_function) \
    WEFT_PERMUTATION_RECORD(id, text, about, build_function, false, weft_permutation_by_params)

#define WEFT_PERMUTATION_RECORD(id, text, about, build_function, shifts, table) \
    const weft_pattern_kind weft_pattern_##id = {                               \
        .base = {.abi = WEFT_ABI,                                               \
                 .size = sizeof(weft_pattern_kind),                             \
                 .name = text,                                                  \
                 .brief = about,                                                \
                 .params = table,                                               \
                 .settings_size = sizeof(weft_permutation_settings),            \
                 .instance_size = sizeof(weft_permutation)},                    \
        .build = build_function,                                                \
        .destination = weft_permutation_destination,                            \
        .mean_hops = weft_permutation_mean_hops,                                \
        .senders = weft_permutation_senders,                                    \
        .odds = weft_permutation_odds,                                          \
        .invariant = shifts,                                                    \
        .confines = shifts ? WEFT_CONFINES_NOT : WEFT_CONFINES_RANKS,           \
    }

#endif
