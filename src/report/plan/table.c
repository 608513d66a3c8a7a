/* SPDX-License-Identifier: Apache-2.0 */
/* The table of a plan, and its assumptions. */
#include "report/plan/plan.h"

#include "report/text_table.h"

#include <math.h>
#include <string.h>

enum { NAME, ENDPOINTS, SWITCHES, CABLES, OPTICS, COST, POWER, DIAMETER, HOPS, BISECTION, UNIFORM };
enum { PERMUTATION = UNIFORM + 1, GROUP, UNIT, FRONT, COLUMNS };

static const weft_text_table_column columns[COLUMNS] = {
    [NAME] = {.group = "", .name = "fabric", .unit = "", .left = true},
    [ENDPOINTS] = {.group = "", .name = "endp.", .unit = "", .importance = 70},
    [SWITCHES] = {.group = "", .name = "sw.", .unit = "", .importance = 95},
    [CABLES] = {.group = "", .name = "cables", .unit = "", .importance = 60},
    [OPTICS] = {.group = "", .name = "opt.", .unit = "%", .importance = 88},
    [COST] = {.group = "", .name = "cost", .unit = "/e.", .importance = 98},
    [POWER] = {.group = "", .name = "power", .unit = "W/e.", .importance = 92},
    [DIAMETER] = {.group = "", .name = "dia", .unit = "hops", .importance = 91},
    [HOPS] = {.group = "", .name = "mean", .unit = "hops", .importance = 80},
    [BISECTION] = {.group = "", .name = "bisect", .unit = "", .importance = 50},
    [UNIFORM] = {.group = "bounds", .name = "unif", .unit = "", .importance = 97},
    [PERMUTATION] = {.group = "bounds", .name = "perm", .unit = "", .importance = 96},
    [GROUP] = {.group = "bounds", .name = "grp", .unit = "", .importance = 94},
    [UNIT] = {.group = "", .name = "cost/perm", .unit = "/e.", .importance = 40},
    [FRONT] = {.group = "", .name = "best", .unit = "", .left = true, .importance = 93},
};

static const char letters[WEFT_TRAFFIC_BOUNDS] = {'u', 'p', 'g'};

static void add_row(weft_text_table *grid, const weft_planned *p)
{
    size_t row = weft_text_table_add_row(grid);
    char front[WEFT_TRAFFIC_BOUNDS + 2] = "";
    size_t n = 0;
    uint64_t cables = p->by_medium[WEFT_MEDIUM_COPPER] + p->by_medium[WEFT_MEDIUM_OPTICS];
    double permutation = p->bound[WEFT_TRAFFIC_PERMUTATION];
    for (int b = 0; b < WEFT_TRAFFIC_BOUNDS; b++)
        if (p->front[b])
            front[n++] = letters[b];
    if (p->chosen)
        front[n++] = '*';
    const char *cells[COLUMNS] = {
        [NAME] = p->name,
        [ENDPOINTS] = weft_arena_format(grid->arena, "%u", p->endpoints),
        [SWITCHES] = weft_arena_format(grid->arena, "%u", p->switches),
        [CABLES] = weft_arena_format(grid->arena, "%llu", (unsigned long long)cables),
        [OPTICS] = weft_arena_format(
            grid->arena, "%.0f",
            cables ? 100.0 * (double)p->by_medium[WEFT_MEDIUM_OPTICS] / (double)cables : 0),
        [COST] = weft_arena_format(grid->arena, "%.2f", p->cost / p->endpoints),
        [POWER] = weft_arena_format(grid->arena, "%.1f", p->power / p->endpoints),
        [DIAMETER] = weft_arena_format(grid->arena, "%u", p->diameter),
        [HOPS] = weft_arena_format(grid->arena, "%.2f", p->mean_hops),
        [BISECTION] = weft_arena_format(grid->arena, "%.2f", p->bisection),
        [UNIFORM] = weft_arena_format(grid->arena, "%.2f", p->bound[WEFT_TRAFFIC_UNIFORM]),
        [PERMUTATION] = weft_arena_format(grid->arena, "%.2f", permutation),
        [GROUP] = weft_arena_format(grid->arena, "%.2f", p->bound[WEFT_TRAFFIC_GROUP]),
        [UNIT] = weft_arena_format(grid->arena, "%.2f",
                                   permutation > 0 ? p->cost / p->endpoints / permutation : 0),
        [FRONT] = weft_arena_copy(grid->arena, front, n),
    };
    for (size_t c = 0; c < COLUMNS; c++)
        weft_text_table_set(grid, row, c, cells[c]);
}

/* ---- what was simulated ---- */

enum { S_NAME, S_FULL, S_LATENCY, S_P99, S_FIRST, S_COLUMNS = S_FIRST + WEFT_EXPERIMENTS };

static const weft_text_table_column simulated_columns[S_COLUMNS] = {
    [S_NAME] = {.group = "", .name = "fabric", .unit = "", .left = true},
    /* named by the greatest load */
    [S_FULL] = {.group = "", .unit = "accepted", .importance = 98},
    [S_LATENCY] = {.group = "latency", .name = "low load", .unit = "ns", .importance = 97},
    [S_P99] = {.group = "latency", .name = "p99", .unit = "ns", .importance = 80},
    [S_FIRST + WEFT_EXPERIMENT_PERMUTATION] = {.group = "",
                                               .name = "permut.",
                                               .unit = "accepted",
                                               .importance = 96},
    [S_FIRST + WEFT_EXPERIMENT_INCAST] = {.group = "",
                                          .name = "incast",
                                          .unit = "others",
                                          .importance = 95},
    [S_FIRST + WEFT_EXPERIMENT_ALLREDUCE] = {.group = "bus bandw.",
                                             .name = "allred.",
                                             .unit = "",
                                             .importance = 94},
    [S_FIRST + WEFT_EXPERIMENT_ALL_TO_ALL] = {.group = "bus bandw.",
                                              .name = "to all",
                                              .unit = "",
                                              .importance = 93},
};

const char *weft_shortlist_value(const weft_simulated_value *value, int digits, weft_arena *arena)
{
    double half = (value->hi - value->lo) / 2;
    if (value->value != value->value)
        return "–";
    if (half != half)
        return weft_arena_format(arena, "%.*f", digits, value->value);
    return weft_arena_format(arena, "%.*f±%.*f", digits, value->value, digits, half);
}

static void add_simulated(weft_text_table *grid, const weft_planned *p)
{
    const weft_simulated *s = p->simulated;
    if (s->n_loads == 0)
        return;
    size_t row = weft_text_table_add_row(grid);
    const weft_simulated_load *first = &s->loads[0], *last = &s->loads[s->n_loads - 1];
    weft_text_table_set(grid, row, S_NAME, p->name);
    weft_text_table_set(grid, row, S_FULL, weft_shortlist_value(&last->accepted, 2, grid->arena));
    weft_text_table_set(grid, row, S_LATENCY,
                        weft_shortlist_value(&first->latency, 0, grid->arena));
    if (first->p99 == first->p99)
        weft_text_table_set(grid, row, S_P99, weft_arena_format(grid->arena, "%.0f", first->p99));
    for (size_t e = 0; e < WEFT_EXPERIMENTS; e++)
        weft_text_table_set(grid, row, S_FIRST + e,
                            weft_shortlist_value(&s->of[e], 2, grid->arena));
}

/* "at 1.0": the greatest load that was simulated. */
static const char *name_of_full(const weft_planning *plan, weft_arena *arena)
{
    for (size_t i = 0; i < weft_planning_count(plan); i++) {
        const weft_simulated *s = weft_planning_fabric(plan, i)->simulated;
        double load = s && s->n_loads ? s->loads[s->n_loads - 1].load : NAN;
        if (load == load)
            return weft_arena_format(arena, load < 0.995 ? "at %.2g" : "at %.1f", load);
    }
    return "full load";
}

static void print_simulated(const weft_planning *plan, FILE *out, size_t width, bool colour)
{
    weft_arena arena;
    weft_text_table grid;
    weft_arena_init(&arena);
    weft_text_table_init(&grid, &arena);
    const char *full = name_of_full(plan, &arena);
    for (size_t c = 0; c < S_COLUMNS; c++) {
        weft_text_table_column column = simulated_columns[c];
        column.name = c == S_FULL ? full : column.name;
        weft_text_table_add_column(&grid, &column);
    }
    for (size_t i = 0; i < weft_planning_count(plan); i++)
        if (weft_planning_fabric(plan, i)->simulated)
            add_simulated(&grid, weft_planning_fabric(plan, i));
    if (grid.n_rows > 0) {
        (void)fprintf(out,
                      "\nsimulated, 95 %% intervals; fractions of an endpoint's bandwidth\n\n");
        weft_text_table_fit(&grid, width);
        weft_text_table_print(&grid, out, colour);
        (void)fprintf(out,
                      "\n%s: uniform traffic at the greatest load. permut.: a random "
                      "permutation at full\nload. incast: the part of other traffic, load 0.3, "
                      "that is delivered during one.\n",
                      full);
    }
    weft_text_table_done(&grid);
    weft_arena_done(&arena);
}

/* ---- with parts down ---- */

static void print_faults(const weft_planning *plan, FILE *out, size_t width, bool colour)
{
    enum { F_NAME, F_UNIFORM, F_PERMUTATION, F_REACHABLE, F_CABLES, F_SWITCHES, F_COLUMNS };
    static const weft_text_table_column heads[F_COLUMNS] = {
        [F_NAME] = {.group = "", .name = "fabric", .unit = "", .left = true},
        [F_UNIFORM] = {.group = "bounds", .name = "unif", .unit = "", .importance = 98},
        [F_PERMUTATION] = {.group = "bounds", .name = "perm", .unit = "", .importance = 97},
        [F_REACHABLE] = {.group = "", .name = "reachable", .unit = "of pairs", .importance = 96},
        [F_CABLES] = {.group = "spare", .name = "cables", .unit = "", .importance = 95},
        [F_SWITCHES] = {.group = "spare", .name = "sw.", .unit = "", .importance = 94},
    };
    weft_arena arena;
    weft_text_table grid;
    uint32_t cables, switches, draws = weft_planning_faults(plan, &cables, &switches);
    if (draws == 0)
        return;
    weft_arena_init(&arena);
    weft_text_table_init(&grid, &arena);
    for (size_t c = 0; c < F_COLUMNS; c++)
        weft_text_table_add_column(&grid, &heads[c]);
    for (size_t i = 0; i < weft_planning_count(plan); i++) {
        const weft_planned *p = weft_planning_fabric(plan, i);
        if (p->refused || !p->outage)
            continue;
        size_t row = weft_text_table_add_row(&grid);
        weft_text_table_set(&grid, row, F_NAME, p->name);
        weft_text_table_set(&grid, row, F_UNIFORM,
                            weft_shortlist_value(&p->outage->uniform, 3, &arena));
        weft_text_table_set(&grid, row, F_PERMUTATION,
                            weft_shortlist_value(&p->outage->permutation, 3, &arena));
        weft_text_table_set(&grid, row, F_REACHABLE,
                            weft_shortlist_value(&p->outage->reachable, 4, &arena));
        weft_text_table_set(&grid, row, F_CABLES, weft_arena_format(&arena, "%u", p->spare_cables));
        weft_text_table_set(&grid, row, F_SWITCHES,
                            weft_arena_format(&arena, "%u", p->spare_switches));
    }
    (void)fprintf(out, "\nwith %u cables and %u switches down, means of %u draws\n\n", cables,
                  switches, draws);
    weft_text_table_fit(&grid, width);
    weft_text_table_print(&grid, out, colour);
    weft_text_table_done(&grid);
    weft_arena_done(&arena);
}

static void print_assumptions(const weft_planning *plan, FILE *out)
{
    const weft_assumption *list;
    size_t count = weft_planning_assumptions(plan, &list), used = 0;
    (void)fprintf(out,
                  "\nassumed, since the file does not say (weft describe prices, power, …):\n");
    for (size_t i = 0; i < count; i++) {
        if (!list[i].assumed || strcmp(list[i].value, "none") == 0)
            continue;
        size_t length = strlen(list[i].key) + strlen(list[i].value) + 3;
        if (used + length > 76) {
            (void)fprintf(out, "\n");
            used = 0;
        }
        (void)fprintf(out, "  %s=%s", list[i].key, list[i].value);
        used += length;
    }
    (void)fprintf(out, "\n");
}

void weft_shortlist_table(const weft_planning *plan, FILE *out, size_t width, bool colour)
{
    weft_arena arena;
    weft_text_table grid;
    size_t feasible = 0, count = weft_planning_count(plan);
    bool some = false;
    weft_arena_init(&arena);
    weft_text_table_init(&grid, &arena);
    for (size_t c = 0; c < COLUMNS; c++)
        weft_text_table_add_column(&grid, &columns[c]);
    for (size_t i = 0; i < count; i++)
        if (!weft_planning_fabric(plan, i)->refused) {
            add_row(&grid, weft_planning_fabric(plan, i));
            feasible++;
            some = some || weft_planning_fabric(plan, i)->chosen;
        }
    (void)fprintf(out, "%s%s%zu fabric%s for %u endpoints, by cost\n\n", weft_planning_title(plan),
                  *weft_planning_title(plan) ? ": " : "", feasible, feasible == 1 ? "" : "s",
                  weft_planning_endpoints(plan));
    weft_text_table_fit(&grid, width);
    weft_text_table_print(&grid, out, colour);
    (void)fprintf(
        out,
        "\nsw. switches, opt. optical cables, /e. per endpoint, dia and mean hops between "
        "switches.\nbounds: the load of every endpoint that no routing exceeds: uniform traffic, "
        "the\nworst permutation that cuts and distances show, every group to the next one.\n"
        "best: no fabric that costs no more has a greater bound (u, p, g)%s.\n",
        some ? "; * is simulated" : "");
    if (feasible < count)
        (void)fprintf(out, "%zu more break a constraint (--csv names it).\n", count - feasible);
    print_simulated(plan, out, width, colour);
    print_faults(plan, out, width, colour);
    print_assumptions(plan, out);
    weft_text_table_done(&grid);
    weft_arena_done(&arena);
}
