/* SPDX-License-Identifier: Apache-2.0 */
#include "study/monitor.h"

#include "base/memory.h"

#include <assert.h>
#include <stdlib.h>

void weft_monitor_init(weft_monitor *monitor, size_t points)
{
    *monitor = (weft_monitor){.lock = PTHREAD_MUTEX_INITIALIZER, .points = points};
}

void weft_monitor_done(weft_monitor *monitor)
{
    free(monitor->running);
    (void)pthread_mutex_destroy(&monitor->lock);
}

static struct weft_monitor_row *row_of(weft_monitor *monitor, size_t i)
{
    size_t k = 0;
    while (k < monitor->n_running && monitor->running[k].point != i)
        k++;
    return k < monitor->n_running ? &monitor->running[k] : NULL;
}

void weft_monitor_begin(weft_monitor *monitor, size_t i, double seconds)
{
    pthread_mutex_lock(&monitor->lock);
    size_t count = ++monitor->n_running;
    monitor->running = weft_realloc(monitor->running, count, sizeof *monitor->running);
    monitor->running[count - 1] = (struct weft_monitor_row){.point = i, .seconds = seconds};
    pthread_mutex_unlock(&monitor->lock);
}

void weft_monitor_end(weft_monitor *monitor, size_t i)
{
    pthread_mutex_lock(&monitor->lock);
    struct weft_monitor_row *row = row_of(monitor, i);
    assert(row);
    *row = monitor->running[--monitor->n_running];
    pthread_mutex_unlock(&monitor->lock);
}

void weft_monitor_count(weft_monitor *monitor, double seconds)
{
    pthread_mutex_lock(&monitor->lock);
    monitor->worked += seconds;
    monitor->done++;
    pthread_mutex_unlock(&monitor->lock);
}

/* The part of the work that is done; 0: nothing is known of it. */
static double whole(const weft_monitor *monitor)
{
    double worked = monitor->worked;
    for (size_t k = 0; k < monitor->n_running; k++)
        worked += monitor->running[k].seconds * monitor->running[k].share;
    return monitor->work > 0 ? worked / monitor->work : 0;
}

void weft_monitor_tell(weft_monitor *monitor, const weft_study_options *options,
                       weft_progress *progress)
{
    if (!options->progress)
        return;
    pthread_mutex_lock(&monitor->lock);
    struct weft_monitor_row *row = row_of(monitor, progress->point - 1);
    if (row)
        row->share = progress->share;
    progress->points = monitor->points;
    progress->done = monitor->done;
    progress->running = monitor->spread ? 0 : monitor->n_running;
    progress->whole = whole(monitor);
    options->progress(options->user, progress);
    pthread_mutex_unlock(&monitor->lock);
}

void weft_monitor_hold(weft_monitor *monitor)
{
    pthread_mutex_lock(&monitor->lock);
}

void weft_monitor_release(weft_monitor *monitor)
{
    pthread_mutex_unlock(&monitor->lock);
}

unsigned weft_monitor_wishes(weft_monitor *monitor)
{
    pthread_mutex_lock(&monitor->lock);
    unsigned wishes = monitor->wishes;
    pthread_mutex_unlock(&monitor->lock);
    return wishes;
}

weft_request weft_monitor_ask(weft_monitor *monitor, const weft_study_options *options,
                              unsigned *seen)
{
    if (!options->request)
        return WEFT_REQUEST_NONE;
    pthread_mutex_lock(&monitor->lock);
    weft_request request = options->request(options->user);
    monitor->wishes += request == WEFT_REQUEST_CHECKPOINT;
    if (request == WEFT_REQUEST_NONE && *seen != monitor->wishes)
        request = WEFT_REQUEST_CHECKPOINT; /* that another has heard */
    *seen = monitor->wishes;
    pthread_mutex_unlock(&monitor->lock);
    return request;
}

void weft_monitor_notice(weft_monitor *monitor, const weft_study_options *options, const char *text)
{
    if (!options->notice)
        return;
    pthread_mutex_lock(&monitor->lock);
    options->notice(options->user, text);
    pthread_mutex_unlock(&monitor->lock);
}
