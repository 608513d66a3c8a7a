/* SPDX-License-Identifier: Apache-2.0 */
#include "interop/draft.h"

#include "base/memory.h"

#include <stdlib.h>

void weft_draft_init(weft_draft *draft, const char *file)
{
    *draft = (weft_draft){.file = file, .n_slots = 256};
    draft->slots = weft_alloc(sizeof *draft->slots * draft->n_slots);
}

void weft_draft_done(weft_draft *draft)
{
    free(draft->routers);
    free(draft->cables);
    free(draft->text);
    free(draft->slots);
    *draft = (weft_draft){0};
}

/* ---- routers by name ---- */

static uint64_t hash(const char *name, size_t length)
{
    uint64_t value = 0xCBF29CE484222325u; /* FNV-1a */
    for (size_t i = 0; i < length; i++)
        value = (value ^ (unsigned char)name[i]) * 0x100000001B3u;
    return value ^ value >> 29;
}

/* The slot of a name, or the free one where it belongs. */
static uint32_t *slot_of(const weft_draft *draft, const char *name, size_t length)
{
    size_t mask = draft->n_slots - 1, at = hash(name, length) & mask;
    for (; draft->slots[at]; at = (at + 1) & mask) {
        const char *other = weft_draft_name(draft, draft->slots[at] - 1);
        if (strncmp(other, name, length) == 0 && other[length] == '\0')
            break;
    }
    return &draft->slots[at];
}

static void widen_slots(weft_draft *draft)
{
    free(draft->slots);
    draft->n_slots *= 2;
    draft->slots = weft_alloc(sizeof *draft->slots * draft->n_slots);
    for (uint32_t r = 0; r < draft->n_routers; r++) {
        const char *name = weft_draft_name(draft, r);
        *slot_of(draft, name, strlen(name)) = r + 1;
    }
}

static void add_router(weft_draft *draft, weft_word name)
{
    if (draft->n_routers == draft->router_room) {
        draft->router_room = draft->router_room ? 2 * draft->router_room : 64;
        draft->routers = weft_realloc(draft->routers, draft->router_room, sizeof *draft->routers);
    }
    if (draft->text_room - draft->text_bytes <= name.length) {
        draft->text_room = 2 * draft->text_room + name.length + 1;
        draft->text = weft_realloc(draft->text, draft->text_room, 1);
    }
    draft->routers[draft->n_routers++] = (weft_draft_router){.name = draft->text_bytes};
    memcpy(draft->text + draft->text_bytes, name.at, name.length);
    draft->text_bytes += name.length;
    draft->text[draft->text_bytes++] = '\0';
}

weft_status weft_draft_router_of(weft_draft *draft, const weft_lines *lines, weft_word name,
                                 uint32_t *router, weft_error *err)
{
    if (!name.at || !weft_weftnet_name_sound(name.at, name.length))
        return weft_lines_fail(lines, err,
                               "the name of a router is a text of 1 … %d bytes, found '%.*s'",
                               WEFT_WEFTNET_NAME_MAX, WEFT_WORD(name));
    uint32_t *slot = slot_of(draft, name.at, name.length);
    if (*slot == 0) {
        if (draft->n_routers == WEFT_WEFTNET_MOST)
            return weft_lines_fail(lines, err, "there are more than %u routers", WEFT_WEFTNET_MOST);
        add_router(draft, name);
        *slot = draft->n_routers;
        if (2 * (size_t)draft->n_routers > draft->n_slots)
            widen_slots(draft);
        *router = draft->n_routers - 1;
        return WEFT_OK;
    }
    *router = *slot - 1;
    return WEFT_OK;
}

/* ---- hosts and cables ---- */

weft_status weft_draft_hosts(weft_draft *draft, const weft_lines *lines, uint32_t router,
                             uint64_t hosts, weft_error *err)
{
    if (hosts > WEFT_WEFTNET_HOSTS_MAX - draft->routers[router].hosts)
        return weft_lines_fail(lines, err, "router %s would have more than %u hosts",
                               weft_draft_name(draft, router), WEFT_WEFTNET_HOSTS_MAX);
    draft->routers[router].hosts += (uint32_t)hosts;
    draft->hosts_given = draft->hosts_given || hosts > 0;
    return WEFT_OK;
}

weft_status weft_draft_join(weft_draft *draft, const weft_lines *lines, weft_draft_cable cable,
                            weft_error *err)
{
    if (cable.end[0].router == cable.end[1].router)
        return weft_lines_fail(lines, err, "a cable joins two different routers, found %s twice",
                               weft_draft_name(draft, cable.end[0].router));
    for (int e = 0; e < 2; e++)
        if (++draft->routers[cable.end[e].router].degree > WEFT_WEFTNET_PORTS_MAX)
            return weft_lines_fail(lines, err, "router %s has more than %d cables, the most it may",
                                   weft_draft_name(draft, cable.end[e].router),
                                   WEFT_WEFTNET_PORTS_MAX);
    if (draft->n_cables == WEFT_WEFTNET_MOST)
        return weft_lines_fail(lines, err, "there are more than %u cables", WEFT_WEFTNET_MOST);
    if (draft->n_cables == draft->cable_room) {
        draft->cable_room = draft->cable_room ? 2 * draft->cable_room : 64;
        draft->cables = weft_realloc(draft->cables, draft->cable_room, sizeof *draft->cables);
    }
    draft->cables[draft->n_cables++] = cable;
    return WEFT_OK;
}

weft_status weft_draft_class(const weft_lines *lines, weft_word word, uint32_t *class,
                             weft_error *err)
{
    static const struct {
        const char *name;
        weft_link_class class;
    } classes[] = {
        {"local", WEFT_LINK_LOCAL}, {"regional", WEFT_LINK_REGIONAL}, {"global", WEFT_LINK_GLOBAL}};
    for (size_t i = 0; i < sizeof classes / sizeof *classes; i++)
        if (weft_word_is(word, classes[i].name)) {
            *class = classes[i].class;
            return WEFT_OK;
        }
    return weft_lines_fail(lines, err,
                           "the class of a link is local, regional or global, found '%.*s'",
                           WEFT_WORD(word));
}

weft_status weft_draft_latency(const weft_lines *lines, weft_word word, uint32_t *latency,
                               weft_error *err)
{
    uint64_t number;
    if (!weft_word_number(word, WEFT_LATENCY_MOST, &number) || number == 0)
        return weft_lines_fail(lines, err,
                               "the latency of a link is a whole number 1 … %u, found '%.*s'",
                               WEFT_LATENCY_MOST, WEFT_WORD(word));
    *latency = (uint32_t)number;
    return WEFT_OK;
}

weft_status weft_draft_ports(const weft_lines *lines, weft_word word, weft_draft_cable *cable,
                             weft_error *err)
{
    const char *colon = memchr(word.at, ':', word.length);
    size_t before = colon ? (size_t)(colon - word.at) : word.length;
    weft_word part[2] = {{.at = word.at, .length = before}, {0}};
    if (colon)
        part[1] = (weft_word){.at = colon + 1, .length = word.length - before - 1};
    for (int e = 0; e < 2; e++) {
        uint64_t port;
        if (!weft_word_number(part[e], WEFT_WEFTNET_PORTS_MAX - 1, &port))
            return weft_lines_fail(lines, err,
                                   "ports are two numbers 0 … %d such as 3:7, found '%.*s'",
                                   WEFT_WEFTNET_PORTS_MAX - 1, WEFT_WORD(word));
        cable->end[e].port = (uint32_t)port;
    }
    return WEFT_OK;
}
