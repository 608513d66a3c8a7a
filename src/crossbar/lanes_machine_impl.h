/* SPDX-License-Identifier: Apache-2.0 */
/* The machine of lanes.h: its state, and its words of LANES_WORDS × 64 bits. A template: see
 * lanes_kernel_impl.h.
 *
 * 1. A number is a row of words, its lowest bits first. A pointer is a row too: bit k of it says
 *    that k lies below the pointer.
 * 2. A queue is `front` cells plus `reserve` times unit cells, unit being a power of two of at
 *    least the period. Between periods the reserve is empty and front < 2 unit, or unit ≤ front <
 *    2 unit: so within a period only the front is counted, and it is not empty as long as there is
 *    a reserve. The form is unique: queues are compared by it. */

#if LANES_WORDS == 1
typedef uint64_t vec;
#else
typedef uint64_t vec __attribute__((vector_size(8 * LANES_WORDS)));
#endif

#define LANES      (64 * LANES_WORDS)
#define INLINE     static inline __attribute__((always_inline))
#define SIDE       WEFT_LANES_SIDE
#define AGE_BITS   25
#define TALLY_BITS 14 /* n × period at most 2¹³ */
#define WINDOWS    16

typedef struct machine {
    const weft_xbar_lanes_job *job;
    uint32_t n, period, unit; /* the unit is 2^unit cells */
    uint32_t low, high;       /* bits of a front, of a reserve */
    uint32_t used;            /* bits of reserves that are not 0 in all lanes */
    uint32_t served_bits;
    size_t words;      /* length of `now` and `then`, which are compared and copied */
    vec *now;          /* fronts, reserves, pointers of outputs and inputs, cells served */
    vec *then;         /* the snapshots */
    vec *arrivals;     /* period × n × n */
    vec *kept;         /* n × n: not empty at any slot since the snapshot */
    vec *deep;         /* n × n: has a reserve */
    vec age[AGE_BITS]; /* periods */
    vec tally[TALLY_BITS];
    vec busy; /* lanes that have a matrix */
    /* per lane */
    uint64_t id[LANES], begun[LANES];  /* period it started in */
    uint64_t mark[LANES];              /* cells served at the last end of a window */
    uint32_t next[LANES], last[LANES]; /* whose windows end at the same time; LANES: none */
    uint8_t windows[LANES];
    weft_xbar_steady steady[LANES];
    uint32_t *ending; /* by period modulo window: the first lane whose windows end there */
    uint64_t periods; /* run by now */
    uint64_t window;  /* periods */
    void *memory;     /* all of it */
} machine;

/* ---- words ---- */

INLINE bool any(vec word)
{
#if LANES_WORDS == 1
    return word != 0;
#elif LANES_WORDS == 4
    return !_mm256_testz_si256((__m256i)word, (__m256i)word);
#else
    return _mm512_test_epi64_mask((__m512i)word, (__m512i)word) != 0;
#endif
}

INLINE uint64_t part(const vec *word, uint32_t k)
{
    uint64_t bits;
    memcpy(&bits, (const char *)word + 8 * k, 8);
    return bits;
}

INLINE void put(vec *word, uint32_t lane, uint64_t bit)
{
    uint64_t bits = part(word, lane / 64) & ~((uint64_t)1 << lane % 64);
    bits |= bit << lane % 64;
    memcpy((char *)word + 8 * (lane / 64), &bits, 8);
}

INLINE uint64_t get(const vec *word, uint32_t lane)
{
    return part(word, lane / 64) >> lane % 64 & 1;
}

/* Adds a bit to a number; returns the carry. */
INLINE vec add_bit(vec *number, uint32_t bits, vec carry)
{
    for (uint32_t b = 0; b < bits; b++) {
        vec old = number[b];
        number[b] = old ^ carry;
        carry &= old;
    }
    return carry;
}

/* The same, but stops without a carry: for numbers in which carries are short. */
static uint32_t add_rarely(vec *number, uint32_t bits, vec carry)
{
    uint32_t b = 0;
    for (; b < bits && any(carry); b++) {
        vec old = number[b];
        number[b] = old ^ carry;
        carry &= old;
    }
    return b;
}

static void subtract_rarely(vec *number, uint32_t bits, vec borrow)
{
    for (uint32_t b = 0; b < bits && any(borrow); b++) {
        vec old = number[b];
        number[b] = old ^ borrow;
        borrow &= ~old;
    }
}

/* ---- where things are ---- */

INLINE vec *front_of(const machine *it, vec *block, uint32_t q)
{
    return block + (size_t)q * it->low;
}

INLINE vec *reserve_of(const machine *it, vec *block, uint32_t q)
{
    return block + (size_t)it->n * it->n * it->low + (size_t)q * it->high;
}

INLINE vec *pointers_of(const machine *it, vec *block) /* n × n of outputs, then of inputs */
{
    return block + (size_t)it->n * it->n * (it->low + it->high);
}

INLINE vec *served_of(const machine *it, vec *block)
{
    return block + (size_t)it->n * it->n * (it->low + it->high + 2);
}
