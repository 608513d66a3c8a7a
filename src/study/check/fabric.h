/* SPDX-License-Identifier: Apache-2.0 */
/* The forwarding tables of an InfiniBand fabric, judged in lines of `weft check`. */
#ifndef WEFT_STUDY_CHECK_FABRIC_H
#define WEFT_STUDY_CHECK_FABRIC_H

#include "base/text.h"
#include "net/network.h"

/* Adds nothing where the fabric of the network has no forwarding tables, and nothing that takes
 * long unless `thorough`. Tables that lead nowhere are no mistake where a routing needs none. */
void weft_check_fabric(weft_text *text, const weft_network *network, bool thorough);

#endif
