/* SPDX-License-Identifier: Apache-2.0 */
/* Critical paths as text. */
#include "report/explain/explain.h"

#include "report/plain.h"
#include "report/vary.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { WORST = 5, STOPS = 8, LINKS = 3, NAME_MAX = 40, WIDE = 78 };

static const char *const labels[WEFT_EXPLAIN_PARTS] = {
    "compute", "overhead of messages", "injection behind others", "network at zero load",
    "waiting in the network"};

static double percent(double part, double whole)
{
    return whole > 0 ? 100 * part / whole : 0;
}

static void print_shares(const weft_explain_job *job, FILE *out)
{
    fprintf(out, "  %-26s %14s %7s %8s\n", "critical path", job->unit, "%", "steps");
    for (int p = 0; p < WEFT_EXPLAIN_PARTS; p++) {
        fprintf(out, "  %-26s %14.8g %7.1f", labels[p], job->part[p],
                percent(job->part[p], job->completion));
        if (p != WEFT_EXPLAIN_WAITING)
            fprintf(out, " %8lld", (long long)job->n[p]);
        fputc('\n', out);
    }
}

static int64_t waited(const weft_explain_step *step)
{
    return step->zero_load >= 0 ? step->until - step->from - step->zero_load : 0;
}

/* The messages that waited longest, the earlier first of equals. */
static size_t find_worst(const weft_explain_job *job, const weft_explain_step *worst[WORST])
{
    size_t count = 0;
    for (size_t i = 0; i < job->n_steps; i++) {
        const weft_explain_step *step = &job->steps[i];
        if (step->part != WEFT_EXPLAIN_NETWORK || waited(step) <= 0)
            continue;
        size_t place = count;
        while (place > 0 && waited(step) > waited(worst[place - 1]))
            place--;
        if (place == WORST)
            continue;
        count += count < WORST;
        memmove(worst + place + 1, worst + place, (count - place - 1) * sizeof *worst);
        worst[place] = step;
    }
    return count;
}

static const char *link_name(const weft_explain_link *link, weft_arena *arena)
{
    return weft_plain_text(arena, link->name, strlen(link->name), NAME_MAX);
}

/* "240 at 2": how long one of its packets waited, and for which link of the list. */
static void print_wait(const weft_explain_job *job, const weft_explain_step *step, FILE *out)
{
    const weft_explain_wait *wait = job->waits ? &job->waits[step - job->steps] : NULL;
    if (wait && wait->link >= 0 && wait->link < STOPS)
        fprintf(out, " %10.6g at %lld", (double)wait->ticks * job->tick, (long long)wait->link + 1);
}

static void print_path_links(const weft_explain_job *job, weft_arena *arena, FILE *out)
{
    if (job->n_links == 0)
        return;
    fprintf(out, "\n  links at which packets of the messages of this path waited longest\n");
    fprintf(out, "     %14s %9s\n", job->unit, "messages");
    for (size_t i = 0; i < job->n_links && i < STOPS; i++)
        fprintf(out, "  %2zu %14.8g %9lld  %s\n", i + 1, job->links[i].wait,
                (long long)job->links[i].messages, link_name(&job->links[i], arena));
}

static void print_worst(const weft_explain_job *job, FILE *out)
{
    const weft_explain_step *worst[WORST + 1];
    size_t count = find_worst(job, worst);
    if (count == 0)
        return;
    fprintf(out, "\n  messages of this path that waited longest, in %s\n", job->unit);
    fprintf(out, "  %6s %6s %10s %12s %10s %10s %10s%s\n", "from", "to", "bytes", "sent at", "took",
            "zero load", "waited", job->waits ? " longest at" : "");
    for (size_t i = 0; i < count; i++) {
        const weft_explain_step *s = worst[i];
        fprintf(out, "  %6lld %6lld %10lld %12.8g %10.6g %10.6g %10.6g", (long long)s->rank,
                (long long)s->to, (long long)s->size, (double)s->from * job->tick,
                (double)(s->until - s->from) * job->tick, (double)s->zero_load * job->tick,
                (double)waited(s) * job->tick);
        print_wait(job, s, out);
        fputc('\n', out);
    }
}

static void print_step(const weft_explain_job *job, const weft_explain_step *s, FILE *out)
{
    fprintf(out, "  %12.8g %12.6g  ", (double)s->from * job->tick,
            (double)(s->until - s->from) * job->tick);
    if (s->part == WEFT_EXPLAIN_COMPUTE)
        fprintf(out, "rank %lld computes\n", (long long)s->rank);
    else if (s->part == WEFT_EXPLAIN_OVERHEAD)
        fprintf(out, "rank %lld handles a message\n", (long long)s->rank);
    else if (s->part == WEFT_EXPLAIN_INJECTION)
        fprintf(out, "rank %lld sends earlier bytes\n", (long long)s->rank);
    else if (s->size > 0)
        fprintf(out, "message of %lld B from rank %lld to rank %lld\n", (long long)s->size,
                (long long)s->rank, (long long)s->to);
    else
        fprintf(out, "request or answer from rank %lld to rank %lld\n", (long long)s->rank,
                (long long)s->to);
}

static void print_steps(const weft_explain_job *job, size_t steps, FILE *out)
{
    size_t first = job->n_steps > steps ? job->n_steps - steps : 0;
    if (first == job->n_steps)
        return;
    fprintf(out, "\n  %s %zu of %zu steps\n", first ? "the last" : "all", job->n_steps - first,
            job->n_steps);
    fprintf(out, "  %12s %12s  what, in %s\n", "at", "took", job->unit);
    for (size_t i = first; i < job->n_steps; i++)
        print_step(job, &job->steps[i], out);
}

static void print_job(const weft_explain_job *job, size_t steps, weft_arena *arena, FILE *out)
{
    fprintf(out, "\njob %s: %u ranks, %.8g %s\n\n",
            weft_plain_text(arena, job->name, strlen(job->name), NAME_MAX), job->ranks,
            job->completion, job->unit);
    if (job->n_steps > 0) {
        print_shares(job, out);
        print_worst(job, out);
        print_path_links(job, arena, out);
        print_steps(job, steps, out);
    } else {
        fprintf(out, "  no critical path: record it with measure.timeline=operations, and a\n"
                     "  measure.timeline-limit that is not below the number of operations; a job\n"
                     "  without operations has none\n");
    }
    if (!isnan(job->compute))
        fprintf(out,
                "\n  the mean rank computes for %.1f %% of this time, handles messages for "
                "%.1f %%\n",
                100 * job->compute, 100 * job->overhead);
}

static int busiest_first(const void *a, const void *b)
{
    const weft_link_row *const *x = a, *const *y = b;
    if ((*x)->busy != (*y)->busy)
        return (*x)->busy > (*y)->busy ? -1 : 1;
    return (*x)->index < (*y)->index ? -1 : (*x)->index > (*y)->index;
}

/* last: the tick in which the last rank ended. With other traffic links are counted for longer. */
static void print_links(const weft_point *point, int64_t last, weft_arena *arena, FILE *out)
{
    const weft_link_row **links = WEFT_TAKE(arena, const weft_link_row *, point->n_links + 1);
    for (size_t i = 0; i < point->n_links; i++)
        links[i] = &point->links[i];
    qsort(links, point->n_links, sizeof *links, busiest_first);
    bool beside = weft_point_metric(point, "offered load", "", "", 0) ||
                  (point->n_links && links[0]->busy > last);
    for (size_t i = 0; last > 0 && i < point->n_links && i < LINKS && links[i]->busy > 0; i++) {
        if (i == 0)
            fprintf(out, "\nbusiest links, %s\n",
                    beside ? "of the whole run" : "until the last rank ended");
        fprintf(out, "  %-*s %5.1f %%\n", NAME_MAX,
                weft_plain_text(arena, links[i]->name, strlen(links[i]->name), NAME_MAX),
                percent((double)links[i]->busy, (double)(beside ? links[i]->span : last)));
    }
}

/* "topology dragonfly, size 1 MiB": what tells the point from the others. */
static void print_key(const weft_vary *vary, const weft_point *point, weft_arena *arena, FILE *out)
{
    weft_key_part part;
    size_t column = 0;
    for (size_t i = 0; i < vary->n_settings; i++) {
        if (!vary->settings[i].varies || !weft_vary_part(vary, i, point->key, &part))
            continue;
        const weft_vary_setting *setting = &vary->settings[i];
        const char *name = weft_plain_path(vary->paths, vary->n_settings, i);
        const char *item = weft_arena_format(
            arena, "%s %s%s%s", weft_plain_text(arena, name, strlen(name), WIDE),
            weft_vary_text(vary, i, &part, arena), setting->numeric && *setting->unit ? " " : "",
            setting->numeric ? setting->unit : "");
        size_t width = weft_plain_width(item);
        bool wraps = column > 0 && column + 2 + width > WIDE;
        fprintf(out, "%s%s", column == 0 ? "\n" : wraps ? ",\n" : ", ", item);
        column = (column == 0 || wraps ? 0 : column + 2) + width;
    }
    if (column > 0)
        fputc('\n', out);
}

/* Do its settings have jobs, whether or not one completed? */
static bool point_has_jobs(const weft_point *point)
{
    return strstr(point->settings, "\njobs:") != NULL;
}

/* False: no job completed. */
static bool print_point(const weft_vary *vary, const weft_point *point, size_t steps,
                        weft_arena *arena, FILE *out)
{
    size_t count;
    int64_t last = 0;
    const weft_explain_job *jobs = weft_explain_jobs(point, arena, &count);
    if (count > 0 || point_has_jobs(point))
        print_key(vary, point, arena, out);
    if (count == 0 && point_has_jobs(point))
        fprintf(out, "no job has completed: %s\n",
                weft_plain_text(arena, point->verdict, strlen(point->verdict), 200));
    if (count == 0)
        return false;
    for (size_t j = 0; j < count; j++) {
        print_job(&jobs[j], steps, arena, out);
        for (uint32_t r = 0; jobs[j].ends && r < jobs[j].ranks; r++)
            last = jobs[j].ends[r] > last ? jobs[j].ends[r] : last;
    }
    print_links(point, last, arena, out);
    return true;
}

bool weft_explain_has_jobs(weft_result *result)
{
    bool any = false;
    for (size_t i = 0; i < weft_result_points(result) && !any; i++) {
        const weft_point *point;
        weft_error ignored;
        weft_arena arena;
        size_t count = 0;
        weft_arena_init(&arena);
        if (weft_result_read(result, i, &point, &ignored) == WEFT_OK) {
            (void)weft_explain_jobs(point, &arena, &count);
            any = count > 0 || point_has_jobs(point);
        }
        weft_arena_done(&arena);
    }
    return any;
}

weft_status weft_explain_print(weft_result *result, size_t steps, FILE *out, weft_error *err)
{
    const char *title = weft_result_title(result);
    bool any = false;
    weft_arena arena;
    weft_status status = WEFT_OK;
    weft_vary *vary = weft_vary_create(&result, 1);
    weft_arena_init(&arena);
    if (*title)
        fprintf(out, "%s\n", weft_plain_text(&arena, title, strlen(title), 80));
    for (size_t i = 0; i < weft_result_points(result) && status == WEFT_OK; i++) {
        const weft_point *point;
        status = weft_result_read(result, i, &point, err);
        any = status == WEFT_OK ? print_point(vary, point, steps, &arena, out) || any : any;
    }
    weft_vary_destroy(vary);
    weft_arena_done(&arena);
    if (status == WEFT_OK && !any)
        status = weft_fail(err, WEFT_BAD_INPUT,
                           "%s has no completed jobs: weft explain tells what decided their ends",
                           weft_result_path(result));
    return status;
}
