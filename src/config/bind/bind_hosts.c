/* SPDX-License-Identifier: Apache-2.0 */
/* Endpoints as words: one, or a list. What they mean only a topology knows; here a word that names a file gets its path. */
#include "config/bind/bind.h"

#include <string.h>

#define WORD_MAX 4096 /* bytes */

static weft_status bind_word(weft_binder *b, const char *path, const weft_node *node,
                             weft_file *word)
{
    if (node->type != WEFT_NODE_SCALAR || weft_node_is_null(node) || node->text[0] == '\0')
        return weft_node_complain(b->err, node, "%s must be " WEFT_HOSTS_EXPECTED ", found %s",
                                  path, weft_node_found(node, b->arena));
    if (strlen(node->text) > WORD_MAX)
        return weft_node_complain(b->err, node, "%s is longer than %d bytes", path, WORD_MAX);
    char *text = weft_arena_copy(b->arena, node->text, strlen(node->text));
    weft_make_harmless(text);
    *word = (weft_file){.text = text};
    if (strncmp(text, WEFT_HOSTS_FILE, strlen(WEFT_HOSTS_FILE)) == 0) {
        const char *name = text + strlen(WEFT_HOSTS_FILE);
        word->path = weft_source_beside(node->source, name, b->arena);
        weft_bind_note_file(b, (weft_file){.text = name, .path = word->path});
    }
    return WEFT_OK;
}

weft_status weft_bind_hosts(weft_binder *binder, const char *path, const weft_node *node,
                            weft_hosts *hosts)
{
    bool list = node->type == WEFT_NODE_LIST;
    uint32_t count = list ? node->count : 1;
    if (count == 0 || count > WEFT_INTS_MAX)
        return weft_node_complain(
            binder->err, node,
            "%s must have 1 … %d entries, found %u; a longer list may be a file: 'file NAME'", path,
            WEFT_INTS_MAX, count);
    weft_file *words = WEFT_TAKE(binder->arena, weft_file, count);
    for (uint32_t i = 0; i < count; i++)
        WEFT_TRY(bind_word(binder, path, list ? node->values[i] : node, &words[i]));
    *hosts = (weft_hosts){.count = (int32_t)count, .at = words};
    return WEFT_OK;
}
