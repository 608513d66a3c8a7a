/* SPDX-License-Identifier: Apache-2.0 */
/* The finite field of q elements, q a prime power. An element is a number 0 … q − 1 whose digits in
 * base p are the coefficients of a polynomial; x is a primitive element: its powers are all
 * elements but 0. */
#ifndef WEFT_NET_TOPOLOGY_COMMON_GALOIS_H
#define WEFT_NET_TOPOLOGY_COMMON_GALOIS_H

#include <stdbool.h>
#include <stdint.h>

#define WEFT_GALOIS_MAX 1024

typedef struct weft_galois {
    uint32_t size, base;             /* q, p */
    uint16_t power[WEFT_GALOIS_MAX]; /* of x: 0 … q − 2 */
    uint16_t log[WEFT_GALOIS_MAX];   /* of elements 1 … q − 1 */
} weft_galois;

/* False: q is not a prime power up to WEFT_GALOIS_MAX. */
bool weft_galois_init(weft_galois *field, uint32_t q);

uint32_t weft_galois_add(const weft_galois *field, uint32_t a, uint32_t b);
uint32_t weft_galois_subtract(const weft_galois *field, uint32_t a, uint32_t b);

static inline uint32_t weft_galois_multiply(const weft_galois *field, uint32_t a, uint32_t b)
{
    if (a == 0 || b == 0)
        return 0;
    uint32_t log = (uint32_t)field->log[a] + field->log[b], order = field->size - 1;
    return field->power[log < order ? log : log - order];
}

/* b: not 0. */
static inline uint32_t weft_galois_divide(const weft_galois *field, uint32_t a, uint32_t b)
{
    if (a == 0)
        return 0;
    uint32_t order = field->size - 1, log = (uint32_t)field->log[a] + order - field->log[b];
    return field->power[log < order ? log : log - order];
}

#endif
