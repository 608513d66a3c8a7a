/* SPDX-License-Identifier: Apache-2.0 */
/* Validation of packets from a file, which may have been damaged or made up. */
#ifndef WEFT_SIM_VALIDATE_H
#define WEFT_SIM_VALIDATE_H

#include "sim/site.h"

/* True if such a packet may be at this router of the network, or on its way to it. */
bool weft_packet_valid(const weft_platform *platform, uint32_t router, const weft_event *packet);

#endif
