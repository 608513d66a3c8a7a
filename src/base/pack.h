/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers as bytes: a writer that grows and a reader that never reads past its end.
 *
 * Everything is little endian and of fixed width, whatever the machine; a double is its 64 bits,
 * a text its length (u32) and its bytes. Both start from plain values, `weft_pack out = {0}` and
 * `weft_unpack_of(data, bytes)`. The reader is for untrusted bytes: a value that does not fit reads
 * as 0 (NULL, ""), and so does everything after it, so a caller reads a whole record and checks
 * once, at the end, whether it was valid. */
#ifndef WEFT_BASE_PACK_H
#define WEFT_BASE_PACK_H

#include "base/arena.h"

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* ---- writing ---- */

typedef struct weft_pack {
    unsigned char *data;
    size_t count, room;
} weft_pack;

/* Room for `bytes` more beyond the count; never fails (base/memory.h). */
void weft_pack_grow(weft_pack *pack, size_t bytes);
/* Frees the bytes; the pack is empty and may be used again. */
void weft_pack_done(weft_pack *pack);

static inline unsigned char *weft_pack_claim(weft_pack *pack, size_t bytes)
{
    if (pack->room - pack->count < bytes)
        weft_pack_grow(pack, bytes);
    unsigned char *at = pack->data + pack->count;
    pack->count += bytes;
    return at;
}

static inline void weft_put_u32(unsigned char *at, uint32_t value)
{
    at[0] = (unsigned char)value;
    at[1] = (unsigned char)(value >> 8);
    at[2] = (unsigned char)(value >> 16);
    at[3] = (unsigned char)(value >> 24);
}

static inline void weft_put_u64(unsigned char *at, uint64_t value)
{
    weft_put_u32(at, (uint32_t)value);
    weft_put_u32(at + 4, (uint32_t)(value >> 32));
}

static inline void weft_pack_u32(weft_pack *pack, uint32_t value)
{
    weft_put_u32(weft_pack_claim(pack, 4), value);
}

static inline void weft_pack_u64(weft_pack *pack, uint64_t value)
{
    weft_put_u64(weft_pack_claim(pack, 8), value);
}

static inline void weft_pack_i64(weft_pack *pack, int64_t value)
{
    weft_pack_u64(pack, (uint64_t)value);
}

static inline void weft_pack_double(weft_pack *pack, double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    weft_pack_u64(pack, bits);
}

/* Appends raw bytes without their number; data may be NULL if there are none. */
void weft_pack_bytes(weft_pack *pack, const void *data, size_t bytes);
void weft_pack_text(weft_pack *pack, const char *text);

/* ---- reading ---- */

typedef struct weft_unpack {
    const unsigned char *at, *end;
    bool failed;
} weft_unpack;

/* data is borrowed until the last call, and by the results of weft_unpack_bytes. */
static inline weft_unpack weft_unpack_of(const void *data, size_t bytes)
{
    assert(data || bytes == 0);
    const unsigned char *at = data;
    return (weft_unpack){.at = at, .end = at ? at + bytes : at};
}

static inline size_t weft_unpack_left(const weft_unpack *unpack)
{
    return unpack->failed ? 0 : (size_t)(unpack->end - unpack->at);
}

/* True if everything fitted and nothing is left. */
static inline bool weft_unpack_end(const weft_unpack *unpack)
{
    return !unpack->failed && unpack->at == unpack->end;
}

/* Marks the reader as failed, for values that fit but are invalid. */
static inline void weft_unpack_fail(weft_unpack *unpack)
{
    unpack->failed = true;
}

static inline uint32_t weft_get_u32(const unsigned char *at)
{
    return (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

static inline uint64_t weft_get_u64(const unsigned char *at)
{
    return weft_get_u32(at) | (uint64_t)weft_get_u32(at + 4) << 32;
}

/* The next bytes, in place; NULL on failure (for 0 bytes: not to be read, but not NULL). */
static inline const void *weft_unpack_bytes(weft_unpack *unpack, size_t bytes)
{
    static const unsigned char nothing[1] = {0};
    if (weft_unpack_left(unpack) < bytes || unpack->failed) {
        unpack->failed = true;
        return NULL;
    }
    const unsigned char *at = unpack->at;
    if (bytes == 0)
        return at ? at : nothing;
    unpack->at = at + bytes;
    return at;
}

static inline uint32_t weft_unpack_u32(weft_unpack *unpack)
{
    const unsigned char *at = weft_unpack_bytes(unpack, 4);
    return at ? weft_get_u32(at) : 0;
}

static inline uint64_t weft_unpack_u64(weft_unpack *unpack)
{
    const unsigned char *at = weft_unpack_bytes(unpack, 8);
    return at ? weft_get_u64(at) : 0;
}

static inline int64_t weft_unpack_i64(weft_unpack *unpack)
{
    return (int64_t)weft_unpack_u64(unpack);
}

/* A count or a time, below 2^62 either way: two of them have a sum and a difference. */
static inline int64_t weft_unpack_count(weft_unpack *unpack)
{
    int64_t value = weft_unpack_i64(unpack), limit = (int64_t)1 << 62;
    if (value > -limit && value < limit)
        return value;
    weft_unpack_fail(unpack);
    return 0;
}

static inline double weft_unpack_double(weft_unpack *unpack)
{
    uint64_t bits = weft_unpack_u64(unpack);
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* A copy with a \0 at its end, in the arena; "" on failure. A text that holds a \0 is a failure. */
const char *weft_unpack_text(weft_unpack *unpack, weft_arena *arena);

#endif
