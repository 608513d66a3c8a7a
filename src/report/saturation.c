/* SPDX-License-Identifier: Apache-2.0 */
#include "report/saturation.h"

void weft_report_saturation(const char *key, const weft_saturation *found, FILE *out)
{
    if (key[0])
        (void)fprintf(out, "%s\n", key);
    if (found->always_stable)
        (void)fprintf(out, "  saturation   none up to an offered load of 1.0 (rho %.4g)\n",
                      found->rho);
    else
        (void)fprintf(
            out, "  saturation   load %.4g … %.4g (fraction of injection bandwidth), rho %.4g\n",
            found->load, found->unstable, found->rho);
    if (found->from_empty > 0)
        (void)fprintf(out,
                      "  congestion   an empty network carries up to %.4g, a congested one %.4g\n",
                      found->from_empty, found->accepted);
    if (found->why[0])
        (void)fprintf(out, "  wide because %s\n", found->why);
    if (found->bound > 0)
        (void)fprintf(out, "  bound        %.4g\n", found->bound);
    (void)fprintf(out, "  accepted     %.4g [%.4g, %.4g] at offered 1.0%s\n", found->accepted,
                  found->accepted_lo, found->accepted_hi,
                  found->accepted_steady ? "" : ", not yet steady");
    (void)fflush(out);
}

weft_status weft_report_searches(weft_result *result, FILE *out, bool *are, weft_error *err)
{
    *are = false;
    for (size_t i = 0; i < weft_result_points(result); i++) {
        const weft_point *point;
        weft_saturation found;
        WEFT_TRY(weft_result_read(result, i, &point, err));
        if (!weft_saturation_read(point, &found))
            return WEFT_OK;
        weft_report_saturation(point->key, &found, out);
        *are = true;
    }
    return WEFT_OK;
}
