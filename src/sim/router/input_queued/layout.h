/* SPDX-License-Identifier: Apache-2.0 */
/* The layout of an input-queued router: numbers that are the same at all routers of a network,
 * those of its size, and the offsets of the fields of its record. Const once built. Routers of a
 * tier (interweft/topology.h) whose links have the same classes have one layout. */
#ifndef WEFT_SIM_ROUTER_INPUT_QUEUED_LAYOUT_H
#define WEFT_SIM_ROUTER_INPUT_QUEUED_LAYOUT_H

#include "interweft/scheduler.h"
#include "net/marking.h"
#include "sched/set.h"
#include "sim/site.h"

/* The settings; docs/theory/input-queued.md explains them. */
typedef enum weft_iq_queues { WEFT_IQ_FIFO, WEFT_IQ_VOQ } weft_iq_queues;
typedef enum weft_iq_switching { WEFT_IQ_CUT_THROUGH, WEFT_IQ_STORE_AND_FORWARD } weft_iq_switching;
typedef enum weft_iq_flow_control { WEFT_IQ_CREDITS, WEFT_IQ_PAUSE } weft_iq_flow_control;
typedef enum weft_iq_choice { WEFT_IQ_MOST_CREDITS, WEFT_IQ_FIRST_FIT } weft_iq_choice;

typedef struct weft_iq_settings {
    int64_t vcs;
    weft_size buffer; /* of every VC: flits, bytes or packets */
    weft_size shared; /* pool of a port beside them, in the same unit; 0: none */
    int flow_control; /* weft_iq_flow_control … */
    weft_size xoff,
        xon;    /* … pause: thresholds of a VC, in the same unit; WEFT_NO_SIZE: see headroom.h */
    int queues; /* weft_iq_queues */
    int switching; /* weft_iq_switching */
    weft_duration receive, route, allocate, refront, crossbar;
    weft_duration credit; /* WEFT_NO_TIME: the link's latency + 1 tick */
    bool vc_stage;
    int vc_choice; /* weft_iq_choice */
    int64_t input_speedup, output_speedup;
    /* of the crossbar; a WEFT_PARAM_FACTOR: the tick divides a flit's time by it */
    int64_t speedup;
    weft_size output_buffer; /* of every output; 0: none */
    weft_ints sl2vl; /* VLs of SLs 0 … 15; net reads it (weft_scenario_sl2vl). None: count 0 */
    int64_t management_buffer; /* packets of VL 15 that wait at an input */
    weft_kind_ref scheduler;
    weft_kind_ref marking; /* kind NULL: none */
} weft_iq_settings;

/* Features of a router beyond the plain one.
 *
 * They make the hot code a template. Every WEFT_HOT function (headers *_impl.h) takes features as
 * its first argument and is inlined into its caller. run.c instantiates the whole tree of calls
 * for the constants in its list, where the compiler removes every branch on a feature; with the
 * features of the layout; with these and WEFT_IQ_UNLIKE; and with these, WEFT_IQ_UNLIKE and
 * WEFT_IQ_WIDE. Only in the last one sets of lines and of endpoints are of several words, and what
 * a port's link is like is found by its class.
 * The second argument is the context, a router at a tick (record.h). It stays in registers as long
 * as its address goes to inlined functions only: others get a copy, or the members they need. */
typedef enum weft_iq_features {
    WEFT_IQ_PLAIN = 0,
    WEFT_IQ_QUEUE_EACH = 1 << 0, /* VOQ */
    WEFT_IQ_STORED = 1 << 1,     /* store-and-forward */
    WEFT_IQ_VC_STAGE = 1 << 2,   /* VC stage */
    WEFT_IQ_BUFFERED = 1 << 3,   /* output buffers */
    WEFT_IQ_POOLED = 1 << 4,     /* shared buffers */
    WEFT_IQ_BY_PACKET = 1 << 5,  /* buffers counted in packets */
    WEFT_IQ_FAST_IN = 1 << 6,    /* several lines from an input … */
    WEFT_IQ_FAST_OUT = 1 << 7,   /* … and to an output */
    WEFT_IQ_SEVERAL = 1 << 8,    /* packets may have several candidates */
    WEFT_IQ_RATES = 1 << 9,      /* a flit does not take one tick everywhere */
    WEFT_IQ_EVENTS = 1 << 10,    /* credits are events inside a block too */
    WEFT_IQ_ODD = 1 << 11,       /* other ends of ports have to be asked for */
    WEFT_IQ_WATCHED = 1 << 12,   /* a trace is written */
    WEFT_IQ_FIRST_VC = 1 << 13,  /* first fit */
    WEFT_IQ_REFRONT = 1 << 14,   /* a new front has to wait */
    WEFT_IQ_REROUTES = 1 << 15,  /* a packet's route may change when it comes to a router */
    WEFT_IQ_APART = 1 << 16,     /* classes of traffic have VCs of their own */
    WEFT_IQ_DRAWS = 1 << 17,     /* a routing with one candidate draws it */
    WEFT_IQ_COUNTED = 1 << 18,   /* ports have counters, or packets a history */
    WEFT_IQ_UNLIKE = 1 << 19,    /* routers of a site are of several layouts */
    WEFT_IQ_WIDE = 1 << 20,      /* some have more lines than a word has bits */
    WEFT_IQ_SIZED = 1 << 21,     /* the scheduler wants the sizes of packets */
    WEFT_IQ_MARKED = 1 << 22,    /* packets are marked when there is congestion */
    WEFT_IQ_PACED = 1 << 23,     /* sources have rate control */
    WEFT_IQ_OUT_LINES = 1 << 24, /* lines from an input are for outputs, not for VCs */
    WEFT_IQ_PAUSED = 1 << 25,    /* pause instead of credits */
    WEFT_IQ_WAITS = 1 << 26,     /* waits of messages are kept (jobs/message_waits.h) */
    WEFT_IQ_ADAPTERS = 1 << 27,  /* injection links arbitrate among VCs (adapter.h) */
    WEFT_IQ_MANAGED = 1 << 28,   /* the last VC is VL 15 (management.h) */
    WEFT_IQ_TREE = WEFT_IQ_ODD | WEFT_IQ_UNLIKE /* plain routers of a fat tree */
} weft_iq_features;
/* Features, and above them what else a compiled router knows: the number of its VCs (0: that is in
 * its layout only), and properties of plain routers. */
typedef uint64_t weft_iq_traits;
#define WEFT_IQ_FEATURES            ((weft_iq_traits)UINT32_MAX)
#define WEFT_IQ_VCS(count)          ((weft_iq_traits)(count) << 32)
#define WEFT_IQ_KNOWN_VCS(features) ((uint32_t)((features) >> 32) & 0xff)
#define WEFT_IQ_POINTERS            ((weft_iq_traits)1 << 40) /* FIFOs, sched/pointers.h */
#define WEFT_IQ_ON_LATTICE          ((weft_iq_traits)1 << 41) /* weft_routing_on_lattice */
#define WEFT_IQ_ONE_CLASS           ((weft_iq_traits)1 << 42) /* one link per endpoint, too */
#define WEFT_IQ_KNOWN               (WEFT_IQ_POINTERS | WEFT_IQ_ON_LATTICE | WEFT_IQ_ONE_CLASS)

/* Features with which a packet may pass a router without having been in a queue (pass_impl.h). */
#define WEFT_IQ_PASSES(features)                                                                \
    (!((features) &                                                                             \
       (WEFT_IQ_INVOLVED | WEFT_IQ_RATES | WEFT_IQ_REFRONT | WEFT_IQ_REROUTES | WEFT_IQ_APART | \
        WEFT_IQ_MARKED | WEFT_IQ_OUT_LINES | WEFT_IQ_PAUSED | WEFT_IQ_MANAGED)))

#define WEFT_IQ_SIZE_MAX 65536u /* bytes of a packet that a scheduler is told */

/* A function that is a template over features. */
#define WEFT_HOT static inline __attribute__((always_inline))

/* Features with which a free output needs more than one free line and credits. */
#define WEFT_IQ_INVOLVED \
    (WEFT_IQ_VC_STAGE | WEFT_IQ_BUFFERED | WEFT_IQ_POOLED | WEFT_IQ_FAST_OUT | WEFT_IQ_SEVERAL)

typedef struct weft_iq_layout {
    const weft_platform *platform;
    const weft_topology *topology;
    const weft_routing *routing[WEFT_CLASSES_MAX]; /* per traffic class, VCs divided */
    uint8_t vc[WEFT_CLASSES_MAX];                  /* per traffic class: its first VC … */
    uint16_t class_vcs[WEFT_CLASSES_MAX];          /* … and the set of them */
    uint32_t example;                              /* a router that has this layout */
    uint32_t ports;                                /* to other routers */
    uint32_t hosts, traffic_classes;
    uint32_t stride; /* endpoints of a router in a site, those that it has not included */
    uint32_t ends;   /* injection links, and ejection links: hosts × links of each */
    uint32_t each;   /* links of one endpoint */
    uint32_t ins;    /* ports + ends: inputs, and outputs */
    uint32_t n_vcs;
    uint32_t in_speed, out_speed;
    uint32_t in_lines, out_lines; /* of the crossbar */
    int32_t capacity, pool;       /* of a VC, and shared by those of a port: flits or packets */
    int32_t xoff, xon;            /* of a VC, with pause */
    uint32_t out_room;            /* flits of an output buffer; 0: none */
    weft_iq_traits features;
    weft_iq_traits known;           /* of WEFT_IQ_KNOWN */
    bool one_way;                   /* routing has one candidate */
    bool several;                   /* the scheduler takes all of them */
    uint16_t all_vcs;               /* without VL 15 … */
    uint16_t every_vc;              /* … and with it */
    uint32_t management;            /* the VC of VL 15, if there is one, … */
    uint32_t management_room;       /* … and how many packets may wait at an input */
    uint32_t ready, refront, cross; /* R, RF, X */
    uint32_t credit_bursts;         /* room for so many behind every output */
    uint32_t arrivals;              /* pause: the same, of packets that are on their way */
    uint32_t period[WEFT_CROSSBAR_PORTS_MAX];  /* of a link, by input or output */
    uint32_t through[WEFT_CROSSBAR_PORTS_MAX]; /* of the crossbar towards an output */
    uint32_t wire[WEFT_CROSSBAR_PORTS_MAX];    /* latency of a link */
    uint32_t credit
        [WEFT_CROSSBAR_PORTS_MAX]; /* delay of credits from an input back to whoever feeds it */
    uint8_t class[WEFT_CROSSBAR_PORTS_MAX]; /* of a link */
    /* the same by class of link */
    uint32_t class_period[WEFT_LINK_CLASSES_MAX], class_through[WEFT_LINK_CLASSES_MAX],
        class_wire[WEFT_LINK_CLASSES_MAX], class_credit[WEFT_LINK_CLASSES_MAX];
    uint8_t
        peer[WEFT_CROSSBAR_PORTS_MAX]; /* number of a port at its other end, unless that is odd */
    weft_scheduler scheduler;
    weft_scheduler adapter; /* of an injection link; kind NULL: none */
    double flit_bytes;
    weft_marking marking;
    uint32_t marking_packet; /* of a buffer: room for the longest packet */
    /* Offsets in a record, bytes; size_t, so that what is written into records cannot be them. */
    size_t port, out_free, end_free, end_next, present, tails, left, link_free, buffered_packets,
        claims, state, flits, counters, last_vcs, backlogs, markers, levels, leavers, adapters,
        vl_queues, managed;
    uint32_t words;               /* of a set of lines or endpoints; 1 unless wide, and then … */
    size_t awake, calls, starved; /* … where sets are: in a record, and in a weft_iq_port */
    size_t pause;                 /* of a weft_iq_pause in a weft_iq_port */
    uint32_t rows;                /* counters of a router; 0: none */
    size_t port_bytes;            /* of one weft_iq_port with all that follows it */
    size_t bytes;                 /* of a record */
} weft_iq_layout;

/* VCs of an input. */
WEFT_HOT uint32_t weft_iq_vcs(weft_iq_traits features, const weft_iq_layout *layout)
{
    uint32_t known = WEFT_IQ_KNOWN_VCS(features);
    return known ? known : layout->n_vcs;
}

/* Classes of traffic, and links of an endpoint. */
WEFT_HOT uint32_t weft_iq_classes(weft_iq_traits features, const weft_iq_layout *layout)
{
    return features & WEFT_IQ_ONE_CLASS ? 1 : layout->traffic_classes;
}

WEFT_HOT uint32_t weft_iq_each(weft_iq_traits features, const weft_iq_layout *layout)
{
    return features & WEFT_IQ_ONE_CLASS ? 1 : layout->each;
}

/* Words of a set of lines or endpoints. */
WEFT_HOT uint32_t weft_iq_words(weft_iq_traits features, const weft_iq_layout *layout)
{
    return features & WEFT_IQ_WIDE ? layout->words : 1;
}

/* The layout of events. */
WEFT_HOT weft_event_key weft_iq_key(weft_iq_traits features, const weft_iq_layout *layout)
{
    return features & WEFT_IQ_WIDE ? layout->platform->key : WEFT_KEY_NARROW;
}

/* The endpoint of a packet that leaves at its router. */
WEFT_HOT uint32_t weft_iq_host(weft_iq_traits features, const weft_iq_layout *layout,
                               const weft_event *packet)
{
    uint32_t hosts = features & WEFT_IQ_WIDE ? layout->stride : WEFT_MARKED_HOSTS;
    return weft_packet_host(weft_iq_key(features, layout), packet, hosts);
}

/* The class of the link at an input or output. */
static inline uint32_t weft_iq_class_at(const weft_iq_layout *layout, uint32_t port)
{
    const weft_topology *topology = layout->topology;
    if (port < layout->ports)
        return weft_topology_link_class(topology, layout->example, port);
    uint32_t host = (port - layout->ports) / layout->each;
    return weft_topology_host_class(topology,
                                    weft_topology_first(topology, layout->example) + host);
}

/* The same, where most routers have a table. */
WEFT_HOT uint32_t weft_iq_class(weft_iq_traits features, const weft_iq_layout *layout,
                                uint32_t port)
{
    return features & WEFT_IQ_WIDE ? weft_iq_class_at(layout, port) : layout->class[port];
}

/* Numbers of a port's link, and of the crossbar towards it. */
#define WEFT_IQ_LINK(name, field)                                                           \
    WEFT_HOT uint32_t weft_iq_##name(weft_iq_traits features, const weft_iq_layout *layout, \
                                     uint32_t port)                                         \
    {                                                                                       \
        return features & WEFT_IQ_WIDE                                                      \
                   ? layout->class_##field[weft_iq_class(features, layout, port)]           \
                   : layout->field[port];                                                   \
    }
WEFT_IQ_LINK(period, period)
WEFT_IQ_LINK(through, through)
WEFT_IQ_LINK(wire, wire)
WEFT_IQ_LINK(credit_ticks, credit)

/* The number of a port at its other end, unless that is odd. */
WEFT_HOT uint32_t weft_iq_peer(weft_iq_traits features, const weft_iq_layout *layout, uint32_t port)
{
    return features & WEFT_IQ_WIDE ? layout->topology->peer_port[port] : layout->peer[port];
}

/* Is a VC that of VL 15? */
WEFT_HOT bool weft_iq_is_management(weft_iq_traits features, const weft_iq_layout *layout,
                                    uint32_t vc)
{
    return (features & WEFT_IQ_MANAGED) && vc == layout->management;
}

/* Is a set of VCs that of VL 15 alone? */
WEFT_HOT bool weft_iq_are_management(weft_iq_traits features, const weft_iq_layout *layout,
                                     uint32_t vcs)
{
    return (features & WEFT_IQ_MANAGED) && vcs >> layout->management & 1;
}

/* Of the state of an injection link that arbitrates; 0: it does not. */
static inline size_t weft_iq_adapter_bytes(const weft_iq_layout *layout)
{
    return layout->adapter.kind ? (layout->adapter.bytes + 7) / 8 * 8 : 0;
}

static inline bool weft_iq_has(const weft_iq_layout *layout, weft_iq_features what)
{
    return layout->features & what;
}

/* Ports whose VCs have counters of their own. */
static inline uint32_t weft_iq_n_last_vcs(const weft_iq_layout *layout)
{
    return layout->rows > layout->ins ? layout->ins : 0;
}

/* VOQ with refront: entries of `left`. */
static inline uint32_t weft_iq_lefts(const weft_iq_layout *layout)
{
    return weft_iq_has(layout, WEFT_IQ_QUEUE_EACH) && layout->refront
               ? layout->ins * layout->n_vcs * layout->ins
               : 0;
}

/* Refuses settings that no router can have, with what would be right. */
WEFT_MUST_USE weft_status weft_iq_layout_check(const weft_platform *platform, weft_error *err);
/* Layout of a router, or of the first one; the platform passed the check. */
void weft_iq_layout_build_router(weft_iq_layout *layout, const weft_platform *platform,
                                 uint32_t router);
void weft_iq_layout_build(weft_iq_layout *layout, const weft_platform *platform);
/* Least delay between two routers, ticks. */
weft_time weft_iq_layout_lookahead(const weft_platform *platform);

#endif
