/* SPDX-License-Identifier: Apache-2.0 */
#include "report/explain/sheet.h"

#include "report/figure/gnuplot.h"
#include "report/save.h"

static weft_status save_svg(const weft_text *svg, const char *path, weft_error *err)
{
    weft_save file;
    WEFT_TRY(weft_save_begin(&file, path, err));
    return weft_save_end(&file, weft_save_write(&file, svg->at, svg->length, err), err);
}

weft_status weft_sheet_save(const weft_sheet *sheet, const char *svg, const char *png,
                            weft_error *err)
{
    weft_status status = WEFT_OK;
    weft_text text;
    if (svg) {
        weft_text_init(&text);
        sheet->draw(sheet->of, &weft_canvas_svg, &text);
        status = save_svg(&text, svg, err);
        weft_text_done(&text);
    }
    if (status == WEFT_OK && png) {
        weft_text_init(&text);
        sheet->draw(sheet->of, &weft_canvas_gnuplot, &text);
        status = weft_gnuplot_run(text.at, text.length, png, err);
        weft_text_done(&text);
    }
    return status;
}
