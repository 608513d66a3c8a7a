/* SPDX-License-Identifier: Apache-2.0 */
/* Every setting of a scenario that is not a component's own. */
#include "config/sections.h"

#include "config/evaluation/evaluation.h"

#include "config/infiniband/framing.h"

#include <string.h>

#define LOAD_MIN 1e-6
#define LOAD_MAX 100.0 /* above 1 only where the load says so: overload */
#define FOREVER  9e18  /* durations in cycles or picoseconds; whole numbers too */
#define END          \
    {                \
        .name = NULL \
    }

static const char *const where_key[] = {"where", NULL};

/* links */
static const weft_param class_params[] = {
    {"rate", "bandwidth of these links; none: as the section says", WEFT_PARAM_RATE,
     offsetof(weft_link_settings, rate), "none", 1, 1e18, NULL, NULL},
    {"latency", "delay of the wire; none: as the section says", WEFT_PARAM_DURATION,
     offsetof(weft_link_settings, latency), "none", 0, FOREVER, NULL, NULL},
    END};

static const weft_table links_local = {
    .name = "local",
    .brief = "links between routers (of one group, where the topology has groups)",
    .params = class_params,
    .offset = offsetof(weft_bound_links, local)};
static const weft_table links_global = {.name = "global",
                                        .brief = "links between groups of routers",
                                        .params = class_params,
                                        .offset = offsetof(weft_bound_links, global)};
static const weft_table links_regional = {
    .name = "regional",
    .brief = "links between the levels of local and global ones, in a hierarchy of three or more; "
             "what is not given is as of global ones",
    .params = class_params,
    .offset = offsetof(weft_bound_links, regional)};
static const weft_table links_host = {.name = "host",
                                      .brief = "links between endpoints and routers",
                                      .params = class_params,
                                      .offset = offsetof(weft_bound_links, host)};
static const weft_table *const link_classes[] = {&links_local, &links_global, &links_host,
                                                 &links_regional, NULL};

static const weft_param links_params[] = {
    {"rate", "bandwidth of every link; none: one flit per cycle", WEFT_PARAM_RATE,
     offsetof(weft_bound_links, rate), "none", 1, 1e18, NULL, NULL},
    {"latency", "delay of the wire of every link", WEFT_PARAM_DURATION,
     offsetof(weft_bound_links, latency), "0 cycles", 0, FOREVER, NULL, NULL},
    {"flit", "size of a flit, the unit of flow control", WEFT_PARAM_SIZE,
     offsetof(weft_bound_links, flit), "1 B", 1, 65536, NULL, NULL},
    END};
const weft_table weft_table_links_where = {.name = "where", .params = class_params};
const weft_table weft_table_links = {.name = "links",
                                     .brief = "rate and latency of links, by class",
                                     .params = links_params,
                                     .offset = offsetof(weft_bound_scenario, links),
                                     .tables = link_classes,
                                     .apart = where_key};

/* endpoint */
static const char *const porting[] = {"default", "unlimited", "one-port", NULL};

#define IN_ENDPOINT(member) offsetof(weft_endpoint_settings, member)
static const weft_param endpoint_params[] = {
    {"injection",
     "how many packets an endpoint may send at a time; default: unlimited, with virtual channels "
     "one "
     "per link",
     WEFT_PARAM_CHOICE, IN_ENDPOINT(injection), "default", 0, 0, porting, NULL},
    {"reception",
     "how many packets an endpoint may receive at a time; default: one, with virtual channels one "
     "per link",
     WEFT_PARAM_CHOICE, IN_ENDPOINT(reception), "default", 0, 0, porting, NULL},
    {"backlog", "messages that wait in every source when the run starts", WEFT_PARAM_INT,
     IN_ENDPOINT(backlog), "0", 0, 1e9, NULL, NULL},
    {"ports", "links of an endpoint, each way", WEFT_PARAM_INT, IN_ENDPOINT(ports), "1", 1, 16,
     NULL, NULL},
    {"mtu",
     "longest packet: longer messages are cut; none: at 65535 flits; with headers: its longest "
     "payload",
     WEFT_PARAM_SIZE, IN_ENDPOINT(mtu), "none", 1, 0x1p32, NULL, NULL},
    {"delay", "between the decision to send a packet and the wire", WEFT_PARAM_DURATION,
     IN_ENDPOINT(delay), "0 cycles", 0, 1e12, NULL, NULL},
    {"bus-rate", "bandwidth of an endpoint's I/O bus, each way; none: no limit", WEFT_PARAM_RATE,
     IN_ENDPOINT(bus_rate), "none", 1, 1e18, NULL, NULL},
    {"bus-latency", "delay of that bus", WEFT_PARAM_DURATION, IN_ENDPOINT(bus_latency), "0 cycles",
     0, 1e12, NULL, NULL},
    {"dma", "to set up the transfer of a message", WEFT_PARAM_DURATION, IN_ENDPOINT(dma),
     "0 cycles", 0, 1e12, NULL, NULL},
    {"ack-delay",
     "from a packet's delivery until its source has the ACK, at least one tick; for classes with a "
     "response",
     WEFT_PARAM_DURATION, IN_ENDPOINT(ack_delay), "0 cycles", 0, 1e12, NULL, NULL},
    {"scheduler",
     "which VL (virtual channel) an injection link takes next, by a scheduler that knows sizes of "
     "packets (vl-arbitration); none: as router.scheduler if it does, else the packet that has "
     "waited longest",
     WEFT_PARAM_KIND, IN_ENDPOINT(scheduler), "none", 0, 0, NULL, "scheduler"},
    {"headers",
     "what every packet has beside its payload: infiniband is LRH, BTH, ICRC and VCRC (26 bytes), "
     "datagram DETH (8 more), global GRH (40 more). Lengths of messages are of their payload then; "
     "loads and results count all flits",
     WEFT_PARAM_CHOICE, IN_ENDPOINT(headers), "none", 0, 0, weft_framing_names, NULL},
    END};
enum { ENDPOINT_SETTLED = 3 };
const weft_table weft_table_endpoint = {.name = "endpoint",
                                        .brief = "how endpoints send and receive",
                                        .params = endpoint_params,
                                        .offset = offsetof(weft_bound_scenario, endpoint),
                                        .apart = where_key,
                                        .settled = ENDPOINT_SETTLED};

/* offered */
#define LOAD_BRIEF "offered load, as a fraction of the injection bandwidth of the senders"
#define RHO_BRIEF  "offered load, as mean utilisation of the links between routers"
#define RATE_BRIEF "offered load, as messages per second and endpoint"
#define OVERLOAD_BRIEF                                                                        \
    "true: a load or rho above 1 is meant, more than links carry; without it such a load is " \
    "refused"

static const weft_param offered_params[] = {
    {"load", LOAD_BRIEF, WEFT_PARAM_FRACTION, offsetof(weft_bound_offered, load), "none", LOAD_MIN,
     LOAD_MAX, NULL, NULL},
    {"rho", RHO_BRIEF, WEFT_PARAM_FRACTION, offsetof(weft_bound_offered, rho), "none", LOAD_MIN,
     LOAD_MAX, NULL, NULL},
    {"rate", RATE_BRIEF, WEFT_PARAM_REAL, offsetof(weft_bound_offered, rate), "none", 1e-6, 1e15,
     NULL, NULL},
    {"overload", OVERLOAD_BRIEF, WEFT_PARAM_FLAG, offsetof(weft_bound_offered, overload), "false",
     0, 0, NULL, NULL},
    END};
enum { OFFERED_SETTLED = sizeof offered_params / sizeof *offered_params - 2 };
const weft_table weft_table_offered = {
    .name = "offered",
    .brief = "the load that traffic classes share; exactly one of load, rho and rate",
    .params = offered_params,
    .offset = offsetof(weft_bound_scenario, offered),
    .settled = OFFERED_SETTLED};

/* faults */
#define IN_FAULTS(member) offsetof(weft_fault_settings, member)
static const weft_param fault_params[] = {
    {"links",
     "pairs of routers, [3, 7, 8, 12] for 3–7 and 8–12: all links between the two are down",
     WEFT_PARAM_INTS, IN_FAULTS(links), "none", 0, 0x1p28, NULL, NULL},
    {"routers", "routers that are down, with all their links; they must have no endpoints",
     WEFT_PARAM_INTS, IN_FAULTS(routers), "none", 0, 0x1p28, NULL, NULL},
    {"named",
     "the same by names: 'spine1 - leaf3' for all cables between two routers, 'spine4' for a "
     "router, 'leaf1:p7->spine2' for one cable, with commas between; * is any text; also as a "
     "list, faults: [spine4, 'spine1 - leaf3'], where [] is none",
     WEFT_PARAM_TEXT, IN_FAULTS(named), "none", 0, 0, NULL, NULL},
    {"random", "number of further cables, drawn among all between routers", WEFT_PARAM_INT,
     IN_FAULTS(random), "0", 0, 4096, NULL, NULL},
    {"seed", "of that draw", WEFT_PARAM_INT, IN_FAULTS(seed), "1", 0, 1e9, NULL, NULL},
    {"at", "when they go down; 0: they have been from the start", WEFT_PARAM_DURATION,
     IN_FAULTS(at), "0 cycles", 0, FOREVER, NULL, NULL},
    END};
const weft_table weft_table_faults = {.name = "faults",
                                      .brief = "links and routers that are down",
                                      .params = fault_params,
                                      .offset = offsetof(weft_bound_scenario, faults),
                                      .settled = 1};

/* traffic */
#define IN_CLASS(member) offsetof(weft_class_settings, member)

static const char *const services[] = {"dbts", "db", "pbe", "be", NULL};
static const weft_param traffic_params[] = {
    {"pattern", "who talks to whom", WEFT_PARAM_KIND, IN_CLASS(pattern), "uniform", 0, 0, NULL,
     "pattern"},
    {"arrival", "when messages come", WEFT_PARAM_KIND, IN_CLASS(arrival), "poisson", 0, 0, NULL,
     "arrival"},
    {"length", "how long messages are", WEFT_PARAM_KIND, IN_CLASS(length), NULL, 0, 0, NULL,
     "length"},
    {"load", LOAD_BRIEF, WEFT_PARAM_FRACTION, IN_CLASS(load), "none", LOAD_MIN, LOAD_MAX, NULL,
     NULL},
    {"rho", RHO_BRIEF, WEFT_PARAM_FRACTION, IN_CLASS(rho), "none", LOAD_MIN, LOAD_MAX, NULL, NULL},
    {"rate", RATE_BRIEF, WEFT_PARAM_REAL, IN_CLASS(rate), "none", 1e-6, 1e15, NULL, NULL},
    {"share", "part of the section offered that is this class's", WEFT_PARAM_FRACTION,
     IN_CLASS(share), "none", 1e-9, 1, NULL, NULL},
    {"start", "when the class begins to send", WEFT_PARAM_DURATION, IN_CLASS(start), "0 cycles", 0,
     FOREVER, NULL, NULL},
    {"stop",
     "when the class stops sending; none: never. If all stop, the run ends once all is delivered",
     WEFT_PARAM_DURATION, IN_CLASS(stop), "none", 0, FOREVER, NULL, NULL},
    {"routing", "the class' own; none: the section routing", WEFT_PARAM_KIND, IN_CLASS(routing),
     "none", 0, 0, NULL, "routing"},
    {"vcs", "virtual channels its packets use, in a row; none: all", WEFT_PARAM_INTS, IN_CLASS(vcs),
     "none", 0, 15, NULL, NULL},
    {"sl",
     "service level of its packets: they travel on the VL (virtual channel) that router.sl2vl "
     "gives "
     "it; none: 0 with router.sl2vl, else no level",
     WEFT_PARAM_INT, IN_CLASS(sl), "none", 0, 15, NULL, NULL},
    {"from",
     "which endpoints send: all, numbers 0-15 (every fourth: 0-60/4), router NAMES (with * and ?), "
     "group 0-3, hosts of InfiniBand by name (node17, rack3-*), file NAME with one of these a "
     "line, or a list of them",
     WEFT_PARAM_HOSTS, IN_CLASS(from), "all", 0, 0, NULL, NULL},
    {"to",
     "which endpoints receive, in the same words; from: the senders. Patterns of numbers "
     "(transpose, random-permutation, matrix …) then number these",
     WEFT_PARAM_HOSTS, IN_CLASS(to), "all", 0, 0, NULL, NULL},
    {"overload", OVERLOAD_BRIEF, WEFT_PARAM_FLAG, IN_CLASS(overload), "false", 0, 0, NULL, NULL},
    {"response",
     "how every source of the class changes its rate with the ACKs of its packets, which bring "
     "marks back; none: it sends as fast as it can",
     WEFT_PARAM_KIND, IN_CLASS(response), "none", 0, 0, NULL, "response"},
    {"min-rate", "of a source with a response, as a fraction of max-rate", WEFT_PARAM_FRACTION,
     IN_CLASS(min_rate), "0.00390625", 1e-9, 1, NULL, NULL},
    {"max-rate",
     "of a source with a response, packets per second (per cycle without a clock); none: one after "
     "the other",
     WEFT_PARAM_REAL, IN_CLASS(max_rate), "none", 1e-9, 1e15, NULL, NULL},
    {"rate-jitter",
     "of a source with a response: the gap to the next packet is drawn up to so much longer or "
     "shorter",
     WEFT_PARAM_FRACTION, IN_CLASS(rate_jitter), "0.1", 0, 1, NULL, NULL},
    {"window", "packets of a source with a response that may wait for their ACKs; none: any number",
     WEFT_PARAM_INT, IN_CLASS(window), "none", 1, 1e6, NULL, NULL},
    {"service",
     "class of service: dbts (dedicated bandwidth, time sensitive: needs a deadline), db "
     "(dedicated "
     "bandwidth), pbe (preferred best effort), be (best effort); decides what is measured, not who "
     "goes first",
     WEFT_PARAM_CHOICE, IN_CLASS(service), "none", 0, 0, services, NULL},
    {"deadline", "time within which a message should arrive; its share is measured; none: any",
     WEFT_PARAM_DURATION, IN_CLASS(deadline), "none", 1, FOREVER, NULL, NULL},
    {"management",
     "subnet management: packets travel on VL 15, which has neither credits nor a service level. "
     "They go before all others at every port, and are dropped where router.management-buffer is "
     "full",
     WEFT_PARAM_FLAG, IN_CLASS(management), "false", 0, 0, NULL, NULL},
    {"guarantee",
     "part of what the class offers that should be accepted in every sampling interval; the share "
     "of these is measured; none: 90% with service dbts and db, else nothing",
     WEFT_PARAM_FRACTION, IN_CLASS(guarantee), "none", 1e-6, 1, NULL, NULL},
    END};
enum { TRAFFIC_SETTLED = sizeof traffic_params / sizeof *traffic_params - 11 };
const weft_table weft_table_traffic = {
    .name = "traffic",
    .brief = "classes of traffic by name; each has exactly one of load, rho, rate and share",
    .params = traffic_params,
    .named = true,
    .settled = TRAFFIC_SETTLED};

/* measure */
#define IN_MEASURE(member) offsetof(weft_bound_measure, measure.member)

static const char *const quantities[] = {"latency", NULL};
static const char *const breakdowns[] = {"nothing", "hops", "history", NULL};
static const char *const link_reports[] = {"off", "summary", "all", NULL};
static const char *const device_reports[] = {"off", "ports", "vcs", NULL};
static const char *const timeline_reports[] = {"off", "states", "operations", NULL};

#define TEXT_OF(macro) #macro
#define TEXT(macro)    TEXT_OF(macro)

static const weft_param limit_params[] = {
    {"time", "simulated time", WEFT_PARAM_DURATION, IN_MEASURE(limit_time), "none", 1, FOREVER,
     NULL, NULL},
    {"packets", "packets delivered, those of the warm-up included", WEFT_PARAM_INT,
     IN_MEASURE(limit_packets), TEXT(WEFT_LIMIT_PACKETS), 1, 1e18, NULL, NULL},
    {"wall", "time on the clock on the wall", WEFT_PARAM_DURATION, IN_MEASURE(limit_wall), "none",
     1, FOREVER, NULL, NULL},
    END};
static const weft_table measure_limit = {
    .name = "limit",
    .brief = "a run ends here even if the interval is still wide; the first that is reached",
    .params = limit_params};
static const weft_table *const measure_tables[] = {&measure_limit, NULL};

static const weft_param measure_params[] = {
    {"of", "the quantity whose interval ends a run", WEFT_PARAM_CHOICE,
     offsetof(weft_bound_measure, of), "latency", 0, 0, quantities, NULL},
    {"by",
     "what latency and cut-through are broken down by; history: by hops, and by what the router "
     "before did",
     WEFT_PARAM_CHOICE, IN_MEASURE(by), "nothing", 0, 0, breakdowns, NULL},
    {"confidence", "of every interval", WEFT_PARAM_FRACTION, IN_MEASURE(confidence), "95%", 0.5,
     0.99999, NULL, NULL},
    {"half-width", "of the interval at which a run ends, relative to the mean", WEFT_PARAM_FRACTION,
     IN_MEASURE(half_width), "1%", 1e-6, 1, NULL, NULL},
    {"warmup", "what is left out at the start; none: detected", WEFT_PARAM_DURATION,
     IN_MEASURE(warmup), "none", 0, FOREVER, NULL, NULL},
    {"series", "bin width of time series; none: no series", WEFT_PARAM_DURATION, IN_MEASURE(series),
     "none", 1, FOREVER, NULL, NULL},
    {"links",
     "what is kept of the links' loads; summary: of all links of a network of up to 4,096, else "
     "of the ten most loaded",
     WEFT_PARAM_CHOICE, IN_MEASURE(links), "summary", 0, 0, link_reports, NULL},
    {"devices",
     "load, occupancy and credit stalls of every router, by its ports or their virtual channels",
     WEFT_PARAM_CHOICE, IN_MEASURE(devices), "off", 0, 0, device_reports, NULL},
    {"hurst", "estimate the Hurst parameter of the arrivals of messages (1/2: no long memory)",
     WEFT_PARAM_FLAG, IN_MEASURE(hurst), "false", 0, 0, NULL, NULL},
    {"alone", "run every job by itself too, on the same endpoints, for its slowdown",
     WEFT_PARAM_FLAG, IN_MEASURE(alone), "false", 0, 0, NULL, NULL},
    {"rates",
     "endpoints, in the words of traffic.x.from, whose flows are followed over time: what each "
     "sends in every bin of series, and the rate that its response allows; at most 256 flows",
     WEFT_PARAM_HOSTS, IN_MEASURE(rates), "none", 0, 0, NULL, NULL},
    {"timeline",
     "what is kept of the ranks of jobs over time: what they do in bins, or every operation and "
     "message, and with them the critical path",
     WEFT_PARAM_CHOICE, IN_MEASURE(timeline), "off", 0, 0, timeline_reports, NULL},
    {"timeline-limit",
     "operations of all jobs that are not in the background up to which each is kept; beyond, and "
     "of "
     "the others: bins alone",
     WEFT_PARAM_INT, IN_MEASURE(timeline_limit), "100000", 1, 1e8, NULL, NULL},
    {"ideal-limit",
     "operations of a job's file up to which every process keeps all of them, and the ideal times "
     "are found; of a longer one every process keeps those of its own ranks alone",
     WEFT_PARAM_INT, IN_MEASURE(ideal_limit), "1048576", 0, 4294967294.0, NULL, NULL},
    {"link-series",
     "loads of the 64 busiest links over time, in the bins of series; of networks of up to 4,096 "
     "links",
     WEFT_PARAM_FLAG, IN_MEASURE(link_series), "false", 0, 0, NULL, NULL},
    {"early",
     "end runs early that tell nothing new: deep in saturation, far below it, or where the "
     "half-width is out of reach; the verdict says so",
     WEFT_PARAM_FLAG, IN_MEASURE(early), "false", 0, 0, NULL, NULL},
    END};
enum { MEASURE_SETTLED = 7 };
const weft_table weft_table_measure = {.name = "measure",
                                       .brief = "what is measured, how well, and when a run ends",
                                       .params = measure_params,
                                       .offset = offsetof(weft_bound_scenario, measure),
                                       .tables = measure_tables,
                                       .settled = MEASURE_SETTLED};

const weft_param *weft_sections_wall(void)
{
    return &limit_params[2];
}

/* the scenario */
static const weft_param scenario_params[] = {
    {"interweft", "version of the scenario language: 1", WEFT_PARAM_INT,
     offsetof(weft_bound_scenario, version), NULL, 1, 1, NULL, NULL},
    {"title", "one line for pictures and tables", WEFT_PARAM_TEXT,
     offsetof(weft_bound_scenario, title), "", 0, 0, NULL, NULL},
    {"seed", "of every random draw; points of a grid draw from streams of their own",
     WEFT_PARAM_INT, offsetof(weft_bound_scenario, seed), "1", 0, 1e18, NULL, NULL},
    {"clock", "cycles per second; needed where cycles and seconds meet", WEFT_PARAM_FREQUENCY,
     offsetof(weft_bound_scenario, clock), "none", 1, 1e15, NULL, NULL},
    {"topology", "which routers there are and how they are joined", WEFT_PARAM_KIND,
     offsetof(weft_bound_scenario, topology), NULL, 0, 0, NULL, "topology"},
    {"router", "how a router works", WEFT_PARAM_KIND, offsetof(weft_bound_scenario, router),
     "output-queued", 0, 0, NULL, "router"},
    {"routing", "which way packets go", WEFT_PARAM_KIND, offsetof(weft_bound_scenario, routing),
     "minimal-oblivious", 0, 0, NULL, "routing"},
    END};
static const weft_table *const scenario_tables[] = {
    &weft_table_links,   &weft_table_endpoint, &weft_table_offered,
    &weft_table_traffic, &weft_table_host,     &weft_table_jobs,
    &weft_table_faults,  &weft_table_measure,  NULL};
static const char *const scenario_planned[] = {"placement", NULL};
static const char *const scenario_apart[] = {"include", "vary", NULL};
const weft_table weft_table_scenario = {.brief = "a scenario",
                                        .params = scenario_params,
                                        .tables = scenario_tables,
                                        .planned = scenario_planned,
                                        .apart = scenario_apart};

const char *weft_sections_apart_brief(const char *key)
{
    if (strcmp(key, "include") == 0)
        return "a file, or a list of files, relative to this one; maps are merged deeply, later "
               "wins, lists replace";
    if (strcmp(key, "vary") == 0)
        return "settings by path, each with a list of values or {from, to, step}; all combinations "
               "are run; together: [{path: value, …}, …] varies several jointly";
    if (strcmp(key, "where") == 0)
        return "settings of single devices by name: {glob: {…}}; built for links: "
               "{'leaf1 - spine2': {rate: 25 Gb/s}} for the cables between two routers, "
               "'leaf1:p7->spine2' for one, 'leaf1' for all of a router, 'host node17' for those "
               "of "
               "endpoints; * is any text; a later one wins";
    const char *of_study = weft_evaluation_apart_brief(key);
    return of_study ? of_study : "which kind";
}
