/* SPDX-License-Identifier: Apache-2.0 */
/* Progress for people: one line that is redrawn on a terminal, one line per ten seconds elsewhere.
 * Ctrl-C and SIGTERM ask the study to stop, SIGUSR1 for a checkpoint; what is committed stays. */
#include "cli/command.h"

#include <math.h>
#include <signal.h>
#include <stdarg.h>
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

/* Columns of the terminal that a file is; 0: it is none. */
static size_t terminal_width(int fd)
{
    struct winsize size;
    bool known = isatty(fd) == 1 && ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_col >= NARROW;
    return known ? size.ws_col : 0;
}

size_t weft_display_width(size_t elsewhere)
{
    size_t known = terminal_width(STDOUT_FILENO);
    if (known > 0)
        return known;
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

/* A line for people, as it grows. */
typedef struct line {
    char text[512];
    size_t used;
} line;

static void add(line *to, const char *format, ...) WEFT_PRINTF(2, 3);
static void add(line *to, const char *format, ...)
{
    va_list rest;
    va_start(rest, format);
    int length = vsnprintf(to->text + to->used, sizeof to->text - to->used, format, rest);
    va_end(rest);
    size_t room = sizeof to->text - 1 - to->used;
    to->used += length > 0 && (size_t)length < room ? (size_t)length : length > 0 ? room : 0;
}

static void add_span(line *to, double time)
{
    const char *unit = time < 100 ? "s" : time < 6000 ? "min" : "h";
    add(to, "%.0f %s", time < 100 ? time : time < 6000 ? time / 60 : time / 3600, unit);
}

/* "12 of 36 points done, 2 running, 22 left", or how far the only one is. */
static void add_points(line *to, const weft_progress *progress)
{
    if (progress->points == 1 && !(progress->load > 0)) {
        add(to, "%.0f %%", 100 * progress->share);
    } else if (progress->points > 1) {
        add(to, "%zu of %zu points done", progress->done, progress->points);
        if (progress->running > 0)
            add(to, ", %zu running, %zu left", progress->running,
                progress->points - progress->done - progress->running);
    }
}

/* How long it has taken, and will take if estimates are right. */
static void add_times(line *to, const weft_progress *progress, double elapsed)
{
    double whole = progress->whole > 0     ? progress->whole
                   : progress->points == 1 ? progress->share
                                           : 0;
    add(to, "%s", to->used ? "  " : "");
    add_span(to, elapsed);
    if (progress->load > 0 || !(whole > 0.01) || whole >= 1)
        return;
    add(to, ", about ");
    add_span(to, elapsed * (1 - whole) / whole);
    add(to, " left");
}

static void add_point(line *to, const weft_progress *progress)
{
    if (progress->load > 0)
        add(to, "  tries load %.4g, saturation in %.4g … %.4g", progress->load, progress->stable,
            progress->unstable);
    else if (isfinite(progress->latency))
        add(to, "  latency %.4g", progress->latency);
    if (isfinite(progress->latency) && isfinite(progress->half_width) && !(progress->load > 0))
        add(to, " ± %.2g", progress->half_width);
    if (progress->key[0])
        add(to, "  %s", progress->key);
}

/* Cuts a text to so many characters, which may have several bytes. */
static void cut(char *text, size_t width)
{
    for (; *text; text++)
        if (((unsigned char)*text & 0xC0) != 0x80 && width-- == 0)
            *text-- = '\0';
}

static void draw(weft_display *display, const weft_progress *progress, double elapsed)
{
    line made = {.used = 0};
    add_points(&made, progress);
    add_times(&made, progress, elapsed);
    add_point(&made, progress);
    size_t width = terminal_width(STDERR_FILENO);
    cut(made.text, (width ? width : WEFT_DISPLAY_WIDE) - 1);
    if (display->terminal)
        fprintf(stderr, "\r\033[K%s", made.text);
    else
        fprintf(stderr, "%s\n", made.text);
    display->drawn = display->terminal;
}

void weft_display_progress(void *user, const weft_progress *progress)
{
    weft_display *display = user;
    double now = seconds();
    if (!display->quiet && now - display->last >= (display->terminal ? 0.2 : 10)) {
        display->last = now;
        draw(display, progress, now - display->began);
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
