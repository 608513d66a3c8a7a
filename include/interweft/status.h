/* SPDX-License-Identifier: Apache-2.0 */
/* Status codes and error messages. Every call that can fail because of input or environment returns
 * a weft_status and fills a weft_error; programming mistakes are asserts. */
#ifndef INTERWEFT_STATUS_H
#define INTERWEFT_STATUS_H

#if defined(__GNUC__)
#define WEFT_API               __attribute__((visibility("default")))
#define WEFT_MUST_USE          __attribute__((warn_unused_result))
#define WEFT_PRINTF(fmt, args) __attribute__((format(printf, fmt, args)))
#else
#define WEFT_API
#define WEFT_MUST_USE
#define WEFT_PRINTF(fmt, args)
#endif

/* Around declarations, so that C++ programs find them. */
#ifdef __cplusplus
#define WEFT_DECLARATIONS     extern "C" {
#define WEFT_DECLARATIONS_END }
#else
#define WEFT_DECLARATIONS
#define WEFT_DECLARATIONS_END
#endif

WEFT_DECLARATIONS

/* The values are also the exit statuses of the program. */
typedef enum weft_status {
    WEFT_OK = 0,
    WEFT_BAD_INPUT = 1, /* wrong file, setting or environment */
    WEFT_BAD_USAGE = 2, /* wrong command line */
    WEFT_BROKEN = 3,    /* an invariant of the simulation does not hold, or a deadlock */
    WEFT_STOPPED = 4    /* stopped before the end; the same command resumes */
} weft_status;

typedef struct weft_error {
    /* The error, its place in the settings and the fix; all lines but the last end with \n. */
    char text[4096];
} weft_error;

/* A request of the caller to a run in progress. */
typedef enum weft_request {
    WEFT_REQUEST_NONE,       /* go on */
    WEFT_REQUEST_CHECKPOINT, /* write a checkpoint and go on */
    WEFT_REQUEST_STOP        /* write a checkpoint and stop */
} weft_request;

/* For the member `request` of options, with `user` pointing to an int that holds a weft_request and
 * that any thread or signal handler may set meanwhile. A checkpoint is asked for once: the int is
 * WEFT_REQUEST_NONE again then. */
WEFT_API weft_request weft_request_flag(void *user);

/* Formats the message into *err (which may be NULL) and returns status. */
WEFT_API weft_status weft_fail(weft_error *err, weft_status status, const char *format, ...)
    WEFT_PRINTF(3, 4);

/* Passes a failure up. */
#define WEFT_TRY(call)                         \
    do {                                       \
        weft_status weft_try_status_ = (call); \
        if (weft_try_status_ != WEFT_OK)       \
            return weft_try_status_;           \
    } while (0)

WEFT_DECLARATIONS_END

#endif
