/* SPDX-License-Identifier: Apache-2.0 */
/* A traffic pattern of the program's own, plugged in as a record: every endpoint sends to the one
 * `stride` numbers further. The scenario names it like any other kind.
 *
 *     cc -std=c17 own_pattern.c -o own_pattern $(pkg-config --cflags --libs interweft)
 */
#include <interweft/interweft.h>

#include <stdio.h>

typedef struct stride_settings {
    int64_t stride;
} stride_settings;

static const weft_param params[] = {
    {.name = "stride",
     .brief = "how many endpoints further",
     .type = WEFT_PARAM_INT,
     .offset = offsetof(stride_settings, stride),
     .fallback = "1",
     .min = 1,
     .max = 1e9},
    {.name = NULL},
};

static weft_status build(weft_pattern *pattern, const void *settings, weft_error *err)
{
    (void)err;
    *(uint32_t *)pattern->self = (uint32_t)((const stride_settings *)settings)->stride;
    return WEFT_OK;
}

static uint32_t senders(const weft_pattern *pattern)
{
    return pattern->topology->edge_routers * pattern->topology->concentration;
}

static uint32_t destination(const weft_pattern *pattern, uint32_t source, weft_random *random)
{
    (void)random;
    uint32_t stride = *(const uint32_t *)pattern->self;
    return (uint32_t)(((uint64_t)source + stride) % senders(pattern));
}

static double mean_hops(const weft_pattern *pattern)
{
    const weft_topology *topology = pattern->topology;
    uint32_t endpoints = senders(pattern), each = topology->concentration;
    double sum = 0;
    for (uint32_t from = 0; from < endpoints; from++)
        sum += topology->kind->distance(topology, from / each,
                                        destination(pattern, from, NULL) / each);
    return sum / endpoints;
}

static const weft_pattern_kind stride = {
    .base = {.abi = WEFT_ABI,
             .size = sizeof stride,
             .name = "stride",
             .brief = "to the endpoint a stride further",
             .params = params,
             .settings_size = sizeof(stride_settings),
             .instance_size = sizeof(uint32_t)},
    .build = build,
    .destination = destination,
    .mean_hops = mean_hops,
    .senders = senders,
};
static const weft_plugin_item items[] = {{"pattern", &stride.base}, {NULL, NULL}};
static const weft_plugin record = {WEFT_ABI, sizeof record, "stride", items};

static const char scenario[] =
    "interweft: 1\n"
    "topology: {kind: torus, dims: [8, 8]}\n"
    "traffic: {all: {pattern: {kind: stride, stride: 8}, length: 16 flits, load: 0.2}}\n"
    "measure: {half-width: 5%}\n"
    "vary: {traffic.all.pattern.stride: [1, 9, 36]}\n";

static void print_point(void *user, const weft_point *point)
{
    (void)user;
    const weft_metric *hops = weft_point_metric(point, "hops", "", "", 0);
    const weft_metric *latency = weft_point_metric(point, "latency", "", "", 0);
    printf("%-35s %-10s %4.1f hops  latency %5.1f %s\n", point->key, point->verdict,
           hops ? hops->value : 0, latency ? latency->value : 0, latency ? latency->unit : "");
}

int main(void)
{
    weft_error err = {""};
    weft_study *study = NULL;
    weft_study_options options = {.text = scenario,
                                  .file = "stride",
                                  .results = WEFT_IN_MEMORY,
                                  .jobs = 1,
                                  .finished = print_point};
    weft_catalog *catalog = weft_catalog_create();
    weft_status status = weft_catalog_plug(catalog, &record, &err);
    if (status == WEFT_OK)
        status = weft_study_open(&options, catalog, &study, &err);
    if (status == WEFT_OK)
        status = weft_study_run(study, &err);
    if (status != WEFT_OK)
        fprintf(stderr, "%s\n", err.text);
    weft_study_close(study);
    weft_catalog_destroy(catalog);
    return (int)status;
}
