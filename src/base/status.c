/* SPDX-License-Identifier: Apache-2.0 */
#include "interweft/status.h"

#include <stdarg.h>
#include <stdio.h>

weft_status weft_fail(weft_error *err, weft_status status, const char *format, ...)
{
    if (err) {
        va_list args;
        va_start(args, format);
        /* NOLINTNEXTLINE(clang-analyzer-valist.Uninitialized): it is, in the line above */
        (void)vsnprintf(err->text, sizeof err->text, format, args);
        va_end(args);
    }
    return status;
}
