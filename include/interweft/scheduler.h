/* SPDX-License-Identifier: Apache-2.0 */
/* Crossbar schedulers (which inputs are matched to which outputs in a tick) and arbiters (which
 * of several requests is granted).
 *
 * Requests are bit words: for every input and every VC (virtual channel) of it, the outputs
 * that its queue asks for. A scheduler answers with a match: at most one (VC, output) per
 * input, at most one input per output, requested pairs only. Its state (pointers, deficits) is a
 * few bytes per crossbar that the caller keeps. It changes only in `granted` and, for kinds that
 * also learn from failed requests, in `learn`: ticks without requests need not be visited.
 * Routers of the simulator and the crossbar laboratory use the same objects.
 *
 * A state holds no pointers: it may be copied, and written to a file as bytes. One of b bytes
 * starts at a multiple of the largest power of two that divides b, at most 8; a scheduler's at a
 * multiple of 8. */
#ifndef INTERWEFT_SCHEDULER_H
#define INTERWEFT_SCHEDULER_H

#include "interweft/component.h"
#include "interweft/random.h"
#include "interweft/status.h"

#define WEFT_CROSSBAR_PORTS_MAX 64 /* inputs, and outputs, of a crossbar */
#define WEFT_VCS_MAX            16
#define WEFT_CANDIDATES_MAX     (WEFT_VCS_MAX * WEFT_CROSSBAR_PORTS_MAX) /* of an arbiter */
#define WEFT_WIDE_MAX           1024 /* of a wide one: as many as an arbiter chooses from */
#define WEFT_WIDE_WORDS         (WEFT_WIDE_MAX / 64)

/* Place and time of a decision: all that a random arbiter may depend on. */
typedef struct weft_occasion {
    uint64_t seed;
    uint64_t tick;
    uint32_t crossbar; /* its number in the network */
} weft_occasion;

/* An arbiter picks one of n. */
typedef struct weft_arbiter_input {
    const uint64_t *asking; /* ⌈n / 64⌉ words, at least one bit set, none from n on */
    const uint32_t
        *age; /* of each asking candidate's packet, ticks; NULL unless the kind wants ages */
    const weft_occasion *occasion;
    /* The port that arbitrates: an input, or WEFT_CROSSBAR_PORTS_MAX + an output; keeps draws
     * apart. */
    uint32_t port;
} weft_arbiter_input;

typedef struct weft_arbiter_kind {
    weft_component base;
    bool ages; /* pick looks at arbiter_input->age */
    /* Fails if the settings do not fit n candidates. NULL: they always do. */
    weft_status (*check)(const void *settings, uint32_t n, weft_error *err);
    size_t (*bytes)(const void *settings, uint32_t n); /* of its state */
    void (*reset)(const void *settings, uint32_t n, void *state);
    uint32_t (*pick)(const void *settings, uint32_t n, const void *state,
                     const weft_arbiter_input *arbiter_input);
    /* The winner of a pick was granted, or was alone; the only thing that changes the state. */
    void (*granted)(const void *settings, uint32_t n, void *state, uint32_t winner);
    /* True if these bytes, read from a file, are a valid state. NULL: any bytes are. */
    bool (*sound)(const void *settings, uint32_t n, const void *state);
} weft_arbiter_kind;

/* The requests to a crossbar in one tick. */
typedef struct weft_requests {
    const uint64_t *wants; /* inputs × VCs words: outputs; read only for inputs that ask */
    uint64_t asking;       /* inputs that want anything */
    /* Age of the packet that (input, VC) would send to an output, ticks; asked only if the
     * scheduler wants ages. */
    uint32_t (*age)(const void *user, uint32_t input, uint32_t vc, uint32_t output);
    const void *user;
    weft_occasion occasion;
    /* How many cells wait there; asked only if the scheduler weighs by length, which it may only
     * where its caller counts. */
    uint32_t (*length)(const void *user, uint32_t input, uint32_t vc, uint32_t output);
} weft_requests;

typedef struct weft_match {
    uint64_t inputs; /* that are matched; for each of them: */
    uint64_t first;  /* in the first iteration? */
    uint8_t vc[WEFT_CROSSBAR_PORTS_MAX];
    uint8_t output[WEFT_CROSSBAR_PORTS_MAX];
    /* Kinds that learn: ports whose pointers move, and where to. */
    uint64_t moved_inputs, moved_outputs;
    uint8_t input_pointer[WEFT_CROSSBAR_PORTS_MAX];
    uint8_t output_pointer[WEFT_CROSSBAR_PORTS_MAX];
} weft_match;

/* The wide form, for crossbars with more ports than a word has bits: sets of ports are arrays of
 * ⌈ports / 64⌉ words, port 0 is the lowest bit of the first. There is one VC. */
typedef struct weft_wide_requests {
    uint32_t words;         /* of a set */
    const uint64_t *wants;  /* per input: the outputs that its queues ask for */
    const uint64_t *asks;   /* the same per output: the inputs that ask for it */
    const uint64_t *asking; /* inputs that want anything; not empty */
    uint32_t (*length)(const void *user, uint32_t input, uint32_t vc, uint32_t output);
    const void *user;
    weft_occasion occasion;
    void *room; /* as many bytes as the kind's `room` says, a multiple of 8; their contents do not
                   matter */
} weft_wide_requests;

typedef struct weft_wide_match {
    uint64_t inputs[WEFT_WIDE_WORDS]; /* that are matched; for each of them: */
    uint16_t output[WEFT_WIDE_MAX];
} weft_wide_match;

/* How the pointers of a kind move, for engines that compute many switches at once. */
typedef enum weft_pointer_form {
    WEFT_POINTERS_NONE,  /* only match knows */
    WEFT_POINTERS_OFFER, /* outputs offer themselves round robin, inputs accept round robin */
    WEFT_POINTERS_ASK    /* inputs ask for one output round robin, outputs take round robin */
} weft_pointer_form;

typedef enum weft_pointer_loss { /* the pointer of a port whose offer or question was in vain … */
                                 WEFT_LOSS_KEEPS,  /* … stays where it is */
                                 WEFT_LOSS_PASSES, /* … goes on past whom it was made to */
                                 WEFT_LOSS_STAYS   /* … goes to whom it was made to */
} weft_pointer_loss;

typedef struct weft_pointer_rule {
    uint8_t form, loss; /* weft_pointer_form, weft_pointer_loss; all pointers start at 0 */
    uint8_t iterations;
    uint8_t later; /* pointers that move after the first iteration too; bits: 1 those of outputs, 2
                      those of inputs */
} weft_pointer_rule;

typedef struct weft_scheduler {
    const struct weft_scheduler_kind *kind;
    const void *settings;
    uint32_t inputs, outputs; /* 1 … WEFT_CROSSBAR_PORTS_MAX; wide: 1 … WEFT_WIDE_MAX */
    uint32_t n_vcs;           /* 1 … WEFT_VCS_MAX */
    /* A VC keeps the packets of different outputs apart; else its front asks for one output, or
     * for several if the kind allows it. */
    bool voq;
    bool wide;      /* given: the kind has match_wide, and it is used; VCs is 1 */
    size_t bytes;   /* of the state of one crossbar */
    size_t part[4]; /* the kind's own: where what is in the state */
    bool ages;      /* match asks for ages */
    bool counts;    /* given: the caller can tell lengths of queues */
    /* A match depends on the state and on what asks; else also on … */
    bool lengths; /* … how much waits */
    bool draws;   /* … the occasion: it is random */
    /* of one VC with VOQ; WEFT_POINTERS_NONE unless the kind says otherwise */
    weft_pointer_rule rule;
} weft_scheduler;

typedef struct weft_scheduler_kind {
    weft_component base;
    /* The front of a VC that is a FIFO may ask for several outputs; it gets one of them. */
    bool several;
    /* Fills bytes and part, and of ages, lengths, draws and rule what is not 0; the rest is
     * given. */
    weft_status (*build)(weft_scheduler *scheduler, weft_error *err);
    void (*reset)(const weft_scheduler *scheduler, void *state);
    void (*match)(const weft_scheduler *scheduler, const void *state, const weft_requests *requests,
                  weft_match *match);
    /* One pair of the match was granted, or the only pair there could be (then first is true and
     * match was not called). The only thing that changes the state. */
    void (*granted)(const weft_scheduler *scheduler, void *state, uint32_t input, uint32_t vc,
                    uint32_t output, bool first);
    /* Can this be a state? For bytes from a file that nobody vouches for. NULL: any bytes are
     * safe. */
    bool (*sound)(const weft_scheduler *scheduler, const void *state);
    /* Called once after a match and the grants of it. NULL: all it remembers are grants. */
    void (*learn)(const weft_scheduler *scheduler, void *state, const weft_match *match);
    /* The wide form: what match, granted for all pairs of it, and learn do together. NULL: the
     * kind has none, and is asked for WEFT_CROSSBAR_PORTS_MAX ports at most. */
    void (*match_wide)(const weft_scheduler *scheduler, void *state,
                       const weft_wide_requests *requests, weft_wide_match *match);
    size_t (*room)(const weft_scheduler *scheduler); /* of weft_wide_requests; NULL: none */
} weft_scheduler_kind;

#endif
