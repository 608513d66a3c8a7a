/* SPDX-License-Identifier: Apache-2.0 */
#include "base/memory.h"
#include "program/format/chakra/chakra.h"
#include "program/format_lines.h"

#include <stdlib.h>
#include <string.h>

static weft_chakra_group *add_group(weft_chakra_groups *groups, weft_chakra_text name)
{
    groups->at = weft_realloc(groups->at, groups->count + 1, sizeof *groups->at);
    groups->at[groups->count] = (weft_chakra_group){
        .name = weft_text_copy_part(name.at, name.length), .rank = WEFT_PROGRAM_NONE};
    return &groups->at[groups->count++];
}

void weft_chakra_groups_all(weft_chakra_groups *groups, uint32_t n_ranks)
{
    weft_chakra_group *all = add_group(groups, (weft_chakra_text){"0", 1});
    all->members = weft_realloc(NULL, n_ranks, sizeof *all->members);
    all->n_members = n_ranks;
    for (uint32_t r = 0; r < n_ranks; r++)
        all->members[r] = r;
}

weft_chakra_group *weft_chakra_groups_find(weft_chakra_groups *groups, weft_chakra_text name)
{
    if (name.length == 0)
        name = (weft_chakra_text){"0", 1};
    for (size_t i = 0; i < groups->count; i++)
        if (weft_chakra_text_is(name, groups->at[i].name))
            return &groups->at[i];
    return NULL;
}

void weft_chakra_groups_done(weft_chakra_groups *groups)
{
    for (size_t i = 0; i < groups->count; i++) {
        free(groups->at[i].name);
        free(groups->at[i].members);
        free(groups->at[i].steps);
    }
    free(groups->at);
    *groups = (weft_chakra_groups){0};
}

/* ---- a file of them ---- */

typedef struct reader {
    const char *file, *at, *end;
    unsigned long line;
    uint32_t n_ranks;
} reader;

static char next(reader *r)
{
    while (r->at < r->end && (*r->at == ' ' || *r->at == '\t' || *r->at == '\r' || *r->at == '\n'))
        r->line += *r->at++ == '\n';
    return r->at < r->end ? *r->at : '\0';
}

static bool take(reader *r, char sign)
{
    if (next(r) != sign)
        return false;
    r->at++;
    return true;
}

static weft_status fail(const reader *r, const char *wanted, weft_error *err)
{
    return weft_fail(err, WEFT_BAD_INPUT,
                     "%.2000s:%lu: wanted %s; groups are {\"1\": [0, 1], \"2\": [2, 3]}", r->file,
                     r->line, wanted);
}

static weft_status read_member(reader *r, weft_chakra_group *group, size_t *room, weft_error *err)
{
    uint64_t rank;
    (void)next(r);
    weft_format_word word = {.at = r->at};
    while (r->at < r->end && *r->at >= '0' && *r->at <= '9')
        r->at++;
    word.length = (size_t)(r->at - word.at);
    if (!weft_format_word_whole(word, r->n_ranks - 1, &rank))
        return fail(r, "a rank that has a file", err);
    if (group->n_members == *room) {
        *room = *room ? 2 * *room : 8;
        group->members = weft_realloc(group->members, *room, sizeof *group->members);
    }
    group->members[group->n_members++] = (uint32_t)rank;
    return WEFT_OK;
}

static weft_status read_group(reader *r, weft_chakra_groups *groups, weft_error *err)
{
    size_t room = 0;
    if (!take(r, '"'))
        return fail(r, "the name of a group in quotes", err);
    weft_chakra_text name = {.at = r->at};
    while (r->at < r->end && *r->at != '"')
        r->at++;
    name.length = (size_t)(r->at - name.at);
    if (!take(r, '"') || !take(r, ':') || !take(r, '['))
        return fail(r, "a colon and a list of ranks", err);
    if (weft_chakra_groups_find(groups, name))
        return fail(r, "names that differ", err);
    weft_chakra_group *group = add_group(groups, name);
    while (!take(r, ']')) {
        WEFT_TRY(read_member(r, group, &room, err));
        if (!take(r, ',') && next(r) != ']')
            return fail(r, "a comma or ]", err);
    }
    return group->n_members > 0 ? WEFT_OK : fail(r, "at least one rank", err);
}

weft_status weft_chakra_groups_read(weft_chakra_groups *groups, const char *file,
                                    const weft_bytes *bytes, uint32_t n_ranks, weft_error *err)
{
    reader r = {.file = file,
                .at = bytes->at,
                .end = bytes->at + bytes->count,
                .line = 1,
                .n_ranks = n_ranks};
    if (!take(&r, '{'))
        return fail(&r, "{", err);
    while (!take(&r, '}')) {
        WEFT_TRY(read_group(&r, groups, err));
        if (!take(&r, ',') && next(&r) != '}')
            return fail(&r, "a comma or }", err);
    }
    return WEFT_OK;
}
