/* SPDX-License-Identifier: Apache-2.0 */
#include "slurm/partition.h"

#include "base/digits.h"
#include "slurm/ask.h"

#include <stdlib.h>
#include <string.h>

#define LONGEST 1e12 /* seconds; longer ones are no limit */

bool weft_slurm_time(const char *text, double *seconds)
{
    double days = 0, parts[3];
    int count = 0;
    char *end;
    if (strspn(text, "0123456789:-") != strlen(text) || !*text)
        return false;
    const char *dash = strchr(text, '-');
    if (dash) {
        days = weft_digits_read(text, &end);
        if (end != dash)
            return false;
        text = dash + 1;
    }
    do {
        parts[count++] = weft_digits_read(text, &end);
        if (end == text || (*end && *end != ':'))
            return false;
        text = end + 1;
    } while (*end && count < 3);
    if (*end)
        return false;
    *seconds = 86400 * days;
    if (dash) /* days-hours:minutes:seconds, cut anywhere */
        *seconds += parts[0] * 3600 + (count > 1 ? parts[1] * 60 : 0) + (count > 2 ? parts[2] : 0);
    else if (count == 3)
        *seconds += parts[0] * 3600 + parts[1] * 60 + parts[2];
    else /* minutes, or minutes:seconds */
        *seconds += parts[0] * 60 + (count == 2 ? parts[1] : 0);
    return *seconds > 0 && *seconds < LONGEST;
}

/* "night*|1-00:00:00", where * marks the default: is it the partition that is meant? */
static bool is_meant(const char *line, size_t length, const char *partition)
{
    bool fallback = length > 0 && line[length - 1] == '*';
    size_t name = length - fallback;
    return partition ? strlen(partition) == name && memcmp(line, partition, name) == 0 : fallback;
}

bool weft_slurm_limit(const char *partition, double *seconds)
{
    const char *words[] = {"sinfo", "-h", "-o", "%P|%l", NULL};
    char *answer, *rest = NULL;
    weft_error ignored;
    int ended;
    bool known = false;
    if (weft_slurm_ask(words, &ended, &answer, &ignored) != WEFT_OK)
        return false;
    for (char *line = strtok_r(answer, "\n", &rest); ended == 0 && line && !known;
         line = strtok_r(NULL, "\n", &rest)) {
        const char *bar = strchr(line, '|');
        known = bar && is_meant(line, (size_t)(bar - line), partition) &&
                weft_slurm_time(bar + 1, seconds);
    }
    free(answer);
    return known;
}
