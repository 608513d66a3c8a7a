/* SPDX-License-Identifier: Apache-2.0 */
/* VL arbitration: every row of f_vlarb.csv through the model as a person asks it; the arbiter
 * against one that writes down the entry it picked, on random tables and requests. */
#include "unit/test_model.h"

#include "interweft/random.h"
#include "sched/vl_arbitration.h"

/* ---- shares ---- */

/* The settings of every row of the file, in its order. */
static const char *const cases[] = {
    "low-vls=[0,1] low-weights=[30,10] bytes=[64]",
    "low-vls=[0,1] low-weights=[30,10]",
    "low-vls=[0,1] low-weights=[255,85]",
    "low-vls=[0,1] low-weights=[132,33]",
    "low-vls=[0,1] low-weights=[20,20] bytes=[2068,276]",
    "high-vls=[1] high-weights=[255] low-vls=[0] low-weights=[255] limit=0",
    "high-vls=[1] high-weights=[255] low-vls=[0] low-weights=[255] limit=1",
    "high-vls=[1] high-weights=[255] low-vls=[0] low-weights=[255] limit=2",
    "high-vls=[1] high-weights=[255] low-vls=[0] low-weights=[255] limit=4",
    "high-vls=[1] high-weights=[255] low-vls=[0] low-weights=[255] limit=10",
    "high-vls=[1] high-weights=[255] low-vls=[0] low-weights=[255] limit=254",
    "high-vls=[1] high-weights=[255] low-vls=[0] low-weights=[255] limit=255",
    "high-vls=[1] high-weights=[255] low-vls=[0,2] low-weights=[30,90] limit=4",
};
#define CASES (sizeof cases / sizeof *cases)

/* "VL0=0.7500 VL1=0.2500", VLs that send nothing left out. */
static void write_shares(const asked *a, char *text, size_t room)
{
    size_t used = 0;
    text[0] = 0;
    for (int64_t vl = 0; vl < 15; vl++) {
        const weft_metric *m = weft_point_metric(a->point, "share", "", "VL", vl);
        if (m && m->value > 0)
            used += (size_t)snprintf(text + used, room - used, "%sVL%d=%.4f", used ? " " : "",
                                     (int)vl, m->value);
    }
}

static void shares_of_the_reference(void **state)
{
    (void)state;
    table t;
    table_open(&t, "f_vlarb.csv");
    assert_int_equal(t.csv->rows, CASES);
    for (size_t row = 0; row < CASES; row++) {
        asked a;
        char text[200];
        must_ask(&a, "vl-arbitration %s", cases[row]);
        write_shares(&a, text, sizeof text);
        assert_string_equal(text, cell_text(&t, row, "vl_shares"));
        t.compared++;
        ask_done(&a);
    }
    table_done(&t, CASES);
}

static double share_of(const char *settings, int64_t vl)
{
    asked a;
    must_ask(&a, "vl-arbitration %s", settings);
    double share = answer_at(&a, "share", "VL", vl);
    ask_done(&a);
    return share;
}

static void weights_are_rounded_to_packets(void **state)
{
    (void)state;
    assert_true(share_of("low-vls=[0,1] low-weights=[20,20] bytes=[64]", 0) == 0.5);
    assert_true(share_of("low-vls=[0,1] low-weights=[20,20]", 0) == 0.5);
    assert_true(share_of("low-vls=[0,1] low-weights=[30,10] bytes=[64]", 0) == 0.75);
    assert_true(share_of("low-vls=[0,1] low-weights=[30,10] bytes=[2068]", 0) == 0.5);
    assert_true(share_of("low-vls=[0,1,0] low-weights=[1,1,1] bytes=[64]", 0) == 2.0 / 3);
    assert_true(share_of("low-vls=[0,1,2] low-weights=[1,0,1] bytes=[64]", 2) == 0.5);
    for (int limit = 0; limit <= 254; limit++) { /* k / (k + 1), in packets: k = max(1, limit) */
        char line[200];
        snprintf(line, sizeof line,
                 "high-vls=[1] high-weights=[9] low-vls=[0] low-weights=[7] limit-unit=packets "
                 "limit=%d",
                 limit);
        double k = limit > 1 ? limit : 1;
        assert_true(fabs(share_of(line, 1) - k / (k + 1)) < 1e-15);
    }
}

#define EIGHT      "1,1,1,1,1,1,1,1"
#define SIXTY_FOUR EIGHT "," EIGHT "," EIGHT "," EIGHT "," EIGHT "," EIGHT "," EIGHT "," EIGHT

static void wrong_tables_are_named(void **state)
{
    (void)state;
    assert_true(share_of("high-vls=[" SIXTY_FOUR "] high-weights=[" SIXTY_FOUR "]", 1) == 1);
    const char *const wrong[][2] = {
        {"vl-arbitration", "low-vls: no table has an entry with a weight above 0"},
        {"vl-arbitration low-vls=[0] low-weights=[0]", "low-vls: no table has an entry"},
        {"vl-arbitration low-vls=[0,1] low-weights=[3]", "low-weights must have one number for"},
        {"vl-arbitration low-vls=[15] low-weights=[3]", "low-vls"},
        {"vl-arbitration low-vls=[0] low-weights=[256]", "low-weights"},
        {"vl-arbitration high-vls=[" SIXTY_FOUR ",1] high-weights=[" SIXTY_FOUR ",1]",
         "high-vls has 65 entries; at most 64 would be right"}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        asked a;
        weft_error err;
        assert_int_equal(ask(&a, &err, wrong[i][0]), WEFT_BAD_INPUT);
        assert_non_null(strstr(err.text, wrong[i][1]));
        ask_done(&a);
    }
}

/* ---- the arbiter ---- */

typedef struct naive { /* remembers what it picked */
    int entry[2], left[2], picked, table;
    long sent;
} naive;

static int naive_find(const weft_vl_table *of, naive *it, int which, uint32_t asking)
{
    for (int i = it->left[which] > 0 ? 0 : 1; i <= (int)of->count && of->count; i++) {
        int entry = (it->entry[which] + i) % (int)of->count;
        const weft_vl_entry *e = &of->at[entry];
        if (e->weight && e->vl != 15 && asking >> e->vl & 1)
            return entry;
    }
    return -1;
}

static int naive_pick(const weft_vl_tables *tables, naive *it, uint32_t asking)
{
    int high = naive_find(&tables->high, it, 0, asking);
    int low = naive_find(&tables->low, it, 1, asking);
    long most = tables->limit_in_packets ? tables->limit : 4096l * tables->limit;
    bool spent = tables->limit != 255 && it->sent && it->sent >= most;
    if (spent && low < 0 && high >= 0)
        it->sent = 0; /* the opportunity was there */
    it->table = low >= 0 && (high < 0 || spent);
    it->picked = it->table ? low : high;
    if (it->picked < 0)
        return -1;
    return (it->table ? &tables->low : &tables->high)->at[it->picked].vl;
}

static void naive_send(const weft_vl_tables *tables, naive *it, uint32_t bytes)
{
    const weft_vl_table *of = it->table ? &tables->low : &tables->high;
    if (it->entry[it->table] != it->picked || it->left[it->table] <= 0)
        it->left[it->table] = of->at[it->picked].weight;
    it->entry[it->table] = it->picked;
    it->left[it->table] -= (int)((bytes + 63) / 64);
    it->sent = it->table ? 0 : it->sent + (tables->limit_in_packets ? 1 : (long)bytes);
}

static weft_vl_table random_table(weft_random *random)
{
    weft_vl_table of = {.count = weft_random_below(random, 3) ? weft_random_below(random, 7)
                                                              : weft_random_below(random, 65)};
    for (uint32_t i = 0; i < of.count; i++)
        of.at[i] = (weft_vl_entry){.vl = (uint8_t)weft_random_below(random, 6),
                                   .weight = (uint8_t)weft_random_below(random, 90)};
    if (of.count && weft_random_below(random, 8) == 0)
        of.at[0].vl = 15;
    return of;
}

static void grants_find_the_entry_again(void **state)
{
    (void)state;
    for (uint32_t trial = 0; trial < 300; trial++) {
        weft_random random = weft_random_stream(3, trial, 0, WEFT_FOR_ESTIMATE);
        weft_vl_tables tables = {.high = random_table(&random),
                                 .low = random_table(&random),
                                 .limit = trial % 9 == 8 ? 255 : trial % 9,
                                 .limit_in_packets = trial % 2};
        weft_vl_state ours;
        weft_vl_reset(&tables, &ours);
        naive theirs = {.left = {tables.high.count ? tables.high.at[0].weight : 0,
                                 tables.low.count ? tables.low.at[0].weight : 0}};
        for (int i = 0; i < 300; i++) {
            uint32_t asking = 1 + weft_random_below(&random, 63);
            uint32_t bytes = 1 + weft_random_below(&random, 4096);
            int32_t vl = weft_vl_pick(&tables, &ours, asking);
            assert_int_equal(vl, naive_pick(&tables, &theirs, asking));
            assert_true(vl < 0 || asking >> vl & 1);
            if (vl < 0)
                continue;
            weft_vl_granted(&tables, &ours, (uint32_t)vl, bytes);
            naive_send(&tables, &theirs, bytes);
        }
    }
}

/* Management packets wait for nothing but the packet in hand, and change no turn. */
static void management_goes_first(void **state)
{
    (void)state;
    weft_vl_tables tables = {.low = {2, {{0, 30}, {1, 10}}}};
    weft_vl_state it, before;
    weft_vl_reset(&tables, &it);
    before = it;
    assert_int_equal(weft_vl_pick(&tables, &it, 0x8003), 15);
    weft_vl_granted(&tables, &it, 15, 256);
    assert_memory_equal(&it, &before, sizeof it);
    assert_int_equal(weft_vl_pick(&tables, &it, 3), 0);
    assert_int_equal(weft_vl_pick(&tables, &it, 4), -1); /* no entry */
}

/* A VL without credits loses its turn, and its entry starts anew when the turn comes again. */
static void a_turn_is_not_kept_for_later(void **state)
{
    (void)state;
    weft_vl_tables tables = {.low = {2, {{0, 4}, {1, 2}}}};
    weft_vl_state it;
    weft_vl_reset(&tables, &it);
    const struct {
        uint32_t asking;
        int32_t vl;
    } steps[] = {{3, 0}, {2, 1}, {3, 1}, {3, 0}, {3, 0}, {3, 0}, {3, 0}, {3, 1}};
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        assert_int_equal(weft_vl_pick(&tables, &it, steps[i].asking), steps[i].vl);
        weft_vl_granted(&tables, &it, (uint32_t)steps[i].vl, 64);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shares_of_the_reference), cmocka_unit_test(weights_are_rounded_to_packets),
        cmocka_unit_test(wrong_tables_are_named),  cmocka_unit_test(grants_find_the_entry_again),
        cmocka_unit_test(management_goes_first),   cmocka_unit_test(a_turn_is_not_kept_for_later),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
