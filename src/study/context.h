/* SPDX-License-Identifier: Apache-2.0 */
/* The context's inside, for the study's verbs and its farm. */
#ifndef WEFT_STUDY_CONTEXT_H
#define WEFT_STUDY_CONTEXT_H

#include "interweft/context.h"
#include "kernel/comm.h"

struct weft_context {
    weft_comm *comm;
};

#endif
