/* SPDX-License-Identifier: Apache-2.0 */
/* For gcc -fanalyzer, which sees one file at a time: weft_fail returns the status it is given, so
 * that what follows WEFT_TRY is not reached after a failure. Included before every source. */
#include "interweft/status.h"

#define weft_fail(err, status, ...) \
    ((void)(weft_fail)((err), (status), __VA_ARGS__), (weft_status)(status))
