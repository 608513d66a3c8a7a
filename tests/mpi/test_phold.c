/* SPDX-License-Identifier: Apache-2.0 */
/* PHOLD on the ranks and threads it is given: prints one number for what all entities have seen,
 * and fails if sending it between ranks took neither time nor bytes.
 *
 *     test_phold ENTITIES BLOCKS THREADS UNTIL */
#include "unit/phold.h"

#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    weft_error err;
    weft_comm *comm;
    if (argc != 5 || weft_comm_open(false, &comm, &err) != WEFT_OK) {
        (void)fprintf(stderr, "%s\n", argc == 5 ? err.text : "four arguments are needed");
        return 2;
    }
    uint32_t entities = (uint32_t)strtoul(argv[1], NULL, 10);
    uint32_t blocks = (uint32_t)strtoul(argv[2], NULL, 10), size[64];
    weft_time until = strtoll(argv[4], NULL, 10);
    for (uint32_t b = 0; b < blocks; b++) /* unequal */
        size[b] =
            (b + 1) * (b + 1) * entities / (blocks * blocks) - b * b * entities / (blocks * blocks);
    phold *model = phold_open(&(phold_plan){.blocks = blocks,
                                            .size = size,
                                            .seed = 2026,
                                            .threads = (unsigned)strtoul(argv[3], NULL, 10),
                                            .comm = comm->size > 1 ? comm : NULL,
                                            .timed = true});
    for (weft_time stop = 333; stop < until; stop += 777)
        weft_engine_run(model->engine, stop); /* where a run pauses makes no difference */
    weft_engine_run(model->engine, until);
    weft_engine_times times = weft_engine_timing(model->engine);
    bool sent = times.sent_bytes > 0 && times.sent_bytes < UINT64_C(1) << 40;
    int64_t bad = (sent && times.exchange_s > 0) != (comm->size > 1);
    int64_t sum = (int64_t)phold_checksum(model);
    comm->kind->sum(comm, &sum, 1);
    comm->kind->sum(comm, &bad, 1);
    if (comm->rank == 0)
        printf("%016llx\n", (unsigned long long)sum);
    if (comm->rank == 0 && bad != 0)
        (void)fprintf(stderr, "%u ranks, %llu bytes and %g s of exchange\n", comm->size,
                      (unsigned long long)times.sent_bytes, times.exchange_s);
    phold_destroy(model);
    weft_comm_close(comm);
    return bad != 0;
}
