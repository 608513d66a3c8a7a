/* SPDX-License-Identifier: Apache-2.0 */
/* Reading a checkpoint that nobody vouches for. The manifest is one checksummed text; each part
 * must be as long and have the index that the manifest says, and its chunks must fill it
 * exactly. So what was opened is consistent, no memory is taken that a file's length does not
 * pay for, and all that is left to find out later is whether a chunk's bytes are what was
 * written. checkpoint_file.h has the layout. */
#include "kernel/checkpoint.h"

#include "base/crc32c.h"
#include "base/memory.h"
#include "base/pack.h"
#include "kernel/checkpoint_file.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Reads a piece of a file into memory that is to be freed. Its size is only as honest as the file's
 * length, which may be a hole: no memory is a message here. */
static weft_status read_piece(const weft_checkpoint_file *file, uint64_t offset, uint64_t bytes,
                              void **data, weft_error *err)
{
    assert(offset <= file->length && bytes <= file->length - offset);
    *data = malloc(bytes > 0 ? (size_t)bytes : 1);
    if (!*data)
        return weft_fail(err, WEFT_BAD_INPUT, "%s: no memory for %" PRIu64 " bytes of it",
                         file->path, bytes);
    weft_status status = weft_file_read(file, offset, *data, (size_t)bytes, err);
    if (status != WEFT_OK) {
        free(*data);
        *data = NULL;
    }
    return status;
}

/* ---- the manifest ---- */

typedef struct manifest {
    unsigned char *data; /* the whole file, to be freed */
    uint32_t n_parts;
    const unsigned char *parts; /* parts × WEFT_MANIFEST_PART */
    uint64_t head_bytes;
} manifest;

/* The header promises a length; that is compared before anything is read by it. */
static weft_status read_header(const weft_checkpoint_file *file, uint64_t generation, manifest *out,
                               weft_error *err)
{
    unsigned char header[WEFT_MANIFEST_HEADER];
    const uint64_t fixed = WEFT_MANIFEST_HEADER + WEFT_CRC_BYTES;
    if (file->length < fixed)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "%s: too short to be a checkpoint's manifest (%" PRIu64 " bytes)",
                         file->path, file->length);
    WEFT_TRY(weft_file_read(file, 0, header, sizeof header, err));
    WEFT_TRY(
        weft_file_recognise(file, header, WEFT_MANIFEST_MAGIC, "manifest of a checkpoint", err));
    out->n_parts = weft_get_u32(header + 12);
    uint64_t its_generation = weft_get_u64(header + 16);
    out->head_bytes = weft_get_u64(header + 24);
    uint64_t rest = file->length - fixed, parts = (uint64_t)out->n_parts * WEFT_MANIFEST_PART;
    if (rest < parts || rest - parts != out->head_bytes)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "%s: damaged (%" PRIu64 " bytes, not what %" PRIu32
                         " parts and a head of %" PRIu64 " bytes take)",
                         file->path, file->length, out->n_parts, out->head_bytes);
    if (its_generation != generation)
        return weft_fail(err, WEFT_BAD_INPUT, "%s: is of generation %" PRIu64 ", expected %" PRIu64,
                         file->path, its_generation, generation);
    return WEFT_OK;
}

static weft_status read_manifest(const weft_checkpoint_file *file, uint64_t generation,
                                 manifest *out, weft_error *err)
{
    WEFT_TRY(read_header(file, generation, out, err));
    void *data;
    WEFT_TRY(read_piece(file, 0, file->length, &data, err));
    out->data = data;
    out->parts = out->data + WEFT_MANIFEST_HEADER;
    size_t covered = (size_t)file->length - WEFT_CRC_BYTES;
    uint32_t found = weft_crc32c(0, out->data, covered);
    uint32_t expected = weft_get_u32(out->data + covered);
    if (found != expected)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "%s: damaged (checksum %08" PRIx32 ", expected %08" PRIx32 ")", file->path,
                         found, expected);
    /* the file may have changed between the two reads: only what the checksum covered counts */
    if (weft_get_u32(out->data + 12) != out->n_parts ||
        weft_get_u64(out->data + 24) != out->head_bytes)
        return weft_fail(err, WEFT_BAD_INPUT, "%s: changed while it was read", file->path);
    return WEFT_OK;
}

/* ---- the parts ---- */

/* The index of one part becomes chunks. */
static weft_status add_chunks(weft_checkpoint *checkpoint, const weft_checkpoint_file *file,
                              uint32_t part, const weft_checkpoint_part_end *end,
                              const unsigned char *index, weft_error *err)
{
    size_t first = checkpoint->n_chunks, more = (size_t)end->chunks;
    checkpoint->chunks = weft_realloc(checkpoint->chunks, first + more, sizeof *checkpoint->chunks);
    uint64_t offset = WEFT_PART_HEADER;
    for (size_t i = 0; i < more; i++, index += WEFT_PART_ENTRY) {
        weft_chunk *chunk = &checkpoint->chunks[first + i];
        *chunk = (weft_chunk){.box = weft_get_u32(index),
                              .crc = weft_get_u32(index + 4),
                              .bytes = weft_get_u64(index + 8),
                              .cost = (int64_t)weft_get_u64(index + 16),
                              .part = part,
                              .offset = offset};
        if (chunk->bytes > end->index_at - offset)
            return weft_fail(err, WEFT_BAD_INPUT,
                             "%s: its index is wrong (a chunk of %" PRIu64 " bytes for box %" PRIu32
                             " where %" PRIu64 " are left)",
                             file->path, chunk->bytes, chunk->box, end->index_at - offset);
        offset += chunk->bytes;
    }
    checkpoint->n_chunks = first + more;
    if (offset != end->index_at)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "%s: its index is wrong (%" PRIu64 " bytes belong to no chunk)",
                         file->path, end->index_at - offset);
    return WEFT_OK;
}

static weft_status read_index(weft_checkpoint *checkpoint, const weft_checkpoint_file *file,
                              uint32_t part, uint32_t expected, weft_error *err)
{
    weft_checkpoint_part_end end;
    void *index;
    WEFT_TRY(weft_checkpoint_part_look(file, checkpoint->generation, part, &end, err));
    WEFT_TRY(read_piece(file, end.index_at, end.chunks * WEFT_PART_ENTRY, &index, err));
    uint32_t found = weft_crc32c(0, index, (size_t)end.chunks * WEFT_PART_ENTRY);
    weft_status status;
    if (found != expected || found != end.index_crc)
        status =
            weft_fail(err, WEFT_BAD_INPUT,
                      "%s: its index is damaged (checksum %08" PRIx32 ", expected %08" PRIx32 ")",
                      file->path, found, expected);
    else
        status = add_chunks(checkpoint, file, part, &end, index, err);
    free(index);
    return status;
}

static weft_status read_part(weft_checkpoint *checkpoint, uint32_t part,
                             const unsigned char *described, weft_error *err)
{
    weft_checkpoint_file file;
    weft_checkpoint_part_name name = weft_checkpoint_part_name_of(part);
    WEFT_TRY(
        weft_file_open(checkpoint->folder, checkpoint->generation, false, name.text, &file, err));
    uint64_t length = weft_get_u64(described);
    weft_status status;
    if (file.length != length)
        status =
            weft_fail(err, WEFT_BAD_INPUT,
                      "%s: %s than its manifest says (%" PRIu64 " bytes, expected %" PRIu64 ")",
                      file.path, file.length < length ? "shorter" : "longer", file.length, length);
    else
        status = read_index(checkpoint, &file, part, weft_get_u32(described + 8), err);
    weft_file_close(&file);
    return status;
}

static int by_box(const void *a, const void *b)
{
    const weft_chunk *x = a, *y = b;
    if (x->box != y->box)
        return x->box < y->box ? -1 : 1;
    if (x->part != y->part)
        return x->part < y->part ? -1 : 1;
    if (x->offset != y->offset)
        return x->offset < y->offset ? -1 : 1;
    if (x->bytes != y->bytes) /* empty ones lie where the next starts */
        return x->bytes < y->bytes ? -1 : 1;
    return (x->cost > y->cost) - (x->cost < y->cost);
}

/* ---- the whole ---- */

static weft_status fill(weft_checkpoint *checkpoint, const manifest *read, weft_error *err)
{
    checkpoint->parts = read->n_parts;
    for (uint32_t i = 0; i < read->n_parts; i++)
        WEFT_TRY(read_part(checkpoint, i, read->parts + (size_t)i * WEFT_MANIFEST_PART, err));
    if (checkpoint->n_chunks > 0)
        qsort(checkpoint->chunks, checkpoint->n_chunks, sizeof *checkpoint->chunks, by_box);
    checkpoint->head_bytes = (size_t)read->head_bytes;
    checkpoint->head = weft_alloc(checkpoint->head_bytes);
    memcpy(checkpoint->head, read->parts + (size_t)read->n_parts * WEFT_MANIFEST_PART,
           checkpoint->head_bytes);
    return WEFT_OK;
}

weft_status weft_checkpoint_open(const char *folder, uint64_t generation,
                                 weft_checkpoint **checkpoint, weft_error *err)
{
    *checkpoint = NULL;
    weft_checkpoint_file file;
    manifest read = {0};
    WEFT_TRY(weft_file_open(folder, generation, false, WEFT_MANIFEST, &file, err));
    weft_status status = read_manifest(&file, generation, &read, err);
    weft_file_close(&file);
    if (status == WEFT_OK) {
        weft_checkpoint *opened = weft_alloc(sizeof *opened);
        *opened = (weft_checkpoint){.generation = generation, .folder = folder};
        status = fill(opened, &read, err);
        if (status == WEFT_OK)
            *checkpoint = opened;
        else
            weft_checkpoint_close(opened);
    }
    free(read.data);
    return status;
}

static weft_status read_chunk(const weft_checkpoint_file *file, const weft_chunk *chunk,
                              void **data, weft_error *err)
{
    if (chunk->offset > file->length || chunk->bytes > file->length - chunk->offset)
        return weft_fail(err, WEFT_BAD_INPUT, "%s: became shorter after it was opened", file->path);
    WEFT_TRY(read_piece(file, chunk->offset, chunk->bytes, data, err));
    uint32_t found = weft_crc32c(0, *data, (size_t)chunk->bytes);
    if (found == chunk->crc)
        return WEFT_OK;
    free(*data);
    *data = NULL;
    return weft_fail(err, WEFT_BAD_INPUT,
                     "%s: chunk of box %" PRIu32 " is damaged (checksum %08" PRIx32
                     ", expected %08" PRIx32 ")",
                     file->path, chunk->box, found, chunk->crc);
}

weft_status weft_checkpoint_read(const weft_checkpoint *checkpoint, size_t chunk, void **data,
                                 weft_error *err)
{
    assert(chunk < checkpoint->n_chunks);
    *data = NULL;
    weft_checkpoint_file file;
    weft_checkpoint_part_name name = weft_checkpoint_part_name_of(checkpoint->chunks[chunk].part);
    WEFT_TRY(
        weft_file_open(checkpoint->folder, checkpoint->generation, false, name.text, &file, err));
    weft_status status = read_chunk(&file, &checkpoint->chunks[chunk], data, err);
    weft_file_close(&file);
    return status;
}

void weft_checkpoint_close(weft_checkpoint *checkpoint)
{
    if (!checkpoint)
        return;
    free(checkpoint->chunks);
    free(checkpoint->head);
    free(checkpoint);
}
