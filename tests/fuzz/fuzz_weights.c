/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as a list of weights: a message, or rows whose shares sum to 1 and that are drawn
 * from. The first byte says which form and how many places. */
#include "net/traffic/common/weights.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

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

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0)
        return 0;
    weft_places places = {.count = 1 + (data[0] >> 2) % 16,
                          .name = "endpoint",
                          .of = "this network",
                          .loops = data[0] & 2};
    weft_weights_form form = data[0] & 1 ? WEFT_WEIGHTS_FLOWS : WEFT_WEIGHTS_EITHER;
    char *text = malloc(size); /* nothing follows it that could be read by mistake */
    if (!text)
        return 0;
    for (size_t i = 1; i < size; i++)
        text[i - 1] = (char)data[i];
    weft_weights weights;
    weft_error err;
    if (weft_weights_parse(&weights, "fuzz", text, size - 1, form, &places, &err) == WEFT_OK)
        check(&weights, &places);
    weft_weights_done(&weights);
    free(text);
    return 0;
}
