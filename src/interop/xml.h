/* SPDX-License-Identifier: Apache-2.0 */
/* A small part of XML, for untrusted files: elements with attributes, text, comments. No document
 * types, so only the five built-in and numeric entities; no CDATA; limits on depth and attributes.
 * Text is copied only on request. */
#ifndef WEFT_INTEROP_XML_H
#define WEFT_INTEROP_XML_H

#include "config/lines.h"

#define WEFT_XML_DEPTH      32
#define WEFT_XML_ATTRIBUTES 32

typedef struct weft_xml {
    weft_lines place; /* file name and line for messages; at: the unread text */
    weft_word open[WEFT_XML_DEPTH];
    unsigned depth;
    bool closing; /* the last element was empty: its end comes next */
    /* The last tag read: */
    weft_word name;
    bool begins;    /* a start tag; else an end tag */
    weft_word text; /* text before the tag, raw */
    unsigned count;
    weft_word key[WEFT_XML_ATTRIBUTES], value[WEFT_XML_ATTRIBUTES]; /* raw */
} weft_xml;

weft_xml weft_xml_of(const char *name, const char *text, size_t length);
/* Reads the next tag; *more is false after the last one. An empty element gives a start tag and an
 * end tag. */
WEFT_MUST_USE weft_status weft_xml_next(weft_xml *xml, bool *more, weft_error *err);
/* The raw value of an attribute; its `at` is NULL if there is none. */
weft_word weft_xml_attribute(const weft_xml *xml, const char *key);
/* Replaces the entities of a raw text and trims spaces; fails if the result exceeds `room`
 * bytes. */
WEFT_MUST_USE weft_status weft_xml_decode(const weft_xml *xml, weft_word raw, char *into,
                                          size_t room, weft_word *out, weft_error *err);

#endif
