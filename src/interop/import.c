/* SPDX-License-Identifier: Apache-2.0 */
#include "interweft/interop.h"

#include "interop/formats.h"

#include <stdlib.h>
#include <string.h>

typedef struct format {
    const char *name, *what;
    weft_status (*read)(weft_import_graph *import_graph, const char *text, size_t length,
                        weft_error *err);
} format;

static const format formats[] = {{"edges", "an edge list", weft_edges_read},
                                 {"graphml", "a GraphML file", weft_graphml_read},
                                 {"anynet", "an anynet file", weft_anynet_read}};

static const format *find(const char *name)
{
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
        if (strcmp(formats[i].name, name) == 0)
            return &formats[i];
    return NULL;
}

static void describe(const weft_weftnet *net, weft_text *text)
{
    uint64_t hosts = 0;
    for (uint32_t h = 0; h < net->homes; h++)
        hosts += net->hosts[h];
    weft_text_add(text, "%-22s %u\n", "routers", net->routers);
    if (net->homes < net->routers)
        weft_text_add(text, "%-22s %u\n", "with hosts", net->homes);
    weft_text_add(text, "%-22s %llu\n", "endpoints", (unsigned long long)hosts);
    weft_text_add(text, "%-22s %u\n", "cables", net->n_cables);
    weft_text_add(text, "%-22s %u\n", "ports of a router", net->ports);
}

static weft_status convert(const weft_import_options *options, const format *is, weft_bytes bytes,
                           weft_text *text, weft_error *err)
{
    weft_import_graph import_graph;
    weft_weftnet net = {0};
    weft_import_graph_options how = {.hosts = (uint32_t)options->hosts,
                                     .keep_order = options->keep_order};
    weft_import_graph_init(&import_graph, options->file);
    weft_status status = is->read(&import_graph, bytes.at, bytes.count, err);
    if (status == WEFT_OK)
        status = weft_import_graph_finish(&import_graph, &how, &net, text, err);
    weft_import_graph_done(&import_graph);
    WEFT_TRY(status);
    weft_pack pack = {0};
    weft_weftnet_pack(&net, &pack);
    describe(&net, text);
    weft_weftnet_done(&net);
    status = weft_bytes_write(options->out, pack.data, pack.count, err);
    weft_pack_done(&pack);
    return status;
}

weft_status weft_import(const weft_import_options *options, char **text, weft_error *err)
{
    const format *is = find(options->format);
    weft_bytes bytes;
    weft_text out;
    if (!is)
        return weft_fail(
            err, WEFT_BAD_USAGE,
            "fabrics are imported from edges, graphml or anynet, scenarios from booksim or "
            "infiniband, found '%.64s'",
            options->format);
    if (options->hosts < 0 || options->hosts > (int64_t)WEFT_WEFTNET_HOSTS_MAX)
        return weft_fail(err, WEFT_BAD_USAGE, "a router has 1 … %u hosts", WEFT_WEFTNET_HOSTS_MAX);
    WEFT_TRY(weft_bytes_read(options->file, WEFT_LINES_BYTES, is->what, &bytes, err));
    weft_text_init(&out);
    weft_status status = convert(options, is, bytes, &out, err);
    free(bytes.at);
    if (status == WEFT_OK)
        *text = weft_text_take(&out);
    else
        weft_text_done(&out);
    return status;
}
