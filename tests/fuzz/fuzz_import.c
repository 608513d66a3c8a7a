/* SPDX-License-Identifier: Apache-2.0 */
/* Fabrics of other programs, of any bytes, given to the readers of edge lists, GraphML and anynet.
 * None crashes, and what they make of it is sound. The length of the input chooses the options.
 * WEFT_READER=graphml, or another of the names below, gives them to one reader alone. */
#include "fuzz_file.h"
#include "interop/formats.h"

static const struct {
    const char *name;
    weft_status (*read)(weft_import_graph *, const char *, size_t, weft_error *);
} readers[] = {
    {"edges", weft_edges_read}, {"graphml", weft_graphml_read}, {"anynet", weft_anynet_read}};

static void read_by(size_t reader, const uint8_t *data, size_t size)
{
    weft_import_graph import_graph;
    weft_weftnet net;
    weft_error err;
    weft_text notes;
    weft_import_graph_init(&import_graph, "fuzz");
    weft_text_init(&notes);
    weft_import_graph_options options = {.hosts = size >> 1 & 3, .keep_order = size & 1};
    if (readers[reader].read(&import_graph, (const char *)data, size, &err) == WEFT_OK &&
        weft_import_graph_finish(&import_graph, &options, &net, &notes, &err) == WEFT_OK) {
        if (weft_weftnet_flaw(&net))
            abort();
        weft_weftnet_done(&net);
    }
    weft_text_done(&notes);
    weft_import_graph_done(&import_graph);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    for (size_t i = 0; i < sizeof readers / sizeof *readers && data; i++)
        if (fuzz_wants(readers[i].name))
            read_by(i, data, size);
    return 0;
}
