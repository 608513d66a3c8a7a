/* SPDX-License-Identifier: Apache-2.0 */
/* SimGrid's time-independent traces: a line is `rank action arguments…`. Either one file has all
 * ranks, their lines mixed in any way, or a file lists those of the ranks, one name a line.
 * A blocking action is one that the rank's next one waits for. */
#include "program/format/ti/ti.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

static const weft_ti_action *find_action(weft_format_word word)
{
    for (const weft_ti_action *action = weft_ti_actions; action->name; action++)
        if (weft_format_word_is(word, action->name))
            return action;
    for (const weft_ti_action *action = weft_ti_collectives; action->name; action++)
        if (weft_format_word_is(word, action->name))
            return action;
    return NULL;
}

static weft_format_lines lines_of(const char *file, const weft_bytes *bytes)
{
    return (weft_format_lines){.file = file, .at = bytes->at, .end = bytes->at + bytes->count};
}

static bool begins_with_action(weft_format_lines lines)
{
    uint64_t rank;
    return weft_format_lines_next(&lines) &&
           weft_format_word_whole(weft_format_lines_word(&lines), UINT32_MAX, &rank) &&
           find_action(weft_format_lines_word(&lines));
}

/* A name of a file ends its line; the file must be there and be a trace of a rank. */
static bool is_list(const weft_format_input *trace)
{
    weft_format_lines lines = lines_of(trace->file, &trace->bytes);
    weft_bytes bytes;
    char *path;
    if (trace->options->alone || !weft_format_lines_next(&lines) ||
        weft_format_lines_left(&lines) != 1 || memchr(lines.word, '\0', 1))
        return false;
    weft_format_word name = weft_format_lines_word(&lines);
    if (name.length > 1000 || memchr(name.at, '\0', name.length) ||
        weft_format_other(trace, name.at, name.length, &path, &bytes, NULL) != WEFT_OK)
        return false;
    bool is = begins_with_action(lines_of(path, &bytes));
    free(bytes.at);
    free(path);
    return is;
}

static bool is_ti(const weft_format_input *trace)
{
    return begins_with_action(lines_of(trace->file, &trace->bytes)) || is_list(trace);
}

/* ---- lines ---- */

/* Counts lines and ranks; a rank has a line at least. */
static weft_status count_ranks(weft_format_lines lines, uint64_t *n_lines, uint64_t *n_ranks,
                               weft_error *err)
{
    while (weft_format_lines_next(&lines)) {
        uint64_t rank;
        weft_format_word word = weft_format_lines_word(&lines);
        if (!weft_format_word_whole(word, WEFT_PROGRAM_RANKS_MAX - 1, &rank))
            return weft_format_lines_fail(&lines, "the number of a rank", word, err);
        *n_ranks = rank >= *n_ranks ? rank + 1 : *n_ranks;
        ++*n_lines;
    }
    return WEFT_OK;
}

static weft_status read_line(weft_ti *ti, weft_error *err)
{
    uint64_t rank;
    (void)weft_format_word_whole(weft_format_lines_word(&ti->lines), ti->n_ranks - 1, &rank);
    weft_format_word word = weft_format_lines_word(&ti->lines);
    const weft_ti_action *action = find_action(word);
    if (!action)
        return weft_format_lines_fail(
            &ti->lines, "an action such as compute, send, wait or allreduce", word, err);
    ti->rank = &ti->ranks[rank];
    ti->rank->n_lines++;
    weft_format_counted(ti->trace->summary, action->name);
    return action->read(ti, action, err);
}

static weft_status read_lines(weft_ti *ti, weft_format_lines lines, weft_error *err)
{
    ti->lines = lines;
    while (weft_format_lines_next(&ti->lines))
        WEFT_TRY(read_line(ti, err));
    return WEFT_OK;
}

/* ---- several files ---- */

typedef weft_status each_file(weft_ti *ti, weft_format_lines lines, void *user, weft_error *err);

/* Calls `each` for the trace, or for every file that it lists. */
static weft_status for_files(weft_ti *ti, bool list, each_file *each, void *user, weft_error *err)
{
    weft_format_lines names = lines_of(ti->trace->file, &ti->trace->bytes);
    if (!list)
        return each(ti, names, user, err);
    while (weft_format_lines_next(&names)) {
        weft_format_word name = weft_format_lines_word(&names);
        weft_bytes bytes;
        char *path;
        if (weft_format_other(ti->trace, name.at, name.length, &path, &bytes, err) != WEFT_OK)
            return weft_format_lines_place(&names, err);
        weft_status status = each(ti, lines_of(path, &bytes), user, err);
        free(bytes.at);
        free(path);
        WEFT_TRY(status);
    }
    return WEFT_OK;
}

typedef struct extent {
    uint64_t lines, ranks;
    uint32_t files;
} extent;

static weft_status count_file(weft_ti *ti, weft_format_lines lines, void *user, weft_error *err)
{
    extent *size = user;
    (void)ti;
    size->files++;
    return count_ranks(lines, &size->lines, &size->ranks, err);
}

static weft_status read_file(weft_ti *ti, weft_format_lines lines, void *user, weft_error *err)
{
    (void)user;
    return read_lines(ti, lines, err);
}

/* ---- a trace ---- */

static weft_status check_ranks(const weft_ti *ti, weft_error *err)
{
    for (uint32_t r = 0; r < ti->n_ranks; r++) {
        if (ti->ranks[r].n_lines == 0)
            return weft_fail(err, WEFT_BAD_INPUT,
                             "%.2000s: rank %u has no line: ranks are numbered from 0, found %u as "
                             "the last",
                             ti->trace->file, r, ti->n_ranks - 1);
        if (ti->ranks[r].n_collectives != ti->n_collectives)
            return weft_fail(err, WEFT_BAD_INPUT,
                             "%.2000s: rank %u takes part in %u collective operations, another in "
                             "%u: all ranks take part in each",
                             ti->trace->file, r, ti->ranks[r].n_collectives, ti->n_collectives);
    }
    if (ti->any_tag && ti->n_collectives > 0)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "%.2000s: a receive with any tag could take a message of a collective "
                         "operation: give it a tag",
                         ti->trace->file);
    return WEFT_OK;
}

static weft_status read_all(weft_ti *ti, bool list, weft_program *program, weft_error *err)
{
    extent size = {0};
    WEFT_TRY(for_files(ti, list, count_file, &size, err));
    if (size.ranks == 0 || size.ranks > size.lines)
        return weft_fail(
            err, WEFT_BAD_INPUT, "%.2000s: every rank has a line, found rank %lld in %llu lines",
            ti->trace->file, (long long)size.ranks - 1, (unsigned long long)size.lines);
    ti->trace->summary->files = size.files;
    ti->n_ranks = (uint32_t)size.ranks;
    ti->ranks = weft_alloc(sizeof *ti->ranks * ti->n_ranks);
    for (uint32_t r = 0; r < ti->n_ranks; r++) {
        ti->ranks[r].course.rank = r;
        ti->ranks[r].element = 1;
    }
    WEFT_TRY(for_files(ti, list, read_file, NULL, err));
    WEFT_TRY(check_ranks(ti, err));
    return weft_loose_finish(&ti->loose, ti->n_ranks, program, err);
}

static weft_status read_ti(const weft_format_input *trace, weft_program *program, weft_error *err)
{
    weft_ti ti = {.trace = trace};
    bool list = !begins_with_action(lines_of(trace->file, &trace->bytes));
    weft_loose_init(&ti.loose, trace->file, trace->options->operations_max);
    weft_status status = read_all(&ti, list, program, err);
    for (uint32_t r = 0; ti.ranks && r < ti.n_ranks; r++) {
        weft_course_done(&ti.ranks[r].course);
        free(ti.ranks[r].requests);
    }
    free(ti.ranks);
    free(ti.collectives);
    weft_loose_done(&ti.loose);
    return status;
}

const weft_format_kind weft_format_ti = {
    .name = "ti",
    .brief = "SimGrid's time-independent traces: 0 send 1 7 64",
    .is = is_ti,
    .read = read_ti,
};
