/* SPDX-License-Identifier: Apache-2.0 */
/* Random networks: the text of a scenario, and the same for the reference simulator. */
#ifndef WEFT_TEST_DRAW_H
#define WEFT_TEST_DRAW_H

#include "reference/flit.h"

typedef struct draw {
    uint64_t seed;       /* repeats this network alone */
    bool bare;           /* nothing but queues, VCs and credits */
    char text[4096];     /* the scenario */
    flit_config config;  /* without peers, routers, ports and ticks … */
    uint32_t mtu;        /* flits; 0: messages are not cut */
    int period[3][2];    /* … links of class local, global, host: a flit takes [0] / [1] cycles */
    int64_t latency[3];  /* their wires, cycles; so are the delays in config */
    uint32_t global_dim; /* the dimension whose links are of class global; FLIT_NONE */
} draw;

void draw_network(draw *of, uint64_t seed);

#endif
