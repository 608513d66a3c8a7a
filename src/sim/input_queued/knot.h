/* SPDX-License-Identifier: Apache-2.0 */
/* Why nothing moves any more: packets that wait for each other in a circle, in words. */
#ifndef WEFT_SIM_INPUT_QUEUED_KNOT_H
#define WEFT_SIM_INPUT_QUEUED_KNOT_H

#include "sim/fabric.h"

/* Of a plant that stands still, at a meeting; follows the circle as far as it lies in this process. */
void weft_iq_knot(const weft_plant *plant, char *text, size_t size);

#endif
