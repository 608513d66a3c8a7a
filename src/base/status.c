/* SPDX-License-Identifier: Apache-2.0 */
#include "interweft/status.h"

#include "base/digits.h"
#include "base/utf8.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>

weft_status weft_fail(weft_error *err, weft_status status, const char *format, ...)
{
    if (err) {
        va_list args;
        va_start(args, format);
        /* NOLINTNEXTLINE(clang-analyzer-valist.Uninitialized): it is, in the line above */
        (void)weft_digits_vprint(err->text, sizeof err->text, format, args);
        va_end(args);
        weft_make_lines_harmless(err->text); /* names from files end on terminals */
    }
    return status;
}

weft_request weft_request_flag(void *user)
{
    int *flag = user, wanted = __atomic_load_n(flag, __ATOMIC_RELAXED);
    if (wanted != WEFT_REQUEST_CHECKPOINT)
        return (weft_request)wanted;
    /* it may have become a stop meanwhile, which stays */
    if (!__atomic_compare_exchange_n(flag, &wanted, WEFT_REQUEST_NONE, false, __ATOMIC_RELAXED,
                                     __ATOMIC_RELAXED))
        return (weft_request)wanted;
    return WEFT_REQUEST_CHECKPOINT;
}
