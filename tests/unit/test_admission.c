/* SPDX-License-Identifier: Apache-2.0 */
/* Admission: verdicts, rollback and table filling by hand; a million requests and releases whose
 * messages are lost at times, against a shadow; blocking of one link against Kaufman & Roberts and
 * Erlang B. */
#include "unit/test_model.h"

#include "base/memory.h"
#include "interweft/random.h"
#include "sched/admission.h"

static weft_connection connection(uint64_t number, uint32_t sl, int64_t bandwidth)
{
    return (weft_connection){.number = number, .sl = sl, .bandwidth = bandwidth};
}

/* Links of one capacity, of which every SL has the whole. */
static void open_links(weft_admission *it, uint32_t links, int64_t capacity, bool inclusive)
{
    weft_admission_init(it, links, inclusive);
    for (uint32_t l = 0; l < links; l++) {
        it->links[l].capacity = capacity;
        for (int sl = 0; sl < WEFT_SLS; sl++)
            it->links[l].pool[sl] = capacity;
    }
}

/* ---- by hand ---- */

static void a_pool_is_filled_only_by_the_inclusive_rule(void **state)
{
    (void)state;
    for (int inclusive = 0; inclusive < 2; inclusive++) {
        weft_admission it;
        open_links(&it, 1, 10, inclusive);
        weft_connection four = connection(1, 0, 4), six = connection(2, 0, 6),
                        five = connection(3, 0, 5);
        assert_int_equal(weft_admission_reserve(&it, 0, &four), WEFT_ADMITTED);
        assert_int_equal(weft_admission_reserve(&it, 0, &six),
                         inclusive ? WEFT_ADMITTED : WEFT_REFUSED_POOL);
        assert_int_equal(weft_admission_reserve(&it, 0, &five),
                         inclusive ? WEFT_REFUSED_POOL : WEFT_ADMITTED);
        weft_admission_done(&it);
    }
}

static void every_refusal_has_its_reason(void **state)
{
    (void)state;
    weft_admission it;
    open_links(&it, 1, 100, true);
    it.links[0].pool[1] = 30;
    it.links[0].weight_unit = 1;
    weft_vl_filling_reset(&it.links[0].filling, 1);
    weft_connection nothing = connection(1, 0, 0), where = connection(1, 16, 5),
                    pool = connection(1, 1, 31), link = connection(2, 2, 70),
                    first = connection(3, 1, 30), entry = connection(4, 3, 1);
    assert_int_equal(weft_admission_reserve(&it, 0, &nothing), WEFT_REFUSED_INVALID);
    assert_int_equal(weft_admission_reserve(&it, 0, &where), WEFT_REFUSED_INVALID);
    assert_int_equal(weft_admission_reserve(&it, 0, &pool), WEFT_REFUSED_POOL);
    assert_int_equal(weft_admission_reserve(&it, 0, &first), WEFT_ADMITTED);
    assert_int_equal(weft_admission_reserve(&it, 0, &entry), WEFT_REFUSED_ENTRIES);
    it.links[0].weight_unit = 0;
    link.bandwidth = 71;
    assert_int_equal(weft_admission_reserve(&it, 0, &link), WEFT_REFUSED_LINK);
    assert_int_equal(it.links[0].used, 30);
    weft_admission_done(&it);
}

static void a_refused_probe_is_rolled_back(void **state)
{
    (void)state;
    weft_admission it;
    const uint32_t path[] = {0, 1, 2, 3};
    open_links(&it, 4, 10, true);
    weft_connection full = connection(9, 0, 10), one = connection(10, 0, 1);
    assert_int_equal(weft_admission_reserve(&it, 2, &full), WEFT_ADMITTED);
    assert_int_equal(weft_admission_request(&it, &one, path, 4), WEFT_REFUSED_POOL);
    assert_true(it.links[0].used == 0 && it.links[1].used == 0 && it.links[3].used == 0);
    assert_true(weft_admission_release(&it, 2, 9));
    assert_false(weft_admission_release(&it, 2, 9)); /* again: ignored */
    assert_int_equal(weft_admission_request(&it, &one, path, 4), WEFT_ADMITTED);
    assert_int_equal(weft_admission_request(&it, &one, path, 4), WEFT_ADMITTED); /* once only */
    for (int l = 0; l < 4; l++)
        assert_int_equal(it.links[l].used, 1);
    weft_admission_end(&it, &one, path, 4);
    weft_admission_end(&it, &one, path, 4);
    for (int l = 0; l < 4; l++)
        assert_true(it.links[l].used == 0 && it.links[l].n_connections == 0);
    weft_admission_done(&it);
}

static void entries_are_filled_and_freed(void **state)
{
    (void)state;
    weft_vl_filling it;
    weft_vl_filling_reset(&it, 3);
    assert_true(weft_vl_filling_add(&it, 2, 200));
    assert_true(weft_vl_filling_add(&it, 5, 10));
    assert_true(weft_vl_filling_add(&it, 2, 100)); /* 55 fit into the first, 45 into the third */
    assert_true(it.table.at[0].vl == 2 && it.table.at[0].weight == 255);
    assert_true(it.table.at[1].vl == 5 && it.table.at[1].weight == 10);
    assert_true(it.table.at[2].vl == 2 && it.table.at[2].weight == 45);
    assert_false(weft_vl_filling_add(&it, 7, 1));
    assert_false(weft_vl_filling_add(&it, 2, 211)); /* 210 are left */
    assert_true(it.table.at[2].weight == 45 && it.connections[2] == 2);
    weft_vl_filling_end(&it, 2);
    assert_true(it.table.at[0].weight == 255 && it.table.at[2].weight == 45);
    weft_vl_filling_end(&it, 2);
    assert_true(it.table.at[0].weight == 0 && it.table.at[2].weight == 0);
    assert_true(weft_vl_filling_add(&it, 7, 510));
    assert_false(weft_vl_filling_add(&it, 7, 1));
    assert_true(weft_vl_filling_add(&it, 5, 245));
}

/* ---- lost messages ---- */

enum { LINKS = 12, ACTIVE = 400, PATH_MAX_LINKS = 5, REQUESTS = 1000000 };

typedef enum stage { IDLE, PROBING, OPEN, ENDING, LOST } stage;

typedef struct flow {
    stage stage;
    weft_admission_message message;
    uint32_t path[PATH_MAX_LINKS];
} flow;

typedef struct field {
    weft_admission it;
    flow flows[ACTIVE];
    uint64_t requests, admitted, refused, lost;
    weft_random random;
} field;

static bool holds(const weft_admission_link *link)
{
    int64_t sum = 0;
    bool sound = link->used >= 0 && link->used < link->capacity;
    for (int sl = 0; sl < WEFT_SLS; sl++) {
        sum += link->pool_used[sl];
        sound = sound && link->pool_used[sl] >= 0 &&
                (link->pool_used[sl] < link->pool[sl] || link->pool_used[sl] == 0);
    }
    return sound && sum == link->used;
}

/* What a link has, connection by connection. */
static void check_link(const weft_admission_link *link)
{
    int64_t used[WEFT_SLS] = {0};
    uint32_t by_vl[WEFT_VLS] = {0};
    size_t count = 0;
    for (size_t i = 0; i < link->n_slots; i++)
        if (link->connections[i].number != 0) {
            const weft_connection *c = &link->connections[i];
            used[c->sl] += c->bandwidth;
            by_vl[c->sl]++;
            count++;
            assert_true(weft_admission_find(link, c->number) == c);
        }
    assert_int_equal(count, link->n_connections);
    assert_memory_equal(used, link->pool_used, sizeof used);
    assert_memory_equal(by_vl, link->filling.connections, sizeof by_vl);
    for (uint32_t e = 0; e < link->filling.table.count; e++) {
        const weft_vl_entry *entry = &link->filling.table.at[e];
        assert_true(entry->weight == 0 || by_vl[entry->vl] > 0);
    }
}

/* An open connection is reserved on all of its path. */
static void check_flow(const field *all, const flow *f)
{
    for (uint32_t i = 0; f->stage == OPEN && i < f->message.length; i++)
        assert_non_null(
            weft_admission_find(&all->it.links[f->path[i]], f->message.connection.number));
}

static void start(field *all, flow *f)
{
    uint32_t length = 1 + weft_random_below(&all->random, PATH_MAX_LINKS);
    for (uint32_t i = 0; i < length; i++)
        f->path[i] = (i ? f->path[i - 1] + 1 + weft_random_below(&all->random, 2)
                        : weft_random_below(&all->random, LINKS)) %
                     LINKS;
    f->message = (weft_admission_message){
        .kind = WEFT_PROBE,
        .connection = connection(++all->requests, weft_random_below(&all->random, 15),
                                 1 + weft_random_below(&all->random, 50)),
        .path = f->path,
        .length = length};
    f->stage = PROBING;
}

/* A source that heard nothing, or whose connection ends, sends a release. */
static void send_release(flow *f)
{
    f->message.kind = WEFT_RELEASE;
    f->message.at = 0;
    f->stage = ENDING;
}

static void arrive(field *all, flow *f)
{
    bool admitted = f->message.kind == WEFT_PROBE;
    all->admitted += admitted;
    all->refused += f->message.kind == WEFT_REFUSAL;
    f->stage = admitted ? OPEN : IDLE;
}

/* One thing that can happen to a flow. A message is lost once in a hundred hops. */
static void act(field *all, flow *f, bool closing)
{
    if (f->stage == IDLE) {
        if (!closing)
            start(all, f);
    } else if (f->stage == OPEN || f->stage == LOST) {
        send_release(f);
    } else if (weft_random_below(&all->random, 100) == 0) {
        f->stage = LOST;
        all->lost++;
    } else {
        uint32_t link = f->path[f->message.at];
        if (!weft_admission_handle(&all->it, &f->message))
            arrive(all, f);
        assert_true(holds(&all->it.links[link]));
    }
}

static void check_all(const field *all)
{
    for (uint32_t l = 0; l < LINKS; l++)
        check_link(&all->it.links[l]);
    for (uint32_t i = 0; i < ACTIVE; i++)
        check_flow(all, &all->flows[i]);
}

static void a_million_requests_with_lost_messages(void **state)
{
    (void)state;
    field *all = weft_alloc(sizeof *all);
    all->random = weft_random_stream(8, 0, 0, WEFT_FOR_ESTIMATE);
    open_links(&all->it, LINKS, 1500, false);
    for (uint32_t l = 0; l < LINKS; l++) {
        for (int sl = 0; sl < WEFT_SLS; sl++)
            all->it.links[l].pool[sl] = 100 + 10 * (sl % 4);
        all->it.links[l].weight_unit = 1 + l;
        weft_vl_filling_reset(&all->it.links[l].filling, 14);
    }
    for (uint64_t step = 0; all->requests < REQUESTS; step++) {
        act(all, &all->flows[weft_random_below(&all->random, ACTIVE)], false);
        if (step % 100000 == 0)
            check_all(all);
    }
    for (bool busy = true; busy;) {
        busy = false;
        for (uint32_t i = 0; i < ACTIVE; i++) {
            act(all, &all->flows[i], true);
            busy = busy || all->flows[i].stage != IDLE;
        }
    }
    check_all(all);
    for (uint32_t l = 0; l < LINKS; l++)
        assert_true(all->it.links[l].used == 0 && all->it.links[l].n_connections == 0);
    print_message("%llu requests, %llu admitted, %llu refused, %llu messages lost\n",
                  (unsigned long long)all->requests, (unsigned long long)all->admitted,
                  (unsigned long long)all->refused, (unsigned long long)all->lost);
    assert_true(all->admitted > 100000 && all->refused > 100000 && all->lost > 10000);
    weft_admission_done(&all->it);
    free(all);
}

/* ---- blocking ---- */

enum { CLASSES = 2, BATCHES = 40 };

typedef struct trial { /* one link, connections come and go */
    weft_admission it;
    const double *lambda;
    const int64_t *bandwidth;
    weft_connection held[1000];
    uint32_t n_held;
    uint64_t number;
    double come[CLASSES], refused[CLASSES];
    weft_random random;
} trial;

/* The next arrival, or end of a connection; holding times have mean 1. */
static void next_event(trial *t)
{
    static const uint32_t path[] = {0};
    double rate = t->lambda[0] + t->lambda[1] + t->n_held;
    double drawn = weft_random_open(&t->random) * rate;
    for (uint32_t k = 0; k < CLASSES; k++, drawn -= t->lambda[k - 1])
        if (drawn < t->lambda[k]) {
            weft_connection c = connection(++t->number, k, t->bandwidth[k]);
            bool refused = weft_admission_request(&t->it, &c, path, 1) != WEFT_ADMITTED;
            t->come[k]++;
            t->refused[k] += refused;
            if (!refused)
                t->held[t->n_held++] = c;
            return;
        }
    uint32_t i = weft_random_below(&t->random, t->n_held);
    weft_admission_end(&t->it, &t->held[i], path, 1);
    t->held[i] = t->held[--t->n_held];
}

static void compare_blocking(const char *settings, const double *lambda, const int64_t *bandwidth,
                             int64_t capacity, bool inclusive)
{
    trial t = {.lambda = lambda,
               .bandwidth = bandwidth,
               .random = weft_random_stream(9, (uint64_t)capacity, 0, WEFT_FOR_ESTIMATE)};
    double sum[CLASSES] = {0}, squares[CLASSES] = {0};
    asked a;
    must_ask(&a, "admission %s", settings);
    open_links(&t.it, 1, capacity, inclusive);
    for (int batch = -2; batch < BATCHES; batch++) { /* two for the warm-up */
        memset(t.come, 0, sizeof t.come);
        memset(t.refused, 0, sizeof t.refused);
        for (int i = 0; i < 20000; i++)
            next_event(&t);
        for (int k = 0; batch >= 0 && k < CLASSES && lambda[k] > 0; k++) {
            double part = t.refused[k] / t.come[k];
            sum[k] += part;
            squares[k] += part * part;
        }
    }
    for (int k = 0; k < CLASSES && lambda[k] > 0; k++) {
        double mean = sum[k] / BATCHES, model = answer_at(&a, "class blocking", "class", k + 1);
        double error = sqrt((squares[k] / BATCHES - mean * mean) / (BATCHES - 1));
        print_message("%s, class %d: %.5f, simulated %.5f, z = %.2f\n", settings, k + 1, model,
                      mean, (mean - model) / error);
        assert_true(fabs(mean - model) <= 4 * error);
    }
    weft_admission_done(&t.it);
    ask_done(&a);
}

static void blocking_is_that_of_kaufman_and_roberts(void **state)
{
    (void)state;
    compare_blocking("lambda=[20,5] bandwidth=[1,4] capacity=40", (double[]){20, 5},
                     (int64_t[]){1, 4}, 40, false);
    compare_blocking("lambda=[20,5] bandwidth=[1,4] capacity=41 rule=inclusive", (double[]){20, 5},
                     (int64_t[]){1, 4}, 41, true);
    compare_blocking("lambda=[3,9] bandwidth=[7,3] capacity=50", (double[]){3, 9},
                     (int64_t[]){7, 3}, 50, false);
    compare_blocking("lambda=[20] capacity=24 rule=inclusive", (double[]){20, 0}, (int64_t[]){1, 1},
                     24, true);
}

static void one_class_is_erlang_b(void **state)
{
    (void)state;
    for (int servers = 1; servers <= 3000; servers = 3 * servers + 1)
        for (double lambda = 0.1; lambda < 5000; lambda *= 7) {
            asked ours, erlang;
            must_ask(&ours, "admission lambda=[%.17g] bandwidth=[5] capacity=%d rule=inclusive",
                     lambda, 5 * servers + 4);
            must_ask(&erlang, "erlang-b lambda=%.17g servers=%d", lambda, servers);
            double theirs = answer(&erlang, "loss");
            assert_true(fabs(answer(&ours, "blocking") - theirs) <= 1e-11 * theirs + 1e-300);
            ask_done(&ours);
            ask_done(&erlang);
        }
}

/* Product form over all numbers of connections of three classes. */
static void the_recursion_is_the_product_form(void **state)
{
    (void)state;
    const double load[3] = {2, 1.5, 0.7};
    const int b[3] = {1, 2, 5};
    double sum = 0, refused[3] = {0};
    for (int i = 0; i <= 12; i++)
        for (int j = 0; i + 2 * j <= 12; j++)
            for (int k = 0; i + 2 * j + 5 * k <= 12; k++) {
                double p = pow(load[0], i) / tgamma(i + 1) * pow(load[1], j) / tgamma(j + 1) *
                           pow(load[2], k) / tgamma(k + 1);
                sum += p;
                for (int c = 0; c < 3; c++)
                    refused[c] += i + 2 * j + 5 * k + b[c] > 12 ? p : 0;
            }
    asked a;
    must_ask(&a, "admission lambda=[4,1.5,0.1] hold=[0.5,1,7] bandwidth=[1,2,5] capacity=13");
    for (int c = 0; c < 3; c++)
        assert_true(fabs(answer_at(&a, "class blocking", "class", c + 1) - refused[c] / sum) <
                    1e-13);
    ask_done(&a);
    weft_error err;
    assert_int_equal(ask(&a, &err, "admission lambda=[1,2] bandwidth=[1,2,3] capacity=9"),
                     WEFT_BAD_INPUT);
    assert_non_null(strstr(err.text, "bandwidth must have one number, or one for each of 2"));
    ask_done(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_pool_is_filled_only_by_the_inclusive_rule),
        cmocka_unit_test(every_refusal_has_its_reason),
        cmocka_unit_test(a_refused_probe_is_rolled_back),
        cmocka_unit_test(entries_are_filled_and_freed),
        cmocka_unit_test(a_million_requests_with_lost_messages),
        cmocka_unit_test(blocking_is_that_of_kaufman_and_roberts),
        cmocka_unit_test(one_class_is_erlang_b),
        cmocka_unit_test(the_recursion_is_the_product_form),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
