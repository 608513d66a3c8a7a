/* SPDX-License-Identifier: Apache-2.0 */
/* Crossbar schedulers (they match inputs to outputs in a tick) and arbiters (they grant one of
 * several requests).
 *
 * Requests are bit words: for every input and every VC (virtual channel) of it, the outputs
 * that its queue asks for. A scheduler answers with a match: at most one (VC, output) per
 * input, at most one input per output, requested pairs only. Its state (pointers, deficits) is a
 * few bytes per crossbar that the caller keeps. It changes only in `granted` and `sent` and, for
 * kinds that also use failed requests, in `learn`: ticks without requests need not be visited.
 * Routers of the simulator and the crossbar laboratory use the same objects.
 *
 * A state holds no memory addresses: it may be copied, and written to a file as bytes. A state of b
 * bytes starts at a multiple of the largest power of two that divides b, at most 8; the state of a
 * scheduler at a multiple of 8. */
#ifndef INTERWEFT_SCHEDULER_H
#define INTERWEFT_SCHEDULER_H

#include "interweft/component.h"
#include "interweft/random.h"
#include "interweft/status.h"

WEFT_DECLARATIONS

#define WEFT_CROSSBAR_PORTS_MAX 64 /* inputs, and outputs, of a crossbar */
#define WEFT_VCS_MAX            16
#define WEFT_WIDE_MAX           1024                           /* ports of a wide crossbar */
#define WEFT_CANDIDATES_MAX     (WEFT_VCS_MAX * WEFT_WIDE_MAX) /* of an arbiter */
#define WEFT_WIDE_WORDS         (WEFT_WIDE_MAX / 64)

/* Place and time of a decision: the only inputs of a random arbiter. */
typedef struct weft_occasion {
    uint64_t seed;
    uint64_t tick;
    uint32_t crossbar; /* its number in the network */
} weft_occasion;

/* An arbiter picks one of n. */
typedef struct weft_arbiter_input {
    const uint64_t *asking; /* ⌈n / 64⌉ words, at least one bit set, none from n on */
    /* Age of the packet of each asking candidate, ticks; NULL unless the kind wants ages. */
    const uint32_t *age;
    const weft_occasion *occasion;
    /* The port that arbitrates: an input, or WEFT_CROSSBAR_PORTS_MAX + an output; keeps draws
     * apart. */
    uint32_t port;
} weft_arbiter_input;

typedef struct weft_arbiter_kind {
    weft_component base;
    bool ages; /* pick reads arbiter_input->age */
    /* Fails if the settings do not fit n candidates. NULL: they always do. */
    weft_status (*check)(const void *settings, uint32_t n, weft_error *err);
    size_t (*bytes)(const void *settings, uint32_t n); /* of its state */
    void (*reset)(const void *settings, uint32_t n, void *state);
    uint32_t (*pick)(const void *settings, uint32_t n, const void *state,
                     const weft_arbiter_input *arbiter_input);
    /* Called when the winner of a pick, or the only candidate, is granted; only this changes the
     * state. */
    void (*granted)(const void *settings, uint32_t n, void *state, uint32_t winner);
    /* True if these bytes, read from a file, are a valid state. NULL: any bytes are. */
    bool (*sound)(const void *settings, uint32_t n, const void *state);
} weft_arbiter_kind;

/* The requests to a crossbar in one tick. */
typedef struct weft_requests {
    const uint64_t *wants; /* inputs × VCs words: outputs; read only for inputs that ask */
    uint64_t asking;       /* inputs with requests */
    /* Age of the packet that (input, VC) would send to an output, ticks; called only if the
     * scheduler wants ages. */
    uint32_t (*age)(const void *user, uint32_t input, uint32_t vc, uint32_t output);
    const void *user;
    weft_occasion occasion;
    /* Number of cells waiting there; called only by schedulers that use queue lengths, which
     * requires a caller that counts them. */
    uint32_t (*length)(const void *user, uint32_t input, uint32_t vc, uint32_t output);
    /* The VC behind the output that the packet would take; called only by kinds with `sent`.
     * NULL: the same as it is in. */
    uint32_t (*next_vc)(const void *user, uint32_t input, uint32_t vc, uint32_t output);
} weft_requests;

typedef struct weft_match {
    uint64_t inputs; /* matched inputs; the following members are valid for these */
    uint64_t first;  /* inputs matched in the first iteration */
    uint8_t vc[WEFT_CROSSBAR_PORTS_MAX];
    uint8_t output[WEFT_CROSSBAR_PORTS_MAX];
    /* Kinds with `learn`: ports whose pointers move, and the new pointers. */
    uint64_t moved_inputs, moved_outputs;
    uint8_t input_pointer[WEFT_CROSSBAR_PORTS_MAX];
    uint8_t output_pointer[WEFT_CROSSBAR_PORTS_MAX];
} weft_match;

/* The wide form, for crossbars with more ports than a word has bits: sets of ports are arrays of
 * ⌈ports / 64⌉ words, port 0 is the lowest bit of the first. There is one VC, except in
 * match_ports. */
typedef struct weft_wide_requests {
    uint32_t words;         /* of a set */
    const uint64_t *wants;  /* per input × VCs: the outputs that its queues ask for */
    const uint64_t *asks;   /* per output: the inputs that ask for it; not for match_ports */
    const uint64_t *asking; /* inputs with requests; not empty */
    /* As in weft_requests; only for match_ports. */
    uint32_t (*age)(const void *user, uint32_t input, uint32_t vc, uint32_t output);
    uint32_t (*length)(const void *user, uint32_t input, uint32_t vc, uint32_t output);
    const void *user;
    weft_occasion occasion;
    /* Scratch memory of the kind's `room` bytes, a multiple of 8; need not be initialised. */
    void *room;
    uint32_t (*next_vc)(const void *user, uint32_t input, uint32_t vc, uint32_t output);
} weft_wide_requests;

typedef struct weft_wide_match {
    uint64_t inputs[WEFT_WIDE_WORDS]; /* matched inputs; the others are valid for these */
    uint16_t output[WEFT_WIDE_MAX];
    uint8_t vc[WEFT_WIDE_MAX]; /* only of match_ports */
} weft_wide_match;

/* The movement of a kind's pointers, for engines that compute many switches at once. */
typedef enum weft_pointer_form {
    WEFT_POINTERS_NONE,  /* only match knows */
    WEFT_POINTERS_OFFER, /* outputs offer themselves round robin, inputs accept round robin */
    WEFT_POINTERS_ASK    /* inputs ask for one output round robin, outputs take round robin */
} weft_pointer_form;

/* The movement of a pointer after a failed offer or request. */
typedef enum weft_pointer_loss {
    WEFT_LOSS_KEEPS,  /* it does not move */
    WEFT_LOSS_PASSES, /* it moves past the port that was asked */
    WEFT_LOSS_STAYS   /* it moves to the port that was asked */
} weft_pointer_loss;

typedef struct weft_pointer_rule {
    uint8_t form, loss; /* weft_pointer_form, weft_pointer_loss; all pointers start at 0 */
    uint8_t iterations;
    /* Pointers that move also after the first iteration; bits: 1 outputs, 2 inputs. */
    uint8_t later;
} weft_pointer_rule;

typedef struct weft_scheduler {
    const struct weft_scheduler_kind *kind;
    const void *settings;
    uint32_t inputs, outputs; /* 1 … WEFT_CROSSBAR_PORTS_MAX; wide: 1 … WEFT_WIDE_MAX */
    uint32_t n_vcs;           /* 1 … WEFT_VCS_MAX */
    /* A VC keeps the packets of different outputs apart; else its front asks for one output, or
     * for several if the kind allows it. */
    bool voq;
    bool wide;      /* given: match_wide (n_vcs is 1) or match_ports is used */
    size_t bytes;   /* of the state of one crossbar */
    size_t part[4]; /* private to the kind: offsets in the state */
    bool ages;      /* match uses ages */
    bool counts;    /* given: the caller knows queue lengths */
    /* A match depends on the state and the requests, and with these flags also on … */
    bool lengths; /* … queue lengths */
    bool draws;   /* … the occasion: it is random */
    /* For one VC with VOQs; WEFT_POINTERS_NONE unless the kind sets it. */
    weft_pointer_rule rule;
    bool management; /* given: the last VC is InfiniBand's VL 15 */
} weft_scheduler;

/* A packet that crosses. */
typedef struct weft_crossing {
    uint32_t input, vc, output;
    uint32_t next_vc; /* the VC behind the output, as weft_requests tells it */
    uint32_t bytes;
} weft_crossing;

typedef struct weft_scheduler_kind {
    weft_component base;
    /* The front of a VC that is a FIFO may ask for several outputs; it gets one of them. */
    bool several;
    /* Fills bytes and part, and ages, lengths, draws and rule where they are not 0; the other
     * members are given. */
    weft_status (*build)(weft_scheduler *scheduler, weft_error *err);
    void (*reset)(const weft_scheduler *scheduler, void *state);
    void (*match)(const weft_scheduler *scheduler, const void *state, const weft_requests *requests,
                  weft_match *match);
    /* Called when one pair of the match is granted, or the only possible pair (then first is true
     * and match was not called). Besides `learn` only this changes the state. */
    void (*granted)(const weft_scheduler *scheduler, void *state, uint32_t input, uint32_t vc,
                    uint32_t output, bool first);
    /* True if these bytes, read from an untrusted file, are a valid state. NULL: any bytes are. */
    bool (*sound)(const weft_scheduler *scheduler, const void *state);
    /* Called once after a match and its grants. NULL: the state depends on grants only. */
    void (*learn)(const weft_scheduler *scheduler, void *state, const weft_match *match);
    /* The wide form: match, granted for all pairs of the match, and learn in one call. NULL: the
     * kind has none and supports at most WEFT_CROSSBAR_PORTS_MAX ports. */
    void (*match_wide)(const weft_scheduler *scheduler, void *state,
                       const weft_wide_requests *requests, weft_wide_match *match);
    size_t (*room)(const weft_scheduler *scheduler); /* of weft_wide_requests; NULL: none */
    /* The wide form for routers: as match, and granted is called for what is granted. NULL: routers
     * with this kind have at most WEFT_CROSSBAR_PORTS_MAX ports. */
    void (*match_ports)(const weft_scheduler *scheduler, const void *state,
                        const weft_wide_requests *requests, weft_wide_match *match);
    /* Called beside `granted` with what crosses; may change the state. NULL: sizes of packets do
     * not matter. */
    void (*sent)(const weft_scheduler *scheduler, void *state, const weft_crossing *crossing);
} weft_scheduler_kind;

WEFT_DECLARATIONS_END

#endif
