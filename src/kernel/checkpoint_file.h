/* SPDX-License-Identifier: Apache-2.0 */
/* One file of a checkpoint: its layout, its name, and bytes in and out of it with messages for
 * people. For checkpoint*.c only.
 *
 * Numbers are little endian. A part is
 *     header    magic "WEFTPART", u32 format, u32 part, u64 generation, u32 CRC of these
 *     chunks    back to back, in the order of the index
 *     index     per chunk u32 box, u32 CRC of the chunk, u64 bytes, i64 cost
 *     trailer   u64 where the index starts, u64 chunks, u32 CRC of the index, u32 CRC of these
 * and the manifest
 *     header    magic "WEFTHEAD", u32 format, u32 parts, u64 generation, u64 bytes of the head
 *     parts     per part u64 its length, u32 CRC of its index
 *     head      the caller's bytes
 *     CRC       u32, of all before it
 * so that every byte of either has a checksum, and lengths that occur twice are compared. */
#ifndef WEFT_KERNEL_CHECKPOINT_FILE_H
#define WEFT_KERNEL_CHECKPOINT_FILE_H

#include "interweft/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define WEFT_CHECKPOINT_FORMAT 1u
#define WEFT_MAGIC_BYTES       8u
#define WEFT_PART_MAGIC        "WEFTPART"
#define WEFT_PART_HEADER       28u
#define WEFT_PART_ENTRY        24u
#define WEFT_PART_TRAILER      24u
#define WEFT_MANIFEST          "manifest"
#define WEFT_MANIFEST_MAGIC    "WEFTHEAD"
#define WEFT_MANIFEST_HEADER   32u
#define WEFT_MANIFEST_PART     12u
#define WEFT_CRC_BYTES         4u

typedef struct weft_checkpoint_part_name {
    char text[16];
} weft_checkpoint_part_name;
weft_checkpoint_part_name weft_checkpoint_part_name_of(uint32_t part); /* part-00000 */

/* `<folder>/<generation>`, with `.new` if it is not yet committed; to be freed. */
char *weft_checkpoint_path(const char *folder, uint64_t generation, bool fresh);

typedef struct weft_checkpoint_file {
    char *path; /* owned */
    int fd;
    uint64_t length; /* when reading: of the file; when writing: so far */
} weft_checkpoint_file;

/* Creates the file `name` in `<generation>.new`. On failure there is nothing to close. */
WEFT_MUST_USE weft_status weft_file_create(const char *folder, uint64_t generation,
                                           const char *name, weft_checkpoint_file *file,
                                           weft_error *err);
WEFT_MUST_USE weft_status weft_file_write(weft_checkpoint_file *file, const void *data,
                                          size_t bytes, weft_error *err);
/* Brings the file to the disk and closes it in any case. */
WEFT_MUST_USE weft_status weft_file_finish(weft_checkpoint_file *file, weft_error *err);
/* Brings a folder's entries to the disk. */
WEFT_MUST_USE weft_status weft_folder_sync(const char *path, weft_error *err);

/* Opens a file for reading: a regular one, no symbolic link, in a folder that is none. On failure
 * there is nothing to close. */
WEFT_MUST_USE weft_status weft_file_open(const char *folder, uint64_t generation, bool fresh,
                                         const char *name, weft_checkpoint_file *file,
                                         weft_error *err);
/* All these bytes; `bytes` was compared with the file's length. */
WEFT_MUST_USE weft_status weft_file_read(const weft_checkpoint_file *file, uint64_t offset,
                                         void *data, size_t bytes, weft_error *err);
void weft_file_close(weft_checkpoint_file *file);
/* Checks magic and format at the start of a file; what: "part of a checkpoint". */
WEFT_MUST_USE weft_status weft_file_recognise(const weft_checkpoint_file *file,
                                              const unsigned char *header, const char *magic,
                                              const char *what, weft_error *err);

/* The trailer of a part, checked against the length of the file. */
typedef struct weft_checkpoint_part_end {
    uint64_t index_at, chunks;
    uint32_t index_crc;
} weft_checkpoint_part_end;

/* Reads and checks header and trailer. */
WEFT_MUST_USE weft_status weft_checkpoint_part_look(const weft_checkpoint_file *file,
                                                    uint64_t generation, uint32_t part,
                                                    weft_checkpoint_part_end *end, weft_error *err);

#endif
