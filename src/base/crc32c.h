/* SPDX-License-Identifier: Apache-2.0 */
/* CRC-32C (Castagnoli, RFC 3720): the checksum of files and messages. It finds accidents, not
 * forgeries. */
#ifndef WEFT_BASE_CRC32C_H
#define WEFT_BASE_CRC32C_H

#include <stddef.h>
#include <stdint.h>

/* Start with 0; the result of one piece is the start of the next. Uses the processor's instruction
 * where there is one. */
uint32_t weft_crc32c(uint32_t crc, const void *data, size_t bytes);
/* The same in plain C. */
uint32_t weft_crc32c_plain(uint32_t crc, const void *data, size_t bytes);

#endif
