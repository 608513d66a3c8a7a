/* SPDX-License-Identifier: Apache-2.0 */
/* From a configuration file to the text of a scenario. An anynet is imported on the way: its
 * file becomes a fabric beside the scenario. */
#include "interop/booksim.h"

#include "config/describe/print.h"
#include "interop/formats.h"
#include "interweft/interop.h"

#include <stdlib.h>
#include <string.h>

/* The latency of all links, or the mean; BookSim takes 1 where none is written. */
static int64_t one_latency(const weft_booksim *set, const weft_import_graph *import_graph)
{
    int64_t sum = 0, least = INT64_MAX, most = 1;
    for (uint32_t i = 0; i < import_graph->n_cables; i++) {
        int64_t here = import_graph->cables[i].latency ? import_graph->cables[i].latency : 1;
        least = here < least ? here : least;
        most = here > most ? here : most;
        sum += here;
    }
    if (import_graph->n_cables == 0)
        return 1;
    if (least < most)
        weft_booksim_differ(set, "network_file", NULL,
                            "its links have latencies from %lld to %lld; one for all would be "
                            "right",
                            (long long)least, (long long)most);
    return (2 * sum + import_graph->n_cables) / (2 * (int64_t)import_graph->n_cables);
}

static weft_status write_fabric(weft_import_graph *import_graph, const char *path, weft_text *out,
                                weft_error *err)
{
    weft_weftnet net = {0};
    weft_pack pack = {0};
    weft_text notes;
    weft_text_init(&notes);
    weft_status status = weft_import_graph_finish(
        import_graph, &(weft_import_graph_options){.keep_order = true}, &net, &notes, err);
    if (status == WEFT_OK) {
        weft_weftnet_pack(&net, &pack);
        weft_weftnet_done(&net);
        status = weft_bytes_write(path, pack.data, pack.count, err);
        weft_pack_done(&pack);
    }
    char *text = weft_text_take(&notes), *rest = text;
    for (char *line; status == WEFT_OK && (line = strsep(&rest, "\n")) != NULL;)
        if (*line)
            weft_text_add(out, "# %s\n", line);
    free(text);
    return status;
}

static weft_status read_anynet(const weft_booksim *set, weft_booksim_net *net,
                               weft_import_graph *import_graph)
{
    weft_bytes bytes;
    if (*net->anynet == '\0')
        return WEFT_OK; /* refused */
    WEFT_TRY(weft_bytes_read(net->anynet, WEFT_LINES_BYTES, "an anynet file", &bytes, set->err));
    weft_status status = weft_anynet_read(import_graph, bytes.at, bytes.count, set->err);
    if (status == WEFT_OK)
        net->wire = one_latency(set, import_graph);
    free(bytes.at);
    return status;
}

static weft_status write_anynet(const weft_booksim *set, const weft_booksim_net *net,
                                weft_import_graph *import_graph, const char *fabric, weft_text *out)
{
    WEFT_TRY(write_fabric(import_graph, fabric, out, set->err));
    weft_text_add(out, "topology: {kind: file, path: ");
    weft_print_text(out, weft_bytes_name(fabric));
    weft_text_add(out, "}\nlinks:    {local: {latency: %lld cycle%s}, host: {latency: 1 cycle}}\n",
                  (long long)net->wire, net->wire == 1 ? "" : "s");
    return WEFT_OK;
}

/* Everything behind the network; its fabric is written only if nothing is refused. */
static weft_status add_rest(const weft_booksim *set, weft_booksim_net *net,
                            weft_import_graph *import_graph, const weft_booksim_options *options,
                            weft_text *out)
{
    weft_text rest;
    weft_text_init(&rest);
    weft_booksim_traffic(set, net, &rest);
    weft_booksim_router(set, net, &rest);
    weft_booksim_measure(set, &rest);
    weft_status status = weft_booksim_verdict(set, options->nearest);
    if (status == WEFT_OK && net->anynet)
        status = write_anynet(set, net, import_graph, options->fabric, out);
    weft_text_append(out, rest.at, rest.length);
    weft_text_done(&rest);
    return status;
}

static weft_status translate(const weft_booksim *set, const weft_booksim_options *options,
                             weft_text *out)
{
    weft_booksim_net net = {0};
    weft_import_graph import_graph;
    weft_status status = WEFT_OK;
    weft_booksim_check(set);
    weft_text_add(out, "interweft: 1\ntitle: ");
    weft_print_text(out, weft_bytes_name(set->file));
    weft_text_append(out, "\n", 1);
    weft_booksim_network(set, &net, out);
    weft_import_graph_init(&import_graph, net.anynet ? net.anynet : "");
    if (net.anynet && !options->fabric)
        weft_booksim_refuse(set, "topology",
                            "its fabric is written beside the scenario: -o OUT.yaml");
    if (net.anynet)
        status = read_anynet(set, &net, &import_graph);
    if (status == WEFT_OK)
        status = add_rest(set, &net, &import_graph, options, out);
    weft_import_graph_done(&import_graph);
    return status;
}

static weft_status read_all(weft_booksim *set, const weft_booksim_options *options,
                            const weft_bytes *bytes)
{
    WEFT_TRY(weft_booksim_read(set, options->file, bytes->at, bytes->count));
    for (size_t i = 0; options->overrides && options->overrides[i]; i++) {
        const char *line = weft_arena_format(set->arena, "%s;", options->overrides[i]);
        WEFT_TRY(weft_booksim_read(set, "command line", line, strlen(line)));
    }
    return WEFT_OK;
}

weft_status weft_import_booksim(const weft_booksim_options *options, char **scenario,
                                uint32_t *n_differences, weft_error *err)
{
    weft_bytes bytes;
    weft_booksim set;
    weft_arena arena;
    weft_text plain, out;
    *scenario = NULL;
    WEFT_TRY(
        weft_bytes_read(options->file, WEFT_BOOKSIM_BYTES, "a BookSim configuration", &bytes, err));
    weft_arena_init(&arena);
    weft_text_init(&plain);
    weft_text_init(&out);
    weft_booksim_init(&set, options->file, &arena, err);
    weft_status status = read_all(&set, options, &bytes);
    if (status == WEFT_OK)
        status = translate(&set, options, &plain);
    if (status == WEFT_OK) {
        weft_booksim_annotate(&set, plain.at, &out);
        *scenario = weft_text_take(&out);
    }
    *n_differences = set.differences->count;
    weft_text_done(&plain);
    weft_arena_done(&arena);
    free(bytes.at);
    return status;
}
