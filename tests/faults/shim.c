/* SPDX-License-Identifier: Apache-2.0 */
/* Faults of disks and clocks, put between a program and the C library by LD_PRELOAD.
 *
 *   FAULT_FOLDER   calls that concern files below this folder are counted
 *   FAULT_COUNT    a file of 4096 zeros that holds the number, for all processes together
 *   FAULT_KIND     enospc, eio, short, sync, read: which calls are counted and how they fail
 *   FAULT_AT       the first call that fails, from 1
 *   FAULT_FOR      so many calls fail from there on; 1 unless given
 *   FAULT_LOG      gets a line "number call path fate" for every call that was counted
 *   FAULT_REAL     "SECONDS@CALL": from that call on the clock of the day is so much ahead, or
 *                  behind with -
 *   FAULT_STEADY   the same for the monotonic clock
 *
 * Streams opened for writing below the folder become streams over the calls here, as the C
 * library's own writes do not pass through them. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

/* The calls; a kind of fault is a set of them. */
enum {
    WRITE = 1,
    MAKE = 2, /* what needs room: a new file or folder */
    NAME = 4, /* rename, unlink */
    SIZE = 8,
    SYNC = 16,
    READ = 32,
};

typedef struct kind {
    const char *name;
    unsigned calls;
    int code; /* 0: a short write */
} kind;

static const kind kinds[] = {
    {"enospc", WRITE | MAKE | SIZE | SYNC, ENOSPC},
    {"eio", WRITE | MAKE | NAME | SIZE | SYNC, EIO},
    {"short", WRITE, 0},
    {"sync", SYNC, EIO},
    {"read", READ, EIO},
};

static struct {
    bool ready;
    const char *folder;
    const kind *kind;
    uint64_t at, count;
    int log;
    _Atomic uint64_t *counter, own;
} state;

#define REAL(result, name, ...)                \
    static result (*real_##name)(__VA_ARGS__); \
    if (!real_##name)                          \
    *(void **)&real_##name = dlsym(RTLD_NEXT, #name)

static uint64_t number(const char *name, uint64_t otherwise)
{
    const char *text = getenv(name);
    return text && *text ? strtoull(text, NULL, 10) : otherwise;
}

static int plain_open(const char *path, int flags)
{
    return (int)syscall(SYS_openat, AT_FDCWD, path, flags | O_CLOEXEC, 0666);
}

__attribute__((constructor)) static void begin(void)
{
    const char *wanted = getenv("FAULT_KIND"), *log = getenv("FAULT_LOG"),
               *count = getenv("FAULT_COUNT");
    if (state.ready)
        return;
    state.ready = true;
    state.folder = getenv("FAULT_FOLDER");
    state.log = -1;
    state.counter = &state.own;
    state.at = number("FAULT_AT", 0);
    state.count = number("FAULT_FOR", 1);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (wanted && strcmp(kinds[i].name, wanted) == 0)
            state.kind = &kinds[i];
    if (log)
        state.log = plain_open(log, O_WRONLY | O_CREAT | O_APPEND);
    int fd = count ? plain_open(count, O_RDWR) : -1;
    if (fd >= 0) {
        void *shared =
            (void *)syscall(SYS_mmap, NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
        if (shared != MAP_FAILED)
            state.counter = shared;
        (void)syscall(SYS_close, fd);
    }
}

static bool is_below(const char *path)
{
    char full[4096];
    size_t length = state.folder ? strlen(state.folder) : 0;
    if (length == 0 || !path)
        return false;
    if (path[0] != '/') {
        long got = syscall(SYS_getcwd, full, sizeof full);
        if (got <= 0 || (size_t)got + strlen(path) + 1 >= sizeof full)
            return false;
        full[got - 1] = '/';
        (void)strcpy(full + got, path);
        path = full;
    }
    return strncmp(path, state.folder, length) == 0 && (path[length] == '/' || !path[length]);
}

/* Shall this call fail? With FAULT_KIND alone it is counted and passes. */
static bool strikes(unsigned call, const char *name, const char *path)
{
    begin();
    if (!state.kind || !(state.kind->calls & call) || !is_below(path))
        return false;
    uint64_t n = atomic_fetch_add(state.counter, 1) + 1;
    bool hit = state.at && n >= state.at && n - state.at < state.count;
    if (state.log >= 0) {
        char line[4400];
        int length = snprintf(line, sizeof line, "%llu %s %s %s\n", (unsigned long long)n, name,
                              path, hit ? state.kind->name : "-");
        (void)syscall(SYS_write, state.log, line, length);
    }
    if (hit)
        errno = state.kind->code;
    return hit;
}

static bool path_of(int fd, char path[4096])
{
    char link[64];
    (void)snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    long length = syscall(SYS_readlinkat, AT_FDCWD, link, path, 4095);
    path[length > 0 ? length : 0] = '\0';
    return length > 0;
}

static bool strikes_fd(unsigned call, const char *name, int fd)
{
    char path[4096];
    begin();
    return state.kind && state.kind->calls & call && path_of(fd, path) && strikes(call, name, path);
}

/* ---- writing ---- */

/* Bytes to write after a fault: all of them, some, or -1: none. */
static ssize_t cut(unsigned call, const char *name, int fd, size_t bytes)
{
    if (!strikes_fd(call, name, fd))
        return (ssize_t)bytes;
    if (state.kind->code)
        return -1;
    return (ssize_t)(bytes > 1 ? bytes / 2 : bytes);
}

ssize_t write(int fd, const void *data, size_t bytes)
{
    ssize_t room = cut(WRITE, "write", fd, bytes);
    return room < 0 ? -1 : syscall(SYS_write, fd, data, room);
}

ssize_t pwrite(int fd, const void *data, size_t bytes, off_t at)
{
    ssize_t room = cut(WRITE, "pwrite", fd, bytes);
    return room < 0 ? -1 : syscall(SYS_pwrite64, fd, data, room, at);
}

ssize_t pwrite64(int fd, const void *data, size_t bytes, off64_t at)
{
    return pwrite(fd, data, bytes, at);
}

ssize_t writev(int fd, const struct iovec *pieces, int count)
{
    if (strikes_fd(WRITE, "writev", fd)) {
        if (state.kind->code)
            return -1;
        count = count > 1 ? count / 2 : count;
    }
    return syscall(SYS_writev, fd, pieces, count);
}

int ftruncate(int fd, off_t size)
{
    return strikes_fd(SIZE, "ftruncate", fd) ? -1 : (int)syscall(SYS_ftruncate, fd, size);
}

int ftruncate64(int fd, off64_t size)
{
    return ftruncate(fd, size);
}

int fsync(int fd)
{
    return strikes_fd(SYNC, "fsync", fd) ? -1 : (int)syscall(SYS_fsync, fd);
}

int fdatasync(int fd)
{
    return strikes_fd(SYNC, "fdatasync", fd) ? -1 : (int)syscall(SYS_fdatasync, fd);
}

/* ---- names ---- */

int openat(int folder, const char *path, int flags, ...)
{
    va_list more;
    va_start(more, flags);
    mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(more, mode_t) : 0;
    va_end(more);
    if (strikes(flags & O_CREAT ? MAKE : READ, "open", path))
        return -1;
    return (int)syscall(SYS_openat, folder, path, flags, mode);
}

int open(const char *path, int flags, ...)
{
    va_list more;
    va_start(more, flags);
    mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(more, mode_t) : 0;
    va_end(more);
    return openat(AT_FDCWD, path, flags, mode);
}

int open64(const char *path, int flags, ...)
{
    va_list more;
    va_start(more, flags);
    mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(more, mode_t) : 0;
    va_end(more);
    return openat(AT_FDCWD, path, flags, mode);
}

int openat64(int folder, const char *path, int flags, ...)
{
    va_list more;
    va_start(more, flags);
    mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(more, mode_t) : 0;
    va_end(more);
    return openat(folder, path, flags, mode);
}

int mkdir(const char *path, mode_t mode)
{
    return strikes(MAKE, "mkdir", path) ? -1 : (int)syscall(SYS_mkdirat, AT_FDCWD, path, mode);
}

int rename(const char *from, const char *to)
{
    return strikes(NAME, "rename", to)
               ? -1
               : (int)syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0);
}

int unlink(const char *path)
{
    return strikes(NAME, "unlink", path) ? -1 : (int)syscall(SYS_unlinkat, AT_FDCWD, path, 0);
}

/* ---- reading ---- */

ssize_t read(int fd, void *data, size_t bytes)
{
    return strikes_fd(READ, "read", fd) ? -1 : syscall(SYS_read, fd, data, bytes);
}

ssize_t pread(int fd, void *data, size_t bytes, off_t at)
{
    return strikes_fd(READ, "pread", fd) ? -1 : syscall(SYS_pread64, fd, data, bytes, at);
}

ssize_t pread64(int fd, void *data, size_t bytes, off64_t at)
{
    return pread(fd, data, bytes, at);
}

void *mmap(void *where, size_t bytes, int protection, int flags, int fd, off_t at)
{
    if (fd >= 0 && strikes_fd(READ, "mmap", fd))
        return MAP_FAILED;
    return (void *)syscall(SYS_mmap, where, bytes, protection, flags, fd, at);
}

void *mmap64(void *where, size_t bytes, int protection, int flags, int fd, off64_t at)
{
    return mmap(where, bytes, protection, flags, fd, at);
}

/* ---- streams ---- */

#define STREAMS 64
static struct {
    FILE *stream;
    int fd;
} streams[STREAMS];

static ssize_t stream_write(void *cookie, const char *data, size_t bytes)
{
    size_t done = 0;
    while (done < bytes) { /* as the C library does it */
        ssize_t put = write(*(int *)cookie, data + done, bytes - done);
        if (put < 0)
            return 0; /* an error, to fopencookie */
        done += (size_t)put;
    }
    return (ssize_t)done;
}

static int stream_seek(void *cookie, off64_t *at, int whence)
{
    off64_t now = lseek64(*(int *)cookie, *at, whence);
    *at = now;
    return now < 0 ? -1 : 0;
}

static int stream_close(void *cookie)
{
    int *fd = cookie, status = close(*fd);
    for (size_t i = 0; i < STREAMS; i++)
        if (streams[i].stream && streams[i].fd == *fd)
            streams[i].stream = NULL;
    free(fd);
    return status;
}

static FILE *stream_over(int fd)
{
    int *cookie = malloc(sizeof *cookie);
    if (!cookie)
        return NULL;
    *cookie = fd;
    cookie_io_functions_t calls = {
        .write = stream_write, .seek = stream_seek, .close = stream_close};
    FILE *stream = fopencookie(cookie, "w", calls);
    for (size_t i = 0; i < STREAMS && stream; i++)
        if (!streams[i].stream) {
            streams[i].stream = stream;
            streams[i].fd = fd;
            break;
        }
    return stream;
}

FILE *fopen(const char *path, const char *mode)
{
    REAL(FILE *, fopen, const char *, const char *);
    if (!strchr("wa", mode[0]) || !is_below(path))
        return real_fopen(path, mode);
    int fd =
        open(path, O_WRONLY | O_CREAT | O_CLOEXEC | (mode[0] == 'w' ? O_TRUNC : O_APPEND), 0666);
    return fd < 0 ? NULL : stream_over(fd);
}

FILE *fdopen(int fd, const char *mode)
{
    REAL(FILE *, fdopen, int, const char *);
    char path[4096];
    return mode[0] == 'w' && path_of(fd, path) && is_below(path) ? stream_over(fd)
                                                                 : real_fdopen(fd, mode);
}

FILE *fopen64(const char *path, const char *mode)
{
    return fopen(path, mode);
}

int fileno(FILE *stream)
{
    REAL(int, fileno, FILE *);
    for (size_t i = 0; i < STREAMS; i++)
        if (streams[i].stream == stream)
            return streams[i].fd;
    return real_fileno(stream);
}

/* ---- clocks ---- */

typedef struct jump {
    const char *name;
    bool ready;
    long seconds;
    uint64_t at;
    _Atomic uint64_t calls;
} jump;

static long ahead(jump *clock)
{
    if (!clock->ready) {
        const char *text = getenv(clock->name);
        char *end = NULL;
        clock->seconds = text ? strtol(text, &end, 10) : 0;
        clock->at = text && *end == '@' ? strtoull(end + 1, NULL, 10) : 1;
        clock->ready = true;
    }
    return clock->seconds && atomic_fetch_add(&clock->calls, 1) + 1 >= clock->at ? clock->seconds
                                                                                 : 0;
}

static jump real_time = {.name = "FAULT_REAL"}, steady = {.name = "FAULT_STEADY"};

int clock_gettime(clockid_t clock, struct timespec *now)
{
    int status = (int)syscall(SYS_clock_gettime, clock, now);
    if (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)
        now->tv_sec += ahead(&real_time);
    else if (clock == CLOCK_MONOTONIC || clock == CLOCK_MONOTONIC_COARSE)
        now->tv_sec += ahead(&steady);
    return status;
}

time_t time(time_t *to)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_REALTIME, &now);
    if (to)
        *to = now.tv_sec;
    return now.tv_sec;
}

int gettimeofday(struct timeval *restrict now, void *restrict zone)
{
    struct timespec exact;
    (void)zone;
    (void)clock_gettime(CLOCK_REALTIME, &exact);
    *now = (struct timeval){.tv_sec = exact.tv_sec, .tv_usec = exact.tv_nsec / 1000};
    return 0;
}
