/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/terminal.h"

#include "base/fold.h"
#include "base/utf8.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

size_t weft_terminal_width(int fd)
{
    struct winsize size;
    bool known =
        isatty(fd) == 1 && ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_col >= WEFT_TERMINAL_NARROW;
    return known ? size.ws_col : 0;
}

void weft_terminal_print(const char *text, FILE *to)
{
    size_t width = weft_terminal_width(fileno(to));
    weft_text folded;
    weft_text_init(&folded);
    if (width > 0)
        weft_fold(text, width, &folded);
    (void)fputs(folded.at ? folded.at : text, to);
    weft_text_done(&folded);
}

void weft_terminal_begin(weft_terminal_sheet *sheet)
{
    *sheet = (weft_terminal_sheet){0};
    sheet->file = open_memstream(&sheet->text, &sheet->length);
    if (!sheet->file)
        sheet->file = stdout; /* unfolded is better than nothing */
}

void weft_terminal_end(weft_terminal_sheet *sheet)
{
    if (sheet->file != stdout && fclose(sheet->file) == 0)
        weft_terminal_print(sheet->text, stdout);
    free(sheet->text);
}

void weft_terminal_tell(const char *format, ...)
{
    va_list args;
    char *text = NULL;
    va_start(args, format);
    if (vasprintf(&text, format, args) >= 0) {
        weft_make_lines_harmless(text);
        (void)fputs(text, stderr);
        free(text);
    }
    va_end(args);
}
