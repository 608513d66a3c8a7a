/* SPDX-License-Identifier: Apache-2.0 */
/* Every number of tests/data/queueing that a model defines, through the models as a person asks
 * them. */
#include "unit/test_model.h"

#include "base/numeric.h"

/* ---- cut-through ---- */

static void cut_through_of_a_quadrant(void **state)
{
    static const char *const selections[] = {"oblivious", "random", "dimension-order", "diagonal"};
    static const char *const names[] = {"oblivious", "passive", "passive", "diagonal"};
    (void)state;
    table t;
    table_open(&t, "a_pc.csv");
    for (size_t row = 0; row < t.csv->rows; row++)
        for (int s = 0; s < 4; s++) {
            asked a;
            char column[60];
            must_ask(&a, "cut-through h=%s rho=%s selection=%s", cell_text(&t, row, "h"),
                     cell_text(&t, row, "rho"), selections[s]);
            if (s > 0) {
                snprintf(column, sizeof column, "P2_%s", names[s]);
                compare_cell(&t, row, column, 0, answer(&a, "two ways"));
            }
            snprintf(column, sizeof column, "pc_%s", names[s]);
            compare_cell(&t, row, column, 0, answer(&a, "cut-through"));
            snprintf(column, sizeof column, "delay64_%s", names[s]);
            compare_cell(&t, row, column, 0, answer(&a, "latency"));
            ask_done(&a);
        }
    table_done(&t, 1320);
}

/* S_h^n and its sum, which is h; the printed recurrence; and P2 by either way. */
static void two_way_nodes_of_diagonal_packets(void **state)
{
    (void)state;
    table t;
    table_open(&t, "a_Shn_diag.csv");
    for (size_t row = 0; row < t.csv->rows;) {
        asked a;
        double h = cell_value(&t, row, "h"), rho = cell_value(&t, row, "rho"), sum = 0, twice = 0;
        must_ask(&a, "cut-through h=%g rho=%g selection=diagonal distribution=true printed=true", h,
                 rho);
        for (; row < t.csv->rows && cell_value(&t, row, "h") == h &&
               cell_value(&t, row, "rho") == rho;
             row++) {
            int64_t n = (int64_t)cell_value(&t, row, "n");
            double s = answer_at(&a, "two-way nodes", "nodes", n);
            compare_cell(&t, row, "S_h_n_bruteforce", 12, s);
            compare_cell(&t, row, "S_h_n_recurrence_as_printed", 12,
                         answer_at(&a, "printed two-way nodes", "nodes", n));
            sum += s;
            twice += n > 1 ? (double)(n - 1) * s : 0;
        }
        assert_true(fabs(sum - h) < 1e-12 * h);
        assert_true(fabs(twice / (h * (h - 1)) - answer(&a, "two ways")) < 1e-14);
        double printed = h + (h - 1) * (1 - 2 * rho * (1 - rho)); /* erratum A1 */
        assert_true(fabs(answer(&a, "printed sum") - printed) < 1e-9);
        assert_true(answer(&a, "printed valid") == 0);
        ask_done(&a);
    }
    table_done(&t, 528);
}

static void two_ways_of_a_torus(void **state)
{
    static const char *const pairs[][3] = {
        {"random", "torus", "P2_rand_ring"},          {"dimension-order", "torus", "P2_dor_ring"},
        {"diagonal", "torus", "P2_diag_ring"},        {"random", "quadrant", "P2_passive_quadrant"},
        {"diagonal", "quadrant", "P2_diag_quadrant"},
    };
    (void)state;
    table t;
    table_open(&t, "a_torus16_ring.csv");
    for (size_t row = 0; row < t.csv->rows; row++)
        for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
            asked a;
            must_ask(&a, "cut-through k=%s h=%s rho=%s selection=%s ring=%s",
                     cell_text(&t, row, "k"), cell_text(&t, row, "h"), cell_text(&t, row, "rho"),
                     pairs[i][0], pairs[i][1]);
            compare_cell(&t, row, pairs[i][2], 0, answer(&a, "two ways"));
            ask_done(&a);
        }
    table_done(&t, 375);
}

/* ---- credit ---- */

static void credit_row(table *t, size_t row)
{
    static const char *const pairs[][2] = {
        {"L1", "packets in node 1"},
        {"L2", "packets in node 2"},
        {"L", "packets"},
        {"T", "throughput of node 2"},
        {"R", "latency"},
        {"T_mu1", "throughput of node 1"},
        {"T_lam", "throughput"},
        {"T_mu1_asprinted", "printed throughput of node 1"},
        {"Ploss", "loss"},
        {"Pblock1", "credit stall"},
        {"R1", "latency in node 1"},
        {"R2", "latency in node 2"},
    };
    asked a;
    must_ask(&a, "credit lambda=5 mu1=6 mu2=8 n=%s m=%s printed=true", cell_text(t, row, "n"),
             cell_text(t, row, "m"));
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        compare_cell(t, row, pairs[i][0], 12, answer(&a, pairs[i][1]));
    double traffic_class = answer(&a, "throughput");
    assert_true(fabs(answer(&a, "throughput of node 1") / traffic_class - 1) < 1e-12);
    assert_true(fabs(answer(&a, "throughput of node 2") / traffic_class - 1) < 1e-12);
    assert_true(answer(&a, "printed valid") == 0);
    ask_done(&a);
}

static void credit_tables(void **state)
{
    static const char *const files[] = {"b_fixed_n12.csv", "b_equal.csv"};
    (void)state;
    for (int f = 0; f < 2; f++) {
        table t;
        table_open(&t, files[f]);
        for (size_t row = 0; row < t.csv->rows; row++)
            credit_row(&t, row);
        table_done(&t, 12 * t.csv->rows);
    }
}

/* A simulation of 1e6 time units without intervals: stated as within 0.4 % of every mean, 1.5 %
 * of losses. */
static void credit_simulations(void **state)
{
    static const char *const pairs[][2] = {{"L1", "packets in node 1"},
                                           {"L2", "packets in node 2"},
                                           {"L", "packets"},
                                           {"T", "throughput"},
                                           {"R", "latency"},
                                           {"Ploss", "loss"}};
    (void)state;
    table t;
    table_open(&t, "b_sim.csv");
    for (size_t row = 0; row < t.csv->rows; row++) {
        asked a;
        must_ask(&a, "credit lambda=5 mu1=6 mu2=8 n=%s m=%s", cell_text(&t, row, "n"),
                 cell_text(&t, row, "m"));
        for (size_t i = 0; i < 6; i++) {
            double found = cell_value(&t, row, pairs[i][0]) / answer(&a, pairs[i][1]) - 1;
            double most = i == 5 ? 0.015 : 0.004;
            t.compared++;
            t.worst = fabs(found) / most > t.worst ? fabs(found) / most : t.worst;
            assert_true(fabs(found) <= most);
        }
        ask_done(&a);
    }
    table_done(&t, 102);
}

/* ---- thresholds ---- */

typedef struct column {
    const char *file, *output;
} column;

static void compare_columns(table *t, size_t row, const asked *a, const column *columns,
                            size_t count)
{
    for (size_t i = 0; i < count; i++)
        compare_cell(t, row, columns[i].file, 10, answer(a, columns[i].output));
}
#define COLUMNS(of) of, sizeof of / sizeof *of

static const column exact[] = {{"L", "packets"}, {"U", "utilisation"},
                               {"B", "loss"},    {"throughput", "throughput"},
                               {"PK", "full"},   {"B_nothr_N8", "loss of one VC"}};

static void check_traffic_class(const asked *a)
{
    double traffic_class = answer(a, "throughput");
    assert_true(fabs(answer(a, "served") / traffic_class - 1) < 1e-12); /* λ (1 − B) = Σ μ_n p_n */
}

static void one_threshold(void **state)
{
    static const column printed[] = {{"thesis_L_5.20", "printed packets"},
                                     {"thesis_rho_5.19", "printed rho"},
                                     {"thesis_U_1-P0", "printed utilisation"},
                                     {"thesis_PK", "printed full"},
                                     {"thesis_sumP", "printed sum"},
                                     {"thesis_y", "printed y"},
                                     {"thesis_x2", "printed x2"},
                                     {"thesis_g2", "printed g2"},
                                     {"B_nothr_K16", "loss of all VCs at the first rate"}};
    static const column frozen[] = {
        {"L_fixrate", "packets"}, {"U_fixrate", "utilisation"}, {"B_fixrate", "loss"}};
    (void)state;
    table t;
    table_open(&t, "c_et.csv");
    for (size_t row = 0; row < t.csv->rows; row++) {
        asked a;
        char line[300];
        snprintf(line, sizeof line,
                 "threshold lambda=%s mu=[8,16] thresholds=[%s] capacity=16 vc=8 ca2=5 cs2=7",
                 cell_text(&t, row, "lambda"), cell_text(&t, row, "T"));
        must_ask(&a, "%s printed=true states=1", line);
        compare_columns(&t, row, &a, COLUMNS(exact));
        compare_columns(&t, row, &a, COLUMNS(printed));
        compare_cell(&t, row, "U1", 10, answer_at(&a, "busy at rate", "rate", 1));
        compare_cell(&t, row, "U2", 10, answer_at(&a, "busy at rate", "rate", 2));
        assert_true(answer(&a, "printed valid") == 0);
        check_traffic_class(&a);
        ask_done(&a);
        must_ask(&a, "%s rate=frozen", line);
        compare_columns(&t, row, &a, COLUMNS(frozen));
        ask_done(&a);
        must_ask(&a, "ge-ge-1-n lambda=%s mu=8 capacity=8 ca2=5 cs2=7",
                 cell_text(&t, row, "lambda"));
        compare_cell(&t, row, "L_nothr_N8", 10, answer(&a, "packets"));
        ask_done(&a);
    }
    table_done(&t, 21 * 21);
}

static void two_thresholds(void **state)
{
    static const column printed[] = {{"thesis_L_5.45", "printed packets"},
                                     {"thesis_L_5.45_with_rho", "printed packets with rho"},
                                     {"thesis_rho_5.44", "printed rho"},
                                     {"thesis_U_1-P0", "printed utilisation"},
                                     {"thesis_PK", "printed full"},
                                     {"thesis_y", "printed y"}};
    static const column frozen[] = {{"L_fixrate", "packets"}, {"B_fixrate", "loss"}};
    (void)state;
    table t;
    table_open(&t, "c_ajt.csv");
    for (size_t row = 0; row < t.csv->rows; row++) {
        asked a;
        char line[300];
        snprintf(line, sizeof line,
                 "threshold lambda=%s mu=[8,16,12] thresholds=[%s,%s] capacity=24 ca2=5 cs2=7",
                 cell_text(&t, row, "lambda"), cell_text(&t, row, "T1"), cell_text(&t, row, "T2"));
        must_ask(&a, "%s printed=true states=1", line);
        compare_columns(&t, row, &a, COLUMNS(exact));
        compare_columns(&t, row, &a, COLUMNS(printed));
        compare_cell(&t, row, "U1", 10, answer_at(&a, "busy at rate", "rate", 1));
        compare_cell(&t, row, "U2", 10, answer_at(&a, "busy at rate", "rate", 2));
        compare_cell(&t, row, "U3", 10, answer_at(&a, "busy at rate", "rate", 3));
        assert_true(answer(&a, "printed valid") == 0);
        check_traffic_class(&a);
        ask_done(&a);
        must_ask(&a, "%s rate=frozen", line);
        compare_columns(&t, row, &a, COLUMNS(frozen));
        ask_done(&a);
    }
    table_done(&t, 21 * 17);
}

static const struct {
    const char *name, *line;
} pmfs[] = {
    {"GEGE1N8", "ge-ge-1-n mu=8 capacity=8 ca2=5 cs2=7 states=99"},
    {"ET_T4", "threshold mu=[8,16] thresholds=[4] capacity=16 ca2=5 cs2=7 states=99"},
    {"ET_T8", "threshold mu=[8,16] thresholds=[8] capacity=16 ca2=5 cs2=7 states=99"},
    {"AJT_T8_16", "threshold mu=[8,16,12] thresholds=[8,16] capacity=24 ca2=5 cs2=7 states=99"},
};

static const char *line_of(const char *name)
{
    for (size_t i = 0; i < sizeof pmfs / sizeof *pmfs; i++)
        if (strcmp(pmfs[i].name, name) == 0)
            return pmfs[i].line;
    fail_msg("%s is not known", name);
    return "";
}

static void distributions(void **state)
{
    (void)state;
    table t;
    table_open(&t, "c_pmf.csv");
    for (size_t row = 0; row < t.csv->rows; row++) {
        asked a;
        must_ask(&a, "%s lambda=%s", line_of(cell_text(&t, row, "model")),
                 cell_text(&t, row, "lambda"));
        compare_cell(&t, row, "p", 14,
                     answer_at(&a, "probability", "packets", (int64_t)cell_value(&t, row, "n")));
        ask_done(&a);
    }
    table_done(&t, 204);
}

/* A cell of a file that rounds what it was computed from: as exact as that allows. */
static void near(table *t, size_t row, const char *name, double ours, double also)
{
    double off = fabs(ours - cell_value(t, row, name));
    double tolerance = half_digit(cell_text(t, row, name)) * 1.000001 + also;
    t->compared++;
    t->worst = off / tolerance > t->worst ? off / tolerance : t->worst;
    if (!(off <= tolerance))
        fail_msg("%s row %zu: %s is %s, ours %.10g", t->file, row + 2, name,
                 cell_text(t, row, name), ours);
}

static void error_measures(void **state)
{
    static const column six[] = {{"L_exact", "packets"},
                                 {"L_correctedME", "packets"},
                                 {"L_thesis", "printed packets"},
                                 {"U_exact", "utilisation"},
                                 {"U_thesis", "printed utilisation"},
                                 {"B_exact", "loss"},
                                 {"PK_exact", "full"},
                                 {"PK_thesis", "printed full"}};
    (void)state;
    table t;
    table_open(&t, "c_error_measures.csv");
    for (size_t row = 0; row < t.csv->rows; row++) {
        asked a;
        must_ask(&a, "%s lambda=%s printed=true", line_of(cell_text(&t, row, "model")),
                 cell_text(&t, row, "lambda"));
        for (size_t i = 0; i < sizeof six / sizeof *six; i++)
            compare_cell(&t, row, six[i].file, 6, answer(&a, six[i].output));
        double sim = cell_value(&t, row, "L_sim");
        double blur = half_digit(cell_text(&t, row, "L_sim")) / sim; /* of the simulated value */
        double of_thesis = fabs(sim - answer(&a, "printed packets")) / sim;
        double of_exact = fabs(sim - answer(&a, "packets")) / sim;
        near(&t, row, "EM_thesis_vs_sim", of_thesis, blur * (1 + of_thesis));
        near(&t, row, "EM_corrected_vs_sim", of_exact, blur * (1 + of_exact));
        ask_done(&a);
    }
    table_done(&t, 140);
}

/* ---- simulated columns, by the z rules ---- */

static double score(double found, double said, double interval)
{
    double t = (found - said) / (interval / 2.262); /* 95 % of 10 batches */
    return copysign(weft_normal_quantile(weft_student_cdf(-fabs(t), 9)), t);
}

static void simulated_tables(void **state)
{
    static const char *const files[][2] = {{"c_et_sim_T8.csv", "ET_T8"},
                                           {"c_ajt_sim_T8_16.csv", "AJT_T8_16"}};
    static const char *const pairs[][3] = {{"L", "L_ci95", "packets"},
                                           {"U", "U_ci95", "utilisation"},
                                           {"B", "B_ci95", "loss"},
                                           {"X", "X_ci95", "throughput"}};
    (void)state;
    for (int metric = 0; metric < 4; metric++) {
        double sum = 0, worst = 0;
        int cells = 0, above = 0;
        for (int f = 0; f < 2; f++) {
            table t;
            table_open(&t, files[f][0]);
            for (size_t row = 0; row < t.csv->rows; row++) {
                asked a;
                must_ask(&a, "%s lambda=%s", line_of(files[f][1]), cell_text(&t, row, "lambda"));
                double z =
                    score(cell_value(&t, row, pairs[metric][0]), answer(&a, pairs[metric][2]),
                          cell_value(&t, row, pairs[metric][1]));
                ask_done(&a);
                cells++;
                above += fabs(z) > 2.58;
                worst = fabs(z) > worst ? fabs(z) : worst;
                sum += z;
            }
            t.compared = t.csv->rows;
            table_done(&t, 7);
        }
        print_message("%s: %d cells, max |score| %.2f, %d above 2.58, mean %+.3f\n",
                      pairs[metric][0], cells, worst, above, sum / cells);
        assert_true(worst <= 4);
        assert_true(above <= 1); /* of 14 */
        assert_true(fabs(sum / cells) <= 3 / sqrt(cells));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cut_through_of_a_quadrant),
        cmocka_unit_test(two_way_nodes_of_diagonal_packets),
        cmocka_unit_test(two_ways_of_a_torus),
        cmocka_unit_test(credit_tables),
        cmocka_unit_test(credit_simulations),
        cmocka_unit_test(one_threshold),
        cmocka_unit_test(two_thresholds),
        cmocka_unit_test(distributions),
        cmocka_unit_test(error_measures),
        cmocka_unit_test(simulated_tables),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
