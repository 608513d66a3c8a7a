/* SPDX-License-Identifier: Apache-2.0 */
/* Classes of traffic. BookSim's uniform traffic and its permutations send to the sender too,
 * through its router. */
#include "interop/booksim.h"

#include "config/number.h"

#include <stdlib.h>
#include <string.h>

#define SELF    "self: included"
#define UNIFORM "{kind: uniform, " SELF "}"

#define PAIRS "write its pairs into a file for pattern flows; uniform is what is left"

const weft_booksim_pattern weft_booksim_patterns[] = {
    {"uniform", UNIFORM, NULL, true, true, true, NULL, NULL},
    {"bitcomp", "{kind: complement, " SELF "}", NULL, false, true, true, NULL, NULL},
    {"bitrev", "{kind: bit-reversal, " SELF "}", NULL, false, false, true, NULL, NULL},
    {"transpose", "{kind: transpose, " SELF "}", NULL, false, false, false, NULL, NULL},
    {"shuffle", "{kind: shuffle, " SELF "}", NULL, false, false, false, NULL, NULL},
    {"tornado", "{kind: tornado, " SELF "}", NULL, false, false, true, NULL,
     "k^n routers with coordinates"},
    {"neighbor", "{kind: neighbour, " SELF "}", NULL, false, false, true, NULL,
     "k^n routers with coordinates"},
    {"randperm", "{kind: random-permutation, seed: NUMBER}", NULL, true, true, true, NULL, NULL},
    {"bad_dragon", "group-adversarial", NULL, false, false, true, "dragonflynew", NULL},
    {"hotspot", "{kind: hot-spot, node: NUMBER, share: 100%}",
     "all messages go to the hot endpoints, its own too; see pattern hot-spot", true, true, true,
     NULL, NULL},
    {"diagonal", UNIFORM, PAIRS, true, true, true, NULL, NULL},
    {"asymmetric", UNIFORM, PAIRS, true, true, true, NULL, NULL},
    {"background", UNIFORM, "use `to` of a traffic class to leave endpoints out", true, true, true,
     NULL, NULL},
    {"taper64", UNIFORM, PAIRS, true, true, true, NULL, NULL},
    {"badperm_yarc", UNIFORM, PAIRS, true, true, true, NULL, NULL},
    {.name = NULL},
};

static const weft_booksim_pattern *find(const char *text)
{
    const weft_booksim_pattern *row = weft_booksim_patterns;
    while (row->name && strcmp(row->name, text) != 0)
        row++;
    return row;
}

/* The pattern itself where it means the same, or nearly; else the first, uniform. */
static const weft_booksim_pattern *fitting(const weft_booksim *set, const weft_booksim_net *net,
                                           const weft_booksim_pattern *row)
{
    const char *topology = weft_booksim_get(set, "topology")->text;
    if (row->only && strcmp(row->only, topology) != 0) {
        weft_booksim_differ(set, "traffic", NULL, "%s belongs to topology = %s", row->name,
                            row->only);
        return weft_booksim_patterns;
    }
    if (row->lattice && !net->lattice) {
        weft_booksim_differ(set, "traffic", NULL, "%s needs %s, a %s has none", row->name,
                            row->lattice, topology);
        return weft_booksim_patterns;
    }
    if (row->lattice && !weft_booksim_is(set, "xr", "1"))
        weft_booksim_differ(set, "xr", "1", "it stretches %s", row->name);
    if (!row->anywhere && !net->same_numbers && !(row->any_bits && net->same_bits))
        weft_booksim_differ(set, "traffic", NULL,
                            "the endpoints of a %s are numbered otherwise here; uniform and "
                            "randperm are translated",
                            topology);
    if (!row->mirrors && net->lattice && net->n > 2)
        weft_booksim_differ(set, "traffic", NULL,
                            "dimensions are taken in the other order here, which makes a "
                            "difference to %s from three dimensions on",
                            row->name);
    return row;
}

/* The first number of hotspot's parameters; of the rest perm_seed. */
static int64_t number_in(const weft_booksim *set, const char *text)
{
    text += strcspn(text, "0123456789");
    return *text ? strtol(text, NULL, 10) : weft_booksim_int(set, "perm_seed", 0, INT32_MAX);
}

static void write_pattern(const weft_booksim *set, const weft_booksim_net *net, uint32_t class,
                          weft_text *out)
{
    const char *text = weft_booksim_of_class(set, "traffic", class);
    size_t length = strcspn(text, "(");
    const weft_booksim_pattern *row = find(weft_arena_copy(set->arena, text, length));
    if (!row->name) {
        weft_booksim_refuse(set, "traffic", "BookSim has no such pattern");
        return;
    }
    if (row->why)
        weft_booksim_differ(set, "traffic", NULL, "%s", row->why);
    else if (text[length])
        weft_booksim_differ(set, "traffic", NULL, "parameters in parentheses are not translated");
    row = fitting(set, net, row);
    const char *gap = strstr(row->becomes, "NUMBER");
    if (gap)
        weft_text_add(out, "pattern: %.*s%lld%s", (int)(gap - row->becomes), row->becomes,
                      (long long)number_in(set, text + length), gap + strlen("NUMBER"));
    else
        weft_text_add(out, "pattern: %s", row->becomes);
}

static double number_of(const weft_booksim *set, const char *key, uint32_t class, double least,
                        double most)
{
    double number = least;
    const char *text = weft_booksim_of_class(set, key, class);
    size_t used = weft_number_read(text, 0, &number);
    if (used > 0 && text[used] == '\0' && number >= least && number <= most)
        return number;
    weft_booksim_refuse(set, key, "it must be a number, %g … %g", least, most);
    return least;
}

/* Flits of a packet, and of all that an injection causes. A request with its reply is the nearest
 * to two packets of the mean size. */
static int64_t flits_of(const weft_booksim *set, uint32_t class, int64_t *caused)
{
    static const char *const sizes[] = {"read_request_size", "read_reply_size",
                                        "write_request_size", "write_reply_size"};
    double sum = 0;
    if (strcmp(weft_booksim_of_class(set, "use_read_write", class), "1") == 0) {
        for (int i = 0; i < 4; i++)
            sum += number_of(set, sizes[i], class, 1, 65535);
        *caused = (int64_t)sum / 2;
        return (*caused + 1) / 2;
    }
    double flits = number_of(set, "packet_size", class, 1, 65535);
    *caused = (int64_t)flits;
    if (flits != (double)*caused)
        weft_booksim_differ(set, "packet_size", NULL, "it must be a whole number of flits");
    return *caused;
}

static double load_of(const weft_booksim *set, uint32_t class, int64_t caused)
{
    double rate = number_of(set, "injection_rate", class, 0, 1);
    if (!weft_booksim_is(set, "injection_rate_uses_flits", "1"))
        rate *= (double)caused;
    if (!(rate >= 1e-6))
        weft_booksim_refuse(set, "injection_rate", "no class may be silent; leave it out");
    if (rate > 1000)
        weft_booksim_refuse(set, "injection_rate", "a load of %g is too much", rate);
    return rate;
}

static void write_class(const weft_booksim *set, weft_booksim_net *net, uint32_t class,
                        const char *name, weft_text *out)
{
    int64_t caused, flits = flits_of(set, class, &caused);
    double load = load_of(set, class, caused);
    if (strcmp(weft_booksim_of_class(set, "injection_process", class), "bernoulli") != 0)
        weft_booksim_differ(set, "injection_process", "bernoulli", "bursts are not translated");
    net->longest = flits > net->longest ? flits : net->longest;
    weft_text_add(out, "  %s: {", name);
    write_pattern(set, net, class, out);
    weft_text_add(out, ", arrival: bernoulli, length: %lld flit%s, load: %.12g%s}\n",
                  (long long)flits, flits > 1 ? "s" : "", load, load > 1 ? ", overload: true" : "");
}

void weft_booksim_traffic(const weft_booksim *set, weft_booksim_net *net, weft_text *out)
{
    int64_t classes = weft_booksim_int(set, "classes", 1, WEFT_BOOKSIM_CLASSES);
    weft_text_add(out, "traffic:\n");
    for (uint32_t class = 0; class < (uint32_t)classes; class ++) {
        const char *name =
            classes == 1 ? "all" : weft_arena_format(set->arena, "class%u", (unsigned)class);
        write_class(set, net, class, name, out);
    }
}
