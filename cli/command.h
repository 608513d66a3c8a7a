/* SPDX-License-Identifier: Apache-2.0 */
/* The command line, taken apart once for all verbs: `key=value` is always a setting, `--flag`
 * always how to run, the rest are names. */
#ifndef WEFT_CLI_COMMAND_H
#define WEFT_CLI_COMMAND_H

#include "cli/flags.h"
#include "interweft/interweft.h"

#include <stdio.h>

typedef struct weft_command {
    const struct weft_verb *verb;
    const char **names; /* files, components; NULL-terminated */
    size_t n_names;
    const char **settings; /* key=value; NULL-terminated */
    size_t n_settings;
    void *own; /* values of the verb's own flags, in its own structure; NULL: it has none */
    weft_texts plugins, without, rates;
    const char *results, *html, *csv, *tex, *svg, *png, *format, *out, *order, *witness, *columns,
        *points, *part, *partition, *account, *slurm_options;
    int64_t blocks, jobs, threads, ranks, memory, hosts, seed, effort, tasks, nodes;
    double tolerance, checkpoint_s, time_s;
    bool slurm, no_wait, fresh, quiet, mpi, help, quick, full, record, worst, thorough, json;
    weft_context *context; /* of the whole program */
} weft_command;

typedef struct weft_verb {
    const char *name, *arguments, *brief;
    const char *examples; /* command lines, each with a comment behind a # */
    const char *flags;    /* those shared with other verbs that it takes, separated by spaces */
    size_t least, most;   /* names */
    bool settings;        /* takes key=value */
    bool by_ending;       /* -o F.svg is short for --svg F.svg */
    bool out_is_results;  /* -o is short for --results */
    const weft_flag *own; /* flags of this verb alone; NULL: none … */
    size_t own_size;      /* … and the structure they go to */
    weft_status (*run)(const weft_command *command, weft_catalog *catalog, weft_error *err);
} weft_verb;

extern const weft_verb weft_verb_run, weft_verb_saturate, weft_verb_check, weft_verb_report,
    weft_verb_export, weft_verb_reproduce, weft_verb_list, weft_verb_describe, weft_verb_schema,
    weft_verb_pages, weft_verb_crossbar, weft_verb_topology, weft_verb_import, weft_verb_ts,
    weft_verb_model, weft_verb_selftest, weft_verb_compare, weft_verb_completion, weft_verb_man,
    weft_verb_workload, weft_verb_explain, weft_verb_plan, weft_verb_study, weft_verb_sensitivity,
    weft_verb_status, weft_verb_cancel;
/* All of them, in the order of help; NULL-terminated. */
extern const weft_verb *const weft_verbs[];

/* Fills *command (its arrays are malloc'ed); WEFT_BAD_USAGE with a sentence otherwise. */
WEFT_MUST_USE weft_status weft_command_parse(int argc, char **argv, const weft_verb *const *verbs,
                                             weft_command *command, weft_error *err);
void weft_command_done(weft_command *command);
/* The flags that a verb takes, its own first: flag i, or NULL behind the last. */
const weft_flag *weft_command_flag(const weft_verb *verb, size_t i);
/* What is there to say about all verbs, or one. */
void weft_command_help(FILE *to, const weft_verb *const *verbs, const weft_verb *one);

/* weft import workload FILE: cli/workload.c. */
WEFT_MUST_USE weft_status weft_workload_import(const weft_command *command, weft_error *err);

/* Draws progress on stderr: one line on a terminal, one line per ten seconds elsewhere. */
typedef struct weft_display {
    bool terminal, quiet, drawn;
    double began, last;
    const char *part; /* how far it is goes to <part>.progress; NULL: nowhere */
    double told;      /* when it went there last */
    size_t finished;  /* points of this run */
} weft_display;
void weft_display_init(weft_display *display, bool quiet);
/* From now on signals say what is wished, Ctrl-C and SIGTERM to stop, SIGUSR1 a checkpoint: for
 * commands that ask what is. Others just end. A run goes on without a reader of its progress. */
void weft_display_heed(void);
/* Ends the program as one that has nobody to read its output, if it has not. */
void weft_display_quit_unread(void);
weft_request weft_display_request(void *display);
void weft_display_begins(void *display, const weft_outline *outline);
void weft_display_progress(void *display, const weft_progress *progress);
void weft_display_finished(void *display, const weft_point *point);
void weft_display_notice(void *display, const char *text);
void weft_display_clear(weft_display *display);
/* A line of progress made elsewhere, drawn as often as others are. */
void weft_display_line(weft_display *display, const char *text);
/* "12 s", "5 min", "30 h" */
const char *weft_display_span(double seconds, char text[24]);
/* Says in <part>.progress that all of its points are done. */
void weft_display_complete(weft_display *display);
/* Leaves <part>.stopped if a signal has asked to stop: other things end with the same status. */
void weft_display_stopped(const weft_display *display);
/* Around work that reports no steps: a line on stderr says how long it has taken, from 2 s on on a
 * terminal, every ten seconds elsewhere. */
void weft_display_wait(void);
void weft_display_waited(void);
/* Characters a table on stdout may take: the terminal's, else those of the variable COLUMNS, else
 * as many as the caller wants elsewhere. */
size_t weft_display_width(size_t elsewhere);
#define WEFT_DISPLAY_WIDE 200 /* enough for all columns of most tables */

/* The results file that --results or -o names; NULL: neither. */
const char *weft_command_results(const weft_command *command);
/* Prints an answer that is lines "name value" as JSON. */
void weft_command_print_facts(const char *text);
/* How a command wants studies to be run. */
weft_study_options weft_command_options(const weft_command *command, weft_display *display);
/* Opens the study a command names. */
WEFT_MUST_USE weft_status weft_command_study(const weft_command *command,
                                             const weft_catalog *catalog, weft_display *display,
                                             weft_study **study, weft_error *err);

#endif
