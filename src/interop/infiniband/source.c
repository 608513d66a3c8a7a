/* SPDX-License-Identifier: Apache-2.0 */
#include "interop/infiniband/source.h"

#include "base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define BUFFER ((size_t)1 << 20)

typedef struct feed {
    weft_lines place;
    weft_ib_reader *reader;
    void *user;
    weft_error *err;
} feed;

/* Hands over all whole lines; *used: their bytes. */
static weft_status take_lines(feed *it, const char *text, size_t length, size_t *used)
{
    const char *at = text, *end;
    while ((end = memchr(at, '\n', length - (size_t)(at - text))) != NULL) {
        it->place.line++;
        const char *stop = end > at && end[-1] == '\r' ? end - 1 : end;
        WEFT_TRY(it->reader(it->user, (weft_ib_line){at, stop, it->place}, it->err));
        at = end + 1;
    }
    *used = (size_t)(at - text);
    return WEFT_OK;
}

static weft_status unfinished(feed *it)
{
    it->place.line++;
    return weft_lines_fail(&it->place, it->err,
                           "the file ends in the middle of this line: it is cut off");
}

static weft_status read_open(feed *it, int fd, char *buffer)
{
    size_t have = 0, used = 0;
    for (;;) {
        ptrdiff_t got = weft_bytes_fill(fd, buffer + have, BUFFER - have);
        if (got < 0)
            return weft_fail(it->err, WEFT_BAD_INPUT, "%.1024s cannot be read", it->place.name);
        have += (size_t)got;
        if (have == 0)
            return WEFT_OK;
        WEFT_TRY(take_lines(it, buffer, have, &used));
        if (used == 0 && have < BUFFER)
            return unfinished(it);
        if (used == 0)
            return weft_lines_fail(&it->place, it->err, "the next line has more than 1 MiB");
        memmove(buffer, buffer + used, have - used);
        have -= used;
    }
}

static weft_status read_file(feed *it, const char *what)
{
    struct stat info;
    char text[128];
    int fd = open(it->place.name, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
    if (fd < 0 || fstat(fd, &info) != 0) {
        weft_status status = weft_fail(it->err, WEFT_BAD_INPUT, "%.1024s cannot be read: %s",
                                       it->place.name, strerror_r(errno, text, sizeof text));
        if (fd >= 0)
            (void)close(fd);
        return status;
    }
    if (!S_ISREG(info.st_mode)) {
        (void)close(fd);
        return weft_fail(it->err, WEFT_BAD_INPUT, "%.1024s is not a regular file; %s is one",
                         it->place.name, what);
    }
    char *buffer = weft_alloc(BUFFER);
    weft_status status = read_open(it, fd, buffer);
    free(buffer);
    (void)close(fd);
    return status;
}

weft_status weft_ib_source_read(const weft_ib_source *source, const char *what,
                                weft_ib_reader *reader, void *user, unsigned long *lines,
                                weft_error *err)
{
    feed it = {.place = {.name = source->file}, .reader = reader, .user = user, .err = err};
    size_t used = 0;
    weft_status status;
    if (source->text) {
        status = take_lines(&it, source->text, source->length, &used);
        if (status == WEFT_OK && used < source->length)
            status = unfinished(&it);
    } else {
        status = read_file(&it, what);
    }
    if (lines)
        *lines = it.place.line;
    return status;
}

/* ---- a line ---- */

bool weft_ib_line_skips(weft_ib_line *line, const char *text)
{
    size_t length = strlen(text);
    if ((size_t)(line->end - line->at) < length || memcmp(line->at, text, length) != 0)
        return false;
    line->at += length;
    return true;
}

static int hex_digit(char c)
{
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}

bool weft_ib_line_hex(weft_ib_line *line, uint64_t *number)
{
    weft_ib_line ahead = *line;
    uint64_t value = 0;
    unsigned digits = 0;
    (void)(weft_ib_line_skips(&ahead, "0x") || weft_ib_line_skips(&ahead, "0X"));
    for (int digit; ahead.at < ahead.end && (digit = hex_digit(*ahead.at)) >= 0; ahead.at++) {
        if (++digits > 16)
            return false;
        value = value << 4 | (uint64_t)digit;
    }
    if (digits == 0)
        return false;
    *number = value;
    *line = ahead;
    return true;
}

bool weft_ib_line_number(weft_ib_line *line, uint64_t most, uint64_t *number)
{
    const char *at = line->at;
    while (at < line->end && *at >= '0' && *at <= '9')
        at++;
    weft_word word = {.at = line->at, .length = (size_t)(at - line->at)};
    if (!weft_word_number(word, most, number))
        return false;
    line->at = at;
    return true;
}

bool weft_ib_line_finds(weft_ib_line *line, const char *text)
{
    const char *at = memmem(line->at, (size_t)(line->end - line->at), text, strlen(text));
    if (!at)
        return false;
    line->at = at + strlen(text);
    return true;
}

void weft_ib_line_blanks(weft_ib_line *line)
{
    while (line->at < line->end && (*line->at == ' ' || *line->at == '\t'))
        line->at++;
}

bool weft_ib_line_quoted(weft_ib_line *line, weft_word *word)
{
    size_t left = (size_t)(line->end - line->at);
    const char *first = memchr(line->at, '"', left), *last = memrchr(line->at, '"', left);
    if (!first || first == last)
        return false;
    *word = (weft_word){.at = first + 1, .length = (size_t)(last - first - 1), .quoted = true};
    line->at = last + 1;
    return true;
}

weft_word weft_ib_line_rest(weft_ib_line line)
{
    return (weft_word){.at = line.at, .length = (size_t)(line.end - line.at)};
}
