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

static void hand_over(weft_site *site, weft_process_set *set, uint32_t local, uint32_t number);

static void hand_generated(void *user, uint32_t local, uint32_t number)
{
    weft_process_set *set = user;
    hand_over(set->site, set, local, number);
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

static void open_stored(const weft_job_set *jobs, const weft_job *job, const uint32_t *rank,
                        weft_process_set *set)
{
    set->ranks = (weft_ranks){.program = &job->program,
                              .costs = jobs->costs,
                              .flit = jobs->flit,
                              .calc = jobs->calc,
                              .repeats = job->repeats,
                              .send = send_message,
                              .user = set};
    weft_ranks_open(&set->ranks, rank, set->count);
}

static void open_generated(const weft_job_set *jobs, const weft_job *job, const uint32_t *rank,
                           weft_process_set *set)
{
    set->march = (weft_march){.schedule = &job->schedule,
                              .costs = jobs->costs,
                              .flit = jobs->flit,
                              .calc = jobs->calc,
                              .repeats = job->repeats,
                              .start = WEFT_RANKS_NEVER,
                              .hand = hand_generated,
                              .user = set};
    weft_march_open(&set->march, rank, set->count);
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
    set->site = site;
    set->generated = job->schedule.n_phases > 0;
    for (uint32_t e = 0; e < processes->n_endpoints; e++) {
        if (rank_of[e] - job->first >= job->program.n_ranks)
            continue;
        processes->places[e] = (weft_process_place){number, count};
        set->source[count] = e * site->platform->network->n_traffic_classes + job_class(site);
        rank[count++] = rank_of[e] - job->first;
    }
    set->count = count;
    (set->generated ? open_generated : open_stored)(jobs, job, rank, set);
    weft_timeline_open(site->platform->network, job, set);
    set->source = weft_realloc(set->source, (size_t)count + 1, sizeof *set->source);
    set->queues = weft_alloc(sizeof *set->queues * ((size_t)count + 1));
    if (weft_job_set_has_background(jobs) && !job->background)
        set->balance = weft_alloc(sizeof *set->balance * ((size_t)count + 1));
    for (uint32_t c = 0; c < WEFT_SIZE_CLASSES; c++)
        if (count > 0 && job->size_classes >> c & 1)
            set->flows[c] = weft_alloc(sizeof *set->flows[c]);
    free(rank);
}

/* All ranks begin at this tick. */
static void begin_set(weft_process_set *set, weft_time at)
{
    if (set->generated)
        set->march.start = (uint64_t)at;
    for (uint32_t i = 0; i < set->count && !set->generated; i++)
        weft_ranks_push(&set->ranks, (uint64_t)at, WEFT_RANKS_BEGIN, i, 0);
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
    if (weft_message_waits_kept(network))
        processes->waits = weft_alloc(sizeof *processes->waits * ((size_t)site->routers + 1));
    for (uint32_t e = 0; e < processes->n_endpoints; e++)
        processes->places[e].set = WEFT_NOWHERE;
    for (uint32_t j = 0; j < processes->n_sets; j++)
        open_set(site, j, rank_of);
    free(rank_of);
    for (uint32_t j = 0; j < processes->n_sets; j++)
        if (network->jobs->jobs[j].after == WEFT_NOWHERE && !network->jobs->jobs[j].silent)
            begin_set(&processes->sets[j], network->jobs->jobs[j].start);
}

void weft_processes_close(weft_site *site)
{
    weft_processes *processes = site->processes;
    if (!processes)
        return;
    for (uint32_t j = 0; j < processes->n_sets; j++) {
        weft_process_set *set = &processes->sets[j];
        for (uint32_t i = 0; i < set->count; i++)
            free(set->queues[i].at);
        for (uint32_t c = 0; c < WEFT_SIZE_CLASSES; c++)
            free(set->flows[c]);
        free(set->queues);
        free(set->balance);
        free(set->source);
        free(set->sorted);
        weft_march_inbox_done(&set->inbox);
        if (set->logs)
            weft_rank_log_close(&set->log);
        if (set->generated)
            weft_march_close(&set->march);
        else
            weft_ranks_close(&set->ranks);
    }
    for (uint32_t r = 0; processes->waits && r < site->routers; r++)
        free(processes->waits[r].slots);
    free(processes->waits);
    free(processes->sets);
    free(processes->places);
    free(processes->called);
    free(processes);
}

/* Of a rank besides its program and its rules. */
#define RANK_BYTES (sizeof(weft_process_queue) + sizeof(weft_process_place) + 2 * sizeof(uint32_t))

/* Of a program: with what else is there while it is read. */
#define READING 1.1

double weft_processes_estimate(const weft_network *network)
{
    double bytes = 0;
    for (uint32_t j = 0; network->jobs && j < network->jobs->n_jobs; j++) {
        const weft_job *job = &network->jobs->jobs[j];
        double ranks = job->program.n_ranks;
        bytes += ranks * (RANK_BYTES + 2 * sizeof(uint32_t) + 2 * sizeof(weft_heap_entry));
        if (job->schedule.n_phases > 0) {
            bytes += ranks * (double)weft_march_rank_bytes(&job->schedule);
            continue;
        }
        bytes += READING * (double)weft_program_bytes(&job->program);
        for (uint32_t r = 0; r < job->program.n_ranks; r++)
            bytes += (double)weft_ranks_bytes(&job->program, r);
    }
    return bytes;
}

int64_t weft_processes_bytes(const weft_site *site)
{
    const weft_processes *processes = site->processes;
    uint64_t bytes = 0;
    for (uint32_t r = 0; processes && processes->waits && r < site->routers; r++)
        bytes += sizeof(weft_message_waits) + sizeof(weft_message_wait) * processes->waits[r].room;
    for (uint32_t j = 0; processes && j < processes->n_sets; j++) {
        const weft_process_set *set = &processes->sets[j];
        const weft_ranks *ranks = &set->ranks;
        bytes += set->count * RANK_BYTES + weft_march_inbox_bytes(&set->inbox);
        for (uint32_t i = 0; i < set->count; i++)
            bytes += sizeof *set->queues[i].at * set->queues[i].room;
        bytes += set->logs ? (uint64_t)weft_rank_log_bytes(&set->log) : 0;
        for (uint32_t c = 0; c < WEFT_SIZE_CLASSES; c++)
            bytes += set->flows[c] ? sizeof *set->flows[c] : 0;
        if (set->generated) {
            bytes += weft_march_bytes(&set->march);
            continue;
        }
        bytes += sizeof *ranks->agenda.entries * ranks->agenda.room;
        for (uint32_t i = 0; i < set->count; i++)
            bytes += weft_ranks_bytes(ranks->program, ranks->rank[i]);
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

/* The next tick in which a rank has something to do by itself; WEFT_RANKS_NEVER: none. */
static uint64_t next_of(const weft_process_set *set)
{
    if (set->generated)
        return weft_march_next(&set->march);
    const weft_heap *agenda = &set->ranks.agenda;
    return agenda->count > 0 ? agenda->entries[0].time : WEFT_RANKS_NEVER;
}

static bool has_arrivals(const weft_processes *processes)
{
    for (uint32_t j = 0; j < processes->n_sets; j++)
        if (processes->sets[j].inbox.count > 0)
            return true;
    return false;
}

static void wake_next(weft_processes *processes)
{
    uint64_t first = WEFT_RANKS_NEVER;
    for (uint32_t j = 0; j < processes->n_sets; j++) {
        uint64_t next = next_of(&processes->sets[j]);
        first = next < first ? next : first;
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
    if (has_arrivals(processes))
        wake(processes, now);
    wake_next(processes);
}

void weft_processes_begin(weft_site *site, uint32_t job, weft_time at, weft_time now)
{
    weft_processes *processes = site->processes;
    begin_set(&processes->sets[job], at);
    if (processes->now < now - 1)
        processes->now = now - 1;
    wake_next(processes);
}

bool weft_processes_expect(const weft_site *site, weft_process_place place,
                           weft_ranks_message message)
{
    const weft_network *network = site->platform->network;
    const weft_process_set *set = &site->processes->sets[place.set];
    const weft_job *job = &network->jobs->jobs[place.set];
    if (message.source >= job->program.n_ranks)
        return false;
    if (!set->generated && job->program.divided) /* what others send is not here */
        return weft_ranks_operations(&job->program, message.source) > 0 &&
               weft_ranks_known(&set->ranks, place.local, message) != WEFT_PROGRAM_NONE;
    const weft_workload *workload = &network->traffic_classes[job_class(site)].workload;
    weft_cursor cursor = {.index = message.number};
    weft_random random;
    weft_message sent =
        workload->kind->next(workload, job->endpoint[message.source], &cursor, &random);
    uint32_t rank =
        set->generated ? set->march.ranks[place.local].rank : set->ranks.rank[place.local];
    return sent.to == job->endpoint[rank];
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
    if (place.set == WEFT_NOWHERE)
        return; /* of a checkpoint that is damaged */
    weft_process_set *set = &processes->sets[place.set];
    uint32_t rank = jobs->rank_at[weft_packet_source(packet)] - jobs->jobs[place.set].first;
    weft_ranks_message message = {rank, weft_packet_index(packet)};
    if (processes->loaded && !weft_processes_expect(site, place, message))
        return; /* the same */
    weft_march_inbox_add(
        &set->inbox, (weft_march_arrival){.local = place.local, .message = message, .age = age});
    if (set->balance)
        set->balance[place.local]--;
    if (now <= processes->now) /* this tick is over for ranks */
        wake(processes, processes->now + 1);
}

static void count_flow(weft_process_set *set, uint64_t size, uint64_t age)
{
    weft_process_times *flow = set->flows[weft_job_size_class(size)];
    if (!flow)
        return;
    flow->count++;
    flow->sum += (int64_t)age;
    weft_histogram_add(&flow->bins, age);
}

/* Requests are not counted: their data are. */
static void count_stored(weft_process_set *set, const weft_march_arrival *it, uint32_t operation)
{
    if (!weft_ranks_asks(&set->ranks, operation) || (it->message.number & 1))
        count_flow(set, weft_operation_size(&set->ranks.program->operations[operation]), it->age);
}

static void count_generated(weft_process_set *set)
{
    const weft_phased *schedule = set->march.schedule;
    for (uint32_t i = 0; i < set->inbox.count; i++) {
        weft_ranks_message message = set->inbox.at[i].message;
        weft_phased_name name = weft_phased_name_of(schedule, message.number);
        if (name.part == WEFT_PHASED_ANSWER)
            continue;
        uint64_t size = weft_phased_step(schedule, name.phase, message.source, name.step).send;
        if (size <= set->march.costs.eager || name.part == WEFT_PHASED_DATA)
            count_flow(set, size, set->inbox.at[i].age);
    }
}

/* A message of a receive is the answer to a request. */
static void take_inbox(weft_process_set *set)
{
    weft_ranks *ranks = &set->ranks;
    for (uint32_t i = 0; i < set->inbox.count; i++) {
        weft_march_arrival it = set->inbox.at[i];
        uint32_t send, operation = weft_ranks_sized(ranks, it.local, it.message, &send);
        if (operation == WEFT_PROGRAM_NONE)
            continue; /* of a checkpoint that is damaged */
        ranks->came[it.local] = ranks->now;
        ranks->way[it.local] = it.age;
        if (ranks->log)
            weft_timeline_arrival(ranks, it.local, it.message);
        if (send != WEFT_PROGRAM_NONE) {
            weft_ranks_reply(ranks, it.local, send);
        } else {
            count_stored(set, &it, operation);
            weft_ranks_arrive(ranks, it.local, it.message);
        }
    }
}

static void set_head(weft_site *site, uint32_t source, weft_time at, uint32_t number)
{
    site->head[source] = (weft_cursor){.at = weft_fine_time_at(at), .index = number, .live = 1};
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
    if (set->balance)
        set->balance[local]++;
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

static void run_stored(weft_site *site, weft_process_set *set)
{
    weft_ranks *ranks = &set->ranks;
    uint64_t now = ranks->now = (uint64_t)site->processes->now;
    take_inbox(set);
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

static void run_generated(weft_site *site, weft_process_set *set)
{
    set->march.now = (uint64_t)site->processes->now;
    count_generated(set);
    weft_march_run(&set->march, set->inbox.at, set->inbox.count);
    site->exhausted = site->exhausted || set->march.late;
}

uint32_t weft_processes_tick(weft_site *site, weft_block *block, weft_time now,
                             const uint32_t **sources)
{
    weft_processes *processes = site->processes;
    processes->block = block;
    processes->now = now;
    processes->n_called = 0;
    for (uint32_t j = 0; j < processes->n_sets; j++) {
        weft_process_set *set = &processes->sets[j];
        weft_march_inbox_sort(&set->inbox);
        (set->generated ? run_generated : run_stored)(site, set);
        set->inbox.count = 0;
        free(set->sorted);
        set->sorted = NULL;
    }
    wake_next(processes);
    *sources = processes->called;
    return processes->n_called;
}

bool weft_processes_idle(const weft_site *site)
{
    for (uint32_t j = 0; j < site->processes->n_sets; j++) {
        const weft_process_set *set = &site->processes->sets[j];
        if (!site->platform->network->jobs->jobs[j].background &&
            (next_of(set) != WEFT_RANKS_NEVER || set->inbox.count > 0))
            return false;
    }
    return true;
}
