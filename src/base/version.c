/* SPDX-License-Identifier: Apache-2.0 */
#include "interweft/version.h"

const char *weft_version(void)
{
    return WEFT_VERSION;
}
