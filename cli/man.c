/* SPDX-License-Identifier: Apache-2.0 */
/* weft man: manual pages in roff, from the tables of verbs, flags and settings. */
#include "base/fold.h"
#include "cli/command.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Text that roff prints as it is. */
static void put_length(const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        bool begins = i == 0 || text[i - 1] == '\n';
        if (begins && (text[i] == '.' || text[i] == '\''))
            fputs("\\&", stdout);
        if (text[i] == '\\')
            fputs("\\e", stdout);
        else if (text[i] == '-')
            fputs("\\-", stdout);
        else
            putchar(text[i]);
    }
}

static void put(const char *text)
{
    put_length(text, strlen(text));
}

/* Lines as they are, but none wider than a page of 80 columns has room for beside its margin. */
#define PAGE_WIDTH 71
static void put_lines(const char *text)
{
    weft_text folded;
    weft_text_init(&folded);
    weft_fold(text, PAGE_WIDTH, &folded);
    puts(".nf");
    put(folded.at ? folded.at : text);
    puts(".fi");
    weft_text_done(&folded);
}

static void head(const char *name, const char *verb, int section, const char *brief)
{
    printf(".TH \"%s%s%s\" %d \"\" \"Interweft %s\" \"Interweft\"\n.SH NAME\n%s%s%s \\- ", name,
           *verb ? "-" : "", verb, section, WEFT_VERSION, name, *verb ? "\\-" : "", verb);
    put(brief);
    puts("");
}

static void write_flag(const weft_flag *flag)
{
    fputs(".TP\n\\fB", stdout);
    put(flag->name);
    printf("\\fR%s", flag->value ? " \\fI" : "");
    put(flag->value ? flag->value : "");
    printf("%s\n", flag->value ? "\\fR" : "");
    put(flag->help);
    if (flag->fallback) {
        fputs("; default ", stdout);
        put(flag->fallback);
    }
    puts("");
}

static void write_examples(const char *examples)
{
    for (const char *line = examples; *line; line += strcspn(line, "\n") + 1) {
        size_t length = strcspn(line, "\n");
        const char *comment = strstr(line, "  # ");
        bool said = comment && comment < line + length;
        size_t command = said ? (size_t)(comment - line) : length;
        while (command > 0 && line[command - 1] == ' ')
            command--;
        fputs(".TP\n.B ", stdout);
        put_length(line, command);
        puts("");
        if (said)
            put_length(comment + 4, length - (size_t)(comment + 4 - line));
        puts("");
    }
}

static void write_verb(const weft_verb *verb)
{
    head("weft", verb->name, 1, verb->brief);
    printf(".SH SYNOPSIS\n.B weft %s\n", verb->name);
    put(verb->arguments);
    puts("\n.SH DESCRIPTION");
    putchar(toupper((unsigned char)verb->brief[0]));
    put(verb->brief + 1);
    puts(strchr(".?", verb->brief[strlen(verb->brief) - 1]) ? "" : ".");
    if (verb->settings)
        puts("key=value is a setting: of the scenario where a file is named, see\n.BR "
             "weft\\-scenario (5).");
    if (weft_command_flag(verb, 0))
        puts(".SH OPTIONS");
    const weft_flag *flag;
    for (size_t i = 0; (flag = weft_command_flag(verb, i)); i++)
        write_flag(flag);
    puts(".SH EXAMPLES");
    write_examples(verb->examples);
    puts(".SH SEE ALSO\n.BR weft (1),\n.BR weft\\-scenario (5)");
}

static void write_program(void)
{
    head("weft", "", 1, "how will this fabric behave?");
    puts(".SH SYNOPSIS\n.B weft\n.I command\n[\\fIfile\\fR ...] [\\fIkey\\fR=\\fIvalue\\fR ...] "
         "[\\fB\\-\\-flag\\fR ...]\n"
         ".SH DESCRIPTION\n"
         "Interweft simulates interconnection networks packet by packet, chooses the warm\\-up and "
         "the length of the run,\nand gives a confidence interval with every estimate. A scenario "
         "file describes the network, the routing and the\ntraffic, see\n.BR weft\\-scenario (5).\n"
         "key=value is always a setting, \\-\\-flag always how to run.\n"
         ".SH COMMANDS");
    for (const weft_verb *const *v = weft_verbs; *v; v++) {
        printf(".TP\n.BR weft\\-%s (1)\n", (*v)->name);
        put((*v)->brief);
        puts("");
    }
    puts(".SH EXIT STATUS\n"
         ".TP\n.B 0\nall is well\n"
         ".TP\n.B 1\na file, a setting or the environment is wrong\n"
         ".TP\n.B 2\nthe command line is wrong\n"
         ".TP\n.B 3\na deadlock, or an invariant of the simulation does not hold\n"
         ".TP\n.B 4\nstopped before its end; the same command resumes\n"
         ".SH FILES\n"
         ".TP\n.I scenario.yaml\nwhat is to be simulated\n"
         ".TP\n.I scenario.weft\nits results, an SQLite database\n"
         ".TP\n.I scenario.weft.checkpoint\nwhere long points resume\n"
         ".SH ENVIRONMENT\n"
         ".TP\n.B COLUMNS\nwidth of tables that go to no terminal; 80 unless it is set\n"
         ".TP\n.B NO_COLOR\nno colours if it is set\n"
         ".SH EXAMPLES");
    write_examples(weft_verb_run.examples);
    write_examples(weft_verb_report.examples);
    puts(".SH SEE ALSO\n.BR weft\\-scenario (5),\n.BR mpirun (1)");
}

/* The sections of a scenario are the first words of its settings. */
static void write_scenario(weft_catalog *catalog)
{
    char *words = weft_catalog_words(catalog), done[512] = " ";
    head("weft", "scenario", 5, "scenario files of Interweft");
    puts(
        ".SH DESCRIPTION\n"
        "A scenario is a YAML file of at most 1 MiB. Its sections are below with their settings; "
        "\\fBweft describe\\fR \\fIkind\\fR\nlists those of a kind (of topology, routing, ...), "
        "\\fBweft list\\fR the kinds. Quantities have units. \\fBinclude\\fR names\nfiles that are "
        "read before, \\fBvary\\fR settings and the values they take, as a grid.\n"
        ".SH EXAMPLE\n.nf\n"
        "interweft: 1\n"
        "title: A torus\n"
        "topology: {kind: torus, dims: [16, 16]}\n"
        "routing:  {kind: minimal\\-adaptive}\n"
        "traffic:\n"
        "  all: {pattern: uniform, length: 64 flits}\n"
        "vary:\n"
        "  traffic.all.rho: {from: 0.1, to: 0.9, step: 0.1}\n.fi");
    for (char *line = strtok(words, "\n"); line; line = strtok(NULL, "\n")) {
        char name[40], *text;
        (void)snprintf(name, sizeof name, " %.*s ", (int)strcspn(line, ".="), line);
        size_t used = strlen(done), length = strlen(name);
        if (strstr(done, name) || used + length >= sizeof done)
            continue;
        memcpy(done + used, name + 1, length);
        name[length - 1] = '\0';
        if (weft_catalog_describe(catalog, name + 1, &text, NULL) != WEFT_OK)
            continue;
        fputs(".SH ", stdout);
        for (const char *c = name + 1; *c; c++)
            putchar(toupper((unsigned char)*c));
        puts("");
        put_lines(text);
        free(text);
    }
    free(words);
    puts(".SH SEE ALSO\n.BR weft (1),\n.BR weft\\-describe (1)");
}

static weft_status man(const weft_command *command, weft_catalog *catalog, weft_error *err)
{
    const char *name = command->names[0];
    if (!name) {
        write_program();
        return WEFT_OK;
    }
    if (strcmp(name, "scenario") == 0) {
        write_scenario(catalog);
        return WEFT_OK;
    }
    for (const weft_verb *const *v = weft_verbs; *v; v++)
        if (strcmp((*v)->name, name) == 0) {
            write_verb(*v);
            return WEFT_OK;
        }
    return weft_fail(err, WEFT_BAD_USAGE,
                     "there is no command '%.64s'; `weft --help` lists them all", name);
}

const weft_verb weft_verb_man = {
    .name = "man",
    .arguments = "[COMMAND | scenario]",
    .brief = "the manual page of the program, of a command, or of scenario files, for man -l -",
    .examples = "weft man run | man -l -  # where no package has installed it\n",
    .flags = "--plugin",
    .most = 1,
    .run = man,
};
