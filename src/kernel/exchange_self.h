/* SPDX-License-Identifier: Apache-2.0 */
/* The crew of one: for a process that was started alone. */
#ifndef WEFT_KERNEL_EXCHANGE_SELF_H
#define WEFT_KERNEL_EXCHANGE_SELF_H

#include "kernel/crew.h"

/* The caller closes it with weft_crew_close. */
weft_crew *weft_crew_self(void);

#endif
