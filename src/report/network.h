/* SPDX-License-Identifier: Apache-2.0 */
/* Pictures of networks by gnuplot. */
#ifndef WEFT_REPORT_NETWORK_H
#define WEFT_REPORT_NETWORK_H

#include "base/text.h"
#include "interweft/interop.h"
#include "report/figure/plot.h"

void weft_report_network_script(const weft_drawing *drawing, weft_picture picture,
                                weft_text *script);
/* Writes the picture to a file. */
WEFT_MUST_USE weft_status weft_report_network_picture(const weft_drawing *drawing,
                                                      weft_picture picture, const char *path,
                                                      weft_error *err);

#endif
