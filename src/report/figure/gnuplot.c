/* SPDX-License-Identifier: Apache-2.0 */
/* No shell and no file name ever reaches gnuplot: the script comes from its standard input, the
 * picture leaves through its standard output into a file opened here. */
#include "report/figure/gnuplot.h"

#include "base/file.h"
#include "base/utf8.h"

#include <assert.h>
#include <errno.h>
#include <spawn.h>
#include <stdio.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

void weft_gnuplot_quote(weft_text *script, const char *text)
{
    weft_text_append(script, "'", 1);
    for (size_t left = strlen(text), bytes; left; left -= bytes, text += bytes) {
        uint32_t code;
        bytes = weft_utf8_next(text, left, &code);
        if (bytes == 0 || weft_utf8_is_control(code))
            weft_text_append(script, bytes ? " " : "?", 1);
        else if (strncmp(text, "]>", 2) == 0) /* its SVG would have a "]]>" as it is */
            weft_text_add(script, "] ");
        else if (code == '\'')
            weft_text_add(script, "’");
        else
            weft_text_append(script, text, bytes);
        bytes += !bytes;
    }
    weft_text_append(script, "'", 1);
}

/* An unnamed file. */
static FILE *scratch(const char *bytes, size_t length)
{
    FILE *file = tmpfile();
    if (file && (fwrite(bytes, 1, length, file) != length || fflush(file) != 0 ||
                 lseek(fileno(file), 0, SEEK_SET) != 0)) {
        (void)fclose(file);
        return NULL;
    }
    return file;
}

/* The first two lines of what gnuplot complained. */
static void read_complaint(FILE *file, char *text, size_t size)
{
    size_t length = 0;
    rewind(file);
    char line[512];
    while (fgets(line, sizeof line, file) && length + 2 < size) {
        char *start = line + strspn(line, " \t\n^");
        size_t own = strcspn(start, "\n");
        if (own == 0)
            continue;
        int put =
            snprintf(text + length, size - length, "%s%.*s", length ? "; " : "", (int)own, start);
        length += put > 0 ? (size_t)put : 0;
    }
}

static int spawn(FILE *in, int out, FILE *complaints, pid_t *child)
{
    posix_spawn_file_actions_t actions;
    char *const arguments[] = {"gnuplot", "--default-settings", "-", NULL};
    int code = posix_spawn_file_actions_init(&actions);
    if (code)
        return code;
    code = posix_spawn_file_actions_adddup2(&actions, fileno(in), STDIN_FILENO);
    if (!code)
        code = posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO);
    if (!code)
        code = posix_spawn_file_actions_adddup2(&actions, fileno(complaints), STDERR_FILENO);
    if (!code)
        code = posix_spawnp(child, "gnuplot", &actions, NULL, arguments, environ);
    (void)posix_spawn_file_actions_destroy(&actions);
    return code;
}

static weft_status not_installed(weft_error *err)
{
    return weft_fail(err, WEFT_BAD_INPUT,
                     "pictures are drawn by gnuplot, which is not installed (Debian: "
                     "gnuplot-nox); tables and CSV do without it");
}

/* Where posix_spawnp looks. */
weft_status weft_gnuplot_find(weft_error *err)
{
    const char *at = getenv("PATH");
    at = at ? at : "/bin:/usr/bin";
    for (bool more = true; more;) {
        size_t length = strcspn(at, ":");
        char *file = weft_text_format("%.*s%sgnuplot", (int)length, at, length > 0 ? "/" : "");
        bool there = access(file, X_OK) == 0;
        free(file);
        if (there)
            return WEFT_OK;
        more = at[length] == ':';
        at += length + more;
    }
    return not_installed(err);
}

static weft_status run(FILE *in, int out, FILE *complaints, weft_error *err)
{
    pid_t child;
    int status;
    int code = spawn(in, out, complaints, &child);
    if (code == ENOENT)
        return not_installed(err);
    if (code)
        return weft_fail(err, WEFT_BAD_INPUT, "cannot start gnuplot: %s", strerror(code));
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR)
            return weft_fail(err, WEFT_BAD_INPUT, "gnuplot got lost: %s", strerror(errno));
    if (WIFEXITED(status) && WEXITSTATUS(status) == 127)
        return weft_fail(err, WEFT_BAD_INPUT, "cannot run gnuplot");
    if (status != 0) {
        char text[1024] = "";
        read_complaint(complaints, text, sizeof text);
        return weft_fail(err, WEFT_BAD_INPUT, "gnuplot failed: %s", text);
    }
    return WEFT_OK;
}

/* gnuplot does not say that a disk was full; the end of the picture does. */
static weft_status check_whole(int file, const char *path, weft_error *err)
{
    static const char svg[] = "</svg>", png[] = "IEND", pdf[] = "%%EOF";
    char end[32] = "";
    off_t size = lseek(file, 0, SEEK_END), from = size - (off_t)sizeof end + 1;
    if (size <= 0)
        return weft_fail(err, WEFT_BAD_INPUT, "gnuplot drew nothing into %s", path);
    ssize_t got = pread(file, end, sizeof end - 1, from > 0 ? from : 0);
    if (got < 0)
        return weft_fail(err, WEFT_BAD_INPUT, "cannot write %s: %s", path, strerror(errno));
    if (memmem(end, (size_t)got, svg, sizeof svg - 1) ||
        memmem(end, (size_t)got, png, sizeof png - 1) ||
        memmem(end, (size_t)got, pdf, sizeof pdf - 1))
        return WEFT_OK;
    return weft_fail(err, WEFT_BAD_INPUT, "cannot write all of %s: is the disk full?", path);
}

static weft_status draw_into(int out, const char *path, FILE *in, FILE *complaints, weft_error *err)
{
    WEFT_TRY(run(in, out, complaints, err));
    return check_whole(out, path, err);
}

static weft_status run_into(const char *path, FILE *in, FILE *complaints, weft_error *err)
{
    char *part;
    int out;
    WEFT_TRY(weft_bytes_begin(path, &part, &out, err));
    weft_status status = draw_into(out, path, in, complaints, err);
    if (status == WEFT_OK)
        status = weft_bytes_keep(path, part, out, err);
    if (status != WEFT_OK)
        (void)unlink(part);
    (void)close(out);
    free(part);
    return status;
}

weft_status weft_gnuplot_run(const char *script, size_t length, const char *path, weft_error *err)
{
    assert(script && path);
    FILE *in = scratch(script, length), *complaints = scratch("", 0);
    weft_status status;
    if (in && complaints)
        status = run_into(path, in, complaints, err);
    else
        status =
            weft_fail(err, WEFT_BAD_INPUT, "cannot make a temporary file: %s", strerror(errno));
    if (in)
        (void)fclose(in);
    if (complaints)
        (void)fclose(complaints);
    return status;
}
