/* SPDX-License-Identifier: Apache-2.0 */
/* The switch's part of InfiniBand's congestion control (IBTA architecture 1, annex A10). A VL of
 * an output is congested when more waits for it than a threshold allows. It is the root of the
 * congestion if it has credits nevertheless, so that the link itself is the bottleneck; otherwise
 * it is a victim, and marks only if Victim_Mask says so. Packets that leave a congested VL are
 * marked, but for short ones, one in Marking_Rate + 1 on average. The threshold is a number 0 … 15
 * that switches read as they like: 0 marks nothing, 15 soonest. Here 16 − threshold sixteenths of
 * a VL's buffer at an input are the most that may wait for a VL of an output, at all inputs
 * together. */
#include "net/marking.h"

typedef struct settings {
    int64_t threshold, marking_rate;
    int victim_mask;
    double packet_size;
} settings;

enum { NO_PORT, HOST_PORTS, ALL_PORTS };
static const char *const masks[] = {"none", "hosts", "all", NULL};

static const weft_param params[] = {
    {.name = "threshold",
     .brief = "0: nothing is marked, 1 to 15: as soon as (16 − threshold) / 16 of a VL's buffer "
              "waits for a VL of an output",
     .type = WEFT_PARAM_INT,
     .offset = offsetof(settings, threshold),
     .fallback = "15",
     .min = 0,
     .max = 15},
    {.name = "marking-rate",
     .brief = "packets that could be marked between two that are, on average",
     .type = WEFT_PARAM_INT,
     .offset = offsetof(settings, marking_rate),
     .fallback = "0",
     .min = 0,
     .max = 65535},
    {.name = "packet-size",
     .brief = "shorter packets are not marked, in credits of 64 B",
     .type = WEFT_PARAM_REAL,
     .offset = offsetof(settings, packet_size),
     .fallback = "0",
     .min = 0,
     .max = 255},
    {.name = "victim-mask",
     .brief = "ports that mark also without credits, when they are victims: none, those to hosts, "
              "or all",
     .type = WEFT_PARAM_CHOICE,
     .offset = offsetof(settings, victim_mask),
     .fallback = "hosts",
     .choices = masks},
    {.name = NULL},
};

static double probability(const weft_marking *marking, const weft_marking_output *output)
{
    const settings *set = marking->settings;
    bool masked =
        set->victim_mask == ALL_PORTS || (set->victim_mask == HOST_PORTS && output->endpoint);
    uint64_t level = (uint64_t)(16 - set->threshold) * output->capacity;
    if (set->threshold == 0 || 16 * (uint64_t)output->queued <= level ||
        output->bytes < 64 * set->packet_size || !(output->credits || masked))
        return 0;
    return 1 / (1 + (double)set->marking_rate);
}

const weft_marking_kind weft_marking_fecn = {
    .base = {.abi = WEFT_ABI,
             .size = sizeof(weft_marking_kind),
             .name = "fecn",
             .brief = "InfiniBand's: packets that leave a VL for which much waits, where it is the "
                      "root of the congestion",
             .params = params,
             .settings_size = sizeof(settings)},
    .probability = probability,
    .by_vl = true,
};
