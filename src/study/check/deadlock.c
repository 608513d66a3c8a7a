/* SPDX-License-Identifier: Apache-2.0 */
#include "study/check/deadlock.h"

#include "analysis/deadlock/deadlock.h"
#include "net/naming.h"

#include <stdio.h>

#define SHOWN    12u
#define USUAL    ((uint64_t)128 << 20) /* steps: seconds */
#define FIRST    ((uint64_t)16 << 20)  /* of a plug-in, whose steps are slower, before its claims */
#define THOROUGH ((uint64_t)1 << 40)

static void add_line(weft_text *text, const char *name)
{
    weft_text_add(text, "%-22s ", name);
}

static const char *const reasons[] = {
    [WEFT_DEADLOCK_BY_TREE] = "minimal routes of this topology follow one order of its links",
    [WEFT_DEADLOCK_BY_HOPS] = "the VC class of a hop is the number of hops left",
    [WEFT_DEADLOCK_BY_STAGES] =
        "links of a group have other VC classes before a hop to another group than after it",
    [WEFT_DEADLOCK_BY_LINKS] = "all routes follow one order of the links",
};

/* Does the verdict rest on properties that kinds claim of themselves? */
static bool rests_on_claims(const weft_deadlock *found)
{
    return found->reason != WEFT_DEADLOCK_EXAMINED || found->by_legs || found->by_lines ||
           found->by_planes || found->by_symmetry;
}

/* claimant: the plug-in on whose word it rests; NULL: it is proven. */
static void add_certificate(weft_text *text, const weft_deadlock *found, const char *claimant)
{
    const char *many = found->levels == 1 ? "level" : "levels";
    if (claimant && rests_on_claims(found))
        weft_text_add(text, "not verified; %s claims, and --thorough verifies: ", claimant);
    else
        weft_text_add(text, "none possible: ");
    if (found->reason != WEFT_DEADLOCK_EXAMINED) {
        weft_text_add(text, "%s%s, by construction (too large to enumerate)\n",
                      found->by_legs ? "phases have VCs of their own, and " : "",
                      reasons[found->reason]);
        return;
    }
    if (found->by_legs)
        weft_text_add(text, "phases have VCs of their own; within each ");
    if (found->by_lines)
        weft_text_add(text, "dimensions are visited in order, and along each ");
    const char *what = found->escape    ? "the escape channels are acyclic"
                       : found->several ? "every packet has an acyclic alternative"
                                        : "the channel dependency graph is acyclic";
    weft_text_add(text, "%s (", what);
    if (!found->by_lines)
        weft_text_add(text, "%llu channels, ", (unsigned long long)found->channels);
    weft_text_add(text, "%u %s", found->levels, many);
    if (found->by_symmetry)
        weft_text_add(text, "; from %u of %u routers, the others are equivalent", found->sources,
                      found->destinations);
    if (found->by_planes)
        weft_text_add(text, "; in planes of two dimensions, the others are equivalent");
    weft_text_add(text, ")\n");
}

/* Who stands where and waits for what. */
static void add_circle(weft_text *text, const weft_topology *topology, const weft_deadlock *found)
{
    for (uint32_t i = 0; i < found->length && i < SHOWN; i++) {
        const weft_deadlock_packet *p = &found->circle[i];
        add_line(text, i ? "" : "cycle");
        char from[WEFT_NAME_BYTES], to[WEFT_NAME_BYTES], at[WEFT_NAME_BYTES], next[WEFT_NAME_BYTES];
        weft_text_add(text,
                      "a packet from router %s to %s, in VC %u behind router %s output %u, waits "
                      "for output %u VC %u of router %s\n",
                      weft_naming_name(topology, p->from, from),
                      weft_naming_name(topology, p->to, to), p->at.vc,
                      weft_naming_name(topology, p->at.router, at), p->at.port, p->next.port,
                      p->next.vc, weft_naming_name(topology, p->next.router, next));
    }
    if (found->length > SHOWN) {
        add_line(text, "");
        weft_text_add(text, "and so on: %u packets\n", found->length);
    }
    if (found->packets > found->length) {
        add_line(text, "");
        weft_text_add(text, "and %llu more fill the other channels that these could take\n",
                      (unsigned long long)(found->packets - found->length));
    }
}

static void add_verdict(weft_text *text, const weft_topology *topology, const weft_deadlock *found,
                        const char *claimant, bool thorough)
{
    add_line(text, "deadlock");
    switch (found->verdict) {
    case WEFT_DEADLOCK_FREE:
        if (found->drawn) {
            weft_text_add(text,
                          "not proven: %s draws its candidates, and only some draws were examined; "
                          "it should draw in initial_header or reroute\n",
                          claimant);
            return;
        }
        add_certificate(text, found, claimant);
        return;
    case WEFT_DEADLOCK_FOUND:
        weft_text_add(text, "possible: %llu packets can form a cyclic wait\n",
                      (unsigned long long)found->packets);
        break;
    case WEFT_DEADLOCK_UNPROVEN:
        weft_text_add(text, "not proven: no acyclic escape path was found; the shortest cycle "
                            "follows\n");
        break;
    case WEFT_DEADLOCK_UNKNOWN:
        weft_text_add(
            text, "not examined completely: no cycle among packets to %u of %u destinations%s\n",
            found->examined, found->destinations, thorough ? "" : "; --thorough goes on");
        return;
    }
    add_circle(text, topology, found);
}

/* A plug-in whose packets cannot all be followed, and which function would list them. */
static bool is_unlisted(const weft_network *network, weft_text *text)
{
    for (uint32_t c = 0; c < network->n_traffic_classes; c++) {
        const weft_routing_kind *kind = network->traffic_classes[c].routing.kind;
        const char *lacks =
            !kind->base.foreign                                    ? NULL
            : kind->reroute && !kind->proof.reroute_outcomes       ? "proof.reroute_outcomes"
            : kind->initial_header && !kind->proof.initial_headers ? "proof.initial_headers"
                                                                   : NULL;
        if (!lacks)
            continue;
        add_line(text, "deadlock");
        weft_text_add(text, "not examined: routing %s does not list its headers (%s)\n",
                      kind->base.name, lacks);
        return true;
    }
    return false;
}

/* A plug-in among the kinds whose properties a proof uses: "routing west-first"; NULL: none. */
static const char *find_claimant(const weft_network *network, char name[64])
{
    const weft_component *kind = &network->topology.kind->base;
    const char *family = "topology";
    for (uint32_t c = 0; c < network->n_traffic_classes && !kind->foreign; c++) {
        kind = &network->traffic_classes[c].routing.kind->base;
        family = "routing";
    }
    (void)snprintf(name, 64, "%s %.48s", family, kind->name);
    return kind->foreign ? name : NULL;
}

void weft_check_deadlock(weft_text *text, const weft_network *network,
                         const weft_buffering *buffering, bool thorough)
{
    if (!buffering->finite) {
        add_line(text, "deadlock");
        weft_text_add(text, "none possible: buffers are unbounded\n");
        return;
    }
    if (is_unlisted(network, text))
        return;
    weft_deadlock_question question;
    weft_deadlock found;
    weft_deadlock_ask(&question, network, buffering->committed);
    char name[64];
    const char *claimant = find_claimant(network, name);
    question.budget = thorough ? THOROUGH : claimant ? FIRST : USUAL;
    question.whole = claimant;
    weft_deadlock_init(&found, &question);
    if (claimant && !thorough && found.verdict == WEFT_DEADLOCK_UNKNOWN) {
        weft_deadlock_done(&found); /* too large to follow all packets: what it claims */
        question.whole = false;
        question.budget = USUAL;
        weft_deadlock_init(&found, &question);
    }
    add_verdict(text, &network->topology, &found, claimant, thorough);
    weft_deadlock_done(&found);
}
