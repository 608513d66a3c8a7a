/* SPDX-License-Identifier: Apache-2.0 */
/* Writes the results files that the browser tests look at, and a page with verdicts:
 *
 *     test_pages FOLDER [big]
 *
 * Numbers are made up by formulas, so that every run writes the same; they look like those of a
 * torus near saturation. test_pages.sh runs it. */
#include "base/arena.h"
#include "base/numeric.h"
#include "base/text.h"
#include "interweft/result.h"
#include "report/save.h"
#include "report/html.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define METRICS_MAX 96
#define PERCENTILES 6

/* A point that is being made up. */
typedef struct builder {
    weft_arena arena;
    weft_point point;
    weft_metric metrics[METRICS_MAX];
    weft_array arrays[8];
    uint64_t noise; /* state of a small generator */
} builder;

/* And where they lie in the distribution that add_histogram draws: t e^−t. */
static const int64_t percentiles[PERCENTILES] = {50000, 90000, 99000, 99900, 99990, 99999};
static const double quantiles[PERCENTILES] = {1.678, 3.890, 6.638, 9.233, 11.756, 14.237};

static void check(weft_status status, const weft_error *err)
{
    if (status == WEFT_OK)
        return;
    fprintf(stderr, "%s\n", err->text);
    exit(1);
}

/* Uniform over −1 … 1. */
static double noise(builder *b)
{
    b->noise = b->noise * 6364136223846793005u + 1442695040888963407u;
    return (double)(b->noise >> 33) / 1073741824.0 - 1;
}

static builder *begin(int seed)
{
    builder *b = calloc(1, sizeof *b);
    if (!b)
        abort();
    weft_arena_init(&b->arena);
    b->noise = (uint64_t)seed * 977 + 13;
    b->point = (weft_point){.verdict = "converged",
                            .key = "",
                            .settings = "",
                            .wall_seconds = 0.7,
                            .peak_bytes = 9 << 20,
                            .metrics = b->metrics,
                            .arrays = b->arrays};
    return b;
}

static void finish(builder *b, weft_result *result)
{
    weft_error err;
    check(weft_result_commit(result, &b->point, &err), &err);
    weft_arena_done(&b->arena);
    free(b);
}

static weft_metric *add(builder *b, const char *name, const char *by, int64_t index, double value,
                        const char *unit, const char *method)
{
    weft_metric *m = &b->metrics[b->point.n_metrics++];
    if (b->point.n_metrics > METRICS_MAX)
        abort();
    *m = (weft_metric){name, "", by, index, value, (double)NAN, (double)NAN, 0, unit, method};
    return m;
}

static void add_estimate(builder *b, const char *name, const char *by, int64_t index, double value,
                         double half, const char *unit)
{
    weft_metric *m = add(b, name, by, index, value, unit, "batch means");
    m->lo = value - half;
    m->hi = value + half;
    m->n = 250000;
}

/* Waiting as in M/D/1, stretched so that it grows without bound at `limit`. */
static double latency_at(double rho, double limit)
{
    double u = rho / limit;
    return 38 + 64 * u * u / (2 * (1 - u));
}

static void add_loads(builder *b, double rho)
{
    add(b, "offered rho", "", 0, rho, "fraction", "setting");
    add(b, "offered load", "", 0, rho / 4, "fraction", "setting");
    add(b, "offered rate", "", 0, rho / 256, "messages/cycle", "setting");
}

static void add_latency(builder *b, double rho, double limit)
{
    double mean = latency_at(rho, limit), half = mean * (0.005 + 0.16 * rho * rho * rho);
    add_estimate(b, "latency", "", 0, mean + half * 0.5 * noise(b), half, "cycles");
    for (int i = 0; i < PERCENTILES; i++) {
        double value = 22 + (mean - 22) / 2 * quantiles[i];
        add_estimate(b, "latency", "percentile", percentiles[i], value * (1 + 0.01 * noise(b)),
                     value * 0.01 * (i + 1), "cycles");
    }
}

/* Counts that fall off exponentially around the mean, with or without noise. */
static void add_histogram(builder *b, const char *name, double mean, bool noisy)
{
    enum { BINS = 320 };
    int64_t *x = WEFT_TAKE(&b->arena, int64_t, BINS), *y = WEFT_TAKE(&b->arena, int64_t, BINS);
    size_t count = 0;
    double spread = (mean - 22) / 2;
    for (int64_t k = 0; k < BINS; k++) {
        double value = 22 + (double)k * mean / 24, t = (value - 22) / spread;
        double share = t * weft_exp(-t) * (noisy ? 1 + 0.06 * noise(b) : 1);
        int64_t packets = (int64_t)(60000 * share);
        if (packets <= 0)
            continue;
        x[count] = (int64_t)value;
        if (count > 0 && x[count] <= x[count - 1])
            continue;
        y[count++] = packets;
    }
    b->arrays[b->point.n_arrays++] = (weft_array){.table = "histogram",
                                                  .name = name,
                                                  .of = "",
                                                  .unit = "cycles",
                                                  .count = count,
                                                  .x = x,
                                                  .y = y};
}

static void add_series(builder *b, const char *name, double level, double factor)
{
    enum { BINS = 200 };
    int64_t *x = WEFT_TAKE(&b->arena, int64_t, BINS), *y = WEFT_TAKE(&b->arena, int64_t, BINS);
    for (int64_t k = 0; k < BINS; k++) {
        double warm = 1 - weft_exp(-(double)k / 9);
        x[k] = 1000 * k;
        y[k] = (int64_t)(level * factor * warm * (1 + 0.05 * noise(b)));
    }
    b->arrays[b->point.n_arrays++] = (weft_array){
        .table = "series", .name = name, .of = "", .unit = "cycles", .count = BINS, .x = x, .y = y};
}

/* Directed links of a torus: a hot spot in the middle, more along the first dimension. */
static void add_torus_links(builder *b, const int *size, int dims, double rho)
{
    static const char axes[] = "xyzw";
    size_t routers = 1;
    for (int d = 0; d < dims; d++)
        routers *= (size_t)size[d];
    size_t ports = 2 * (size_t)dims, i = 0;
    weft_link_row *links = WEFT_TAKE(&b->arena, weft_link_row, routers * ports);
    for (size_t r = 0; r < routers; r++) {
        int at[4];
        size_t rest = r;
        double far = 0;
        for (int d = dims; d-- > 0; rest /= (size_t)size[d]) {
            at[d] = (int)(rest % (size_t)size[d]);
            double off = (at[d] + 0.5) / size[d] - 0.5;
            far += off * off;
        }
        char place[40] = "";
        size_t used = 0;
        for (int d = 0; d < dims; d++)
            used +=
                (size_t)snprintf(place + used, sizeof place - used, "%s%d", d ? "," : "", at[d]);
        for (size_t p = 0; p < ports; p++, i++) {
            double load = rho * (0.55 + 0.75 * weft_exp(-9 * far)) * (p < 2 ? 1.08 : 0.95);
            load *= 1 + 0.05 * noise(b);
            links[i] = (weft_link_row){.index = (int64_t)i,
                                       .busy = (int64_t)(200000 * (load < 1 ? load : 1)),
                                       .span = 200000};
            links[i].name =
                weft_arena_format(&b->arena, "(%s)%c%c", place, p % 2 ? '-' : '+', axes[p / 2]);
        }
    }
    b->point.links = links;
    b->point.n_links = i;
}

static weft_result *create(const char *folder, const char *name, const char *title,
                           const char *scenario)
{
    char *path = weft_text_format("%s/%s.weft", folder, name);
    weft_result *result;
    weft_error err;
    check(weft_result_create(path, title, scenario, true, &result, &err), &err);
    free(path);
    return result;
}

#define SCENARIO                                                                                   \
    "interweft: 1\ntitle: Selection on a 16x16 torus\ntopology: {kind: torus, dims: [16, 16]}\n"   \
    "routing: {kind: minimal-adaptive, selection: diagonal}\ntraffic:\n  all: {pattern: uniform, " \
    "length: 16 flits, rho: 0.3}\nvary:\n  traffic.all.rho: {from: 0.05, to: 0.90, step: 0.05}\n"  \
    "  routing.selection: [dimension-order, random, diagonal]\n"

static const struct {
    const char *name;
    double limit;
} selections[] = {{"diagonal", 0.99}, {"dimension-order", 0.83}, {"random", 0.91}};

static void sweep_point(weft_result *result, int s, int step, double gain)
{
    static const int size[] = {16, 16};
    builder *b = begin(100 * s + step);
    double rho = 0.05 * step, limit = selections[s].limit * gain;
    b->point.key = weft_arena_format(&b->arena, "routing.selection=%s traffic.all.rho=%.2f",
                                     selections[s].name, rho);
    b->point.settings = weft_arena_format(
        &b->arena,
        "interweft: 1\ntopology:\n  kind: torus\n  dims: [16, 16]\nrouting:\n"
        "  kind: minimal-adaptive\n  selection: %s\ntraffic:\n  all:\n    rho: %.2f\n",
        selections[s].name, rho);
    b->point.saturated = rho >= limit;
    add_loads(b, rho);
    double carried = rho < limit ? rho : limit - 0.02;
    add_estimate(b, "accepted", "", 0, carried / 4, 0.0007, "fraction");
    add_estimate(b, "utilisation", "", 0, carried, 0.003, "fraction");
    add_estimate(b, "cut-through", "", 0, 1 - carried * 0.8, 0.004, "fraction");
    add_estimate(b, "hops", "", 0, 8.03, 0.01, "hops");
    add(b, "accepted", "bound", 0, 0.245, "fraction", "bound: bisection");
    add(b, "latency", "bound", 0, 34, "cycles", "bound: empty network");
    if (rho < 0.985)
        add(b, "latency", "model", 0, latency_at(rho, 1.0), "cycles", "model: M/D/1");
    if (b->point.saturated) {
        b->point.verdict = "saturated";
        add(b, "latency", "", 0, 5000 * rho, "cycles",
            "saturated: grows with the length of the run");
    } else {
        add_latency(b, rho, limit);
        add_histogram(b, "latency", latency_at(rho, limit), true);
        add_histogram(b, "latency model", latency_at(rho, 1.0), false);
    }
    if (step % 6 == 0) {
        add_series(b, "delivered", 1000 * carried, 1);
        add_series(b, "latency sum", 1000 * carried,
                   b->point.saturated ? 5000 : latency_at(rho, limit));
        add_series(b, "population", 900 * carried, 1);
        add_torus_links(b, size, 2, carried);
    }
    finish(b, result);
}

static void write_sweep(const char *folder, const char *name, double gain)
{
    weft_result *result = create(folder, name, "Selection on a 16×16 torus", SCENARIO);
    for (int s = 0; s < 3; s++)
        for (int step = 1; step <= 18; step++)
            sweep_point(result, s, step, gain);
    weft_result_close(result);
}

static void write_matrix(const char *folder)
{
    enum { SIDE = 64 };
    weft_result *result =
        create(folder, "matrix", "Packets between 64 endpoints", "interweft: 1\n");
    builder *b = begin(5);
    int64_t *y = WEFT_TAKE(&b->arena, int64_t, SIDE * SIDE);
    for (int i = 0; i < SIDE * SIDE; i++) {
        int row = i / SIDE, column = i % SIDE, apart = abs(row - column);
        double near = weft_exp(-apart / 9.0) + (row / 16 == column / 16 ? 0.5 : 0.05);
        y[i] = row == column ? 0 : (int64_t)(900 * near * (1 + 0.15 * noise(b)));
    }
    b->arrays[0] = (weft_array){.table = "matrix",
                                .name = "packets",
                                .of = "",
                                .unit = "packets",
                                .count = SIDE * SIDE,
                                .y = y,
                                .columns = SIDE};
    b->point.n_arrays = 1;
    add_loads(b, 0.4);
    finish(b, result);
    weft_result_close(result);
}

static void add_link(builder *b, weft_link_row *links, const char *from, const char *to,
                     double load)
{
    size_t i = b->point.n_links++;
    links[i] =
        (weft_link_row){.index = (int64_t)i, .busy = (int64_t)(1000000 * load), .span = 1000000};
    links[i].name = weft_arena_format(&b->arena, "%s:p%zu->%s", from, i % 40, to);
    b->point.links = links;
}

/* 50 groups of 20 routers, a cable between every two groups. */
static void write_dragonfly(const char *folder)
{
    enum { GROUPS = 50, ROUTERS = 20 };
    weft_result *result =
        create(folder, "dragonfly", "A dragonfly of 1,000 routers", "interweft: 1\n");
    builder *b = begin(6);
    weft_link_row *links =
        WEFT_TAKE(&b->arena, weft_link_row, GROUPS * ROUTERS * (ROUTERS - 1) + GROUPS * GROUPS);
    char from[16], to[16];
    for (int g = 0; g < GROUPS; g++) {
        for (int i = 0; i < ROUTERS * ROUTERS; i++) {
            (void)snprintf(from, sizeof from, "g%dr%d", g, i / ROUTERS);
            (void)snprintf(to, sizeof to, "g%dr%d", g, i % ROUTERS);
            if (i / ROUTERS != i % ROUTERS)
                add_link(b, links, from, to, (g % 7 == 3 ? 0.45 : 0.12) * (1 + 0.6 * noise(b)));
        }
        for (int h = 0; h < GROUPS; h++) {
            (void)snprintf(from, sizeof from, "g%dr%d", g, h % ROUTERS);
            (void)snprintf(to, sizeof to, "g%dr%d", h, g % ROUTERS);
            if (h != g)
                add_link(b, links, from, to,
                         (h == g + 1 ? 0.95 : 0.35) * (1 + 0.3 * noise(b)) / 1.3);
        }
    }
    add_loads(b, 0.4);
    add_latency(b, 0.4, 1);
    finish(b, result);
    weft_result_close(result);
}

static void write_cube(const char *folder)
{
    static const int size[] = {10, 10, 10};
    weft_result *result = create(folder, "cube", "A 10×10×10 torus", "interweft: 1\n");
    builder *b = begin(7);
    add_loads(b, 0.6);
    add_latency(b, 0.6, 1);
    add_torus_links(b, size, 3, 0.6);
    finish(b, result);
    weft_result_close(result);
}

static void write_tree(const char *folder)
{
    weft_result *result = create(folder, "tree", "Leaves and spines", "interweft: 1\n");
    builder *b = begin(8);
    weft_link_row *links = WEFT_TAKE(&b->arena, weft_link_row, 2 * 24 * 8);
    char leaf[16], spine[16];
    for (int i = 0; i < 24 * 8; i++) {
        (void)snprintf(leaf, sizeof leaf, "leaf%d", i / 8);
        (void)snprintf(spine, sizeof spine, "spine%d", i % 8);
        add_link(b, links, leaf, spine, 0.4 + 0.3 * noise(b));
        add_link(b, links, spine, leaf, (i % 8 == 2 ? 0.9 : 0.4) + 0.1 * noise(b));
    }
    add_loads(b, 0.4);
    finish(b, result);
    weft_result_close(result);
}

#define EVIL \
    "<img src=x onerror=\"window.pwned=1\"></script><script>window.pwned=1;alert(1)</script>"

/* Markup and scripts wherever a results file has a text. */
static void write_hostile(const char *folder)
{
    static const int64_t numbers[] = {1, 2, 3, 4};
    weft_result *result = create(folder, "hostile", EVIL "${window.pwned=1}{{pwned}} <!--",
                                 "interweft: 1\n# " EVIL "\n");
    for (int i = 0; i < 6; i++) {
        builder *b = begin(i);
        b->point.key =
            weft_arena_format(&b->arena, "%s traffic.all.rho=0.%d",
                              i % 2 ? "a.b='" EVIL "'" : "a.b=\"javascript:alert(1)\"", i + 1);
        b->point.settings = "host: " EVIL "\n\x01\xff\xe2\x80\xa8]]>&lt;script&gt;\n";
        b->point.verdict = EVIL;
        add_loads(b, 0.1 * (i + 1));
        add_latency(b, 0.1 * (i + 1), 1);
        add(b, "accepted", "", 0, 0.1 * i, EVIL, EVIL);
        add(b, "latency", "model", 0, 50, "cycles", "model: " EVIL);
        weft_metric *m = add(b, EVIL, EVIL, 7, INFINITY, EVIL, EVIL);
        m->of = EVIL;
        add(b, "__proto__", "constructor", -1, 1, "toString", "=cmd|'/c calc'!A1");
        b->arrays[0] = (weft_array){"matrix", EVIL, EVIL, EVIL, 4, NULL, numbers, 2};
        b->arrays[1] = (weft_array){"series", EVIL, "", EVIL, 4, numbers, numbers, 0};
        b->arrays[2] = (weft_array){"histogram", "latency", "", EVIL, 4, numbers, numbers, 0};
        b->point.n_arrays = 3;
        weft_link_row *links = WEFT_TAKE(&b->arena, weft_link_row, 40);
        for (int k = 0; k < 40; k++)
            add_link(b, links, k % 2 ? "<svg/onload=pwned=1>" : "<b>h1</b>",
                     k % 3 ? "&lt;i&gt;" : "</script>", 0.02 * k);
        finish(b, result);
    }
    weft_result_close(result);
}

/* 100 curves of 100 points, and the links of a 160×160 torus. */
static void write_big(const char *folder)
{
    static const int size[] = {160, 160};
    weft_result *result = create(folder, "big", "Ten thousand points", "interweft: 1\n");
    for (int c = 0; c < 100; c++)
        for (int k = 0; k < 100; k++) {
            builder *b = begin(c * 100 + k);
            double rho = 0.009 * (k + 1), limit = 0.75 + 0.003 * c;
            b->point.key =
                weft_arena_format(&b->arena, "router.buffer=%d traffic.all.rho=%.3f", c, rho);
            b->point.settings =
                weft_arena_format(&b->arena,
                                  "interweft: 1\nrouter:\n  buffer: %d\ntraffic:\n  all:\n"
                                  "    rho: %.3f\n    length: 16 flits\nseed: 1\n",
                                  c, rho);
            b->point.saturated = rho >= limit - 0.006;
            add_loads(b, rho);
            for (int m = 0; m < 20; m++)
                add_estimate(b, "packets", "hops", m, 1000 * rho * (1 + noise(b)), 10 + noise(b),
                             "packets");
            add_estimate(b, "accepted", "", 0, (rho < limit ? rho : limit) / 4 + 0.001 * noise(b),
                         0.001, "fraction");
            if (!b->point.saturated)
                add_latency(b, rho, limit);
            if (k % 10 == 0 && !b->point.saturated)
                add_histogram(b, "latency", latency_at(rho, limit), true);
            if (c == 50 && k == 50)
                add_torus_links(b, size, 2, rho);
            finish(b, result);
        }
    weft_result_close(result);
}

static void write_verdicts(const char *folder)
{
    static const weft_report_verdict verdicts[] = {
        {"rexford-shin/fig7", "latency", "selection=diagonal rho=0.3", 41.31, 41.1, 41.5, 41.4,
         "z rules", "agrees", "", "reference simulation", ""},
        {"rexford-shin/fig7", "cut-through", "selection=diagonal rho=0.6", 0.52, 0.515, 0.525, 0.58,
         "z rules", "disagrees", "their router decides one cycle later", "document", ""},
        {"rexford-shin/fig8", "ordering", "", (double)NAN, (double)NAN, (double)NAN, (double)NAN,
         "ordering", "agrees", "", "document", "diagonal is best"},
        {"rexford-shin/fig8", "latency", "rho=0.95", 977, 950, 1004, (double)NAN, "not claimed",
         "not claimed", "no value is given", "document", ""},
    };
    char *path = weft_text_format("%s/sweep.weft", folder),
         *html = weft_text_format("%s/verdicts.html", folder);
    weft_result *result;
    weft_error err;
    weft_save file;
    check(weft_result_open(path, &result, &err), &err);
    const char *const names[] = {"sweep.weft"};
    weft_report_page page = {.title = "Reproduction of rexford-shin",
                             .n_results = 1,
                             .results = &result,
                             .names = names,
                             .n_verdicts = sizeof verdicts / sizeof *verdicts,
                             .verdicts = verdicts};
    check(weft_save_begin(&file, html, &err), &err);
    check(weft_save_end(&file, weft_report_html(&page, weft_save_write, &file, &err), &err), &err);
    weft_result_close(result);
    free(path);
    free(html);
}

int main(int argc, char **argv)
{
    if (argc < 2)
        return 2;
    const char *folder = argv[1];
    if (argc > 2) {
        write_big(folder);
        return 0;
    }
    write_sweep(folder, "sweep", 1);
    write_sweep(folder, "other", 0.93);
    write_matrix(folder);
    write_dragonfly(folder);
    write_cube(folder);
    write_tree(folder);
    write_hostile(folder);
    write_verdicts(folder);
    return 0;
}
