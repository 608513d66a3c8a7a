/* SPDX-License-Identifier: Apache-2.0 */
/* Is it the scenario that a results file was begun with? Its text may end with lines that tell
 * the files it names, each with a checksum of what it held: "# file flows.csv crc32c 89abcdef". */
#include "base/text.h"
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

/* "# file flows.csv crc32c 89abcdef": the length up to the checksum. */
static size_t name_end(const char *line)
{
    static const char tail[] = " crc32c 01234567";
    size_t whole = strcspn(line, "\n");
    return whole > strlen(FILE_LINE) + strlen(tail) ? whole - strlen(tail) : whole;
}

static const char *next_line(const char *line)
{
    line += strcspn(line, "\n");
    return line + (*line == '\n');
}

/* The line in `lines` about the file that `line` is about; NULL: there is none. */
static const char *same_name(const char *lines, const char *line)
{
    size_t length = name_end(line);
    for (; *lines; lines = next_line(lines))
        if (name_end(lines) == length && memcmp(lines, line, length) == 0)
            return lines;
    return NULL;
}

const char *weft_store_changed(const char *before, const char *scenario, int *length)
{
    const char *held = files_of(before);
    for (const char *line = files_of(scenario); *line; line = next_line(line)) {
        if (has_line(held, line, strcspn(line, "\n")) || !same_name(held, line))
            continue;
        *length = (int)(name_end(line) - strlen(FILE_LINE));
        return line + strlen(FILE_LINE);
    }
    return NULL;
}

weft_status weft_store_same_files(const weft_result *result, const char *scenario, weft_error *err)
{
    int length;
    const char *name = weft_store_changed(result->scenario, scenario, &length);
    if (!name)
        return WEFT_OK;
    return weft_fail(err, WEFT_BAD_INPUT,
                     "%s: the file %.*s has changed since these results were begun; --results FILE "
                     "starts others beside them, --new starts them anew",
                     result->path, length, name);
}

char *weft_store_with_files(const weft_result *result, const char *scenario)
{
    const char *files = files_of(scenario);
    weft_text text;
    weft_text_init(&text);
    weft_text_add(&text, "%s", scenario);
    for (const char *line = files_of(result->scenario); *line; line = next_line(line))
        if (!same_name(files, line))
            weft_text_add(&text, "%.*s\n", (int)strcspn(line, "\n"), line);
    return weft_text_take(&text);
}

weft_status weft_store_same(const weft_result *result, const char *scenario, weft_error *err)
{
    const char *held = files_of(result->scenario), *files = files_of(scenario);
    size_t body = (size_t)(files - scenario);
    if ((size_t)(held - result->scenario) != body || memcmp(result->scenario, scenario, body) != 0)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "%s holds the results of another scenario; another name keeps both, --new "
                         "starts it anew",
                         result->path);
    return weft_store_same_files(result, scenario, err);
}
