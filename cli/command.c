/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/command.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BLOCKS_MOST  (1 << 24)
#define THREADS_MOST 1024
#define RANKS_MOST   (1 << 20)
#define HOSTS_MOST   (1 << 16)
#define EFFORT_MOST  1000000
#define OWN_MOST     32 /* flags of a verb alone */

typedef struct flag {
    const char *name, *value, *brief; /* value NULL: takes none */
} flag;

static const flag flags[] = {
    {"--plugin", "FILE", "load components from a shared object; may be given several times"},
    {"--results", "FILE", "results file; default: <scenario>.weft in the current directory"},
    {"--new", NULL, "start anew although the results file holds another scenario"},
    {"--blocks", "N", "cut the network into so many blocks; results do not depend on it"},
    {"--threads", "N",
     "threads of a process, at most; default: the free cores. As many as pay are used"},
    {"--ranks", "N", "processes for one point; default: by its estimate"},
    {"--mpi", NULL, "start MPI although no launcher (mpirun, srun) is seen"},
    {"--checkpoint", "TIME",
     "time between checkpoints of a long point, e.g. 30min; default 10min, 0 for none"},
    {"--memory", "SIZE",
     "bytes a process may hold, e.g. 4GiB; default: its part of three quarters of what is free"},
    {"--quiet", NULL, "no progress"},
    {"--tolerance", "LOAD", "width of the bracket around the saturation load; default 0.01"},
    {"--html", "FILE", "write the page there; default: <first results>.html"},
    {"--csv", "FILE", "write all metrics as CSV"},
    {"--tex", "FILE", "write the picture as a LaTeX document (pgfplots)"},
    {"--svg", "FILE", "write the picture as SVG"},
    {"--png", "FILE", "write the picture as PNG"},
    {"--format", "NAME", "csv (default), json or canonical; topologies: edges, graphml or dot"},
    {"--thorough", NULL, "take as long as the verdict on deadlock needs"},
    {"--worst", NULL, "look for the permutation that loads a link most under this routing"},
    {"--seed", "N", "of what is drawn; default 1"},
    {"--effort", "N", "starts of that search; default 8"},
    {"--witness", "FILE", "write what it found, as the pattern flows reads it"},
    {"-o", "FILE", "write there"},
    {"--hosts", "N", "endpoints of every router that has any (of all, if the file names none)"},
    {"--order", "NAME",
     "of routers: metis (default; parts of a simulation are ranges of it) or file"},
    {"--quick", NULL, "a part of the grid, in minutes (default)"},
    {"--full", NULL, "the whole grid"},
    {"--record", NULL, "keep the verdicts of a full run in the study's folder"},
};

/* Verbs of the design that are not built yet. */
static const char *const planned[] = {NULL};

static bool takes(const weft_verb *verb, const char *name)
{
    size_t length = strlen(name);
    for (const char *at = strstr(verb->flags, name); at; at = strstr(at + 1, name))
        if ((at == verb->flags || at[-1] == ' ') && (at[length] == ' ' || at[length] == '\0'))
            return true;
    return false;
}

/* Pads to a width in characters, which printf would count in bytes. */
static void print_padded(FILE *to, const char *text, int width)
{
    for (const char *c = text; *c; c++)
        width -= ((unsigned char)*c & 0xC0) != 0x80;
    fprintf(to, "%s%*s", text, width > 0 ? width : 0, "");
}

static void print_flags(FILE *to, const weft_verb *one)
{
    for (const weft_own_flag *own = one->own; own && own->name; own++)
        fprintf(to, "  %-12s %-5s %s\n", own->name, own->value ? own->value : "", own->brief);
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
        if (takes(one, flags[i].name))
            fprintf(to, "  %-12s %-5s %s\n", flags[i].name, flags[i].value ? flags[i].value : "",
                    flags[i].brief);
}

void weft_command_help(FILE *to, const weft_verb *const *verbs, const weft_verb *one)
{
    if (one) {
        fprintf(to, "weft %s %s\n%s\n", one->name, one->arguments, one->brief);
        print_flags(to, one);
        return;
    }
    fprintf(to, "weft: how will this fabric behave?\n\n");
    for (; *verbs; verbs++) {
        fprintf(to, "  weft %-9s ", (*verbs)->name);
        print_padded(to, (*verbs)->arguments, 18);
        fprintf(to, "  %s\n", (*verbs)->brief);
    }
    fprintf(to,
            "\nkey=value is always a setting, --flag always how to run. `weft VERB --help` says "
            "more.\n");
}

static weft_status find_verb(const char *name, const weft_verb *const *verbs,
                             const weft_verb **verb, weft_error *err)
{
    for (const weft_verb *const *v = verbs; *v; v++)
        if (strcmp((*v)->name, name) == 0) {
            *verb = *v;
            return WEFT_OK;
        }
    for (const char *const *p = planned; *p; p++)
        if (strcmp(*p, name) == 0)
            return weft_fail(err, WEFT_BAD_USAGE, "'%s' is not built yet", name);
    return weft_fail(err, WEFT_BAD_USAGE,
                     "there is no command '%.64s'; `weft --help` lists them all", name);
}

/* "4GiB", "512MiB", "1000000". */
static weft_status parse_bytes(const char *text, int64_t *bytes, weft_error *err)
{
    static const struct {
        const char *name;
        double factor;
    } units[] = {{"", 1},          {"B", 1},     {"KiB", 1024},   {"MiB", 1 << 20},
                 {"GiB", 1 << 30}, {"KB", 1000}, {"MB", 1000000}, {"GB", 1000000000}};
    char *end;
    double value = strtod(text, &end);
    while (*end == ' ')
        end++;
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (end != text && value > 0 && value < 1e15 && strcmp(end, units[i].name) == 0) {
            *bytes = (int64_t)(value * units[i].factor);
            return WEFT_OK;
        }
    return weft_fail(err, WEFT_BAD_USAGE, "--memory takes a size such as 4GiB, found '%.64s'",
                     text);
}

static weft_status parse_number(const char *name, const char *text, double least, double most,
                                double *number, weft_error *err)
{
    char *end;
    *number = strtod(text, &end);
    if (end == text || *end || !(*number >= least && *number <= most))
        return weft_fail(err, WEFT_BAD_USAGE, "%s takes a number from %g to %g, found '%.64s'",
                         name, least, most, text);
    return WEFT_OK;
}

static weft_status parse_whole(const char *name, const char *text, int64_t most, int64_t *number,
                               weft_error *err)
{
    char *end;
    long long value = strtoll(text, &end, 10);
    if (end == text || *end || value < 1 || value > most)
        return weft_fail(err, WEFT_BAD_USAGE,
                         "%s takes a whole number from 1 to %lld, found '%.64s'", name,
                         (long long)most, text);
    *number = value;
    return WEFT_OK;
}

/* "90s", "30min", "2h", "0". */
static weft_status parse_time(const char *name, const char *text, double *seconds, weft_error *err)
{
    static const struct {
        const char *name;
        double factor;
    } units[] = {{"s", 1}, {"min", 60}, {"h", 3600}};
    char *end;
    double value = strtod(text, &end);
    while (*end == ' ')
        end++;
    *seconds = 0;
    if (end != text && value == 0 && *end == '\0')
        return WEFT_OK;
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (end != text && value >= 0 && value < 1e9 && strcmp(end, units[i].name) == 0) {
            *seconds = value * units[i].factor;
            return WEFT_OK;
        }
    return weft_fail(err, WEFT_BAD_USAGE, "%s takes a time such as 90s, 30min or 2h, found '%.64s'",
                     name, text);
}

static weft_status apply(weft_command *command, const char *name, const char *value,
                         weft_error *err)
{
    if (strcmp(name, "--plugin") == 0)
        command->plugins[command->n_plugins++] = value;
    else if (strcmp(name, "--results") == 0)
        command->results = value;
    else if (strcmp(name, "--html") == 0)
        command->html = value;
    else if (strcmp(name, "--csv") == 0)
        command->csv = value;
    else if (strcmp(name, "--tex") == 0)
        command->tex = value;
    else if (strcmp(name, "--svg") == 0)
        command->svg = value;
    else if (strcmp(name, "--png") == 0)
        command->png = value;
    else if (strcmp(name, "--format") == 0)
        command->format = value;
    else if (strcmp(name, "-o") == 0)
        command->out = value;
    else if (strcmp(name, "--order") == 0)
        command->order = value;
    else if (strcmp(name, "--new") == 0)
        command->fresh = true;
    else if (strcmp(name, "--quiet") == 0)
        command->quiet = true;
    else if (strcmp(name, "--memory") == 0)
        return parse_bytes(value, &command->memory, err);
    else if (strcmp(name, "--tolerance") == 0)
        return parse_number(name, value, 1e-4, 0.5, &command->tolerance, err);
    else if (strcmp(name, "--blocks") == 0)
        return parse_whole(name, value, BLOCKS_MOST, &command->blocks, err);
    else if (strcmp(name, "--threads") == 0)
        return parse_whole(name, value, THREADS_MOST, &command->threads, err);
    else if (strcmp(name, "--ranks") == 0)
        return parse_whole(name, value, RANKS_MOST, &command->ranks, err);
    else if (strcmp(name, "--hosts") == 0)
        return parse_whole(name, value, HOSTS_MOST, &command->hosts, err);
    else if (strcmp(name, "--checkpoint") == 0)
        return parse_time(name, value, &command->checkpoint_s, err);
    else if (strcmp(name, "--mpi") == 0)
        command->mpi = true;
    else if (strcmp(name, "--thorough") == 0)
        command->thorough = true;
    else if (strcmp(name, "--worst") == 0)
        command->worst = true;
    else if (strcmp(name, "--witness") == 0)
        command->witness = value;
    else if (strcmp(name, "--seed") == 0)
        return parse_whole(name, value, INT64_MAX, &command->seed, err);
    else if (strcmp(name, "--effort") == 0)
        return parse_whole(name, value, EFFORT_MOST, &command->effort, err);
    else if (strcmp(name, "--quick") == 0)
        command->quick = true;
    else if (strcmp(name, "--full") == 0)
        command->full = true;
    else if (strcmp(name, "--record") == 0)
        command->record = true;
    return WEFT_OK;
}

/* Flags of the verb alone are kept as they are. */
static weft_status parse_own(weft_command *command, char **argv, int *i, bool *found,
                             weft_error *err)
{
    const char *given = argv[*i], *equals = strchr(given, '=');
    size_t length = equals ? (size_t)(equals - given) : strlen(given);
    const weft_own_flag *own = command->verb->own;
    *found = false;
    for (size_t f = 0; own && own[f].name && !*found; f++) {
        *found = strncmp(own[f].name, given, length) == 0 && !own[f].name[length];
        if (!*found)
            continue;
        command->own[f] = equals ? equals + 1 : own[f].value ? argv[++*i] : "";
        if (!command->own[f] || (equals && !own[f].value))
            return weft_fail(err, WEFT_BAD_USAGE, "%s %s", own[f].name,
                             equals ? "takes no value" : "needs a value");
    }
    return WEFT_OK;
}

static weft_status parse_flag(weft_command *command, char **argv, int *i, weft_error *err)
{
    bool found;
    WEFT_TRY(parse_own(command, argv, i, &found, err));
    if (found)
        return WEFT_OK;
    const char *given = argv[*i], *equals = strchr(given, '=');
    size_t length = equals ? (size_t)(equals - given) : strlen(given);
    for (size_t f = 0; f < sizeof flags / sizeof *flags; f++) {
        if (strncmp(flags[f].name, given, length) != 0 || flags[f].name[length])
            continue;
        if (!takes(command->verb, flags[f].name))
            break;
        const char *value = equals ? equals + 1 : NULL;
        if (!flags[f].value && equals)
            return weft_fail(err, WEFT_BAD_USAGE, "%s takes no value", flags[f].name);
        if (flags[f].value && !value && !(value = argv[++*i]))
            return weft_fail(err, WEFT_BAD_USAGE, "%s needs a value: %s %s", flags[f].name,
                             flags[f].name, flags[f].value);
        return apply(command, flags[f].name, value, err);
    }
    return weft_fail(err, WEFT_BAD_USAGE, "%s has no flag '%.*s'; `weft %s --help` lists them",
                     command->verb->name, (int)(length < 64 ? length : 64), given,
                     command->verb->name);
}

static weft_status parse_words(int argc, char **argv, weft_command *command, weft_error *err)
{
    for (int i = 2; i < argc; i++) {
        if (argv[i][0] == '-') {
            WEFT_TRY(parse_flag(command, argv, &i, err));
        } else if (command->verb->settings && command->n_names > 0 && strchr(argv[i], '=')) {
            command->settings[command->n_settings++] = argv[i];
        } else {
            command->names[command->n_names++] = argv[i];
        }
    }
    if (command->n_names < command->verb->least || command->n_names > command->verb->most)
        return weft_fail(err, WEFT_BAD_USAGE, "usage: weft %s %s", command->verb->name,
                         command->verb->arguments);
    return WEFT_OK;
}

weft_status weft_command_parse(int argc, char **argv, const weft_verb *const *verbs,
                               weft_command *command, weft_error *err)
{
    size_t words = (size_t)argc + 1;
    *command = (weft_command){.tolerance = 0.01, .checkpoint_s = 600, .seed = 1};
    WEFT_TRY(find_verb(argv[1], verbs, &command->verb, err));
    command->names = calloc(words, sizeof(char *));
    command->settings = calloc(words, sizeof(char *));
    command->plugins = calloc(words, sizeof(char *));
    command->own = calloc(OWN_MOST, sizeof(char *));
    if (!command->names || !command->settings || !command->plugins || !command->own)
        return weft_fail(err, WEFT_BAD_INPUT, "out of memory");
    for (int i = 2; i < argc; i++)
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) {
            command->help = true;
            return WEFT_OK;
        }
    return parse_words(argc, argv, command, err);
}

void weft_command_done(weft_command *command)
{
    free(command->names);
    free(command->settings);
    free(command->plugins);
    free(command->own);
}

weft_study_options weft_command_options(const weft_command *command, weft_display *display)
{
    return (weft_study_options){.results = command->results,
                                .fresh = command->fresh,
                                .context = command->context,
                                .blocks = command->blocks,
                                .threads = command->threads,
                                .ranks = command->ranks,
                                .memory = command->memory,
                                .checkpoint_s = command->checkpoint_s,
                                .thorough = command->thorough,
                                .wish = weft_display_wish,
                                .notice = weft_display_notice,
                                .progress = weft_display_progress,
                                .finished = weft_display_finished,
                                .user = display};
}

weft_status weft_command_study(const weft_command *command, const weft_catalog *catalog,
                               weft_display *display, weft_study **study, weft_error *err)
{
    weft_study_options options = weft_command_options(command, display);
    options.file = command->names[0];
    options.overrides = command->settings;
    return weft_study_open(&options, catalog, study, err);
}
