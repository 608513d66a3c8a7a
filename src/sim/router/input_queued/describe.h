/* SPDX-License-Identifier: Apache-2.0 */
/* An input-queued router for people and for estimates. */
#ifndef WEFT_SIM_ROUTER_INPUT_QUEUED_DESCRIBE_H
#define WEFT_SIM_ROUTER_INPUT_QUEUED_DESCRIBE_H

#include "sim/buffering.h"
#include "sim/router/input_queued/layout.h"

void weft_iq_describe(const weft_platform *platform, weft_buffering *buffering);
/* What settings beyond the plain router cost; at most three. */
size_t weft_iq_extras(const weft_platform *platform, weft_extra *extras);

#endif
