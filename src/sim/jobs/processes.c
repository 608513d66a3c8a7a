/* SPDX-License-Identifier: Apache-2.0 */
/* One set of ranks per job and site, each with an agenda of its own; a wake-up of the kernel makes
 * sure that the tick of the first entry comes. Ranks see each other by messages only, so the order
 * in which a tick goes through them does not matter. */
#include "sim/jobs/processes.h"

#include "base/memory.h"
#include "sim/jobs/processes_state.h"
#include "sim/jobs/timeline.h"

#include <stdlib.h>

static uint32_t job_class(const weft_site *site)
{
    return site->platform->network->n_traffic_classes - 1;
}

/* ---- building ---- */

static void send_message(void *user, uint64_t at, uint32_t local, uint32_t operation, uint32_t send)
{
    weft_process_set *set = user;
    weft_ranks *ranks = &set->ranks;
    bool data = ranks->state[weft_ranks_at(ranks, local, operation)] & WEFT_RANKS_ANSWERED;
    (void)send;
    weft_ranks_push(ranks, at, WEFT_RANKS_HAND, local,
                    weft_ranks_number(ranks, local, operation, data));
}

/* The rank of every endpoint of the site. */
static void find_ranks(weft_site *site, uint32_t *found)
{
    const weft_network *network = site->platform->network;
    uint32_t hosts = network->topology.concentration;
    for (uint32_t e = 0; e < site->processes->n_endpoints; e++) {
        uint32_t router = weft_partition_router(site->platform->partition, site->block, e / hosts);
        uint32_t endpoint = weft_site_endpoint(&network->topology, router, e % hosts);
        found[e] = endpoint < network->endpoints ? network->jobs->rank_at[endpoint] : WEFT_NOWHERE;
    }
}

static void open_set(weft_site *site, uint32_t number, const uint32_t *rank_of)
{
    weft_processes *processes = site->processes;
    const weft_job_set *jobs = site->platform->network->jobs;
    const weft_job *job = &jobs->jobs[number];
    weft_process_set *set = &processes->sets[number];
    uint32_t count = 0;
    uint32_t *rank = weft_realloc(NULL, (size_t)processes->n_endpoints + 1, sizeof *rank);
    set->source = weft_realloc(NULL, (size_t)processes->n_endpoints + 1, sizeof *set->source);
    for (uint32_t e = 0; e < processes->n_endpoints; e++) {
        if (rank_of[e] - job->first >= job->program.n_ranks)
            continue;
        processes->places[e] = (weft_process_place){number, count};
        set->source[count] = e * site->platform->network->n_traffic_classes + job_class(site);
        rank[count++] = rank_of[e] - job->first;
    }
    set->ranks = (weft_ranks){.program = &job->program,
                              .costs = jobs->costs,
                              .flit = jobs->flit,
                              .calc = jobs->calc,
                              .repeats = job->repeats,
                              .send = send_message,
                              .user = set};
    weft_ranks_open(&set->ranks, rank, count);
    weft_timeline_open(site->platform->network, set);
    set->queues = weft_alloc(sizeof *set->queues * ((size_t)count + 1));
    for (uint32_t c = 0; c < WEFT_SIZE_CLASSES; c++)
        if (count > 0 && job->size_classes >> c & 1)
            set->flows[c] = weft_alloc(sizeof *set->flows[c]);
    free(rank);
}

static void push_beginnings(weft_ranks *ranks, weft_time at)
{
    for (uint32_t i = 0; i < ranks->count; i++)
        weft_ranks_push(ranks, (uint64_t)at, WEFT_RANKS_BEGIN, i, 0);
}

void weft_processes_open(weft_site *site)
{
    const weft_network *network = site->platform->network;
    if (!network->jobs)
        return;
    weft_processes *processes = site->processes = weft_alloc(sizeof *processes);
    processes->n_sets = network->jobs->n_jobs;
    processes->n_endpoints = site->sources / network->n_traffic_classes;
    size_t endpoints = (size_t)processes->n_endpoints + 1;
    processes->sets = weft_alloc(sizeof *processes->sets * processes->n_sets);
    processes->places = weft_alloc(sizeof *processes->places * endpoints);
    processes->called = weft_alloc(sizeof *processes->called * endpoints);
    uint32_t *rank_of = weft_alloc(sizeof *rank_of * endpoints);
    find_ranks(site, rank_of);
    for (uint32_t e = 0; e < processes->n_endpoints; e++)
        processes->places[e].set = WEFT_NOWHERE;
    for (uint32_t j = 0; j < processes->n_sets; j++)
        open_set(site, j, rank_of);
    free(rank_of);
    for (uint32_t j = 0; j < processes->n_sets; j++)
        if (network->jobs->jobs[j].after == WEFT_NOWHERE && !network->jobs->jobs[j].silent)
            push_beginnings(&processes->sets[j].ranks, network->jobs->jobs[j].start);
}

void weft_processes_close(weft_site *site)
{
    weft_processes *processes = site->processes;
    if (!processes)
        return;
    for (uint32_t j = 0; j < processes->n_sets; j++) {
        weft_process_set *set = &processes->sets[j];
        for (uint32_t i = 0; i < set->ranks.count; i++)
            free(set->queues[i].at);
        for (uint32_t c = 0; c < WEFT_SIZE_CLASSES; c++)
            free(set->flows[c]);
        free(set->queues);
        free(set->source);
        free(set->sorted);
        if (set->ranks.log)
            weft_rank_log_close(&set->log);
        weft_ranks_close(&set->ranks);
    }
    free(processes->sets);
    free(processes->places);
    free(processes->called);
    free(processes->inbox);
    free(processes);
}

int64_t weft_processes_bytes(const weft_site *site)
{
    const weft_processes *processes = site->processes;
    uint64_t bytes = 0;
    for (uint32_t j = 0; processes && j < processes->n_sets; j++) {
        const weft_ranks *ranks = &processes->sets[j].ranks;
        bytes += sizeof *ranks->agenda.entries * ranks->agenda.room;
        bytes += ranks->log ? (uint64_t)weft_rank_log_bytes(ranks->log) : 0;
        for (uint32_t c = 0; c < WEFT_SIZE_CLASSES; c++)
            bytes += processes->sets[j].flows[c] ? sizeof *processes->sets[j].flows[c] : 0;
        for (uint32_t i = 0; i < ranks->count; i++)
            bytes += weft_ranks_bytes(ranks->program, ranks->rank[i]) + sizeof(weft_process_queue) +
                     sizeof(weft_process_place) + 2 * sizeof(uint32_t);
    }
    return (int64_t)bytes;
}

/* ---- running ---- */

/* The kernel comes to this tick, or to one on the way to it. */
static void wake(weft_processes *processes, weft_time at)
{
    weft_time most = processes->now + WEFT_STEP_MAX - 1;
    at = at < most ? at : most;
    if (processes->armed > processes->now && processes->armed <= at)
        return;
    processes->armed = at;
    weft_event *event = weft_emit(processes->block, at);
    event->to = 0;
    weft_wake_make(event, WEFT_WAKE_RANKS, 0, false);
}

static void wake_next(weft_processes *processes)
{
    uint64_t first = WEFT_RANKS_NEVER;
    for (uint32_t j = 0; j < processes->n_sets; j++) {
        const weft_heap *agenda = &processes->sets[j].ranks.agenda;
        if (agenda->count > 0 && agenda->entries[0].time < first)
            first = agenda->entries[0].time;
    }
    if (first != WEFT_RANKS_NEVER)
        wake(processes, (weft_time)first);
}

void weft_processes_start(weft_site *site, weft_block *block, weft_time now)
{
    weft_processes *processes = site->processes;
    if (!processes)
        return;
    processes->block = block;
    processes->now = now - 1;
    processes->armed = now - 1;
    if (processes->n_inbox > 0)
        wake(processes, now);
    wake_next(processes);
}

void weft_processes_begin(weft_site *site, uint32_t job, weft_time at, weft_time now)
{
    weft_processes *processes = site->processes;
    push_beginnings(&processes->sets[job].ranks, at);
    if (processes->now < now - 1)
        processes->now = now - 1;
    wake_next(processes);
}

void weft_processes_arrive(weft_site *site, uint32_t router, const weft_event *packet, uint64_t age,
                           weft_time now)
{
    weft_processes *processes = site->processes;
    const weft_network *network = site->platform->network;
    const weft_job_set *jobs = network->jobs;
    uint32_t hosts = network->topology.concentration;
    uint32_t here = router * hosts + weft_packet_host(site->platform->key, packet, hosts);
    weft_process_place place = processes->places[here];
    assert(place.set < processes->n_sets);
    if (processes->n_inbox == processes->inbox_room) {
        processes->inbox_room = processes->inbox_room ? 2 * processes->inbox_room : 16;
        processes->inbox =
            weft_realloc(processes->inbox, processes->inbox_room, sizeof *processes->inbox);
    }
    uint32_t rank = jobs->rank_at[weft_packet_source(packet)] - jobs->jobs[place.set].first;
    processes->inbox[processes->n_inbox++] = (weft_process_arrival){
        .place = place, .message = {rank, weft_packet_index(packet)}, .age = age};
    if (now <= processes->now) /* this tick is over for ranks */
        wake(processes, processes->now + 1);
}

static int by_rank(const void *a, const void *b)
{
    const weft_process_arrival *x = a, *y = b;
    if (x->place.set != y->place.set)
        return x->place.set < y->place.set ? -1 : 1;
    if (x->place.local != y->place.local)
        return x->place.local < y->place.local ? -1 : 1;
    if (x->message.source != y->message.source)
        return x->message.source < y->message.source ? -1 : 1;
    return x->message.number < y->message.number ? -1 : x->message.number > y->message.number;
}

static void sort_inbox(weft_processes *processes)
{
    for (uint32_t i = 1; i < processes->n_inbox; i++)
        if (by_rank(&processes->inbox[i - 1], &processes->inbox[i]) > 0) {
            qsort(processes->inbox, processes->n_inbox, sizeof *processes->inbox, by_rank);
            return;
        }
}

/* Requests are not counted: their data are. */
static void count_flow(weft_process_set *set, const weft_process_arrival *it, uint32_t operation)
{
    const weft_operation *send = &set->ranks.program->operations[operation];
    weft_process_times *flow = set->flows[weft_job_size_class(weft_operation_size(send))];
    bool request = weft_ranks_asks(&set->ranks, operation) && !(it->message.number & 1);
    if (request || !flow)
        return;
    flow->count++;
    flow->sum += (int64_t)it->age;
    weft_histogram_add(&flow->bins, it->age);
}

/* A message of a receive is the answer to a request. */
static void take_inbox(weft_processes *processes)
{
    sort_inbox(processes);
    for (uint32_t i = 0; i < processes->n_inbox; i++) {
        weft_process_arrival it = processes->inbox[i];
        weft_ranks *ranks = &processes->sets[it.place.set].ranks;
        const weft_program *program = ranks->program;
        uint32_t operation = weft_ranks_operation(program, it.message);
        ranks->now = (uint64_t)processes->now;
        ranks->came[it.place.local] = ranks->now;
        ranks->way[it.place.local] = it.age;
        if (ranks->log)
            weft_timeline_arrival(ranks, it.place.local, it.message);
        if (program->operations[operation].kind == WEFT_OPERATION_RECV) {
            weft_ranks_reply(ranks, it.place.local, program->partners[operation]);
        } else {
            count_flow(&processes->sets[it.place.set], &it, operation);
            weft_ranks_arrive(ranks, it.place.local, it.message);
        }
    }
    processes->n_inbox = 0;
}

static void set_head(weft_site *site, uint32_t source, weft_time at, uint32_t number)
{
    site->head[source] =
        (weft_cursor){.at = weft_fine_time_of((double)at), .index = number, .live = 1};
    if (site->counted) { /* counted already */
        site->counted[source] = site->head[source];
        site->counted[source].live = 0;
    }
}

/* A rank's message is the network's from now on. */
static void hand_over(weft_site *site, weft_process_set *set, uint32_t local, uint32_t number)
{
    weft_processes *processes = site->processes;
    weft_process_queue *queue = &set->queues[local];
    uint32_t source = set->source[local];
    weft_tally_generate(site->tally, job_class(site), processes->now);
    processes->waiting++;
    if (!site->head[source].live) {
        set_head(site, source, processes->now, number);
        processes->called[processes->n_called++] = source;
        return;
    }
    if (queue->count == queue->room) {
        queue->room = queue->room ? 2 * queue->room : 4;
        queue->at = weft_realloc(queue->at, queue->room, sizeof *queue->at);
    }
    queue->at[queue->count++] = (weft_process_waiting){processes->now, number};
}

void weft_processes_next(weft_site *site, uint32_t source)
{
    weft_processes *processes = site->processes;
    uint32_t classes = site->platform->network->n_traffic_classes;
    if (source % classes != classes - 1)
        return;
    weft_process_place place = processes->places[source / classes];
    weft_process_queue *queue = &processes->sets[place.set].queues[place.local];
    processes->waiting--;
    if (queue->begin == queue->count)
        return;
    weft_process_waiting first = queue->at[queue->begin++];
    if (queue->begin == queue->count)
        queue->begin = queue->count = 0;
    set_head(site, source, first.at, first.number);
}

static void run_set(weft_site *site, weft_process_set *set)
{
    weft_ranks *ranks = &set->ranks;
    uint64_t now = (uint64_t)site->processes->now;
    ranks->now = now;
    while (ranks->agenda.count > 0 && ranks->agenda.entries[0].time <= now) {
        weft_heap_entry entry = weft_heap_pop(&ranks->agenda);
        weft_ranks_entry kind = weft_ranks_kind(entry);
        if (kind == WEFT_RANKS_HAND)
            hand_over(site, set, weft_ranks_local(entry), entry.what);
        else if (kind == WEFT_RANKS_BEGIN)
            weft_ranks_begin(ranks, weft_ranks_local(entry));
        else
            weft_ranks_take(ranks, entry);
    }
    site->exhausted = site->exhausted || ranks->late;
}

uint32_t weft_processes_tick(weft_site *site, weft_block *block, weft_time now,
                             const uint32_t **sources)
{
    weft_processes *processes = site->processes;
    processes->block = block;
    processes->now = now;
    processes->n_called = 0;
    take_inbox(processes);
    for (uint32_t j = 0; j < processes->n_sets; j++) {
        weft_process_set *set = &processes->sets[j];
        run_set(site, set);
        free(set->sorted);
        set->sorted = NULL;
    }
    wake_next(processes);
    *sources = processes->called;
    return processes->n_called;
}

/* ---- what sync points ask ---- */

int64_t weft_processes_waiting(const weft_site *site)
{
    return site->processes ? site->processes->waiting : 0;
}

int64_t weft_processes_left(const weft_site *site)
{
    int64_t left = 0;
    for (uint32_t j = 0; site->processes && j < site->processes->n_sets; j++)
        if (!site->platform->network->jobs->jobs[j].background)
            left += site->processes->sets[j].ranks.n_left;
    return left;
}

void weft_processes_left_of(const weft_site *site, int64_t *left)
{
    for (uint32_t j = 0; j < site->processes->n_sets; j++)
        left[j] += site->processes->sets[j].ranks.n_left;
}

bool weft_processes_idle(const weft_site *site)
{
    for (uint32_t j = 0; j < site->processes->n_sets; j++)
        if (site->processes->sets[j].ranks.agenda.count > 0)
            return false;
    return site->processes->n_inbox == 0;
}

void weft_processes_finish(const weft_site *site, int64_t *finish)
{
    const weft_job *jobs = site->platform->network->jobs->jobs;
    for (uint32_t j = 0; j < site->processes->n_sets; j++) {
        const weft_ranks *ranks = &site->processes->sets[j].ranks;
        for (uint32_t i = 0; i < ranks->count; i++)
            finish[jobs[j].first + ranks->rank[i]] = (int64_t)ranks->finish[i];
    }
}

void weft_processes_repetitions(const weft_site *site, int64_t *repetitions)
{
    const weft_job *jobs = site->platform->network->jobs->jobs;
    for (uint32_t j = 0; j < site->processes->n_sets; j++) {
        const weft_ranks *ranks = &site->processes->sets[j].ranks;
        for (uint32_t i = 0; i < ranks->count; i++)
            repetitions[jobs[j].first + ranks->rank[i]] = ranks->repetition[i];
    }
}

void weft_processes_spent(const weft_site *site, int64_t *spent)
{
    for (uint32_t j = 0; j < site->processes->n_sets; j++) {
        const weft_ranks *ranks = &site->processes->sets[j].ranks;
        for (size_t i = 0; i < (size_t)ranks->count * WEFT_SPENT_KINDS; i++)
            spent[j * WEFT_SPENT_KINDS + i % WEFT_SPENT_KINDS] += (int64_t)ranks->spent[i];
    }
}

void weft_processes_flows(const weft_site *site, weft_process_times *flows)
{
    for (uint32_t j = 0; j < site->processes->n_sets; j++)
        for (uint32_t c = 0; c < WEFT_SIZE_CLASSES; c++) {
            const weft_process_times *own = site->processes->sets[j].flows[c];
            weft_process_times *into = &flows[j * WEFT_SIZE_CLASSES + c];
            if (!own)
                continue;
            into->count += own->count;
            into->sum += own->sum;
            weft_histogram_merge(&into->bins, &own->bins);
        }
}

void weft_processes_steps(const weft_site *site, int64_t *ends)
{
    for (uint32_t j = 0; j < site->processes->n_sets; j++) {
        const weft_ranks *ranks = &site->processes->sets[j].ranks;
        uint32_t steps = weft_ranks_steps(ranks->repeats);
        for (uint32_t i = 0; i < steps; i++)
            if ((int64_t)ranks->ends[i] > ends[i])
                ends[i] = (int64_t)ranks->ends[i];
        ends += steps;
    }
}

void weft_processes_waits(const weft_site *site, int64_t *waits)
{
    const weft_job *jobs = site->platform->network->jobs->jobs;
    for (uint32_t j = 0; j < site->processes->n_sets; j++) {
        const weft_ranks *ranks = &site->processes->sets[j].ranks;
        for (uint32_t i = 0; i < ranks->count; i++)
            waits[jobs[j].first + ranks->rank[i]] = weft_ranks_waits(ranks, i);
    }
}
