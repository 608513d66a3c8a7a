/* SPDX-License-Identifier: Apache-2.0 */
/* The latency of a packet that meets no other one. */
#ifndef WEFT_SIM_ROUTER_INPUT_QUEUED_QUIET_H
#define WEFT_SIM_ROUTER_INPUT_QUEUED_QUIET_H

#include "analysis/bounds/channel_load.h"
#include "sim/router/input_queued/shape.h"

/* See weft_router_kind. */
double weft_iq_quiet(const weft_fabric *fabric, const weft_mean_path *path, double flits,
                     double packet);

#endif
