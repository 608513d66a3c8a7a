/* SPDX-License-Identifier: Apache-2.0 */
/* The functions of packing that are not worth inlining. A pack doubles its capacity, so a byte is
 * copied about once on average. */
#include "base/pack.h"

#include "base/memory.h"

#include <stdlib.h>

#define ROOM_FIRST 256

void weft_pack_grow(weft_pack *pack, size_t bytes)
{
    assert(pack->count <= pack->room);
    size_t need = bytes <= SIZE_MAX - pack->count ? pack->count + bytes : SIZE_MAX;
    size_t room = pack->room < ROOM_FIRST ? ROOM_FIRST : pack->room;
    while (room < need)
        room =
            room <= SIZE_MAX / 2 ? 2 * room : SIZE_MAX; /* which no machine has: the abort path */
    if (room > pack->room) {
        pack->data = weft_realloc(pack->data, room, 1);
        pack->room = room;
    }
}

void weft_pack_done(weft_pack *pack)
{
    free(pack->data);
    *pack = (weft_pack){0};
}

void weft_pack_bytes(weft_pack *pack, const void *data, size_t bytes)
{
    assert(data || bytes == 0);
    if (bytes > 0)
        memcpy(weft_pack_claim(pack, bytes), data, bytes);
}

void weft_pack_text(weft_pack *pack, const char *text)
{
    size_t length = strlen(text);
    assert(length <= UINT32_MAX);
    weft_pack_u32(pack, (uint32_t)length);
    weft_pack_bytes(pack, text, length);
}

const char *weft_unpack_text(weft_unpack *unpack, weft_arena *arena)
{
    uint32_t length = weft_unpack_u32(unpack);
    const char *text = weft_unpack_bytes(unpack, length);
    if (text && memchr(text, '\0', length))
        weft_unpack_fail(unpack);
    return text && !unpack->failed ? weft_arena_copy(arena, text, length) : "";
}
