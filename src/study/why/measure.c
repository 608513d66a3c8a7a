/* SPDX-License-Identifier: Apache-2.0 */
/* What a survey says of one output: its name, and how busy it is, with an interval. */
#include "base/numeric.h"
#include "net/naming.h"
#include "study/why/why.h"

#include <math.h>
#include <stdio.h>

void weft_why_output_name(const weft_network *network, uint32_t router, uint32_t out,
                          char name[160])
{
    const weft_topology *topology = &network->topology;
    uint32_t ports = weft_topology_tier(topology, router).ports;
    char place[WEFT_LINK_NAME_BYTES];
    if (out < ports) {
        weft_naming_link(topology, router, out, place);
        (void)snprintf(name, 160, "link %.150s", place);
        return;
    }
    weft_platform platform;
    weft_platform_init(&platform, network);
    uint32_t endpoint = weft_site_endpoint(topology, router - topology->egress_offset,
                                           (out - ports) / platform.endpoint_ports);
    char port[24] = "";
    if (platform.endpoint_ports > 1)
        (void)snprintf(port, sizeof port, " port %u", (out - ports) % platform.endpoint_ports);
    const char *host = weft_naming_host(topology, endpoint);
    if (host)
        (void)snprintf(name, 160, "endpoint %.120s%s", host, port);
    else
        (void)snprintf(name, 160, "endpoint %u%s", endpoint, port);
}

double weft_why_busy(const weft_waitwatch *s, uint32_t output)
{
    return (double)s->outputs[output].busy / s->samples;
}

double weft_why_half_width(const double values[WEFT_WAITWATCH_BATCHES],
                           const bool there[WEFT_WAITWATCH_BATCHES])
{
    double sum = 0, squares = 0;
    int n = 0;
    for (int k = 0; k < WEFT_WAITWATCH_BATCHES; k++)
        if (there[k]) {
            sum += values[k];
            n++;
        }
    for (int k = 0; k < WEFT_WAITWATCH_BATCHES; k++)
        squares += there[k] ? (values[k] - sum / n) * (values[k] - sum / n) : 0;
    return n > 1 ? weft_student_quantile(0.975, n - 1) * weft_sqrt(squares / (n - 1) / n)
                 : INFINITY;
}

double weft_why_busy_half_width(const weft_waitwatch *s, uint32_t output)
{
    double values[WEFT_WAITWATCH_BATCHES];
    bool there[WEFT_WAITWATCH_BATCHES];
    for (int k = 0; k < WEFT_WAITWATCH_BATCHES; k++) {
        there[k] = s->batch[k] > 0;
        values[k] = there[k] ? (double)s->outputs[output].batch_busy[k] / s->batch[k] : 0;
    }
    return weft_why_half_width(values, there);
}
