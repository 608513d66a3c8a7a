/* SPDX-License-Identifier: Apache-2.0 */
#include "net/topology/common/galois.h"

#include <assert.h>

/* Adds times × b, digit by digit to the base p. */
static uint32_t combine(uint32_t p, uint32_t a, uint32_t b, uint32_t times)
{
    uint32_t sum = 0;
    for (uint32_t place = 1; a || b; place *= p, a /= p, b /= p)
        sum += (a % p + times * (b % p)) % p * place;
    return sum;
}

uint32_t weft_galois_add(const weft_galois *field, uint32_t a, uint32_t b)
{
    if (field->base == field->size)
        return a + b < field->size ? a + b : a + b - field->size;
    return combine(field->base, a, b, 1);
}

uint32_t weft_galois_subtract(const weft_galois *field, uint32_t a, uint32_t b)
{
    if (field->base == field->size)
        return a >= b ? a - b : a + field->size - b;
    return combine(field->base, a, b, field->base - 1);
}

/* The powers of x where x^k = rest, q = p^k. Is x primitive? */
static bool try_rest(weft_galois *field, uint32_t rest)
{
    uint32_t p = field->base, top = field->size / p, element = 1;
    for (uint32_t i = 0; i < field->size - 1; i++) {
        if (element == 0 || (i > 0 && element == 1))
            return false;
        field->power[i] = (uint16_t)element;
        field->log[element] = (uint16_t)i;
        element = combine(p, element % top * p, rest, element / top); /* × x */
    }
    return element == 1;
}

bool weft_galois_init(weft_galois *field, uint32_t q)
{
    uint32_t p = 2, left = q;
    if (q < 2 || q > WEFT_GALOIS_MAX)
        return false;
    while (q % p)
        p++;
    while (left % p == 0)
        left /= p;
    if (left != 1)
        return false;
    *field = (weft_galois){.size = q, .base = p};
    uint32_t rest = 1;
    while (rest < q && !try_rest(field, rest))
        rest++;
    assert(rest < q);
    return true;
}
