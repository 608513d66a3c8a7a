/* SPDX-License-Identifier: Apache-2.0 */
/* The sections of message-passing programs: hosts and jobs. */
#include "config/sections.h"

#define FOREVER 9e18
#define END          \
    {                \
        .name = NULL \
    }

/* host */
#define IN_HOST(member) offsetof(weft_host_settings, member)
static const weft_param host_params[] = {
    {"overhead", "o: time of a CPU for a message, at either end", WEFT_PARAM_DURATION,
     IN_HOST(overhead), "0 cycles", 0, 1e12, NULL, NULL},
    {"overhead-per-byte", "O: more of it for every byte after the first", WEFT_PARAM_DURATION,
     IN_HOST(overhead_per_byte), "0 cycles", 0, 1e9, NULL, NULL},
    {"gap",
     "g: least time from the start of a message of one flit to the next one at a NIC; none: the "
     "link's time of a flit",
     WEFT_PARAM_DURATION, IN_HOST(gap), "none", 0, 1e12, NULL, NULL},
    {"eager", "S: longer messages ask first (rendezvous); none: no message does", WEFT_PARAM_SIZE,
     IN_HOST(eager), "none", 0, 0x1p48, NULL, NULL},
    {"calc", "time of one unit of calc; none: a cycle, or with times in seconds 1 ns",
     WEFT_PARAM_DURATION, IN_HOST(calc), "none", 0, 1e12, NULL, NULL},
    {"response", "how hosts change the rate of what jobs send, as traffic.x.response",
     WEFT_PARAM_KIND, IN_HOST(response), "none", 0, 0, NULL, "response"},
    {"min-rate", "of a host with a response, as a fraction of its link's rate", WEFT_PARAM_FRACTION,
     IN_HOST(min_rate), "0.00390625", 1e-9, 1, NULL, NULL},
    {"rate-jitter", "of a host with a response, as traffic.x.rate-jitter", WEFT_PARAM_FRACTION,
     IN_HOST(rate_jitter), "0.1", 0, 1, NULL, NULL},
    END};
const weft_table weft_table_host = {.name = "host",
                                    .brief = "the hosts of jobs: what messages cost them (LogGOPS)",
                                    .params = host_params,
                                    .offset = offsetof(weft_bound_scenario, host),
                                    .settled = 0};

/* jobs.NAME.phases */
#define IN_PHASE(member) offsetof(weft_phase_settings, member)
static const weft_param phase_params[] = {
    {"collective",
     "an operation and its algorithm, such as allreduce/ring (weft workload list); none: compute",
     WEFT_PARAM_TEXT, IN_PHASE(collective), "none", 0, 0, NULL, NULL},
    {"size", "of a collective's vector; of an all-to-all: what a rank sends", WEFT_PARAM_SIZE,
     IN_PHASE(size), "1 B", 0, 0x1p48, NULL, NULL},
    {"segments", "of a chain; of each tree of a double tree", WEFT_PARAM_INT, IN_PHASE(segments),
     "1", 1, 1e6, NULL, NULL},
    {"group", "ranks of a group of a hierarchical collective; 0: 8", WEFT_PARAM_INT,
     IN_PHASE(group), "0", 0, 0x1p28, NULL, NULL},
    {"sum", "units of calc for every byte that is added", WEFT_PARAM_INT, IN_PHASE(sum), "0", 0,
     4096, NULL, NULL},
    {"compute", "time of a calculation on every rank; none: collective", WEFT_PARAM_DURATION,
     IN_PHASE(compute), "none", 0, FOREVER, NULL, NULL},
    {"imbalance",
     "of a calculation: ranks take up to this share more or less, each always the same, drawn "
     "uniformly",
     WEFT_PARAM_FRACTION, IN_PHASE(imbalance), "0", 0, 1, NULL, NULL},
    {"noise",
     "of a calculation: the mean of what it takes longer, as a share of compute, drawn anew for "
     "every rank and repetition from an exponential distribution",
     WEFT_PARAM_FRACTION, IN_PHASE(noise), "0", 0, 1000, NULL, NULL},
    END};
const weft_table weft_table_phases = {
    .name = "phases",
    .brief = "the program: calculations and collectives by name, one after the other on every rank "
             "in the order of the file; a rank that is done with one begins the next",
    .params = phase_params,
    .named = true,
    .settled = 1};
static const weft_table *const job_tables[] = {&weft_table_phases, NULL};

/* jobs */
#define IN_JOB(member) offsetof(weft_job_settings, member)
static const char *const placements[] = {"contiguous", "random",    "round-robin", "by-group",
                                         "listed",     "first-fit", NULL};
static const weft_param job_params[] = {
    {"file", "the program: a GOAL schedule, text or binary; none: collective or phases",
     WEFT_PARAM_FILE, IN_JOB(file), "none", 0, 0, NULL, NULL},
    {"collective",
     "the program: an operation and its algorithm, such as allreduce/ring (weft workload list); "
     "none: file or phases",
     WEFT_PARAM_TEXT, IN_JOB(collective), "none", 0, 0, NULL, NULL},
    {"ranks", "of collectives and phases; none: as many as `on` has endpoints", WEFT_PARAM_INT,
     IN_JOB(ranks), "none", 1, 0x1p28, NULL, NULL},
    {"size", "of a collective's vector; of an all-to-all: what a rank sends", WEFT_PARAM_SIZE,
     IN_JOB(size), "1 B", 0, 0x1p48, NULL, NULL},
    {"segments", "of a chain; of each tree of a double tree", WEFT_PARAM_INT, IN_JOB(segments), "1",
     1, 1e6, NULL, NULL},
    {"sum", "units of calc for every byte that is added", WEFT_PARAM_INT, IN_JOB(sum), "0", 0, 4096,
     NULL, NULL},
    {"repeat", "how often every rank runs the program", WEFT_PARAM_INT, IN_JOB(repeat), "1", 1, 1e6,
     NULL, NULL},
    {"start", "when the job begins; with `after`: how long after the other one",
     WEFT_PARAM_DURATION, IN_JOB(start), "0 cycles", 0, FOREVER, NULL, NULL},
    {"on", "endpoints it may use, in the words of traffic.from; no endpoint has ranks of two jobs",
     WEFT_PARAM_HOSTS, IN_JOB(on), "all", 0, 0, NULL, NULL},
    {"placement",
     "rank → endpoint, of those that are free: contiguous takes the first ones in order, random "
     "draws them, round-robin takes one of every router in turn, by-group fills the groups of the "
     "topology, the emptiest first, listed takes them in the order in which `on` names them, "
     "first-fit the smallest run of free neighbours that is long enough, as batch systems do, "
     "after the other jobs and in the order of their starts",
     WEFT_PARAM_CHOICE, IN_JOB(placement), "contiguous", 0, 0, placements, NULL},
    {"after",
     "a job that has to end first; this one begins at the sampling time that sees its end, or "
     "`start` later; none: it waits for no other",
     WEFT_PARAM_TEXT, IN_JOB(after), "none", 0, 0, NULL, NULL},
    {"background", "repeats its program until all jobs have ended that are not in the background",
     WEFT_PARAM_FLAG, IN_JOB(background), "false", 0, 0, NULL, NULL},
    {"group", "ranks of a group of a hierarchical collective; 0: 8", WEFT_PARAM_INT, IN_JOB(group),
     "0", 0, 0x1p28, NULL, NULL},
    {"steps",
     "of the collective that are run, all of one size as of a ring: the time of the others is "
     "extrapolated from the second half of these, and the result says so; none: all",
     WEFT_PARAM_INT, IN_JOB(steps), "none", 2, 0x1p28, NULL, NULL},
    END};
enum { JOB_SETTLED = 10 };
const weft_table weft_table_jobs = {
    .name = "jobs",
    .brief = "message-passing programs by name; a run with jobs ends when all have ended",
    .params = job_params,
    .tables = job_tables,
    .named = true,
    .settled = JOB_SETTLED};
