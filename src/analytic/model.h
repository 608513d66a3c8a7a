/* SPDX-License-Identifier: Apache-2.0 */
/* The model kinds that are built in: one line each in model/list.def. */
#ifndef WEFT_ANALYTIC_MODEL_H
#define WEFT_ANALYTIC_MODEL_H

#include "interweft/model.h"

#define MODEL(name) extern const weft_model_kind weft_model_##name;
#include "analytic/model/list.def"
#undef MODEL

/* Ends with NULL. */
extern const weft_component *const weft_model_kinds[];

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
