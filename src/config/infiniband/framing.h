/* SPDX-License-Identifier: Apache-2.0 */
/* Headers that every packet has beside its payload, by the names that endpoint.headers takes. */
#ifndef WEFT_CONFIG_INFINIBAND_FRAMING_H
#define WEFT_CONFIG_INFINIBAND_FRAMING_H

#include <stdint.h>

extern const char *const weft_framing_names[];
/* Bytes of the headers and checksums of a packet, by the number of a name; −1: none. */
uint32_t weft_framing_bytes(int headers);

#endif
