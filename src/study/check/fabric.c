/* SPDX-License-Identifier: Apache-2.0 */
#include "study/check/fabric.h"

#include "study/check/judge.h"

#include <inttypes.h>

#define SHOWN 10

/* Hops between switches of all ordered pairs of hosts. */
static void add_lengths(weft_text *text, const weft_judge_case *it)
{
    const char *between = "";
    weft_text_add(text, "%-22s ", "path lengths");
    for (uint32_t h = 0; h <= WEFT_JUDGE_HOPS; h++)
        if (it->lengths[h] > 0) {
            weft_text_add(text, "%s%u hop%s %" PRIu64, between, h, h == 1 ? "" : "s",
                          it->lengths[h]);
            between = ", ";
        }
    weft_text_add(text, " pairs of hosts\n");
}

static void add_worst(weft_text *text, const weft_judge_case *it)
{
    if (it->n_worst > 0)
        weft_text_add(text,
                      "%-22s the worst link carries %.4g times what a host sends: load %.4g at "
                      "most\n",
                      "uniform traffic", it->worst[0].load,
                      it->worst[0].load < 1 ? 1 : 1 / it->worst[0].load);
    for (size_t i = 0; i < it->n_worst; i++)
        weft_text_add(text, "%-22s %.4g  %s\n", i ? "" : "worst links", it->worst[i].load,
                      it->worst[i].name);
}

static void add_shifts(weft_text *text, const weft_judge_case *it)
{
    weft_text_add(text,
                  "%-22s %u of %u%s without contention; on the worst link flows %.4g in the mean, "
                  "%.4g at most (shift %u)\n",
                  "shifts", it->shifts_free, it->shifts_seen,
                  it->shifts_seen < it->shifts ? " looked at" : "", it->shift_mean, it->shift_most,
                  it->shift_worst);
    weft_text_add(text, "%-22s %.4f ± %.4f of a host's rate, over %u random pairings\n",
                  "effective bisection", it->bisection, it->bisection_half_width, it->pairings);
}

static void add_unlike(weft_text *text, const weft_judge_case *it)
{
    for (size_t i = 0; i < it->n_unlike && i < SHOWN; i++)
        weft_text_add(text, "%-22s %s\n", i ? "" : "unlike cables", it->unlike[i]);
    if (it->n_unlike > SHOWN)
        weft_text_add(text, "%-22s and %zu more\n", "", it->n_unlike - SHOWN);
}

static void add_all(weft_text *text, const weft_judge_case *it)
{
    weft_text_add(text, "\n# forwarding tables\n%-22s %u\n", "hosts", it->hosts);
    if (it->followed) {
        add_lengths(text, it);
        add_worst(text, it);
    } else if (it->hosts > 1) {
        weft_text_add(text, "%-22s not looked at: %u × %u pairs; --thorough does\n", "all pairs",
                      it->hosts, it->hosts);
    }
    if (it->hosts > 1)
        add_shifts(text, it);
    add_unlike(text, it);
}

void weft_check_fabric(weft_text *text, const weft_network *network, bool thorough)
{
    weft_judge_case it = {0};
    weft_parts parts;
    weft_arena arena;
    weft_error said;
    if (!weft_forwarding_has_lft(&network->topology))
        return;
    weft_arena_init(&arena);
    weft_parts_init(&parts, &network->topology);
    if (weft_judge_tables(&it, network, &parts, thorough, &arena, &said) == WEFT_OK)
        add_all(text, &it);
    else /* a routing that uses them was refused */
        weft_text_add(text, "\n# forwarding tables\n%-22s not judged: %s\n", "", said.text);
    weft_parts_done(&parts);
    weft_arena_done(&arena);
}
