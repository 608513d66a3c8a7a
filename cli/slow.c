/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/slow.h"

#include "cli/terminal.h"

#include "report/explain/why.h"

/* How slow a point is: times the latency without load; saturated ones are slower than others. */
static double slowness(const weft_point *point)
{
    const weft_metric *latency = weft_point_metric(point, "latency", "", "", 0),
                      *least = weft_point_metric(point, "latency", "", "bound", 0);
    double times = latency && least && least->value > 0 ? latency->value / least->value : 0;
    return times + (point->saturated ? 1e12 : 0);
}

weft_status weft_slow_point(weft_result *result, size_t *found, weft_error *err)
{
    double most = -1;
    *found = 0;
    for (size_t i = 0; i < weft_result_points(result); i++) {
        const weft_point *point;
        WEFT_TRY(weft_result_read(result, i, &point, err));
        if (slowness(point) > most) {
            most = slowness(point);
            *found = i;
        }
    }
    if (weft_result_points(result) > 1)
        fprintf(stderr, "%zu points: the slowest is explained; RESULTS@key=value chooses another\n",
                weft_result_points(result));
    return WEFT_OK;
}

static void show_progress(void *user, const char *what, double share)
{
    weft_progress progress = {.point = 1,
                              .points = 1,
                              .key = what,
                              .share = share,
                              .latency = __builtin_nan(""),
                              .half_width = __builtin_nan("")};
    weft_display_progress(user, &progress);
}

weft_why_options weft_slow_options(weft_display *display)
{
    return (weft_why_options){
        .request = weft_display_request, .progress = show_progress, .user = display};
}

weft_status weft_slow_trace(weft_result *result, const char *what, const char *folder,
                            const weft_catalog *catalog, weft_display *display, weft_error *err)
{
    size_t point;
    weft_traced *traced;
    WEFT_TRY(weft_slow_point(result, &point, err));
    weft_why_options options = weft_slow_options(display);
    options.folder = folder;
    weft_status status = weft_traced_find(result, point, what, catalog, &options, &traced, err);
    weft_display_clear(display);
    if (status == WEFT_OK) {
        weft_terminal_sheet sheet;
        weft_terminal_begin(&sheet);
        weft_explain_traced(traced, sheet.file);
        weft_terminal_end(&sheet);
    }
    weft_traced_destroy(traced);
    return status;
}
