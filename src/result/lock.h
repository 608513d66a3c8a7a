/* SPDX-License-Identifier: Apache-2.0 */
/* One writer per results file: the lock file "path.lock" holds "host pid start". */
#ifndef WEFT_RESULT_LOCK_H
#define WEFT_RESULT_LOCK_H

#include "interweft/status.h"

/* Creates path.lock with O_EXCL. The lock of a process of this host that is gone is taken over;
 * any other is refused with a message that names its host and process. */
WEFT_MUST_USE weft_status weft_lock_take(const char *path, weft_error *err);
/* Removes path.lock if it is still ours. */
void weft_lock_release(const char *path);

#endif
