/* SPDX-License-Identifier: Apache-2.0 */
/* The pointer rules of schedulers, cell by cell as they are published, in loops over everything. */
#ifndef WEFT_TEST_NAIVE_H
#define WEFT_TEST_NAIVE_H

#include <stdbool.h>
#include <stdint.h>

#define NAIVE_MAX 150

typedef struct naive {
    uint32_t n, iterations, later;
    bool passes, keeps;                     /* RRM; iSLIP; neither: FIRM */
    bool follows, repeats;                  /* DRRM2; DRRM asks for free outputs */
    uint32_t out[NAIVE_MAX], in[NAIVE_MAX]; /* pointers */
    int to[NAIVE_MAX];                      /* per input: output, −1: none */
} naive;

static inline int naive_first(const bool *asks, uint32_t n, uint32_t from)
{
    for (uint32_t k = 0; k < n; k++)
        if (asks[(from + k) % n])
            return (int)((from + k) % n);
    return -1;
}

static inline bool naive_taken(const naive *it, uint32_t y)
{
    for (uint32_t x = 0; x < it->n; x++)
        if (it->to[x] == (int)y)
            return true;
    return false;
}

static inline void naive_offers(naive *it, bool (*wants)[NAIVE_MAX])
{
    for (uint32_t x = 0; x < it->n; x++)
        it->to[x] = -1;
    for (uint32_t round = 0; round < it->iterations; round++) {
        int offer[NAIVE_MAX], accept[NAIVE_MAX];
        for (uint32_t y = 0; y < it->n; y++) {
            bool asks[NAIVE_MAX];
            for (uint32_t x = 0; x < it->n; x++)
                asks[x] = wants[x][y] && it->to[x] < 0 && !naive_taken(it, y);
            offer[y] = naive_first(asks, it->n, it->out[y]);
        }
        for (uint32_t x = 0; x < it->n; x++) {
            bool asks[NAIVE_MAX];
            for (uint32_t y = 0; y < it->n; y++)
                asks[y] = offer[y] == (int)x;
            accept[x] = naive_first(asks, it->n, it->in[x]);
        }
        for (uint32_t y = 0; y < it->n; y++) {
            if (offer[y] < 0 || (round > 0 && !(it->later & 1)))
                continue;
            bool accepted = accept[offer[y]] == (int)y;
            if (accepted || !it->keeps)
                it->out[y] = ((uint32_t)offer[y] + (accepted || it->passes)) % it->n;
        }
        for (uint32_t x = 0; x < it->n; x++) {
            if (accept[x] < 0)
                continue;
            it->to[x] = accept[x];
            if (round == 0 || it->later & 2)
                it->in[x] = ((uint32_t)accept[x] + 1) % it->n;
        }
    }
}

static inline void naive_asks(naive *it, bool (*wants)[NAIVE_MAX])
{
    for (uint32_t x = 0; x < it->n; x++)
        it->to[x] = -1;
    for (uint32_t round = 0; round < (it->repeats ? 1 : it->iterations); round++) {
        int asked[NAIVE_MAX], taken[NAIVE_MAX];
        for (uint32_t x = 0; x < it->n; x++) {
            bool asks[NAIVE_MAX];
            for (uint32_t y = 0; y < it->n; y++)
                asks[y] = wants[x][y] && it->to[x] < 0 && !naive_taken(it, y);
            asked[x] = naive_first(asks, it->n, it->in[x]);
        }
        for (uint32_t y = 0; y < it->n; y++) {
            bool asks[NAIVE_MAX];
            for (uint32_t x = 0; x < it->n; x++)
                asks[x] = asked[x] == (int)y;
            taken[y] = naive_first(asks, it->n, it->out[y]);
        }
        for (uint32_t x = 0; x < it->n; x++) {
            if (asked[x] < 0)
                continue;
            bool got = taken[asked[x]] == (int)x;
            if (got)
                it->to[x] = asked[x];
            if (round == 0 && (got || it->follows))
                it->in[x] = ((uint32_t)asked[x] + got) % it->n;
            if (round == 0 && got)
                it->out[asked[x]] = (x + 1) % it->n;
        }
    }
}

#endif
