/* SPDX-License-Identifier: Apache-2.0 */
#include "net/service_level.h"

weft_status weft_service_level_check(const weft_scenario *scenario, uint32_t vcs, weft_error *err)
{
    const weft_ints *map = weft_scenario_sl2vl(scenario);
    if (!map)
        return WEFT_OK;
    if (map->count != WEFT_SERVICE_LEVELS)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "router.sl2vl must name %d VLs, of service levels 0 to %d, found %d",
                         WEFT_SERVICE_LEVELS, WEFT_SERVICE_LEVELS - 1, map->count);
    for (int32_t sl = 0; sl < map->count; sl++)
        if ((uint32_t)map->at[sl] >= vcs)
            return weft_fail(err, WEFT_BAD_INPUT,
                             "router.vcs must be at least %d, as router.sl2vl gives service level "
                             "%d VL %d, found %u",
                             map->at[sl] + 1, sl, map->at[sl], vcs);
    return WEFT_OK;
}

/* The class of management, whose VL is beside all others. */
static weft_status find_management(const weft_class_settings *set, uint32_t vcs,
                                   weft_service_level *level, weft_error *err)
{
    const char *beside = set->sl != WEFT_NONE_INT ? "sl"
                         : set->vcs.count > 0     ? "vcs"
                         : set->response.kind     ? "response"
                                                  : NULL;
    if (beside)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "traffic.%s.management: its packets have VL 15 and no %s: leave that out",
                         set->name, beside);
    if (vcs == 0 || vcs > WEFT_DATA_VLS)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "traffic.%s.management: VL 15 is beside 1 to %d virtual channels "
                         "(router.vcs) of an input-queued router, found %u",
                         set->name, WEFT_DATA_VLS, vcs);
    *level = (weft_service_level){.given = true, .management = true, .vl = (uint8_t)vcs};
    return WEFT_OK;
}

weft_status weft_service_level_find(const weft_scenario *scenario, const weft_class_settings *set,
                                    uint32_t vcs, weft_service_level *level, weft_error *err)
{
    const weft_ints *map = weft_scenario_sl2vl(scenario);
    bool said = set->sl != WEFT_NONE_INT;
    if (set->management)
        return find_management(set, vcs, level, err);
    *level = (weft_service_level){.given = said || map, .said = said};
    if (!level->given)
        return WEFT_OK;
    if (vcs == 0)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "traffic.%s.sl: service levels are for routers with virtual channels: use "
                         "router input-queued, found %s",
                         set->name, scenario->router.kind->name);
    if (set->vcs.count > 0)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "traffic.%s.vcs and %s both say which virtual channel the packets of the "
                         "class use: give one of them",
                         set->name, said ? "its sl" : "router.sl2vl");
    level->sl = said ? (uint8_t)set->sl : 0;
    uint32_t data = vcs < WEFT_DATA_VLS ? vcs : WEFT_DATA_VLS;
    level->vl = (uint8_t)(map ? (uint32_t)map->at[level->sl] : level->sl % data);
    return WEFT_OK;
}
