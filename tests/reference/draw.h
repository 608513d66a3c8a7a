/* SPDX-License-Identifier: Apache-2.0 */
/* Random networks: the text of a scenario, and the same for the reference simulator. */
#ifndef WEFT_TEST_DRAW_H
#define WEFT_TEST_DRAW_H

#include "interweft/topology.h"
#include "reference/flit.h"

enum { DRAW_WHERES = 3, DRAW_SWITCHES = 7, DRAW_CABLES = 24 };
typedef struct draw_cable { /* of a fabric, between two of its switches */
    uint32_t a, b;
    int period[2];
    int64_t latency;
} draw_cable;

/* A fabric of an edge list: all links and numbers of hosts differ. */
typedef struct draw_fabric {
    uint32_t switches, n_cables; /* switches 0: there is none */
    draw_cable cables[DRAW_CABLES];
    uint32_t hosts[DRAW_SWITCHES]; /* those of one switch have links of one rate */
    int host_period[DRAW_SWITCHES][2];
} draw_fabric;

typedef struct draw_where { /* links.where: of the cables of router a, or of those to b alone … */
    uint32_t a, b;          /* b FLIT_NONE: any */
    uint32_t host;          /* … or of this endpoint; FLIT_NONE */
    int period[2];          /* a flit takes [0] / [1] cycles; [1] 0: as before */
    int64_t latency;        /* cycles; −1: as before */
} draw_where;

typedef struct draw {
    uint64_t seed;              /* repeats this network alone */
    bool bare;                  /* nothing but queues, VCs and credits */
    char text[4096];            /* the scenario */
    flit_config config;         /* without peers, routers, ports and ticks … */
    uint32_t mtu;               /* flits; 0: messages are not cut */
    uint32_t longest, shortest; /* packet, flits; shortest 1 where lengths differ */
    bool given;                 /* with pause: thresholds are; else they follow from the buffer */
    int period[3][2];   /* … links of class local, global, host: a flit takes [0] / [1] cycles */
    int64_t latency[3]; /* their wires, cycles; so are the delays in config */
    draw_fabric fabric;
    char edges[4096]; /* its edge list … */
    const char *path; /* … and the file made of it, which the scenario names */
    draw_where where[DRAW_WHERES];
    int n_wheres;
    uint32_t global_dim; /* the dimension whose links are of class global; FLIT_NONE */
    bool tree;           /* a fat tree; grouped too */
    bool grouped;        /* groups of routers: the library knows classes of links, and routes */
} draw;

typedef enum draw_aim {
    DRAW_ANY,
    DRAW_PAUSED,  /* with pause wherever that can be */
    DRAW_COMPILED /* for routers that are compiled for what is known of them, each in turn */
} draw_aim;

/* path: for a fabric. */
void draw_network(draw *of, uint64_t seed, const char *path, draw_aim aim);
/* With pause, when links have ticks: the thresholds, and buffers of the reference that hold xoff
 * and the headroom, not a unit more. */
void draw_thresholds(draw *of, const weft_topology *topology);

#endif
