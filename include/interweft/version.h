/* SPDX-License-Identifier: Apache-2.0 */
#ifndef INTERWEFT_VERSION_H
#define INTERWEFT_VERSION_H

#include "interweft/status.h"

WEFT_DECLARATIONS

/* Of these headers. */
#define WEFT_VERSION "0.2.0"
/* Of the library that runs, which may be a later one: "0.2.0". */
WEFT_API const char *weft_version(void);

WEFT_DECLARATIONS_END

#endif
