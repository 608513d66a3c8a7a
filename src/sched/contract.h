/* SPDX-License-Identifier: Apache-2.0 */
/* Contracts of plug-in schedulers and arbiters, checked on random requests before they are used. A
 * violation is WEFT_BROKEN with a message. tests/contract checks the built-in kinds. */
#ifndef WEFT_SCHED_CONTRACT_H
#define WEFT_SCHED_CONTRACT_H

#include "interweft/scheduler.h"

/* Checks a scheduler that has been built: a match is one-to-one, within the requests, and the same
 * for the same state and requests. */
WEFT_MUST_USE weft_status weft_sched_check_scheduler(const weft_scheduler *scheduler,
                                                     weft_error *err);
/* Checks an arbiter of n inputs with valid settings: it picks a requesting input, the same for the
 * same state and inputs. */
WEFT_MUST_USE weft_status weft_sched_check_arbiter(const weft_arbiter_kind *kind,
                                                   const void *settings, uint32_t n,
                                                   weft_error *err);

#endif
