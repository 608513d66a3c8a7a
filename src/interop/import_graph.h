/* SPDX-License-Identifier: Apache-2.0 */
/* A fabric while a foreign file is being read: routers by name, hosts and cables in file order.
 * weft_import_graph_finish numbers routers and ports and gives a .weftnet fabric. */
#ifndef WEFT_INTEROP_IMPORT_GRAPH_H
#define WEFT_INTEROP_IMPORT_GRAPH_H

#include "base/text.h"
#include "config/lines.h"
#include "net/topology/common/weftnet.h"

#define WEFT_NO_CLASS     UINT32_MAX
#define WEFT_NO_PORT_YET  UINT32_MAX
#define WEFT_LATENCY_MOST 1000000000u

typedef struct weft_import_graph_router {
    size_t name; /* in text */
    uint32_t hosts;
    uint32_t degree;
    weft_link_settings timing; /* of the links of its hosts, as far as given */
    bool declared;             /* not only named by a cable; for formats that declare routers */
} weft_import_graph_router;

typedef struct weft_import_graph_cable {
    weft_end end[2];           /* port: given, or WEFT_NO_PORT_YET */
    uint32_t latency;          /* without a unit; 0: not given */
    uint32_t class;            /* WEFT_NO_CLASS: not given */
    weft_link_settings timing; /* as far as given with units */
} weft_import_graph_cable;

typedef struct weft_import_graph {
    const char *file; /* for messages */
    uint32_t n_routers, router_room, n_cables, cable_room;
    weft_import_graph_router *routers;
    weft_import_graph_cable *cables;
    char *text; /* names, a \0 behind each */
    size_t text_bytes, text_room;
    uint32_t *slots; /* routers by the hash of their names, + 1; 0: free */
    size_t n_slots;
    bool hosts_given; /* the file gives hosts for some router */
} weft_import_graph;

typedef struct weft_import_graph_options {
    uint32_t hosts;  /* of every router that has any; 0: as the file says */
    bool keep_order; /* routers in file order, those with hosts first */
} weft_import_graph_options;

void weft_import_graph_init(weft_import_graph *import_graph, const char *file);
void weft_import_graph_done(weft_import_graph *import_graph);
static inline const char *weft_import_graph_name(const weft_import_graph *import_graph,
                                                 uint32_t router)
{
    return import_graph->text + import_graph->routers[router].name;
}
/* The router of this name, a new one if there was none; fails if none can be called so. */
WEFT_MUST_USE weft_status weft_import_graph_router_of(weft_import_graph *import_graph,
                                                      const weft_lines *lines, weft_word name,
                                                      uint32_t *router, weft_error *err);
/* So many more hosts for a router. */
WEFT_MUST_USE weft_status weft_import_graph_hosts(weft_import_graph *import_graph,
                                                  const weft_lines *lines, uint32_t router,
                                                  uint64_t hosts, weft_error *err);
WEFT_MUST_USE weft_status weft_import_graph_join(weft_import_graph *import_graph,
                                                 const weft_lines *lines,
                                                 weft_import_graph_cable cable, weft_error *err);
/* Parse a word as link class, as latency (*latency, or *timing where it has a unit; timing
 * NULL: it has none) and as rate; for all
 * formats. */
WEFT_MUST_USE weft_status weft_import_graph_class(const weft_lines *lines, weft_word word,
                                                  uint32_t *class, weft_error *err);
WEFT_MUST_USE weft_status weft_import_graph_latency(const weft_lines *lines, weft_word word,
                                                    uint32_t *latency, weft_link_settings *timing,
                                                    weft_error *err);
WEFT_MUST_USE weft_status weft_import_graph_rate(const weft_lines *lines, weft_word word,
                                                 weft_link_settings *timing, weft_error *err);
/* Parses "3:7", the ports of the two ends of a cable. */
WEFT_MUST_USE weft_status weft_import_graph_ports(const weft_lines *lines, weft_word word,
                                                  weft_import_graph_cable *cable, weft_error *err);

/* Numbers everything and fills *net; notes are remarks for the user. */
WEFT_MUST_USE weft_status weft_import_graph_finish(weft_import_graph *import_graph,
                                                   const weft_import_graph_options *options,
                                                   weft_weftnet *net, weft_text *notes,
                                                   weft_error *err);

#endif
