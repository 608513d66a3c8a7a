/* SPDX-License-Identifier: Apache-2.0 */
/* A plan as CSV: one line a fabric. Names and sentences are our own and have no quotes. */
#include "report/plan/plan.h"

#include "base/digits.h"

static const char *const bounds[WEFT_TRAFFIC_BOUNDS] = {"uniform", "permutation", "group"};

static void put(FILE *out, double value)
{
    char text[WEFT_DIGITS_TEXT];
    (void)fprintf(out, ",%s", weft_digits_short(text, value));
}

static void put_head(const weft_planning *plan, FILE *out)
{
    const double *lengths;
    size_t n_lengths = weft_planning_lengths(plan, &lengths);
    (void)fprintf(out, "fabric,family,refused,endpoints,switches,routers,ports,racks,network_racks,"
                       "rows,copper,optics,metres,longest");
    for (int medium = 0; medium < WEFT_MEDIA; medium++)
        for (size_t i = 0; i <= n_lengths; i++) {
            (void)fprintf(out, ",%s_", medium ? "optics" : "copper");
            if (i < n_lengths)
                (void)fprintf(out, "%g", lengths[i]);
            else
                (void)fprintf(out, "longer");
        }
    (void)fprintf(out, ",cost,cost_switches,cost_cables,cost_racks,power,diameter,mean_hops,"
                       "bisection");
    for (int b = 0; b < WEFT_TRAFFIC_BOUNDS; b++)
        (void)fprintf(out, ",%s,%s_by,cost_per_%s,front_%s", bounds[b], bounds[b], bounds[b],
                      bounds[b]);
    (void)fprintf(out, ",minimal_uniform,minimal_group,simulated\n");
}

static void put_row(const weft_planned *p, size_t n_lengths, FILE *out)
{
    (void)fprintf(out, "%s,%s,\"%s\",%u,%u,%u,%u,%u,%u,%u,%llu,%llu", p->name, p->family,
                  p->refused ? p->refused : "", p->endpoints, p->switches, p->routers, p->ports,
                  p->racks, p->network_racks, p->rows,
                  (unsigned long long)p->by_medium[WEFT_MEDIUM_COPPER],
                  (unsigned long long)p->by_medium[WEFT_MEDIUM_OPTICS]);
    put(out, p->metres);
    put(out, p->longest);
    for (int medium = 0; medium < WEFT_MEDIA; medium++)
        for (size_t i = 0; i <= n_lengths; i++)
            (void)fprintf(out, ",%llu", (unsigned long long)p->cables[i][medium]);
    const double values[] = {p->cost, p->cost_switches, p->cost_cables, p->cost_racks, p->power};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        put(out, values[i]);
    (void)fprintf(out, ",%u", p->diameter);
    put(out, p->mean_hops);
    put(out, p->bisection);
    for (int b = 0; b < WEFT_TRAFFIC_BOUNDS; b++) {
        put(out, p->bound[b]);
        (void)fprintf(out, ",%s", p->why[b]);
        put(out, p->bound[b] > 0 ? p->cost / (p->bound[b] * p->endpoints) : 0);
        (void)fprintf(out, ",%d", p->front[b]);
    }
    for (int b = 0; b < WEFT_TRAFFIC_BOUNDS; b += WEFT_TRAFFIC_GROUP) {
        (void)fprintf(out, p->minimal[b] > 0 ? "" : ",");
        if (p->minimal[b] > 0)
            put(out, p->minimal[b]);
    }
    (void)fprintf(out, ",%d\n", p->chosen);
}

void weft_shortlist_csv(const weft_planning *plan, FILE *out)
{
    const double *lengths;
    size_t n_lengths = weft_planning_lengths(plan, &lengths);
    put_head(plan, out);
    for (size_t i = 0; i < weft_planning_count(plan); i++)
        put_row(weft_planning_fabric(plan, i), n_lengths, out);
}
