/* SPDX-License-Identifier: Apache-2.0 */
#include "random/laws.h"

#include <math.h>
#include <string.h>

#define ROUNDING 1e-9
#define ERRORS   6    /* standard errors that chance is given */
#define NEAR     0.03 /* of a latency: what the few that meet each other add */
#define SLACK    0.1  /* of bounds, for runs of some hundred packets */

/* Messages: fewer say nothing of means, or of what builds up at one link of many. */
enum { FEW = 400, MANY = 5000 };

typedef struct court {
    const weft_point *point;
    weft_text *said;
} court;

/* A metric of the whole network; NaN: there is none. */
static double value_of(const court *at, const char *name, const char *by)
{
    const weft_metric *metric = weft_point_metric(at->point, name, "", by, 0);
    return metric ? metric->value : NAN;
}

static double or_zero(double value)
{
    return isnan(value) ? 0 : value;
}

static bool broken(const court *at, const char *law, double a, double b)
{
    weft_text_add(at->said, "%s: %.17g and %.17g (%s)\n", law, a, b, at->point->verdict);
    return false;
}

static bool nothing_lost(const court *at)
{
    double made = value_of(at, "generated", "");
    double sum = or_zero(value_of(at, "delivered", "")) + or_zero(value_of(at, "in flight", "")) +
                 or_zero(value_of(at, "waiting", "")) + or_zero(value_of(at, "lost", ""));
    return isnan(made) || made == sum || broken(at, "messages are not conserved", made, sum);
}

/* Loads of ports: of what waits in an output buffer it is not known whose VC it is. */
static bool is_share(const court *at, const weft_metric *metric)
{
    static const char *const names[] = {"cut-through", "loss",          "fairness",
                                        "in time",     "guarantee met", "time share"};
    bool share =
        strcmp(metric->name, "link utilisation") == 0 ||
        (strcmp(metric->name, "port load") == 0 && !strstr(at->point->settings, "output-buffer"));
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        share = share || strcmp(metric->name, names[i]) == 0;
    return share && strcmp(metric->unit, "fraction") == 0;
}

/* What is lost may have been generated before the time that is measured. */
static bool may_exceed(const court *at, const weft_metric *metric)
{
    return strcmp(metric->name, "loss") == 0 &&
           (metric->n < FEW || strstr(at->point->verdict, "warming up"));
}

static bool metrics_sound(const court *at)
{
    const weft_metric *before = NULL;
    for (size_t i = 0; i < at->point->n_metrics; i++) {
        const weft_metric *m = &at->point->metrics[i];
        if (isinf(m->value))
            return broken(at, m->name, m->value, 0);
        if (is_share(at, m) && !may_exceed(at, m) &&
            (m->value < -ROUNDING || m->value > 1 + ROUNDING))
            return broken(at, m->name, m->value, 1);
        double width = fabs(m->value) * ROUNDING;
        if (m->lo > m->value + width || m->hi < m->value - width)
            return broken(at, "an interval does not hold its value", m->value, m->lo);
        bool next = before && strcmp(m->by, "percentile") == 0 && m->index > before->index &&
                    strcmp(m->name, before->name) == 0 && strcmp(m->of, before->of) == 0 &&
                    strcmp(before->by, "percentile") == 0;
        if (next && m->value < before->value)
            return broken(at, "percentiles fall", before->value, m->value);
        before = m;
    }
    return true;
}

static bool time_goes_on(const court *at)
{
    for (size_t i = 0; i < at->point->n_arrays; i++) {
        const weft_array *array = &at->point->arrays[i];
        for (size_t k = 1; array->x && k < array->count; k++)
            if (array->x[k] <= array->x[k - 1])
                return broken(at, "time or edges do not rise", (double)array->x[k - 1],
                              (double)array->x[k]);
    }
    for (size_t i = 0; i < at->point->n_links; i++)
        if (at->point->links[i].busy < 0 || at->point->links[i].busy > at->point->links[i].span)
            return broken(at, "a link is busier than time", (double)at->point->links[i].busy,
                          (double)at->point->links[i].span);
    return value_of(at, "time", "") > 0 ||
           broken(at, "no time has passed", value_of(at, "time", ""), 0);
}

/* Less than nine tenths of what is offered arrives: what is under way grows and grows older. */
static bool grows(const court *at)
{
    return value_of(at, "accepted", "") < 0.9 * value_of(at, "offered load", "");
}

/* N = λT. What is under way at either end of the measured time is counted on one side only:
 * as many messages as at the end and twice the mean, each for as long as the slowest. */
static bool little(const court *at)
{
    const weft_metric *latency = weft_point_metric(at->point, "latency", "", "", 0);
    const weft_metric *most = weft_point_metric(at->point, "latency", "", "percentile", 99999);
    double span = value_of(at, "time", "") - or_zero(value_of(at, "warm-up", ""));
    double population = value_of(at, "population", "");
    if (!latency || !most || at->point->saturated || grows(at) || latency->n < FEW ||
        isnan(population) || or_zero(value_of(at, "lost", "")) > 0 ||
        strstr(at->point->settings, "backlog:")) /* it waits during the warm-up, too */
        return true;
    double ends = or_zero(value_of(at, "in flight", "")) + or_zero(value_of(at, "waiting", "")) +
                  2 * population + 2;
    double sum = (double)latency->n * latency->value, slack = ends * most->value * 1.1;
    bool holds = fabs(population * span - sum) <= slack + sum * NEAR;
    return holds || broken(at, "N is not λT", population * span, sum);
}

/* What is carried whole does not exceed the bound. */
static bool below_bound(const court *at)
{
    const weft_metric *accepted = weft_point_metric(at->point, "accepted", "", "", 0);
    double bound = value_of(at, "accepted", "bound"), offered = value_of(at, "offered load", "");
    if (!accepted || accepted->n < MANY || isnan(bound) || isnan(accepted->lo) ||
        accepted->value < offered * 0.98 || strcmp(at->point->verdict, "converged") != 0)
        return true;
    return accepted->lo <= bound * (1 + SLACK) ||
           broken(at, "more is carried than the bound allows", accepted->lo, bound);
}

/* Several may not have come in their proportions yet. */
static bool has_classes(const weft_point *point)
{
    for (size_t i = 0; i < point->n_metrics; i++)
        if (*point->metrics[i].of)
            return true;
    return false;
}

/* What came first, or comes at all while more is offered than carried, came from nearby. */
static bool far_is_missing(const court *at)
{
    return strstr(at->point->verdict, "warming up") ||
           strstr(at->point->settings, "overload: true");
}

/* Latency beside that of an empty network; its standard error is that of independent messages.
 * Sizes of data centres and classes are left out: some hundred messages may lack the few that make
 * up their mean. What waits at the beginning is not alone. */
static bool zero_load(const court *at, bool light)
{
    const weft_metric *latency = weft_point_metric(at->point, "latency", "", "", 0);
    const weft_metric *alone = weft_point_metric(at->point, "latency", "", "bound", 0);
    double deviation = or_zero(value_of(at, "latency deviation", ""));
    if (!latency || !alone || strcmp(alone->method, "bound: zero load") != 0 || latency->n < 100 ||
        strstr(at->point->settings, "kind: empirical"))
        return true;
    double error = ERRORS * deviation / sqrt((double)latency->n);
    double near = alone->value * (light ? NEAR : SLACK);
    if (latency->n >= FEW && !has_classes(at->point) && !far_is_missing(at) &&
        latency->value < alone->value - error - near)
        return broken(at, "faster than an empty network", latency->value, alone->value);
    bool several = has_classes(at->point) && latency->n < MANY;
    if (!light || several || strstr(at->point->settings, "backlog:"))
        return true;
    return fabs(latency->value - alone->value) <= error + near ||
           broken(at, "alone in the network, but not as fast", latency->value, alone->value);
}

bool laws_hold(const weft_point *point, bool light, weft_text *said)
{
    court at = {.point = point, .said = said};
    return nothing_lost(&at) && metrics_sound(&at) && time_goes_on(&at) && little(&at) &&
           below_bound(&at) && zero_load(&at, light);
}
