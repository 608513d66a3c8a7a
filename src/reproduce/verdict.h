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
/* True if the claim applies to this group. */
bool weft_verdict_counts(const weft_claim *claim, const weft_group *group);
/* The reason of a known disagreement of a group; NULL: none is known. another: the second group of
 * a pair; NULL: no pair. */
const char *weft_verdict_known(const weft_figure_plan *figure, const weft_claim *claim,
                               const weft_group *group, const weft_group *another);
/* A 95 % interval around a mean. */
void weft_verdict_interval(weft_mean mean, double *lo, double *hi);

#endif
