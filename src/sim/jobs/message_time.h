/* SPDX-License-Identifier: Apache-2.0 */
/* The zero-load time of one message of a job: from its hand-over to the delivery of its last flit,
 * if it were alone in the network and took the route of an empty one. */
#ifndef WEFT_SIM_MESSAGE_TIME_H
#define WEFT_SIM_MESSAGE_TIME_H

#include "net/network.h"

/* Ticks; 0: not known. size: bytes. from, to: endpoints. */
double weft_message_time(const weft_network *network, uint32_t from, uint32_t to, uint64_t size);

#endif
