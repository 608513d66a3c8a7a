/* SPDX-License-Identifier: Apache-2.0 */
/* Bursts: a source sends `peak` times as fast as on average, then is silent. A burst has N messages
 * in equal gaps g = mean / peak, then comes a silence of mean E N × (mean − g), so the mean rate is
 * the one asked for. N = 1 + ⌊Y + U⌋ with U uniform has exactly the mean 1 + E Y; Y and the silence
 * are exponential or heavy-tailed. Many sources with a shape of 1 … 2 are together self-similar,
 * with Hurst parameter (3 − shape) / 2 of the smaller shape (Willinger, Taqqu, Sherman & Wilson,
 * IEEE/ACM Transactions on Networking 5, 1997). The memory of a source is the number of messages
 * that its burst still has. Sources start in the steady state. */
#include "interweft/traffic.h"
#include "net/kinds.h"
#include "net/traffic/common/pareto.h"

enum { EXPONENTIAL, PARETO };
static const char *const period_names[] = {"exponential", "pareto", NULL};

typedef struct settings {
    double peak, burst, on_shape, off_shape;
    int on, off;
} settings;

#define SHAPE(member)                                                                 \
    .type = WEFT_PARAM_REAL, .offset = offsetof(settings, member), .fallback = "1.5", \
    .min = WEFT_PARETO_SHAPE_MIN, .max = WEFT_PARETO_SHAPE_MAX
#define PERIOD(member)                                                                     \
    .type = WEFT_PARAM_CHOICE, .offset = offsetof(settings, member), .fallback = "pareto", \
    .choices = period_names

static const weft_param params[] = {
    {.name = "peak",
     .brief = "rate within a burst, relative to the mean rate",
     .type = WEFT_PARAM_REAL,
     .offset = offsetof(settings, peak),
     .fallback = "4",
     .min = 1,
     .max = 1e6},
    {.name = "burst",
     .brief = "mean number of messages in a burst",
     .type = WEFT_PARAM_REAL,
     .offset = offsetof(settings, burst),
     .fallback = "20",
     .min = 1,
     .max = 1e6},
    {.name = "on", .brief = "distribution of the messages in a burst", PERIOD(on)},
    {.name = "off", .brief = "distribution of the silence between two bursts", PERIOD(off)},
    {.name = "on-shape", .brief = "exponent of the tail of Pareto bursts", SHAPE(on_shape)},
    {.name = "off-shape", .brief = "exponent of the tail of Pareto silences", SHAPE(off_shape)},
    {.name = NULL},
};

static uint32_t whole(double messages)
{
    return messages < WEFT_ARRIVAL_MEMORY_MAX ? (uint32_t)messages : WEFT_ARRIVAL_MEMORY_MAX;
}

static double on_shape(const settings *set)
{
    return set->on == PARETO ? set->on_shape : 0;
}

/* Messages of a new burst after its first. */
static uint32_t draw_burst(const settings *set, weft_random *random)
{
    double more = weft_period_draw(on_shape(set), set->burst - 1, random);
    return whole(more + weft_pareto_uniform(random));
}

/* Messages left after the present one of a burst that is met at a random time. */
static uint32_t rest_of_burst(const settings *set, weft_random *random)
{
    if (weft_pareto_uniform(random) * set->burst < 1)
        return 0;
    return whole(1 + weft_period_residual(on_shape(set), set->burst - 1, random));
}

/* From the start to the first message, in the steady state. */
static double first_gap(const settings *set, double mean, double silence, uint32_t *left,
                        weft_random *random)
{
    double spacing = mean / set->peak, shape = set->off == PARETO ? set->off_shape : 0;
    bool on = weft_pareto_uniform(random) * set->peak < 1;
    double phase = on ? spacing * weft_pareto_uniform(random) : 0;
    uint32_t rest = on ? rest_of_burst(set, random) : 0;
    if (rest > 0) {
        *left = rest - 1;
        return phase;
    }
    *left = draw_burst(set, random);
    return on ? phase + weft_period_draw(shape, silence, random)
              : weft_period_residual(shape, silence, random);
}

static weft_fine_time burst_interval(const weft_arrival *arrival, uint64_t index, uint32_t *left,
                                     weft_random *random)
{
    const settings *set = arrival->settings;
    double spacing = arrival->mean / set->peak;
    double silence = set->burst * (arrival->mean - spacing);
    if (index == 0)
        return weft_fine_time_of(first_gap(set, arrival->mean, silence, left, random));
    if (*left > 0) {
        --*left;
        return weft_fine_time_of(spacing);
    }
    double shape = set->off == PARETO ? set->off_shape : 0;
    *left = draw_burst(set, random);
    return weft_fine_time_of(spacing + weft_period_draw(shape, silence, random));
}

const weft_arrival_kind weft_arrival_on_off = {
    .base = {.abi = WEFT_ABI,
             .size = sizeof(weft_arrival_kind),
             .name = "on-off",
             .brief = "bursts at a peak rate and silences, exponential or heavy-tailed",
             .params = params,
             .settings_size = sizeof(settings)},
    .interval_with_memory = burst_interval,
};
