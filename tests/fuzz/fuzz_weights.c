/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as a list of weights: a message, or rows whose shares sum to 1 and that are drawn
 * from. The length of the input says how many places there are. WEFT_READER=matrix or flow-list
 * gives them to one reader alone. */
#include "fuzz_file.h"
#include "net/traffic/common/weights.h"

static void check(const weft_weights *weights, const weft_places *places)
{
    weft_random random = weft_random_stream(1, 0, 0, WEFT_FOR_ESTIMATE);
    uint32_t senders = 0;
    for (uint32_t from = 0; from < weights->places; from++) {
        uint32_t first = weights->row[from], end = weights->row[from + 1];
        double sum = 0;
        for (uint32_t i = first; i < end; i++) {
            const weft_weight *entry = &weights->entry[i];
            sum += entry->share;
            if (entry->to >= places->count || (entry->to == from && !places->loops) ||
                entry->other < first || entry->other >= end ||
                (i > first && entry->to <= entry[-1].to))
                abort();
        }
        if (first == end)
            continue;
        senders++;
        if (!(sum > 1 - 1e-9 && sum < 1 + 1e-9) ||
            weft_weights_draw(weights, from, &random) >= places->count)
            abort();
    }
    if (senders != weights->senders || senders == 0)
        abort();
}

static void read_as(weft_weights_form form, const char *text, size_t size)
{
    weft_places places = {.count = size % 3 == 2 ? 1 + (uint32_t)(size % 16) : 16,
                          .name = "endpoint",
                          .of = "this network",
                          .loops = size % 3 == 0};
    weft_weights weights;
    weft_error err;
    if (weft_weights_parse(&weights, "fuzz", text, size, form, &places, &err) == WEFT_OK)
        check(&weights, &places);
    weft_weights_done(&weights);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    /* libFuzzer's own copy has no room behind it: what is read there by mistake is found */
    if (size > 0 && fuzz_wants("matrix"))
        read_as(WEFT_WEIGHTS_EITHER, (const char *)data, size);
    if (size > 0 && fuzz_wants("flow-list"))
        read_as(WEFT_WEIGHTS_FLOWS, (const char *)data, size);
    return 0;
}
