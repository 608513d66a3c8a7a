/* SPDX-License-Identifier: Apache-2.0 */
/* Saturation of 200 random networks. */
#include "statistical/saturations.h"

int main(void)
{
    return saturations_try(1000, 200) > 0;
}
