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

static const char *const experiments[WEFT_EXPERIMENTS] = {
    "random_permutation", "others_during_incast", "allreduce", "all_to_all"};

static void put_known(FILE *out, double value)
{
    if (value == value)
        put(out, value);
    else
        (void)fprintf(out, ",");
}

static void put_value(FILE *out, const weft_simulated_value *value)
{
    put_known(out, value->value);
    put_known(out, value->lo);
    put_known(out, value->hi);
}

/* The last point of the curve, the latency of its first, and the other experiments. */
static void put_simulated(const weft_simulated *s, FILE *out)
{
    if (!s || s->n_loads == 0) {
        for (int i = 0; i < 8 + 3 * WEFT_EXPERIMENTS; i++)
            (void)fprintf(out, ",");
        return;
    }
    put_known(out, s->loads[s->n_loads - 1].load);
    put_value(out, &s->loads[s->n_loads - 1].accepted);
    put_known(out, s->loads[0].load);
    put_value(out, &s->loads[0].latency);
    for (int e = 0; e < WEFT_EXPERIMENTS; e++)
        put_value(out, &s->of[e]);
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
    (void)fprintf(out, ",spare_cables,spare_switches,faulty_uniform,faulty_uniform_lo,"
                       "faulty_uniform_hi,faulty_permutation,faulty_permutation_lo,"
                       "faulty_permutation_hi,reachable,reachable_lo,reachable_hi");
    (void)fprintf(out, ",minimal_uniform,minimal_group,simulated,accepted_at,accepted,accepted_lo,"
                       "accepted_hi,latency_at,latency,latency_lo,latency_hi");
    for (int e = 0; e < WEFT_EXPERIMENTS; e++)
        (void)fprintf(out, ",%s,%s_lo,%s_hi", experiments[e], experiments[e], experiments[e]);
    (void)fprintf(out, "\n");
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
    (void)fprintf(out, ",%u,%u", p->spare_cables, p->spare_switches);
    if (p->outage) {
        put_value(out, &p->outage->uniform);
        put_value(out, &p->outage->permutation);
        put_value(out, &p->outage->reachable);
    } else {
        (void)fprintf(out, ",,,,,,,,,");
    }
    for (int b = 0; b < WEFT_TRAFFIC_BOUNDS; b += WEFT_TRAFFIC_GROUP) {
        put_known(out, p->minimal[b] > 0 ? p->minimal[b] : __builtin_nan(""));
    }
    (void)fprintf(out, ",%d", p->chosen);
    put_simulated(p->simulated, out);
    (void)fprintf(out, "\n");
}

void weft_shortlist_csv(const weft_planning *plan, FILE *out)
{
    const double *lengths;
    size_t n_lengths = weft_planning_lengths(plan, &lengths);
    put_head(plan, out);
    for (size_t i = 0; i < weft_planning_count(plan); i++)
        put_row(weft_planning_fabric(plan, i), n_lengths, out);
}
