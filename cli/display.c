/* SPDX-License-Identifier: Apache-2.0 */
/* Progress for people: one line that is redrawn on a terminal, one line per ten seconds elsewhere.
 * Ctrl-C and SIGTERM ask the study to stop, SIGUSR1 for a checkpoint; what is committed stays. */
#include "cli/command.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#define NARROW 40 /* a table has no sense in less */

static volatile sig_atomic_t interrupted, asked; /* what a signal handler may set */

static void interrupt(int number)
{
    if (number == SIGUSR1)
        asked = 1;
    else
        interrupted = 1;
}

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

void weft_display_init(weft_display *display, bool quiet)
{
    *display = (weft_display){.terminal = isatty(STDERR_FILENO) == 1, .quiet = quiet};
    display->began = display->last = seconds();
}

void weft_display_heed(void)
{
    struct sigaction action = {.sa_handler = interrupt};
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    sigaction(SIGUSR1, &action, NULL);
}

weft_request weft_display_request(void *user)
{
    (void)user;
    if (interrupted)
        return WEFT_REQUEST_STOP;
    if (!asked)
        return WEFT_REQUEST_NONE;
    asked = 0;
    return WEFT_REQUEST_CHECKPOINT;
}

size_t weft_display_width(size_t elsewhere)
{
    struct winsize size;
    if (isatty(STDOUT_FILENO) == 1 && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 &&
        size.ws_col >= NARROW)
        return size.ws_col;
    const char *columns = getenv("COLUMNS");
    long width = columns ? strtol(columns, NULL, 10) : 0;
    return width >= NARROW ? (size_t)width : elsewhere;
}

void weft_display_clear(weft_display *display)
{
    if (display->drawn)
        fputs("\r\033[K", stderr);
    display->drawn = false;
}

/* "36 points, 2 at a time" */
void weft_display_begins(void *user, const weft_outline *outline)
{
    const weft_display *display = user;
    size_t all = outline->there + outline->missing;
    if (display->quiet || all == 1 || outline->members > 1)
        return;
    if (outline->missing == 0) {
        fprintf(stderr, "all %zu points are there already\n", all);
        return;
    }
    fprintf(stderr, "%zu point%s", outline->missing, outline->missing == 1 ? "" : "s");
    if (outline->at_once > 1)
        fprintf(stderr, ", %u at a time", outline->at_once);
    else if (outline->missing > 1)
        fprintf(stderr, ", one at a time");
    if (outline->again > 0)
        fprintf(stderr, "; %zu of them again, for a narrower half-width or another limit",
                outline->again);
    if (outline->there > 0)
        fprintf(stderr, "; %zu %s there already", outline->there,
                outline->there == 1 ? "is" : "are");
    fputc('\n', stderr);
}

static void draw(weft_display *display, const weft_progress *progress)
{
    char line[256];
    int used = snprintf(line, sizeof line, "point %zu of %zu", progress->point, progress->points);
    if (progress->done + 1 != progress->point && used > 0)
        used += snprintf(line + used, sizeof line - (size_t)used, " (%zu done)", progress->done);
    if (used > 0)
        used += snprintf(line + used, sizeof line - (size_t)used, "  %3.0f %%  %.3g packets",
                         100 * progress->share, progress->packets);
    if (!isnan(progress->latency) && used > 0 && (size_t)used < sizeof line)
        used += snprintf(line + used, sizeof line - (size_t)used, "  latency %.4g ± %.2g",
                         progress->latency, progress->half_width);
    if (progress->key[0] && used > 0 && (size_t)used < sizeof line)
        (void)snprintf(line + used, sizeof line - (size_t)used, "  %.60s", progress->key);
    if (display->terminal)
        fprintf(stderr, "\r\033[K%.118s", line);
    else
        fprintf(stderr, "%s\n", line);
    display->drawn = display->terminal;
}

void weft_display_progress(void *user, const weft_progress *progress)
{
    weft_display *display = user;
    double now = seconds();
    if (!display->quiet && now - display->last >= (display->terminal ? 0.2 : 10)) {
        display->last = now;
        draw(display, progress);
    }
}

void weft_display_finished(void *user, const weft_point *point)
{
    weft_display *display = user;
    if (strncmp(point->verdict, "saturated: memory", 17) == 0) {
        weft_display_clear(display);
        fprintf(stderr, "%s%s%s\n", point->key, point->key[0] ? ": " : "", point->verdict);
    }
}

void weft_display_notice(void *user, const char *text)
{
    weft_display_clear(user);
    fprintf(stderr, "%s\n", text);
}
