/* SPDX-License-Identifier: Apache-2.0 */
/* BookSim configurations of any bytes are read or refused; what is read is translated or
 * refused. */
#include "interop/booksim.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    weft_error err;
    weft_arena arena;
    weft_booksim set;
    weft_booksim_net net = {0};
    weft_text out, noted;
    weft_arena_init(&arena);
    weft_text_init(&out);
    weft_text_init(&noted);
    weft_booksim_init(&set, "fuzz", &arena, &err);
    weft_status status = weft_booksim_read(&set, "fuzz", (const char *)data, size);
    if (status == WEFT_OK) {
        weft_booksim_check(&set);
        weft_booksim_network(&set, &net, &out);
        weft_booksim_traffic(&set, &net, &out);
        weft_booksim_router(&set, &net, &out);
        weft_booksim_measure(&set, &out);
        status = weft_booksim_verdict(&set, true);
    }
    if (status == WEFT_OK)
        weft_booksim_annotate(&set, out.at, &noted);
    weft_text_done(&noted);
    weft_text_done(&out);
    weft_arena_done(&arena);
    return 0;
}
