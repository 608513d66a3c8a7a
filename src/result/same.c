/* SPDX-License-Identifier: Apache-2.0 */
/* Is it the scenario that a results file was begun with? Its text may end with lines that tell
 * the files it names, each with a checksum of what it held: "# file flows.csv crc32c 89abcdef". */
#include "result/store.h"

#include <string.h>

#define FILE_LINE "# file "

/* Where the lines of files begin. */
static const char *files_of(const char *text)
{
    const char *at = strncmp(text, FILE_LINE, strlen(FILE_LINE)) == 0 ? text : NULL;
    const char *line = at ? NULL : strstr(text, "\n" FILE_LINE);
    return at ? at : line ? line + 1 : text + strlen(text);
}

static bool has_line(const char *lines, const char *line, size_t length)
{
    for (; *lines; lines += strcspn(lines, "\n"), lines += *lines == '\n')
        if (strcspn(lines, "\n") == length && memcmp(lines, line, length) == 0)
            return true;
    return false;
}

/* The name in a line that `held` does not have; *length: 0: there is none. */
static const char *changed_file(const char *held, const char *lines, size_t *length)
{
    static const char tail[] = " crc32c 01234567";
    for (; *lines; lines += strcspn(lines, "\n"), lines += *lines == '\n') {
        size_t whole = strcspn(lines, "\n"), fixed = strlen(FILE_LINE) + strlen(tail);
        if (has_line(held, lines, whole) || whole <= fixed)
            continue;
        *length = whole - fixed;
        return lines + strlen(FILE_LINE);
    }
    *length = 0;
    return NULL;
}

weft_status weft_store_same(const weft_result *result, const char *scenario, weft_error *err)
{
    const char *held = files_of(result->scenario), *files = files_of(scenario);
    size_t body = (size_t)(files - scenario), name;
    if (strcmp(result->scenario, scenario) == 0)
        return WEFT_OK;
    if ((size_t)(held - result->scenario) != body || memcmp(result->scenario, scenario, body) != 0)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "%s holds the results of another scenario; --new starts it anew, or run "
                         "in another directory to keep both",
                         result->path);
    if (*held == '\0') /* begun before files were told */
        return WEFT_OK;
    const char *file = changed_file(held, files, &name);
    return weft_fail(err, WEFT_BAD_INPUT,
                     "%s: the file %.*s has changed since these results were begun; --new starts "
                     "them anew, or run in another directory to keep both",
                     result->path, file ? (int)name : 1, file ? file : "?");
}
