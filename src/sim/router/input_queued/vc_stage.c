/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/router/input_queued/vc_stage.h"

#include "sim/router/input_queued/scan_impl.h"
#include "sim/router/input_queued/wake_impl.h"

#define QUEUES_MAX (WEFT_WIDE_MAX * WEFT_VCS_MAX)

/* Can this VC be given away at t? */
static bool open_at(const weft_iq_claim *claim, uint32_t t)
{
    return !claim->held && !weft_iq_later(claim->free, t);
}

/* Calls each for every front that is ready at t and owns no VC; brings the bound forward to
 * those not ready. */
typedef struct fronts {
    weft_iq *iq;
    char *record;
    uint32_t t, *bound;
    uint16_t *winner; /* per output VC: 1 + the queue that has it so far; 0: none */
} fronts;

static void each_front(fronts *all, void (*each)(fronts *all, uint32_t queue, weft_iq_front *front))
{
    const weft_iq_layout *layout = weft_iq_layout_of(all->iq, all->record);
    for (uint32_t line = 0; line < layout->in_lines; line++)
        for (uint32_t vcs = weft_iq_lines_of(all->record)[line].waiting; vcs; vcs &= vcs - 1) {
            uint32_t queue = line / layout->in_speed * layout->n_vcs + (uint32_t)__builtin_ctz(vcs);
            weft_iq_front *front = weft_iq_front_at(layout, all->record, queue);
            if (front->vc != UINT8_MAX)
                continue;
            if (weft_iq_later(front->ready, all->t))
                weft_iq_bound(all->bound, front->ready - all->t);
            else
                each(all, queue, front);
        }
}

/* Every open VC takes one of those that ask, round robin from its pointer. */
static void ask(fronts *all, uint32_t queue, weft_iq_front *front)
{
    const weft_iq_layout *layout = weft_iq_layout_of(all->iq, all->record);
    uint32_t queues = layout->ins * layout->n_vcs;
    for (uint32_t vcs = front->vcs; vcs; vcs &= vcs - 1) {
        uint32_t target = front->out * layout->n_vcs + (uint32_t)__builtin_ctz(vcs);
        const weft_iq_claim *claim = &weft_iq_claims(layout, all->record)[target];
        uint16_t *winner = &all->winner[target];
        if (!open_at(claim, all->t))
            continue;
        uint32_t mine = (queue + queues - claim->pointer) % queues;
        if (*winner == 0 || mine < (*winner - 1u + queues - claim->pointer) % queues)
            *winner = (uint16_t)(queue + 1);
    }
}

/* Who was taken by several accepts one, round robin from its pointer. */
static void accept(fronts *all, uint32_t queue, weft_iq_front *front)
{
    const weft_iq_layout *layout = weft_iq_layout_of(all->iq, all->record);
    weft_iq_claim *claims = weft_iq_claims(layout, all->record), *mine = &claims[queue];
    for (uint32_t k = 0; k < layout->n_vcs; k++) {
        uint32_t w = (mine->accept + k) % layout->n_vcs, target = front->out * layout->n_vcs + w;
        if (!(front->vcs >> w & 1) || all->winner[target] != queue + 1)
            continue;
        claims[target].held = 1;
        claims[target].pointer = (uint16_t)((queue + 1) % (layout->ins * layout->n_vcs));
        mine->accept = (uint8_t)((w + 1) % layout->n_vcs);
        front->vc = (uint8_t)w;
        front->vcs = (uint16_t)(1u << w);
        front->ready = all->t + 1;
        weft_iq_rouse(layout->features, layout, all->record,
                      weft_iq_line_for(layout, queue / layout->n_vcs, queue % layout->n_vcs, 0),
                      all->t + 1);
        weft_iq_bound(all->bound, 1);
        return;
    }
}

/* Who got nothing asks again when a VC may be open. */
static void wait(fronts *all, uint32_t queue, weft_iq_front *front)
{
    const weft_iq_layout *layout = weft_iq_layout_of(all->iq, all->record);
    (void)queue;
    for (uint32_t vcs = front->vcs; vcs; vcs &= vcs - 1) {
        const weft_iq_claim *claim = &weft_iq_claims(
            layout, all->record)[front->out * layout->n_vcs + (uint32_t)__builtin_ctz(vcs)];
        if (!claim->held)
            weft_iq_bound(all->bound, open_at(claim, all->t) ? 1 : claim->free - all->t);
    }
}

void weft_iq_allocate_vcs(weft_iq *iq, char *record, uint32_t t, uint32_t *bound)
{
    const weft_iq_layout *layout = weft_iq_layout_of(iq, record);
    uint16_t winner[QUEUES_MAX];
    fronts all = {.iq = iq, .record = record, .t = t, .bound = bound, .winner = winner};
    for (uint32_t q = 0; q < layout->ports * layout->n_vcs; q++)
        winner[q] = 0;
    each_front(&all, ask);
    each_front(&all, accept);
    each_front(&all, wait);
}
