/* SPDX-License-Identifier: Apache-2.0 */
#include "compare/metrics.h"

#include "base/digits.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const weft_metric usual[] = {
    {.name = "latency", .of = "", .by = ""},
    {.name = "latency", .of = "", .by = "percentile", .index = 99000},
    {.name = "accepted", .of = "", .by = ""},
};
#define USUAL (sizeof usual / sizeof *usual)

const weft_metric *weft_compare_metric_usual(size_t i)
{
    return i < USUAL ? &usual[i] : NULL;
}

bool weft_compare_metric_same(const weft_metric *a, const weft_metric *b)
{
    return a->index == b->index && strcmp(a->name, b->name) == 0 && strcmp(a->of, b->of) == 0 &&
           strcmp(a->by, b->by) == 0;
}

static bool is_exact(const weft_metric *m)
{
    return strncmp(m->method, "exact", 5) == 0 || strcmp(m->method, "as printed") == 0;
}

bool weft_compare_metric_estimated(const weft_metric *m)
{
    return isfinite(m->lo) && isfinite(m->hi);
}

bool weft_compare_metric_known(const weft_metric *m)
{
    return is_exact(m) || weft_compare_metric_estimated(m);
}

const char *weft_compare_metric_label(weft_arena *arena, const weft_metric *m)
{
    const char *comma = *m->of ? ", " : "";
    bool latency = strcmp(m->name, "latency") == 0;
    if (strcmp(m->by, "percentile") == 0)
        return weft_arena_format(arena, "%s%sp%.10g%s%s", latency ? "" : m->name,
                                 latency ? "" : " ", (double)m->index / 1000, comma, m->of);
    if (*m->by && m->index == 0)
        return weft_arena_format(arena, "%s %s%s%s", m->name, m->by, comma, m->of);
    if (*m->by)
        return weft_arena_format(arena, "%s by %s %lld%s%s", m->name, m->by, (long long)m->index,
                                 comma, m->of);
    return weft_arena_format(arena, "%s%s%s", m->name, comma, m->of);
}

/* "p99.9" is a percentile of the latency. */
static bool is_percentile(const weft_metric *m, const char *name)
{
    char *end;
    if (*name != 'p' || strcmp(m->name, "latency") != 0 || strcmp(m->by, "percentile") != 0)
        return false;
    double percent = weft_digits_read(name + 1, &end);
    return percent > 0 && percent < 100 && !*end && (int64_t)(1000 * percent + 0.5) == m->index;
}

/* By its name, or as tables show it. */
static bool has_name(const weft_metric *m, const char *name)
{
    weft_arena arena;
    if ((strcmp(m->name, name) == 0 && !*m->by) || is_percentile(m, name))
        return true;
    weft_arena_init(&arena);
    bool same = strcmp(weft_compare_metric_label(&arena, m), name) == 0;
    weft_arena_done(&arena);
    return same;
}

static bool is_named(const weft_metric *m, const char *const *names)
{
    for (; *names; names++)
        if (has_name(m, *names))
            return true;
    return false;
}

static bool is_usual(const weft_metric *m)
{
    for (size_t i = 0; i < USUAL; i++)
        if (weft_compare_metric_same(m, &usual[i]))
            return true;
    return is_exact(m) && !*m->by;
}

bool weft_compare_metric_wanted(const weft_metric *m, const weft_compare_options *options)
{
    if (strcmp(m->by, "model") == 0 || strcmp(m->by, "bound") == 0)
        return false;
    if (options->all)
        return weft_compare_metric_known(m);
    return options->metrics && options->metrics[0] ? is_named(m, options->metrics) : is_usual(m);
}
