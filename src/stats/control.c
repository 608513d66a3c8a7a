/* SPDX-License-Identifier: Apache-2.0 */
/* The stop rule.
 *
 * Checks are due after 64, 96, 128 … intervals, then every 32 cell widths: times that depend on
 * nothing but the number of intervals. A run has converged if at two checks in a row warm-up is
 * over, the batches are independent and the half-width is reached.
 *
 * A rule that looks often ends a run where the error happens to look small, the more so the wider
 * the interval may be: of 1,000 runs of an M/M/1 queue at rho 0.9 that ended at 10 % only 87.6 %
 * held the truth. Above 5 % a run therefore ends later than its half-width alone would say
 * (docs/decisions/0013).
 *
 * Saturation is told from the population N = arrived − left at the end of the cells. Without drift
 * N cannot leave a random walk, whose standard deviation after A arrivals is √A for Poisson
 * arrivals; a network that is filling up towards a steady state grows ever more slowly (√t near
 * saturation, where the second half brings 0.41 of the first), whereas a saturated one keeps
 * growing as t. One check of a filling network may look like the latter; a row of them over which
 * the run more than doubles does not.
 *
 * Early (goal.early): two checks in a row are enough where each half of the run by itself grows
 * beyond chance, and by more than a network so far from the edge could. And since intervals shrink
 * with the root of the length, a check tells the packets that the half-width would need. */
#include "stats/control.h"

#include <assert.h>
#include <string.h>

#define FIRST_CHECK    64
#define CELLS_BETWEEN  32
#define REACHED_CHECKS 2    /* in a row, to stop for precision */
#define FINE           0.05 /* half-width up to which runs end by it as it is, … */
#define COARSE         0.1  /* … and from which a greater one makes no difference; between them */
#define COARSE_PART    0.2  /* this part of what is above FINE counts */
#define FILLING        8    /* part of growth_intervals before which nothing has settled */
#define GROWTH_CHECKS  5    /* in a row, to stop for saturation: the run has doubled meanwhile */
#define GROWTH_LEAST   6.5  /* standard deviations of a random walk */
#define GROWTH_BEND    0.25 /* share of the growth by which the second half may fall behind */
#define GROWTH_LEFT    1000 /* packets that must have left before saturation stops a run */
#define DEEP_CHECKS    2    /* in a row, where saturation is deep … */
#define DEEP_SHARE     0.02 /* … since this part of the arrivals stays, in both halves */
#define REACH          8    /* times the limit that a half-width out of reach would need … */
#define REACH_SEEN     16   /* … after this part of the limit */
#define SERVED_CONFIDENCE \
    0.999 /* with which less leaves than comes, if that proves nothing stable */

void weft_control_init(weft_control *control, const weft_goal *goal)
{
    assert(goal->confidence > 0 && goal->confidence < 1);
    memset(control, 0, sizeof *control);
    control->goal = *goal;
    control->next_check = FIRST_CHECK;
    control->floor = WEFT_FLOOR_LENGTH;
    control->watched = (weft_estimate){.value = __builtin_nan(""),
                                       .lo = __builtin_nan(""),
                                       .hi = __builtin_nan(""),
                                       .stderr_ = __builtin_nan("")};
}

/* Does the population keep growing, beyond chance and without slowing down? */
static bool grows(const weft_control *control, const weft_series *series)
{
    uint32_t cells = weft_series_cells(series), half = cells / 2;
    uint32_t in = control->goal.arrived, out = control->goal.left;
    if (half == 0 || weft_series_intervals(series) < (uint64_t)control->goal.growth_intervals)
        return false;
    uint32_t first = cells - 2 * half; /* an odd first cell is left out */
    double arrived = (double)weft_series_sum(series, first, in);
    double growth =
        (double)(weft_series_sum(series, first, in) - weft_series_sum(series, first, out));
    double late = (double)(weft_series_sum(series, first + half, in) -
                           weft_series_sum(series, first + half, out));
    double deviation = weft_sqrt(arrived);
    /* the halves' growths differ by bend, of the same standard deviation */
    double bend = late - (growth - late);
    return growth > GROWTH_LEAST * deviation && bend > -GROWTH_BEND * growth - deviation;
}

/* Does the population grow in cells from … to − 1, far beyond chance? */
static bool overflows(const weft_control *control, const weft_series *series, uint32_t from,
                      uint32_t to)
{
    uint32_t in = control->goal.arrived, out = control->goal.left;
    double arrived = (double)(weft_series_sum(series, from, in) - weft_series_sum(series, to, in));
    double growth =
        arrived - (double)(weft_series_sum(series, from, out) - weft_series_sum(series, to, out));
    return growth > GROWTH_LEAST * weft_sqrt(arrived) && growth > DEEP_SHARE * arrived;
}

static bool is_deep(const weft_control *control, const weft_series *series)
{
    uint32_t cells = weft_series_cells(series), middle = cells - cells / 2;
    return control->goal.early && control->growing && control->growth_seen >= DEEP_CHECKS &&
           overflows(control, series, cells - 2 * (cells / 2), middle) &&
           overflows(control, series, middle, cells);
}

static void find_warmup(weft_control *control, const weft_series *series)
{
    const weft_goal *goal = &control->goal;
    if (goal->warmup_intervals < 0) {
        control->from = weft_series_warmup(series, goal->watched, &control->settled);
        if (weft_series_intervals(series) < (uint64_t)goal->growth_intervals / FILLING)
            control->settled = false; /* hardly anything has crossed the system yet */
        return;
    }
    uint64_t width = weft_series_width(series);
    uint64_t from = ((uint64_t)goal->warmup_intervals + width - 1) / width;
    control->settled = from < weft_series_cells(series);
    control->from = control->settled ? (uint32_t)from : weft_series_cells(series);
}

/* The half-width at which a check ends a run. */
static double ending_width(const weft_goal *goal)
{
    double wide = goal->half_width < COARSE ? goal->half_width : COARSE;
    return wide > FINE ? FINE + COARSE_PART * (wide - FINE) : wide;
}

/* Is the estimate as narrow as that, whatever else is missing? */
static bool is_narrow(const weft_control *control, double half_width)
{
    const weft_estimate *watched = &control->watched;
    double size = watched->value < 0 ? -watched->value : watched->value;
    return watched->hi - watched->lo <= 2 * half_width * size;
}

/* Are there batches to tell the half-width from? */
static bool has_batches(const weft_control *control)
{
    return control->watched.batches >= WEFT_BATCHES_MIN && control->watched.independent;
}

/* Would the wanted half-width need many times the packets that the limit allows? */
static bool is_out_of_reach(const weft_control *control, const weft_series *series)
{
    const weft_goal *goal = &control->goal;
    const weft_estimate *watched = &control->watched;
    double seen = (double)weft_series_total(series, goal->left),
           limit = (double)goal->limit_packets;
    if (!goal->early || limit == 0 || seen * REACH_SEEN < limit || !control->settled ||
        control->growing || watched->batches < WEFT_BATCHES_MIN)
        return false;
    double ratio = (watched->hi - watched->lo) / (2 * goal->half_width * watched->value);
    return seen * ratio * ratio > REACH * limit;
}

static bool reached(const weft_control *control, double half_width)
{
    return control->settled && !control->growing && has_batches(control) &&
           is_narrow(control, half_width);
}

/* Of a check that was not enough. */
static weft_floor find_floor(const weft_control *control)
{
    if (control->watched.batches >= WEFT_BATCHES_MIN &&
        !is_narrow(control, ending_width(&control->goal)))
        return WEFT_FLOOR_NONE;
    return control->settled && !control->growing ? WEFT_FLOOR_BATCHES : WEFT_FLOOR_WARMUP;
}

void weft_control_finish(weft_control *control, const weft_series *series)
{
    find_warmup(control, series);
    control->growing = grows(control, series);
    control->watched =
        weft_series_ratio(series, control->from, control->goal.watched, control->goal.confidence);
}

static weft_stop_reason check(weft_control *control, const weft_series *series)
{
    weft_control_finish(control, series);
    if (weft_series_intervals(series) <= (uint64_t)control->goal.begin_intervals)
        return WEFT_GO_ON;
    bool enough = reached(control, ending_width(&control->goal));
    control->reached_seen = enough ? control->reached_seen + 1 : 0;
    if (control->reached_seen == 0)
        control->floor = find_floor(control);
    if (control->reached_seen >= REACHED_CHECKS)
        return WEFT_CONVERGED;
    control->growth_seen = control->growing ? control->growth_seen + 1 : 0;
    if (control->goal.warmup_intervals >= 0 && control->goal.limit_intervals > 0)
        return WEFT_GO_ON; /* the span to measure was given: it is measured, past saturation too */
    bool some_left = weft_series_total(series, control->goal.left) >= GROWTH_LEFT;
    control->deep = is_deep(control, series);
    if (some_left && (control->deep || control->growth_seen >= GROWTH_CHECKS))
        return WEFT_SATURATED;
    return is_out_of_reach(control, series) ? WEFT_OUT_OF_REACH : WEFT_GO_ON;
}

weft_stability weft_control_stability(const weft_control *control, const weft_series *series)
{
    const weft_goal *goal = &control->goal;
    if (control->growing && (control->deep || control->growth_seen >= GROWTH_CHECKS))
        return WEFT_UNSTABLE;
    if (control->growing || !control->settled || control->watched.batches < WEFT_BATCHES_MIN)
        return WEFT_STABILITY_UNKNOWN;
    weft_ratio served = {.num = goal->left, .den = goal->arrived};
    weft_estimate whole = weft_series_ratio(series, control->from, served, SERVED_CONFIDENCE);
    return whole.hi >= 1 ? WEFT_STABLE : WEFT_STABILITY_UNKNOWN;
}

static bool at_limit(const weft_goal *goal, const weft_series *series)
{
    if (goal->limit_intervals > 0 &&
        weft_series_intervals(series) >= (uint64_t)goal->limit_intervals)
        return true;
    return goal->limit_packets > 0 && weft_series_total(series, goal->left) >= goal->limit_packets;
}

weft_stop_reason weft_control_step(weft_control *control, const weft_series *series)
{
    weft_stop_reason verdict = WEFT_GO_ON;
    uint64_t intervals = weft_series_intervals(series);
    if (intervals >= control->next_check) {
        control->next_check = intervals + CELLS_BETWEEN * weft_series_width(series);
        verdict = check(control, series);
    }
    if (verdict == WEFT_GO_ON && at_limit(&control->goal, series)) {
        weft_control_finish(control, series);
        /* nobody chose this moment: the half-width as it is will do */
        verdict = reached(control, control->goal.half_width)                  ? WEFT_CONVERGED
                  : control->growing && control->growth_seen >= GROWTH_CHECKS ? WEFT_SATURATED
                                                                              : WEFT_AT_LIMIT;
    }
    return verdict;
}
