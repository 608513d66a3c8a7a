/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/running.h"

#include "base/clock.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"
#include "base/utf8.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define PERIOD    1.0 /* seconds between two news */
#define HOST_MAX  256
#define SILENT    60                /* seconds after which the writer is taken for dead */
#define FILE_MOST ((size_t)1 << 20) /* bytes of news */

void weft_running_init(weft_running *running, bool quiet, const char *results)
{
    *running = (weft_running){.path = weft_text_format("%s.running", results)};
    weft_display_init(&running->display, quiet);
}

static void forget_rows(weft_running *running)
{
    for (size_t i = 0; i < running->n_rows; i++)
        free(running->rows[i].key);
    free(running->rows);
    running->rows = NULL;
    running->n_rows = 0;
}

void weft_running_done(weft_running *running)
{
    if (running->path)
        (void)unlink(running->path);
    free(running->path);
    forget_rows(running);
}

static const char *host_name(char host[static HOST_MAX])
{
    if (gethostname(host, HOST_MAX - 1) != 0)
        (void)snprintf(host, HOST_MAX, "unknown");
    host[HOST_MAX - 1] = '\0';
    return host;
}

/* A whole file or none; who cannot write tells nothing. */
static void tell(weft_running *running)
{
    double now = weft_clock();
    if (!running->path || now - running->last < PERIOD)
        return;
    running->last = now;
    char *part;
    int fd;
    weft_error ignored;
    if (weft_bytes_begin(running->path, &part, &fd, &ignored) != WEFT_OK)
        return;
    FILE *file = fdopen(fd, "w");
    if (file) {
        char host[HOST_MAX];
        fprintf(file, "%lld %lld %s\n", (long long)time(NULL), (long long)getpid(),
                host_name(host));
        for (size_t i = 0; i < running->n_rows; i++)
            fprintf(file, "%.3f %s\n", running->rows[i].share, running->rows[i].key);
        /* renamed while it is locked: later the name may be another's */
        if (fflush(file) != 0 || ferror(file) || rename(part, running->path) != 0)
            (void)unlink(part);
        (void)fclose(file);
    } else {
        (void)unlink(part);
        (void)close(fd);
    }
    free(part);
}

static size_t find(const weft_running *running, const char *key)
{
    size_t i = 0;
    while (i < running->n_rows && strcmp(running->rows[i].key, key) != 0)
        i++;
    return i;
}

static void add(weft_running *running, double share, const char *key)
{
    running->rows = weft_realloc(running->rows, running->n_rows + 1, sizeof *running->rows);
    running->rows[running->n_rows++] =
        (weft_running_row){.share = share, .key = weft_text_copy(key)};
}

void weft_running_progress(void *user, const weft_progress *progress)
{
    weft_running *running = user;
    size_t i = find(running, progress->key);
    if (i == running->n_rows)
        add(running, progress->share, progress->key);
    running->rows[i].share = progress->share;
    tell(running);
    weft_display_progress(&running->display, progress);
}

void weft_running_finished(void *user, const weft_point *point)
{
    weft_running *running = user;
    size_t i = find(running, point->key);
    if (i < running->n_rows) {
        char *gone = running->rows[i].key;
        running->rows[i] = running->rows[--running->n_rows];
        running->rows[running->n_rows].key = NULL;
        free(gone);
    }
    if (strncmp(point->verdict, "failed: ", 8) == 0) {
        weft_display_clear(&running->display);
        fprintf(stderr, "%s: %s\n", point->key, point->verdict);
    }
    tell(running);
    weft_display_finished(&running->display, point);
}

/* Of a process of this host it is known whether it is there. */
static bool is_alive(const char *line)
{
    long long when = 0, process = 0;
    char there[HOST_MAX] = "", here[HOST_MAX];
    if (sscanf(line, "%lld %lld %255s", &when, &process, there) != 3 || process <= 0 ||
        process > INT_MAX || when < 0 || time(NULL) - when > SILENT)
        return false;
    return strcmp(there, host_name(here)) != 0 || kill((pid_t)process, 0) == 0 || errno == EPERM;
}

bool weft_running_read(weft_running *running, const char *results)
{
    *running = (weft_running){0};
    char *path = weft_text_format("%s.running", results), *rest = NULL;
    weft_bytes bytes = {.at = NULL};
    weft_error ignored;
    bool there = weft_bytes_read(path, FILE_MOST, "a state", &bytes, &ignored) == WEFT_OK;
    const char *first = there ? strtok_r(bytes.at, "\n", &rest) : NULL;
    bool alive = first && is_alive(first);
    for (char *line; alive && (line = strtok_r(NULL, "\n", &rest));) {
        char *key = line;
        double share = strtod(line, &key);
        weft_make_harmless(key);
        if (*key == ' ' && share >= 0 && share <= 1)
            add(running, share, key + 1);
    }
    free(bytes.at);
    free(path);
    return alive;
}
