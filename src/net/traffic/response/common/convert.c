/* SPDX-License-Identifier: Apache-2.0 */
#include "net/traffic/response/common/convert.h"

weft_status weft_convert_time(const weft_response_units *units, const char *key, weft_duration time,
                              weft_time *ticks, weft_error *err)
{
    if (time.unit == WEFT_PICOSECONDS && units->timing->tick_ps <= 0)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "response.%s is given in seconds, but neither clock nor links.rate says "
                         "how long a flit takes: add one, or give it in cycles",
                         key);
    *ticks = weft_timing_ticks(units->timing, time);
    if (*ticks < 1)
        *ticks = 1;
    return WEFT_OK;
}

weft_status weft_convert_rate(const weft_response_units *units, const char *key, weft_rate rate,
                              double *packets, weft_error *err)
{
    const weft_timing *timing = units->timing;
    if (rate.unit != WEFT_BITS_PER_SECOND) {
        *packets = rate.value / (double)timing->cycle * units->ticks / units->flits;
        return WEFT_OK;
    }
    if (timing->tick_ps <= 0)
        return weft_fail(
            err, WEFT_BAD_INPUT,
            "response.%s is given in bits per second, but neither clock nor links.rate "
            "says how long a flit takes: add one, or give it in flits/cycle",
            key);
    *packets = rate.value / (8 * units->flit_bytes * units->flits);
    return WEFT_OK;
}

int64_t weft_convert_size(const weft_response_units *units, weft_size size)
{
    double count = size.unit == WEFT_BYTES ? size.value / units->flit_bytes : size.value;
    int64_t flits = count < 9e18 ? (int64_t)(count + 0.5) : (int64_t)9e18;
    return flits > 1 ? flits : 1;
}
