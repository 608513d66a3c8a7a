/* SPDX-License-Identifier: Apache-2.0 */
/* Places in a source: byte offsets as lines and columns, and back. */
#include "config/source.h"

#include "config/utf8.h"

#include <assert.h>

void weft_source_position(const weft_source *source, size_t offset, unsigned *line,
                          unsigned *column)
{
    assert(offset <= source->length);
    *line = 1;
    *column = 1;
    for (size_t i = 0; i < offset; i++) {
        char byte = source->text[i];
        bool lone_return = byte == '\r' && source->text[i + 1] != '\n';
        if (byte == '\n' || lone_return) {
            ++*line;
            *column = 1;
        } else if (((unsigned char)byte & 0xC0) != 0x80) {
            ++*column;
        }
    }
}

size_t weft_source_offset(const weft_source *source, int line, int column)
{
    size_t i = 0;
    for (int at = 1; at < line && i < source->length; i++)
        if (source->text[i] == '\n' || (source->text[i] == '\r' && source->text[i + 1] != '\n'))
            at++;
    for (int at = 1; at < column && i < source->length && source->text[i] != '\n'; at++) {
        uint32_t code;
        size_t bytes = weft_utf8_next(source->text + i, source->length - i, &code);
        i += bytes ? bytes : 1;
    }
    return i;
}
