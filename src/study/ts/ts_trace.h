/* SPDX-License-Identifier: Apache-2.0 */
/* The lines that ts' option dbg asks for. */
#ifndef WEFT_STUDY_TS_TS_TRACE_H
#define WEFT_STUDY_TS_TS_TRACE_H

#include "sim/platform.h"
#include "sim/router/shared_queue/shared_queue.h"

typedef struct weft_ts_trace {
    const weft_instance *instance;
    bool queues; /* the queue of a router after every event that changes it */
    void (*line)(void *user, const char *text);
    void *user;
} weft_ts_trace;

/* The note of a weft_trace whose user is a weft_ts_trace. */
void weft_ts_note(void *user, weft_trace_kind kind, const weft_event *packet, uint32_t router,
                  uint32_t output, uint32_t vc, weft_time at);

#endif
