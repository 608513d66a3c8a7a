/* SPDX-License-Identifier: Apache-2.0 */
/* Speeds of InfiniBand links by name, the one table of them: name, signalling rate in Gb/s as
 * OpenSM and ibsim write it, and data rate in Mb/s, both of width 1x; after the encoding (8b/10b up
 * to QDR, 64b/66b, and from HDR on with forward error correction). */
#ifndef WEFT_CONFIG_INFINIBAND_LINK_SPEEDS_H
#define WEFT_CONFIG_INFINIBAND_LINK_SPEEDS_H

#define WEFT_LINK_SPEEDS(SPEED) \
    SPEED("SDR", "2.5", 2000)   \
    SPEED("DDR", "5", 4000)     \
    SPEED("QDR", "10", 8000)    \
    SPEED("FDR10", "10", 10000) \
    SPEED("FDR", "14", 13636)   \
    SPEED("EDR", "25", 25000)   \
    SPEED("HDR", "50", 50000)   \
    SPEED("NDR", "100", 100000) \
    SPEED("XDR", "200", 200000)

#endif
