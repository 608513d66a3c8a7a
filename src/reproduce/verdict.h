/* SPDX-License-Identifier: Apache-2.0 */
/* Verdicts on claims, by rule. */
#ifndef WEFT_REPRODUCE_VERDICT_H
#define WEFT_REPRODUCE_VERDICT_H

#include "reproduce/groups.h"

/* judge.c: judges claim c of a figure; texts and cells live in the arena. */
WEFT_MUST_USE weft_status weft_verdict_judge(const weft_figure_plan *figure, size_t c,
                                             const weft_groups *groups, weft_arena *arena,
                                             weft_claim_result *out, weft_error *err);
/* verdict.c: the same for rules against a table of theirs. */
WEFT_MUST_USE weft_status weft_verdict_table(const weft_figure_plan *figure, size_t c,
                                             const weft_groups *groups, weft_arena *arena,
                                             weft_claim_result *out, weft_error *err);
/* verdict_pairs.c: the same for rules between two of our own values. */
void weft_verdict_pairs(const weft_figure_plan *figure, size_t c, const weft_groups *groups,
                        weft_arena *arena, weft_claim_result *out);
/* verdict_bracket.c: the same for the saturation point along a key. */
void weft_verdict_bracket(const weft_figure_plan *figure, size_t c, const weft_groups *groups,
                          weft_arena *arena, weft_claim_result *out);
/* verdict_distribution.c: the same for distributions. */
WEFT_MUST_USE weft_status weft_verdict_distribution(const weft_figure_plan *figure, size_t c,
                                                    const weft_groups *groups, weft_arena *arena,
                                                    weft_claim_result *out, weft_error *err);
/* Adds theirs to the places 0 … count − 1 of a distribution. */
WEFT_MUST_USE weft_status weft_verdict_places(const weft_figure_plan *figure,
                                              const weft_claim *claim, const weft_group *group,
                                              size_t count, double *theirs, weft_error *err);
/* True if a row of the claim's table belongs to this group. */
bool weft_verdict_fits(const weft_figure_plan *figure, const weft_claim *claim,
                       const weft_group *group, size_t row);
/* verdict_contrast.c: the same for sums of our own values. */
void weft_verdict_contrast(const weft_figure_plan *figure, size_t c, const weft_groups *groups,
                           weft_arena *arena, weft_claim_result *out);
/* verdict_rows.c: the same for cells whose score says how far they are on the side claimed. */
void weft_verdict_rows(const weft_claim *claim, const weft_known *const *known, weft_arena *arena,
                       weft_cell *cells, weft_claim_result *out);
/* True if the claim applies to this group. */
bool weft_verdict_counts(const weft_claim *claim, const weft_group *group);
/* The known difference of a group; NULL: none. another: the second group of a pair; NULL: no
 * pair. */
const weft_known *weft_verdict_known(const weft_figure_plan *figure, const weft_claim *claim,
                                     const weft_group *group, const weft_group *another);

typedef enum weft_fit {
    WEFT_FIT_HOLDS,
    WEFT_FIT_OPEN, /* does not hold, but by chance it may */
    WEFT_FIT_FAILS
} weft_fit;

/* settle.c: the verdict on a cell; `difference` says how ours differs, for the reason. */
void weft_verdict_settle(const weft_claim *claim, const weft_known *known, weft_fit fit,
                         const char *difference, weft_arena *arena, weft_cell *cell);
/* The verdict on a claim from those of its cells; `fault` ("": none) is what is wrong with them as
 * a whole, and `open` what is not seen of a sentence that is not false. */
void weft_verdict_conclude(const weft_claim *claim, const char *fault, const char *open,
                           weft_arena *arena, weft_claim_result *out);
/* Cells of a claim with this verdict. */
size_t weft_verdict_count(const weft_claim_result *claim, weft_verdict verdict);
/* A 95 % interval around a mean. */
void weft_verdict_interval(weft_mean mean, double *lo, double *hi);

#endif
