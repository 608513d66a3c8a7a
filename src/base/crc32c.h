/* SPDX-License-Identifier: Apache-2.0 */
/* CRC-32C (Castagnoli, RFC 3720): the checksum of files and messages. Detects accidental damage,
 * not forgery. */
#ifndef WEFT_BASE_CRC32C_H
#define WEFT_BASE_CRC32C_H

#include <stddef.h>
#include <stdint.h>

/* crc: 0 for the first piece, then the result of the piece before. Uses the processor's instruction
 * where available. */
uint32_t weft_crc32c(uint32_t crc, const void *data, size_t bytes);
/* The same in plain C. */
uint32_t weft_crc32c_plain(uint32_t crc, const void *data, size_t bytes);

#endif
