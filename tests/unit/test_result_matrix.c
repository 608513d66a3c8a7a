/* SPDX-License-Identifier: Apache-2.0 */
/* Matrices in a results file: they come back, are exported, are as safe to read as the rest, and a
 * file without any is what it was before there were matrices. A flipped bit never changes a number
 * unnoticed. Also what a reader learns of a file besides its points; several files as one CSV. */
#include "interweft/result.h"
#include "interweft/version.h"
#include "base/text.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static const int64_t entries[] = {0, 7, INT64_MIN, INT64_MAX, 5, 6};
static const weft_array arrays[] = {
    {"matrix", "traffic", "bulk", "packets", 6, NULL, entries, 3},
    {"series", "delivered", "", "cycles", 2, entries, entries, 0},
    {"matrix", "traffic", "", "packets", 6, NULL, entries, 2},
};
static const weft_metric metric = {"latency",   "",          "model", 1,        2.5,
                                   (double)NAN, (double)NAN, 0,       "cycles", "model: M/D/1"};

typedef struct place {
    char folder[64], file[96];
} place;

static int make_place(void **state)
{
    place *p = calloc(1, sizeof *p);
    assert_non_null(p);
    strcpy(p->folder, "/tmp/test_matrix.XXXXXX");
    assert_non_null(mkdtemp(p->folder));
    (void)snprintf(p->file, sizeof p->file, "%s/r.weft", p->folder);
    *state = p;
    return 0;
}

static int remove_place(void **state)
{
    place *p = *state;
    (void)unlink(p->file);
    int left = rmdir(p->folder);
    free(p);
    return left;
}

static void commit(const char *file, const char *key, size_t array_count)
{
    weft_result *result;
    weft_error err;
    weft_point point = {.key = key,
                        .settings = "seed: 1\n",
                        .verdict = "converged",
                        .n_metrics = 1,
                        .metrics = &metric,
                        .n_arrays = array_count,
                        .arrays = arrays};
    if (weft_result_create(file, "a test", "interweft: 1\n", false, &result, &err) != WEFT_OK ||
        weft_result_commit(result, &point, &err) != WEFT_OK)
        fail_msg("%s", err.text);
    weft_result_close(result);
}

static weft_result *opened(const char *file)
{
    weft_result *result;
    weft_error err;
    if (weft_result_open(file, &result, &err) != WEFT_OK)
        fail_msg("%s", err.text);
    return result;
}

static weft_status into_text(void *to, const char *bytes, size_t count, weft_error *err)
{
    (void)err;
    weft_text_append(to, bytes, count);
    return WEFT_OK;
}

static char *exported(weft_result *result, weft_format format)
{
    weft_text text = {0};
    assert_int_equal(weft_result_export(result, format, into_text, &text, NULL), WEFT_OK);
    return weft_text_take(&text);
}

static void matrix_comes_back_as_written(void **state)
{
    const place *p = *state;
    commit(p->file, "a=1", 3);
    weft_result *result = opened(p->file);
    const weft_point *point;
    assert_int_equal(weft_result_read(result, 0, &point, NULL), WEFT_OK);
    assert_int_equal(point->n_arrays, 3);
    assert_string_equal(point->arrays[0].table, "series");
    assert_int_equal(point->arrays[0].columns, 0);
    for (size_t i = 1; i < 3; i++) {
        const weft_array *a = &point->arrays[i];
        assert_string_equal(a->table, "matrix");
        assert_string_equal(a->name, "traffic");
        assert_string_equal(a->of, i == 1 ? "" : "bulk");
        assert_string_equal(a->unit, "packets");
        assert_int_equal(a->columns, i == 1 ? 2 : 3);
        assert_int_equal(a->count, 6);
        assert_null(a->x);
        assert_memory_equal(a->y, entries, sizeof entries);
    }
    weft_result_close(result);
}

/* More of a table than its reader makes room for at first, behind those of another table. */
static void many_arrays_come_back(void **state)
{
    enum { EACH = 150 };
    const place *p = *state;
    static weft_array many[3 * EACH];
    static char names[3 * EACH][8];
    for (int i = 0; i < 3 * EACH; i++) {
        (void)snprintf(names[i], sizeof names[i], "%d", i);
        many[i] = arrays[i < 2 * EACH ? 1 : 0]; /* a series, a matrix */
        many[i].name = names[i];
        if (i < EACH)
            many[i].table = "histogram";
    }
    weft_result *result;
    const weft_point *read;
    weft_error err;
    weft_point point = {.key = "a=1",
                        .settings = "seed: 1\n",
                        .verdict = "converged",
                        .n_arrays = 3 * EACH,
                        .arrays = many};
    assert_int_equal(weft_result_create(p->file, "a test", "interweft: 1\n", false, &result, &err),
                     WEFT_OK);
    assert_int_equal(weft_result_commit(result, &point, &err), WEFT_OK);
    weft_result_close(result);
    result = opened(p->file);
    assert_int_equal(weft_result_read(result, 0, &read, NULL), WEFT_OK);
    assert_int_equal(read->n_arrays, 3 * EACH);
    bool seen[3 * EACH] = {false};
    for (int i = 0; i < 3 * EACH; i++) {
        const weft_array *a = &read->arrays[i];
        int which = atoi(a->name);
        assert_string_equal(a->table, i < EACH ? "histogram" : i < 2 * EACH ? "series" : "matrix");
        assert_int_equal(a->count, many[which].count);
        assert_memory_equal(a->y, entries, a->count * sizeof *entries);
        assert_false(seen[which]);
        seen[which] = true;
    }
    weft_result_close(result);
}

static void matrix_is_exported(void **state)
{
    const place *p = *state;
    commit(p->file, "a=1", 1);
    weft_result *result = opened(p->file);
    char *text = exported(result, WEFT_FORMAT_CANONICAL);
    assert_non_null(strstr(text, "\"a=1\" matrix \"traffic\" \"bulk\" 0 0 0 \"packets\"\n"
                                 "\"a=1\" matrix \"traffic\" \"bulk\" 0 1 7 \"packets\"\n"));
    assert_non_null(strstr(text, "matrix \"traffic\" \"bulk\" 1 2 6 \"packets\"\n\"a=1\" metric"));
    free(text);
    text = exported(result, WEFT_FORMAT_JSON);
    assert_non_null(strstr(text, "\"matrices\": [\n  {\"name\": \"traffic\", \"class\": \"bulk\", "
                                 "\"unit\": \"packets\", \"columns\": 3, \"values\": [0, 7, "));
    free(text);
    weft_result_close(result);
}

static bool holds_table(const char *file)
{
    static char bytes[1 << 17];
    FILE *in = fopen(file, "rb");
    assert_non_null(in);
    size_t length = fread(bytes, 1, sizeof bytes, in);
    assert_int_equal(fclose(in), 0);
    return memmem(bytes, length, "CREATE TABLE matrix", 19) != NULL;
}

static void table_is_made_when_the_first_matrix_comes(void **state)
{
    const place *p = *state;
    commit(p->file, "a=1", 0);
    assert_false(holds_table(p->file)); /* what earlier versions read and write */
    commit(p->file, "a=2", 1);
    assert_true(holds_table(p->file));
    commit(p->file, "a=3", 3);
    weft_result *result = opened(p->file);
    static const size_t counts[] = {0, 1, 3};
    for (size_t i = 0; i < 3; i++) {
        const weft_point *point;
        assert_int_equal(weft_result_read(result, i, &point, NULL), WEFT_OK);
        assert_int_equal(point->n_arrays, counts[i]);
    }
    weft_result_close(result);
}

static void read_all(const char *file)
{
    weft_result *result;
    weft_error err;
    if (weft_result_open(file, &result, &err) != WEFT_OK)
        return;
    weft_text text = {0};
    for (int format = WEFT_FORMAT_CANONICAL; format <= WEFT_FORMAT_JSON; format++)
        if (weft_result_export(result, (weft_format)format, into_text, &text, &err) != WEFT_OK)
            assert_true(strlen(err.text) > 0);
    weft_text_done(&text);
    weft_result_close(result);
}

static void damaged_matrix_never_crashes(void **state)
{
    const place *p = *state;
    commit(p->file, "a=1", 3);
    FILE *file = fopen(p->file, "r+b");
    assert_non_null(file);
    assert_int_equal(fseek(file, 0, SEEK_END), 0);
    long size = ftell(file);
    unsigned state_of = 1;
    for (int i = 0; i < 400; i++) {
        state_of = state_of * 1103515245u + 12345u;
        long at = 100 + (long)((state_of >> 8) % (unsigned)(size - 100));
        assert_int_equal(fseek(file, at, SEEK_SET), 0);
        int old = fgetc(file);
        assert_int_equal(fseek(file, at, SEEK_SET), 0);
        assert_true(fputc((int)(state_of >> 4 & 255), file) != EOF && fflush(file) == 0);
        read_all(p->file);
        if (i % 4 == 0)
            continue; /* damage gathers */
        assert_int_equal(fseek(file, at, SEEK_SET), 0);
        assert_true(fputc(old, file) != EOF && fflush(file) == 0);
    }
    assert_int_equal(fclose(file), 0);
}

/* NULL: refused with a message. */
static char *canonical(const char *file)
{
    weft_result *result;
    weft_error err = {""};
    weft_text text = {0};
    bool read = false;
    if (weft_result_open(file, &result, &err) == WEFT_OK) {
        read = weft_result_export(result, WEFT_FORMAT_CANONICAL, into_text, &text, &err) == WEFT_OK;
        weft_result_close(result);
    }
    if (!read)
        assert_true(strstr(err.text, file) && strlen(err.text) > strlen(file) + 5);
    char *got = weft_text_take(&text);
    if (read)
        return got;
    free(got);
    return NULL;
}

/* One bit of every byte that is not zero, the lines of the canonical text as judge. */
static void flipped_bit_is_noticed_or_harmless(void **state)
{
    const place *p = *state;
    commit(p->file, "a=1", 3);
    commit(p->file, "a=2", 1);
    char *whole = canonical(p->file);
    FILE *file = fopen(p->file, "r+b");
    assert_true(whole && file);
    unsigned draw = 7, refused = 0, same = 0;
    for (long at = 0; fseek(file, at, SEEK_SET) == 0; at++) {
        int old = fgetc(file);
        if (old == EOF)
            break;
        draw = draw * 1103515245u + 12345u;
        if (old == 0 && draw >> 27)
            continue;
        assert_int_equal(fseek(file, at, SEEK_SET), 0);
        assert_true(fputc(old ^ (1 << (draw >> 16 & 7)), file) != EOF && fflush(file) == 0);
        char *now = canonical(p->file);
        if (now && strcmp(now, whole) != 0)
            fail_msg("a bit of byte %ld changes what is read", at);
        now ? same++ : refused++;
        free(now);
        assert_int_equal(fseek(file, at, SEEK_SET), 0);
        assert_true(fputc(old, file) != EOF && fflush(file) == 0);
    }
    print_message("%u bits refused, %u harmless\n", refused, same);
    assert_true(refused > 100);
    assert_int_equal(fclose(file), 0);
    free(whole);
}

static void reader_learns_where_a_point_comes_from(void **state)
{
    const place *p = *state;
    commit(p->file, "a=1", 0);
    weft_result *result = opened(p->file);
    const weft_point *point;
    assert_string_equal(weft_result_scenario(result), "interweft: 1\n");
    assert_string_equal(weft_result_key(result, 0), "a=1");
    assert_int_equal(weft_result_read(result, 0, &point, NULL), WEFT_OK);
    assert_string_equal(point->version, WEFT_VERSION);
    assert_int_equal(strlen(point->finished), strlen("2026-11-15T06:11:22Z"));
    assert_true(*point->host && *point->build);
    weft_result_close(result);
}

static void several_files_are_one_csv(void **state)
{
    const place *p = *state;
    commit(p->file, "a=1", 0);
    weft_result *result = opened(p->file);
    weft_result *const both[] = {result, result};
    static const char *const names[] = {"one.weft", "=two"};
    weft_text text = {0};
    assert_int_equal(weft_results_csv(both, names, 2, into_text, &text, NULL), WEFT_OK);
    assert_string_equal(
        text.at, "results,a,name,class,by,index,value,lo,hi,n,unit,method,verdict,saturated\n"
                 "one.weft,1,latency,,model,1,2.5,,,0,cycles,model: M/D/1,converged,0\n"
                 "'=two,1,latency,,model,1,2.5,,,0,cycles,model: M/D/1,converged,0\n");
    weft_text_done(&text);
    weft_result_close(result);
}

#define HERE(test) cmocka_unit_test_setup_teardown(test, make_place, remove_place)

int main(void)
{
    const struct CMUnitTest tests[] = {
        HERE(matrix_comes_back_as_written),
        HERE(many_arrays_come_back),
        HERE(matrix_is_exported),
        HERE(table_is_made_when_the_first_matrix_comes),
        HERE(damaged_matrix_never_crashes),
        HERE(flipped_bit_is_noticed_or_harmless),
        HERE(reader_learns_where_a_point_comes_from),
        HERE(several_files_are_one_csv),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
