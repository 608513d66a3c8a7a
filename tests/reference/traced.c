/* SPDX-License-Identifier: Apache-2.0 */
/* The compiled routers of the library with a trace in them, and how often each is chosen. Linked
 * before the library's own. */
#define WEFT_IQ_TRACED     WEFT_IQ_WATCHED
#define weft_iq_choose_run choose_run
#include "sim/router/input_queued/run.c"
#undef weft_iq_choose_run

#include "reference/traced.h"

#define COUNT(name, mode) {.text = #name, .run = run_##name},
static struct {
    const char *text;
    weft_iq_runner run;
    uint64_t times;
} chosen[] = {INSTANCES(COUNT)};

weft_iq_runner weft_iq_choose_run(const weft_iq *iq);
weft_iq_runner weft_iq_choose_run(const weft_iq *iq)
{
    weft_iq_runner found = choose_run(iq);
    for (size_t i = 0; i < sizeof chosen / sizeof *chosen; i++)
        if (found == chosen[i].run)
            __atomic_fetch_add(&chosen[i].times, 1, __ATOMIC_RELAXED);
    return found;
}

const char *traced_name(uint32_t instance, uint64_t *times)
{
    if (instance >= sizeof chosen / sizeof *chosen)
        return NULL;
    *times = chosen[instance].times;
    return chosen[instance].text;
}
