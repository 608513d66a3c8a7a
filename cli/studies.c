/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/studies.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool weft_studies_is_folder(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

/* Where the program stands; "" if that cannot be known. */
static void program_folder(char folder[PATH_MAX])
{
    ssize_t length = readlink("/proc/self/exe", folder, PATH_MAX - 1);
    folder[length > 0 ? length : 0] = '\0';
    char *slash = strrchr(folder, '/');
    if (slash)
        *slash = '\0';
    else
        folder[0] = '\0';
}

/* The studies of the sources that a build tree was made from: its cache names them. */
static bool find_in_sources(const char *build, char folder[PATH_MAX])
{
    static const char label[] = "CMAKE_HOME_DIRECTORY:INTERNAL=";
    char path[PATH_MAX + 20], line[PATH_MAX + sizeof label];
    bool found = false;
    (void)snprintf(path, sizeof path, "%s/CMakeCache.txt", build);
    FILE *cache = fopen(path, "r");
    while (cache && !found && fgets(line, sizeof line, cache))
        if (strncmp(line, label, sizeof label - 1) == 0) {
            line[strcspn(line, "\n")] = '\0';
            (void)snprintf(folder, PATH_MAX, "%.4000s/studies", line + sizeof label - 1);
            found = weft_studies_is_folder(folder);
        }
    if (cache)
        (void)fclose(cache);
    return found;
}

weft_status weft_studies_find(char folder[PATH_MAX], weft_error *err)
{
    char program[PATH_MAX];
    (void)snprintf(folder, PATH_MAX, "studies");
    if (weft_studies_is_folder(folder))
        return WEFT_OK;
    program_folder(program);
    (void)snprintf(folder, PATH_MAX, "%.4000s/../share/interweft/studies", program);
    if (weft_studies_is_folder(folder))
        return WEFT_OK;
    if (find_in_sources(program, folder))
        return WEFT_OK;
    return weft_fail(err, WEFT_BAD_INPUT,
                     "there are no studies: neither ./studies nor "
                     "%.2000s/../share/interweft/studies is a folder",
                     program);
}
