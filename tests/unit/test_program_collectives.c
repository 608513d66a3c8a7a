/* SPDX-License-Identifier: Apache-2.0 */
/* Collectives: after the last step every rank has what the operation promises, every contribution
 * exactly once, for 1 … 65 ranks and sizes that do not divide; both ends of a message agree on its
 * bytes and know each other's step. */
#include "program/collective.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define RANKS_MAX  65
#define CHAINS_MAX 4

typedef struct contributors { /* whose data are in a block, by rank */
    uint64_t bits[2];
} contributors;

typedef struct mail { /* on its way from one rank to another */
    uint32_t step;    /* that sent it */
    uint64_t bytes;
    contributors *blocks; /* of the vector … */
    uint8_t *pairs;       /* … or of an all-to-all, source × destination */
    struct mail *next;
} mail;

typedef struct world {
    weft_collective c;
    uint32_t n_blocks;
    contributors *have; /* rank × block */
    uint8_t *pairs;     /* rank × source × destination, of an all-to-all */
    mail *box[RANKS_MAX][RANKS_MAX];
    uint32_t at[RANKS_MAX][CHAINS_MAX];  /* next step of a rank's chain */
    bool sent[RANKS_MAX][CHAINS_MAX];    /* the sends of its round are done */
    uint8_t heard[RANKS_MAX][RANKS_MAX]; /* messages to a rank from another */
} world;

static contributors only(uint32_t rank)
{
    contributors set = {{0, 0}};
    set.bits[rank / 64] = (uint64_t)1 << rank % 64;
    return set;
}

static bool is_all(contributors set, uint32_t ranks)
{
    for (uint32_t r = 0; r < ranks; r++)
        if (!(set.bits[r / 64] >> r % 64 & 1))
            return false;
    return true;
}

static bool same(contributors a, contributors b)
{
    return a.bits[0] == b.bits[0] && a.bits[1] == b.bits[1];
}

static bool all_to_all(const world *w)
{
    return w->c.kind->operation == WEFT_COLLECTIVE_ALL_TO_ALL;
}

static contributors *block_at(const world *w, uint32_t rank, uint32_t block)
{
    return &w->have[(size_t)rank * w->n_blocks + block];
}

static uint8_t *pairs_of(const world *w, uint32_t rank)
{
    return w->pairs + (size_t)rank * w->c.ranks * w->c.ranks;
}

static void begin(world *w)
{
    for (uint32_t r = 0; r < w->c.ranks; r++) {
        for (uint32_t d = 0; d < w->c.ranks; d++)
            pairs_of(w, r)[r * w->c.ranks + d] = 1;
        for (uint32_t b = 0; b < w->n_blocks; b++) {
            bool gathers = w->c.kind->operation == WEFT_COLLECTIVE_ALLGATHER ||
                           w->c.kind->operation == WEFT_COLLECTIVE_GATHER;
            bool has = w->c.kind->operation == WEFT_COLLECTIVE_BROADCAST ? r == 0
                       : gathers                                         ? b == r
                                                                         : true;
            *block_at(w, r, b) = has ? only(r) : (contributors){{0, 0}};
        }
    }
}

static void send_pairs(world *w, uint32_t rank, uint32_t k, mail *message)
{
    uint32_t p = w->c.ranks;
    uint64_t bytes = 0;
    message->pairs = calloc((size_t)p * p, 1);
    for (uint32_t s = 0; s < p; s++)
        for (uint32_t d = 0; d < p; d++) {
            if (!pairs_of(w, rank)[s * p + d] || !w->c.kind->carries(&w->c, rank, k, s, d))
                continue;
            pairs_of(w, rank)[s * p + d] = 0;
            message->pairs[s * p + d] = 1;
            bytes += weft_collective_bytes(&w->c, (weft_blocks){d, 1});
        }
    assert_int_equal(bytes, message->bytes);
}

static void post(world *w, uint32_t rank, uint32_t k, const weft_collective_step *step)
{
    mail *message = calloc(1, sizeof *message), **end = &w->box[rank][step->to];
    assert_non_null(message);
    assert_in_range(step->to, 0, w->c.ranks - 1);
    message->bytes = step->send;
    message->step = k;
    if (all_to_all(w)) {
        send_pairs(w, rank, k, message);
    } else {
        message->blocks = calloc(w->n_blocks, sizeof *message->blocks);
        for (uint32_t i = 0; i < step->sent.count; i++) {
            uint32_t b = (step->sent.first + i) % w->n_blocks;
            message->blocks[b] = *block_at(w, rank, b);
        }
    }
    while (*end)
        end = &(*end)->next;
    *end = message;
}

static void take_blocks(world *w, uint32_t rank, const weft_collective_step *step,
                        const mail *message)
{
    for (uint32_t i = 0; i < step->received.count; i++) {
        uint32_t b = (step->received.first + i) % w->n_blocks;
        contributors *mine = block_at(w, rank, b);
        if (!step->sums) {
            *mine = message->blocks[b];
            continue;
        }
        for (int half = 0; half < 2; half++) {
            assert_int_equal(mine->bits[half] & message->blocks[b].bits[half], 0);
            mine->bits[half] |= message->blocks[b].bits[half];
        }
    }
}

/* The message for step k of a rank; without chains it is the first one of its pair. */
static mail **mail_for(world *w, uint32_t rank, uint32_t k, uint32_t from)
{
    mail **at = &w->box[from][rank];
    while (*at && weft_collective_received_in(&w->c, from, (*at)->step) != k) {
        assert_true(weft_collective_chains(&w->c) > 1);
        at = &(*at)->next;
    }
    return at;
}

/* False: its message has not come. */
static bool take(world *w, uint32_t rank, uint32_t k, const weft_collective_step *step)
{
    mail **at = mail_for(w, rank, k, step->from), *message = *at;
    if (!message)
        return false;
    assert_int_equal(message->bytes, step->receive);
    assert_int_equal(weft_collective_sent_in(&w->c, rank, k, step->from), message->step);
    *at = message->next;
    w->heard[rank][step->from]++;
    if (all_to_all(w))
        for (uint32_t i = 0; i < w->c.ranks * w->c.ranks; i++)
            pairs_of(w, rank)[i] |= message->pairs[i];
    else
        take_blocks(w, rank, step, message);
    free(message->pairs);
    free(message->blocks);
    free(message);
    return true;
}

/* All sends of a round, then its receives; true if something was done. */
static bool advance(world *w, uint32_t rank, uint32_t chain)
{
    uint32_t first = weft_collective_chain_first(&w->c, rank, chain),
             steps = weft_collective_chain_first(&w->c, rank, chain + 1), *at = &w->at[rank][chain],
             k = first + *at;
    bool *sent = &w->sent[rank][chain];
    if (k == steps)
        return false;
    weft_collective_step step = weft_collective_step_of(&w->c, rank, k);
    uint32_t round = step.round;
    assert_int_equal(step.chain, chain);
    bool begins = k == first || weft_collective_step_of(&w->c, rank, k - 1).round != round;
    for (uint32_t i = k; begins && !*sent && i < steps; i++) {
        weft_collective_step other = weft_collective_step_of(&w->c, rank, i);
        if (other.round != round)
            break;
        if (other.to != WEFT_PROGRAM_NONE)
            post(w, rank, i, &other);
    }
    *sent = true;
    if (step.from != WEFT_PROGRAM_NONE && !take(w, rank, k, &step))
        return false;
    ++*at;
    if (k + 1 < steps && weft_collective_step_of(&w->c, rank, k + 1).round != round)
        *sent = false;
    return true;
}

static void check_blocks(const world *w, uint32_t rank)
{
    weft_collective_operation operation = w->c.kind->operation;
    uint32_t whole = 0;
    for (uint32_t b = 0; b < w->n_blocks; b++) {
        contributors set = *block_at(w, rank, b);
        whole += is_all(set, w->c.ranks);
        if (operation == WEFT_COLLECTIVE_BROADCAST)
            assert_true(same(set, only(0)));
        if (operation == WEFT_COLLECTIVE_ALLGATHER ||
            (operation == WEFT_COLLECTIVE_GATHER && rank == 0))
            assert_true(same(set, only(b)));
    }
    if (operation == WEFT_COLLECTIVE_ALLREDUCE ||
        (operation == WEFT_COLLECTIVE_REDUCE && rank == 0))
        assert_int_equal(whole, w->n_blocks);
    if (operation == WEFT_COLLECTIVE_REDUCE_SCATTER)
        assert_true(is_all(*block_at(w, rank, (rank + 1) % w->c.ranks), w->c.ranks));
}

static void check_pairs(const world *w, uint32_t rank)
{
    for (uint32_t s = 0; s < w->c.ranks; s++)
        for (uint32_t d = 0; d < w->c.ranks; d++)
            assert_int_equal(pairs_of(w, rank)[s * w->c.ranks + d], d == rank);
}

/* Neighbours hear each other equally often, all ranks as much, and everybody is a neighbour's
 * neighbour's … neighbour. */
static void check_grid(const world *w)
{
    uint32_t reached[RANKS_MAX] = {0}, n_reached = 1;
    bool seen[RANKS_MAX] = {true};
    for (uint32_t i = 0; i < n_reached; i++)
        for (uint32_t other = 0; other < w->c.ranks; other++) {
            assert_int_equal(w->heard[reached[i]][other], w->heard[other][reached[i]]);
            if (w->heard[reached[i]][other] == 0 || seen[other])
                continue;
            seen[other] = true;
            reached[n_reached++] = other;
        }
    assert_int_equal(n_reached, w->c.ranks);
    for (uint32_t rank = 0; rank < w->c.ranks; rank++) {
        uint32_t messages = 0;
        for (uint32_t other = 0; other < w->c.ranks; other++)
            messages += w->heard[rank][other];
        assert_int_equal(messages, w->c.kind->steps(&w->c, 0));
    }
}

static void run_one(const weft_collective_kind *kind, uint32_t ranks, uint64_t bytes)
{
    world *w = calloc(1, sizeof *w);
    assert_non_null(w);
    w->c =
        (weft_collective){.kind = kind, .ranks = ranks, .bytes = bytes, .segments = 5, .group = 12};
    w->n_blocks = weft_collective_blocks(&w->c);
    w->have = calloc((size_t)ranks * w->n_blocks, sizeof *w->have);
    w->pairs = calloc((size_t)ranks * ranks * ranks, 1);
    begin(w);
    for (bool moved = true; moved;) {
        moved = false;
        for (uint32_t r = 0; r < ranks; r++)
            for (uint32_t chain = 0; chain < weft_collective_chains(&w->c); chain++)
                while (advance(w, r, chain))
                    moved = true;
    }
    for (uint32_t r = 0; r < ranks; r++) {
        uint32_t done = 0;
        for (uint32_t chain = 0; chain < CHAINS_MAX; chain++)
            done += w->at[r][chain];
        assert_int_equal(done, kind->steps(&w->c, r));
        for (uint32_t to = 0; to < ranks; to++)
            assert_null(w->box[r][to]);
        if (all_to_all(w))
            check_pairs(w, r);
        else if (kind->operation != WEFT_COLLECTIVE_BARRIER &&
                 kind->operation != WEFT_COLLECTIVE_HALO)
            check_blocks(w, r);
    }
    if (kind->operation == WEFT_COLLECTIVE_HALO)
        check_grid(w);
    free(w->have);
    free(w->pairs);
    free(w);
}

static void every_contribution_arrives_once(void **state)
{
    (void)state;
    for (const weft_collective_kind *const *kind = weft_collective_kinds; *kind; kind++)
        for (uint32_t ranks = 1; ranks <= RANKS_MAX; ranks++)
            if (!(*kind)->powers || (ranks & (ranks - 1)) == 0) {
                run_one(*kind, ranks, 1000 + ranks / 2);
                run_one(*kind, ranks, ranks / 2);
            }
}

/* A barrier ends only after everybody has begun: rank r's last message knows of all. */
static void dissemination_reaches_everybody(void **state)
{
    (void)state;
    for (uint32_t ranks = 1; ranks <= RANKS_MAX; ranks++) {
        weft_collective c = {
            .kind = &weft_collective_barrier_dissemination, .ranks = ranks, .bytes = 1};
        contributors known[2][RANKS_MAX];
        for (uint32_t r = 0; r < ranks; r++)
            known[0][r] = only(r);
        for (uint32_t k = 0; k < c.kind->steps(&c, 0); k++) {
            for (uint32_t r = 0; r < ranks; r++) {
                uint32_t from = weft_collective_step_of(&c, r, k).from;
                known[1][r] = known[0][r];
                for (int half = 0; half < 2; half++)
                    known[1][r].bits[half] |= known[0][from].bits[half];
            }
            memcpy(known[0], known[1], sizeof known[0]);
        }
        for (uint32_t r = 0; r < ranks; r++)
            assert_true(is_all(known[0][r], ranks));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_contribution_arrives_once),
        cmocka_unit_test(dissemination_reaches_everybody),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
