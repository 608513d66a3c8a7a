/* SPDX-License-Identifier: Apache-2.0 */
#include "net/wire_length.h"

#include "config/infiniband/framing.h"
#include "net/traffic/common/size.h"

enum { SAMPLES = 1 << 16 };

typedef struct settings {
    weft_length payload;
    uint32_t packet, header; /* flits: payload of a packet at most, and what comes with it */
} settings;

uint32_t weft_wire_header(const weft_scenario *scenario)
{
    uint32_t bytes = weft_framing_bytes(scenario->endpoint.headers);
    return bytes ? weft_size_whole((weft_size){bytes, WEFT_BYTES}, scenario->links.flit.value) : 0;
}

uint32_t weft_wire_packet(const weft_scenario *scenario)
{
    weft_size mtu = scenario->endpoint.mtu;
    uint32_t flits = WEFT_WIRE_PACKET_MAX;
    if (mtu.unit != WEFT_NO_SIZE)
        flits = weft_size_within(mtu, scenario->links.flit.value) + weft_wire_header(scenario);
    return flits < WEFT_WIRE_PACKET_MAX ? flits : WEFT_WIRE_PACKET_MAX;
}

static uint32_t on_wire(const settings *set, uint32_t flits)
{
    uint32_t packets = (flits + set->packet - 1) / set->packet;
    return flits + packets * set->header;
}

static uint32_t flits(const weft_length *length, weft_random *random)
{
    const settings *set = length->settings;
    return on_wire(set, set->payload.kind->flits(&set->payload, random));
}

static uint32_t most(const weft_length *length)
{
    const settings *set = length->settings;
    uint32_t payload = set->payload.kind->most(&set->payload);
    return on_wire(set, payload ? payload : 1);
}

/* Exact if all messages have as many packets; else their number is the mean of a sample, whose
 * error is H / M of its own small one. */
static double mean(const weft_length *length)
{
    const settings *set = length->settings;
    const weft_length *payload = &set->payload;
    double mean = payload->kind->mean(payload);
    uint32_t longest = payload->kind->most ? payload->kind->most(payload) : UINT32_MAX;
    if (longest <= set->packet || mean == longest)
        return mean + ((longest + set->packet - 1) / set->packet) * (double)set->header;
    weft_random random = weft_random_stream(1, 0, 0, WEFT_FOR_ESTIMATE);
    uint64_t packets = 0;
    for (int i = 0; i < SAMPLES; i++)
        packets += (payload->kind->flits(payload, &random) + set->packet - 1) / set->packet;
    return mean + (double)packets / SAMPLES * set->header;
}

static const weft_length_kind bounded = {
    .base = {.abi = WEFT_ABI, .size = sizeof(weft_length_kind), .name = "wire"},
    .flits = flits,
    .mean = mean,
    .most = most,
};
static const weft_length_kind unbounded = {
    .base = {.abi = WEFT_ABI, .size = sizeof(weft_length_kind), .name = "wire"},
    .flits = flits,
    .mean = mean,
};

weft_status weft_wire_length_build(weft_length *length, const weft_scenario *scenario,
                                   weft_arena *arena, weft_error *err)
{
    uint32_t header = weft_wire_header(scenario);
    if (header == 0)
        return WEFT_OK;
    if (scenario->n_jobs > 0 || length->kind->redraws)
        return weft_fail(
            err, WEFT_BAD_INPUT, "endpoint.headers: packets of %s have none: leave them out",
            scenario->n_jobs > 0 ? "jobs" : "lengths that are drawn anew at every hop");
    settings *set = weft_arena_take(arena, sizeof *set);
    *set = (settings){
        .payload = *length, .packet = weft_wire_packet(scenario) - header, .header = header};
    *length = (weft_length){.kind = set->payload.kind->most ? &bounded : &unbounded,
                            .settings = set,
                            .flit_bytes = length->flit_bytes};
    return WEFT_OK;
}
