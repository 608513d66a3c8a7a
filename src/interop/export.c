/* SPDX-License-Identifier: Apache-2.0 */
/* Topologies as edge lists, GraphML and dot. Routers of an imported fabric have their names,
 * others their numbers. What is down is left out. */
#include "config/units.h"
#include "interop/cables.h"
#include "interop/formats.h"
#include "net/naming.h"

#include <string.h>

static weft_status refuse_one_way(const weft_topology *topology, weft_error *err)
{
    return weft_fail(err, WEFT_BAD_INPUT,
                     "the links of a %s lead one way, which this format cannot say: use dot",
                     topology->kind->base.name);
}

static bool same_name(const char *name, const char *word)
{
    return strcmp(name, word) == 0;
}

/* ---- edge lists ---- */

/* A " inside a name cannot be written. */
static weft_status add_word(weft_text *text, const char *name, weft_error *err)
{
    bool quoted = strpbrk(name, " \t#=\"") || same_name(name, "host") || same_name(name, "router");
    if (strchr(name, '"'))
        return weft_fail(
            err, WEFT_BAD_INPUT,
            "router %s has a \" in its name, which an edge list cannot say: use graphml", name);
    weft_text_add(text, quoted ? "\"%s\"" : "%s", name);
    return WEFT_OK;
}

/* " rate=100Gb/s latency=30ns", between these marks, as far as the file has them with units. */
static void add_timing(weft_text *text, const weft_link_settings *timing, const char *before_rate,
                       const char *before_latency, const char *behind)
{
    char out[WEFT_QUANTITY_CHARS];
    weft_quantity rate = {timing->rate.value, (int)timing->rate.unit},
                  latency = {timing->latency.value, (int)timing->latency.unit};
    if (timing->rate.unit != WEFT_NO_RATE) {
        (void)weft_quantity_write(WEFT_PARAM_RATE, rate, out);
        weft_text_add(text, "%s%.*s%s%s", before_rate, (int)strcspn(out, " "), out,
                      out + strcspn(out, " ") + 1, behind);
    }
    if (timing->latency.unit != WEFT_NO_TIME) {
        (void)weft_quantity_write(WEFT_PARAM_DURATION, latency, out);
        weft_text_add(text, "%s%.*s%s%s", before_latency, (int)strcspn(out, " "), out,
                      out + strcspn(out, " ") + 1, behind);
    }
}

/* What a file says of a cable. */
static const weft_link_settings *timing_of(const weft_topology *topology, const weft_cables *cables,
                                           size_t cable)
{
    const weft_weftnet *net = weft_weftnet_of(topology);
    if (!net || !net->timing)
        return NULL;
    return &net->timing[cables->number ? cables->number[cable] : cable];
}

/* What it says of the links of a router's hosts, behind all cables. */
static const weft_link_settings *host_timing_of(const weft_topology *topology, uint32_t home)
{
    const weft_weftnet *net = weft_weftnet_of(topology);
    return net && net->timing ? &net->timing[net->n_cables + home] : NULL;
}

static weft_status add_edge(weft_text *text, const weft_topology *topology, const weft_cable *cable,
                            const weft_link_settings *timing, weft_error *err)
{
    char name[WEFT_NAME_BYTES];
    WEFT_TRY(add_word(text, weft_naming_name(topology, cable->end[0].router, name), err));
    weft_text_append(text, " ", 1);
    WEFT_TRY(add_word(text, weft_naming_name(topology, cable->end[1].router, name), err));
    weft_text_add(text, " class=%s ports=%u:%u", weft_cables_class(cable->class),
                  cable->end[0].port, cable->end[1].port);
    if (cable->latency)
        weft_text_add(text, " latency=%u", cable->latency);
    if (timing)
        add_timing(text, timing, " rate=", " latency=", "");
    weft_text_append(text, "\n", 1);
    return WEFT_OK;
}

static weft_status add_edges(weft_text *text, const weft_topology *topology,
                             const weft_cables *cables, weft_error *err)
{
    char name[WEFT_NAME_BYTES];
    if (cables->one_way)
        return refuse_one_way(topology, err);
    weft_text_add(text, "# %s: %u routers, %zu cables\n", topology->kind->base.name,
                  weft_cables_routers(cables, topology), cables->count);
    for (uint32_t r = 0; r < topology->routers; r++) {
        if (weft_cables_gone(cables, r))
            continue;
        weft_text_add(text, r < topology->edge_routers ? "host " : "router ");
        WEFT_TRY(add_word(text, weft_naming_name(topology, r, name), err));
        if (r < topology->edge_routers)
            weft_text_add(text, " %u", weft_topology_hosts(topology, r));
        if (r < topology->edge_routers && host_timing_of(topology, r))
            add_timing(text, host_timing_of(topology, r), " rate=", " latency=", "");
        weft_text_append(text, "\n", 1);
    }
    for (size_t c = 0; c < cables->count; c++)
        WEFT_TRY(add_edge(text, topology, &cables->at[c], timing_of(topology, cables, c), err));
    return WEFT_OK;
}

weft_status weft_edges_write(const weft_topology *topology, weft_text *text, weft_error *err)
{
    weft_cables cables;
    weft_cables_init(&cables, topology);
    weft_status status = add_edges(text, topology, &cables, err);
    weft_cables_done(&cables);
    return status;
}

/* ---- GraphML ---- */

static void add_escaped(weft_text *text, const char *name)
{
    for (; *name; name++)
        if (*name == '<')
            weft_text_add(text, "&lt;");
        else if (*name == '&')
            weft_text_add(text, "&amp;");
        else if (*name == '"')
            weft_text_add(text, "&quot;");
        else
            weft_text_append(text, name, 1);
}

static void add_attribute(weft_text *text, const weft_topology *topology, const char *key,
                          uint32_t router)
{
    char name[WEFT_NAME_BYTES];
    weft_text_add(text, " %s=\"", key);
    add_escaped(text, weft_naming_name(topology, router, name));
    weft_text_append(text, "\"", 1);
}

static void add_graph(weft_text *text, const weft_topology *topology, const weft_cables *cables)
{
    for (uint32_t r = 0; r < topology->routers; r++) {
        if (weft_cables_gone(cables, r))
            continue;
        weft_text_add(text, "<node");
        add_attribute(text, topology, "id", r);
        if (r >= topology->edge_routers) {
            weft_text_add(text, "/>\n");
            continue;
        }
        weft_text_add(text, "><data key=\"h\">%u</data>", weft_topology_hosts(topology, r));
        const weft_link_settings *timing = host_timing_of(topology, r);
        if (timing)
            add_timing(text, timing, "<data key=\"hr\">", "<data key=\"hl\">", "</data>");
        weft_text_add(text, "</node>\n");
    }
    for (size_t c = 0; c < cables->count; c++) {
        const weft_cable *cable = &cables->at[c];
        weft_text_add(text, "<edge");
        add_attribute(text, topology, "source", cable->end[0].router);
        add_attribute(text, topology, "target", cable->end[1].router);
        weft_text_add(text, "><data key=\"c\">%s</data><data key=\"p\">%u:%u</data>",
                      weft_cables_class(cable->class), cable->end[0].port, cable->end[1].port);
        if (cable->latency)
            weft_text_add(text, "<data key=\"l\">%u</data>", cable->latency);
        const weft_link_settings *timing = timing_of(topology, cables, c);
        if (timing)
            add_timing(text, timing, "<data key=\"r\">", "<data key=\"l\">", "</data>");
        weft_text_add(text, "</edge>\n");
    }
}

weft_status weft_graphml_write(const weft_topology *topology, weft_text *text, weft_error *err)
{
    weft_cables cables;
    weft_cables_init(&cables, topology);
    if (cables.one_way) {
        weft_cables_done(&cables);
        return refuse_one_way(topology, err);
    }
    bool timed = host_timing_of(topology, 0) != NULL;
    weft_text_add(text,
                  "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                  "<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n"
                  "<key id=\"h\" for=\"node\" attr.name=\"hosts\" attr.type=\"int\"/>\n"
                  "<key id=\"c\" for=\"edge\" attr.name=\"class\" attr.type=\"string\"/>\n"
                  "<key id=\"p\" for=\"edge\" attr.name=\"ports\" attr.type=\"string\"/>\n"
                  "<key id=\"l\" for=\"edge\" attr.name=\"latency\" attr.type=\"%s\"/>\n"
                  "%s<graph id=\"%s\" edgedefault=\"undirected\">\n",
                  timed ? "string" : "int",
                  timed ? "<key id=\"r\" for=\"edge\" attr.name=\"rate\" "
                          "attr.type=\"string\"/>\n"
                          "<key id=\"hr\" for=\"node\" attr.name=\"host_rate\" "
                          "attr.type=\"string\"/>\n"
                          "<key id=\"hl\" for=\"node\" attr.name=\"host_latency\" "
                          "attr.type=\"string\"/>\n"
                        : "",
                  topology->kind->base.name);
    add_graph(text, topology, &cables);
    weft_text_add(text, "</graph>\n</graphml>\n");
    weft_cables_done(&cables);
    return WEFT_OK;
}

/* ---- dot ---- */

static void add_quoted(weft_text *text, const char *name)
{
    weft_text_append(text, "\"", 1);
    for (; *name; name++) {
        if (*name == '"' || *name == '\\')
            weft_text_append(text, "\\", 1);
        weft_text_append(text, name, 1);
    }
    weft_text_append(text, "\"", 1);
}

weft_status weft_dot_write(const weft_topology *topology, weft_text *text, weft_error *err)
{
    static const char *const style[WEFT_LINK_CLASSES] = {
        [WEFT_LINK_GLOBAL] = " [style=bold]", [WEFT_LINK_REGIONAL] = " [style=dashed]"};
    weft_cables cables;
    char name[WEFT_NAME_BYTES];
    (void)err;
    weft_cables_init(&cables, topology);
    weft_text_add(text, "%s \"%s\" {\n", cables.one_way ? "digraph" : "graph",
                  topology->kind->base.name);
    weft_text_add(text, "  node [shape=circle];\n");
    for (uint32_t r = 0; r < topology->routers; r++) {
        if (weft_cables_gone(&cables, r))
            continue;
        weft_text_add(text, "  ");
        add_quoted(text, weft_naming_name(topology, r, name));
        weft_text_add(text, r < topology->edge_routers ? ";\n" : " [shape=box];\n");
    }
    for (size_t c = 0; c < cables.count; c++) {
        const char *kind = style[cables.at[c].class];
        weft_text_add(text, "  ");
        add_quoted(text, weft_naming_name(topology, cables.at[c].end[0].router, name));
        weft_text_add(text, cables.one_way ? " -> " : " -- ");
        add_quoted(text, weft_naming_name(topology, cables.at[c].end[1].router, name));
        weft_text_add(text, "%s;\n", kind ? kind : "");
    }
    weft_text_add(text, "}\n");
    weft_cables_done(&cables);
    return WEFT_OK;
}
