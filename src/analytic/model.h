/* SPDX-License-Identifier: Apache-2.0 */
/* The common start of every model. */
#ifndef WEFT_ANALYTIC_MODEL_H
#define WEFT_ANALYTIC_MODEL_H

#include "interweft/model.h"
#include "analytic/kinds.h"

/* The start of a kind's record. */
#define WEFT_MODEL_BASE(id, about)         \
    .base = {                              \
        .abi = WEFT_ABI,                   \
        .size = sizeof(weft_model_kind),   \
        .name = id,                        \
        .brief = about,                    \
        .params = params,                  \
        .settings_size = sizeof(settings), \
    }

#endif
