/* SPDX-License-Identifier: Apache-2.0 */
#include "base/glob.h"

#include <stddef.h>

bool weft_glob_matches(const char *glob, const char *text)
{
    const char *star = NULL, *since = NULL;
    while (*text) {
        if (*glob == '*') {
            star = glob++;
            since = text;
        } else if (*glob == '?' || *glob == *text) {
            glob++;
            text++;
        } else if (star) { /* let the last star take one more */
            glob = star + 1;
            text = ++since;
        } else {
            return false;
        }
    }
    while (*glob == '*')
        glob++;
    return *glob == '\0';
}
