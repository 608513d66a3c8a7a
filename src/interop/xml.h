/* SPDX-License-Identifier: Apache-2.0 */
/* A small part of XML, for hostile files: elements with attributes, text, comments. No document
 * types, so no entities but the five that are built in and numbers; no CDATA; limits on depth
 * and attributes. Nothing is copied but what is asked for. */
#ifndef WEFT_INTEROP_XML_H
#define WEFT_INTEROP_XML_H

#include "config/lines.h"

#define WEFT_XML_DEPTH      32
#define WEFT_XML_ATTRIBUTES 32

typedef struct weft_xml {
    weft_lines place; /* name of the file and the line for messages; at: what is not read yet */
    weft_word open[WEFT_XML_DEPTH];
    unsigned depth;
    bool closing; /* the last element was empty: its end comes next */
    /* the tag that was read last: */
    weft_word name;
    bool begins;    /* else it ends the element */
    weft_word text; /* what stood before it, raw */
    unsigned count;
    weft_word key[WEFT_XML_ATTRIBUTES], value[WEFT_XML_ATTRIBUTES]; /* raw */
} weft_xml;

weft_xml weft_xml_of(const char *name, const char *text, size_t length);
/* The next tag; *more is false after the last one. An empty element gives its beginning and its
 * end. */
WEFT_MUST_USE weft_status weft_xml_next(weft_xml *xml, bool *more, weft_error *err);
/* The raw value of an attribute; at NULL: there is none. */
weft_word weft_xml_attribute(const weft_xml *xml, const char *key);
/* A raw text with its entities replaced, without spaces around it; fails where that takes more
 * than `room` bytes. */
WEFT_MUST_USE weft_status weft_xml_decode(const weft_xml *xml, weft_word raw, char *into,
                                          size_t room, weft_word *out, weft_error *err);

#endif
