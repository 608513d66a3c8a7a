/* SPDX-License-Identifier: Apache-2.0 */
/* Topology: which routers there are and how they are joined; pure and const once built.
 *
 * A regular kind tabulates nothing: neighbours, distances and routes are computed. A packet
 * carries a 32-bit *route word* that only the topology reads: `aim` makes it, `ways` lists the
 * minimal ports it allows and the word after each; 0 means "here". */
#ifndef INTERWEFT_TOPOLOGY_H
#define INTERWEFT_TOPOLOGY_H

#include "interweft/component.h"
#include "interweft/random.h"
#include "interweft/status.h"

#define WEFT_NOWHERE   UINT32_MAX
#define WEFT_WAYS_MAX  32
#define WEFT_PORTS_MAX 64

/* Classes of links, as the section links names them. */
typedef enum weft_link_class {
    WEFT_LINK_LOCAL,
    WEFT_LINK_GLOBAL,
    WEFT_LINK_HOST,
    WEFT_LINK_CLASSES
} weft_link_class;

typedef struct weft_end {
    uint32_t router; /* WEFT_NOWHERE: nothing is attached */
    uint32_t port;
} weft_end;

/* A productive port, the hops that remain in its direction, and the route word behind it. */
typedef struct weft_way {
    uint16_t port;
    uint16_t hops;
    uint32_t after;
} weft_way;

/* Coordinates, where the kind has them: router id is mixed radix, dimension 0 most significant
 * (as a person reads dims: [a, b]). A port moves by step along its dimension; with wraps (or size
 * 2) past the end to the start. Where lines are full, all routers of a line are joined to each other: steps are
 * 1 … size − 1, past the end to the start. Filled by the kind; dims 0: no coordinates. */
typedef struct weft_lattice {
    uint32_t dims;
    uint32_t size[WEFT_DIMS_MAX];
    bool wraps[WEFT_DIMS_MAX];
    uint8_t port_dim[WEFT_PORTS_MAX];
    int8_t port_step[WEFT_PORTS_MAX]; /* +1, −1; a dimension of size 2 has the one port +1 */
    bool full;                        /* all lines are */
} weft_lattice;

typedef struct weft_topology {
    const struct weft_topology_kind *kind;
    void *self; /* kind->base.instance_size bytes */
    uint32_t routers;
    uint32_t hosts; /* endpoints per router; endpoint e sits at router e / hosts */
    uint32_t ports; /* router-to-router ports of a router: 0 … ports−1 */
    uint64_t links; /* directed router-to-router links that exist */
    uint8_t port_class[WEFT_PORTS_MAX]; /* weft_link_class of every port, the same at all routers */
    bool uniform; /* the other end of port p has the same number at all routers: */
    uint8_t peer_port[WEFT_PORTS_MAX];
    uint32_t classes; /* lanes must be divided in so many classes: 2 where rings close, else 1 */
    weft_lattice lattice;
} weft_topology;

typedef struct weft_topology_kind {
    weft_component base;
    /* Fills *topology (self is zeroed); done frees what build took, NULL: nothing. */
    weft_status (*build)(weft_topology *topology, const void *settings, weft_error *err);
    void (*done)(weft_topology *topology);
    /* The other end of a port; router WEFT_NOWHERE where a mesh ends. */
    weft_end (*peer)(const weft_topology *topology, uint32_t router, uint32_t port);
    uint32_t (*distance)(const weft_topology *topology, uint32_t from, uint32_t to);
    /* Mean distance over all ordered pairs of different routers; exact. */
    double (*mean_distance)(const weft_topology *topology);
    uint32_t (*aim)(const weft_topology *topology, uint32_t from, uint32_t to, weft_random *tie);
    /* Writes the minimal ways in dimension order, `most` of them (≤ WEFT_WAYS_MAX) if there are more;
     * returns how many, 0 only for route 0. */
    unsigned (*ways)(const weft_topology *topology, uint32_t route, unsigned most, weft_way *out);
    /* Does a packet at this router that goes on by `way` to the end of its direction pass the dateline of a ring? NULL: there are
     * no rings. */
    bool (*crosses)(const weft_topology *topology, uint32_t router, const weft_way *way);
    /* May a packet at this router carry this route word? For words from a file that nobody vouches for.
     * NULL: any word is safe. */
    bool (*sound)(const weft_topology *topology, uint32_t router, uint32_t route);
} weft_topology_kind;

#endif
