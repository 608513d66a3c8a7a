/* SPDX-License-Identifier: Apache-2.0 */
/* Progress for people: one line that is redrawn on a terminal, one line per ten seconds elsewhere.
 * Ctrl-C and SIGTERM ask the study to stop, SIGUSR1 for a checkpoint; what is committed stays. */
#include "base/file.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/terminal.h"

#include <assert.h>
#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

/* A signal handler sets them, any thread asks for them. */
static atomic_bool interrupted, asked, unread;

static_assert(ATOMIC_BOOL_LOCK_FREE == 2, "a signal handler waits for no lock");

static void interrupt(int number)
{
    if (number == SIGUSR1)
        asked = true;
    else
        interrupted = true;
}

static void note_pipe(int number)
{
    (void)number;
    unread = true;
}

/* ---- work that reports no steps ---- */

static volatile sig_atomic_t waited, shows; /* seconds; 1: on a terminal, 2: elsewhere */
enum { SHOWN_FROM = 2, SHOWN_EVERY = 10 };

/* Only what a signal handler may do. */
static void tell_waiting(int number)
{
    static const char words[] = "examining routes and bounds: ";
    char text[sizeof words + 24];
    size_t length = 0;
    int at = (int)++waited, saved = errno;
    (void)number;
    if (shows == 1 ? at < SHOWN_FROM : at % SHOWN_EVERY != 0)
        return;
    if (shows == 1)
        text[length++] = '\r';
    memcpy(text + length, words, sizeof words - 1);
    length += sizeof words - 1;
    int unit = 1;
    while (at / unit >= 10)
        unit *= 10;
    for (; unit > 0; unit /= 10)
        text[length++] = (char)('0' + at / unit % 10);
    text[length++] = ' ';
    text[length++] = 's';
    if (shows != 1)
        text[length++] = '\n';
    ssize_t written = write(STDERR_FILENO, text, length);
    (void)written;
    errno = saved;
}

static void set_timer(time_t every)
{
    const struct itimerval timer = {.it_interval.tv_sec = every, .it_value.tv_sec = every};
    (void)setitimer(ITIMER_REAL, &timer, NULL);
}

void weft_display_wait(void)
{
    struct sigaction action = {.sa_handler = tell_waiting, .sa_flags = SA_RESTART};
    waited = 0;
    shows = isatty(STDERR_FILENO) == 1 ? 1 : 2;
    sigaction(SIGALRM, &action, NULL);
    set_timer(1);
}

void weft_display_waited(void)
{
    set_timer(0);
    if (shows == 1 && waited >= SHOWN_FROM)
        fputs("\r\033[K", stderr);
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
    struct sigaction hangup; /* of the terminal; nohup has it ignored */
    if (sigaction(SIGHUP, NULL, &hangup) == 0 && hangup.sa_handler != SIG_IGN)
        sigaction(SIGHUP, &action, NULL);
    sigaction(SIGUSR1, &action, NULL);
    struct sigaction pipe; /* whoever reads the progress may go away */
    if (sigaction(SIGPIPE, NULL, &pipe) == 0 && pipe.sa_handler != SIG_IGN) {
        action.sa_handler = note_pipe;
        sigaction(SIGPIPE, &action, NULL);
    }
}

void weft_display_quit_unread(void)
{
    if (!unread)
        return;
    (void)signal(SIGPIPE, SIG_DFL);
    (void)raise(SIGPIPE);
}

weft_request weft_display_request(void *user)
{
    (void)user;
    if (interrupted)
        return WEFT_REQUEST_STOP;
    if (!asked)
        return WEFT_REQUEST_NONE;
    asked = false;
    return WEFT_REQUEST_CHECKPOINT;
}

size_t weft_display_width(size_t elsewhere)
{
    size_t known = weft_terminal_width(STDOUT_FILENO);
    if (known > 0)
        return known;
    const char *columns = getenv("COLUMNS");
    long width = columns ? strtol(columns, NULL, 10) : 0;
    return width >= WEFT_TERMINAL_NARROW ? (size_t)width : elsewhere;
}

void weft_display_clear(weft_display *display)
{
    if (display->drawn)
        fputs("\r\033[K", stderr);
    display->drawn = false;
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
    line to = {.used = 0};
    add(&to, "%zu point%s", outline->missing, outline->missing == 1 ? "" : "s");
    if (outline->at_once > 1)
        add(&to, ", %u at a time", outline->at_once);
    else if (outline->missing > 1)
        add(&to, ", one at a time");
    if (outline->again > 0)
        add(&to, "; %zu of them again, for a narrower half-width or another limit", outline->again);
    if (outline->changed > 0)
        add(&to, "; %zu of them again, as their settings have changed or they had failed",
            outline->changed);
    if (outline->there > 0)
        add(&to, "; %zu %s there already", outline->there, outline->there == 1 ? "is" : "are");
    weft_terminal_tell("%s\n", to.text);
}

const char *weft_display_span(double seconds, char text[24])
{
    const char *unit = seconds < 100 ? "s" : seconds < 6000 ? "min" : "h";
    double factor = seconds < 100 ? 1 : seconds < 6000 ? 60 : 3600;
    (void)snprintf(text, 24, "%.0f %s", seconds / factor, unit);
    return text;
}

static void add_span(line *to, double time)
{
    char text[24];
    add(to, "%s", weft_display_span(time, text));
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

/* What a search tries at the moment. */
static void print_search(line *to, const weft_progress *progress, bool brief)
{
    add(to, "  tries %s%.4g", brief ? "" : "load ", progress->load);
    add(to, "%s in %.4g … %.4g", brief ? "" : ", saturation", progress->stable, progress->unstable);
}

/* The latency so far, as many decimals as its half-width has with two digits. */
static void print_latency(line *to, const weft_progress *progress, bool brief)
{
    bool known = isfinite(progress->half_width) && progress->half_width > 0 && !brief;
    double digits = known ? progress->half_width : progress->latency / 100;
    int decimals = 0;
    for (; digits < 10 && decimals < 6; digits *= 10)
        decimals++;
    add(to, "  latency %.*f", decimals, progress->latency);
    if (known)
        add(to, " ± %.*f", decimals, progress->half_width);
}

static void print_key(line *to, const weft_progress *progress, bool brief)
{
    (void)brief;
    if (progress->key[0])
        add(to, "  %s", progress->key);
}

/* Characters of a text, which may have several bytes. */
static size_t characters(const char *text)
{
    size_t count = 0;
    for (; *text; text++)
        count += ((unsigned char)*text & 0xC0) != 0x80;
    return count;
}

/* A part of the line is there whole, in brief, or not at all. */
static void add_part(line *to, size_t width, const weft_progress *progress,
                     void (*print)(line *to, const weft_progress *progress, bool brief))
{
    for (int brief = 0; brief <= 1; brief++) {
        line tried = *to;
        print(&tried, progress, brief);
        if (characters(tried.text) <= width) {
            *to = tried;
            return;
        }
    }
}

static void draw(weft_display *display, const weft_progress *progress, double elapsed)
{
    line made = {.used = 0};
    size_t known = weft_terminal_width(STDERR_FILENO);
    size_t width = (known ? known : WEFT_DISPLAY_WIDE) - 1;
    add_points(&made, progress);
    add_times(&made, progress, elapsed);
    if (progress->load > 0)
        add_part(&made, width, progress, print_search);
    else if (isfinite(progress->latency))
        add_part(&made, width, progress, print_latency);
    add_part(&made, width, progress, print_key);
    if (display->terminal)
        fprintf(stderr, "\r\033[K%s", made.text);
    else
        fprintf(stderr, "%s\n", made.text);
    display->drawn = display->terminal;
}

void weft_display_line(weft_display *display, const char *text)
{
    double now = seconds();
    if (display->quiet || now - display->last < (display->terminal ? 0.2 : 10))
        return;
    display->last = now;
    size_t width = weft_terminal_width(STDERR_FILENO);
    if (display->terminal)
        fprintf(stderr, "\r\033[K%.*s", width ? (int)width - 1 : WEFT_DISPLAY_WIDE, text);
    else
        fprintf(stderr, "%s\n", text);
    display->drawn = display->terminal;
}

/* "3 of 8 0.37 12.5": points done, the part of the work, seconds. A disk that is full is noticed
 * by whoever writes results. */
static void tell_part(weft_display *display, size_t done, size_t points, double whole, double now)
{
    weft_error ignored;
    char text[96], *path = weft_text_format("%s.progress", display->part);
    int length = snprintf(text, sizeof text, "%zu of %zu %.4f %.1f\n", done, points, whole,
                          now - display->began);
    weft_status status = weft_bytes_write(path, text, (size_t)length, &ignored);
    (void)status;
    display->told = now;
    free(path);
}

void weft_display_complete(weft_display *display)
{
    if (display->part)
        tell_part(display, display->finished, display->finished, 1, seconds());
}

void weft_display_stopped(const weft_display *display)
{
    if (!display->part || !interrupted)
        return;
    weft_error ignored;
    char *path = weft_text_format("%s.stopped", display->part);
    weft_status status = weft_bytes_write(path, "", 0, &ignored);
    (void)status;
    free(path);
}

void weft_display_progress(void *user, const weft_progress *progress)
{
    weft_display *display = user;
    double now = seconds();
    if (display->part && now - display->told >= 1)
        tell_part(display, progress->done, progress->points,
                  progress->whole > 0 ? progress->whole : progress->share, now);
    if (!display->quiet && now - display->last >= (display->terminal ? 0.2 : 10)) {
        display->last = now;
        draw(display, progress, now - display->began);
    }
}

void weft_display_finished(void *user, const weft_point *point)
{
    weft_display *display = user;
    display->finished++;
    if (strncmp(point->verdict, "saturated: memory", 17) == 0) {
        weft_display_clear(display);
        fprintf(stderr, "%s%s%s\n", point->key, point->key[0] ? ": " : "", point->verdict);
    }
}

void weft_display_notice(void *user, const char *text)
{
    char *whole = weft_text_format("%s\n", text);
    weft_display_clear(user);
    weft_terminal_print(whole, stderr);
    free(whole);
}
