/* SPDX-License-Identifier: Apache-2.0 */
#include "net/minimal.h"

const weft_param weft_minimal_params[] = {
    {.name = "selection",
     .brief = "how the minimal ports are ranked",
     .type = WEFT_PARAM_KIND,
     .offset = offsetof(weft_minimal_settings, selection),
     .fallback = "dimension-order",
     .family = "selection"},
    {.name = NULL},
};

weft_kind_ref weft_minimal_selection(const void *settings)
{
    return ((const weft_minimal_settings *)settings)->selection;
}
