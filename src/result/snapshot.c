/* SPDX-License-Identifier: Apache-2.0 */
/* Reading a file that somebody writes, or whose writer was killed in the middle of a commit.
 *
 * The writer changes the file only while its journal exists, and changes the file's counter with
 * every commit. If stamps of file and journal are the same before and after reading, nothing was
 * written in between. A file with a journal is copied together with it (a pair that did not change
 * while it was copied is what a crash at that moment would leave) and SQLite rolls the copy back;
 * the original is left to its writer. */
#include "result/store.h"

#include "base/text.h"
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define ATTEMPTS 100

static char *joined(const char *a, const char *b)
{
    return weft_text_format("%s%s", a, b);
}

weft_stamp weft_stamp_take(const char *path)
{
    weft_stamp stamp = {.size = -1, .journal_size = -1};
    struct stat info;
    char *journal = joined(path, "-journal");
    if (stat(journal, &info) == 0) {
        stamp.journal_size = info.st_size;
        stamp.journal_seconds = info.st_mtim.tv_sec;
        stamp.journal_nanoseconds = info.st_mtim.tv_nsec;
    }
    free(journal);
    int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (fd >= 0 && fstat(fd, &info) == 0) {
        stamp.size = info.st_size;
        stamp.seconds = info.st_mtim.tv_sec;
        stamp.nanoseconds = info.st_mtim.tv_nsec;
        if (pread(fd, stamp.counter, sizeof stamp.counter, 24) < 0)
            stamp.size = -1;
    }
    if (fd >= 0)
        (void)close(fd);
    return stamp;
}

bool weft_stamp_same(const weft_stamp *a, const weft_stamp *b)
{
    return a->size == b->size && a->seconds == b->seconds && a->nanoseconds == b->nanoseconds &&
           a->journal_size == b->journal_size && a->journal_seconds == b->journal_seconds &&
           a->journal_nanoseconds == b->journal_nanoseconds &&
           memcmp(a->counter, b->counter, sizeof a->counter) == 0;
}

void weft_stamp_pause(void)
{
    (void)nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
}

weft_status weft_journal_check(const char *path, weft_error *err)
{
    static const unsigned char magic[8] = {0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7};
    unsigned char tail[8];
    char *journal = joined(path, "-journal");
    int fd = open(journal, O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC);
    weft_status status = WEFT_OK;
    struct stat info;
    int why = fd < 0 && errno != ENOENT && errno != ELOOP ? errno : 0;
    bool odd = fd < 0 ? errno == ELOOP : fstat(fd, &info) != 0 || !S_ISREG(info.st_mode);
    if (!odd && fd >= 0 && info.st_size >= 16) {
        ssize_t got = pread(fd, tail, sizeof tail, info.st_size - 8);
        why = got < 0 ? errno : 0;
        odd = got >= 0 && (got != 8 || memcmp(tail, magic, sizeof magic) == 0);
    }
    if (why)
        status = weft_fail(err, WEFT_BAD_INPUT, "%s: cannot read this journal: %s", journal,
                           strerror(why));
    if (odd)
        status = weft_fail(err, WEFT_BAD_INPUT,
                           "%s is not a journal that Interweft wrote; remove it", journal);
    if (fd >= 0)
        (void)close(fd);
    free(journal);
    return status;
}

static bool copy_bytes(int from, int to)
{
    char buffer[65536];
    ssize_t got;
    while ((got = read(from, buffer, sizeof buffer)) > 0)
        for (ssize_t done = 0; done < got;) {
            ssize_t put = write(to, buffer + done, (size_t)(got - done));
            if (put < 0)
                return false;
            done += put;
        }
    return got == 0;
}

/* A source that does not exist gives no copy. */
static bool copy_file(const char *source, const char *copy)
{
    int from = open(source, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (from < 0)
        return errno == ENOENT;
    int to = open(copy, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    bool copied = to >= 0 && copy_bytes(from, to);
    if (to >= 0 && close(to) != 0)
        copied = false;
    (void)close(from);
    return copied;
}

/* Nothing was written for two ticks of the clock that stamps files, nor while we copied. */
static bool copy_pair(const char *path, const char *copy, bool *stable)
{
    weft_stamp before = weft_stamp_take(path);
    weft_stamp_pause();
    weft_stamp start = weft_stamp_take(path);
    char *journal = joined(path, "-journal"), *journal_copy = joined(copy, "-journal");
    (void)unlink(journal_copy);
    bool copied = copy_file(journal, journal_copy) && copy_file(path, copy);
    int why = errno;
    free(journal);
    free(journal_copy);
    weft_stamp after = weft_stamp_take(path);
    *stable = weft_stamp_same(&before, &start) && weft_stamp_same(&start, &after);
    errno = why;
    return copied;
}

/* A journal that is no journal. One that its writer shortens while we look is none either: what
 * counts is that nothing was written meanwhile. */
static bool is_odd(const char *path, bool *stable, weft_error *err)
{
    weft_stamp before = weft_stamp_take(path);
    if (weft_journal_check(path, err) == WEFT_OK)
        return false;
    weft_stamp_pause();
    weft_stamp after = weft_stamp_take(path);
    *stable = weft_stamp_same(&before, &after);
    return true;
}

static weft_status copy_stable(weft_result *result, const char *copy, weft_error *err)
{
    for (int i = 0; i < ATTEMPTS; i++) {
        bool stable;
        if (is_odd(result->path, &stable, err)) {
            if (stable)
                return WEFT_BAD_INPUT;
            continue;
        }
        if (!copy_pair(result->path, copy, &stable))
            return weft_fail(err, WEFT_BAD_INPUT, "%s: cannot copy it to %s: %s", result->path,
                             copy, strerror(errno));
        if (stable)
            return weft_journal_check(copy, err);
    }
    return weft_fail(err, WEFT_BAD_INPUT, "%s is being written all the time; try again",
                     result->path);
}

/* Reading the first page is what makes SQLite roll back. */
static weft_status connect_copy(weft_result *result, const char *copy, weft_error *err)
{
    WEFT_TRY(copy_stable(result, copy, err));
    WEFT_TRY(weft_store_connect(result, copy, SQLITE_OPEN_READWRITE, err));
    WEFT_TRY(weft_store_run(result, "SELECT 1 FROM sqlite_schema LIMIT 1", err));
    return weft_store_run(result, "PRAGMA query_only=ON", err);
}

weft_status weft_snapshot_connect(weft_result *result, weft_error *err)
{
    assert(!result->db);
    const char *folder = getenv("TMPDIR");
    char *place = joined(folder && *folder ? folder : "/tmp", "/interweft-XXXXXX");
    if (!mkdtemp(place)) {
        weft_status status = weft_fail(err, WEFT_BAD_INPUT, "cannot make the directory %s: %s",
                                       place, strerror(errno));
        free(place);
        return status;
    }
    char *copy = joined(place, "/copy"), *journal = joined(place, "/copy-journal");
    weft_status status = connect_copy(result, copy, err);
    (void)unlink(journal);
    (void)unlink(copy); /* the open connection keeps it */
    (void)rmdir(place);
    free(journal);
    free(copy);
    free(place);
    return status;
}
