/* SPDX-License-Identifier: Apache-2.0 */
/* Fabrics of other programs, of any bytes: the first one says which reader gets the rest. None
 * crashes, and what they make of it is sound. */
#include "interop/formats.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    weft_status (*const readers[])(weft_import_graph *, const char *, size_t, weft_error *) = {
        weft_edges_read, weft_graphml_read, weft_anynet_read};
    weft_import_graph import_graph;
    weft_weftnet net;
    weft_error err;
    weft_text notes;
    if (size == 0)
        return 0;
    weft_import_graph_init(&import_graph, "fuzz");
    weft_text_init(&notes);
    weft_import_graph_options options = {.hosts = data[0] >> 4 & 3, .keep_order = data[0] & 4};
    if (readers[(data[0] & 3) % 3](&import_graph, (const char *)data + 1, size - 1, &err) ==
            WEFT_OK &&
        weft_import_graph_finish(&import_graph, &options, &net, &notes, &err) == WEFT_OK) {
        if (weft_weftnet_flaw(&net))
            abort();
        weft_weftnet_done(&net);
    }
    weft_text_done(&notes);
    weft_import_graph_done(&import_graph);
    return 0;
}
