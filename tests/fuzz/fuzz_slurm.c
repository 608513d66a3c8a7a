/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as the record of a job in a folder <results>.slurm, and as a time as Slurm writes it:
 * none crashes. WEFT_READER=slurm-record or slurm-time gives them to one reader alone. */
#include "fuzz_file.h"
#include "slurm/partition.h"
#include "slurm/record.h"

static void read_record(const uint8_t *data, size_t size)
{
    weft_slurm_record record;
    weft_error err;
    bool there;
    (void)fuzz_file("job", data, size);
    if (weft_slurm_record_read(fuzz_folder(), &record, &there, &err) == WEFT_OK) {
        if (!there || record.n_tasks == 0 || record.n_tasks > WEFT_SLURM_TASKS_MOST ||
            !weft_slurm_is_job(record.job))
            abort();
        for (size_t t = 0; t < record.n_tasks; t++)
            if (!(record.tasks[t].seconds >= 0) || record.tasks[t].n_points == 0)
                abort();
        weft_slurm_record_done(&record);
    }
}

static void read_time(const uint8_t *data, size_t size)
{
    double seconds = 0;
    char *words[2];
    (void)fuzz_words(data, size, words, 1);
    if (weft_slurm_time(words[0], &seconds) && !(seconds >= 0 && seconds <= 1e12))
        abort();
    free(words[0]);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (fuzz_wants("slurm-record"))
        read_record(data, size);
    if (fuzz_wants("slurm-time"))
        read_time(data, size);
    return 0;
}
