/* SPDX-License-Identifier: Apache-2.0 */
/* What random scenarios have found, and was mended: every file of tests/data/scenarios/found, tried
 * as a random one. */
#include "random/trial.h"

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *const ends[TRIAL_ENDS] = {"ran", "refused", "deadlocked as foretold", "finding"};

static bool try_one(const char *file, const char *folder)
{
    trial it = {.file = file, .folder = folder, .blocks = 5, .threads = 2, .stop = 0x5bd1e995};
    const char *slash = strrchr(file, '/');
    weft_text said;
    weft_text_init(&said);
    trial_end end = trial_apart(&it, &said);
    printf("%s: %s\n%s", slash ? slash + 1 : file, ends[end],
           end == TRIAL_RAN || !said.at ? "" : said.at);
    weft_text_done(&said);
    return end == TRIAL_RAN;
}

int main(void)
{
    char folder[] = "/dev/shm/weft-found-XXXXXX";
    glob_t files;
    size_t good = 0;
    if (!mkdtemp(folder) || glob(WEFT_TEST_DATA "/scenarios/found/*.yaml", 0, NULL, &files) != 0)
        return 2;
    for (size_t i = 0; i < files.gl_pathc; i++)
        good += try_one(files.gl_pathv[i], folder);
    bool all = good == files.gl_pathc && good > 0;
    globfree(&files);
    char *remove = weft_text_format("rm -rf %s", folder);
    int left = system(remove);
    free(remove);
    return !all || left != 0;
}
