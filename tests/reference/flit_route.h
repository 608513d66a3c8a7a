/* SPDX-License-Identifier: Apache-2.0 */
/* Routing for the reference simulator, from the definitions: dimension order with dateline
 * classes and minimal adaptive with escape VCs on torus, mesh, hypercube and flattened
 * butterfly. Ports are found in the table of peers. */
#ifndef WEFT_TEST_FLIT_ROUTE_H
#define WEFT_TEST_FLIT_ROUTE_H

#include "reference/flit.h"

/* For flit_config.route; reads dims, size, rings, complete, per_hop and adaptive. */
unsigned flit_route(const flit_config *config, const flit_here *here, const flit_packet *packet,
                    flit_way *out);

/* Coordinate of a router along a dimension. */
uint32_t flit_coordinate(const flit_config *config, uint32_t router, uint32_t dim);

#endif
