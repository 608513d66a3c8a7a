/* SPDX-License-Identifier: Apache-2.0 */
/* The promises of plug-ins' schedulers and arbiters, tried on random requests before they are
 * used. A broken promise is WEFT_BROKEN with a sentence. Built-in kinds are held to theirs by
 * tests/contract. */
#ifndef WEFT_SCHED_CONTRACT_H
#define WEFT_SCHED_CONTRACT_H

#include "interweft/scheduler.h"

/* Of a scheduler that has been built: a match is one-to-one, within the requests, and the same for
 * the same state and requests. */
WEFT_MUST_USE weft_status weft_sched_check_scheduler(const weft_scheduler *scheduler,
                                                     weft_error *err);
/* Of an arbiter of n inputs whose settings fit: it picks one that asks, the same for the same state
 * and inputs. */
WEFT_MUST_USE weft_status weft_sched_check_arbiter(const weft_arbiter_kind *kind,
                                                   const void *settings, uint32_t n,
                                                   weft_error *err);

#endif
