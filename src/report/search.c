/* SPDX-License-Identifier: Apache-2.0 */
#include "report/search.h"

#include "report/plain.h"

#include <math.h>
#include <string.h>

#define MATRICES_SHOWN 8
#define SIDE_SHOWN     64 /* of matrices that fit a line of a screen, if a long one */

static void print_number(FILE *out, const weft_point *point, const char *name)
{
    const weft_metric *m = weft_point_metric(point, name, "", "", 0);
    char text[64];
    if (!m)
        snprintf(text, sizeof text, "-");
    else if (isnan(m->lo))
        snprintf(text, sizeof text, "%.5f", m->value);
    else
        snprintf(text, sizeof text, "%.5f [%.4f, %.4f]", m->value, m->lo, m->hi);
    fprintf(out, "  %-25s", text);
}

static void print_count(FILE *out, const weft_point *point, const char *name, int width)
{
    const weft_metric *m = weft_point_metric(point, name, "", "", 0);
    if (m)
        fprintf(out, "  %*.0f", width, m->value);
    else
        fprintf(out, "  %*s", width, "-");
}

static const weft_array *matrix(const weft_point *point, int rank)
{
    char name[32];
    snprintf(name, sizeof name, "matrix %d", rank);
    for (size_t k = 0; k < point->n_arrays; k++)
        if (strcmp(point->arrays[k].name, name) == 0)
            return &point->arrays[k];
    return NULL;
}

/* "[[1,2],[2,1]]", as the setting matrix takes it. */
static void print_matrix(FILE *out, const weft_array *array)
{
    if (array->columns > SIDE_SHOWN) {
        fprintf(out, "%zu × %zu, in weft export --format json", array->columns, array->columns);
        return;
    }
    fputs("[", out);
    for (size_t k = 0; k < array->count; k++) {
        const char *before = k % array->columns ? "," : k ? "],[" : "[";
        fprintf(out, "%s%lld", before, (long long)array->y[k]);
    }
    fputs("]]", out);
}

static void print_worst(FILE *out, const weft_point *point)
{
    fprintf(out, "\nworst matrices (throughput, index, matrix)\n");
    for (int rank = 1; rank <= MATRICES_SHOWN; rank++) {
        const weft_metric *m = weft_point_metric(point, "throughput", "", "worst", rank);
        const weft_array *array = matrix(point, rank);
        if (!m || !array || array->columns == 0)
            break;
        fprintf(out, "  %.6f  %-16s %12lld  ", m->value, m->method, (long long)m->n);
        print_matrix(out, array);
        fputs("\n", out);
    }
}

static void print_key(FILE *out, const char *key, size_t width)
{
    weft_arena arena;
    weft_arena_init(&arena);
    const char *text =
        weft_plain_text(&arena, key[0] ? key : "all", key[0] ? strlen(key) : 3, width);
    fprintf(out, "%s%*s", text, (int)(width - weft_plain_width(text)), "");
    weft_arena_done(&arena);
}

weft_status weft_report_search(weft_result *result, FILE *out, weft_error *err)
{
    size_t points = weft_result_points(result), width = 5;
    const weft_point *point = NULL;
    for (size_t i = 0; i < points; i++) {
        size_t wide = weft_plain_width(weft_result_key(result, i));
        width = wide > width ? wide : width;
    }
    fprintf(out, "%-*s  %-25s  %-25s  %-25s  %-25s  %12s  %10s\n", (int)width, "point", "worst",
            "mean", "standard deviation", "mean absolute deviation", "matrices", "unsettled");
    for (size_t i = 0; i < points; i++) {
        WEFT_TRY(weft_result_read(result, i, &point, err));
        print_key(out, point->key, width);
        print_number(out, point, "worst");
        print_number(out, point, "throughput");
        print_number(out, point, "deviation");
        print_number(out, point, "absolute-deviation");
        print_count(out, point, "matrices", 12);
        print_count(out, point, "unsettled", 10);
        fputs("\n", out);
    }
    fprintf(out, "(throughput as fraction of the slots of all outputs)\n");
    if (points == 1)
        print_worst(out, point);
    return WEFT_OK;
}

weft_status weft_report_is_search(weft_result *result, bool *is, weft_error *err)
{
    const weft_point *point;
    *is = false;
    if (weft_result_points(result) == 0)
        return WEFT_OK;
    WEFT_TRY(weft_result_read(result, 0, &point, err));
    *is = weft_point_metric(point, "worst", "", "", 0) &&
          weft_point_metric(point, "matrices", "", "", 0);
    return WEFT_OK;
}
