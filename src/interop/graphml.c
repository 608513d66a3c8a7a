/* SPDX-License-Identifier: Apache-2.0 */
/* GraphML: nodes are routers, undirected edges are cables. Data of these names are used, all
 * others skipped: hosts of nodes, and host_latency and host_rate of their links; class, latency,
 * rate and ports ("3:7") of edges. What a node or an edge lacks is the default of the key. The text
 * of a node's name is its id. */
#include "interop/formats.h"
#include "interop/xml.h"

#include <string.h>

#define KEYS_MAX  256
#define TEXT_ROOM 512

typedef enum meaning {
    NOTHING,
    HOSTS,
    CLASS,
    LATENCY,
    PORTS,
    RATE,
    HOST_LATENCY,
    HOST_RATE,
    MEANINGS
} meaning;
static const char *const meanings[MEANINGS] = {"",      "hosts", "class",        "latency",
                                               "ports", "rate",  "host_latency", "host_rate"};

typedef struct reader {
    weft_import_graph *import_graph;
    weft_xml xml;
    weft_error *err;
    weft_word keys[KEYS_MAX]; /* raw ids of keys that mean something */
    meaning means[KEYS_MAX];
    weft_word whose[KEYS_MAX];    /* "node", "edge", "all" …; at NULL: not said */
    weft_word defaults[KEYS_MAX]; /* raw; at NULL: none */
    unsigned n_keys;
    bool graph, in_node, in_edge;
    bool in_key;          /* the last one is open */
    bool given[MEANINGS]; /* of the node or edge that is open */
    meaning data;         /* of the element data that is open */
    uint32_t node;
    weft_import_graph_cable edge;
} reader;

static weft_status fail(reader *r, const char *what)
{
    return weft_lines_fail(&r->xml.place, r->err, "%s", what);
}

static weft_status begin_key(reader *r)
{
    weft_word id = weft_xml_attribute(&r->xml, "id"),
              name = weft_xml_attribute(&r->xml, "attr.name");
    for (meaning m = HOSTS; m < MEANINGS; m++) {
        if (!id.at || !weft_word_is(name, meanings[m]))
            continue;
        if (r->n_keys == KEYS_MAX)
            return fail(r, "there are more than 256 keys for hosts, class, latency, rate, ports, "
                           "host_latency and host_rate");
        r->keys[r->n_keys] = id;
        r->whose[r->n_keys] = weft_xml_attribute(&r->xml, "for");
        r->in_key = true;
        r->means[r->n_keys++] = m;
    }
    return WEFT_OK;
}

static weft_status begin_graph(reader *r)
{
    weft_word direction = weft_xml_attribute(&r->xml, "edgedefault");
    if (r->graph)
        return fail(r, "there is a second graph; a fabric is one, not nested");
    if (weft_word_is(direction, "directed"))
        return fail(r, "the edges of this graph are directed; cables lead both ways: write it with "
                       "edgedefault=\"undirected\"");
    r->graph = true;
    return WEFT_OK;
}

/* The router that an attribute names. */
static weft_status router_of(reader *r, const char *attribute, uint32_t *router)
{
    char text[TEXT_ROOM];
    weft_word name, raw = weft_xml_attribute(&r->xml, attribute);
    if (!raw.at)
        return weft_lines_fail(&r->xml.place, r->err, "the attribute %s is missing", attribute);
    WEFT_TRY(weft_xml_decode(&r->xml, raw, text, sizeof text, &name, r->err));
    return weft_import_graph_router_of(r->import_graph, &r->xml.place, name, router, r->err);
}

static weft_status begin_node(reader *r)
{
    WEFT_TRY(router_of(r, "id", &r->node));
    if (r->in_node || r->in_edge || r->import_graph->routers[r->node].declared)
        return weft_lines_fail(&r->xml.place, r->err, "node %s is here twice, or inside another",
                               weft_import_graph_name(r->import_graph, r->node));
    r->import_graph->routers[r->node].declared = true;
    r->in_node = true;
    memset(r->given, 0, sizeof r->given);
    return WEFT_OK;
}

static weft_status begin_edge(reader *r)
{
    if (r->in_node || r->in_edge)
        return fail(r, "an edge is inside a node or another edge");
    if (weft_word_is(weft_xml_attribute(&r->xml, "directed"), "true"))
        return fail(r, "this edge is directed; cables lead both ways");
    r->edge = (weft_import_graph_cable){.class = WEFT_NO_CLASS};
    WEFT_TRY(router_of(r, "source", &r->edge.end[0].router));
    WEFT_TRY(router_of(r, "target", &r->edge.end[1].router));
    r->edge.end[0].port = r->edge.end[1].port = WEFT_NO_PORT_YET;
    r->in_edge = true;
    memset(r->given, 0, sizeof r->given);
    return WEFT_OK;
}

static void begin_data(reader *r)
{
    weft_word key = weft_xml_attribute(&r->xml, "key");
    r->data = NOTHING;
    for (unsigned i = 0; i < r->n_keys && key.at; i++)
        if (key.length == r->keys[i].length && memcmp(key.at, r->keys[i].at, key.length) == 0)
            r->data = r->means[i];
}

/* A number such as 5 or 5.0. */
static weft_word whole(weft_word word)
{
    const char *dot = memchr(word.at, '.', word.length);
    size_t zeros = 1;
    if (!dot || dot == word.at)
        return word;
    while (dot + zeros < word.at + word.length && dot[zeros] == '0')
        zeros++;
    if (dot + zeros == word.at + word.length)
        word.length = (size_t)(dot - word.at);
    return word;
}

/* The latency or the rate of the links of a node's hosts. */
static weft_status take_timing(reader *r, meaning data, weft_word word)
{
    weft_link_settings *timing = &r->import_graph->routers[r->node].timing;
    uint32_t cycles = 0;
    if (data == HOST_RATE)
        return weft_import_graph_rate(&r->xml.place, word, timing, r->err);
    WEFT_TRY(weft_import_graph_latency(&r->xml.place, whole(word), &cycles, timing, r->err));
    if (cycles > 0)
        timing->latency = (weft_duration){cycles, WEFT_CYCLES};
    return WEFT_OK;
}

/* What a text says of the node or edge that is open. */
static weft_status take(reader *r, meaning data, weft_word word)
{
    uint64_t hosts;
    r->given[data] = true;
    if (data == HOSTS && r->in_node) {
        if (!weft_word_number(whole(word), WEFT_WEFTNET_HOSTS_MAX, &hosts))
            return weft_lines_fail(&r->xml.place, r->err,
                                   "hosts must be a whole number 0 … %u, found '%.*s'",
                                   WEFT_WEFTNET_HOSTS_MAX, WEFT_WORD(word));
        return weft_import_graph_hosts(r->import_graph, &r->xml.place, r->node, hosts, r->err);
    }
    if (r->in_node && (data == HOST_RATE || data == HOST_LATENCY))
        return take_timing(r, data, word);
    if (!r->in_edge)
        return WEFT_OK;
    if (data == CLASS)
        return weft_import_graph_class(&r->xml.place, word, &r->edge.class, r->err);
    if (data == LATENCY)
        return weft_import_graph_latency(&r->xml.place, whole(word), &r->edge.latency,
                                         &r->edge.timing, r->err);
    if (data == RATE)
        return weft_import_graph_rate(&r->xml.place, word, &r->edge.timing, r->err);
    return data == PORTS ? weft_import_graph_ports(&r->xml.place, word, &r->edge, r->err) : WEFT_OK;
}

static weft_status end_data(reader *r)
{
    char text[TEXT_ROOM];
    weft_word word;
    meaning data = r->data;
    r->data = NOTHING;
    if (data == NOTHING)
        return WEFT_OK;
    WEFT_TRY(weft_xml_decode(&r->xml, r->xml.text, text, sizeof text, &word, r->err));
    return take(r, data, word);
}

/* What the node or edge that ends has not been given. */
static weft_status take_defaults(reader *r)
{
    const char *whose = r->in_node ? "node" : "edge";
    for (unsigned i = 0; i < r->n_keys; i++) {
        char text[TEXT_ROOM];
        weft_word word, of = r->whose[i];
        bool its = !of.at || weft_word_is(of, whose) || weft_word_is(of, "all");
        if (!its || !r->defaults[i].at || r->given[r->means[i]])
            continue;
        WEFT_TRY(weft_xml_decode(&r->xml, r->defaults[i], text, sizeof text, &word, r->err));
        if (word.length > 0)
            WEFT_TRY(take(r, r->means[i], word));
    }
    return WEFT_OK;
}

static weft_status begin(reader *r)
{
    weft_word name = r->xml.name;
    if (weft_word_is(name, "key"))
        return begin_key(r);
    if (weft_word_is(name, "graph"))
        return begin_graph(r);
    if (weft_word_is(name, "node"))
        return begin_node(r);
    if (weft_word_is(name, "edge"))
        return begin_edge(r);
    if (weft_word_is(name, "hyperedge"))
        return fail(r, "a hyperedge is no cable; a cable has two ends");
    if (weft_word_is(name, "data"))
        begin_data(r);
    return WEFT_OK;
}

static weft_status end(reader *r)
{
    weft_word name = r->xml.name;
    if (weft_word_is(name, "data"))
        return end_data(r);
    if (weft_word_is(name, "default") && r->in_key)
        r->defaults[r->n_keys - 1] = r->xml.text;
    if (weft_word_is(name, "key"))
        r->in_key = false;
    bool node = weft_word_is(name, "node"), edge = weft_word_is(name, "edge");
    if (node || edge)
        WEFT_TRY(take_defaults(r));
    if (node)
        r->in_node = false;
    if (!edge)
        return WEFT_OK;
    r->in_edge = false;
    return weft_import_graph_join(r->import_graph, &r->xml.place, r->edge, r->err);
}

static weft_status check_nodes(const reader *r)
{
    for (uint32_t n = 0; n < r->import_graph->n_routers; n++)
        if (!r->import_graph->routers[n].declared)
            return weft_lines_fail(&r->xml.place, r->err,
                                   "an edge names %s, but there is no node of this id",
                                   weft_import_graph_name(r->import_graph, n));
    return WEFT_OK;
}

weft_status weft_graphml_read(weft_import_graph *import_graph, const char *text, size_t length,
                              weft_error *err)
{
    reader r = {.import_graph = import_graph,
                .xml = weft_xml_of(import_graph->file, text, length),
                .err = err};
    bool more = true;
    WEFT_TRY(weft_xml_next(&r.xml, &more, err));
    if (!more || !weft_word_is(r.xml.name, "graphml"))
        return fail(&r, "a GraphML file begins with the element graphml");
    while (more) {
        WEFT_TRY(weft_xml_next(&r.xml, &more, err));
        if (more)
            WEFT_TRY(r.xml.begins ? begin(&r) : end(&r));
    }
    return check_nodes(&r);
}
