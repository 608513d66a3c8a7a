/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as the manifest and the part of a checkpoint: opening it and reading its chunks never
 * crashes, never takes more memory than the files are long, and always ends.
 *
 * The first byte says how long the manifest is (in quarters of the rest) and which checksums are
 * mended, so that the fuzzer need not find them; the rest is the two files. */
#include "fuzz_file.h"

#include "base/crc32c.h"
#include "base/pack.h"
#include "kernel/checkpoint.h"
#include "kernel/checkpoint_file.h"

#define MEND_HEADERS 1u
#define MEND_INDEX   2u
#define MEND_REST    4u

static void mend(unsigned char *from, size_t bytes)
{
    weft_put_u32(from + bytes, weft_crc32c(0, from, bytes));
}

/* Where the index of a part of these bytes would start; the length if there is no room. */
static size_t index_start(const unsigned char *part, size_t size)
{
    uint64_t chunks = weft_get_u64(part + size - 16);
    size_t room = size - WEFT_PART_HEADER - WEFT_PART_TRAILER;
    return chunks <= room / WEFT_PART_ENTRY
               ? size - WEFT_PART_TRAILER - (size_t)chunks * WEFT_PART_ENTRY
               : size;
}

static void mend_part(unsigned char *part, size_t size, unsigned what)
{
    if (size < WEFT_PART_HEADER + WEFT_PART_TRAILER)
        return;
    if (what & MEND_HEADERS) {
        memcpy(part, WEFT_PART_MAGIC "\1\0\0\0\0\0\0\0\1\0\0\0\0\0\0", 24);
        mend(part, WEFT_PART_HEADER - WEFT_CRC_BYTES);
    }
    size_t index = index_start(part, size), trailer = size - WEFT_PART_TRAILER;
    if (what & MEND_INDEX && index <= trailer) {
        weft_put_u64(part + trailer, index);
        weft_put_u32(part + trailer + 16, weft_crc32c(0, part + index, trailer - index));
    }
    if (what & MEND_REST)
        mend(part + trailer, WEFT_PART_TRAILER - WEFT_CRC_BYTES);
}

static void mend_manifest(unsigned char *manifest, size_t size, const unsigned char *part,
                          size_t part_size, unsigned what)
{
    if (size < WEFT_MANIFEST_HEADER + WEFT_MANIFEST_PART + WEFT_CRC_BYTES)
        return;
    if (what & MEND_HEADERS)
        memcpy(manifest, WEFT_MANIFEST_MAGIC "\1\0\0\0\1\0\0\0\1\0\0\0\0\0\0", 24);
    if (what & MEND_INDEX && part_size >= WEFT_PART_TRAILER) {
        weft_put_u64(manifest + 24,
                     size - WEFT_MANIFEST_HEADER - WEFT_MANIFEST_PART - WEFT_CRC_BYTES);
        weft_put_u64(manifest + WEFT_MANIFEST_HEADER, part_size);
        memcpy(manifest + WEFT_MANIFEST_HEADER + 8, part + part_size - 8, 4);
    }
    if (what & MEND_REST)
        mend(manifest, size - WEFT_CRC_BYTES);
}

/* Every chunk that reads is inside its part and has its checksum. */
static void read_all(const weft_checkpoint *checkpoint, size_t part_size)
{
    weft_error err;
    if (checkpoint->n_chunks > part_size / WEFT_PART_ENTRY)
        abort();
    for (size_t i = 0; i < checkpoint->n_chunks; i++) {
        const weft_chunk *chunk = &checkpoint->chunks[i];
        void *data;
        if (chunk->offset > part_size || chunk->bytes > part_size - chunk->offset)
            abort();
        if (weft_checkpoint_read(checkpoint, i, &data, &err) == WEFT_OK &&
            weft_crc32c(0, data, (size_t)chunk->bytes) != chunk->crc)
            abort();
        free(data);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 1)
        return 0;
    unsigned what = data[0] >> 2;
    size_t rest = size - 1, first = rest / 4 * (data[0] & 3u), second = rest - first;
    unsigned char *bytes = malloc(rest + 1);
    if (!bytes)
        abort();
    memcpy(bytes, data + 1, rest);
    mend_part(bytes + first, second, what);
    mend_manifest(bytes, first, bytes + first, second, what);
    char inside[300];
    (void)snprintf(inside, sizeof inside, "%s/1", fuzz_folder());
    (void)mkdir(inside, 0700);
    (void)fuzz_file("1/" WEFT_MANIFEST, bytes, first);
    (void)fuzz_file("1/part-00000", bytes + first, second);
    free(bytes);
    weft_checkpoint *checkpoint;
    weft_error err;
    if (weft_checkpoint_open(fuzz_folder(), 1, &checkpoint, &err) == WEFT_OK)
        read_all(checkpoint, second);
    weft_checkpoint_close(checkpoint);
    return 0;
}
