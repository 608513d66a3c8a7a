/* SPDX-License-Identifier: Apache-2.0 */
/* The monitor: which points are running, how far each is, and what a signal has asked of all of
 * them. Points that run side by side share it; the caller's progress is told under its lock, so
 * never twice at once. */
#ifndef WEFT_STUDY_MONITOR_H
#define WEFT_STUDY_MONITOR_H

#include "interweft/study.h"

#include <pthread.h>

typedef struct weft_monitor {
    pthread_mutex_t lock;
    size_t points, done; /* of the grid */
    double work, worked; /* estimated seconds of what this call is to run, and has run */
    size_t n_running;
    struct weft_monitor_row {
        size_t point;
        double seconds, share;
    } * running;
    unsigned wishes; /* for checkpoints so far */
    bool spread;     /* points run elsewhere too, unseen */
} weft_monitor;

void weft_monitor_init(weft_monitor *monitor, size_t points);
void weft_monitor_done(weft_monitor *monitor);

/* Point i is begun here, with its estimate (0: none), and later ended. */
void weft_monitor_begin(weft_monitor *monitor, size_t i, double seconds);
void weft_monitor_end(weft_monitor *monitor, size_t i);
/* A point with this estimate is finished, here or elsewhere. */
void weft_monitor_count(weft_monitor *monitor, double seconds);
/* Keeps progress silent while something else is told. */
void weft_monitor_hold(weft_monitor *monitor);
void weft_monitor_release(weft_monitor *monitor);
/* Fills in what the monitor knows of all points and tells the caller. */
void weft_monitor_tell(weft_monitor *monitor, const weft_study_options *options,
                       weft_progress *progress);
/* Wishes so far: what begins now has heard of them. */
unsigned weft_monitor_wishes(weft_monitor *monitor);
/* What the caller wants of the one who asks; *seen is how many wishes it has heard of. */
weft_request weft_monitor_ask(weft_monitor *monitor, const weft_study_options *options,
                              unsigned *seen);
/* Tells the caller a sentence. */
void weft_monitor_notice(weft_monitor *monitor, const weft_study_options *options,
                         const char *text);

#endif
