/* SPDX-License-Identifier: Apache-2.0 */
/* The debugging lines of ts itself, for dbg above 2. */
#ifndef WEFT_STUDY_TS_TS_DEBUG_H
#define WEFT_STUDY_TS_TS_DEBUG_H

#include "interweft/ts.h"
#include "sim/platform.h"

typedef struct weft_ts_debug weft_ts_debug;

/* Prints the nodes; the instance has been started and has not run. */
weft_ts_debug *weft_ts_debug_create(const weft_instance *instance, const weft_ts_options *options);
/* The note of a weft_trace whose user is a weft_ts_debug. Lines come a time later. */
void weft_ts_debug_note(void *user, weft_trace_kind kind, const weft_event *packet, uint32_t router,
                        uint32_t output, uint32_t vc, weft_time at);
/* Prints what happened at the last time. */
void weft_ts_debug_finish(weft_ts_debug *debug);
void weft_ts_debug_destroy(weft_ts_debug *debug);

#endif
