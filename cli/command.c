/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/command.h"

#include "base/suggest.h"
#include "base/text.h"
#include "cli/terminal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define AT(member) .offset = offsetof(weft_command, member)

static const weft_flag flags[] = {
    {"--plugin", "FILE", "load components from a shared object; may be given several times",
     WEFT_FLAG_TEXTS, AT(plugins)},
    {"--without", "NAME",
     "less a switch, a host or a cable (leaf1:p7->spine2) of an InfiniBand fabric; * is any text; "
     "may be given several times",
     WEFT_FLAG_TEXTS, AT(without)},
    {"--rate", "NAME=RATE", "the same with cables of another rate, such as leaf1:p7=1xEDR",
     WEFT_FLAG_TEXTS, AT(rates)},
    {"--results", "FILE", "results file; default: <scenario>.weft in the current directory",
     WEFT_FLAG_TEXT, AT(results)},
    {"--new", NULL, "start anew although the results file holds another scenario", WEFT_FLAG_SWITCH,
     AT(fresh)},
    {"--points", "LIST", "of the grid, by number, such as 1,4,7-9; default: all", WEFT_FLAG_TEXT,
     AT(points)},
    {"--part", "FILE",
     "write these points there, to be collected, and how far they are to FILE.progress; "
     "checkpoints stay beside the results file",
     WEFT_FLAG_TEXT, AT(part)},
    {"--slurm", NULL,
     "submit it to Slurm as an array of tasks, follow it and collect the results; checkpoint and "
     "requeue at the time limit",
     WEFT_FLAG_SWITCH, AT(slurm)},
    {"--tasks", "N", "tasks of that array; default: as many as have a minute of work each",
     WEFT_FLAG_WHOLE, AT(tasks), .min = 1, .max = 1000},
    {"--nodes", "N", "nodes of a task, for the processes that --ranks asks for", WEFT_FLAG_WHOLE,
     AT(nodes), .min = 1, .max = 1 << 20},
    {"--time", "TIME", "time limit of a task; default: three times its estimate and ten minutes",
     WEFT_FLAG_TIME, AT(time_s)},
    {"--partition", "NAME", "partition of Slurm", WEFT_FLAG_TEXT, AT(partition)},
    {"--account", "NAME", "account of Slurm", WEFT_FLAG_TEXT, AT(account)},
    {"--slurm-options", "TEXT", "further options for sbatch, separated by blanks", WEFT_FLAG_TEXT,
     AT(slurm_options)},
    {"--no-wait", NULL, "submit only; the same command again follows the job and collects",
     WEFT_FLAG_SWITCH, AT(no_wait)},
    {"--blocks", "N", "number of blocks of the partition; results do not depend on it",
     WEFT_FLAG_WHOLE, AT(blocks), .min = 1, .max = 1 << 24},
    {"--jobs", "N",
     "points that run at a time; default: one for every free core, as far as memory allows",
     WEFT_FLAG_WHOLE, AT(jobs), .min = 1, .max = 1024},
    {"--threads", "N",
     "threads of a process, at most; default: the free cores. As many as pay are used",
     WEFT_FLAG_WHOLE, AT(threads), .min = 1, .max = 1024},
    {"--ranks", "N", "processes for one point; default: by its estimate", WEFT_FLAG_WHOLE,
     AT(ranks), .min = 1, .max = 1 << 20},
    {"--mpi", NULL, "start MPI although no launcher (mpirun, srun) is seen", WEFT_FLAG_SWITCH,
     AT(mpi)},
    {"--checkpoint", "TIME", "time between checkpoints of a long point, 0 for none", WEFT_FLAG_TIME,
     AT(checkpoint_s), .fallback = "10min"},
    {"--memory", "SIZE",
     "bytes a process may hold, e.g. 4GiB; default: its part of three quarters of what is free",
     WEFT_FLAG_BYTES, AT(memory)},
    {"--quiet", NULL, "no progress", WEFT_FLAG_SWITCH, AT(quiet)},
    {"--tolerance", "LOAD", "width of the bracket around the saturation load", WEFT_FLAG_NUMBER,
     AT(tolerance), .fallback = "0.01", .min = 1e-4, .max = 0.5},
    {"--columns", "LIST", "of the table, such as accepted,p99,hops; all: every one there is",
     WEFT_FLAG_TEXT, AT(columns)},
    {"--html", "FILE", "write the page there; default: <first results>.html", WEFT_FLAG_TEXT,
     AT(html)},
    {"--csv", "FILE", "write all metrics as CSV", WEFT_FLAG_TEXT, AT(csv)},
    {"--tex", "FILE", "write the picture as a LaTeX document (pgfplots)", WEFT_FLAG_TEXT, AT(tex)},
    {"--svg", "FILE", "write the picture as SVG", WEFT_FLAG_TEXT, AT(svg)},
    {"--png", "FILE", "write the picture as PNG", WEFT_FLAG_TEXT, AT(png)},
    {"--json", NULL, "print the answer as JSON", WEFT_FLAG_SWITCH, AT(json)},
    {"--format", "NAME",
     "csv (default), json or canonical; topologies: edges, graphml, dot or ibnetdiscover",
     WEFT_FLAG_TEXT, AT(format)},
    {"--thorough", NULL, "take as long as the verdict on deadlock needs", WEFT_FLAG_SWITCH,
     AT(thorough)},
    {"--worst", NULL, "search the permutation that loads a link most under this routing",
     WEFT_FLAG_SWITCH, AT(worst)},
    {"--seed", "N", "random seed", WEFT_FLAG_WHOLE, AT(seed), .fallback = "1", .min = 1,
     .max = 0x1p53},
    {"--effort", "N", "starts of that search; default 8", WEFT_FLAG_WHOLE, AT(effort), .min = 1,
     .max = 1000000},
    {"--witness", "FILE", "write the permutation found, as the pattern flows reads it",
     WEFT_FLAG_TEXT, AT(witness)},
    {"-o", "FILE", "write there; several kinds of files are told by their endings", WEFT_FLAG_TEXT,
     AT(out)},
    {"--hosts", "N", "endpoints of every router that has any (of all, if the file names none)",
     WEFT_FLAG_WHOLE, AT(hosts), .min = 1, .max = 1 << 16},
    {"--order", "NAME",
     "of routers: metis (default; parts of a simulation are ranges of it) or file", WEFT_FLAG_TEXT,
     AT(order)},
    {"--quick", NULL, "a part of the grid, in minutes (default)", WEFT_FLAG_SWITCH, AT(quick)},
    {"--full", NULL, "the whole grid", WEFT_FLAG_SWITCH, AT(full)},
    {"--record", NULL, "keep the verdicts of a full run in the study's folder", WEFT_FLAG_SWITCH,
     AT(record)},
    {.name = NULL},
};

static bool takes(const weft_verb *verb, const char *name)
{
    size_t length = strlen(name);
    for (const char *at = strstr(verb->flags, name); at; at = strstr(at + 1, name))
        if ((at == verb->flags || at[-1] == ' ') && (at[length] == ' ' || at[length] == '\0'))
            return true;
    return false;
}

const weft_flag *weft_command_flag(const weft_verb *verb, size_t i)
{
    for (const weft_flag *flag = verb->own; flag && flag->name; flag++)
        if (i-- == 0)
            return flag;
    for (const weft_flag *flag = flags; flag->name; flag++)
        if (takes(verb, flag->name) && i-- == 0)
            return flag;
    return NULL;
}

/* Pads to a width in characters, which printf would count in bytes. */
static void add_padded(weft_text *to, const char *text, int width)
{
    for (const char *c = text; *c; c++)
        width -= ((unsigned char)*c & 0xC0) != 0x80;
    weft_text_add(to, "%s%*s", text, width > 0 ? width : 0, "");
}

static void add_flag(weft_text *to, const weft_flag *flag)
{
    weft_text_add(to, "  %-12s %-5s %s%s%s\n", flag->name, flag->value ? flag->value : "",
                  flag->help, flag->fallback ? "; default " : "",
                  flag->fallback ? flag->fallback : "");
}

static void add_verb(weft_text *to, const weft_verb *one)
{
    weft_text_add(to, "weft %s %s\n%s\n", one->name, one->arguments, one->brief);
    const weft_flag *flag;
    for (size_t i = 0; (flag = weft_command_flag(one, i)); i++)
        add_flag(to, flag);
    weft_text_add(to, "\nExamples:\n");
    for (const char *line = one->examples; *line; line += strcspn(line, "\n") + 1)
        weft_text_add(to, "  %.*s\n", (int)strcspn(line, "\n"), line);
}

static void add_verbs(weft_text *to, const weft_verb *const *verbs)
{
    weft_text_add(to, "weft: how will this fabric behave?\n\n");
    for (; *verbs; verbs++) {
        weft_text_add(to, "  weft %-9s ", (*verbs)->name);
        add_padded(to, (*verbs)->arguments, 18);
        weft_text_add(to, "  %s\n", (*verbs)->brief);
    }
    weft_text_add(to, "\nkey=value is always a setting, --flag always how to run. "
                      "`weft VERB --help` says more.\n"
                      "Scenarios: man weft-scenario, and to start from: share/interweft/examples "
                      "of the installation.\n");
}

void weft_command_help(FILE *to, const weft_verb *const *verbs, const weft_verb *one)
{
    weft_text text;
    weft_text_init(&text);
    if (one)
        add_verb(&text, one);
    else
        add_verbs(&text, verbs);
    weft_terminal_print(text.at, to);
    weft_text_done(&text);
}

static weft_status find_verb(const char *name, const weft_verb *const *verbs,
                             const weft_verb **verb, weft_error *err)
{
    for (const weft_verb *const *v = verbs; *v; v++)
        if (strcmp((*v)->name, name) == 0) {
            *verb = *v;
            return WEFT_OK;
        }
    weft_suggest suggest = {.word = name};
    for (const weft_verb *const *v = verbs; *v; v++)
        weft_suggest_offer(&suggest, (*v)->name);
    const char *nearest = weft_suggest_text(&suggest);
    if (!*nearest && access(name, F_OK) == 0)
        return weft_fail(err, WEFT_BAD_USAGE,
                         "there is no command '%.64s'; did you mean `weft run %.64s`?", name, name);
    return weft_fail(err, WEFT_BAD_USAGE, "there is no command '%.64s'%s", name,
                     *nearest ? nearest : "; `weft --help` lists them all");
}

/* The nearest of the flags that a verb takes. */
static weft_suggest suggest_flag(const weft_verb *verb, const char *given)
{
    weft_suggest suggest = {.word = given};
    const weft_flag *flag;
    for (size_t i = 0; (flag = weft_command_flag(verb, i)); i++)
        if (strlen(flag->name) > 2) /* any letter is near another */
            weft_suggest_offer(&suggest, flag->name);
    return suggest;
}

static weft_status refuse_flag(const weft_verb *verb, const char *argument, weft_error *err)
{
    char given[65];
    (void)snprintf(given, sizeof given, "%.*s", (int)strcspn(argument, "="), argument);
    weft_suggest suggest = suggest_flag(verb, given);
    if (*weft_suggest_text(&suggest))
        return weft_fail(err, WEFT_BAD_USAGE, "%s has no flag '%s'%s", verb->name, given,
                         suggest.text);
    return weft_fail(err, WEFT_BAD_USAGE, "%s has no flag '%s'; `weft %s --help` lists them",
                     verb->name, given, verb->name);
}

/* The flag that a file's ending names, where -o stands for several: --svg for curve.svg. */
static weft_status flag_of_ending(weft_command *command, const char *file, weft_error *err)
{
    static const char *const endings[] = {"html", "csv", "tex", "svg", "png", "pdf"};
    const weft_verb *verb = command->verb;
    const char *dot = strrchr(file, '.');
    char known[64] = "", name[8];
    size_t used = 0;
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        (void)snprintf(name, sizeof name, "--%s", endings[i]);
        const weft_flag *own = weft_flags_find(verb->own, name);
        if (!own && !takes(verb, name))
            continue;
        if (dot && strcmp(dot + 1, endings[i]) == 0)
            return weft_flag_set(own ? own : weft_flags_find(flags, name), file,
                                 own ? command->own : command, err);
        used += (size_t)snprintf(known + used, sizeof known - used, " .%s", endings[i]);
    }
    return weft_fail(err, WEFT_BAD_USAGE, "-o %.256s: %s writes files that end in%s", file,
                     verb->name, known);
}

static weft_status parse_flag(weft_command *command, char **argv, int *i, weft_error *err)
{
    const weft_verb *verb = command->verb;
    const char *given = argv[*i], *equals = strchr(given, '=');
    const weft_flag *flag = weft_flags_find(verb->own, given);
    void *into = command->own;
    if (!flag) {
        flag = weft_flags_find(flags, given);
        into = command;
        if (!flag || !takes(verb, flag->name))
            return refuse_flag(verb, given, err);
    }
    const char *value = equals ? equals + 1 : NULL;
    if (!flag->value && equals)
        return weft_fail(err, WEFT_BAD_USAGE, "%s takes no value", flag->name);
    if (flag->value && !value && !(value = argv[++*i]))
        return weft_fail(err, WEFT_BAD_USAGE, "%s needs a value: %s %s", flag->name, flag->name,
                         flag->value);
    if (value && verb->by_ending && strcmp(flag->name, "-o") == 0)
        return flag_of_ending(command, value, err);
    return weft_flag_set(flag, value, into, err);
}

/* Removes the blanks around the first '=' of a word, in place. */
static void close_up(char *word)
{
    char *equals = strchr(word, '='), *value = equals + 1 + strspn(equals + 1, " "), *end = equals;
    while (end > word && end[-1] == ' ')
        end--;
    *end = '=';
    memmove(end + 1, value, strlen(value) + 1);
}

/* Is it a setting? Behind the names it may be two or three words, with blanks around its '=':
 * *used of them. Before them FILE@key=value is a name, and so is a file. */
static bool is_setting(const weft_command *command, char **words, int *used)
{
    bool named = command->n_names > 0 && command->n_names >= command->verb->least;
    const char *first = words[0], *equals = strchr(first, '='), *next = words[1];
    bool more = named && next && next[0] != '-';
    *used = 1;
    if (equals) {
        if (more && equals != first && equals[1] == '\0' && !strchr(next, '='))
            *used = 2;
        return named || (!memchr(first, '@', (size_t)(equals - first)) && access(first, F_OK) != 0);
    }
    if (!more || next[0] != '=')
        return false;
    *used = next[1] ? 2 : 3;
    return next[1] || words[2];
}

/* Takes a setting of so many words, joined. */
static weft_status take_setting(weft_command *command, char **words, int used, weft_error *err)
{
    size_t length = 1;
    for (int i = 0; i < used; i++)
        length += strlen(words[i]);
    char *joined = calloc(1, length);
    if (!joined)
        return weft_fail(err, WEFT_BAD_INPUT, "out of memory");
    char *end = joined;
    for (int i = 0; i < used; i++) {
        size_t part = strlen(words[i]);
        memcpy(end, words[i], part);
        end += part;
    }
    close_up(joined);
    command->settings[command->n_settings++] = joined;
    return WEFT_OK;
}

static weft_status parse_words(int argc, char **argv, weft_command *command, weft_error *err)
{
    int used;
    for (int i = 2; i < argc; i++) {
        if (argv[i][0] == '-' && argv[i][1]) {
            WEFT_TRY(parse_flag(command, argv, &i, err));
        } else if (command->verb->settings && is_setting(command, argv + i, &used)) {
            WEFT_TRY(take_setting(command, argv + i, used, err));
            i += used - 1;
        } else {
            command->names[command->n_names++] = argv[i];
        }
    }
    if (command->verb->out_is_results && command->out && command->results &&
        strcmp(command->out, command->results) != 0)
        return weft_fail(err, WEFT_BAD_USAGE,
                         "-o is --results: there is one results file, not %.256s and %.256s",
                         command->out, command->results);
    if (command->n_names > command->verb->most && command->verb->settings)
        return weft_fail(err, WEFT_BAD_USAGE,
                         "'%.64s' is one name too many for %s; a setting is key=value",
                         command->names[command->verb->most], command->verb->name);
    if (command->n_names < command->verb->least || command->n_names > command->verb->most)
        return weft_fail(err, WEFT_BAD_USAGE, "usage: weft %s %s", command->verb->name,
                         command->verb->arguments);
    return WEFT_OK;
}

/* Gives every flag of a table the value it has if nobody names it. */
static weft_status set_fallbacks(const weft_flag *table, void *into, weft_error *err)
{
    for (const weft_flag *flag = table; flag && flag->name; flag++)
        if (flag->fallback)
            WEFT_TRY(weft_flag_set(flag, flag->fallback, into, err));
    return WEFT_OK;
}

static bool asks_for_help(int argc, char **argv)
{
    for (int i = 2; i < argc; i++)
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0)
            return true;
    return false;
}

/* The list of a verb's own flag that may be given several times; NULL: it is another flag. */
static weft_texts *own_list(const weft_command *command, const weft_flag *flag)
{
    return flag->type == WEFT_FLAG_TEXTS ? (weft_texts *)((char *)command->own + flag->offset)
                                         : NULL;
}

static bool make_own_lists(const weft_command *command, size_t words)
{
    bool made = true;
    for (const weft_flag *flag = command->verb->own; flag && flag->name; flag++) {
        weft_texts *list = own_list(command, flag);
        if (list)
            made = (list->texts = calloc(words, sizeof(char *))) && made;
    }
    return made;
}

static void free_own_lists(const weft_command *command)
{
    const weft_flag *own = command->verb && command->own ? command->verb->own : NULL;
    for (; own && own->name; own++) {
        weft_texts *list = own_list(command, own);
        if (list)
            free(list->texts);
    }
}

weft_status weft_command_parse(int argc, char **argv, const weft_verb *const *verbs,
                               weft_command *command, weft_error *err)
{
    size_t words = (size_t)argc + 1;
    *command = (weft_command){.verb = NULL};
    WEFT_TRY(find_verb(argv[1], verbs, &command->verb, err));
    command->names = calloc(words, sizeof(char *));
    command->settings = calloc(words, sizeof(char *));
    command->plugins.texts = calloc(words, sizeof(char *));
    command->without.texts = calloc(words, sizeof(char *));
    command->rates.texts = calloc(words, sizeof(char *));
    command->own = calloc(1, command->verb->own_size + 1);
    if (!command->names || !command->settings || !command->plugins.texts ||
        !command->without.texts || !command->rates.texts || !command->own ||
        !make_own_lists(command, words))
        return weft_fail(err, WEFT_BAD_INPUT, "out of memory");
    WEFT_TRY(set_fallbacks(flags, command, err));
    WEFT_TRY(set_fallbacks(command->verb->own, command->own, err));
    command->help = asks_for_help(argc, argv);
    return command->help ? WEFT_OK : parse_words(argc, argv, command, err);
}

void weft_command_done(weft_command *command)
{
    free(command->names);
    for (size_t i = 0; i < command->n_settings; i++)
        free((void *)command->settings[i]);
    free(command->settings);
    free(command->plugins.texts);
    free(command->without.texts);
    free(command->rates.texts);
    free_own_lists(command);
    free(command->own);
}

const char *weft_command_results(const weft_command *command)
{
    return command->out ? command->out : command->results;
}

void weft_command_print_facts(const char *text)
{
    char *json = weft_facts_json(text);
    fputs(json, stdout);
    free(json);
}

weft_study_options weft_command_options(const weft_command *command, weft_display *display)
{
    return (weft_study_options){.results = weft_command_results(command),
                                .points = command->points,
                                .part = command->part,
                                .fresh = command->fresh,
                                .context = command->context,
                                .blocks = command->blocks,
                                .jobs = command->jobs,
                                .threads = command->threads,
                                .ranks = command->ranks,
                                .memory = command->memory,
                                .checkpoint_s = command->checkpoint_s,
                                .thorough = command->thorough,
                                .request = weft_display_request,
                                .notice = weft_display_notice,
                                .begins = weft_display_begins,
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
