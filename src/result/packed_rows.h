/* SPDX-License-Identifier: Apache-2.0 */
/* A point as bytes, to be sent from the process that made it to the one that writes it down. Every
 * number arrives bit by bit as it was; strings, arrays and links are in the packed row. */
#ifndef WEFT_RESULT_PACKED_ROWS_H
#define WEFT_RESULT_PACKED_ROWS_H

#include "base/arena.h"
#include "interweft/result.h"

/* To be freed. */
void *weft_packed_rows_write(const weft_point *point, size_t *bytes);
/* The point lives in the arena. Fails, also without knowing where the bytes come from, if they
 * are not a whole packed row; the arena may then hold part of it. */
WEFT_MUST_USE weft_status weft_packed_rows_read(const void *data, size_t bytes, weft_arena *arena,
                                                weft_point *point, weft_error *err);
/* Of what a results file keeps of a point: the sum of the checksums of its rows, in any order. */
uint64_t weft_packed_rows_checksum(const weft_point *point);

#endif
