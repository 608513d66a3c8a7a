/* SPDX-License-Identifier: Apache-2.0 */
/* Service levels (SLs) of traffic classes and the VLs they travel on. A VL is a virtual channel;
 * one map from SLs to VLs (router.sl2vl) holds at every router and endpoint. */
#ifndef WEFT_NET_SERVICE_LEVEL_H
#define WEFT_NET_SERVICE_LEVEL_H

#include "config/scenario.h"

#define WEFT_SERVICE_LEVELS 16
#define WEFT_DATA_VLS       15 /* VL 15 is for management */

typedef struct weft_service_level {
    bool given;      /* false: packets of the class have no SL; sl and vl mean nothing */
    bool said;       /* by the class itself: SL 0 is what others have */
    bool management; /* VL 15: the VC behind those of data, whatever routings say */
    uint8_t sl, vl;
} weft_service_level;

/* Refuses a map that does not fit routers with so many VCs. */
WEFT_MUST_USE weft_status weft_service_level_check(const weft_scenario *scenario, uint32_t vcs,
                                                   weft_error *err);
/* The SL of a class, which must have no VCs of its own then. */
WEFT_MUST_USE weft_status weft_service_level_find(const weft_scenario *scenario,
                                                  const weft_class_settings *set, uint32_t vcs,
                                                  weft_service_level *level, weft_error *err);

#endif
