/* SPDX-License-Identifier: Apache-2.0 */
/* Patterns given by a table of weights, whatever its source. A place is an endpoint (of a set: by
 * its rank), a router or a group. The endpoints of a place send equally often, and are equally
 * likely destinations of the messages to it. */
#ifndef WEFT_NET_TRAFFIC_COMMON_TRAFFIC_TABLE_H
#define WEFT_NET_TRAFFIC_COMMON_TRAFFIC_TABLE_H

#include "interweft/traffic.h"
#include "net/traffic/common/weights.h"

enum { WEFT_OF_ENDPOINTS, WEFT_OF_ROUTERS, WEFT_OF_GROUPS };
extern const char *const weft_traffic_table_places[]; /* their names, NULL-terminated */

typedef struct weft_traffic_table {
    weft_weights weights;
    uint32_t each; /* endpoints of a place */
} weft_traffic_table;

/* Fills pattern->self, a weft_traffic_table, from a file; of: the meaning of its places. */
WEFT_MUST_USE weft_status weft_traffic_table_build(weft_pattern *pattern, const weft_file *file,
                                                   weft_weights_form form, int of, weft_error *err);
void weft_traffic_table_done(weft_pattern *pattern);
uint32_t weft_traffic_table_destination(const weft_pattern *pattern, uint32_t source,
                                        weft_random *random);
double weft_traffic_table_mean_hops(const weft_pattern *pattern);
uint32_t weft_traffic_table_senders(const weft_pattern *pattern);
void weft_traffic_table_odds(const weft_pattern *pattern, uint32_t source, weft_odds_visitor each,
                             void *user);
double weft_traffic_table_weight(const weft_pattern *pattern, uint32_t source);

/* The record of such a kind. */
#define WEFT_TRAFFIC_TABLE_KIND(id, text, about)               \
    const weft_pattern_kind weft_pattern_##id = {              \
        .base = {.abi = WEFT_ABI,                              \
                 .size = sizeof(weft_pattern_kind),            \
                 .name = text,                                 \
                 .brief = about,                               \
                 .params = params,                             \
                 .settings_size = sizeof(settings),            \
                 .instance_size = sizeof(weft_traffic_table)}, \
        .build = build,                                        \
        .done = weft_traffic_table_done,                       \
        .destination = weft_traffic_table_destination,         \
        .mean_hops = weft_traffic_table_mean_hops,             \
        .senders = weft_traffic_table_senders,                 \
        .odds = weft_traffic_table_odds,                       \
        .weight = weft_traffic_table_weight,                   \
        .confines = WEFT_CONFINES_RANKS,                       \
    }

#endif
