/* SPDX-License-Identifier: Apache-2.0 */
/* Like a full buffer, at a lower level: large buffers need not fill before sources are told. */
#include "net/marking.h"

typedef struct settings {
    double level;
} settings;

static const weft_param params[] = {
    {.name = "level",
     .brief = "part of the buffer",
     .type = WEFT_PARAM_FRACTION,
     .offset = offsetof(settings, level),
     .fallback = "80%",
     .min = 0.001,
     .max = 1},
    {.name = NULL},
};

static bool congested(const weft_marking *marking, const weft_marking_buffer *buffer)
{
    return buffer->used >= ((const settings *)marking->settings)->level * buffer->capacity;
}

const weft_marking_kind weft_marking_threshold = {
    .base = {.abi = WEFT_ABI,
             .size = sizeof(weft_marking_kind),
             .name = "threshold",
             .brief = "when an input buffer is filled to a level, all packets that wait for the "
                      "outputs of its packets",
             .params = params,
             .settings_size = sizeof(settings)},
    .congested = congested,
};
