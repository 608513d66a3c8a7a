/* SPDX-License-Identifier: Apache-2.0 */
/* weft saturate: the greatest load that every point of a scenario can carry. */
#include "cli/command.h"

#include <stdio.h>

static void show(const char *key, const weft_saturation *found)
{
    if (key[0])
        printf("%s\n", key);
    if (found->always_stable)
        printf("  saturation   none up to an offered load of 1.0 (rho %.4g)\n", found->rho);
    else
        printf("  saturation   load %.4g … %.4g (fraction of injection bandwidth), rho %.4g\n",
               found->load, found->unstable, found->rho);
    if (found->from_empty > 0)
        printf("  congestion   an empty network carries up to %.4g, a congested one %.4g\n",
               found->from_empty, found->accepted);
    if (found->why[0])
        printf("  wide because %s\n", found->why);
    if (found->bound > 0)
        printf("  bound        %.4g\n", found->bound);
    printf("  accepted     %.4g [%.4g, %.4g] at offered 1.0%s\n", found->accepted,
           found->accepted_lo, found->accepted_hi,
           found->accepted_steady ? "" : ", not yet steady");
    fflush(stdout);
}

static weft_status run(const weft_command *command, weft_catalog *catalog, weft_error *err)
{
    weft_study *study;
    weft_display display;
    weft_display_init(&display, command->quiet);
    weft_display_heed();
    WEFT_TRY(weft_command_study(command, catalog, &display, &study, err));
    weft_status status = WEFT_OK;
    for (size_t i = 0; i < weft_study_points(study) && status == WEFT_OK; i++) {
        weft_saturation found;
        status = weft_study_saturate(study, i, command->tolerance, &found, err);
        weft_display_clear(&display);
        if (status == WEFT_OK && weft_context_rank(command->context) == 0)
            show(weft_study_point_key(study, i), &found);
    }
    weft_study_close(study);
    return status;
}

const weft_verb weft_verb_saturate = {
    .name = "saturate",
    .arguments = "FILE [key=value …]",
    .brief = "finds the saturation load by bisection",
    .flags = "--plugin --threads --mpi --blocks --memory --quiet --tolerance",
    .least = 1,
    .most = 1,
    .settings = true,
    .run = run,
};
