/* SPDX-License-Identifier: Apache-2.0 */
/* The self-test of plug-ins: every added kind in small scenarios of its family. Networks are built
 * and all promises verified, deadlock is examined completely, and short runs with one block and
 * with three must have the same results. */
#ifndef INTERWEFT_SELFTEST_H
#define INTERWEFT_SELFTEST_H

#include "interweft/catalog.h"

WEFT_DECLARATIONS

typedef enum weft_selftest_verdict {
    WEFT_SELFTEST_OK,
    WEFT_SELFTEST_DEADLOCK, /* packets can deadlock, or it is not proven that they cannot */
    WEFT_SELFTEST_REFUSED,  /* the kind, or a network, says that they do not fit */
    WEFT_SELFTEST_FAILED
} weft_selftest_verdict;

/* A kind in one scenario. */
typedef struct weft_selftest_case {
    const char *family, *kind;
    const char *scenario; /* settings beside the kind */
    weft_selftest_verdict verdict;
    const char *text; /* the deadlock verdict, the reason of a refusal, the failure */
} weft_selftest_case;

/* Calls `each` after every trial; the trial is valid during the call. A kind that every scenario
 * refuses has failed. overrides: "key=value", NULL-terminated, for settings of the kinds.
 * weft_selftest_file tries a scenario file of the caller's. */
WEFT_API WEFT_MUST_USE weft_status weft_selftest_run(
    const weft_catalog *catalog, const char *const *overrides,
    void (*each)(void *user, const weft_selftest_case *trial), void *user, weft_error *err);
WEFT_API WEFT_MUST_USE weft_status weft_selftest_file(
    const weft_catalog *catalog, const char *file, const char *const *overrides,
    void (*each)(void *user, const weft_selftest_case *trial), void *user, weft_error *err);

WEFT_DECLARATIONS_END

#endif
