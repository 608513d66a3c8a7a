/* SPDX-License-Identifier: Apache-2.0 */
/* Ranks as bytes, of a program that is whole or divided between two processes, and of a schedule:
 * stopped after any step and read into ranks that have done nothing, they end as if they had never
 * stopped, with the same log. Bytes that are cut off or damaged are refused or read; no reader
 * goes past them. */
#include "program/files.h"
#include "program/march/march.h"
#include "program/ranks.h"
#include "unit/test_program.h"

#include "base/file.h"

#include <unistd.h>

enum { RANKS = 4, REPEATS = 3, BINS = 16, WAY = 700, FLIGHTS = 200 };

typedef struct flight { /* of a message */
    uint64_t time;
    uint32_t to;
    weft_ranks_message message;
    uint32_t send; /* an answer: the send of the other rank; else WEFT_PROGRAM_NONE */
} flight;

typedef struct network { /* messages under way, in the order in which they were sent */
    flight at[FLIGHTS];
    size_t count;
} network;

static void launch(network *net, flight one)
{
    assert_true(net->count < FLIGHTS);
    net->at[net->count++] = one;
}

/* The first that arrives; count: none is under way. */
static size_t next_flight(const network *net)
{
    size_t first = 0;
    for (size_t i = 1; i < net->count; i++)
        if (net->at[i].time < net->at[first].time)
            first = i;
    return first;
}

static flight land(network *net, size_t i)
{
    flight one = net->at[i];
    memmove(net->at + i, net->at + i + 1, sizeof one * (--net->count - i));
    return one;
}

/* Flips bits of each byte in turn, and cuts the bytes off there; `load` says whether it read all.
 * Some must be refused, and all that are cut off. */
static void damage(const weft_pack *pack, bool (*load)(void *user, const void *data, size_t bytes),
                   void *user)
{
    unsigned refused = 0;
    unsigned char *copy = malloc(pack->count);
    assert_non_null(copy);
    assert_true(load(user, pack->data, pack->count));
    for (size_t i = 0; i < pack->count; i++) {
        unsigned char *cut = malloc(i + 1); /* no room behind what is there */
        memcpy(cut, pack->data, i);
        assert_false(load(user, cut, i));
        free(cut);
        for (unsigned flips = 1; flips < 256; flips *= 3) {
            memcpy(copy, pack->data, pack->count);
            copy[i] ^= (unsigned char)flips;
            refused += !load(user, copy, pack->count);
        }
    }
    assert_true(refused > pack->count / 4);
    free(copy);
}

/* ---- ranks of programs ---- */

typedef struct process { /* of one, or of two that have the ranks of a parity each */
    weft_program program;
    weft_ranks ranks;
    weft_rank_log log;
    struct run *run;
} process;

typedef struct run {
    process at[2];
    uint32_t n_processes;
    network net;
} run;

static const weft_host_costs costs = {
    .latency = 0, .overhead = 30, .gap = 20, .per_byte = 2, .eager = 40};

/* Long messages ask, rank 0 takes what comes (tag -1) unless the program is divided, two CPUs. */
#define PROGRAM(any)                                                                       \
    "num_ranks 4\nrank 0 {\na: recv 100b from " any " tag 5\nb: recv 8b from 2 tag 6\n"    \
    "c: calc 900 cpu 1\nb irequires a\nd: send 60b to 3\nd requires c\n}\n"                \
    "rank 1 {\na: calc 50\nb: send 100b to 0 tag 5\nb requires a\n}\n"                     \
    "rank 2 {\na: send 8b to 0 tag 6 nic 1\nb: recv 9b from 3\nc: recv 70b from 3 tag 2\n" \
    "d: calc 40\nd requires b\n}\n"                                                        \
    "rank 3 {\na: recv 60b from 0\nb: send 9b to 2\nc: send 70b to 2 tag 2\nc requires a\n}\n"

static uint32_t place_of(const run *r, uint32_t rank, process **its)
{
    *its = (process *)&r->at[rank % r->n_processes];
    return rank / r->n_processes;
}

static void sent(void *user, uint64_t at, uint32_t local, uint32_t operation, uint32_t send)
{
    process *p = user;
    weft_ranks *ranks = &p->ranks;
    const weft_operation *its = &ranks->program->operations[operation];
    bool answer = its->kind == WEFT_OPERATION_RECV;
    uint8_t state = ranks->state[weft_ranks_at(ranks, local, operation)];
    flight one = {.time = at + WAY, .send = WEFT_PROGRAM_NONE};
    one.message.source = ranks->rank[local];
    one.message.number =
        weft_ranks_number(ranks, local, operation, !answer && state & WEFT_RANKS_ANSWERED);
    one.to = its->peer;
    if (answer && !ranks->program->divided) {
        one.to = weft_program_rank_of(ranks->program, send);
        one.send = send;
    }
    launch(&p->run->net, one);
}

static void arrive(run *r, flight one)
{
    process *p;
    uint32_t local = place_of(r, one.to, &p), send = one.send;
    p->ranks.now = one.time;
    uint32_t found = weft_ranks_sized(&p->ranks, local, one.message, &send);
    assert_int_not_equal(found, WEFT_PROGRAM_NONE);
    if (one.send != WEFT_PROGRAM_NONE)
        send = one.send;
    if (send != WEFT_PROGRAM_NONE)
        weft_ranks_reply(&p->ranks, local, send);
    else
        weft_ranks_arrive(&p->ranks, local, one.message);
}

/* The next thing that happens; false: nothing is left. */
static bool step(run *r)
{
    process *first = NULL;
    for (uint32_t i = 0; i < r->n_processes; i++) {
        const weft_heap *agenda = &r->at[i].ranks.agenda;
        if (agenda->count &&
            (!first || weft_heap_less(agenda->entries, first->ranks.agenda.entries)))
            first = &r->at[i];
    }
    size_t flown = next_flight(&r->net);
    if (r->net.count && (!first || r->net.at[flown].time <= first->ranks.agenda.entries[0].time)) {
        arrive(r, land(&r->net, flown));
        return true;
    }
    if (!first)
        return false;
    weft_heap_entry entry = weft_heap_pop(&first->ranks.agenda);
    first->ranks.now = entry.time;
    weft_ranks_take(&first->ranks, entry);
    return true;
}

static void open_process(run *r, process *p, uint32_t parity)
{
    uint32_t mine[RANKS], count = 0;
    for (uint32_t rank = parity; rank < RANKS; rank += r->n_processes)
        mine[count++] = rank;
    p->run = r;
    p->ranks = (weft_ranks){.program = &p->program,
                            .costs = costs,
                            .flit = 1,
                            .calc = 1,
                            .repeats = REPEATS,
                            .send = sent,
                            .user = p,
                            .log = &p->log};
    weft_ranks_open(&p->ranks, mine, count);
    weft_rank_log_open(&p->log, count, BINS, true);
}

static void open_run(run *r)
{
    r->net.count = 0;
    for (uint32_t i = 0; i < r->n_processes; i++)
        open_process(r, &r->at[i], i);
}

static void close_run(run *r)
{
    for (uint32_t i = 0; i < r->n_processes; i++) {
        weft_ranks_close(&r->at[i].ranks);
        weft_rank_log_close(&r->at[i].log);
    }
}

static void begin_run(run *r)
{
    open_run(r);
    for (uint32_t i = 0; i < r->n_processes; i++)
        for (uint32_t local = 0; local < r->at[i].ranks.count; local++)
            weft_ranks_begin(&r->at[i].ranks, local);
}

typedef struct result {
    uint64_t finish[RANKS], spent[RANKS * WEFT_SPENT_KINDS];
    weft_pack log;
} result;

static void finish_run(run *r, result *its)
{
    *its = (result){.log = {0}};
    while (step(r))
        continue;
    for (uint32_t rank = 0; rank < RANKS; rank++) {
        process *p;
        uint32_t local = place_of(r, rank, &p);
        assert_int_equal(p->ranks.n_left, 0);
        its->finish[rank] = p->ranks.finish[local];
        memcpy(its->spent + (size_t)rank * WEFT_SPENT_KINDS,
               p->ranks.spent + (size_t)local * WEFT_SPENT_KINDS,
               sizeof(uint64_t) * WEFT_SPENT_KINDS);
        weft_rank_record_save(&p->log.records[local], BINS, &its->log);
    }
    close_run(r);
}

static void same_result(const result *a, const result *b)
{
    assert_memory_equal(a->finish, b->finish, sizeof a->finish);
    assert_memory_equal(a->spent, b->spent, sizeof a->spent);
    assert_int_equal(a->log.count, b->log.count);
    assert_memory_equal(a->log.data, b->log.data, a->log.count);
}

static bool load_first(void *user, const void *data, size_t bytes)
{
    run *r = user, fresh = {.n_processes = r->n_processes};
    weft_unpack from = weft_unpack_of(data, bytes);
    for (uint32_t i = 0; i < r->n_processes; i++)
        fresh.at[i].program = r->at[i].program;
    open_run(&fresh);
    weft_ranks_load(&fresh.at[0].ranks, 0, &from);
    weft_rank_record_load(&fresh.at[0].log.records[0], BINS, &from);
    close_run(&fresh);
    return weft_unpack_end(&from);
}

/* Stops what runs, and reads it into what has done nothing. */
static void restart(run *r)
{
    run old = *r;
    open_run(r);
    r->net = old.net;
    for (uint32_t i = 0; i < r->n_processes; i++) {
        process *before = &old.at[i], *after = &r->at[i];
        weft_heap_entry *sorted = weft_ranks_sorted(&before->ranks);
        for (uint32_t k = 0; k < before->ranks.agenda.count; k++) {
            assert_true(k == 0 || weft_ranks_local(sorted[k - 1]) <= weft_ranks_local(sorted[k]));
            weft_heap_push(&after->ranks.agenda, sorted[k]);
        }
        free(sorted);
        after->ranks.now = before->ranks.now;
        after->ranks.pushed = before->ranks.pushed;
        for (uint32_t local = 0; local < before->ranks.count; local++) {
            weft_pack pack = {0};
            weft_ranks_save(&before->ranks, local, &pack);
            weft_rank_record_save(&before->log.records[local], BINS, &pack);
            weft_unpack from = weft_unpack_of(pack.data, pack.count);
            weft_ranks_load(&after->ranks, local, &from);
            weft_rank_record_load(&after->log.records[local], BINS, &from);
            assert_true(weft_unpack_end(&from));
            weft_pack_done(&pack);
        }
    }
    close_run(&old);
}

static void check_restarts(run *r)
{
    result whole, resumed;
    uint32_t steps = 0;
    begin_run(r);
    while (step(r))
        steps++;
    finish_run(r, &whole);
    assert_true(steps > 100 && whole.finish[0] > 3 * (2 * WAY + 900));
    for (uint32_t stop = 0; stop <= steps; stop++) {
        begin_run(r);
        for (uint32_t i = 0; i < stop; i++)
            assert_true(step(r));
        if (stop == steps / 2) {
            weft_pack pack = {0};
            weft_ranks_save(&r->at[0].ranks, 0, &pack);
            weft_rank_record_save(&r->at[0].log.records[0], BINS, &pack);
            damage(&pack, load_first, r);
            weft_pack_done(&pack);
        }
        restart(r);
        finish_run(r, &resumed);
        same_result(&whole, &resumed);
        weft_pack_done(&resumed.log);
    }
    print_message("%u steps, ends at %llu\n", steps, (unsigned long long)whole.finish[0]);
    weft_pack_done(&whole.log);
}

static void ranks_go_on_where_they_stopped(void **state)
{
    static const char *const texts[] = {PROGRAM("1"), PROGRAM("-1")};
    weft_format_options options = PROGRAM_OPTIONS;
    weft_error err = {.text = ""};
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        run r = {.n_processes = 1};
        if (program_read(&weft_format_goal, texts[i], strlen(texts[i]), &options, &r.at[0].program,
                         &err) != WEFT_OK)
            fail_msg("%s", err.text);
        check_restarts(&r);
        weft_program_done(&r.at[0].program);
    }
}

static weft_status keep(void *user, uint32_t n_ranks, uint64_t **kept, weft_error *err)
{
    (void)n_ranks, (void)err;
    *kept = malloc(sizeof **kept);
    **kept = *(const uint32_t *)user ? 0xaaaaaaaaaaaaaaaau : 0x5555555555555555u;
    return WEFT_OK;
}

static void parts_of_a_program_go_on_too(void **state)
{
    static const char text[] = PROGRAM("1");
    char file[] = "/tmp/weft-test-XXXXXX";
    weft_error err = {.text = ""};
    run r = {.n_processes = 2};
    (void)state;
    int fd = mkstemp(file);
    assert_true(fd >= 0 && close(fd) == 0);
    assert_int_equal(weft_bytes_write(file, text, strlen(text), &err), WEFT_OK);
    for (uint32_t i = 0; i < 2; i++) {
        weft_program_division by = {.most = 2, .answers = true, .keep = keep, .user = &i};
        if (weft_program_read_part(file, &by, &r.at[i].program, &err) != WEFT_OK)
            fail_msg("%s", err.text);
    }
    check_restarts(&r);
    /* a message that nobody sends to rank 0 */
    uint32_t send;
    open_run(&r);
    assert_int_equal(weft_ranks_sized(&r.at[0].ranks, 0, (weft_ranks_message){3, 2}, &send),
                     WEFT_PROGRAM_NONE);
    close_run(&r);
    for (uint32_t i = 0; i < 2; i++)
        weft_program_done(&r.at[i].program);
    assert_int_equal(unlink(file), 0);
}

/* ---- ranks of schedules ---- */

typedef struct march_run {
    weft_phased schedule;
    weft_march march;
    weft_rank_log log;
    network net;
} march_run;

static void hand(void *user, uint32_t local, uint32_t number)
{
    march_run *r = user;
    weft_phased_name name;
    weft_collective_step its;
    assert_true(weft_phased_find(&r->schedule, REPEATS, local, number, &name, &its));
    launch(&r->net, (flight){.time = r->march.now + WAY,
                             .to = name.part == WEFT_PHASED_ANSWER ? its.from : its.to,
                             .message = {local, number}});
}

static bool march_step(march_run *r)
{
    weft_march_inbox inbox = {.count = 0};
    uint64_t now = weft_march_next(&r->march);
    if (r->net.count && r->net.at[next_flight(&r->net)].time < now)
        now = r->net.at[next_flight(&r->net)].time;
    if (now == WEFT_RANKS_NEVER)
        return false;
    while (r->net.count && r->net.at[next_flight(&r->net)].time == now) {
        flight one = land(&r->net, next_flight(&r->net));
        weft_march_inbox_add(
            &inbox, (weft_march_arrival){.local = one.to, .message = one.message, .age = WAY});
    }
    weft_march_inbox_sort(&inbox);
    r->march.now = now;
    weft_march_run(&r->march, inbox.at, inbox.count);
    weft_march_inbox_done(&inbox);
    return true;
}

static void open_march(march_run *r)
{
    static const uint32_t mine[RANKS + 1] = {0, 1, 2, 3, 4};
    r->net.count = 0;
    r->march = (weft_march){.schedule = &r->schedule,
                            .costs = costs,
                            .flit = 1,
                            .calc = 1,
                            .repeats = REPEATS,
                            .start = 100,
                            .hand = hand,
                            .user = r,
                            .log = &r->log};
    weft_march_open(&r->march, mine, r->schedule.ranks);
    weft_rank_log_open(&r->log, r->schedule.ranks, BINS, true);
}

static void close_march(march_run *r)
{
    weft_march_close(&r->march);
    weft_rank_log_close(&r->log);
}

static void finish_march(march_run *r, result *its)
{
    *its = (result){.log = {0}};
    while (march_step(r))
        continue;
    assert_int_equal(r->march.n_left, 0);
    for (uint32_t rank = 0; rank < r->schedule.ranks; rank++) {
        weft_pack_u64(&its->log, r->march.ranks[rank].finish);
        weft_rank_record_save(&r->log.records[rank], BINS, &its->log);
    }
    memcpy(its->spent, r->march.spent, sizeof r->march.spent);
    close_march(r);
}

static void save_march(const march_run *r, uint32_t local, weft_pack *pack)
{
    weft_heap_entry *sorted = weft_march_sorted(&r->march);
    weft_march_save(&r->march, sorted, local, pack);
    free(sorted);
}

static void restart_march(march_run *r)
{
    march_run old = *r;
    open_march(r);
    r->net = old.net;
    r->march.now = old.march.now;
    for (uint32_t local = 0; local < r->schedule.ranks; local++) {
        weft_pack pack = {0};
        save_march(&old, local, &pack);
        weft_rank_record_save(&old.log.records[local], BINS, &pack);
        weft_unpack from = weft_unpack_of(pack.data, pack.count);
        weft_march_load(&r->march, local, r->march.now, &from);
        weft_rank_record_load(&r->log.records[local], BINS, &from);
        assert_true(weft_unpack_end(&from));
        weft_pack_done(&pack);
    }
    close_march(&old);
}

static bool load_march(void *user, const void *data, size_t bytes)
{
    march_run *r = user, fresh = {.schedule = r->schedule};
    weft_unpack from = weft_unpack_of(data, bytes);
    open_march(&fresh);
    weft_march_load(&fresh.march, 1, r->march.now, &from);
    close_march(&fresh);
    return weft_unpack_end(&from);
}

/* A calculation, a ring of long messages, two trees at once, and one of short messages. */
static void schedules_go_on_where_they_stopped(void **state)
{
    const weft_collective kinds[] = {
        {.kind = weft_collective_find("allreduce", "ring"), .bytes = 700, .segments = 1},
        {.kind = weft_collective_find("allreduce", "double-tree"), .bytes = 90, .segments = 2},
        {.kind = weft_collective_find("all-to-all", "linear"), .bytes = 40, .segments = 1}};
    weft_phased_phase phases[4] = {{.name = "compute", .compute = 500, .imbalance = 0.5}};
    march_run r = {.schedule = {.ranks = 5, .n_phases = 4, .phases = phases, .seed = 7}};
    result whole, resumed;
    uint32_t steps = 0;
    (void)state;
    for (int i = 0; i < 3; i++) {
        phases[i + 1] =
            (weft_phased_phase){.name = kinds[i].kind->algorithm, .collective = kinds[i]};
        phases[i + 1].collective.ranks = 5;
    }
    assert_true(weft_phased_number_places(&r.schedule, REPEATS, UINT32_MAX));
    open_march(&r);
    while (march_step(&r))
        steps++;
    finish_march(&r, &whole);
    assert_true(steps > 100);
    for (uint32_t stop = 0; stop <= steps; stop++) {
        open_march(&r);
        for (uint32_t i = 0; i < stop; i++)
            assert_true(march_step(&r));
        if (stop == steps / 5 || stop == steps / 2) {
            weft_pack pack = {0};
            save_march(&r, 1, &pack);
            damage(&pack, load_march, &r);
            weft_pack_done(&pack);
        }
        restart_march(&r);
        finish_march(&r, &resumed);
        same_result(&whole, &resumed);
        weft_pack_done(&resumed.log);
    }
    print_message("%u ticks\n", steps);
    weft_pack_done(&whole.log);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ranks_go_on_where_they_stopped),
        cmocka_unit_test(parts_of_a_program_go_on_too),
        cmocka_unit_test(schedules_go_on_where_they_stopped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
