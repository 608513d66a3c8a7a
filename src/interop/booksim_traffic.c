/* SPDX-License-Identifier: Apache-2.0 */
/* Classes of traffic. BookSim's uniform traffic and its permutations send to the sender too,
 * through its router. */
#include "interop/booksim.h"

#include "config/number.h"

#include <stdlib.h>
#include <string.h>

#define SELF "self: included"

const weft_booksim_pattern weft_booksim_patterns[] = {
    {"uniform", "{kind: uniform, " SELF "}", NULL, true, true, NULL, NULL},
    {"bitcomp", "{kind: complement, " SELF "}", NULL, false, true, NULL, NULL},
    {"bitrev", "{kind: bit-reversal, " SELF "}", NULL, false, true, NULL, NULL},
    {"transpose", "{kind: transpose, " SELF "}", NULL, false, false, NULL, NULL},
    {"shuffle", "{kind: shuffle, " SELF "}", NULL, false, false, NULL, NULL},
    {"tornado", "{kind: tornado, " SELF "}", NULL, false, true, NULL,
     "k^n routers with coordinates"},
    {"neighbor", "{kind: neighbour, " SELF "}", NULL, false, true, NULL,
     "k^n routers with coordinates"},
    {"randperm", "{kind: random-permutation, seed: SEED}", NULL, true, true, NULL, NULL},
    {"bad_dragon", "group-adversarial", NULL, false, true, "dragonflynew", NULL},
    {"hotspot", NULL, "all messages go to the hot endpoints, its own too; see pattern hot-spot",
     false, false, NULL, NULL},
    {"diagonal", NULL, "write its pairs into a file for pattern flows", false, false, NULL, NULL},
    {"asymmetric", NULL, "write its pairs into a file for pattern flows", false, false, NULL, NULL},
    {"background", NULL, "use `to` of a traffic class to leave endpoints out", false, false, NULL,
     NULL},
    {"taper64", NULL, "write its pairs into a file for pattern flows", false, false, NULL, NULL},
    {"badperm_yarc", NULL, "write its pairs into a file for pattern flows", false, false, NULL,
     NULL},
    {.name = NULL},
};

static const weft_booksim_pattern *find(const char *text)
{
    const weft_booksim_pattern *row = weft_booksim_patterns;
    while (row->name && strcmp(row->name, text) != 0)
        row++;
    return row;
}

static weft_status fits(const weft_booksim *set, const weft_booksim_net *net,
                        const weft_booksim_pattern *row)
{
    const char *topology = weft_booksim_get(set, "topology")->text;
    if (row->only && strcmp(row->only, topology) != 0)
        return weft_booksim_refuse(set, "traffic", "%s belongs to topology = %s", row->name,
                                   row->only);
    if (row->lattice && !net->lattice)
        return weft_booksim_refuse(set, "traffic", "%s needs %s, a %s has none", row->name,
                                   row->lattice, topology);
    if (!row->anywhere && !net->same_numbers)
        return weft_booksim_refuse(set, "traffic",
                                   "the endpoints of a %s are numbered otherwise here; uniform and "
                                   "randperm are translated",
                                   topology);
    if (!row->mirrors && net->lattice && net->n > 2)
        return weft_booksim_refuse(set, "traffic",
                                   "dimensions are taken in the other order here, which makes a "
                                   "difference to %s from three dimensions on",
                                   row->name);
    return WEFT_OK;
}

static weft_status write_pattern(const weft_booksim *set, const weft_booksim_net *net,
                                 uint32_t class, weft_text *out)
{
    const char *text;
    int64_t seed;
    WEFT_TRY(weft_booksim_of_class(set, "traffic", class, &text));
    size_t length = strcspn(text, "(");
    const weft_booksim_pattern *row = find(weft_arena_copy(set->arena, text, length));
    if (!row->name)
        return weft_booksim_refuse(set, "traffic", "BookSim has no such pattern");
    if (!row->becomes)
        return weft_booksim_refuse(set, "traffic", "%s", row->why);
    if (text[length])
        return weft_booksim_refuse(set, "traffic", "parameters in parentheses are not translated");
    WEFT_TRY(fits(set, net, row));
    WEFT_TRY(weft_booksim_int(set, "perm_seed", 0, INT32_MAX, &seed));
    const char *gap = strstr(row->becomes, "SEED");
    if (gap)
        weft_text_add(out, "pattern: %.*s%lld%s", (int)(gap - row->becomes), row->becomes,
                      (long long)seed, gap + 4);
    else
        weft_text_add(out, "pattern: %s", row->becomes);
    return WEFT_OK;
}

static weft_status number_of(const weft_booksim *set, const char *key, uint32_t class, double least,
                             double most, double *number)
{
    const char *text;
    WEFT_TRY(weft_booksim_of_class(set, key, class, &text));
    size_t used = weft_number_read(text, 0, number);
    if (used == 0 || text[used] != '\0' || !(*number >= least && *number <= most))
        return weft_booksim_refuse(set, key, "it must be a number, %g … %g", least, most);
    return WEFT_OK;
}

static weft_status write_class(const weft_booksim *set, weft_booksim_net *net, uint32_t class,
                               const char *name, weft_text *out)
{
    double rate, flits;
    const char *process;
    WEFT_TRY(weft_booksim_of_class(set, "injection_process", class, &process));
    if (strcmp(process, "bernoulli") != 0)
        return weft_booksim_refuse(set, "injection_process", "bernoulli would be right");
    WEFT_TRY(number_of(set, "packet_size", class, 1, 65535, &flits));
    WEFT_TRY(number_of(set, "injection_rate", class, 0, 1, &rate));
    if (flits != (double)(int64_t)flits)
        return weft_booksim_refuse(set, "packet_size", "it must be a whole number of flits");
    if (!weft_booksim_is(set, "injection_rate_uses_flits", "1"))
        rate *= flits;
    if (!(rate >= 1e-6))
        return weft_booksim_refuse(set, "injection_rate", "no class may be silent; leave it out");
    if (rate > 1000)
        return weft_booksim_refuse(set, "injection_rate", "a load of %g is too much", rate);
    net->longest = (int64_t)flits > net->longest ? (int64_t)flits : net->longest;
    weft_text_add(out, "  %s: {", name);
    WEFT_TRY(write_pattern(set, net, class, out));
    weft_text_add(out, ", arrival: bernoulli, length: %lld flit%s, load: %.12g}\n",
                  (long long)flits, flits > 1 ? "s" : "", rate);
    return WEFT_OK;
}

weft_status weft_booksim_traffic(const weft_booksim *set, weft_booksim_net *net, weft_text *out)
{
    int64_t classes;
    WEFT_TRY(weft_booksim_int(set, "classes", 1, WEFT_BOOKSIM_CLASSES, &classes));
    weft_text_add(out, "traffic:\n");
    for (uint32_t class = 0; class < (uint32_t)classes; class ++) {
        const char *name =
            classes == 1 ? "all" : weft_arena_format(set->arena, "class%u", (unsigned)class);
        WEFT_TRY(write_class(set, net, class, name, out));
    }
    return WEFT_OK;
}
