/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/router/input_queued/pause/pause.h"

#include "sim/router/input_queued/credit_impl.h"

/* Units that come, or go, one per period. */
typedef struct ramp {
    uint32_t start, units, period;
} ramp;

/* One VC behind an output. */
typedef struct channel {
    const weft_iq_layout *layout;
    weft_iq_port *out;
    const weft_iq_pause *pause;
    uint32_t vc;
} channel;

static channel channel_of(const weft_iq_layout *layout, weft_iq_port *out, uint32_t vc)
{
    return (channel){
        .layout = layout, .out = out, .pause = weft_iq_pause_of(layout, out), .vc = vc};
}

/* Units of a ramp after tick t. */
static uint32_t late(ramp of, uint32_t t)
{
    int32_t since = (int32_t)(t - of.start);
    uint32_t come = since < 0 ? 0 : (uint32_t)since / of.period + 1;
    return come >= of.units ? 0 : of.units - come;
}

/* What is on its way into its buffer; no units: the arrival is of another VC. */
static ramp coming(const channel *of, uint32_t i)
{
    const weft_iq_arrival *arrival = &weft_iq_arrivals(of->pause)[i];
    return (ramp){.start = arrival->start,
                  .units = arrival->vc == of->vc ? arrival->units : 0,
                  .period = of->pause->period};
}

/* The same of what leaves it. */
static ramp leaving(const channel *of, uint32_t i)
{
    const weft_iq_credit_burst *burst = &weft_iq_credit_bursts(of->layout, of->out)[i];
    return (ramp){.start = burst->start,
                  .units = burst->vc == of->vc ? burst->units : 0,
                  .period = of->layout->class_through[burst->class]};
}

static int32_t all_coming(const channel *of, uint32_t t)
{
    uint32_t sum = 0;
    for (uint32_t i = 0; i < of->pause->arrivals; i++)
        sum += late(coming(of, i), t);
    return (int32_t)sum;
}

static int32_t all_leaving(const channel *of, uint32_t t)
{
    uint32_t sum = 0;
    for (uint32_t i = 0; i < of->out->credit_bursts; i++)
        sum += late(leaving(of, i), t);
    return (int32_t)sum;
}

/* What lies in the buffer, as seen at tick t: what was sent but has not left, less what has not
 * come. */
static int32_t level(const channel *of, uint32_t t)
{
    int32_t sent = of->layout->capacity - of->out->credits[of->vc];
    for (uint32_t i = 0; i < of->out->credit_bursts; i++) {
        ramp gone = leaving(of, i);
        sent -= (int32_t)(gone.units - late(gone, t));
    }
    return sent - all_coming(of, t);
}

/* Ticks from t to the next change of the level; WEFT_IQ_NEVER. */
static uint32_t next_change(const channel *of, uint32_t t)
{
    uint32_t least = WEFT_IQ_NEVER, arrivals = of->pause->arrivals;
    for (uint32_t i = 0; i < arrivals + of->out->credit_bursts; i++) {
        ramp by = i < arrivals ? coming(of, i) : leaving(of, i - arrivals);
        uint32_t left = late(by, t);
        if (left == 0)
            continue;
        uint32_t wait = by.start + (by.units - left) * by.period - t;
        least = wait < least ? wait : least;
    }
    return least;
}

/* Is a VC paused at `end` that was or was not at t? */
static bool follow(const channel *of, bool paused, uint32_t t, uint32_t end)
{
    int32_t now = level(of, t), xoff = of->layout->xoff, xon = of->layout->xon;
    if (paused ? now - all_leaving(of, t) + all_leaving(of, end) > xon
               : now + all_coming(of, t) - all_coming(of, end) < xoff)
        return paused; /* neither threshold is in reach */
    for (;;) {
        uint32_t step = next_change(of, t);
        if (step > end - t)
            return paused;
        t += step;
        now = level(of, t);
        paused = paused ? now > xon : now >= xoff;
    }
}

/* VCs whose level may change. */
static uint32_t changing(const weft_iq_layout *layout, weft_iq_port *out)
{
    const weft_iq_pause *pause = weft_iq_pause_of(layout, out);
    uint32_t vcs = 0;
    for (uint32_t i = 0; i < pause->arrivals; i++)
        vcs |= 1u << weft_iq_arrivals(pause)[i].vc;
    for (uint32_t i = 0; i < out->credit_bursts; i++)
        vcs |= 1u << weft_iq_credit_bursts(layout, out)[i].vc;
    return vcs;
}

static void see(const weft_iq_layout *layout, weft_iq_port *out, uint32_t t)
{
    weft_iq_pause *pause = weft_iq_pause_of(layout, out);
    for (uint32_t vcs = changing(layout, out); vcs && pause->seen != t; vcs &= vcs - 1) {
        channel of = channel_of(layout, out, (uint32_t)__builtin_ctz(vcs));
        uint32_t bit = 1u << of.vc;
        bool paused = follow(&of, pause->paused & bit, pause->seen, t);
        pause->paused = (uint16_t)((pause->paused & ~bit) | (paused ? bit : 0));
    }
    pause->seen = t;
}

/* Forgets packets that have come completely. */
static void drop_arrivals(weft_iq_pause *pause)
{
    weft_iq_arrival *list = weft_iq_arrivals(pause);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < pause->arrivals; i++)
        if (late((ramp){list[i].start, list[i].units, pause->period}, pause->seen))
            list[kept++] = list[i];
    pause->arrivals = kept;
}

uint32_t weft_iq_pause_see(const weft_iq_layout *layout, weft_iq_port *out, uint32_t t)
{
    weft_iq_pause *pause = weft_iq_pause_of(layout, out);
    if (!weft_iq_later(t, pause->seen))
        return out->credit_bursts;
    see(layout, out, t - 1);
    pause->before = pause->paused;
    see(layout, out, t);
    drop_arrivals(pause);
    return weft_iq_collect_credits(layout->features, layout, out, t);
}

void weft_iq_pause_sent(const weft_iq_layout *layout, weft_iq_port *out, uint32_t vc,
                        uint32_t units, uint32_t start, uint32_t t)
{
    weft_iq_pause *pause = weft_iq_pause_of(layout, out);
    (void)weft_iq_pause_see(layout, out, t);
    assert(pause->arrivals < layout->arrivals);
    weft_iq_arrivals(pause)[pause->arrivals++] =
        (weft_iq_arrival){.start = start, .units = (uint16_t)units, .vc = (uint16_t)vc};
}

/* Ticks from t, to which it has been followed, until a VC that is paused is not. */
static uint32_t resume_wait(const channel *of, uint32_t t)
{
    uint32_t at = t;
    if (level(of, t) - all_leaving(of, t) > of->layout->xon)
        return WEFT_IQ_NEVER;
    do {
        uint32_t step = next_change(of, at);
        if (step == WEFT_IQ_NEVER)
            return WEFT_IQ_NEVER;
        at += step;
    } while (level(of, at) > of->layout->xon);
    return at - t;
}

uint32_t weft_iq_pause_wait(const weft_iq_layout *layout, weft_iq_port *out, uint32_t vcs,
                            uint32_t t)
{
    const weft_iq_pause *pause = weft_iq_pause_of(layout, out);
    uint32_t least = WEFT_IQ_NEVER;
    (void)weft_iq_pause_see(layout, out, t);
    if (vcs & ~(uint32_t)pause->paused)
        return 0;
    for (; vcs; vcs &= vcs - 1) {
        channel of = channel_of(layout, out, (uint32_t)__builtin_ctz(vcs));
        uint32_t wait = resume_wait(&of, t);
        least = wait < least ? wait : least;
    }
    return least;
}

int32_t weft_iq_pause_at(const weft_iq_layout *layout, weft_iq_port *out, uint32_t w, uint32_t t)
{
    (void)weft_iq_pause_see(layout, out, t);
    return weft_iq_pause_of(layout, out)->paused >> w & 1 ? 0 : INT32_MAX;
}

uint32_t weft_iq_paused_before(const weft_iq_layout *layout, weft_iq_port *out, uint32_t t)
{
    (void)weft_iq_pause_see(layout, out, t);
    return weft_iq_pause_of(layout, out)->before;
}

bool weft_iq_pause_ends(const weft_iq_layout *layout, weft_iq_port *out, uint32_t w)
{
    channel of = channel_of(layout, out, w);
    return !(of.pause->paused >> w & 1) || resume_wait(&of, of.pause->seen) != WEFT_IQ_NEVER;
}

void weft_iq_pause_set_up(const weft_iq_layout *layout, char *record)
{
    for (uint32_t o = 0; weft_iq_has(layout, WEFT_IQ_PAUSED) && o < layout->ins; o++) {
        weft_iq_pause *pause = weft_iq_pause_of(layout, weft_iq_port_at(layout, record, o));
        pause->seen = UINT32_MAX; /* the tick before the first */
        pause->period = weft_iq_period(layout->features, layout, o);
    }
}

void weft_iq_pause_save(const weft_iq_layout *layout, char *record, weft_pack *pack)
{
    for (uint32_t o = 0; weft_iq_has(layout, WEFT_IQ_PAUSED) && o < layout->ins; o++) {
        const weft_iq_pause *pause = weft_iq_pause_of(layout, weft_iq_port_at(layout, record, o));
        weft_pack_u32(pack, pause->seen);
        weft_pack_u32(pack, pause->paused | (uint32_t)pause->before << 16);
        weft_pack_u32(pack, pause->arrivals);
        for (uint32_t i = 0; i < pause->arrivals; i++) {
            const weft_iq_arrival *arrival = &weft_iq_arrivals(pause)[i];
            weft_pack_u32(pack, arrival->start);
            weft_pack_u32(pack, arrival->units | (uint32_t)arrival->vc << 16);
        }
    }
}

static void load_arrivals(const weft_iq_layout *layout, weft_iq_pause *pause, uint32_t count,
                          weft_unpack *from)
{
    if (count > layout->arrivals) {
        weft_unpack_fail(from);
        return;
    }
    for (uint32_t i = 0; i < count && !from->failed; i++) {
        uint32_t start = weft_unpack_u32(from), rest = weft_unpack_u32(from);
        weft_iq_arrivals(pause)[i] = (weft_iq_arrival){
            .start = start, .units = (uint16_t)rest, .vc = (uint16_t)(rest >> 16)};
        if (rest >> 16 >= layout->n_vcs)
            weft_unpack_fail(from);
    }
    pause->arrivals = from->failed ? 0 : count;
}

/* Every level is between an empty buffer and a full one. */
static void check_levels(const weft_iq_layout *layout, weft_iq_port *out, weft_unpack *from)
{
    for (uint32_t v = 0; v < layout->n_vcs && !from->failed; v++) {
        channel of = channel_of(layout, out, v);
        int32_t now = level(&of, of.pause->seen);
        if (now < 0 || now > layout->capacity)
            weft_unpack_fail(from);
    }
}

void weft_iq_pause_load(const weft_iq_layout *layout, char *record, uint32_t t, weft_unpack *from)
{
    for (uint32_t o = 0; weft_iq_has(layout, WEFT_IQ_PAUSED) && o < layout->ins; o++) {
        weft_iq_port *out = weft_iq_port_at(layout, record, o);
        weft_iq_pause *pause = weft_iq_pause_of(layout, out);
        pause->seen = weft_unpack_u32(from);
        uint32_t sets = weft_unpack_u32(from);
        pause->paused = (uint16_t)(sets & layout->all_vcs);
        pause->before = (uint16_t)(sets >> 16 & layout->all_vcs);
        load_arrivals(layout, pause, weft_unpack_u32(from), from);
        if (!weft_iq_later(t, pause->seen)) /* nothing of tick t has happened */
            weft_unpack_fail(from);
        check_levels(layout, out, from);
    }
}
