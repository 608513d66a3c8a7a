/* SPDX-License-Identifier: Apache-2.0 */
/* A quota holds for a group and all groups inside it, so the least one on the way up counts. In a
 * container the path of a group may be the host's, and only the mounted root is there. */
#include "base/cores.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define PATH_CHARS 4096

/* The first word of a file as a number; −1: there is none, or no number. */
static double read_number(const char *folder, const char *name, double *second)
{
    char path[PATH_CHARS + 64];
    double first = -1;
    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "r");
    if (!file)
        return -1;
    int found = fscanf(file, "%lf %lf", &first, second);
    (void)fclose(file);
    return found >= 1 ? first : -1;
}

/* Cores of one group; 0: no quota. */
static double quota_of(const char *folder)
{
    double period = 0, none = 0, quota = read_number(folder, "cpu.max", &period);
    if (quota < 0) {
        quota = read_number(folder, "cpu.cfs_quota_us", &none);
        period = read_number(folder, "cpu.cfs_period_us", &none);
    }
    return quota > 0 && period > 0 ? quota / period : 0;
}

static double least(double one, double other)
{
    return one == 0 || (other > 0 && other < one) ? other : one;
}

/* From the group at root/path up to the root. */
static double quota_above(const char *root, const char *path)
{
    char folder[PATH_CHARS];
    double cores = 0;
    int length = snprintf(folder, sizeof folder, "%s%s", root, path);
    if (length < 0 || (size_t)length >= sizeof folder)
        return 0;
    for (;;) {
        cores = least(cores, quota_of(folder));
        char *slash = strrchr(folder, '/');
        if (strlen(folder) <= strlen(root) || !slash)
            return cores;
        *slash = '\0';
    }
}

/* "cpu" among "cpu,cpuacct"? */
static bool has_cpu(const char *controllers)
{
    const char *at = strstr(controllers, "cpu");
    while (at && !((at == controllers || at[-1] == ',') && (at[3] == ',' || at[3] == '\0')))
        at = strstr(at + 1, "cpu");
    return at != NULL;
}

/* Of a line "0::/path" (v2) or "4:cpu,cpuacct:/path" (v1). */
static double quota_of_line(char *line, const char *root)
{
    char mount[PATH_CHARS];
    char *controllers = strchr(line, ':'),
         *path = controllers ? strchr(controllers + 1, ':') : NULL;
    if (!path)
        return 0;
    *path++ = '\0';
    controllers++;
    path[strcspn(path, "\n")] = '\0';
    if (!*controllers)
        return quota_above(root, path);
    if (!has_cpu(controllers))
        return 0;
    (void)snprintf(mount, sizeof mount, "%s/cpu", root);
    return quota_above(mount, path);
}

unsigned weft_cores_quota(const char *groups, const char *root)
{
    char line[PATH_CHARS];
    double cores = 0;
    FILE *file = fopen(groups, "r");
    if (!file)
        return 0;
    while (fgets(line, sizeof line, file))
        cores = least(cores, quota_of_line(line, root));
    (void)fclose(file);
    unsigned whole = cores < 65536 ? (unsigned)cores : 65536;
    return whole + (cores > whole);
}
