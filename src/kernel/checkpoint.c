/* SPDX-License-Identifier: Apache-2.0 */
/* Writing a checkpoint: parts, then the manifest that makes one of them. checkpoint_file.h has the
 * layout. Small chunks are gathered into pieces of a mebibyte, large ones go to the file as they
 * are. A writer that failed once keeps its message and does nothing more. */
#include "kernel/checkpoint.h"

#include "base/crc32c.h"
#include "base/memory.h"
#include "base/pack.h"
#include "kernel/checkpoint_file.h"
#include "kernel/checkpoint_folder.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define PIECE ((size_t)1 << 20)

struct weft_checkpoint_part {
    weft_checkpoint_file file;
    char *folder; /* `<generation>.new` */
    unsigned char *piece;
    size_t held; /* bytes in the piece */
    weft_pack index;
    uint64_t chunks, chunk_bytes;
    weft_status status; /* of the first failure, with what it said */
    weft_error said;
};

/* ---- a part ---- */

static weft_status flush(weft_checkpoint_part *writer)
{
    size_t bytes = writer->held;
    writer->held = 0;
    return weft_file_write(&writer->file, writer->piece, bytes, &writer->said);
}

static weft_status put(weft_checkpoint_part *writer, const void *data, size_t bytes)
{
    if (bytes > PIECE - writer->held)
        WEFT_TRY(flush(writer));
    if (bytes > PIECE)
        return weft_file_write(&writer->file, data, bytes, &writer->said);
    if (bytes > 0)
        memcpy(writer->piece + writer->held, data, bytes);
    writer->held += bytes;
    return WEFT_OK;
}

static void pack_crc(weft_pack *pack)
{
    weft_pack_u32(pack, weft_crc32c(0, pack->data, pack->count));
}

static weft_status put_header(weft_checkpoint_part *writer, uint64_t generation, uint32_t part)
{
    weft_pack header = {0};
    weft_pack_bytes(&header, WEFT_PART_MAGIC, WEFT_MAGIC_BYTES);
    weft_pack_u32(&header, WEFT_CHECKPOINT_FORMAT);
    weft_pack_u32(&header, part);
    weft_pack_u64(&header, generation);
    pack_crc(&header);
    assert(header.count == WEFT_PART_HEADER);
    weft_status status = put(writer, header.data, header.count);
    weft_pack_done(&header);
    return status;
}

static weft_status put_index(weft_checkpoint_part *writer)
{
    weft_pack trailer = {0};
    assert(writer->index.count == writer->chunks * WEFT_PART_ENTRY);
    weft_pack_u64(&trailer, WEFT_PART_HEADER + writer->chunk_bytes);
    weft_pack_u64(&trailer, writer->chunks);
    weft_pack_u32(&trailer, weft_crc32c(0, writer->index.data, writer->index.count));
    pack_crc(&trailer);
    assert(trailer.count == WEFT_PART_TRAILER);
    weft_status status = put(writer, writer->index.data, writer->index.count);
    if (status == WEFT_OK)
        status = put(writer, trailer.data, trailer.count);
    weft_pack_done(&trailer);
    return status == WEFT_OK ? flush(writer) : status;
}

static weft_status repeat(const weft_checkpoint_part *writer, weft_error *err)
{
    return writer->status == WEFT_OK ? WEFT_OK
                                     : weft_fail(err, writer->status, "%s", writer->said.text);
}

weft_status weft_checkpoint_part_open(const char *folder, uint64_t generation, uint32_t part,
                                      weft_checkpoint_part **writer, weft_error *err)
{
    *writer = NULL;
    weft_checkpoint_file file;
    weft_checkpoint_part_name name = weft_checkpoint_part_name_of(part);
    WEFT_TRY(weft_file_create(folder, generation, name.text, &file, err));
    weft_checkpoint_part *made = weft_alloc(sizeof *made);
    made->file = file;
    made->folder = weft_checkpoint_path(folder, generation, true);
    made->piece = weft_alloc(PIECE);
    made->status = put_header(made, generation, part);
    assert(made->status == WEFT_OK); /* nothing has gone to the file yet */
    *writer = made;
    return WEFT_OK;
}

weft_status weft_checkpoint_part_add(weft_checkpoint_part *writer, uint32_t box, int64_t cost,
                                     const void *data, size_t bytes, weft_error *err)
{
    assert(data || bytes == 0);
    if (writer->status == WEFT_OK) {
        weft_pack_u32(&writer->index, box);
        weft_pack_u32(&writer->index, weft_crc32c(0, data, bytes));
        weft_pack_u64(&writer->index, bytes);
        weft_pack_i64(&writer->index, cost);
        writer->chunks++;
        writer->chunk_bytes += bytes;
        writer->status = put(writer, data, bytes);
    }
    return repeat(writer, err);
}

weft_status weft_checkpoint_part_close(weft_checkpoint_part *writer, weft_error *err)
{
    assert(writer);
    if (writer->status == WEFT_OK)
        writer->status = put_index(writer);
    bool failed = writer->status != WEFT_OK;
    weft_status finish = weft_file_finish(&writer->file, failed ? NULL : &writer->said);
    if (!failed)
        writer->status = finish;
    if (writer->status == WEFT_OK)
        writer->status = weft_folder_sync(writer->folder, &writer->said);
    weft_status status = repeat(writer, err);
    free(writer->folder);
    free(writer->piece);
    weft_pack_done(&writer->index);
    free(writer);
    return status;
}

/* ---- the manifest ---- */

/* What is in the files, not what was meant to be: another process wrote most of them. */
static weft_status pack_part(weft_pack *manifest, const char *folder, uint64_t generation,
                             uint32_t part, weft_error *err)
{
    weft_checkpoint_file file;
    weft_checkpoint_part_end end;
    weft_checkpoint_part_name name = weft_checkpoint_part_name_of(part);
    WEFT_TRY(weft_file_open(folder, generation, true, name.text, &file, err));
    weft_status status = weft_checkpoint_part_look(&file, generation, part, &end, err);
    if (status == WEFT_OK) {
        weft_pack_u64(manifest, file.length);
        weft_pack_u32(manifest, end.index_crc);
    }
    weft_file_close(&file);
    return status;
}

static weft_status write_manifest(const char *folder, uint64_t generation,
                                  const weft_pack *manifest, weft_error *err)
{
    weft_checkpoint_file file;
    WEFT_TRY(weft_file_create(folder, generation, WEFT_MANIFEST, &file, err));
    weft_status status = weft_file_write(&file, manifest->data, manifest->count, err);
    weft_status finish = weft_file_finish(&file, status == WEFT_OK ? err : NULL);
    return status == WEFT_OK ? finish : status;
}

weft_status weft_checkpoint_commit(const char *folder, uint64_t generation, uint32_t parts,
                                   const void *head, size_t bytes, weft_error *err)
{
    weft_pack manifest = {0};
    weft_pack_bytes(&manifest, WEFT_MANIFEST_MAGIC, WEFT_MAGIC_BYTES);
    weft_pack_u32(&manifest, WEFT_CHECKPOINT_FORMAT);
    weft_pack_u32(&manifest, parts);
    weft_pack_u64(&manifest, generation);
    weft_pack_u64(&manifest, bytes);
    assert(manifest.count == WEFT_MANIFEST_HEADER);
    weft_status status = WEFT_OK;
    for (uint32_t i = 0; i < parts && status == WEFT_OK; i++)
        status = pack_part(&manifest, folder, generation, i, err);
    if (status == WEFT_OK) {
        weft_pack_bytes(&manifest, head, bytes);
        pack_crc(&manifest);
        status = write_manifest(folder, generation, &manifest, err);
    }
    weft_pack_done(&manifest);
    if (status == WEFT_OK)
        status = weft_folder_publish(folder, generation, err);
    if (status == WEFT_OK)
        weft_folder_prune(folder);
    else
        weft_checkpoint_abandon(folder, generation);
    return status == WEFT_OK ? WEFT_OK : WEFT_STOPPED;
}
