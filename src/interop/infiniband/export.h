/* SPDX-License-Identifier: Apache-2.0 */
/* Any network in the words of ibnetdiscover, which ibsim reads. */
#ifndef WEFT_INTEROP_INFINIBAND_EXPORT_H
#define WEFT_INTEROP_INFINIBAND_EXPORT_H

#include "base/text.h"
#include "interweft/topology.h"

/* An imported subnet is written as it was; others get GUIDs in the order of their routers and
 * endpoints, ports from 1, and links of 4xEDR. */
WEFT_MUST_USE weft_status weft_ib_netdiscover_write(const weft_topology *topology, weft_text *text,
                                                    weft_error *err);

#endif
