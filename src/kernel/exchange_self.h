/* SPDX-License-Identifier: Apache-2.0 */
/* The communicator of a process that was started alone. */
#ifndef WEFT_KERNEL_EXCHANGE_SELF_H
#define WEFT_KERNEL_EXCHANGE_SELF_H

#include "kernel/comm.h"

/* The caller closes it with weft_comm_close. */
weft_comm *weft_comm_self(void);

#endif
