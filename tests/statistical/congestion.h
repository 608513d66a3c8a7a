/* SPDX-License-Identifier: Apache-2.0 */
/* Two switches joined by one link, as in chapter 3 of the thesis: flows of low and high priority
 * from both to an endpoint at the second (the root of the congestion), and a victim that only
 * shares the link. Against an independent event simulation (tests/data/queueing/d_*.csv), means of
 * four seeds without errors: the deviation of ours stands for both.
 *
 * All its links take the same time for a packet and none for a credit, so many things happen in the
 * same instant, and their order matters. A simulation of ours without latencies has its numbers
 * with this order: a packet arrives before another one leaves the buffer (which is full more often
 * so); the root link takes its next packet before the input that has just sent one to the victim's
 * endpoint is free, which counts with FIFOs only; ACKs without delay come after what sources do.
 * Here the same comes about by small times: a credit is on its way when the last flit of 4 ns
 * starts, and takes 1 ns; the link to the victim's endpoint is slower by 1/1000; ACKs take 10 ns.
 *
 * Sources start at the full rate, and deep buffers need 20 ms to forget that. */
#ifndef WEFT_TEST_CONGESTION_H
#define WEFT_TEST_CONGESTION_H

#include "statistical/support.h"

#ifndef SEEDS
#define SEEDS 8
#endif
#define THEIR_SEEDS 4
#define SCORE_MOST  4.0
#define RATE_MOST   (1e9 / 2068) /* packets per second of a link */
/* Of a link's rate: a tolerance where hardly anything is random. Warm-up and ties of theirs are not
 * given, and weigh more there than seeds. */
#define EXACT       1e-3
#define STILL       1e-4 /* an error below this part of a link's rate is hardly any */

enum { LOW_A, HIGH_A, LOW_B, HIGH_B, VICTIM, FLOWS };

typedef struct congestion {
    char law[2][16]; /* of low and high priority; "none": no control */
    int least[2];    /* the minimum rate is the least-th part of the maximum */
    double reference;
    double ack_us;
    int buffer;               /* packets */
    bool voq, victim, shared; /* shared: both flows of a switch come from one endpoint */
    bool victim_law;          /* the victim has the law of high priority with the minimum of low */
} congestion;

/* "PIPD256/FIMD128", or "noCC". */
static inline void read_laws(congestion *of, const char *text)
{
    char low[8] = "none", high[8] = "none";
    of->least[0] = of->least[1] = 256;
    if (strncmp(text, "noCC", 4) != 0)
        assert_int_equal(
            sscanf(text, "%4[A-Z]%d/%4[A-Z]%d", low, &of->least[0], high, &of->least[1]), 4);
    for (int i = 0; i < 2; i++) {
        const char *name = i ? high : low;
        if (strcmp(name, "PIPD") == 0)
            snprintf(of->law[i], sizeof of->law[i], "pipd");
        else
            snprintf(of->law[i], sizeof of->law[i], "%s",
                     strcmp(name, "FIMD") == 0 ? "fimd" : "none");
    }
}

static inline void write_flow(const congestion *of, int flow, char *text, size_t room)
{
    static const char *const names[FLOWS] = {"a1", "a2", "b1", "b2", "v"};
    static const int from[2][FLOWS] = {{0, 1, 4, 5, 2}, {0, 0, 4, 4, 2}};
    int high = flow == HIGH_A || flow == HIGH_B, law_of = high || flow == VICTIM;
    char law[64] = "";
    if (strcmp(of->law[law_of], "pipd") == 0)
        snprintf(law, sizeof law, ", response: {kind: pipd, reference: %.17g}", of->reference);
    else if (strcmp(of->law[law_of], "none") != 0)
        snprintf(law, sizeof law, ", response: %s", of->law[law_of]);
    if (flow == VICTIM && !of->victim_law) /* it does not listen, but its gaps are drawn too */
        snprintf(law, sizeof law, ", response: {kind: none}");
    snprintf(text, room,
             "  %s: {from: %d, to: %d, arrival: periodic, length: 2068 B, load: 1%s, min-rate: "
             "%.17g, max-rate: %.17g}\n",
             names[flow], from[of->shared][flow], flow == VICTIM ? 7 : 6, law,
             1.0 / of->least[high], RATE_MOST);
}

/* Packets per second that arrive, by flow. */
static inline void run_congestion(const congestion *of, int seed, double rates[FLOWS])
{
    char flows[FLOWS][224] = {"", "", "", "", ""};
    trial run;
    for (int f = 0; f < FLOWS; f++)
        if (f != VICTIM || of->victim)
            write_flow(of, f, flows[f], sizeof flows[f]);
    trial_run(
        &run, seed,
        "interweft: 1\ntopology: {kind: full, routers: 2, hosts: 4}\n"
        "links: {rate: 8 Gb/s, flit: 4 B, latency: 1 ns, where: {host 7: {rate: 7.992008 Gb/s}}}\n"
        "routing: {kind: dimension-order}\n"
        "router: {kind: input-queued, vcs: 1, buffer: %d packets, queues: %s, switching: "
        "store-and-forward, route: 0 ns, allocate: 0 ns, crossbar: 0 ns, marking: full}\n"
        "endpoint: {ack-delay: %.0f ns}\ntraffic:\n%s%s%s%s%s"
        "measure: {half-width: 0.0001%%, warmup: 40 ms, limit: {time: 400 ms}}\n",
        of->buffer, of->voq ? "voq, input-speedup: 2" : "fifo",
        of->ack_us > 0 ? of->ack_us * 1000 : 10, flows[0], flows[1], flows[2], flows[3], flows[4]);
    for (int f = 0; f < FLOWS; f++)
        rates[f] = 0;
    for (size_t i = 0, f = 0; i < run.point.n_metrics; i++) {
        const weft_metric *metric = &run.point.metrics[i];
        if (strcmp(metric->name, "accepted") == 0 && *metric->of && !*metric->by)
            rates[f++] = metric->value * RATE_MOST;
    }
    trial_done(&run);
}

/* Notes how far a mean of ours is from one of theirs; exact: nothing is random. */
static inline void hold(board *scores, bool exact, const char *what, const sample *ours,
                        double theirs)
{
    double error = sample_deviation(ours) * sqrt(1.0 / ours->count + 1.0 / THEIR_SEEDS);
    double apart = ours->mean - theirs, score = error > 0 ? apart / error : 0;
    print_message(" %s %.0f (%.0f, %+.1f)", what, ours->mean, theirs, score);
    if (exact || error < STILL * RATE_MOST)
        assert_true(fabs(apart) <= EXACT * RATE_MOST);
    else
        board_add(scores, score);
}

static inline FILE *open_table(const char *name, char *row, int room)
{
    char path[512];
    snprintf(path, sizeof path, "%s/queueing/%s", WEFT_TEST_DATA, name);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    assert_non_null(fgets(row, room, file));
    return file;
}

static inline void check_scores(const board *scores, const char *table)
{
    print_message("%s: %d cells, largest |score| %.2f, %d above 2.58, mean %+.2f\n", table,
                  scores->cells, scores->worst, scores->above, scores->sum / scores->cells);
    assert_true(scores->cells > 0 && scores->worst <= SCORE_MOST);
}

/* Rows of d_victim.csv that are wanted. */
static inline void compare_victims(bool (*wanted)(const char *laws, int buffer))
{
    char row[512];
    FILE *file = open_table("d_victim.csv", row, sizeof row);
    board scores = {0};
    while (fgets(row, sizeof row, file)) {
        congestion of = {.reference = 1000, .voq = true, .victim = true};
        char laws[64];
        double victim, remote, local, rates[FLOWS];
        sample found[3] = {0};
        assert_int_equal(sscanf(row, "%63[^,],%d,%lf,%*f,%*f,%*f,%lf,%lf", laws, &of.buffer,
                                &victim, &remote, &local),
                         5);
        if (!wanted(laws, of.buffer))
            continue;
        of.victim_law = !strstr(laws, "uncontrolled");
        read_laws(&of, laws);
        for (int seed = 1; seed <= SEEDS; seed++) {
            run_congestion(&of, seed, rates);
            sample_add(&found[0], rates[VICTIM]);
            sample_add(&found[1], rates[LOW_A] + rates[HIGH_A]);
            sample_add(&found[2], rates[LOW_B] + rates[HIGH_B]);
        }
        bool exact = strcmp(of.law[0], "none") == 0;
        print_message("%s, %d packets:", laws, of.buffer);
        hold(&scores, exact, "victim", &found[0], victim);
        hold(&scores, exact, "remote", &found[1], remote);
        hold(&scores, exact, "local", &found[2], local);
        print_message("\n");
    }
    fclose(file);
    if (scores.cells)
        check_scores(&scores, "d_victim.csv");
}

/* What holds in all rows of the table whose minimum rates differ by a factor of two: the root link
 * carries more than the link of the switches, that is the local flows more than the victim; with
 * FIMD a flow of high priority gets 2 to 3.4 times as much as one of low priority. Each must not
 * be refuted by 4 standard errors. Whether PIPD is better than FIMD depends on its reference rate
 * and on the minimum rates: no trend. */
static inline void check_trends(const char *laws, const sample *flows)
{
    if (!strstr(laws, "/PIPD128") && !strstr(laws, "/FIMD128"))
        return;
    double local = flows[LOW_B].mean + flows[HIGH_B].mean - flows[VICTIM].mean, error = 0;
    for (int f = LOW_B; f <= VICTIM; f++)
        error += sample_error(&flows[f]);
    assert_true(local > -SCORE_MOST * error);
    for (int low = LOW_A; low <= LOW_B && strcmp(laws, "FIMD256/FIMD128") == 0; low += 2) {
        const sample *high = &flows[low + 1];
        double mean = flows[low].mean, unsure = SCORE_MOST * sample_error(&flows[low]);
        double more = SCORE_MOST * sample_error(high);
        assert_true(high->mean + more > 2 * (mean - unsure));
        assert_true(high->mean - more < 3.4 * (mean + unsure));
    }
}

/* Rows of d_scenario.csv that are wanted. Without a victim every packet of a switch has the same
 * output, so FIFO and VOQ are the same, in the table too: those rows are run once. */
static inline void compare_flows(bool (*wanted)(const char *row, int buffer))
{
    char row[1024];
    FILE *file = open_table("d_scenario.csv", row, sizeof row);
    board scores = {0};
    while (fgets(row, sizeof row, file)) {
        static const char *const names[FLOWS] = {"a1", "a2", "b1", "b2", "victim"};
        congestion of = {.buffer = 8};
        char laws[64];
        int topology, victim, voq;
        double theirs[FLOWS], rates[FLOWS];
        sample found[FLOWS] = {0};
        assert_int_equal(sscanf(row, "%63[^,],%d,%d,%lf,%lf,%d,%lf,%lf,%lf,%lf,%lf", laws,
                                &topology, &victim, &of.reference, &of.ack_us, &voq, &theirs[0],
                                &theirs[1], &theirs[2], &theirs[3], &theirs[4]),
                         11);
        if (!wanted(row, of.buffer) || (!victim && !voq))
            continue;
        of.victim = of.victim_law = victim;
        of.voq = voq;
        of.shared = topology == 1;
        read_laws(&of, laws);
        for (int seed = 1; seed <= SEEDS; seed++) {
            run_congestion(&of, seed, rates);
            for (int f = 0; f < FLOWS; f++)
                sample_add(&found[f], rates[f]);
        }
        print_message("%s, topology %d, reference %g, ACK %g us, voq %d:", laws, topology,
                      of.reference, of.ack_us, voq);
        for (int f = 0; f < FLOWS; f++)
            if (f != VICTIM || victim)
                hold(&scores, strcmp(of.law[0], "none") == 0, names[f], &found[f], theirs[f]);
        print_message("\n");
        check_trends(laws, found);
    }
    fclose(file);
    if (scores.cells)
        check_scores(&scores, "d_scenario.csv");
}

#endif
