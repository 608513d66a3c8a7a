/* SPDX-License-Identifier: Apache-2.0 */
/* An imported subnet in numbers, and as a scenario that runs. */
#ifndef WEFT_INTEROP_INFINIBAND_SCENARIO_H
#define WEFT_INTEROP_INFINIBAND_SCENARIO_H

#include "base/text.h"
#include "net/topology/common/weftnet.h"

/* Switches, hosts, cables, rates and LIDs, a line each. */
void weft_ib_summary_add(const weft_weftnet *net, weft_text *text);
/* The scenario; notes tell where it differs from the fabric. file: what was imported; fabric: the
 * .weftnet file. */
void weft_ib_scenario_add(const weft_weftnet *net, const char *file, const char *fabric,
                          weft_text *out, weft_text *notes);

#endif
