/* SPDX-License-Identifier: Apache-2.0 */
/* The reference page of results: every metric and array that a run, a search or the laboratory
 * writes, and the tables of the file. A test holds the names of real results against it. */
#include "base/text.h"
#include "interweft/result.h"

#include <stddef.h>

typedef struct row {
    const char *name, *by, *unit, *meaning; /* name NULL: meaning is a heading */
} row;

#define LATENCY_UNIT "cycles or ns"

static const row metrics[] = {
    {NULL, "", "", "Traffic, for the whole network and for each class"},
    {"offered load", "", "fraction", "load that was asked for, of the injection bandwidth"},
    {"offered rho", "", "fraction", "the same as mean utilisation of the links"},
    {"offered rate", "", "messages per time", "the same in messages of an endpoint"},
    {"accepted", "", "fraction", "flits delivered, of the injection bandwidth"},
    {"latency", "", LATENCY_UNIT,
     "mean, from the arrival of a message at its source to its last "
     "flit"},
    {"latency", "percentile", LATENCY_UNIT, "index 99000 is the 99 % percentile"},
    {"latency", "hops", LATENCY_UNIT, "mean of the messages of `index` hops (`measure.by`)"},
    {"latency", "bound, model", LATENCY_UNIT, "what theory says of the mean"},
    {"accepted", "bound, model", "fraction", "what theory says of the greatest load"},
    {"latency deviation", "", LATENCY_UNIT, "standard deviation over messages"},
    {"latency per hop", "", LATENCY_UNIT, "mean of latency divided by hops"},
    {"message latency", "", LATENCY_UNIT, "another name of latency"},
    {"message latency", "percentile", LATENCY_UNIT, "likewise"},
    {"completion", "", LATENCY_UNIT,
     "of a job: from its start to the end of its last rank; without class: when all jobs had "
     "ended"},
    {"completion", "mean, min", LATENCY_UNIT, "mean and least over the ranks of a job"},
    {"completion", "alone", LATENCY_UNIT,
     "of a job by itself on the same endpoints (`measure.alone`)"},
    {"completion", "bound", LATENCY_UNIT,
     "of a job: 0: on its hosts with the latency of every pair and no contention between them "
     "(LogGP), 1: until its busiest link has carried all of its messages, 2: of a collective, "
     "rounds "
     "· α + bytes · β (Thakur, Rabenseifner and Gropp) with the least latency of its messages"},
    {"slowdown", "ideal", "times", "completion of a job by bound 0"},
    {"slowdown", "", "times", "completion of a job in the mix by that alone"},
    {"repetition", "", LATENCY_UNIT,
     "of a job that repeats its program: mean time from the end of one repetition to that of the "
     "next, each at its last rank"},
    {"repetition", "min, max", LATENCY_UNIT, "least and greatest of these"},
    {"flow time", "below 10 kB, 10 to 100 kB, 0.1 to 1 MB, 1 MB and more", LATENCY_UNIT,
     "of a job's messages of such sizes: from when one is handed to the network until all of it "
     "has "
     "arrived; `index` 0: mean, else the percentile in 1/1000 %"},
    {"flow slowdown", "the same", "times",
     "mean flow time by the mean of what these messages take alone in the network"},
    {"time share", "compute, messages, network, wait", "fraction",
     "of the time of a job's CPUs: computing, for sending and receiving (o and O), idle while the "
     "message that they go on with was on its way, idle before it was sent or at the end"},
    {"algorithm bandwidth", "", "GB/s or B/cycle",
     "bytes of a collective by the mean time of a repetition, as nccl-tests print it"},
    {"bus bandwidth", "", "GB/s or B/cycle",
     "of that what a rank's link carries: × 2 (n − 1) / n of an allreduce, (n − 1) / n of an "
     "allgather, a reduce-scatter and an all-to-all, 1 of a broadcast and a reduce"},
    {"critical path", "compute, overhead, injection, network, waiting", LATENCY_UNIT,
     "of a job (`measure.timeline`): time of the chain of operations and messages that decided its "
     "end, all five together its completion: calculations; CPU for messages; earlier bytes of a "
     "rank leaving by its link; messages under way as in an empty network; what they took longer. "
     "`n` counts the steps"},
    {"path wait", "name of a link", LATENCY_UNIT,
     "of a job (`measure.timeline: operations`, input-queued routers): the messages of its "
     "critical "
     "path a packet of which waited longest at this link, and the sum of these waits; at most 16 "
     "links, the longest first. `n` counts the messages"},
    {"timeline bin", "", LATENCY_UNIT, "width of the bins of `rank states`; `n` is their number"},
    {"hops", "", "hops", "mean path length of packets"},
    {"packets", "hops", "packets", "how many had `index` hops"},
    {"population", "", "packets or messages", "mean number in the system, sources included"},
    {"utilisation", "", "fraction", "mean utilisation of the links, counted at arrivals"},
    {"loss", "", "fraction", "packets dropped, of those generated"},
    {"server utilisation", "", "fraction", "of the servers of a single queue"},
    {"hurst", "", "exponent",
     "Hurst parameter of the arrivals (`measure.hurst`): 0.5 without long memory, towards 1 "
     "self-similar; `n` counts the sampling intervals"},
    {"hurst scale", "", LATENCY_UNIT, "least time scale at which it holds"},
    {"in time", "", "fraction",
     "messages delivered within the deadline of their class (`traffic.x.deadline`), of those "
     "delivered"},
    {"guarantee met", "", "fraction",
     "sampling intervals in which the class got its guarantee (`traffic.x.guarantee`); `n` counts "
     "them"},
    {"jitter", "", LATENCY_UNIT,
     "99 % less 1 % percentile of latency, of classes with a service, deadline or guarantee"},
    {"fairness", "", "fraction", "Jain's index over the sources"},
    {"accepted per source", "least, greatest", "fraction", "of the source served worst, and best"},
    {NULL, "", "", "Cut-through"},
    {"cut-through", "", "fraction", "hops that found their output free, of those that could"},
    {"cut-through", "hops", "fraction", "of packets of `index` hops"},
    {"cut-through after cut-through", "hops", "fraction", "given that the hop before cut through"},
    {"cut-through after blocking", "hops", "fraction", "given that it was blocked"},
    {"cut-through", "pair", "fraction",
     "on the pair of links, into a router and out of it, that most packets pass "
     "(`measure.devices`)"},
    {"cut-through after cut-through", "pair", "fraction", "likewise"},
    {"cut-through after blocking", "pair", "fraction", "likewise"},
    {"cut-through dependence", "hops", "fraction", "the first less the second"},
    {"cut-through spread", "hops", "variance / binomial",
     "variance of the number of cut-throughs "
     "over that of independent hops"},
    {NULL, "", "", "Links, ports, routers"},
    {"link utilisation", "mean, max", "fraction",
     "busy time of links, in the span at the end of "
     "the run that `n` tells in ticks: its last quarter at least"},
    {"link series bin", "", LATENCY_UNIT,
     "width of the bins of `link series`; `n` is their number"},
    {"port load", "mean, max", "fraction", "busy time of ports (`measure.devices`)"},
    {"buffer occupancy", "mean, max", "flits", "in the buffers of ports"},
    {"credit stalls", "mean, max", "fraction",
     "of the time an output was free and wanted, but had no credits"},
    {"router occupancy", "router", "packets", "in the queue of router `index`"},
    {"router stalls", "router", "fraction", "of the time it lacked credits"},
    {NULL, "", "", "The run"},
    {"generated", "", "packets or messages", "in the whole run"},
    {"delivered", "", "packets or messages", "likewise"},
    {"in flight", "", "packets or messages", "at its end"},
    {"waiting", "", "packets or messages", "at their sources, at its end"},
    {"lost", "", "packets or messages", "dropped by a rule of a router"},
    {"time", "", LATENCY_UNIT, "simulated"},
    {"warm-up", "", LATENCY_UNIT, "left out at the beginning"},
    {"half-width", "", "fraction",
     "of the interval of the mean latency; `n` is its number of "
     "batches, method says what ended the run"},
    {"tick", "", "ps", "the unit of simulated time, where the scenario has seconds"},
    {NULL, "", "", "Searches (`weft saturate`)"},
    {"saturation load", "", "fraction",
     "greatest load found stable; `hi` is the least found "
     "unstable"},
    {"saturation load", "bound", "fraction", "no load above it can be carried"},
    {"saturation rho", "", "fraction", "the same as mean utilisation of the links"},
    {"accepted at load 1", "", "fraction", "what full buffers carry"},
    {"load from empty", "", "fraction", "carried only until the network is congested"},
    {"offered load", "probe", "fraction", "of probe `index`, from 1; method is its verdict"},
    {"accepted", "probe", "fraction", "of the probe"},
    {"delivered", "probe", "packets", "in the probe"},
    {NULL, "", "", "The crossbar laboratory (`weft crossbar`)"},
    {"throughput", "", "fraction", "mean over workload matrices, or of one"},
    {"throughput", "worst, lot", "fraction",
     "of the `index`-th worst matrix; of one with random arrivals"},
    {"worst", "", "fraction", "least throughput of a matrix"},
    {"best", "", "fraction", "greatest"},
    {"deviation", "", "fraction", "standard deviation over matrices"},
    {"absolute-deviation", "", "fraction", "mean absolute deviation"},
    {"matrices", "", "matrices", "how many were tried"},
    {"unsettled", "", "matrices", "how many had not come to a steady state"},
    {"longest run", "", "slots", "of a matrix, with the paper's stop rule (`stop: paper`)"},
    {"guarantee", "", "fraction", "least share of what it offers that a flow gets"},
    {"jitter", "", "slots", "longest less shortest gap between the cells of a flow"},
};

static const row arrays[] = {
    {"latency", "histogram", "ticks", "packets by latency; x is the lower edge of a bin"},
    {"latency model", "histogram", "ticks", "what a model says of it"},
    {"rank end", "series", "rank", "tick in which every rank of a job had ended"},
    {"repetition end", "series", "repetition",
     "tick in which the last rank had ended it; of more than 1,024 every n-th"},
    {"link series", "matrix", "ticks",
     "a row for each of the 64 busiest links (`measure.link-series`): its row in the table of "
     "links, "
     "from 0, then its busy ticks in every time bin"},
    {"rank states", "matrix", "ticks",
     "a column for each time bin, two rows for each rank of a job: calculations, CPU for messages"},
    {"operations", "matrix", "ticks",
     "a row for each operation of a job (`measure.timeline: operations`): rank, number, kind (0 "
     "calculation, 1 send, 2 receive), ready or posted, on its CPU from and until, other rank, "
     "bytes, its message handed over and arrived (-1: none)"},
    {"message bytes", "matrix", "bytes",
     "from rank (rows) to rank (columns); of more than 256 ranks: from group to group of equally "
     "many"},
    {"critical path", "matrix", "ticks",
     "a row for each step, in order of time: part (0 compute, 1 overhead, 2 injection, 3 network), "
     "rank, number of the operation, from, until, rank that the message goes to, its bytes (0: a "
     "request or an answer), zero-load time (-1: no message, or not known)"},
    {"path waits", "matrix", "ticks",
     "two for each step of the critical path: the `index` of the `path wait` at whose link a "
     "packet "
     "of the message waited longest (-1: none), and how long"},
    {"generated", "series", "ticks", "messages in every bin of `measure.series`, x is its start"},
    {"delivered", "series", "ticks", "likewise"},
    {"latency sum", "series", "ticks", "sum of the latencies of those delivered, in ticks"},
    {"population", "series", "ticks", "messages in the system at the end of the bin"},
    {"sent by N", "series", "ticks",
     "what endpoint N sent in every bin (`measure.rates`), in millionths of its link's rate"},
    {"rate of N", "series", "ticks",
     "rate that its response allows it at the end of the bin, in millionths of the greatest"},
    {"port busy", "matrix", "ticks",
     "a row for each router, a column for each port or VC "
     "(`measure.devices`); the unit tells the span"},
    {"port occupancy", "matrix", "flits × ticks", "likewise"},
    {"port flits", "matrix", "flits", "likewise"},
    {"port stalls", "matrix", "ticks", "likewise"},
    {"cut-throughs by hops", "matrix", "packets", "by hops (rows) and cut-throughs (columns)"},
    {"cut-through after cut-through", "matrix", "packets",
     "a row for each router, a column for "
     "each port"},
    {"blocking after cut-through", "matrix", "packets", "likewise"},
    {"cut-through after blocking", "matrix", "packets", "likewise"},
    {"blocking after blocking", "matrix", "packets", "likewise"},
    {"throughput", "histogram", "1/1000", "matrices by throughput (`weft crossbar`)"},
    {"throughputs", "matrix", "", "numerator, denominator and number of matrices"},
    {"matrix 1", "matrix", "cells", "the worst workload matrix; then matrix 2 …"},
};

static const row tables[] = {
    {"run", "", "", "one row: title, scenario (YAML with its `vary` grid)"},
    {"point", "", "",
     "id, key (`routing.selection=diagonal traffic.all.rho=0.3`), settings (YAML, "
     "defaults filled in), verdict, saturated (0 or 1)"},
    {"metric", "", "",
     "point, name, class (empty: all traffic), by, index, value, lo, hi, n "
     "(observations), unit, method. lo and hi are NULL where there is no interval; "
     "method then says why"},
    {"histogram", "", "", "point, name, class, unit (of x), x, y"},
    {"series", "", "", "point, name, class, unit (of x), x, y"},
    {"matrix", "", "", "point, name, class, unit, columns, y row by row; only if there is any"},
    {"links", "", "",
     "point, index (router × ports + port), name, busy and span in ticks: the ten "
     "busiest, or all (`measure.links`)"},
    {"provenance", "", "",
     "point, finished, host, version, build (compiler, and a checksum of the point's rows), "
     "wall_seconds, peak_bytes; no part of the result bytes"},
};

static void add_rows(weft_text *text, const char *head, const row *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const row *r = &rows[i];
        if (!r->name)
            weft_text_add(text, "\n### %s\n", r->meaning);
        if (!r->name || (i == 0 && r->name))
            weft_text_add(text, "\n%s", head);
        if (r->name)
            weft_text_add(text, "| `%s` | %s | %s | %s |\n", r->name, r->by, r->unit, r->meaning);
    }
}

char *weft_result_page(void)
{
    weft_text text;
    weft_text_init(&text);
    weft_text_add(
        &text, "# Results\n\nWhat a results file holds: one SQLite database, written by `weft "
               "run`, `saturate`, `crossbar`, `model -o` and `reproduce`. [How to read "
               "it](../howto/results.md) in Python, R and the shell.\n\n## Metrics\n\nRows of "
               "the table `metric`. The outputs of a model are metrics too: [model](model.md).\n");
    add_rows(&text, "| name | by | unit | meaning |\n|---|---|---|---|\n", metrics,
             sizeof metrics / sizeof *metrics);
    weft_text_add(&text, "\n## Arrays\n\nRows of the tables `histogram`, `series` and `matrix`. x "
                         "and y are blobs of 64-bit integers, little-endian.\n");
    add_rows(&text, "| name | table | unit | meaning |\n|---|---|---|---|\n", arrays,
             sizeof arrays / sizeof *arrays);
    weft_text_add(&text, "\n## Tables\n\nSQLite's application_id is 0x57656674 (Weft), its "
                         "user_version the format, 1.\n\n| table | columns |\n|---|---|\n");
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
        weft_text_add(&text, "| `%s` | %s |\n", tables[i].name, tables[i].meaning);
    return weft_text_take(&text);
}
