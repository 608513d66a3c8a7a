/* SPDX-License-Identifier: Apache-2.0 */
#include "net/routing/common/minimal.h"

const weft_param weft_minimal_params[] = {
    WEFT_MINIMAL_SELECTION(weft_minimal_settings, selection),
    {.name = NULL},
};

weft_kind_ref weft_minimal_selection(const void *settings)
{
    return ((const weft_minimal_settings *)settings)->selection;
}
