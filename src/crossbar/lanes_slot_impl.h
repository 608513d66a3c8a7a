/* SPDX-License-Identifier: Apache-2.0 */
/* One slot of all lanes of a machine (lanes_machine_impl.h) as a circuit, for every pointer rule.
 * A template: see lanes_kernel_impl.h. */

/* Round robin: of the requests, the first that is not below the pointer, or else the first.
 * Returns the lanes with a request. */
INLINE vec choose(uint32_t n, const vec *asks, const vec *below, vec *chosen)
{
    vec ahead = asks[0] & ~below[0], seen = asks[0] & ~asks[0];
    for (uint32_t k = 1; k < n; k++)
        ahead |= asks[k] & ~below[k];
    for (uint32_t k = 0; k < n; k++) {
        vec in_turn = asks[k] & ~(ahead & below[k]);
        chosen[k] = in_turn & ~seen;
        seen |= in_turn;
    }
    return seen;
}

/* Moves pointers past the one that is marked, or to it, in lanes where there is one (`where`). */
INLINE void go_past(uint32_t n, const vec *marked, vec where, vec *below)
{
    vec more = where & ~where;
    for (uint32_t k = n - 1; k-- > 0;) {
        more |= marked[k];
        below[k] = more | (below[k] & ~where);
    }
}

INLINE void go_to(uint32_t n, const vec *marked, vec where, vec *below)
{
    vec more = where & ~where;
    for (uint32_t k = n - 1; k-- > 0;) {
        more |= marked[k + 1] & where;
        below[k] = more | (below[k] & ~where);
    }
}

typedef struct slot_state { /* [i][j] is of input i and output j */
    vec wants[SIDE][SIDE];
    vec leaves[SIDE][SIDE];
    vec taken_in[SIDE], taken_out[SIDE];
} slot_state;

/* Requests for output j, or of input i, among free ports. */
INLINE void still_asking(uint32_t n, bool first, const slot_state *now, uint32_t at, bool output,
                         vec *asks)
{
    for (uint32_t k = 0; k < n; k++) {
        uint32_t i = output ? k : at, j = output ? at : k;
        vec wants = now->wants[i][j];
        asks[k] = first ? wants : wants & ~(now->taken_in[i] | now->taken_out[j]);
    }
}

INLINE void move_output(uint32_t n, uint32_t loss, const vec *offered, vec where,
                        const vec *accepted, vec got, vec *below)
{
    if (loss == WEFT_LOSS_PASSES) {
        go_past(n, offered, where, below);
        return;
    }
    if (loss == WEFT_LOSS_STAYS)
        go_to(n, offered, where & ~got, below);
    go_past(n, accepted, got, below);
}

/* Outputs offer themselves, inputs accept. */
INLINE void round_of_offers(uint32_t n, uint32_t loss, bool first, uint32_t moves, vec *out,
                            vec *in, slot_state *now)
{
    vec offers[SIDE][SIDE], where[SIDE], asks[SIDE], accepts[SIDE][SIDE], any_in[SIDE];
    for (uint32_t j = 0; j < n; j++) {
        still_asking(n, first, now, j, true, asks);
        where[j] = choose(n, asks, out + j * n, offers[j]);
    }
    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t j = 0; j < n; j++)
            asks[j] = offers[j][i];
        any_in[i] = choose(n, asks, in + i * n, accepts[i]);
        if (moves & 2)
            go_past(n, accepts[i], any_in[i], in + i * n);
    }
    for (uint32_t j = 0; j < n; j++) {
        vec got = accepts[0][j];
        for (uint32_t i = 0; i < n; i++) {
            asks[i] = accepts[i][j];
            got |= asks[i];
            now->leaves[i][j] = first ? asks[i] : now->leaves[i][j] | asks[i];
        }
        if (moves & 1)
            move_output(n, loss, offers[j], where[j], asks, got, out + j * n);
        now->taken_out[j] = first ? got : now->taken_out[j] | got;
    }
    for (uint32_t i = 0; i < n; i++)
        now->taken_in[i] = first ? any_in[i] : now->taken_in[i] | any_in[i];
}

/* Inputs ask for one output each, outputs grant one of the requests. */
INLINE void round_of_asks(uint32_t n, uint32_t loss, bool first, vec *out, vec *in, slot_state *now)
{
    vec asked[SIDE][SIDE], where[SIDE], asks[SIDE], taken[SIDE][SIDE];
    for (uint32_t i = 0; i < n; i++) {
        still_asking(n, first, now, i, false, asks);
        where[i] = choose(n, asks, in + i * n, asked[i]);
    }
    for (uint32_t j = 0; j < n; j++) {
        for (uint32_t i = 0; i < n; i++)
            asks[i] = asked[i][j];
        vec got = choose(n, asks, out + j * n, taken[j]);
        if (first)
            go_past(n, taken[j], got, out + j * n);
        now->taken_out[j] = first ? got : now->taken_out[j] | got;
    }
    for (uint32_t i = 0; i < n; i++) {
        vec got = taken[0][i];
        for (uint32_t j = 0; j < n; j++) {
            asks[j] = taken[j][i];
            got |= asks[j];
            now->leaves[i][j] = first ? asks[j] : now->leaves[i][j] | asks[j];
        }
        if (first && loss == WEFT_LOSS_STAYS)
            go_to(n, asked[i], where[i] & ~got, in + i * n);
        if (first)
            go_past(n, asks, got, in + i * n);
        now->taken_in[i] = first ? got : now->taken_in[i] | got;
    }
}

/* Requests: queues that have cells, or get one now. */
INLINE void look(machine *it, uint32_t n, uint32_t low, const vec *arrivals, slot_state *now)
{
    for (uint32_t q = 0; q < n * n; q++) {
        const vec *front = it->now + (size_t)q * low;
        vec some = arrivals[q] | it->deep[q];
        for (uint32_t b = 0; b < low; b++)
            some |= front[b];
        it->kept[q] &= some;
        now->wants[q / n][q % n] = some;
    }
}

/* Counts arrivals and departures. */
INLINE void move_cells(machine *it, uint32_t n, uint32_t low, const vec *arrivals,
                       const slot_state *now)
{
    for (uint32_t q = 0; q < n * n; q++) {
        vec *front = it->now + (size_t)q * low;
        vec leaves = now->leaves[q / n][q % n];
        vec up = arrivals[q] & ~leaves, down = leaves & ~arrivals[q];
        for (uint32_t b = 0; b < low; b++) {
            vec old = front[b];
            front[b] = old ^ (up | down);
            up &= old;
            down &= ~old;
        }
    }
    for (uint32_t i = 0; i < n; i++)
        (void)add_bit(it->tally, low + 3, now->taken_in[i]); /* n × period < 2^(low + 3) */
}

INLINE void slots(machine *it, uint32_t n, uint32_t low, uint32_t form, uint32_t loss, bool once)
{
    weft_pointer_rule rule = it->job->rule;
    vec *out = pointers_of(it, it->now), *in = out + n * n;
    for (uint32_t t = 0; t < it->period; t++) {
        const vec *arrivals = it->arrivals + (size_t)t * n * n;
        slot_state now;
        look(it, n, low, arrivals, &now);
        if (form == WEFT_POINTERS_OFFER)
            round_of_offers(n, loss, true, 3, out, in, &now);
        else
            round_of_asks(n, loss, true, out, in, &now);
        for (uint32_t k = 1; !once && k < rule.iterations; k++) {
            if (form == WEFT_POINTERS_OFFER)
                round_of_offers(n, loss, false, rule.later, out, in, &now);
            else
                round_of_asks(n, loss, false, out, in, &now);
        }
        move_cells(it, n, low, arrivals, &now);
    }
}

/* The same with compile-time constants: once for every rule, and for n and low of small
 * switches. */
#define SLOTS_OF(name, form, loss, once)                 \
    static void name(machine *it)                        \
    {                                                    \
        if (it->n == 4 && it->low == 5)                  \
            slots(it, 4, 5, form, loss, once);           \
        else if (it->n == 3 && it->low == 7)             \
            slots(it, 3, 7, form, loss, once);           \
        else                                             \
            slots(it, it->n, it->low, form, loss, once); \
    }
SLOTS_OF(offers_keep, WEFT_POINTERS_OFFER, WEFT_LOSS_KEEPS, true)
SLOTS_OF(offers_pass, WEFT_POINTERS_OFFER, WEFT_LOSS_PASSES, true)
SLOTS_OF(offers_stay, WEFT_POINTERS_OFFER, WEFT_LOSS_STAYS, true)
SLOTS_OF(asks_keep, WEFT_POINTERS_ASK, WEFT_LOSS_KEEPS, true)
SLOTS_OF(asks_stay, WEFT_POINTERS_ASK, WEFT_LOSS_STAYS, true)
SLOTS_OF(offers_keep_often, WEFT_POINTERS_OFFER, WEFT_LOSS_KEEPS, false)
SLOTS_OF(offers_pass_often, WEFT_POINTERS_OFFER, WEFT_LOSS_PASSES, false)
SLOTS_OF(offers_stay_often, WEFT_POINTERS_OFFER, WEFT_LOSS_STAYS, false)
SLOTS_OF(asks_keep_often, WEFT_POINTERS_ASK, WEFT_LOSS_KEEPS, false)
SLOTS_OF(asks_stay_often, WEFT_POINTERS_ASK, WEFT_LOSS_STAYS, false)

typedef void run_slots(machine *it);

static run_slots *slots_of(weft_pointer_rule rule)
{
    static run_slots *const once[2][3] = {{offers_keep, offers_pass, offers_stay},
                                          {asks_keep, NULL, asks_stay}};
    static run_slots *const often[2][3] = {
        {offers_keep_often, offers_pass_often, offers_stay_often},
        {asks_keep_often, NULL, asks_stay_often}};
    uint32_t form = rule.form == WEFT_POINTERS_ASK;
    return rule.iterations == 1 ? once[form][rule.loss] : often[form][rule.loss];
}
