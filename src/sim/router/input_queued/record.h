/* SPDX-License-Identifier: Apache-2.0 */
/* The record of one input-queued router, and its packets. A record is one piece of memory; its
 * layout has the offsets of its fields. Ticks in it are the low 32 bits, compared by their
 * difference. */
#ifndef WEFT_SIM_ROUTER_INPUT_QUEUED_RECORD_H
#define WEFT_SIM_ROUTER_INPUT_QUEUED_RECORD_H

#include "sim/router.h"
#include "sim/router/input_queued/layout.h"

#define WEFT_IQ_NONE UINT32_MAX

typedef struct weft_iq_packet { /* at rest in a buffer, or staged at its endpoint */
    weft_event event; /* `to`: the next in its queue; `when`: the tick its head was ready */
    uint32_t ready;   /* VOQ: the first tick it may be granted in */
    uint32_t after;   /* route header behind its output */
    uint16_t vcs;     /* VCs it may take there */
    uint16_t out;     /* output; with several candidates: unused */
} weft_iq_packet;

typedef struct weft_iq_front { /* the front of a FIFO, as every decision reads it */
    uint32_t tail;             /* last packet; its successor is the front. WEFT_IQ_NONE: empty */
    uint32_t ready; /* no earlier may it be granted; of an empty queue: its next packet */
    uint16_t flits, vcs;
    uint16_t out;
    uint8_t vc;     /* VC stage: the one it owns, or UINT8_MAX */
    uint8_t escape; /* several candidates: when last looked at, only those for escape were open */
} weft_iq_front;

typedef struct weft_iq_credit_burst { /* credits that come back one by one */
    uint32_t start;
    uint16_t units;
    uint8_t vc;
    uint8_t class; /* of the output they left by: their period */
} weft_iq_credit_burst;

/* An output or an injection link with the buffers behind it, as credits tell them; and with FIFOs
 * the fronts of the input of the same number. */
typedef struct weft_iq_port {
    uint64_t starved;      /* lines that wait for credits; read by weft_iq_starved */
    uint32_t need;         /* least units they want, and VCs that will do << 16 */
    uint32_t out_free;     /* from when on the output is; read by weft_iq_out_free_at */
    uint8_t credit_bursts; /* their number */
    uint8_t spare[3];
    int32_t credits[]; /* per VC; fronts per VC (FIFO), credit bursts and more follow */
} weft_iq_port;

typedef struct weft_iq_arrival { /* a packet on its way, as it will be seen in the buffer */
    uint32_t start;
    uint16_t units, vc;
} weft_iq_arrival;

typedef struct weft_iq_pause { /* the same buffers with pause, as they are seen a delay later … */
    uint32_t seen;             /* … up to this tick */
    uint32_t period;           /* of the link */
    uint16_t paused, before;   /* VCs, in that tick and in the one before */
    uint32_t arrivals;         /* their number; they follow */
} weft_iq_pause;

typedef struct weft_iq_buffered_packet { /* a packet in an output buffer */
    uint32_t gone;                       /* the tick after its last flit */
    uint32_t flits;
} weft_iq_buffered_packet;

typedef struct
    weft_iq_claim {   /* VC stage: of an output VC, and of the input VC with the same number */
    uint32_t free;    /* from when on the VC can be given away again; not while it is held */
    uint16_t pointer; /* of the output VC, over the queues that ask */
    uint8_t held;     /* its owner has not been granted the crossbar yet */
    uint8_t accept;   /* pointer of the input VC, over output VCs */
} weft_iq_claim;

typedef struct weft_iq_backlog { /* of a VC behind an output: flits or packets that wait for it */
    int32_t held, fresh;         /* fresh: what came in … */
    uint32_t tick;
} weft_iq_backlog;

typedef struct weft_iq_marker { /* of an output */
    uint32_t waiting;           /* packets in the router that wait for it */
    uint32_t due;               /* so many of the next packets are to be marked */
} weft_iq_marker;

typedef struct weft_iq_level { /* of the buffer of an input VC, in its units */
    uint32_t waiting;          /* of packets that wait */
    uint32_t congested;        /* in this tick; behind the last VC: some buffer is */
} weft_iq_level;

typedef struct weft_iq_leaver { /* of a line: the packet it carries while it is busy */
    uint32_t units, vc;
} weft_iq_leaver;

typedef struct weft_iq_head { /* every record starts with it */
    /* lines that may find something to send from next[line] on, and endpoints that may from
     * end_next on; read by weft_iq_awake and weft_iq_calls */
    uint64_t awake, calls;
    uint32_t wake;  /* tick of the wake-up that is under way, if armed */
    uint32_t id;    /* its number in the network */
    uint32_t group; /* its layout group in the site: bytes behind the first */
    uint32_t edges; /* on a lattice: ports that do not lead to the router next to it in its box */
    uint32_t mark;  /* tick it was last listed in … */
    uint8_t must;   /* … and there it has to decide */
    uint8_t armed;
} weft_iq_head;

typedef struct weft_iq_line { /* from an input into the crossbar */
    uint32_t next;            /* no earlier can it send; if awake */
    uint32_t free;            /* from when on it is */
    uint32_t waiting;         /* VCs with packets, of those that use it */
} weft_iq_line;

typedef struct weft_iq_listing { /* a router that has to decide in this tick … */
    char *record;
    uint32_t event; /* … and a head that has come to it and is not in its queue yet; WEFT_IQ_NONE */
    uint32_t router; /* unless there is one, which tells it */
} weft_iq_listing;

typedef struct weft_iq_layout_group { /* routers of a site that have one layout */
    weft_iq_layout layout;
    uint32_t model; /* one of them, by its number in the network */
} weft_iq_layout_group;

#define WEFT_IQ_CACHED ((size_t)512 << 10) /* fewer records stay in a core's cache by themselves */

typedef struct weft_iq_wide { /* of one decision in a wide crossbar */
    uint64_t *wants;          /* line × VCs × words */
    uint16_t *vcs;            /* per line: those that ask */
    void *room;               /* of the scheduler */
    weft_wide_match found;
} weft_iq_wide;

struct weft_iq;
typedef void (*weft_iq_runner)(struct weft_iq *iq, weft_block *block, const weft_batch *batch);

typedef struct weft_iq {   /* a site's routers */
    weft_iq_layout layout; /* of the first group: for numbers that are the same in all */
    weft_iq_runner run;    /* compiled for them */
    weft_site *site;
    weft_block *block; /* that runs them, … */
    weft_time now;     /* … and the tick it is in */
    char *records;
    size_t bytes;                 /* of all of them */
    size_t *start;                /* of the record of every router; NULL: all are as long */
    weft_iq_layout_group *groups; /* several where routers are unlike */
    uint32_t n_groups;
    weft_iq_packet *packets; /* room for so many, of which so many were ever used, … */
    uint32_t room, used;
    uint32_t free;           /* … and the first of the list of those that are not */
    int64_t held;            /* in use */
    weft_iq_listing *listed; /* room for all routers */
    uint32_t *staged;        /* per source: its next packet, or WEFT_IQ_NONE */
    uint32_t *buses;         /* per endpoint: when its bus is free, out and in; NULL: no bus */
    uint32_t n_buses;        /* endpoints that have one */
    weft_iq_wide *wide;      /* room for decisions; NULL: in words */
    /* what is delivered before this tick is counted in the interval that runs */
    weft_time sync_point;
    weft_time swept; /* when old ticks were last brought forward */
    bool down;       /* what goes down has gone */
} weft_iq;

static inline weft_iq_packet *weft_iq_packet_at(const weft_iq *iq, uint32_t handle)
{
    return &iq->packets[handle];
}

/* The packet at the front of a FIFO. */
static inline const weft_iq_packet *weft_iq_head_packet(const weft_iq *iq,
                                                        const weft_iq_front *front)
{
    return weft_iq_packet_at(iq, weft_iq_packet_at(iq, front->tail)->event.to);
}

/* A packet that was never used; the list of the others is empty. May move all packets. */
uint32_t weft_iq_take_new(weft_iq *iq);

static inline uint32_t weft_iq_take(weft_iq *iq)
{
    uint32_t handle = iq->free;
    iq->held++;
    if (__builtin_expect(handle == WEFT_IQ_NONE, 0))
        return weft_iq_take_new(iq);
    iq->free = weft_iq_packet_at(iq, handle)->event.to;
    return handle;
}

static inline void weft_iq_give(weft_iq *iq, uint32_t handle)
{
    weft_iq_packet_at(iq, handle)->event.to = iq->free;
    iq->free = handle;
    iq->held--;
}

static inline bool weft_iq_later(uint32_t a, uint32_t b)
{
    return (int32_t)(a - b) > 0;
}

static inline weft_iq_head *weft_iq_head_of(char *record)
{
    return (weft_iq_head *)(void *)record;
}

/* The record of a router, and the layout of a record. Not always_inline: the compiler does better
 * where layouts are one. */
static inline char *weft_iq_record_by(weft_iq_traits features, const weft_iq *iq, uint32_t router)
{
    if (!(features & WEFT_IQ_UNLIKE))
        return iq->records + (size_t)router * iq->layout.bytes;
    return iq->records + iq->start[router];
}

static inline const weft_iq_layout *weft_iq_layout_by(weft_iq_traits features, const weft_iq *iq,
                                                      char *record)
{
    if (!(features & WEFT_IQ_UNLIKE))
        return &iq->layout;
    const char *group = (const char *)iq->groups + weft_iq_head_of(record)->group;
    return &((const weft_iq_layout_group *)(const void *)group)->layout;
}

/* A router of a site at a tick. Every function on the way of a packet gets one; it is built once
 * for an event and once for a decision (layout.h says how it stays in registers). */
typedef struct weft_iq_context {
    weft_iq *iq;
    weft_block *block;            /* takes the events that are emitted */
    const weft_iq_layout *layout; /* of this router */
    char *record;                 /* of this router */
    weft_time now;
    uint32_t t;      /* the low 32 bits of now */
    uint32_t router; /* its number in the site */
} weft_iq_context;

/* Of a router whose record is known. */
WEFT_HOT weft_iq_context weft_iq_context_by(weft_iq_traits features, weft_iq *iq, weft_block *block,
                                            uint32_t router, char *record, weft_time now)
{
    return (weft_iq_context){.iq = iq,
                             .block = block,
                             .layout = weft_iq_layout_by(features, iq, record),
                             .record = record,
                             .now = now,
                             .t = (uint32_t)now,
                             .router = router};
}

WEFT_HOT weft_iq_context weft_iq_context_of(weft_iq_traits features, weft_iq *iq, weft_block *block,
                                            uint32_t router, weft_time now)
{
    char *record = weft_iq_record_by(features, iq, router);
    return weft_iq_context_by(features, iq, block, router, record, now);
}

static inline char *weft_iq_record(const weft_iq *iq, uint32_t router)
{
    return weft_iq_record_by(iq->layout.features, iq, router);
}

static inline const weft_iq_layout *weft_iq_layout_of(const weft_iq *iq, char *record)
{
    return weft_iq_layout_by(iq->layout.features, iq, record);
}

/* Has a packet several candidates at this router? */
WEFT_HOT bool weft_iq_several(weft_iq_traits features, const weft_iq_layout *layout,
                              const weft_event *packet)
{
    if (!(features & WEFT_IQ_SEVERAL))
        return false;
    return weft_packet_header(packet) == 0
               ? layout->each > 1
               : !layout->routing[weft_packet_traffic_class(packet)]->single;
}

/* The VC that a packet takes behind an output as its scheduler is told: the only one it may, else
 * that which it is in. */
static inline uint32_t weft_iq_next_vc(const weft_iq_layout *layout, const weft_event *packet,
                                       uint32_t out, uint32_t v, uint32_t vcs)
{
    bool only = out < layout->ports && vcs && !(vcs & (vcs - 1)) &&
                !weft_iq_several(layout->features, layout, packet);
    return only ? (uint32_t)__builtin_ctz(vcs) : v;
}

/* Bytes of a packet, rounded up. */
static inline uint32_t weft_iq_bytes_of(const weft_iq_layout *layout, uint32_t flits)
{
    double bytes = flits * layout->flit_bytes;
    uint32_t whole = (uint32_t)bytes;
    return whole + (whole < bytes);
}

#define WEFT_IQ_FIELD(name, type, offset)                                          \
    static inline type *weft_iq_##name(const weft_iq_layout *layout, char *record) \
    {                                                                              \
        return (type *)(void *)(record + layout->offset);                          \
    }
WEFT_IQ_FIELD(line_free, uint32_t, out_free) /* per line to an output, where it has several */
WEFT_IQ_FIELD(end_free, uint32_t, end_free)  /* per injection link: from when on it is free */
WEFT_IQ_FIELD(end_next, uint32_t, end_next)  /* per endpoint: no earlier can it send; if it calls */
WEFT_IQ_FIELD(present, uint64_t, present)    /* input × VCs × words, VOQ: outputs with packets */
WEFT_IQ_FIELD(tails, uint32_t, tails)        /* input × VCs × outputs, VOQ: last packet */
WEFT_IQ_FIELD(left, uint32_t,
              left) /* the same, with refront: no earlier may the next one be granted */
WEFT_IQ_FIELD(link_free, uint32_t, link_free) /* per output, with buffer: when its link is free */
WEFT_IQ_FIELD(buffered_packets, weft_iq_buffered_packet,
              buffered_packets) /* output × (1 + room), with buffer; the first: how many */
WEFT_IQ_FIELD(claims, weft_iq_claim, claims) /* output × VCs, VC stage */
WEFT_IQ_FIELD(flits, int64_t, flits)         /* per port: ticks handed to its link, if counted */

WEFT_IQ_FIELD(backlogs, weft_iq_backlog, backlogs) /* port × VCs, if a routing looks */
WEFT_IQ_FIELD(markers, weft_iq_marker, markers)    /* per output, if it marks */
WEFT_IQ_FIELD(levels, weft_iq_level, levels)       /* input × VCs and one more, if it marks */
WEFT_IQ_FIELD(leavers, weft_iq_leaver, leavers)    /* per line, if it marks */
WEFT_IQ_FIELD(vl_queues, uint32_t, vl_queues)      /* output × VCs, if it marks by VL: units */
WEFT_IQ_FIELD(managed, uint32_t, managed) /* per input, and of all: packets of VL 15 that wait */
WEFT_IQ_FIELD(counters, weft_counter, counters) /* per port, or port × VCs, if counted */
WEFT_IQ_FIELD(last_vcs, uint32_t, last_vcs)     /* of the last packet of each port */

/* Of one queue: the outputs it has packets for. */
static inline uint64_t *weft_iq_present_of(const weft_iq_layout *layout, char *record,
                                           uint32_t queue)
{
    return weft_iq_present(layout, record) + (size_t)queue * layout->words;
}

static inline weft_iq_line *weft_iq_lines_of(char *record)
{
    return (weft_iq_line *)(void *)(record + sizeof(weft_iq_head));
}

static inline weft_iq_port *weft_iq_port_at(const weft_iq_layout *layout, char *record,
                                            uint32_t out)
{
    return (weft_iq_port *)(void *)(record + layout->port + (size_t)out * layout->port_bytes);
}

/* From when on a line to an output is free. */
WEFT_HOT uint32_t *weft_iq_out_free_at(weft_iq_traits features, const weft_iq_layout *layout,
                                       char *record, uint32_t line)
{
    return features & WEFT_IQ_FAST_OUT ? &weft_iq_line_free(layout, record)[line]
                                       : &weft_iq_port_at(layout, record, line)->out_free;
}

/* The front of a FIFO. */
WEFT_HOT weft_iq_front *weft_iq_front_of(weft_iq_traits features, const weft_iq_layout *layout,
                                         char *record, uint32_t in, uint32_t v)
{
    weft_iq_port *port = weft_iq_port_at(layout, record, in);
    return (weft_iq_front *)(void *)(port->credits + weft_iq_vcs(features, layout)) + v;
}

/* The same by the number of the queue. */
static inline weft_iq_front *weft_iq_front_at(const weft_iq_layout *layout, char *record,
                                              uint32_t queue)
{
    return weft_iq_front_of(layout->features, layout, record, queue / layout->n_vcs,
                            queue % layout->n_vcs);
}

WEFT_HOT uint64_t *weft_iq_awake(weft_iq_traits features, const weft_iq_layout *layout,
                                 char *record)
{
    return features & WEFT_IQ_WIDE ? (uint64_t *)(void *)(record + layout->awake)
                                   : &weft_iq_head_of(record)->awake;
}

WEFT_HOT uint64_t *weft_iq_calls(weft_iq_traits features, const weft_iq_layout *layout,
                                 char *record)
{
    return features & WEFT_IQ_WIDE ? (uint64_t *)(void *)(record + layout->calls)
                                   : &weft_iq_head_of(record)->calls;
}

WEFT_HOT uint64_t *weft_iq_starved(weft_iq_traits features, const weft_iq_layout *layout,
                                   weft_iq_port *out)
{
    return features & WEFT_IQ_WIDE ? (uint64_t *)(void *)((char *)out + layout->starved)
                                   : &out->starved;
}

WEFT_HOT weft_iq_credit_burst *
weft_iq_credit_bursts_by(weft_iq_traits features, const weft_iq_layout *layout, weft_iq_port *out)
{
    uint32_t vcs = weft_iq_vcs(features, layout);
    size_t fronts = features & WEFT_IQ_QUEUE_EACH ? 0 : vcs * sizeof(weft_iq_front);
    return (weft_iq_credit_burst *)(void *)((char *)(out->credits + vcs) + fronts);
}

static inline weft_iq_credit_burst *weft_iq_credit_bursts(const weft_iq_layout *layout,
                                                          weft_iq_port *out)
{
    return weft_iq_credit_bursts_by(layout->features, layout, out);
}

/* Pause: of an output, and its arrivals. */
static inline weft_iq_pause *weft_iq_pause_of(const weft_iq_layout *layout, weft_iq_port *out)
{
    return (weft_iq_pause *)(void *)((char *)out + layout->pause);
}

static inline weft_iq_arrival *weft_iq_arrivals(const weft_iq_pause *pause)
{
    return (weft_iq_arrival *)(uintptr_t)(pause + 1);
}

/* Per VC, if counters count: the tick in which the last credit of complete bursts
 * came. */
static inline uint32_t *weft_iq_came(const weft_iq_layout *layout, weft_iq_port *out)
{
    return (uint32_t *)(void *)(weft_iq_credit_bursts(layout, out) + layout->credit_bursts);
}

/* The line of a packet from VC v of an input to an output. */
static inline uint32_t weft_iq_line_for(const weft_iq_layout *layout, uint32_t in, uint32_t v,
                                        uint32_t out)
{
    uint32_t share = weft_iq_has(layout, WEFT_IQ_OUT_LINES) ? out : v;
    return layout->in_speed == 1 ? in : in * layout->in_speed + share % layout->in_speed;
}

static inline void *weft_iq_state(const weft_iq_layout *layout, char *record)
{
    return record + layout->state; /* of the scheduler */
}

#endif
