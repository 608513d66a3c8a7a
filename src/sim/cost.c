/* SPDX-License-Identifier: Apache-2.0 */
/* What a run will need, estimated before it is built. Packets in flight follow from Little's law with
 * the delay of independent M/M/1 links, capped at the load the network can carry. */
#include "sim/fabric.h"
#include "sim/interval.h"
#include "sim/simulation.h"

#define HOPS_PER_SECOND 1.2e7 /* packet-hops a core simulates */
#define PACKET_BYTES    64    /* an event in flight with the slack of its bucket */
#define DEFAULT_PACKETS 4e5   /* a run that stops at its half-width, typically */

weft_cost weft_simulation_cost(const weft_network *network, uint32_t blocks)
{
    weft_fabric fabric;
    weft_fabric_init(&fabric, network);
    const weft_topology *topology = &network->topology;
    const weft_measure *measure = &network->scenario->measure;
    weft_cost cost = {.blocks = blocks ? blocks : weft_partition_default(topology, 1, 1)};
    uint32_t sources = topology->hosts * network->flows;
    int64_t kernel = weft_engine_idle_bytes(topology->routers / cost.blocks,
                                            topology->routers / cost.blocks * sources,
                                            cost.blocks > 1 ? topology->ports : 0) *
                     cost.blocks;
    cost.bytes_per_router = weft_fabric_bytes(&fabric) + kernel / topology->routers;
    cost.bytes_at_rest = weft_fabric_bytes(&fabric) * topology->routers + kernel;
    double per_tick = weft_interval_messages(network);
    double rho = network->rho < 0.9 ? network->rho : 0.9;
    double flits = network->mean_flits * (double)network->timing.flit;
    double hop = (double)(fabric.router->lookahead(&fabric)) + rho / (1 - rho) * flits;
    double in_flight = per_tick * (flits + network->mean_hops * hop);
    cost.bytes_running = cost.bytes_at_rest + (int64_t)(in_flight * PACKET_BYTES);
    /* before memory is looked at for the first time */
    double first = per_tick * (double)weft_interval_choose(network);
    if (!fabric.injection_port)
        first += (double)network->scenario->endpoint.backlog * network->endpoints * network->flows;
    double start = (double)cost.bytes_at_rest + first * PACKET_BYTES;
    cost.bytes_at_start = start < 9e18 ? (int64_t)start : INT64_MAX;
    double ticks = (double)weft_timing_ticks(&network->timing, measure->limit_time);
    cost.packets = DEFAULT_PACKETS;
    if (measure->limit_packets != WEFT_NONE_INT && (double)measure->limit_packets < cost.packets)
        cost.packets = (double)measure->limit_packets;
    if (measure->limit_time.unit != WEFT_NO_TIME && ticks * per_tick < cost.packets)
        cost.packets = ticks * per_tick;
    if (cost.packets < 64 * (double)network->endpoints && measure->limit_time.unit == WEFT_NO_TIME)
        cost.packets = 64 * (double)network->endpoints;
    cost.packet_hops = cost.packets * network->mean_hops;
    cost.seconds = cost.packet_hops / HOPS_PER_SECOND;
    return cost;
}
