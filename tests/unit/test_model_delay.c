/* SPDX-License-Identifier: Apache-2.0 */
/* Delay, queue and buffers of the cut-through model against packets that are walked one by one
 * through queues that are filled customer by customer, and against chains that are summed. */
#include "unit/test_model.h"

#include <stdlib.h>

#define PACKETS 60000
#define LENGTH  64.0

typedef struct walker {
    uint64_t state;
    double rho, header;
    int selection; /* as in selections */
} walker;

static const char *const selections[] = {"oblivious", "random", "dimension-order", "diagonal"};

static double draw(walker *w)
{
    w->state = w->state * 6364136223846793005u + 1442695040888963407u;
    return ((double)(w->state >> 11) + 0.5) * 0x1p-53;
}

/* Those that are served before a packet that finds the link busy (at least one), or maybe idle. */
static double queue(walker *w, bool busy)
{
    double time = 0;
    for (bool there = busy || draw(w) < w->rho; there; there = draw(w) < w->rho)
        time += -LENGTH * log(draw(w));
    return time;
}

/* One node: the way a packet takes, and what it costs. */
static double hop(walker *w, int *x, int *y, bool source)
{
    bool x_busy = draw(w)<w->rho, y_busy = draw(w) < w->rho, both = *x> 0 && *y > 0;
    bool first_x = !both               ? *x > 0
                   : w->selection <= 1 ? draw(w) < 0.5
                                       : w->selection == 2 || *x >= *y;
    bool busy = first_x ? x_busy : y_busy, other = first_x ? y_busy : x_busy;
    bool turn = w->selection > 0 && both && busy && !other;
    bool along_x = first_x != turn;
    *x -= along_x;
    *y -= !along_x;
    if (source) /* the paper's: an M/M/1 queue, whatever was chosen */
        return queue(w, false) - LENGTH * log(draw(w));
    return busy && !turn ? queue(w, true) - LENGTH * log(draw(w)) : w->header;
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

static void walk(walker *w, int h, double *delay)
{
    for (int i = 0; i < PACKETS; i++) {
        int x = (int)(draw(w) * h), y = h - x; /* (0, h) … (h − 1, 1) */
        delay[i] = 0;
        for (bool source = true; x + y > 0; source = false)
            delay[i] += hop(w, &x, &y, source);
    }
    qsort(delay, PACKETS, sizeof *delay, ascending);
}

static void near(double found, double expected, double share)
{
    if (fabs(found - expected) > share * fabs(expected))
        fail_msg("%.9g instead of %.9g", found, expected);
}

static void compare(int selection, const char *rho, int h, double header)
{
    static const int64_t told[] = {10000, 25000, 50000, 75000, 90000, 95000, 99000};
    walker w = {(uint64_t)(selection + 10 * h), strtod(rho, NULL), header, selection};
    double *delay = malloc(PACKETS * sizeof *delay), sum = 0, square = 0;
    walk(&w, h, delay);
    for (int i = 0; i < PACKETS; i++) {
        sum += delay[i] / PACKETS;
        square += delay[i] * delay[i] / PACKETS;
    }
    asked a;
    must_ask(&a, "cut-through h=%d rho=%s selection=%s header=%g delay=400 distribution=true", h,
             rho, selections[selection], header);
    near(answer(&a, "delay"), sum, 0.02);
    near(answer(&a, "delay deviation"), sqrt(square - sum * sum), 0.03);
    int later = 0;
    while (later < PACKETS && delay[PACKETS - 1 - later] > 400)
        later++;
    assert_true(fabs(answer(&a, "later") - (double)later / PACKETS) < 0.009);
    for (size_t i = 0; i < sizeof told / sizeof *told; i++)
        near(answer_at(&a, "delay percentile", "percentile", told[i]),
             delay[(size_t)(PACKETS * told[i] / 100000)], 0.04);
    ask_done(&a);
    free(delay);
}

static void delay_is_that_of_walked_packets(void **state)
{
    (void)state;
    for (int s = 0; s < 4; s++) {
        compare(s, "0.3", 5, 0);
        compare(s, "0.7", 9, 1);
    }
}

/* Of one hop it is that of M/M/1; nothing is idle for long at a high load. */
static void one_hop_is_exponential(void **state)
{
    (void)state;
    asked a;
    must_ask(&a, "cut-through h=1 rho=0.6 delay=250 distribution=true");
    near(answer(&a, "delay"), 160, 1e-12);
    near(answer(&a, "delay deviation"), 160, 1e-12);
    near(answer(&a, "later"), exp(-250 / 160.), 1e-12);
    near(answer_at(&a, "delay percentile", "percentile", 99000), 160 * log(100), 1e-9);
    ask_done(&a);
}

/* The mean of the distribution is the formula's where the paper's holds, and what is cut through is
 * p_c (h − 1) on average. */
static void means_are_the_formulas(void **state)
{
    (void)state;
    for (int s = 0; s < 4; s++)
        for (int h = 2; h <= 12; h += 5)
            for (int torus = 0; torus < 2; torus++) {
                asked a;
                double mean = 0, sum = 0;
                must_ask(&a,
                         "cut-through h=%d rho=0.4 selection=%s ring=%s header=1 "
                         "distribution=true",
                         h, selections[s], torus ? "torus" : "quadrant");
                for (int64_t c = 0; c < h; c++) {
                    mean += (double)c * answer_at(&a, "cut through", "nodes", c);
                    sum += answer_at(&a, "cut through", "nodes", c);
                }
                near(sum, 1, 1e-12);
                near(mean, answer(&a, "cut-through") * (h - 1), 1e-12);
                if (s == 0)
                    near(answer(&a, "delay"), answer(&a, "latency"), 1e-12);
                else
                    assert_true(answer(&a, "delay") < answer(&a, "latency"));
                ask_done(&a);
            }
}

/* Loss of a chain with room for `waiting` packets and one on the link. */
static double chain_loss(double rho, int waiting)
{
    double weight = 1, sum = 1;
    for (int n = 0; n <= waiting; n++) {
        weight *= rho;
        sum += weight;
    }
    return weight / sum;
}

static void buffers_lose_what_is_allowed(void **state)
{
    static const double rhos[] = {0.2, 0.5, 0.9}, losses[] = {1e-2, 1e-6};
    (void)state;
    for (int i = 0; i < 6; i++) {
        double rho = rhos[i / 2], loss = losses[i % 2];
        asked a;
        must_ask(&a, "cut-through h=3 rho=%g loss=%g distribution=true", rho, loss);
        int room = (int)answer(&a, "buffer"), tail = (int)answer(&a, "buffer by overflow");
        assert_true(chain_loss(rho, room) <= loss);
        assert_true(room == 0 || chain_loss(rho, room - 1) > loss);
        assert_true(pow(rho, tail + 2) <= loss && (tail == 0 || pow(rho, tail + 1) > loss));
        double flits = answer(&a, "buffer by flits"), beyond = 0, power = (1 - rho) * rho * rho;
        for (int n = 1; n < 2000; n++, power *= rho) { /* n wait: Erlang(n) */
            double term = exp(-flits / LENGTH), more = term;
            for (int j = 1; j < n; j++) {
                term *= flits / LENGTH / j;
                more += term;
            }
            beyond += power * more;
        }
        near(beyond, flits > 0 ? loss : rho * rho, 1e-9);
        double mean = 0;
        for (int64_t n = 1; n <= 20 && rho < 0.6; n++)
            mean += (double)n * answer_at(&a, "queue length", "packets", n < 10 ? n : 10) *
                    (n < 10 ? 1 : pow(rho, (double)(n - 10)));
        if (rho < 0.6)
            near(mean, answer(&a, "queue"), 1e-3);
        ask_done(&a);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(delay_is_that_of_walked_packets),
        cmocka_unit_test(one_hop_is_exponential),
        cmocka_unit_test(means_are_the_formulas),
        cmocka_unit_test(buffers_lose_what_is_allowed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
