/* SPDX-License-Identifier: Apache-2.0 */
/* Candidates are compared by what they say: their bytes have gaps. */
#ifndef WEFT_TESTS_CONTRACT_CANDIDATE_H
#define WEFT_TESTS_CONTRACT_CANDIDATE_H

#include "interweft/routing.h"

static inline bool same_candidate(const weft_candidate *a, const weft_candidate *b)
{
    return a->port == b->port && a->vcs == b->vcs && a->next_header == b->next_header &&
           a->escape == b->escape;
}

#endif
