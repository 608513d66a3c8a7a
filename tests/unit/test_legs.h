/* SPDX-License-Identifier: Apache-2.0 */
/* A run in legs: each is asked to stop after some sampling times, writes a checkpoint, and the next
 * one goes on from there, on other blocks and threads. Between legs a checkpoint can be written
 * again with other contents and right checksums. */
#ifndef WEFT_TEST_LEGS_H
#define WEFT_TEST_LEGS_H

#include "base/pack.h"
#include "kernel/checkpoint.h"
#include "sim/simulation.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

typedef struct leg { /* one part of a run */
    unsigned threads;
    uint32_t blocks;
    int wishes; /* sampling times after which it is asked to stop; 0: to the end */
    char notice[4096];
} leg;

static inline weft_request leg_request(void *user)
{
    leg *it = user;
    return it->wishes > 0 && --it->wishes == 0 ? WEFT_REQUEST_STOP : WEFT_REQUEST_NONE;
}

static inline void leg_notice(void *user, const char *text)
{
    leg *it = user;
    (void)snprintf(it->notice, sizeof it->notice, "%s", text);
}

/* Adds what a run measured to some bytes. */
typedef void (*leg_digest)(const weft_simulation *simulation, weft_pack *pack);

/* One leg; the status of the run. digest NULL: nobody asks what was measured. */
static inline weft_status leg_run(const weft_network *network, const char *folder, leg *it,
                                  weft_ending *ending, leg_digest digest, weft_pack *pack)
{
    weft_simulation *simulation;
    weft_error err;
    weft_simulation_options options = {.blocks = it->blocks,
                                       .threads = it->threads,
                                       .request = leg_request,
                                       .folder = folder,
                                       .notice = leg_notice,
                                       .user = it};
    assert_int_equal(weft_simulation_create(network, &options, &simulation, &err), WEFT_OK);
    weft_status status = weft_simulation_run(simulation, ending, &err);
    if (digest)
        digest(simulation, pack);
    weft_simulation_destroy(simulation);
    return status;
}

static inline char *leg_folder(char path[64])
{
    (void)strcpy(path, "/tmp/weft-test-XXXXXX"); /* NOLINT: it fits */
    assert_non_null(mkdtemp(path));
    (void)strcat(path, "/point"); /* NOLINT */
    return path;
}

static inline void leg_folder_remove(char path[64])
{
    weft_checkpoint_remove(path);
    *strrchr(path, '/') = '\0';
    (void)rmdir(path);
}

/* Changes one of the pieces of a checkpoint, the last of which is its head; it may become
 * shorter. */
typedef void (*leg_edit)(void *user, size_t piece, size_t pieces, unsigned char *data,
                         size_t *bytes);

/* Writes generation `from` again as a new one. */
static inline void leg_rewrite(const char *folder, uint64_t from, leg_edit edit, void *user)
{
    weft_checkpoint *old;
    weft_checkpoint_part *part;
    uint64_t generation;
    weft_error err;
    assert_int_equal(weft_checkpoint_open(folder, from, &old, &err), WEFT_OK);
    assert_int_equal(weft_checkpoint_begin(folder, &generation, &err), WEFT_OK);
    assert_int_equal(weft_checkpoint_part_open(folder, generation, 0, &part, &err), WEFT_OK);
    size_t pieces = old->n_chunks + 1, head = old->head_bytes;
    for (size_t c = 0; c < old->n_chunks; c++) {
        void *data;
        size_t bytes = old->chunks[c].bytes;
        assert_int_equal(weft_checkpoint_read(old, c, &data, &err), WEFT_OK);
        edit(user, c, pieces, data, &bytes);
        assert_int_equal(weft_checkpoint_part_add(part, old->chunks[c].box, 1, data, bytes, &err),
                         WEFT_OK);
        free(data);
    }
    edit(user, pieces - 1, pieces, old->head, &head);
    assert_int_equal(weft_checkpoint_part_close(part, &err), WEFT_OK);
    assert_int_equal(weft_checkpoint_commit(folder, generation, 1, old->head, head, &err), WEFT_OK);
    weft_checkpoint_close(old);
}

#endif
