/* SPDX-License-Identifier: Apache-2.0 */
/* The sections of a scenario as tables, and the structs they fill. Parsing, describe, the
 * reference pages and the schema all read these tables. */
#ifndef WEFT_CONFIG_SECTIONS_H
#define WEFT_CONFIG_SECTIONS_H

#include "config/bind/bind.h"
#include "config/scenario.h"

typedef struct weft_bound_links { /* as written; classes inherit from the section */
    weft_rate rate;
    weft_duration latency;
    weft_size flit;
    weft_link_settings local, global, host, regional;
    const weft_link_where *where;
    size_t n_where;
    weft_links_given given[4];
} weft_bound_links;

typedef struct weft_bound_measure {
    weft_measure measure;
    int of;
} weft_bound_measure;

typedef struct weft_bound_offered {
    double load, rho, rate;
    bool overload; /* load or rho may exceed 1 */
} weft_bound_offered;

typedef struct weft_bound_scenario { /* a whole scenario */
    int64_t version;
    const char *title;
    int64_t seed;
    double clock;
    weft_kind_ref topology, router, routing;
    weft_bound_links links;
    weft_endpoint_settings endpoint;
    weft_fault_settings faults;
    weft_bound_offered offered;
    weft_host_settings host;
    weft_bound_measure measure;
} weft_bound_scenario;

/* The scenario itself; its .tables are the sections that are maps. */
extern const weft_table weft_table_scenario;
extern const weft_table weft_table_links;
extern const weft_table weft_table_links_where; /* of one name */
extern const weft_table weft_table_endpoint;
extern const weft_table weft_table_offered;
extern const weft_table weft_table_faults;
extern const weft_table weft_table_traffic; /* named: one per class */
extern const weft_table weft_table_host;
extern const weft_table weft_table_jobs;   /* named: one per job */
extern const weft_table weft_table_phases; /* of a job, named: one per phase */
extern const weft_table weft_table_measure;

/* The one parameter that is a duration of the person's clock: measure.limit.wall. */
const weft_param *weft_sections_wall(void);
/* What the keys that are not parameters mean, for describe and schema. */
const char *weft_sections_apart_brief(const char *key);

#endif
