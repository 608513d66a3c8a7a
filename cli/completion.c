/* SPDX-License-Identifier: Apache-2.0 */
/* weft completion: scripts that complete command lines in bash, zsh and fish. Verbs and flags are
 * written into the script; settings and kinds it asks the program for. */
#include "cli/command.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Text within single quotes of a shell. */
static void put_quoted(const char *text)
{
    for (; *text; text++)
        if (*text == '\'')
            fputs("'\\''", stdout);
        else
            putchar(*text);
}

static bool of_file(const weft_flag *flag)
{
    return flag->value && strcmp(flag->value, "FILE") == 0;
}

/* Do verbs complete settings of a scenario? */
static bool of_scenario(const weft_verb *verb)
{
    return verb->settings && strncmp(verb->arguments, "FILE", 4) == 0;
}

static void write_bash(void)
{
    puts("# Completion of weft in bash: . <(weft completion bash)\n"
         "_weft() {\n"
         "    local line=${COMP_LINE:0:COMP_POINT} words flags settings='' i\n"
         "    local current=${line##* } verb=${COMP_WORDS[1]}\n"
         "    case $verb in");
    for (const weft_verb *const *v = weft_verbs; *v; v++) {
        printf("    %s)\n        flags='--help", (*v)->name);
        const weft_flag *flag;
        for (size_t i = 0; (flag = weft_command_flag(*v, i)); i++)
            printf(" %s", flag->name);
        printf("'\n%s        ;;\n", of_scenario(*v) ? "        settings=yes\n" : "");
    }
    puts("    *) flags='--help --version' ;;\n"
         "    esac\n"
         "    if ((COMP_CWORD == 1)); then");
    printf("        words='--help --version");
    for (const weft_verb *const *v = weft_verbs; *v; v++)
        printf(" %s", (*v)->name);
    puts("'\n"
         "    elif [[ $current == -* ]]; then\n"
         "        words=$flags\n"
         "    elif [[ $verb == list || $verb == page ]]; then\n"
         "        words=$(weft completion families 2>/dev/null)\n"
         "    elif [[ $verb == describe ]]; then\n"
         "        words=$(weft completion kinds 2>/dev/null)\n"
         "    elif [[ $verb == model && $current != *=* ]]; then\n"
         "        words=$(weft completion models 2>/dev/null)\n"
         "    elif [[ $verb == man ]]; then");
    printf("        words='");
    for (const weft_verb *const *v = weft_verbs; *v; v++)
        printf("%s%s", v == weft_verbs ? "" : " ", (*v)->name);
    puts("'\n"
         "    elif [[ $settings && $current == *.* && ! -e $current ]]; then\n"
         "        words=$(weft completion settings 2>/dev/null)\n"
         "    elif [[ $settings && $current && -z $(compgen -f -- \"$current\") ]]; then\n"
         "        words=$(weft completion sections 2>/dev/null)\n"
         "    fi\n"
         "    mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$current\")\n"
         "    if [[ ${#COMPREPLY[@]} -eq 0 && $current != -* ]]; then\n"
         "        compopt -o filenames 2>/dev/null\n"
         "        mapfile -t COMPREPLY < <(compgen -f -- \"${current##*=}\")\n"
         "        return\n"
         "    fi\n"
         "    [[ ${#COMPREPLY[@]} -ne 1 || ${COMPREPLY[0]} != *[=.] ]] || compopt -o nospace "
         "2>/dev/null\n"
         "    # Bash replaces only what stands behind the last =.\n"
         "    if [[ $current == *=* ]]; then\n"
         "        for i in \"${!COMPREPLY[@]}\"; do "
         "COMPREPLY[i]=${COMPREPLY[i]#\"${current%=*}=\"}; done\n"
         "    fi\n"
         "}\n"
         "complete -F _weft weft");
}

/* A description within the pairs of _describe: its colons are escaped. */
static void put_pair(const char *word, const char *text)
{
    char plain[512];
    size_t used = 0;
    for (; *text && used + 2 < sizeof plain; text++) {
        if (*text == ':')
            plain[used++] = '\\';
        plain[used++] = *text;
    }
    plain[used] = '\0';
    printf(" '%s:", word);
    put_quoted(plain);
    putchar('\'');
}

static void write_zsh(void)
{
    puts("#compdef weft\n"
         "# Completion of weft in zsh: weft completion zsh > a folder of $fpath/_weft\n"
         "_weft() {\n"
         "    local -a verbs flags words_of\n"
         "    local settings=");
    printf("    verbs=(");
    for (const weft_verb *const *v = weft_verbs; *v; v++)
        put_pair((*v)->name, (*v)->brief);
    puts(")\n"
         "    if ((CURRENT == 2)); then\n"
         "        _describe command verbs\n"
         "        return\n"
         "    fi\n"
         "    case $words[2] in");
    for (const weft_verb *const *v = weft_verbs; *v; v++) {
        printf("    %s)\n        flags=(", (*v)->name);
        const weft_flag *flag;
        for (size_t i = 0; (flag = weft_command_flag(*v, i)); i++)
            put_pair(flag->name, flag->help);
        printf(")\n%s        ;;\n", of_scenario(*v) ? "        settings=yes\n" : "");
    }
    puts("    esac\n"
         "    if [[ $PREFIX == -* ]]; then\n"
         "        _describe flag flags\n"
         "        return\n"
         "    fi\n"
         "    case $words[2] in\n"
         "    list|page) words_of=(${(f)\"$(weft completion families 2>/dev/null)\"}) ;;\n"
         "    describe) words_of=(${(f)\"$(weft completion kinds 2>/dev/null)\"}) ;;\n"
         "    model) words_of=(${(f)\"$(weft completion models 2>/dev/null)\"}) ;;\n"
         "    man) _describe command verbs; return ;;\n"
         "    esac\n"
         "    if [[ -n $settings && $PREFIX == *.* && ! -e $PREFIX ]]; then\n"
         "        words_of=(${(f)\"$(weft completion settings 2>/dev/null)\"})\n"
         "    fi\n"
         "    local -a there=($PREFIX*(N))\n"
         "    if [[ -n $settings && -n $PREFIX && $PREFIX != *.* ]] && ((!$#there)); then\n"
         "        words_of=(${(f)\"$(weft completion sections 2>/dev/null)\"})\n"
         "    fi\n"
         "    if (($#words_of)); then\n"
         "        compadd -S '' -a words_of\n"
         "    else\n"
         "        _files\n"
         "    fi\n"
         "}\n"
         "_weft \"$@\"");
}

static void write_fish_flag(const char *verb, const weft_flag *flag)
{
    bool letter = flag->name[1] != '-';
    printf("complete -c weft -n '__fish_seen_subcommand_from %s' %s %s%s -d '", verb,
           letter ? "-s" : "-l", flag->name + (letter ? 1 : 2),
           !flag->value    ? ""
           : of_file(flag) ? " -r -F"
                           : " -x");
    put_quoted(flag->help);
    puts("'");
}

static void write_fish(void)
{
    puts("# Completion of weft in fish: weft completion fish > "
         "~/.config/fish/completions/weft.fish");
    for (const weft_verb *const *v = weft_verbs; *v; v++) {
        printf("complete -c weft -n __fish_use_subcommand -f -a %s -d '", (*v)->name);
        put_quoted((*v)->brief);
        puts("'");
        const weft_flag *flag;
        for (size_t i = 0; (flag = weft_command_flag(*v, i)); i++)
            write_fish_flag((*v)->name, flag);
        if (of_scenario(*v)) {
            printf("complete -c weft -n '__fish_seen_subcommand_from %s; and not commandline -ct | "
                   "string match -q \"*.*\"' -a '(weft completion sections 2>/dev/null)'\n",
                   (*v)->name);
            printf(
                "complete -c weft -n '__fish_seen_subcommand_from %s; and commandline -ct | string "
                "match -q \"*.*\"' -a '(weft completion settings 2>/dev/null)'\n",
                (*v)->name);
        }
    }
    static const char *const asked[][2] = {
        {"list page", "families"}, {"describe", "kinds"}, {"model", "models"}};
    for (size_t i = 0; i < sizeof asked / sizeof *asked; i++)
        printf("complete -c weft -n '__fish_seen_subcommand_from %s' -f -a '(weft completion %s "
               "2>/dev/null)'\n",
               asked[i][0], asked[i][1]);
}

/* The first words of the lines of weft list: families stand at the margin, with a colon. */
static void write_listed(char *text, bool families)
{
    for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
        bool family = !isspace((unsigned char)line[0]);
        char *word = line + strspn(line, " "), *end = word + strcspn(word, " :");
        if (family != families || strncmp(word, "not built", 9) == 0)
            continue;
        printf("%.*s\n", (int)(end - word), word);
    }
    free(text);
}

/* Has a line that begins so been there before this one? */
static bool begun(const char *words, const char *line, size_t length)
{
    for (const char *at = words; at < line; at += strcspn(at, "\n") + 1)
        if (strncmp(at, line, length) == 0)
            return true;
    return false;
}

/* The first words of settings, each once. */
static void write_sections(const char *words)
{
    for (const char *line = words; *line; line += strcspn(line, "\n") + 1) {
        size_t length = strcspn(line, ".=") + 1;
        if (!begun(words, line, length))
            printf("%.*s\n", (int)length, line);
    }
}

static weft_status complete(const weft_command *command, weft_catalog *catalog, weft_error *err)
{
    const char *what = command->names[0];
    bool models = strcmp(what, "models") == 0, families = strcmp(what, "families") == 0;
    if (strcmp(what, "bash") == 0) {
        write_bash();
    } else if (strcmp(what, "zsh") == 0) {
        write_zsh();
    } else if (strcmp(what, "fish") == 0) {
        write_fish();
    } else if (strcmp(what, "commands") == 0) {
        for (const weft_verb *const *v = weft_verbs; *v; v++)
            puts((*v)->name);
    } else if (strcmp(what, "settings") == 0 || strcmp(what, "sections") == 0) {
        char *words = weft_catalog_words(catalog);
        if (strcmp(what, "sections") == 0)
            write_sections(words);
        else
            fputs(words, stdout);
        free(words);
    } else if (models || families || strcmp(what, "kinds") == 0) {
        char *text;
        WEFT_TRY(weft_catalog_list(catalog, models ? "model" : NULL, &text, err));
        write_listed(text, families);
    } else {
        return weft_fail(err, WEFT_BAD_USAGE, "there is no completion for '%.64s'; %s", what,
                         "write bash, zsh or fish");
    }
    return WEFT_OK;
}

const weft_verb weft_verb_completion = {
    .name = "completion",
    .arguments = "bash|zsh|fish",
    .brief = "a script that completes commands, flags and settings in your shell",
    .examples = ". <(weft completion bash)  # for this shell; packages install it for all\n",
    .flags = "",
    .least = 1,
    .most = 1,
    .run = complete,
};
