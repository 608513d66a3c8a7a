/* SPDX-License-Identifier: Apache-2.0 */
#include "net/carriage.h"

weft_status weft_carriage_check(const weft_carriage *by, const weft_routing_kind *routing, bool vcs,
                                weft_error *err)
{
    const char *name = routing->base.name, *router = by->base.name;
    if (routing->reroute && !by->reroutes)
        return weft_fail(
            err, WEFT_BAD_INPUT,
            "routing %s decides at the routers that packets come to, by the queues "
            "there, and router %s does not ask it: use router input-queued, or routing "
            "valiant or minimal-adaptive",
            name, router);
    if (vcs && !routing->assign_vcs)
        return weft_fail(
            err, WEFT_BAD_INPUT,
            "routing %s does not say which virtual channels a packet may use, as router "
            "%s needs it: use router output-queued, or routing dimension-order or "
            "minimal-adaptive",
            name, router);
    if (routing->ports_by_input && !by->tells_input)
        return weft_fail(
            err, WEFT_BAD_INPUT,
            "routing %s chooses ports by the port and the virtual channel a packet came in "
            "by, which router %s does not tell it: use router input-queued, or routing "
            "dimension-order or minimal-adaptive",
            name, router);
    return WEFT_OK;
}
