/* SPDX-License-Identifier: Apache-2.0 */
/* Reading and checking of source texts. Complaints about them are in complain.c. */
#include "config/source.h"

#include "base/file.h"
#include "base/utf8.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *reason(weft_arena *arena)
{
    char buffer[128];
    return weft_arena_format(arena, "cannot be read: %s", strerror_r(errno, buffer, sizeof buffer));
}

/* Bytes of a byte order mark at the beginning. */
static size_t byte_order_mark(const char *text, size_t length)
{
    return length >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
}

/* What is piped in, to the end. */
static const weft_source *read_piped(int fd, weft_arena *arena, const char **why)
{
    char *text = weft_arena_take(arena, WEFT_SOURCE_MAX + 2);
    ptrdiff_t length = weft_bytes_fill(fd, text, WEFT_SOURCE_MAX + 1);
    if (length < 0 || (size_t)length > WEFT_SOURCE_MAX) {
        *why = length < 0 ? reason(arena) : "is larger than 1 MiB, the limit of a scenario file";
        return NULL;
    }
    size_t mark = byte_order_mark(text, (size_t)length);
    return weft_source_of_text("standard input", text + mark, (size_t)length - mark, false, arena);
}

/* What results are kept in begins with these bytes. */
static bool is_results(int fd)
{
    static const char magic[16] = "SQLite format 3";
    char head[sizeof magic];
    return pread(fd, head, sizeof head, 0) == (ssize_t)sizeof head &&
           memcmp(head, magic, sizeof head) == 0;
}

static const weft_source *read_open(int fd, const char *file, weft_arena *arena, const char **why)
{
    struct stat info;
    if (fstat(fd, &info) != 0) {
        *why = reason(arena);
        return NULL;
    }
    if (!S_ISREG(info.st_mode)) {
        *why = "is not a regular file";
        return NULL;
    }
    if (is_results(fd)) {
        *why = "is a results file, not a scenario; `weft report` shows it";
        return NULL;
    }
    if (info.st_size > (off_t)WEFT_SOURCE_MAX) {
        *why = "is larger than 1 MiB, the limit of a scenario file";
        return NULL;
    }
    size_t room = (size_t)info.st_size;
    char *text = weft_arena_take(arena, room + 1);
    ptrdiff_t length = weft_bytes_fill(fd, text, room);
    if (length < 0) {
        *why = reason(arena);
        return NULL;
    }
    size_t mark = byte_order_mark(text, (size_t)length);
    weft_source *source = WEFT_TAKE(arena, weft_source, 1);
    *source = (weft_source){.name = weft_arena_copy(arena, file, strlen(file)),
                            .text = text + mark,
                            .length = (size_t)length - mark,
                            .device = info.st_dev,
                            .inode = info.st_ino};
    return source;
}

const weft_source *weft_source_read(const char *file, weft_arena *arena, const char **why)
{
    if (strcmp(file, "-") == 0)
        return read_piped(STDIN_FILENO, arena, why);
    /* O_NONBLOCK: a FIFO must not hang the program before it is refused. */
    int fd = open(file, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
    if (fd < 0) {
        *why = reason(arena);
        if (errno == ENOENT)
            *why = weft_arena_format(arena, "%s%s", *why,
                                     weft_bytes_nearest(file, (char[WEFT_NEAREST_CHARS]){""}));
        return NULL;
    }
    const weft_source *source = read_open(fd, file, arena, why);
    (void)close(fd);
    return source;
}

const weft_source *weft_source_of_text(const char *name, const char *text, size_t length,
                                       bool unplaced, weft_arena *arena)
{
    weft_source *source = WEFT_TAKE(arena, weft_source, 1);
    *source = (weft_source){.name = weft_arena_copy(arena, name, strlen(name)),
                            .text = weft_arena_copy(arena, text, length),
                            .length = length,
                            .unplaced = unplaced};
    return source;
}

/* The line `topology = …` of a configuration of BookSim, or the text's end. */
static size_t find_booksim(const char *text)
{
    size_t at = 0;
    while (text[at]) {
        size_t word = at + strspn(text + at, " \t");
        size_t behind = word + strlen("topology");
        if (strncmp(text + word, "topology", behind - word) == 0 &&
            text[behind + strspn(text + behind, " \t")] == '=')
            return word;
        at += strcspn(text + at, "\n");
        at += text[at] == '\n';
    }
    return at;
}

weft_status weft_source_check(const weft_source *source, weft_error *err)
{
    if (source->length > WEFT_SOURCE_MAX)
        return weft_fail(err, WEFT_BAD_INPUT, "%s is larger than 1 MiB, the limit of a scenario",
                         source->name);
    for (size_t i = 0; i < source->length;) {
        uint32_t code;
        size_t bytes = weft_utf8_next(source->text + i, source->length - i, &code);
        unsigned char byte = (unsigned char)source->text[i];
        if (bytes == 0)
            return weft_complain(err, source, i, 1,
                                 "byte 0x%02x is not UTF-8 text; a scenario is a UTF-8 text file",
                                 byte);
        bool breaks = code == '\t' || code == '\n' || code == '\r';
        if (weft_utf8_is_control(code) && !breaks)
            return weft_complain(err, source, i, bytes,
                                 "control character U+%04X; a scenario is a plain text file",
                                 (unsigned)code);
        i += bytes;
    }
    size_t booksim = find_booksim(source->text);
    if (booksim < source->length && !source->unplaced && !strstr(source->text, "interweft:"))
        return weft_complain(err, source, booksim, strlen("topology"),
                             "this is a configuration of BookSim; `weft import booksim %.200s -o "
                             "OUT.yaml` makes a scenario of it",
                             source->name);
    return WEFT_OK;
}

const char *weft_source_beside(const weft_source *source, const char *file, weft_arena *arena)
{
    const char *slash = source->unplaced ? NULL : strrchr(source->name, '/');
    if (file[0] == '/' || !slash)
        return file;
    return weft_arena_format(arena, "%.*s%s", (int)(slash + 1 - source->name), source->name, file);
}
