/* SPDX-License-Identifier: Apache-2.0 */
/* What holds for the results of any scenario: nothing is lost, time goes on, shares lie between 0
 * and 1, percentiles rise, intervals hold their values, no link is busier than time, N = T times
 * the rate (Little), no load above the bound is carried whole, no latency is below that of an empty
 * network, and is that latency itself where almost nothing is offered. */
#ifndef WEFT_RANDOM_LAWS_H
#define WEFT_RANDOM_LAWS_H

#include "base/text.h"
#include "interweft/result.h"

#include <stdbool.h>

/* Do they hold? Adds to the text which one does not. light: almost nothing is offered, so a message
 * is alone in the network. */
bool laws_hold(const weft_point *point, bool light, weft_text *said);

#endif
