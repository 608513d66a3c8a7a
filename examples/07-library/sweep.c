/* SPDX-License-Identifier: Apache-2.0 */
/* A sweep without files: the scenario is a text, the results stay in memory. Prints latency over
 * load of a torus under two selections.
 *
 *     cc -std=c17 sweep.c -o sweep $(pkg-config --cflags --libs interweft)
 */
#include <interweft/interweft.h>

#include <stdio.h>

static const char scenario[] = "interweft: 1\n"
                               "topology: {kind: torus, dims: [8, 8]}\n"
                               "routing: {kind: minimal-adaptive}\n"
                               "traffic: {all: {pattern: uniform, length: 16 flits}}\n"
                               "measure: {half-width: 5%}\n"
                               "vary:\n"
                               "  traffic.all.rho: [0.2, 0.4, 0.6]\n"
                               "  routing.selection: [random, diagonal]\n";

static weft_status print_points(weft_result *result, weft_error *err)
{
    for (size_t i = 0; i < weft_result_points(result); i++) {
        const weft_point *point;
        WEFT_TRY(weft_result_read(result, i, &point, err));
        const weft_metric *latency = weft_point_metric(point, "latency", "", "", 0);
        printf("%-55s %-10s", point->key, point->verdict);
        if (latency)
            printf(" %6.1f ± %.1f %s", latency->value, (latency->hi - latency->lo) / 2,
                   latency->unit);
        printf("\n");
    }
    return WEFT_OK;
}

int main(void)
{
    weft_error err = {""};
    weft_study *study = NULL;
    weft_study_options options = {.text = scenario, .file = "sweep", .results = WEFT_IN_MEMORY};
    weft_catalog *catalog = weft_catalog_create();
    weft_status status = weft_study_open(&options, catalog, &study, &err);
    if (status == WEFT_OK)
        status = weft_study_run(study, &err);
    if (status == WEFT_OK)
        status = print_points(weft_study_result(study), &err);
    if (status != WEFT_OK)
        fprintf(stderr, "%s\n", err.text);
    weft_study_close(study);
    weft_catalog_destroy(catalog);
    return (int)status;
}
