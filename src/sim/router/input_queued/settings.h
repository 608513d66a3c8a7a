/* SPDX-License-Identifier: Apache-2.0 */
/* Settings of the input-queued router; what they mean is in docs/theory/input-queued.md. */
#ifndef WEFT_SIM_ROUTER_INPUT_QUEUED_SETTINGS_H
#define WEFT_SIM_ROUTER_INPUT_QUEUED_SETTINGS_H

#include "interweft/component.h"

typedef enum weft_iq_queues { WEFT_IQ_FIFO, WEFT_IQ_VOQ } weft_iq_queues;
typedef enum weft_iq_switching { WEFT_IQ_CUT_THROUGH, WEFT_IQ_STORE_AND_FORWARD } weft_iq_switching;
typedef enum weft_iq_choice { WEFT_IQ_MOST_CREDITS, WEFT_IQ_FIRST_FIT } weft_iq_choice;

typedef struct weft_iq_settings {
    int64_t vcs;
    weft_size buffer; /* of every VC: flits, bytes or packets */
    weft_size shared; /* pool of a port beside them, in the same unit; 0: none */
    int queues;       /* weft_iq_queues */
    int switching;    /* weft_iq_switching */
    weft_duration receive, route, allocate, refront, crossbar;
    weft_duration credit; /* WEFT_NO_TIME: the link's latency + 1 tick */
    bool vc_stage;
    int vc_choice; /* weft_iq_choice */
    int64_t input_speedup, output_speedup;
    int64_t
        speedup; /* of the crossbar; a WEFT_PARAM_FACTOR: the tick divides a flit's time by it */
    weft_size output_buffer; /* of every output; 0: none */
    weft_kind_ref scheduler;
} weft_iq_settings;

#endif
