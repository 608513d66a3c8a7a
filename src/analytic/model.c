/* SPDX-License-Identifier: Apache-2.0 */
#include "analytic/model.h"

const weft_component *const weft_model_kinds[] = {
#define MODEL(name) &weft_model_##name.base,
#include "analytic/model/list.def"
#undef MODEL
    NULL,
};
