/* SPDX-License-Identifier: Apache-2.0 */
/* weft status and weft cancel: the job of Slurm behind a results file. */
#include "base/text.h"
#include "cli/slurm.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define STOP_S 120 /* for checkpoints; what takes longer is ended without */

static void print_json(const weft_slurm_view *view)
{
    static const char *const names[] = {"pending", "running", "done", "stopped", "failed"};
    printf("{\"job\": %s, \"tasks\": {", view->job);
    for (int k = 0; k < WEFT_SLURM_STATES; k++)
        printf("%s\"%s\": %zu", k ? ", " : "", names[k], view->count[k]);
    printf("}, \"points\": %zu, \"points_done\": %zu, \"left_s\": ", view->n_points, view->done);
    if (weft_slurm_is_active(view) && view->left_s >= 0)
        printf("%.0f}\n", view->left_s);
    else
        printf("null}\n");
}

static void print_job(const char *results, const char *folder, const weft_slurm_view *view)
{
    char *state = weft_cluster_describe(view);
    printf("job %s of Slurm, %zu task%s: %s\n", view->job, view->n_tasks,
           view->n_tasks == 1 ? "" : "s", state);
    free(state);
    if (view->count[WEFT_SLURM_FAILED] > 0) {
        printf("task %zu ", view->failed);
        if (view->ended)
            printf("ended with status %d", view->ended);
        else
            printf("was killed, or never began");
        printf(": see %s/%zu.log\n", folder, view->failed);
    }
    if (!weft_slurm_is_active(view))
        printf("it has ended: the command that submitted it collects its points into %s and runs "
               "what is missing\n",
               results);
}

static weft_status print_file(const weft_command *command, const char *path, weft_error *err)
{
    weft_result *result;
    WEFT_TRY(weft_result_open(path, &result, err));
    size_t points = weft_result_points(result);
    weft_result_close(result);
    if (command->json)
        printf("{\"job\": null, \"points_done\": %zu}\n", points);
    else
        printf("%zu point%s done; no job of Slurm\n", points, points == 1 ? "" : "s");
    return WEFT_OK;
}

static weft_status status(const weft_command *command, weft_catalog *catalog, weft_error *err)
{
    (void)catalog;
    const char *results = command->names[0];
    weft_slurm_view view;
    bool there;
    char *folder = weft_slurm_folder(results);
    weft_status found = weft_slurm_look(folder, &view, &there, err);
    if (found == WEFT_OK && !there)
        found = print_file(command, results, err);
    else if (found == WEFT_OK && command->json)
        print_json(&view);
    else if (found == WEFT_OK)
        print_job(results, folder, &view);
    free(folder);
    return found;
}

/* Checkpoints first; then, at the latest, the end. */
static weft_status stop(const char *folder, const char *results, weft_display *display,
                        weft_slurm_view *view, weft_error *err)
{
    WEFT_TRY(weft_slurm_stop(folder, view->job, err));
    WEFT_TRY(weft_cluster_follow(folder, display, STOP_S, view, err));
    if (weft_slurm_is_active(view))
        WEFT_TRY(weft_slurm_kill(view->job, err));
    printf("job %s cancelled, %zu of %zu points done: the command that submitted it goes on with "
           "%s\n",
           view->job, view->done, view->n_points, results);
    return WEFT_OK;
}

static weft_status cancel(const weft_command *command, weft_catalog *catalog, weft_error *err)
{
    (void)catalog;
    const char *results = command->names[0];
    weft_slurm_view view;
    weft_display display;
    bool there;
    weft_display_init(&display, command->quiet);
    weft_display_heed();
    char *folder = weft_slurm_folder(results);
    weft_status found = weft_slurm_look(folder, &view, &there, err);
    if (found == WEFT_OK && !there)
        found =
            weft_fail(err, WEFT_BAD_INPUT, "%.512s: no job of Slurm is on these results", results);
    else if (found == WEFT_OK && !weft_slurm_is_active(&view))
        printf("job %s has ended already\n", view.job);
    else if (found == WEFT_OK)
        found = stop(folder, results, &display, &view, err);
    free(folder);
    return found;
}

const weft_verb weft_verb_status = {
    .name = "status",
    .arguments = "RESULTS",
    .brief = "how far the job of Slurm behind a results file is, and what it will still take",
    .examples = "weft status torus.weft                            # tasks and points, time left\n"
                "weft status torus.weft --json                     # for programs\n",
    .flags = "--json",
    .least = 1,
    .most = 1,
    .run = status,
};

const weft_verb weft_verb_cancel = {
    .name = "cancel",
    .arguments = "RESULTS",
    .brief = "ends the job of Slurm behind a results file, with checkpoints",
    .examples = "weft cancel torus.weft                            # `weft run --slurm` goes on "
                "later\n",
    .flags = "--quiet",
    .least = 1,
    .most = 1,
    .run = cancel,
};
