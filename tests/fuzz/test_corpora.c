/* SPDX-License-Identifier: Apache-2.0 */
/* A fuzz target on files, once each, by any compiler and without a fuzzer:
 *
 *     WEFT_READER=goal test_corpora fuzz_workload FILE...
 *
 * test_corpora.sh runs every reader on its corpus. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TARGETS(_)  \
    _(booksim)      \
    _(checkpoint)   \
    _(crossbar)     \
    _(divided)      \
    _(hosts)        \
    _(import)       \
    _(infiniband)   \
    _(lines)        \
    _(planning)     \
    _(reproduction) \
    _(result)       \
    _(scenario)     \
    _(slurm)        \
    _(study)        \
    _(weftnet)      \
    _(weights)      \
    _(wheel)        \
    _(workload)

#define DECLARED(name) int fuzz_##name(const uint8_t *data, size_t size);
TARGETS(DECLARED)

typedef struct target {
    const char *name;
    int (*give)(const uint8_t *data, size_t size);
} target;

#define LISTED(name) {"fuzz_" #name, fuzz_##name},
static const target targets[] = {TARGETS(LISTED)};

/* The bytes of a file without room behind them, so that sanitizers see a byte too many. */
static uint8_t *bytes_of(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    if (!file || fseek(file, 0, SEEK_END) != 0)
        return NULL;
    *size = (size_t)ftell(file);
    rewind(file);
    uint8_t *data = malloc(*size + !*size);
    if (!data || fread(data, 1, *size, file) != *size)
        return NULL;
    (void)fclose(file);
    return data;
}

int main(int argc, char **argv)
{
    const target *chosen = NULL;
    for (size_t i = 0; argc > 1 && i < sizeof targets / sizeof *targets; i++)
        if (strcmp(targets[i].name, argv[1]) == 0)
            chosen = &targets[i];
    if (!chosen) {
        (void)fputs("test_corpora TARGET FILE...\n", stderr);
        return 2;
    }
    for (int i = 2; i < argc; i++) {
        size_t size = 0;
        uint8_t *data = bytes_of(argv[i], &size);
        if (!data) {
            perror(argv[i]);
            return 2;
        }
        (void)chosen->give(data, size);
        free(data);
    }
    return 0;
}
