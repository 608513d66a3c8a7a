/* SPDX-License-Identifier: Apache-2.0 */
/* A fabric file of any size: a mesh with forwarding tables, written row by row by a process of
 * its own, so that what reads it is all that the memory of this one tells. */
#ifndef WEFT_TEST_MESH_TABLES_H
#define WEFT_TEST_MESH_TABLES_H

#include "base/crc32c.h"
#include "base/pack.h"
#include "net/topology/common/weftnet.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

typedef struct mesh_tables {
    uint32_t size[3], homes;
    bool mixed; /* packets for every other destination take the dimensions in the opposite order */
} mesh_tables;

typedef struct mesh_file {
    FILE *to;
    uint32_t crc;
} mesh_file;

static inline uint32_t mesh_routers(const mesh_tables *mesh)
{
    return mesh->size[0] * mesh->size[1] * mesh->size[2];
}

static inline uint32_t mesh_coordinate(const mesh_tables *mesh, uint32_t router, int dim)
{
    return dim == 0   ? router % mesh->size[0]
           : dim == 1 ? router / mesh->size[0] % mesh->size[1]
                      : router / (mesh->size[0] * mesh->size[1]);
}

static inline bool mesh_put(mesh_file *file, const void *data, size_t bytes)
{
    file->crc = weft_crc32c(file->crc, data, bytes);
    return fwrite(data, 1, bytes, file->to) == bytes;
}

/* Everything but the tables, which come before the names; head: what is in front of them. */
static inline bool mesh_put_pack(mesh_file *file, weft_pack *pack)
{
    bool fine = mesh_put(file, pack->data, pack->count);
    weft_pack_done(pack);
    return fine;
}

static inline uint32_t mesh_stride(const mesh_tables *mesh, int dim)
{
    return dim == 0 ? 1 : dim == 1 ? mesh->size[0] : mesh->size[0] * mesh->size[1];
}

static inline bool mesh_put_head(mesh_file *file, const mesh_tables *mesh, uint64_t text)
{
    weft_pack pack = {0};
    uint32_t routers = mesh_routers(mesh), cables = 0;
    for (int d = 0; d < 3; d++)
        cables += routers / mesh->size[d] * (mesh->size[d] - 1);
    weft_pack_bytes(&pack, "WEFTNET\n", 8);
    const uint32_t numbers[] = {1, 2, routers, mesh->homes, 6, cables};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        weft_pack_u32(&pack, numbers[i]);
    weft_pack_u64(&pack, text);
    for (uint32_t h = 0; h < mesh->homes; h++)
        weft_pack_u32(&pack, 1);
    for (uint32_t r = 0; r < routers; r++)
        for (int d = 0; d < 3; d++)
            if (mesh_coordinate(mesh, r, d) + 1 < mesh->size[d]) { /* ports 2 d up, 2 d + 1 down */
                weft_pack_u32(&pack, r);
                weft_pack_u32(&pack, r + mesh_stride(mesh, d));
                weft_pack_u32(&pack, (uint32_t)(2 * d) | (uint32_t)(2 * d + 1) << 8);
                weft_pack_u32(&pack, 0);
            }
    return mesh_put_pack(file, &pack);
}

/* The port from a router to a destination. */
static inline uint8_t mesh_port(const mesh_tables *mesh, uint32_t router, uint32_t to)
{
    for (int i = 0; i < 3; i++) {
        int d = mesh->mixed && to % 2 ? 2 - i : i;
        uint32_t a = mesh_coordinate(mesh, router, d), b = mesh_coordinate(mesh, to, d);
        if (a != b)
            return (uint8_t)(2 * d + (a > b));
    }
    return WEFT_WEFTNET_NO_PORT;
}

static inline bool mesh_put_table(mesh_file *file, const mesh_tables *mesh)
{
    uint8_t *row = malloc(mesh->homes);
    bool fine = row != NULL;
    for (uint32_t r = 0; r < mesh_routers(mesh) && fine; r++) {
        for (uint32_t h = 0; h < mesh->homes; h++)
            row[h] = mesh_port(mesh, r, h);
        fine = mesh_put(file, row, mesh->homes);
    }
    free(row);
    return fine;
}

static inline bool mesh_put_names(mesh_file *file, const mesh_tables *mesh)
{
    bool fine = true;
    for (uint32_t r = 0; r < mesh_routers(mesh) && fine; r++) {
        char name[16];
        fine = mesh_put(file, name, (size_t)snprintf(name, sizeof name, "%08u", r) + 1);
    }
    return fine;
}

static inline bool mesh_write(const mesh_tables *mesh, const char *path)
{
    mesh_file file = {.to = fopen(path, "wb")};
    bool fine = file.to && mesh_put_head(&file, mesh, 9 * (uint64_t)mesh_routers(mesh)) &&
                mesh_put_table(&file, mesh) && mesh_put_names(&file, mesh);
    unsigned char crc[4];
    weft_put_u32(crc, file.crc);
    fine = fine && fwrite(crc, 1, sizeof crc, file.to) == sizeof crc;
    return file.to && fclose(file.to) == 0 && fine;
}

/* Writes it by another process; false: that failed. */
static inline bool mesh_write_apart(const mesh_tables *mesh, const char *path)
{
    int status = 1;
    pid_t child = fork();
    if (child == 0)
        _exit(mesh_write(mesh, path) ? 0 : 1);
    return child > 0 && waitpid(child, &status, 0) == child && status == 0;
}

#endif
