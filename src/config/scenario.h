/* SPDX-License-Identifier: Apache-2.0 */
/* A scenario file → a grid of points → the checked settings of one point.
 *
 * Reading a file gives a weft_plan: the merged tree (includes, overrides) and its vary grid.
 * weft_plan_point applies the values of point i and binds the result against the parameter
 * tables. Everything lives in the arena given; nothing here knows what a torus is. */
#ifndef WEFT_CONFIG_SCENARIO_H
#define WEFT_CONFIG_SCENARIO_H

#include "base/arena.h"
#include "base/text.h"
#include "config/registry.h"

#include <stdbool.h>

typedef struct weft_link_settings { /* links, and each class inside it */
    weft_rate rate;                 /* WEFT_NO_RATE: one flit per cycle */
    weft_duration latency;          /* of the wire */
} weft_link_settings;

typedef struct weft_link_where { /* links.where: of the links of a name */
    const char *glob;
    weft_link_settings set; /* WEFT_NO_RATE, WEFT_NO_TIME: left as it is */
} weft_link_where;

typedef struct weft_links_given { /* of a class by itself: it holds for links of a file too */
    bool rate, latency;
} weft_links_given;

typedef struct weft_links {
    weft_link_settings local, global, host, regional; /* defaults of the section filled in */
    weft_size flit;                                   /* bytes */
    const weft_link_where *where;                     /* in this order, a later one wins */
    size_t n_where;
    weft_links_given given[4]; /* local, global, host, regional */
} weft_links;

/* By default routers with virtual channels have ports; others inject without limit and receive
 * through one port. */
typedef enum weft_porting { WEFT_PORT_DEFAULT, WEFT_PORT_UNLIMITED, WEFT_PORT_ONE } weft_porting;

typedef struct weft_endpoint_settings {
    int injection;       /* weft_porting; WEFT_PORT_DEFAULT: not given */
    int reception;       /* weft_porting; likewise */
    int64_t backlog;     /* messages that wait in every source when the run starts */
    int64_t ports;       /* links of an endpoint, each way */
    weft_size mtu;       /* longer messages are cut; WEFT_NO_SIZE: only where they must be */
    weft_duration delay; /* decision to send → wire */
    weft_rate bus_rate;  /* of the I/O bus, each way; WEFT_NO_RATE: no limit */
    weft_duration bus_latency;
    weft_duration dma;       /* to set up a message */
    weft_duration ack_delay; /* a packet has come → its source knows */
    weft_kind_ref scheduler; /* of injection links; kind NULL: as the routers' */
    int headers;             /* of packets, by weft_framing_names */
} weft_endpoint_settings;

typedef struct weft_fault_settings {
    weft_ints links;   /* pairs of routers: the links between them are down */
    weft_ints routers; /* these with all their links */
    const char *named; /* routers and pairs of routers by name; NULL: none */
    int64_t random;    /* so many cables more, drawn */
    int64_t seed;      /* from this */
    weft_duration at;  /* when they go down */
} weft_fault_settings;

/* Classes of service (J. Pelissier, "Providing quality of service over InfiniBand architecture
 * system area networks", 2000): dedicated bandwidth, time sensitive or not; preferred best effort;
 * best effort. */
typedef enum weft_service {
    WEFT_SERVICE_NONE = -1,
    WEFT_SERVICE_DBTS,
    WEFT_SERVICE_DB,
    WEFT_SERVICE_PBE,
    WEFT_SERVICE_BE
} weft_service;
#define WEFT_DEDICATED 0.9 /* of what a class of dedicated bandwidth offers, in every interval */

typedef struct weft_class_settings {
    const char *name;
    weft_kind_ref pattern, arrival, length;
    /* one of these, or share of offered; others WEFT_NONE_REAL */
    double load;               /* fraction of the injection bandwidth of an endpoint in `from` */
    double rho;                /* mean utilisation of the router-to-router links */
    double rate;               /* messages per second and endpoint */
    double share;              /* of offered */
    bool overload;             /* load or rho may exceed 1 */
    weft_duration start, stop; /* stop WEFT_NO_TIME: never */
    weft_kind_ref routing;     /* of its own; kind NULL: the scenario's */
    weft_ints vcs;             /* virtual channels it uses; none: all */
    int64_t sl;                /* service level; WEFT_NONE_INT: none is given */
    weft_hosts from, to;       /* who sends and who receives */
    weft_kind_ref response;    /* to congestion; kind NULL: none */
    double min_rate;           /* fraction of max_rate */
    double max_rate;           /* packets per second; WEFT_NONE_REAL: of the link */
    double rate_jitter;        /* of the gaps between packets */
    int64_t window;            /* packets without an ACK; WEFT_NONE_INT: no limit */
    bool management;           /* VL 15 */
    int service;               /* weft_service */
    weft_duration deadline;    /* WEFT_NO_TIME: none */
    double guarantee;          /* part of what it offers; WEFT_NONE_REAL: as its service says */
} weft_class_settings;

typedef struct weft_host_settings { /* of hosts that run programs */
    weft_duration overhead;         /* o */
    weft_duration overhead_per_byte;
    weft_duration gap;      /* g; WEFT_NO_TIME: of the link */
    weft_size eager;        /* S; WEFT_NO_SIZE: all messages are */
    weft_duration calc;     /* of one unit; WEFT_NO_TIME: 1 cycle or 1 ns */
    weft_kind_ref response; /* to congestion, of all their messages; kind NULL: none */
    double min_rate;        /* fraction of the link's rate */
    double rate_jitter;
} weft_host_settings;

typedef enum weft_job_placement {
    WEFT_JOB_CONTIGUOUS,
    WEFT_JOB_RANDOM,
    WEFT_JOB_ROUND_ROBIN,
    WEFT_JOB_BY_GROUP,
    WEFT_JOB_LISTED,
    WEFT_JOB_FIRST_FIT
} weft_job_placement;

typedef struct weft_phase_settings { /* of a job: a collective operation or a calculation */
    const char *name;
    const char *collective; /* NULL: a calculation */
    weft_size size;
    int64_t segments, sum, group; /* group: 0 is the algorithm's own */
    weft_duration compute;        /* WEFT_NO_TIME: a collective */
    double imbalance, noise;
} weft_phase_settings;

typedef struct weft_job_settings {
    const char *name;
    weft_file file;         /* text NULL: a collective, or phases */
    const char *collective; /* "allreduce/ring"; NULL: a file, or phases */
    const weft_phase_settings *phases;
    size_t n_phases;
    int64_t steps; /* of the collective that are run; WEFT_NONE_INT: all */
    int64_t ranks; /* WEFT_NONE_INT: all endpoints of `on` */
    weft_size size;
    int64_t segments, sum, group, repeat;
    weft_duration start;
    const char *after; /* a job that must have ended before; NULL: none */
    bool background;   /* repeats until all others have ended */
    weft_hosts on;
    int placement; /* weft_job_placement */
} weft_job_settings;

typedef enum weft_link_report {
    WEFT_LINKS_OFF,
    WEFT_LINKS_SUMMARY,
    WEFT_LINKS_ALL
} weft_link_report;
typedef enum weft_device_report {
    WEFT_DEVICES_OFF,
    WEFT_DEVICES_PORTS,
    WEFT_DEVICES_VCS
} weft_device_report;
typedef enum weft_timeline_report { /* of the ranks of jobs */
                                    WEFT_TIMELINE_OFF,
                                    WEFT_TIMELINE_STATES,
                                    WEFT_TIMELINE_OPERATIONS
} weft_timeline_report;
typedef enum weft_breakdown { WEFT_BY_NOTHING, WEFT_BY_HOPS, WEFT_BY_HISTORY } weft_breakdown;

#define WEFT_LIMIT_PACKETS 5000000 /* if the scenario gives no limit */

typedef struct weft_measure {
    int by;                   /* weft_breakdown */
    double confidence;        /* 0.95 */
    double half_width;        /* relative, of mean latency */
    weft_duration limit_time; /* WEFT_NO_TIME: none */
    int64_t limit_packets;    /* WEFT_LIMIT_PACKETS: nothing was said; WEFT_NONE_INT: none */
    weft_duration limit_wall; /* WEFT_NO_TIME: none */
    weft_duration warmup;     /* WEFT_NO_TIME: detected */
    weft_duration series;     /* bin width; WEFT_NO_TIME: no series */
    int links;                /* weft_link_report */
    int devices;              /* weft_device_report */
    bool hurst;               /* of the arrivals */
    bool alone;               /* every job also by itself */
    weft_hosts rates;         /* whose flows are followed over time; count 0: nobody's */
    bool link_series;         /* loads of links over time, in the bins of `series` */
    int timeline;             /* weft_timeline_report */
    int64_t timeline_limit;   /* operations of all jobs together */
    int64_t ideal_limit;      /* operations of a stored program */
    bool early;               /* points that tell nothing new end early */
} weft_measure;

typedef struct weft_scenario {
    const char *title;
    int64_t seed;
    double clock;          /* hertz; WEFT_NONE_REAL: not given */
    const char *in_cycles; /* a setting that is, for messages; NULL: none */
    weft_kind_ref topology, router, routing;
    weft_fault_settings faults;
    weft_links links;
    weft_endpoint_settings endpoint;
    double offered_load, offered_rho, offered_rate; /* section offered; WEFT_NONE_REAL each */
    const weft_class_settings *traffic;
    size_t n_traffic;
    weft_host_settings host;
    const weft_job_settings *jobs;
    size_t n_jobs;
    weft_measure measure;
    uint64_t point_seed;    /* from (seed, hash of the point's vary keys and values) */
    const char *key;        /* "routing.selection=diagonal traffic.all.rho=0.3", keys sorted */
    const char *text;       /* settings as understood, YAML, defaults filled in, one line each */
    const weft_file *files; /* that settings name */
    size_t n_files;
    /* text with lines that tell the content of these files: what a checkpoint is of */
    const char *identity;
    /* "file:line:col" of a setting by path, for messages from later stages; never NULL */
    const struct weft_node *tree;
    /* Of the process that builds networks from it (net/jobs/job_programs.h); NULL: none. */
    struct weft_job_programs *programs;
    const struct weft_job_part *part;
} weft_scenario;

typedef struct weft_plan weft_plan;
struct weft_node;

/* Reads file with its includes, applies overrides ("key=value", NULL-terminated or NULL). */
WEFT_MUST_USE weft_status weft_plan_read(const char *file, const char *const *overrides,
                                         const weft_registry *registry, weft_arena *arena,
                                         weft_plan **plan, weft_error *err);
/* The same from text; `name` stands for the file in messages; includes are refused. */
WEFT_MUST_USE weft_status weft_plan_read_text(const char *name, const char *text, size_t length,
                                              const char *const *overrides,
                                              const weft_registry *registry, weft_arena *arena,
                                              weft_plan **plan, weft_error *err);
/* Axes of vary that only scale all traffic keep their first value: for a search that scales it
 * itself. */
WEFT_MUST_USE weft_status weft_plan_keep_one_load(weft_plan *plan, weft_error *err);
/* The same from the tree of a scenario; the plan has no text. */
WEFT_MUST_USE weft_status weft_plan_of_tree(const struct weft_node *tree,
                                            const weft_registry *registry, weft_arena *arena,
                                            weft_plan **plan, weft_error *err);
/* The points of several plans, one after the other, as one plan: their keys begin with the label of
 * their plan, their random numbers follow from their settings alone, and the text of their settings
 * ends with a line for each file that they name. tree: of the file that says so. */
typedef struct weft_plan_part {
    const char *label; /* "scenario=torus series=minimal" */
    weft_plan *plan;
} weft_plan_part;
weft_plan *weft_plan_join(const struct weft_node *tree, const weft_plan_part *parts, size_t n_parts,
                          weft_arena *arena);
bool weft_plan_is_joint(const weft_plan *plan);
const char *weft_plan_title(const weft_plan *plan);
size_t weft_plan_points(const weft_plan *plan);
/* Key of point i without binding it. */
const char *weft_plan_key(const weft_plan *plan, size_t i);
/* The merged scenario with its vary section as canonical text: what a results file is made from. */
const char *weft_plan_text(const weft_plan *plan);
/* The same with a line for each file that some point names, which tells its content
 * (config/files.h); binds all points. Of a joint plan without these lines. */
WEFT_MUST_USE weft_status weft_plan_identity(const weft_plan *plan, weft_text *text,
                                             weft_error *err);
/* Binds point i into arena (may be another, shorter-lived arena than the plan's). */
WEFT_MUST_USE weft_status weft_plan_point(const weft_plan *plan, size_t i, weft_arena *arena,
                                          weft_scenario *scenario, weft_error *err);
/* From now on points have these settings, "path=value" each and NULL behind them, in place of those
 * that the scenario or the grid gives them; their keys and random numbers stay. Not of joint plans;
 * they are borrowed. */
void weft_plan_change(weft_plan *plan, const char *const *settings);
/* Binds the point that has these values, "path=value" each, which need not be on the grid; not of
 * joint plans. */
WEFT_MUST_USE weft_status weft_plan_point_with(const weft_plan *plan, const char *const *settings,
                                               size_t n_settings, weft_arena *arena,
                                               weft_scenario *scenario, weft_error *err);
/* The virtual channels of the routers: their setting vcs; 0: such routers have none, and no
 * bounds to their buffers. */
uint32_t weft_scenario_vcs(const weft_scenario *scenario);
/* The VLs of SLs 0 … 15: their setting sl2vl; NULL: none is given. */
const weft_ints *weft_scenario_sl2vl(const weft_scenario *scenario);
/* "file:line:col: " of a dotted path in a point's tree, or of the nearest part of it that
 * exists. */
const char *weft_scenario_where(const weft_scenario *scenario, const char *path, weft_arena *arena);

/* Puts a position before the message of a later stage that failed: of the setting whose path the
 * message starts with, or else of `path`. Returns the status. */
WEFT_MUST_USE weft_status weft_scenario_locate(const weft_scenario *scenario, const char *path,
                                               weft_status status, weft_error *err);

#endif
