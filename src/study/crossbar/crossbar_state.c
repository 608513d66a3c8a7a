/* SPDX-License-Identifier: Apache-2.0 */
/* What a search has found so far, all of it in one small file that is replaced as a whole: which
 * parts are done, and per point the spread of all of them. */
#include "study/crossbar/crossbar.h"

#include "base/crc32c.h"
#include "base/file.h"
#include "base/memory.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MAGIC     0x77656674786c6232u /* "weftxlb2" */
#define STATE_MAX ((size_t)1 << 30)

weft_status weft_crossbar_search_state_write(const weft_crossbar_search_state *state,
                                             const char *path, weft_error *err)
{
    weft_pack pack = {0};
    weft_pack_u64(&pack, MAGIC);
    weft_pack_u64(&pack, state->identity);
    for (size_t i = 0; i < state->points; i++) {
        weft_pack_u32(&pack, state->spread[i].rows != NULL);
        if (!state->spread[i].rows)
            continue;
        weft_pack_bytes(&pack, state->done[i], state->parts[i]);
        weft_xbar_spread_pack(&state->spread[i], &pack);
    }
    weft_pack_u32(&pack, weft_crc32c(0, pack.data, pack.count));
    weft_status status = weft_bytes_write(path, pack.data, pack.count, err);
    weft_pack_done(&pack);
    return status;
}

/* Matrices of the parts that are done; 0: none is, or the marks are no marks. */
static uint64_t count_done(const weft_crossbar_search_state *state, size_t i)
{
    uint64_t matrices = 0;
    for (size_t k = 0; k < state->parts[i]; k++) {
        uint64_t rest = state->totals[i] - k * state->sizes[i];
        if (state->done[i][k] > 1)
            return 0;
        if (state->done[i][k])
            matrices += rest < state->sizes[i] ? rest : state->sizes[i];
    }
    return matrices;
}

/* Can this have been found in the parts that are done? */
static bool is_sound(const weft_crossbar_search_state *state, size_t i)
{
    const weft_xbar_spread *spread = &state->spread[i];
    uint64_t matrices = count_done(state, i), counted = 0;
    for (size_t r = 0; r < spread->room; r++) {
        if (spread->rows[r].count > matrices - counted)
            return false;
        counted += spread->rows[r].count;
    }
    for (uint32_t k = 0; k < spread->n_worst; k++)
        if (spread->worst[k].index >= state->totals[i])
            return false;
    return matrices > 0 && spread->matrices == matrices && counted == matrices &&
           spread->unsettled <= matrices;
}

/* One point; false: these are not its bytes. */
static bool read_point(weft_crossbar_search_state *state, size_t i, weft_unpack *in)
{
    if (!weft_unpack_u32(in))
        return !in->failed;
    const uint8_t *done = weft_unpack_bytes(in, state->parts[i]);
    if (!done)
        return false;
    memcpy(state->done[i], done, state->parts[i]);
    return weft_xbar_spread_unpack(&state->spread[i], in) && state->spread[i].n == state->side[i] &&
           state->spread[i].keep == state->keep[i] && is_sound(state, i);
}

static bool read_points(weft_crossbar_search_state *state, const weft_bytes *bytes)
{
    if (bytes->count < 20)
        return false;
    size_t body = bytes->count - 4;
    weft_unpack in = weft_unpack_of(bytes->at, body), check = weft_unpack_of(bytes->at + body, 4);
    if (weft_unpack_u32(&check) != weft_crc32c(0, bytes->at, body) ||
        weft_unpack_u64(&in) != MAGIC || weft_unpack_u64(&in) != state->identity)
        return false;
    for (size_t i = 0; i < state->points; i++)
        if (!read_point(state, i, &in))
            return false;
    return weft_unpack_end(&in);
}

weft_status weft_crossbar_search_state_read(weft_crossbar_search_state *state, const char *path,
                                            weft_error *err)
{
    weft_bytes bytes;
    if (access(path, F_OK) != 0 && errno == ENOENT)
        return WEFT_OK;
    WEFT_TRY(weft_bytes_read(path, STATE_MAX, "an unfinished search", &bytes, err));
    bool fine = read_points(state, &bytes);
    free(bytes.at);
    for (size_t i = 0; !fine && i < state->points;
         i++) { /* of another search, or damaged: not used */
        memset(state->done[i], 0, state->parts[i]);
        weft_xbar_spread_done(&state->spread[i]);
        state->spread[i] = (weft_xbar_spread){.n = 0};
    }
    return WEFT_OK;
}
