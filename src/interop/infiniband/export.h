/* SPDX-License-Identifier: Apache-2.0 */
/* Any network in the words of ibnetdiscover, which ibsim reads. */
#ifndef WEFT_INTEROP_INFINIBAND_EXPORT_H
#define WEFT_INTEROP_INFINIBAND_EXPORT_H

#include "interop/infiniband/rates.h"

/* An imported subnet is written as it was; others get GUIDs in the order of their routers and
 * endpoints, ports from 1, and links of the rates of their classes. */
WEFT_MUST_USE weft_status weft_ib_netdiscover_write(const weft_topology *topology,
                                                    const weft_ib_rates *rates, weft_text *text,
                                                    weft_error *err);
/* The same of an imported subnet less the parts that are named, and with other rates of cables, as
 * net/parts.h reads them; NULL-terminated lists, or NULL. */
WEFT_MUST_USE weft_status weft_ib_netdiscover_write_less(const weft_topology *topology,
                                                         const char *const *without,
                                                         const char *const *rates, weft_text *text,
                                                         weft_error *err);

#endif
