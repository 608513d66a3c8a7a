/* SPDX-License-Identifier: Apache-2.0 */
/* A three-level fat tree of K-port switches as a subnet of InfiniBand, K³/4 hosts, with forwarding
 * tables by d-mod-k:
 *     clos K FOLDER
 * writes FOLDER/clos.net, as ibnetdiscover prints it, and FOLDER/clos.fdbs, as opensm.fdbs. A pod
 * has K/2 edge switches and K/2 aggregation switches; core switch (a, c) is joined to aggregation
 * switch a of every pod. */
#include <stdio.h>
#include <stdlib.h>

static unsigned k, half; /* ports of a switch; half of them */

typedef enum level { EDGE, AGGREGATION, CORE } level;
typedef struct place {
    level at;
    unsigned pod, nth; /* core: (a, c) */
} place;

static unsigned n_hosts(void)
{
    return k * half * half;
}

static unsigned n_switches(void)
{
    return 2 * k * half + half * half;
}

static place place_of(unsigned s)
{
    unsigned edges = k * half;
    if (s < 2 * edges)
        return (place){s < edges ? EDGE : AGGREGATION, s % edges / half, s % half};
    return (place){CORE, (s - 2 * edges) / half, (s - 2 * edges) % half};
}

/* Switches by place; LIDs of hosts begin at 1, those of switches behind them. */
static unsigned switch_at(place p)
{
    unsigned edges = k * half;
    return p.at == CORE ? 2 * edges + p.pod * half + p.nth
                        : (p.at == EDGE ? 0 : edges) + p.pod * half + p.nth;
}

/* ---- the description ---- */

static const char *name_of(unsigned s, char text[32])
{
    static const char *const levels[] = {"edge", "aggregation", "core"};
    place p = place_of(s);
    (void)snprintf(text, 32, "%s %u.%u", levels[p.at], p.pod, p.nth);
    return text;
}

/* What is behind a port, from 1: a switch and its port, or (switch = n_switches) a host. */
static unsigned peer(unsigned s, unsigned port, unsigned *its_port)
{
    place p = place_of(s);
    unsigned up = port - half - 1, down = port - 1;
    if (p.at == CORE) {
        *its_port = half + 1 + p.nth;
        return switch_at((place){AGGREGATION, down, p.pod});
    }
    *its_port = p.at == EDGE ? p.nth + 1 : port > half ? p.pod + 1 : half + 1 + p.nth;
    if (port > half)
        return switch_at(p.at == EDGE ? (place){AGGREGATION, p.pod, up} : (place){CORE, p.nth, up});
    return p.at == EDGE ? n_switches() : switch_at((place){EDGE, p.pod, down});
}

static void describe(FILE *out)
{
    char name[32];
    for (unsigned h = 0; h < n_hosts(); h++)
        (void)fprintf(out,
                      "caguid=0x%x\nCa\t1 \"H-%016x\"\t\t# \"node%u\"\n[1](%x) "
                      "\t\"S-%016x\"[%u]\t\t# lid %u lmc 0 \"%s\" lid %u 4xHDR\n\n",
                      0x10000000 + 2 * h, 0x10000000 + 2 * h, h, 0x10000001 + 2 * h,
                      0x20000000 + h / half, h % half + 1, h + 1, name_of(h / half, name),
                      n_hosts() + 1 + h / half);
    for (unsigned s = 0; s < n_switches(); s++) {
        (void)fprintf(
            out,
            "switchguid=0x%x(%x)\nSwitch\t%u \"S-%016x\"\t\t# \"%s\" base port 0 lid %u lmc 0\n",
            0x20000000 + s, 0x20000000 + s, k, 0x20000000 + s, name_of(s, name), n_hosts() + 1 + s);
        for (unsigned port = 1; port <= k; port++) {
            unsigned there, to = peer(s, port, &there), h = s * half + port - 1;
            if (to == n_switches())
                (void)fprintf(out, "[%u]\t\"H-%016x\"[1](%x) \t\t# \"node%u\" lid %u 4xHDR\n", port,
                              0x10000000 + 2 * h, 0x10000001 + 2 * h, h, h + 1);
            else
                (void)fprintf(out, "[%u]\t\"S-%016x\"[%u]\t\t# \"%s\" lid %u 4xHDR\n", port,
                              0x20000000 + to, there, name_of(to, name), n_hosts() + 1 + to);
        }
        (void)fputc('\n', out);
    }
}

/* ---- the tables ---- */

/* Towards a place at the edge; `nth` spreads over the ways up. */
static unsigned towards_edge(place here, place to, unsigned nth)
{
    if (here.at == CORE)
        return to.pod + 1;
    if (here.at == AGGREGATION)
        return here.pod == to.pod ? to.nth + 1 : half + 1 + nth / half % half;
    return half + 1 + nth % half;
}

/* Towards a switch of the upper levels: up where that leads there, else down to where it does. */
static unsigned towards_upper(place here, place to)
{
    unsigned column = to.at == CORE ? to.pod : to.nth;
    if (here.at == EDGE)
        return half + 1 + column;
    if (here.at == CORE)
        return to.at == CORE ? 1 : to.pod + 1;
    if (here.nth != column)
        return 1;
    return half + 1 + (to.at == CORE ? to.nth : 0);
}

/* The output of a switch for a LID. */
static unsigned output(unsigned s, unsigned lid)
{
    place here = place_of(s);
    if (lid <= n_hosts()) {
        unsigned host = lid - 1;
        return host / half == s ? host % half + 1 : towards_edge(here, place_of(host / half), host);
    }
    unsigned to = lid - 1 - n_hosts();
    if (to == s)
        return 0;
    return place_of(to).at == EDGE ? towards_edge(here, place_of(to), to)
                                   : towards_upper(here, place_of(to));
}

static void dump(FILE *out)
{
    for (unsigned s = 0; s < n_switches(); s++) {
        (void)fprintf(out, "dump_ucast_routes: Switch 0x%016x\nLID    : Port : Hops : Optimal\n",
                      0x20000000 + s);
        for (unsigned lid = 1; lid <= n_hosts() + n_switches(); lid++)
            (void)fprintf(out, "0x%04X : %03u  : 02   : yes\n", lid, output(s, lid));
        (void)fputc('\n', out);
    }
}

static int write_file(const char *folder, const char *name, void (*write)(FILE *out))
{
    char path[4096];
    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *out = fopen(path, "w");
    if (!out)
        return 1;
    write(out);
    return fclose(out) != 0;
}

int main(int argc, char **argv)
{
    if (argc != 3 || (k = (unsigned)strtoul(argv[1], NULL, 10)) < 4 || k > 48 || k % 2)
        return 2;
    half = k / 2;
    return write_file(argv[2], "clos.net", describe) || write_file(argv[2], "clos.fdbs", dump);
}
