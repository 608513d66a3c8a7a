/* SPDX-License-Identifier: Apache-2.0 */
/* The verdict on deadlock in words. thorough: without a time limit. */
#ifndef WEFT_STUDY_CHECK_DEADLOCK_H
#define WEFT_STUDY_CHECK_DEADLOCK_H

#include "base/text.h"
#include "sim/buffering.h"

void weft_check_deadlock(weft_text *text, const weft_network *network,
                         const weft_buffering *buffering, bool thorough);

#endif
