/* SPDX-License-Identifier: Apache-2.0 */
/* Protobuf's wire format: messages of fields, each a key (number · 8 + wire type) and a value: 0 is
 * a varint, 1 eight bytes, 2 a length and bytes, 5 four bytes. A file is a row of messages, each
 * after its length: metadata first, then nodes. Unknown fields are skipped. */
#include "program/format/chakra/chakra.h"

#include <string.h>

typedef struct span {
    const char *at, *end;
} span;

typedef struct field {
    uint32_t number, type;
    uint64_t value; /* of types 0, 1, 5 */
    span bytes;     /* of type 2 */
} field;

static bool read_varint(span *from, uint64_t *value)
{
    *value = 0;
    for (unsigned shift = 0; from->at < from->end && shift < 64; shift += 7) {
        unsigned char byte = (unsigned char)*from->at++;
        *value |= (uint64_t)(byte & 0x7f) << shift;
        if (byte < 0x80)
            return true;
    }
    return false;
}

static bool read_fixed(span *from, size_t bytes, uint64_t *value)
{
    *value = 0;
    if ((size_t)(from->end - from->at) < bytes)
        return false;
    for (size_t i = bytes; i-- > 0;)
        *value = *value << 8 | (unsigned char)from->at[i];
    from->at += bytes;
    return true;
}

static bool read_bytes(span *from, span *bytes)
{
    uint64_t length;
    if (!read_varint(from, &length) || length > (uint64_t)(from->end - from->at))
        return false;
    *bytes = (span){from->at, from->at + length};
    from->at += length;
    return true;
}

static bool read_field(span *from, field *its)
{
    uint64_t key;
    *its = (field){0};
    if (!read_varint(from, &key) || key >> 3 == 0 || key >> 32 != 0)
        return false;
    its->number = (uint32_t)(key >> 3);
    its->type = key & 7;
    if (its->type == 2)
        return read_bytes(from, &its->bytes);
    if (its->type == 1 || its->type == 5)
        return read_fixed(from, its->type == 1 ? 8 : 4, &its->value);
    return its->type == 0 && read_varint(from, &its->value);
}

static weft_chakra_text text_of(span bytes)
{
    return (weft_chakra_text){bytes.at, (size_t)(bytes.end - bytes.at)};
}

/* An attribute: its name, and a value of any type. */
static bool read_attribute(span bytes, weft_chakra_node *node)
{
    enum { NAME = 1, SIGNED_SMALL = 15, SIGNED = 17, TEXT = 29 };
    weft_chakra_text name = {0}, text = {0};
    uint64_t number = 0;
    field its;
    while (bytes.at < bytes.end) {
        if (!read_field(&bytes, &its))
            return false;
        if (its.number == NAME)
            name = text_of(its.bytes);
        else if (its.number == TEXT)
            text = text_of(its.bytes);
        else if (its.number == SIGNED_SMALL || its.number == SIGNED) /* zigzag */
            number = its.value >> 1 ^ (0 - (its.value & 1));
        else if (its.type != 2)
            number = its.value;
    }
    weft_chakra_attribute(node, name, number, text);
    return true;
}

/* Repeated numbers: one, or many in one field. */
static bool read_depends(weft_chakra_file *file, const field *its)
{
    span bytes = its->bytes;
    uint64_t id;
    if (its->type == 0)
        weft_chakra_add_depend(file, its->value);
    while (its->type == 2 && bytes.at < bytes.end) {
        if (!read_varint(&bytes, &id))
            return false;
        weft_chakra_add_depend(file, id);
    }
    return true;
}

static bool read_node(weft_chakra_file *file, span bytes)
{
    enum { ID = 1, TYPE = 3, CONTROL = 4, DATA = 5, DURATION = 7, ATTRIBUTE = 10 };
    weft_chakra_node node = {.id = 0};
    field its;
    while (bytes.at < bytes.end) {
        if (!read_field(&bytes, &its))
            return false;
        if (its.number == ID)
            node.id = its.value;
        else if (its.number == TYPE)
            node.type = its.value < UINT32_MAX ? (uint32_t)its.value : UINT32_MAX;
        else if (its.number == DURATION)
            node.duration = (double)its.value;
        bool depends = its.number == CONTROL || its.number == DATA;
        if ((its.number == ATTRIBUTE && !read_attribute(its.bytes, &node)) ||
            (depends && !read_depends(file, &its)))
            return false;
    }
    weft_chakra_add(file, node);
    return true;
}

weft_status weft_chakra_read_wire(weft_chakra_file *file, weft_error *err)
{
    const char *start = file->at;
    span rest = {file->at, file->stop}, message;
    bool metadata = true;
    while (rest.at < rest.end) {
        const char *place = rest.at;
        if (!read_bytes(&rest, &message))
            return weft_fail(err, WEFT_BAD_INPUT,
                             "%.2000s: byte %zu: wanted a message of protobuf after its length, "
                             "found one that does not end in the file",
                             file->file, (size_t)(place - start));
        if (!metadata && !read_node(file, message))
            return weft_fail(err, WEFT_BAD_INPUT,
                             "%.2000s: byte %zu: wanted the fields of node %zu, found what is no "
                             "field of protobuf",
                             file->file, (size_t)(place - start), file->n_nodes + 1);
        metadata = false;
    }
    return WEFT_OK;
}

static bool all_fields(span message, uint32_t most)
{
    field its;
    while (message.at < message.end)
        if (!read_field(&message, &its) || its.number > most)
            return false;
    return true;
}

bool weft_chakra_is_wire(const char *at, size_t length)
{
    enum { METADATA_FIELDS = 2, NODE_FIELDS = 10 };
    span rest = {at, at + length}, message;
    if (!read_bytes(&rest, &message) || message.at == message.end ||
        !all_fields(message, METADATA_FIELDS))
        return false;
    return rest.at < rest.end && read_bytes(&rest, &message) && message.at < message.end &&
           all_fields(message, NODE_FIELDS);
}
