/* SPDX-License-Identifier: Apache-2.0 */
#include "analytic/kaufman_roberts.h"

#define LARGE 0x1p500

/* Large probabilities are scaled down with all before them. */
void weft_kaufman_roberts(const weft_offered_class *classes, uint32_t count, int64_t room,
                          double *q)
{
    double sum = q[0] = 1;
    int64_t first = 0; /* those before it have become 0 */
    for (int64_t j = 1; j <= room; j++) {
        double flow = 0;
        for (uint32_t k = 0; k < count; k++) {
            int64_t b = classes[k].bandwidth;
            if (b <= j)
                flow += classes[k].load * (double)b * q[j - b];
        }
        q[j] = flow / (double)j;
        sum += q[j];
        if (sum < LARGE)
            continue;
        for (int64_t i = first; i <= j; i++)
            q[i] /= LARGE;
        while (first < j && q[first] == 0)
            first++;
        sum /= LARGE;
    }
    for (int64_t j = 0; j <= room; j++)
        q[j] /= sum;
}

double weft_kaufman_roberts_blocking(const double *q, int64_t room, int64_t bandwidth)
{
    double refused = 0;
    for (int64_t j = room < bandwidth ? 0 : room - bandwidth + 1; j <= room; j++)
        refused += q[j];
    return refused;
}

double weft_kaufman_roberts_passing(const double *q, int64_t room, int64_t bandwidth)
{
    double admitted = 0;
    for (int64_t j = 0; j <= room - bandwidth; j++)
        admitted += q[j];
    return admitted;
}
