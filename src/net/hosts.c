/* SPDX-License-Identifier: Apache-2.0 */
/* Words become ranges in any order, which are then sorted and joined. Texts are untrusted: a range
 * with steps makes one range per step, at most one for each endpoint. */
#include "net/hosts.h"

#include "base/glob.h"
#include "base/memory.h"
#include "config/lines.h"
#include "net/naming.h"
#include "net/topology/common/weftnet.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FILE_MOST ((size_t)64 << 20) /* bytes */

typedef struct reader {
    const weft_topology *topology;
    const char *setting;
    const weft_lines *lines; /* of the file in hand; NULL: words are the scenario's */
    weft_host_range *ranges;
    size_t n_ranges, room;
    bool ordered;   /* ranges stay as they were named … */
    uint64_t named; /* … and have so many endpoints; counted up to one more than there are */
    weft_error *err;
} reader;

/* What is wrong with a word: "where: said, found 'word'". */
static weft_status refuse(const reader *r, const char *word, const char *said)
{
    if (r->lines)
        return weft_lines_fail(r->lines, r->err, "%s, found '%.80s'", said, word);
    return weft_fail(r->err, WEFT_BAD_INPUT, "%s: %s, found '%.80s'", r->setting, said, word);
}

static int by_first(const void *a, const void *b)
{
    uint32_t x = ((const weft_host_range *)a)->first, y = ((const weft_host_range *)b)->first;
    return (x > y) - (x < y);
}

/* In ascending order, none meeting another; returns how many are left. */
static size_t join(weft_host_range *range, size_t count)
{
    size_t kept = 0;
    if (count > 1)
        qsort(range, count, sizeof *range, by_first);
    for (size_t i = 0; i < count; i++) {
        weft_host_range *last = kept ? &range[kept - 1] : NULL;
        uint64_t end = (uint64_t)range[i].first + range[i].count;
        if (!last || range[i].first > (uint64_t)last->first + last->count)
            range[kept++] = range[i];
        else if (end > (uint64_t)last->first + last->count)
            last->count = (uint32_t)(end - last->first);
    }
    return kept;
}

/* Grows only by what cannot be joined, so never beyond the network's size; in order: by no more
 * than one endpoint too many. */
static void add(reader *r, uint64_t first, uint64_t count)
{
    if (r->ordered && r->named > weft_topology_endpoints(r->topology))
        return;
    r->named += count;
    if (r->n_ranges == r->room) {
        if (!r->ordered)
            r->n_ranges = join(r->ranges, r->n_ranges);
        if (r->n_ranges >= r->room / 2) {
            r->room = r->room ? 2 * r->room : 64;
            r->ranges = weft_realloc(r->ranges, r->room, sizeof *r->ranges);
        }
    }
    r->ranges[r->n_ranges++] =
        (weft_host_range){.first = (uint32_t)first, .count = (uint32_t)count};
}

static bool take_number(const char **text, uint64_t *number)
{
    size_t digits = strspn(*text, "0123456789");
    weft_word word = {.at = *text, .length = digits};
    *text += digits;
    return weft_word_number(word, UINT32_MAX, number);
}

typedef struct steps {
    uint64_t first, last, step;
} steps;

/* "3", "0-15" or "0-60/4"; false: it is none of these. */
static bool read_steps(const char *text, steps *out)
{
    if (!take_number(&text, &out->first))
        return false;
    out->last = out->first;
    out->step = 1;
    if (*text == '-' && (text++, !take_number(&text, &out->last)))
        return false;
    if (*text == '/' && (text++, !take_number(&text, &out->step)))
        return false;
    return *text == '\0';
}

/* Things 0 … count − 1 by number, each so many endpoints; the last may have fewer. */
static weft_status add_steps(reader *r, const char *word, const steps *s, const char *what,
                             uint64_t count, uint64_t each)
{
    uint64_t endpoints = weft_topology_endpoints(r->topology);
    char said[120];
    if (s->step == 0)
        return refuse(r, word, "a step is 1 or more");
    if (s->last < s->first)
        return refuse(r, word, "a range ends with its greatest number");
    (void)snprintf(said, sizeof said, "the %ss of this network are 0 … %llu", what,
                   (unsigned long long)count - 1);
    if (s->last >= count)
        return refuse(r, word, said);
    uint64_t run = s->step == 1 ? s->last - s->first + 1 : 1; /* that follow each other */
    for (uint64_t i = s->first; i <= s->last; i += s->step == 1 ? run : s->step) {
        uint64_t end = (i + run) * each;
        add(r, i * each, (end < endpoints ? end : endpoints) - i * each);
    }
    return WEFT_OK;
}

static weft_status add_named(reader *r, const char *glob)
{
    const weft_topology *topology = r->topology;
    char name[WEFT_NAME_BYTES], said[WEFT_NAME_BYTES + 80];
    size_t before = r->n_ranges;
    for (uint32_t router = 0; router < topology->edge_routers; router++) {
        weft_naming_place(topology, router, name);
        if (weft_glob_matches(glob, name))
            add(r, weft_topology_first(topology, router), weft_topology_hosts(topology, router));
    }
    if (r->n_ranges > before)
        return WEFT_OK;
    weft_naming_place(topology, topology->edge_routers - 1, name);
    (void)snprintf(said, sizeof said,
                   "no router with endpoints has such a name; the last one is '%.*s'",
                   WEFT_NAME_BYTES, name);
    return refuse(r, glob, said);
}

/* By the name of its adapter, or by this and the port: "node17/P2". */
static bool host_matches(const weft_subnet *subnet, uint32_t host, const char *glob)
{
    char label[WEFT_NAME_BYTES + 8];
    const char *name = weft_subnet_host_name(subnet, host);
    if (weft_glob_matches(glob, name))
        return true;
    (void)snprintf(label, sizeof label, "%s/P%u", name, subnet->hosts[host].port);
    return weft_glob_matches(glob, label);
}

/* Hosts of a fabric of InfiniBand by name. */
static weft_status add_hosts(reader *r, const weft_weftnet *net, const char *glob)
{
    uint32_t host = 0;
    char said[WEFT_NAME_BYTES + 80];
    bool found = false;
    for (uint32_t home = 0; home < net->homes; home++)
        for (uint32_t nth = 0; nth < net->hosts[home]; nth++, host++)
            if (nth < weft_topology_hosts(r->topology, home) &&
                host_matches(net->subnet, host, glob)) {
                add(r, (uint64_t)weft_topology_first(r->topology, home) + nth, 1);
                found = true;
            }
    if (found)
        return WEFT_OK;
    (void)snprintf(said, sizeof said, "no host of this fabric has such a name; the first is '%.*s'",
                   WEFT_NAME_BYTES, weft_subnet_host_name(net->subnet, 0));
    return refuse(r, glob, said);
}

/* What follows `head` and blanks; NULL: the word does not begin so. */
static const char *after(const char *word, const char *head)
{
    size_t length = strlen(head);
    if (strncmp(word, head, length) != 0 || word[length] != ' ')
        return NULL;
    word += length;
    return word + strspn(word, " ");
}

static weft_status add_word(reader *r, const char *word)
{
    const weft_topology *topology = r->topology;
    uint64_t hosts = topology->concentration, endpoints = weft_topology_endpoints(topology);
    const char *routers = after(word, "router"), *groups = after(word, "group");
    const weft_weftnet *net = weft_weftnet_of(topology);
    steps s;
    if (strcmp(word, "all") == 0) {
        add(r, 0, endpoints);
        return WEFT_OK;
    }
    if (read_steps(word, &s))
        return add_steps(r, word, &s, "endpoint", endpoints, 1);
    if (routers && !net && read_steps(routers, &s))
        return add_steps(r, word, &s, "router", topology->edge_routers, hosts);
    if (routers)
        return add_named(r, routers);
    if (groups && read_steps(groups, &s) && topology->group == 0)
        return refuse(r, word, "this topology has no groups; name routers or endpoints");
    if (groups && read_steps(groups, &s))
        return add_steps(r, word, &s, "group", (topology->edge_routers - 1) / topology->group + 1,
                         topology->group * hosts);
    if (net && net->subnet)
        return add_hosts(r, net, word);
    return refuse(r, word,
                  "endpoints are named by all, 0-15, 0-60/4, router NAME, group 2 or file NAME");
}

/* The rest of the line without the blanks and the comment at its end. */
static char *line_text(const weft_lines *lines)
{
    const char *start = lines->at, *end = start;
    while (end < lines->end && *end != '\n' && *end != '\0' &&
           !(*end == '#' && (end == start || end[-1] == ' ' || end[-1] == '\t')))
        end++;
    while (end > start && strchr(" \t\r", end[-1]))
        end--;
    size_t length = (size_t)(end - start);
    char *text = weft_alloc(length + 1);
    memcpy(text, start, length);
    return text;
}

static weft_status add_file(reader *r, const weft_file *file)
{
    weft_bytes bytes;
    WEFT_TRY(weft_bytes_read(file->path, FILE_MOST, "a list of endpoints", &bytes, r->err));
    weft_lines lines = weft_lines_of(file->path, bytes.at, bytes.count);
    weft_status status = WEFT_OK;
    r->lines = &lines;
    while (status == WEFT_OK && weft_lines_next(&lines)) {
        char *text = line_text(&lines);
        status = add_word(r, text);
        free(text);
    }
    r->lines = NULL;
    free(bytes.at);
    return status;
}

static const weft_host_set *close_set(reader *r, weft_arena *arena)
{
    uint32_t endpoints = weft_topology_endpoints(r->topology);
    size_t ranges = join(r->ranges, r->n_ranges);
    if (r->ranges[0].count == endpoints)
        return NULL;
    weft_host_range *kept = WEFT_TAKE(arena, weft_host_range, ranges);
    weft_host_set *set = WEFT_TAKE(arena, weft_host_set, 1);
    *set = (weft_host_set){.n_ranges = (uint32_t)ranges, .ranges = kept};
    for (size_t i = 0; i < ranges; i++) {
        kept[i] = r->ranges[i];
        kept[i].rank = set->count;
        set->count += kept[i].count;
    }
    return set;
}

static weft_status read_words(reader *r, const weft_hosts *hosts)
{
    weft_status status = WEFT_OK;
    for (int32_t i = 0; i < hosts->count && status == WEFT_OK; i++) {
        const weft_file *word = &hosts->at[i];
        status = word->path ? add_file(r, word) : add_word(r, word->text);
        if (status == WEFT_OK && r->n_ranges == 0)
            status = refuse(r, word->text, "nobody is named there");
    }
    return status;
}

weft_status weft_hosts_read(const weft_hosts *hosts, const weft_topology *topology,
                            const char *setting, weft_arena *arena, const weft_host_set **set,
                            weft_error *err)
{
    reader r = {.topology = topology, .setting = setting, .err = err};
    weft_status status = read_words(&r, hosts);
    *set = NULL;
    if (status == WEFT_OK && r.n_ranges > 0)
        *set = close_set(&r, arena);
    free(r.ranges);
    return status;
}

/* Ranges one after the other; fails at the first endpoint that comes again. */
static weft_status unfold(const reader *r, uint8_t *seen, uint32_t *list, uint32_t *count)
{
    *count = 0;
    for (size_t i = 0; i < r->n_ranges; i++)
        for (uint32_t e = r->ranges[i].first; e < r->ranges[i].first + r->ranges[i].count; e++) {
            if (seen[e]++)
                return weft_fail(r->err, WEFT_BAD_INPUT,
                                 "%s: endpoint %u is named twice; name each once", r->setting, e);
            list[(*count)++] = e;
        }
    return WEFT_OK;
}

weft_status weft_hosts_list(const weft_hosts *hosts, const weft_topology *topology,
                            const char *setting, weft_arena *arena, const uint32_t **list,
                            uint32_t *count, weft_error *err)
{
    reader r = {.topology = topology, .setting = setting, .ordered = true, .err = err};
    uint32_t endpoints = weft_topology_endpoints(topology);
    weft_status status = read_words(&r, hosts);
    uint32_t *found = WEFT_TAKE(arena, uint32_t, endpoints);
    uint8_t *seen = weft_alloc(endpoints);
    *count = 0;
    assert(status != WEFT_OK || r.n_ranges > 0); /* a word names somebody, or is refused */
    if (status == WEFT_OK)
        status = unfold(&r, seen, found, count);
    *list = found;
    free(seen);
    free(r.ranges);
    return status;
}

bool weft_host_set_same(const weft_host_set *a, const weft_host_set *b)
{
    if (a == b)
        return true;
    if (!a || !b || a->count != b->count || a->n_ranges != b->n_ranges)
        return false;
    for (uint32_t i = 0; i < a->n_ranges; i++)
        if (a->ranges[i].first != b->ranges[i].first || a->ranges[i].count != b->ranges[i].count)
            return false;
    return true;
}

uint32_t weft_host_set_union(const weft_host_set *const *sets, uint32_t count, uint32_t endpoints)
{
    weft_host_range *range;
    size_t ranges = 0, kept;
    for (uint32_t i = 0; i < count; i++) {
        if (!sets[i])
            return endpoints;
        ranges += sets[i]->n_ranges;
    }
    range = weft_alloc(sizeof *range * ranges);
    kept = 0;
    for (uint32_t i = 0; i < count; i++) {
        memcpy(range + kept, sets[i]->ranges, sizeof *range * sets[i]->n_ranges);
        kept += sets[i]->n_ranges;
    }
    kept = join(range, kept);
    uint32_t sum = 0;
    for (size_t i = 0; i < kept; i++)
        sum += range[i].count;
    free(range);
    return sum;
}
