/* SPDX-License-Identifier: Apache-2.0 */
/* Checkpoints as files, written by a group of processes together.
 *
 * A checkpoint is a folder `<folder>/<generation>`: one part per writing process and a manifest.
 * A part is a row of chunks with an index; a chunk holds the state of some entities of one
 * *box*, a portion of the model that does not depend on the partition of a run (several chunks may
 * name the same box). Everything carries a CRC-32C. It is written as `<folder>/<generation>.new`
 * and renamed when all of it is on the disk, so a crash leaves nothing half; the two newest
 * generations are kept. A reader checks lengths against the files before
 * it takes anything, and reports a damaged file with the reason.
 *
 * The contents of a chunk belong to the caller. */
#ifndef WEFT_KERNEL_CHECKPOINT_H
#define WEFT_KERNEL_CHECKPOINT_H

#include "interweft/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ---- writing ---- */

/* By one process before the others write: makes the folder (and those above it), finds the
 * number of the new generation (one above the newest there is, whole or not) and makes
 * `<generation>.new`. */
WEFT_MUST_USE weft_status weft_checkpoint_begin(const char *folder, uint64_t *generation,
                                                weft_error *err);

typedef struct weft_checkpoint_part weft_checkpoint_part; /* being written by this process */
WEFT_MUST_USE weft_status weft_checkpoint_part_open(const char *folder, uint64_t generation,
                                                    uint32_t part, weft_checkpoint_part **writer,
                                                    weft_error *err);
/* cost: of simulating the box so far, in any unit (for the mapping of boxes to ranks). */
WEFT_MUST_USE weft_status weft_checkpoint_part_add(weft_checkpoint_part *writer, uint32_t box,
                                                   int64_t cost, const void *data, size_t bytes,
                                                   weft_error *err);
/* Writes the index and brings all of it to the disk. Always frees the writer, also after a failure
 * of an earlier call (then it fails too). */
WEFT_MUST_USE weft_status weft_checkpoint_part_close(weft_checkpoint_part *writer, weft_error *err);

/* By one process, after all parts are closed without failure: the manifest with `parts` parts
 * and the caller's head (state that belongs to no box), then the rename; older generations but
 * one go. After a failure `<generation>.new` is gone. */
WEFT_MUST_USE weft_status weft_checkpoint_commit(const char *folder, uint64_t generation,
                                                 uint32_t parts, const void *head, size_t bytes,
                                                 weft_error *err);
/* By one process, if any part failed: removes `<generation>.new`. */
void weft_checkpoint_abandon(const char *folder, uint64_t generation);
/* By one process: a generation that was found damaged goes, so that it does not count as one of
 * the two that are kept. */
void weft_checkpoint_discard(const char *folder, uint64_t generation);
/* Removes all generations and the folder itself (and the one above it, if it is empty then). */
void weft_checkpoint_remove(const char *folder);
/* The same for every folder in the one above them. */
void weft_checkpoint_remove_all(const char *above);

/* ---- reading ---- */

typedef struct weft_chunk {
    uint32_t box, part;
    uint64_t offset, bytes;
    int64_t cost;
    uint32_t crc;
} weft_chunk;

typedef struct weft_checkpoint {
    uint64_t generation;
    const char *folder; /* the caller's */
    uint32_t parts;
    size_t n_chunks;
    weft_chunk *chunks; /* of all parts, ordered by box */
    void *head;
    size_t head_bytes;
} weft_checkpoint;

/* The newest generation below `below` (UINT64_MAX: any); 0 if there is none. */
uint64_t weft_checkpoint_newest(const char *folder, uint64_t below);
/* Opens one generation: reads and checks manifest and indexes. */
WEFT_MUST_USE weft_status weft_checkpoint_open(const char *folder, uint64_t generation,
                                               weft_checkpoint **checkpoint, weft_error *err);
/* Reads and checks one chunk; *data is to be freed. */
WEFT_MUST_USE weft_status weft_checkpoint_read(const weft_checkpoint *checkpoint, size_t chunk,
                                               void **data, weft_error *err);
void weft_checkpoint_close(weft_checkpoint *checkpoint); /* accepts NULL */

#endif
