/* SPDX-License-Identifier: Apache-2.0 */
/* weft plan: candidates for a wanted fabric side by side. */
#include "base/clock.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/terminal.h"
#include "report/plan/plan.h"
#include "report/save.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define TABLE_WIDTH 80

typedef struct plan_flags {
    const char *write; /* folder of the scenarios */
} plan_flags;

typedef struct meter {
    bool terminal, quiet;
    double last;
} meter;

/* One line on a terminal, one line per ten seconds elsewhere. */
static void show_progress(void *user, size_t i, size_t n, const char *name)
{
    meter *m = user;
    double now = weft_clock();
    if (m->quiet)
        return;
    if (m->terminal)
        fprintf(stderr, i < n ? "\r\033[Kexamining %zu of %zu: %s" : "\r\033[K", i + 1, n, name);
    else if (now - m->last >= 10) {
        fprintf(stderr, "examining %zu of %zu: %s\n", i + 1, n, name);
        m->last = now;
    }
    fflush(stderr);
}

static weft_status save_csv(const weft_planning *plan, const char *path, weft_error *err)
{
    weft_save file;
    WEFT_TRY(weft_save_begin(&file, path, err));
    weft_shortlist_csv(plan, file.out);
    WEFT_TRY(weft_save_end(&file, WEFT_OK, err));
    weft_terminal_tell("wrote %s\n", path);
    return WEFT_OK;
}

static weft_status save_text(const char *path, const char *text, weft_error *err)
{
    weft_save file;
    WEFT_TRY(weft_save_begin(&file, path, err));
    return weft_save_end(&file, weft_save_write(&file, text, strlen(text), err), err);
}

static void draw_front(const weft_planning *plan, weft_text *svg)
{
    weft_shortlist_front(plan, WEFT_TRAFFIC_PERMUTATION, svg);
}

/* Writes a page or a picture. */
static weft_status save_drawn(const weft_planning *plan, const char *path,
                              void (*draw)(const weft_planning *plan, weft_text *out),
                              weft_error *err)
{
    weft_text text;
    if (!path)
        return WEFT_OK;
    weft_text_init(&text);
    draw(plan, &text);
    weft_status status = save_text(path, text.at, err);
    weft_text_done(&text);
    if (status == WEFT_OK)
        weft_terminal_tell("wrote %s\n", path);
    return status;
}

static weft_status write_scenarios(const weft_planning *plan, const char *folder, weft_error *err)
{
    size_t count = weft_planning_count(plan), written = 0;
    struct stat there;
    if (mkdir(folder, 0777) != 0 &&
        (errno != EEXIST || stat(folder, &there) != 0 || !S_ISDIR(there.st_mode)))
        return weft_fail(err, WEFT_BAD_INPUT, "cannot make the folder %.256s: %s", folder,
                         strerror(errno));
    for (size_t i = 0; i < count; i++) {
        const weft_planned *planned = weft_planning_fabric(plan, i);
        if (planned->refused)
            continue;
        char *text = weft_planning_scenario(plan, i);
        char *path = weft_text_format("%s/%s.yaml", folder, planned->file);
        weft_status status = save_text(path, text, err);
        free(text);
        free(path);
        WEFT_TRY(status);
        written++;
    }
    weft_terminal_tell("wrote %zu scenarios to %s\n", written, folder);
    return WEFT_OK;
}

static void show_step(void *user, size_t i, size_t n, const char *name, const char *experiment)
{
    weft_display *display = user;
    weft_display_clear(display);
    if (!display->quiet)
        fprintf(stderr, "simulation %zu of %zu: %s, %s\n", i + 1, n, name, experiment);
}

/* Results in <plan>-runs beside the other results, or where --results says. */
static weft_status simulate(const weft_command *command, weft_planning *plan, weft_error *err)
{
    weft_display display;
    const char *name = strrchr(command->names[0], '/');
    name = name ? name + 1 : command->names[0];
    const char *dot = strrchr(name, '.');
    int length = dot && dot != name ? (int)(dot - name) : (int)strlen(name);
    char *folder = weft_text_format("%.*s-runs", length, name);
    weft_display_init(&display, command->quiet);
    weft_display_heed();
    weft_planning_runs runs = {.folder = command->results ? command->results : folder,
                               .how = weft_command_options(command, &display),
                               .step = show_step,
                               .user = &display};
    runs.how.begins = NULL;
    runs.how.context = NULL; /* one process examines and simulates */
    weft_status status = weft_planning_simulate(plan, &runs, err);
    weft_display_clear(&display);
    free(folder);
    return status;
}

static weft_status show(const weft_command *command, weft_planning *plan, weft_error *err)
{
    const plan_flags *own = command->own;
    if (own->write)
        WEFT_TRY(write_scenarios(plan, own->write, err));
    WEFT_TRY(simulate(command, plan, err));
    if (command->csv)
        WEFT_TRY(save_csv(plan, command->csv, err));
    WEFT_TRY(save_drawn(plan, command->html, weft_shortlist_page, err));
    WEFT_TRY(save_drawn(plan, command->svg, draw_front, err));
    weft_shortlist_table(plan, stdout, weft_display_width(TABLE_WIDTH),
                         isatty(STDOUT_FILENO) && !getenv("NO_COLOR"));
    return WEFT_OK;
}

static weft_status run(const weft_command *command, weft_catalog *catalog, weft_error *err)
{
    meter m = {.terminal = isatty(STDERR_FILENO), .quiet = command->quiet, .last = weft_clock()};
    weft_planning_options options = {.file = command->names[0],
                                     .overrides = command->settings,
                                     .progress = show_progress,
                                     .user = &m};
    weft_planning *plan;
    if (weft_context_rank(command->context) > 0)
        return WEFT_OK;
    WEFT_TRY(weft_save_check(command->csv, err));
    WEFT_TRY(weft_save_check(command->html, err));
    WEFT_TRY(weft_save_check(command->svg, err));
    WEFT_TRY(weft_planning_open(&options, catalog, &plan, err));
    weft_status status = show(command, plan, err);
    weft_planning_close(plan);
    return status;
}

static const weft_flag own_flags[] = {
    {.name = "--write",
     .value = "DIR",
     .help = "write the scenario of every fabric there, for weft run",
     .type = WEFT_FLAG_TEXT,
     .offset = offsetof(plan_flags, write)},
    {.name = NULL}};

const weft_verb weft_verb_plan = {
    .name = "plan",
    .arguments = "FILE [key=value …]",
    .brief = "candidates for a wanted number of endpoints side by side: switches, cables, cost, "
             "power and bounds; the best are simulated",
    .examples =
        "weft plan machine.yaml                            # every fabric that suits\n"
        "weft plan machine.yaml --csv machine.csv          # all numbers of all of them\n"
        "weft plan machine.yaml --write candidates         # their scenarios, for weft run\n",
    .flags =
        "--html --csv --svg --results --new --jobs --threads --blocks --memory --quiet --plugin",
    .least = 1,
    .most = 1,
    .settings = true,
    .own = own_flags,
    .own_size = sizeof(plan_flags),
    .run = run,
};
