/* SPDX-License-Identifier: Apache-2.0 */
/* The parameters of the file of weft study. Keys whose maps hold paths of scenarios (set, vary,
 * series, only) stand apart. */
#include "config/evaluation/evaluation.h"

#include <string.h>

#define NO_MORE 0, 0, NULL, NULL
#define END          \
    {                \
        .name = NULL \
    }
#define SEEDS_MOST 10000

static const char *const log_names[] = {"auto", "none", "x", "y", "both", NULL};

static const weft_param scenario_params[] = {
    {"seeds", "runs of every point of this scenario, if not as many as the file says",
     WEFT_PARAM_INT, offsetof(weft_scenario_entry, seeds), "none", 1, SEEDS_MOST, NULL, NULL},
    END};
static const char *const scenario_apart[] = {"scenario", "set", "vary", "series", NULL};
static const weft_table scenario_table = {.name = "scenarios",
                                          .brief = "what is simulated, by names of your own",
                                          .params = scenario_params,
                                          .apart = scenario_apart,
                                          .named = true};

#define IN_EXHIBIT(member) offsetof(weft_exhibit, member)
#define TITLES                                                                               \
    {                                                                                        \
        "title", "over it; by default its name", WEFT_PARAM_TEXT, IN_EXHIBIT(title), "none", \
        NO_MORE},                                                                            \
    {                                                                                        \
        "caption", "text below it", WEFT_PARAM_TEXT, IN_EXHIBIT(caption), "none", NO_MORE    \
    }

static const weft_param figure_params[] = {
    TITLES,
    {"x",
     "axis: a setting that varies, or load, rho, rate, accepted; by default a load that varies",
     WEFT_PARAM_TEXT, IN_EXHIBIT(x), "none", NO_MORE},
    {"y", "quantity that is drawn: mean, p99, accepted, hops …; CLASS.p99 of a traffic class",
     WEFT_PARAM_TEXT, IN_EXHIBIT(y), "none", NO_MORE},
    {"log", "logarithmic axes; auto: y where values span more than a factor of 20",
     WEFT_PARAM_CHOICE, IN_EXHIBIT(log), "auto", 0, 0, log_names, NULL},
    {"size", "of the picture, such as 800x500 (pixels) or 8.5cm x 6cm", WEFT_PARAM_TEXT,
     IN_EXHIBIT(size), "none", NO_MORE},
    {"legend", "right, below or none", WEFT_PARAM_TEXT, IN_EXHIBIT(legend), "none", NO_MORE},
    END};
static const char *const figure_apart[] = {"of", "only", "curves", NULL};
static const weft_table figure_table = {
    .name = "figures",
    .brief = "what is drawn, by names of your own; a curve for each combination of what else "
             "varies",
    .params = figure_params,
    .apart = figure_apart,
    .named = true};

static const weft_param table_params[] = {TITLES, END};
static const char *const table_apart[] = {"of", "only", "columns", NULL};
static const weft_table table_table = {
    .name = "tables",
    .brief = "tables of the page, by names of your own; by default one of all points",
    .params = table_params,
    .apart = table_apart,
    .named = true};

#define IN_ALL(member) offsetof(weft_evaluation_settings, member)
static const weft_param params[] = {
    {"interweft-study", "version of this language", WEFT_PARAM_INT, IN_ALL(version), NULL, 1, 1,
     NULL, NULL},
    {"title", "of the page", WEFT_PARAM_TEXT, IN_ALL(title), "", NO_MORE},
    {"about", "text below the title", WEFT_PARAM_TEXT, IN_ALL(about), "none", NO_MORE},
    {"seeds",
     "runs of every point, with the seeds 1, 2, …; from 2 on, values are their means with "
     "intervals "
     "by Student's t; with 1 the scenario's own seed holds, and the intervals of the runs",
     WEFT_PARAM_INT, IN_ALL(seeds), "1", 1, SEEDS_MOST, NULL, NULL},
    END};
static const char *const apart[] = {"set", "vary", "series", NULL};
static const weft_table *const tables[] = {&scenario_table, &figure_table, &table_table, NULL};
const weft_table weft_table_evaluation = {.name = "a study",
                                          .brief = "the file of weft study",
                                          .params = params,
                                          .tables = tables,
                                          .apart = apart};

bool weft_evaluation_has_table(const weft_table *table)
{
    return table == &weft_table_evaluation || table == &scenario_table || table == &figure_table ||
           table == &table_table;
}

const char *weft_evaluation_apart_brief(const char *key)
{
    static const struct {
        const char *key, *brief;
    } briefs[] = {
        {"scenario", "the name of a scenario file, relative to this one, or a whole scenario as a "
                     "map; required"},
        {"set", "settings by path, {router.vcs: 4, …}, of every point; at the top of the file: of "
                "every scenario"},
        {"series", "settings by path that belong together, by names of your own: {minimal: "
                   "{routing.kind: …}, …}; every combination with what varies is run"},
        {"of", "names of scenarios, [torus, mesh]; by default all"},
        {"only", "values by path, {routing.selection: [random, diagonal]}: other points are left "
                 "out; also of series"},
        {"curves", "only curves whose names hold all words of an item, in this order"},
        {"columns", "quantities of a table, [accepted, mean, p99]; all: every one there is"},
    };
    for (size_t i = 0; i < sizeof briefs / sizeof *briefs; i++)
        if (strcmp(briefs[i].key, key) == 0)
            return briefs[i].brief;
    return NULL;
}
