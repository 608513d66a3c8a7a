/* SPDX-License-Identifier: Apache-2.0 */
/* CRC-32C eight bytes at a time: with SSE 4.2's instruction where the processor has it (checked at
 * run time), otherwise with eight tables (Kounavis and Berry, "A Systematic Approach to Building
 * High Performance Software-Based CRC Generators", 2005).
 *
 * Entry n of table k is the remainder of the byte n followed by 8k + 32 zero bits. Remainders
 * add (by xor), so an entry is the sum of its bits' remainders, and those are the polynomial
 * advanced by 0 … 63 bits: the 64 numbers below, from which the compiler computes all 2,048
 * entries. */
#include "base/crc32c.h"

#include "base/pack.h"

#include <assert.h>
#if defined(__x86_64__)
#include <nmmintrin.h>
#endif

#define BIT(n, bit, p) ((n) >> (bit)&1 ? (uint32_t)(p) : 0)
#define ENTRY(n, p7, p6, p5, p4, p3, p2, p1, p0)                                     \
    (BIT(n, 0, p0) ^ BIT(n, 1, p1) ^ BIT(n, 2, p2) ^ BIT(n, 3, p3) ^ BIT(n, 4, p4) ^ \
     BIT(n, 5, p5) ^ BIT(n, 6, p6) ^ BIT(n, 7, p7))
#define OF_4(n, ...)                                                                 \
    ENTRY(n, __VA_ARGS__), ENTRY((n) + 1, __VA_ARGS__), ENTRY((n) + 2, __VA_ARGS__), \
        ENTRY((n) + 3, __VA_ARGS__)
#define OF_16(n, ...)                                                             \
    OF_4(n, __VA_ARGS__), OF_4((n) + 4, __VA_ARGS__), OF_4((n) + 8, __VA_ARGS__), \
        OF_4((n) + 12, __VA_ARGS__)
#define OF_64(n, ...)                                                                  \
    OF_16(n, __VA_ARGS__), OF_16((n) + 16, __VA_ARGS__), OF_16((n) + 32, __VA_ARGS__), \
        OF_16((n) + 48, __VA_ARGS__)
#define TABLE(...)                                                              \
    {                                                                           \
        OF_64(0, __VA_ARGS__), OF_64(64, __VA_ARGS__), OF_64(128, __VA_ARGS__), \
            OF_64(192, __VA_ARGS__)                                             \
    }

/* clang-format off */
static const uint32_t table[8][256] = {
    TABLE(0x82f63b78, 0x417b1dbc, 0x20bd8ede, 0x105ec76f,
          0x8ad958cf, 0xc79a971f, 0xe13b70f7, 0xf26b8303),
    TABLE(0xfbc3faf9, 0xff17c604, 0x7f8be302, 0x3fc5f181,
          0x9d14c3b8, 0x4e8a61dc, 0x274530ee, 0x13a29877),
    TABLE(0x8b277743, 0xc76580d9, 0xe144fb14, 0x70a27d8a,
          0x38513ec5, 0x9edea41a, 0x4f6f520d, 0xa541927e),
    TABLE(0x52a0c93f, 0xaba65fe7, 0xd725148b, 0xe964b13d,
          0xf64463e6, 0x7b2231f3, 0xbf672381, 0xdd45aab8),
    TABLE(0x6ea2d55c, 0x37516aae, 0x1ba8b557, 0x8f2261d3,
          0xc5670b91, 0xe045beb0, 0x7022df58, 0x38116fac),
    TABLE(0x1c08b7d6, 0x0e045beb, 0x85f4168d, 0xc00c303e,
          0x6006181f, 0xb2f53777, 0xdb8ca0c3, 0xef306b19),
    TABLE(0xf56e0ef4, 0x7ab7077a, 0x3d5b83bd, 0x9c5bfaa6,
          0x4e2dfd53, 0xa5e0c5d1, 0xd0065990, 0x68032cc8),
    TABLE(0x34019664, 0x1a00cb32, 0x0d006599, 0x847609b4,
          0x423b04da, 0x211d826d, 0x9278fa4e, 0x493c7d27),
};
/* clang-format on */

uint32_t weft_crc32c_plain(uint32_t crc, const void *data, size_t bytes)
{
    assert(data || bytes == 0);
    const unsigned char *at = data;
    uint64_t rest = ~crc;
    for (; bytes >= 8; bytes -= 8, at += 8) {
        uint64_t word = rest ^ weft_get_u64(at);
        rest = 0;
        for (unsigned byte = 0; byte < 8; byte++)
            rest ^= table[7 - byte][word >> 8 * byte & 255];
    }
    for (; bytes > 0; bytes--, at++)
        rest = rest >> 8 ^ table[0][(rest ^ *at) & 255];
    return ~(uint32_t)rest;
}

#if defined(__x86_64__)

__attribute__((target("sse4.2"))) static uint32_t with_instruction(uint32_t crc, const void *data,
                                                                   size_t bytes)
{
    const unsigned char *at = data;
    uint64_t rest = ~crc;
    for (; bytes >= 8; bytes -= 8, at += 8)
        rest = _mm_crc32_u64(rest, weft_get_u64(at));
    for (; bytes > 0; bytes--, at++)
        rest = _mm_crc32_u8((uint32_t)rest, *at);
    return ~(uint32_t)rest;
}

uint32_t weft_crc32c(uint32_t crc, const void *data, size_t bytes)
{
    assert(data || bytes == 0);
    return __builtin_cpu_supports("sse4.2") ? with_instruction(crc, data, bytes)
                                            : weft_crc32c_plain(crc, data, bytes);
}

#else

uint32_t weft_crc32c(uint32_t crc, const void *data, size_t bytes)
{
    return weft_crc32c_plain(crc, data, bytes);
}

#endif
