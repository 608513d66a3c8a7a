/* SPDX-License-Identifier: Apache-2.0 */
/* Sizes are of the InfiniBand Architecture Specification, volume 1, chapters 5 to 9. RETH (16
 * bytes, of the first packet of an RDMA write) and AETH (4 bytes, of responses) are not of every
 * packet: they count as payload. */
#include "config/infiniband/framing.h"

#include <assert.h>
#include <stddef.h>

enum { LRH = 8, GRH = 40, BTH = 12, DETH = 8, ICRC = 4, VCRC = 2 };

const char *const weft_framing_names[] = {"infiniband", "infiniband-datagram", "infiniband-global",
                                          "infiniband-global-datagram", NULL};
static const uint32_t bytes[] = {LRH + BTH + ICRC + VCRC, LRH + BTH + DETH + ICRC + VCRC,
                                 LRH + GRH + BTH + ICRC + VCRC,
                                 LRH + GRH + BTH + DETH + ICRC + VCRC};
_Static_assert(sizeof bytes / sizeof *bytes + 1 ==
                   sizeof weft_framing_names / sizeof *weft_framing_names,
               "every name has its bytes");

uint32_t weft_framing_bytes(int headers)
{
    assert(headers < (int)(sizeof bytes / sizeof *bytes));
    return headers < 0 ? 0 : bytes[headers];
}
