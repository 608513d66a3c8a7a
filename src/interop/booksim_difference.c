/* SPDX-License-Identifier: Apache-2.0 */
/* Differences between a configuration of BookSim and the scenario: found one by one, shown all
 * together, as an error or as comments of the scenario. */
#include "interop/booksim.h"

#include "base/digits.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define SHOWN   60   /* characters of a value in messages */
#define COLUMNS 100  /* of a comment */
#define LISTED  3600 /* characters of an error, of which a weft_error has 4096 */

/* Keys and the lines of the scenario they belong to; all others belong to the router. */
static const struct {
    const char *line, *keys;
} places[] = {
    {"topology:", " topology k n c x y xr yr network_file subnets link_failures "},
    {"links:", " use_noc_latency "},
    {"routing:", " routing_function "},
    {"traffic:", " classes traffic injection_rate injection_rate_uses_flits packet_size priority "
                 "injection_process perm_seed use_read_write hold_switch_for_packet "},
    {"  vcs:", " num_vcs "},
    {"  buffer:", " vc_buf_size buf_size buffer_policy "},
    {"  route:", " routing_delay "},
    {"  crossbar:", " st_prepare_delay st_final_delay "},
    {"  vc-stage:", " vc_allocator vc_alloc_delay wait_for_tail_credit "},
    {"  output-buffer:", " internal_speedup output_speedup output_buffer_size "},
    {"  scheduler:", " sw_allocator sw_alloc_delay arb_type alloc_iters "},
    {"measure:", " sim_type warmup_periods sample_period max_samples include_queuing sim_power "},
    {"seed:", " seed sim_count "},
};

static const char *place_of(const weft_booksim *set, const char *key)
{
    const char *word = weft_arena_format(set->arena, " %s ", key);
    for (size_t i = 0; i < sizeof places / sizeof *places; i++)
        if (strstr(places[i].keys, word))
            return places[i].line;
    return "router:";
}

/* Lines of the file in their order, then defaults, then the command line. */
static bool comes_before(const weft_booksim *set, const weft_booksim_difference *a,
                         const weft_booksim_difference *b)
{
    bool a_given = a->where != set->file, b_given = b->where != set->file;
    if (a_given != b_given)
        return b_given;
    return !a_given && a->line - 1 < b->line - 1;
}

static void insert(const weft_booksim *set, weft_booksim_difference found)
{
    weft_booksim_difference **at = &set->differences->first;
    weft_booksim_difference *kept = WEFT_TAKE(set->arena, weft_booksim_difference, 1);
    for (; *at && !comes_before(set, &found, *at); at = &(*at)->next)
        if ((*at)->line == found.line && strcmp((*at)->what, found.what) == 0)
            return; /* of another traffic class */
    found.next = *at;
    *kept = found;
    *at = kept;
    set->differences->count++;
}

static void add(const weft_booksim *set, const char *key, const char *right, const char *format,
                va_list arguments)
{
    const weft_booksim_value *value = weft_booksim_get(set, key);
    char sentence[600];
    (void)weft_digits_vprint(sentence, sizeof sentence, format, arguments);
    const char *what = weft_arena_format(set->arena, "%s = %.*s%s: %s", key, SHOWN,
                                         *value->text ? value->text : "(empty)",
                                         value->line ? "" : " (BookSim's default)", sentence);
    insert(set, (weft_booksim_difference){.where = value->where,
                                          .line = value->line,
                                          .what = what,
                                          .right = right,
                                          .beside = place_of(set, key)});
}

void weft_booksim_differ(const weft_booksim *set, const char *key, const char *right,
                         const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    add(set, key, right, format, arguments);
    va_end(arguments);
}

void weft_booksim_refuse(const weft_booksim *set, const char *key, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    add(set, key, NULL, format, arguments);
    va_end(arguments);
    set->differences->refused = true;
}

void weft_booksim_stray(const weft_booksim *set, const char *where, unsigned long line,
                        const char *what)
{
    insert(set, (weft_booksim_difference){
                    .where = where, .line = line, .what = what, .beside = "topology:"});
}

/* ---- as an error ---- */

static void list_one(const weft_booksim_difference *one, weft_text *list)
{
    weft_text_add(list, "%.200s", one->where);
    if (one->line)
        weft_text_add(list, ":%lu", one->line);
    weft_text_add(list, ": %s", one->what);
    if (one->right)
        weft_text_add(list, "; %s would be right", one->right);
    weft_text_add(list, "\n");
}

weft_status weft_booksim_verdict(const weft_booksim *set, bool nearest)
{
    const weft_booksim_differences *all = set->differences;
    uint32_t left = all->count;
    weft_text list;
    if (all->count == 0 || (nearest && !all->refused))
        return WEFT_OK;
    weft_text_init(&list);
    for (const weft_booksim_difference *one = all->first; one && list.length < LISTED;
         one = one->next, left--)
        list_one(one, &list);
    if (left > 0)
        weft_text_add(&list, "… and %u more\n", (unsigned)left);
    if (all->refused)
        list.at[list.length - 1] = '\0';
    else
        weft_text_add(&list, "--nearest writes the scenario all the same, with %s as a comment",
                      all->count == 1 ? "this difference" : "each difference");
    weft_status status = weft_fail(set->err, WEFT_BAD_INPUT, "%s", list.at);
    weft_text_done(&list);
    return status;
}

/* ---- as comments ---- */

static bool begins(const char *line, const char *prefix)
{
    return strncmp(line, prefix, strlen(prefix)) == 0;
}

/* Where the line stands that begins so; NULL: nowhere. */
static const char *find_line(const char *scenario, const char *prefix)
{
    const char *line = scenario;
    while (line && !begins(line, prefix)) {
        line = strchr(line, '\n');
        line = line ? line + 1 : NULL;
    }
    return line;
}

/* Words in lines of at most so many columns, if they fit. */
static void add_comment(const char *indent, int spaces, const char *text, weft_text *out)
{
    size_t used = (size_t)spaces + 1;
    weft_text_add(out, "%.*s#", spaces, indent);
    while (*text) {
        size_t length = strcspn(text, " ");
        if (used + 1 + length > COLUMNS) {
            weft_text_add(out, "\n%.*s#  ", spaces, indent);
            used = (size_t)spaces + 3;
        }
        weft_text_add(out, " %.*s", (int)length, text);
        used += 1 + length;
        text += length + strspn(text + length, " ");
    }
    weft_text_add(out, "\n");
}

static void comment_on(const weft_booksim *set, const weft_booksim_difference *one,
                       const char *line, weft_text *out)
{
    const char *place = one->line == 0 ? ""
                        : one->where != set->file
                            ? "command line: "
                            : weft_arena_format(set->arena, "line %lu: ", one->line);
    const char *text =
        weft_arena_format(set->arena, "%s%s%s%s", place, one->what, one->right ? "; taken as " : "",
                          one->right ? one->right : "");
    add_comment(line, (int)strspn(line, " "), text, out);
}

void weft_booksim_annotate(const weft_booksim *set, const char *scenario, weft_text *out)
{
    const char *line = scenario;
    while (*line) {
        size_t length = strcspn(line, "\n") + 1;
        for (const weft_booksim_difference *one = set->differences->first; one; one = one->next) {
            const char *place = find_line(scenario, one->beside);
            if ((place ? place : find_line(scenario, "router:")) == line)
                comment_on(set, one, line, out);
        }
        weft_text_append(out, line, length);
        line += length;
    }
}
