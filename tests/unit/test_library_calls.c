/* SPDX-License-Identifier: Apache-2.0 */
/* Calls for programs that embed the library: a flag that stops a run, options that a command line
 * could not give, answers as JSON, a topology of a scenario's text. */
#include "interweft/interweft.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "net/routing.h"
#include "sched/kinds.h"
#include "study/crossbar/crossbar.h"

#define TORUS                                 \
    "interweft: 1\n"                          \
    "topology: {kind: torus, dims: [4, 4]}\n" \
    "traffic: {all: {length: 8 flits, rho: 0.2}}\n"

static void a_flag_asks_once_for_a_checkpoint_and_always_for_a_stop(void **state)
{
    (void)state;
    int flag = WEFT_REQUEST_NONE;
    assert_int_equal(weft_request_flag(&flag), WEFT_REQUEST_NONE);
    flag = WEFT_REQUEST_CHECKPOINT;
    assert_int_equal(weft_request_flag(&flag), WEFT_REQUEST_CHECKPOINT);
    assert_int_equal(weft_request_flag(&flag), WEFT_REQUEST_NONE);
    flag = WEFT_REQUEST_STOP;
    assert_int_equal(weft_request_flag(&flag), WEFT_REQUEST_STOP);
    assert_int_equal(weft_request_flag(&flag), WEFT_REQUEST_STOP);
}

static void a_flag_stops_a_run(void **state)
{
    (void)state;
    weft_error err = {.text = ""};
    weft_catalog *catalog = weft_catalog_create();
    weft_study *study;
    int flag = WEFT_REQUEST_STOP;
    const weft_study_options options = {
        .text = TORUS, .results = WEFT_IN_MEMORY, .request = weft_request_flag, .user = &flag};
    assert_int_equal(weft_study_open(&options, catalog, &study, &err), WEFT_OK);
    assert_int_equal(weft_study_run(study, &err), WEFT_STOPPED);
    flag = WEFT_REQUEST_NONE;
    assert_int_equal(weft_study_run(study, &err), WEFT_OK);
    assert_int_equal(weft_result_points(weft_study_result(study)), 1);
    weft_study_close(study);
    weft_catalog_destroy(catalog);
}

static void count_reports(void *user, const weft_progress *progress)
{
    assert_true(progress->share >= 0 && progress->share <= 1);
    ++*(int *)user;
}

static weft_request ask_for_a_stop(void *user)
{
    ++*(int *)user;
    return WEFT_REQUEST_STOP;
}

static void a_run_of_ts_may_be_watched_or_not(void **state)
{
    (void)state;
    weft_error err = {.text = ""};
    weft_catalog *catalog = weft_catalog_create();
    weft_ts_statistics quiet, watched;
    int calls = 0;
    weft_ts_options options = weft_ts_defaults();
    options.d = 2;
    options.maxst = 2000;
    assert_int_equal(weft_ts_run(&options, catalog, &quiet, &err), WEFT_OK);
    options.user = &calls;
    options.progress = count_reports;
    assert_int_equal(weft_ts_run(&options, catalog, &watched, &err), WEFT_OK);
    assert_true(calls > 0);
    assert_true(quiet.generated > 0);
    assert_int_equal(watched.generated, quiet.generated);
    calls = 0;
    options.request = ask_for_a_stop;
    assert_int_equal(weft_ts_run(&options, catalog, &watched, &err), WEFT_STOPPED);
    assert_string_equal(err.text, "stopped at simulation time 0");
    assert_int_equal(calls, 1);
    options.rule = 'g';
    assert_int_equal(weft_ts_run(&options, catalog, &watched, &err), WEFT_BAD_INPUT);
    assert_string_equal(err.text, "r must be a rule from a to f, found 'g'");
    weft_catalog_destroy(catalog);
}

static void a_model_says_whether_it_is_simulated_and_stops(void **state)
{
    (void)state;
    static const char *const one[] = {"lambda=0.5", NULL};
    static const char *const two[] = {"lambda=[1, 0]", "mu=[3, 4]", "routing=[0, 0.5, 0, 0]", NULL};
    weft_error err = {.text = ""};
    weft_catalog *catalog = weft_catalog_create();
    weft_model_sheet *model;
    int calls = 0;
    const weft_study_options stop = {.request = ask_for_a_stop, .user = &calls};
    assert_int_equal(weft_model_open("md1", one, catalog, &model, &err), WEFT_OK);
    assert_true(weft_model_simulates(model));
    assert_int_equal(weft_model_run(model, &stop, &err), WEFT_STOPPED);
    assert_string_equal(err.text, "stopped");
    assert_int_equal(calls, 1);
    weft_model_close(model);
    assert_int_equal(weft_model_open("jackson", two, catalog, &model, &err), WEFT_OK);
    assert_false(weft_model_simulates(model));
    weft_model_close(model);
    weft_catalog_destroy(catalog);
}

/* The values at which a model is evaluated between those that were asked for, and the last key. */
static size_t refine(const char *const *settings, const char *axis, char last[64])
{
    weft_error err = {.text = ""};
    weft_catalog *catalog = weft_catalog_create();
    weft_model_sheet *model, *fine;
    if (weft_model_open("cut-through", settings, catalog, &model, &err) != WEFT_OK ||
        weft_model_run(model, NULL, &err) != WEFT_OK)
        fail_msg("%s", err.text);
    weft_status status = weft_model_refine(model, axis, &fine, &err);
    assert_int_equal(status == WEFT_OK, err.text[0] == '\0');
    size_t count = fine ? weft_model_points(fine) : 0;
    (void)snprintf(last, 64, "%.63s", count ? weft_model_point(fine, count - 1)->key : err.text);
    weft_model_close(fine);
    weft_model_close(model);
    weft_catalog_destroy(catalog);
    return count;
}

/* Settings of a component are cut like those of the model: whole numbers stay whole. Words are not
 * cut, and where there is no value in between the caller is told. */
static void models_are_refined_where_there_are_numbers(void **state)
{
    (void)state;
    static const char *const shares[] = {"rho=0.3", "pattern={kind: hot-spot, node: 0}",
                                         "pattern.share=[0.1,0.25,0.5]", NULL},
                             *const nodes[] = {"rho=0.3", "pattern={kind: hot-spot, share: 0.5}",
                                               "pattern.node=[0,9]", NULL},
                             *const words[] = {"rho=0.3", "pattern=[uniform,tornado]", NULL},
                             *const sides[] = {"rho=0.3", "pattern=bit-reversal", "ring=torus",
                                               "k=[4,8]", NULL};
    char last[64];
    assert_int_equal(refine(shares, "pattern.share", last), 241);
    assert_string_equal(last, "pattern.share=0.5");
    assert_int_equal(refine(nodes, "pattern.node", last), 10);
    assert_string_equal(last, "pattern.node=9");
    assert_int_equal(refine(words, "pattern", last), 0);
    assert_string_equal(last, "");
    assert_int_equal(refine(sides, "k", last), 0);
    assert_non_null(strstr(last, "needs a power of two"));
}

static void imports_say_which_formats_and_hosts_there_are(void **state)
{
    (void)state;
    weft_error err = {.text = ""};
    weft_import_options options = {.format = "csv", .file = "a.csv", .out = "a.weftnet"};
    char *text;
    assert_int_equal(weft_import(&options, &text, &err), WEFT_BAD_USAGE);
    assert_string_equal(err.text, "fabrics are imported from edges, graphml or anynet, scenarios "
                                  "from booksim or infiniband, found 'csv'");
    options.format = "edges";
    for (options.hosts = -1; options.hosts <= 65537; options.hosts += 65538) {
        assert_int_equal(weft_import(&options, &text, &err), WEFT_BAD_USAGE);
        assert_string_equal(err.text, "a router has 1 … 65536 hosts");
    }
}

static void lines_become_members(void **state)
{
    (void)state;
    char *json = weft_facts_json("# network\nrouters                64\n"
                                 "mean path              2.5 hops\n");
    assert_string_equal(json, "{\n \"network\": {\n  \"routers\": {\n   \"text\": \"64\",\n"
                              "   \"value\": 64\n  },\n  \"mean path\": {\n"
                              "   \"text\": \"2.5 hops\",\n   \"value\": 2.5,\n"
                              "   \"unit\": \"hops\"\n  }\n }\n}\n");
    free(json);
}

static void a_topology_may_be_of_a_text(void **state)
{
    (void)state;
    weft_error err = {.text = ""};
    weft_catalog *catalog = weft_catalog_create();
    char *text = NULL;
    const weft_topology_choice good = {.text = TORUS};
    assert_int_equal(weft_topology_show(catalog, &good, &text, &err), WEFT_OK);
    assert_non_null(strstr(text, "routers                16\n"));
    free(text);
    assert_int_equal(weft_topology_path(catalog, &good, "0", "5", &text, &err), WEFT_OK);
    assert_non_null(strstr(text, "hops                   2\n"));
    free(text);
    const weft_topology_choice wrong = {.file = "mine",
                                        .text = "interweft: 1\ntopology: {kind: trous}\n"};
    assert_int_equal(weft_topology_show(catalog, &wrong, &text, &err), WEFT_BAD_INPUT);
    assert_ptr_equal(strstr(err.text, "mine:2:18: "), err.text);
    weft_catalog_destroy(catalog);
}

/* The record of a scheduler that an older header made ends before the form for many ports. */
static void a_scheduler_may_be_for_few_ports(void **state)
{
    (void)state;
    weft_error err = {.text = ""};
    weft_scheduler_kind narrow = weft_scheduler_islip;
    narrow.base.name = "narrow";
    narrow.base.size = offsetof(weft_scheduler_kind, match_wide);
    const weft_plugin_item items[] = {{"scheduler", &narrow.base}, {NULL, NULL}};
    const weft_plugin plugin = {WEFT_ABI, sizeof plugin, "narrow", items};
    weft_catalog *catalog = weft_catalog_create();
    assert_int_equal(weft_catalog_plug(catalog, &plugin, &err), WEFT_OK);
    static const char *const sizes[] = {"n=64", "n=65"};
    for (int wide = 0; wide < 2; wide++) {
        const char *settings[] = {"scheduler=narrow", "matrix=uniform", sizes[wide], NULL};
        const weft_crossbar_view view = {.slots = 1};
        weft_crossbar *lab;
        char *text = NULL;
        weft_status status = weft_crossbar_open(NULL, settings, catalog, &lab, &err);
        if (status == WEFT_OK)
            status = weft_crossbar_run(lab, 0, &view, &text, &err);
        assert_int_equal(status, wide ? WEFT_BAD_INPUT : WEFT_OK);
        free(text);
        weft_crossbar_close(lab);
    }
    assert_ptr_equal(strstr(err.text, "command line: scheduler narrow is made for up to 64 ports, "
                                      "found n = 65\n"),
                     err.text);
    weft_catalog_destroy(catalog);
}

/* A routing that says it goes past faults, and does not. */
static void a_path_may_end_where_links_are_down(void **state)
{
    (void)state;
    weft_error err = {.text = ""};
    weft_routing_kind bold = weft_routing_dimension_order;
    bold.base.name = "bold";
    bold.handles_faults = true;
    const weft_plugin_item items[] = {{"routing", &bold.base}, {NULL, NULL}};
    const weft_plugin plugin = {WEFT_ABI, sizeof plugin, "bold", items};
    const weft_topology_choice mesh = {.file = "mine",
                                       .text = "interweft: 1\n"
                                               "topology: {kind: mesh, dims: [4, 4]}\n"
                                               "routing: {kind: bold}\n"
                                               "faults: {links: [1, 2]}\n"
                                               "traffic: {all: {length: 8 flits, rho: 0.2}}\n"};
    weft_catalog *catalog = weft_catalog_create();
    char *text;
    assert_int_equal(weft_catalog_plug(catalog, &plugin, &err), WEFT_OK);
    assert_int_equal(weft_topology_path(catalog, &mesh, "0", "4", &text, &err), WEFT_OK);
    assert_non_null(strstr(text, "hops                   1\n"));
    free(text);
    assert_int_equal(weft_topology_path(catalog, &mesh, "0", "3", &text, &err), WEFT_BAD_INPUT);
    assert_string_equal(err.text, "there is no way on from router (0, 1): its links are down");
    weft_catalog_destroy(catalog);
}

typedef struct own_length {
    int64_t flits;
} own_length;

static uint32_t own_flits(const weft_length *length, weft_random *random)
{
    (void)random;
    return (uint32_t)((const own_length *)length->settings)->flits;
}

static double own_mean(const weft_length *length)
{
    return (double)((const own_length *)length->settings)->flits;
}

/* Parameters that would be read into memory of others, and records that are not whole. */
static void plug_ins_are_refused_with_what_is_wrong(void **state)
{
    (void)state;
    const weft_param right[] = {
        {.name = "size", .brief = "flits", .type = WEFT_PARAM_INT, .fallback = "4"},
        {.name = NULL}};
    const weft_length_kind kind = {.base = {.abi = WEFT_ABI,
                                            .size = sizeof kind,
                                            .name = "own",
                                            .brief = "its own",
                                            .settings_size = sizeof(own_length)},
                                   .flits = own_flits,
                                   .mean = own_mean};
    static const char *const said[] = {
        "length 'own': the parameter 'size' lies outside of the settings: set .settings_size = "
        "sizeof of their struct",
        "length 'own': the parameter 'size' lies outside of the settings: set .settings_size = "
        "sizeof of their struct",
        "length 'own': the parameter 'size' has an .offset that its type cannot have",
        "length 'own': the parameter 'size' has no known .type",
        "length 'own': the parameter 'size' has no .choices",
        "length 'own': the parameter 'size' has no .family that there is",
        "length 'own': the parameter 'size' has no .brief",
        "length 'own': the parameter 'kind' is no name for a setting",
        "length 'own' has no .brief",
        "a length is named by letters, digits, - and _, at most 60, found 'own: 1'",
        "a length has no record",
        "the record of the plug-in has size 8 and items: set .size = sizeof of the record, and "
        ".items"};
    weft_catalog *catalog = weft_catalog_create();
    for (int i = 0; i <= 12; i++) {
        weft_error err = {.text = ""};
        weft_param params[] = {right[0], right[1]};
        weft_length_kind own = kind, other = kind;
        own.base.params = other.base.params = params;
        own.base.name = "other";
        own.base.settings_size = other.base.settings_size = sizeof(own_length) + (i == 2 ? 8 : 0);
        own.base.params = right;
        if (i == 0)
            other.base.settings_size = 0;
        params[0].offset = i == 1 ? 4096 : i == 2 ? 3 : 0;
        params[0].type = i == 3   ? (weft_param_type)99
                         : i == 4 ? WEFT_PARAM_CHOICE
                         : i == 5 ? WEFT_PARAM_KIND
                                  : WEFT_PARAM_INT;
        if (i == 5)
            other.base.settings_size = sizeof(weft_kind_ref);
        if (i == 6)
            params[0].brief = NULL;
        if (i == 7)
            params[0].name = "kind";
        if (i == 8)
            other.base.brief = NULL;
        if (i == 9)
            other.base.name = "own: 1";
        const weft_plugin_item items[] = {
            {"length", &own.base}, {"length", i == 10 ? NULL : &other.base}, {NULL, NULL}};
        weft_plugin plugin = {WEFT_ABI, i == 11 ? 8 : sizeof plugin, "own", items};
        /* the first of its kinds is not there either, so that the next plug-in can bring it */
        assert_int_equal(weft_catalog_plug(catalog, &plugin, &err),
                         i < 12 ? WEFT_BAD_INPUT : WEFT_OK);
        assert_string_equal(err.text, i < 12 ? said[i] : "");
    }
    weft_catalog_destroy(catalog);
}

static void a_catalogue_lists_words_and_schemas(void **state)
{
    (void)state;
    weft_catalog *catalog = weft_catalog_create();
    char *words = weft_catalog_words(catalog), *schema = weft_catalog_study_schema(catalog);
    assert_non_null(strstr(words, "\ntopology.kind=torus\n"));
    assert_non_null(strstr(words, "\ntopology.dims=\n"));
    assert_non_null(strstr(schema, "\"interweft-study\""));
    free(words);
    free(schema);
    weft_catalog_destroy(catalog);
}

/* Numbers that a command line would have refused. */
static void options_that_no_run_can_have_are_refused(void **state)
{
    (void)state;
    static const struct {
        weft_study_options options;
        const char *said;
    } wrong[] = {
        {{.blocks = -1}, "blocks must be 0 … 16777216, found -1"},
        {{.jobs = -1}, "jobs must be 0 … 2147483647, found -1"},
        {{.threads = 1025}, "threads must be 0 … 1024, found 1025"},
        {{.ranks = (int64_t)1 << 32}, "ranks must be 0 … 1048576, found 4294967296"},
        {{.memory = -1}, "memory must be 0 or more bytes, found -1"},
        {{.checkpoint_s = -1}, "checkpoint_s must be 0 or more seconds, found -1"},
        {{.checkpoint_s = (double)NAN}, "checkpoint_s must be 0 or more seconds, found nan"},
    };
    weft_catalog *catalog = weft_catalog_create();
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        weft_error err = {.text = ""};
        weft_study_options options = wrong[i].options;
        weft_study *study;
        options.text = TORUS;
        options.results = WEFT_IN_MEMORY;
        assert_int_equal(weft_study_open(&options, catalog, &study, &err), WEFT_BAD_USAGE);
        assert_string_equal(err.text, wrong[i].said);
        assert_null(study);
    }
    weft_catalog_destroy(catalog);
}

static void results_need_a_name(void **state)
{
    (void)state;
    weft_error err = {.text = ""};
    weft_catalog *catalog = weft_catalog_create();
    weft_study *study;
    const weft_study_options options = {.text = TORUS, .results = ""};
    assert_int_equal(weft_study_open(&options, catalog, &study, &err), WEFT_OK);
    assert_int_equal(weft_study_run(study, &err), WEFT_BAD_INPUT);
    assert_string_equal(err.text, "results need the name of a file, found ''");
    weft_study_close(study);
    weft_catalog_destroy(catalog);
}

static void a_tolerance_is_a_load(void **state)
{
    (void)state;
    static const double wrong[] = {(double)NAN, (double)INFINITY, -0.1};
    weft_catalog *catalog = weft_catalog_create();
    weft_study *study;
    weft_result *result;
    weft_saturation found;
    const weft_study_options options = {.text = TORUS, .results = WEFT_IN_MEMORY};
    assert_int_equal(weft_study_open(&options, catalog, &study, NULL), WEFT_OK);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        weft_error err = {.text = ""};
        assert_int_equal(
            weft_saturation_open(study, WEFT_IN_MEMORY, wrong[i], false, &result, &err),
            WEFT_BAD_USAGE);
        assert_ptr_equal(strstr(err.text, "the tolerance must be a load of 0 or more, found "),
                         err.text);
        assert_null(result);
        assert_int_equal(weft_study_saturate(study, 0, wrong[i], &found, &err), WEFT_BAD_USAGE);
    }
    weft_study_close(study);
    weft_catalog_destroy(catalog);
}

static void evaluations_and_sensitivities_are_files(void **state)
{
    (void)state;
    weft_error err = {.text = ""};
    weft_catalog *catalog = weft_catalog_create();
    weft_evaluation *evaluation;
    weft_sensitivity *sensitivity;
    weft_sensitivity_options options = {.study = {.text = TORUS}, .by = 0.1, .seeds = 2};
    assert_int_equal(weft_evaluation_open(&options.study, catalog, &evaluation, &err),
                     WEFT_BAD_USAGE);
    assert_string_equal(err.text, "this is read from a file, found a text");
    assert_null(evaluation);
    assert_int_equal(weft_sensitivity_open(&options, catalog, &sensitivity, &err), WEFT_BAD_USAGE);
    assert_null(sensitivity);
    options =
        (weft_sensitivity_options){.study = {.file = "no file"}, .by = (double)NAN, .seeds = 2};
    assert_int_equal(weft_sensitivity_open(&options, catalog, &sensitivity, &err), WEFT_BAD_USAGE);
    assert_string_equal(err.text, "by must be a step above 0, such as 0.1, found nan");
    options.by = 0.1;
    options.seeds = 0;
    assert_int_equal(weft_sensitivity_open(&options, catalog, &sensitivity, &err), WEFT_BAD_USAGE);
    assert_string_equal(err.text, "seeds must be 1 … 10000, found 0");
    weft_catalog_destroy(catalog);
}

static void laboratories_refuse_threads_and_lanes(void **state)
{
    (void)state;
    weft_error err = {.text = ""};
    weft_catalog *catalog = weft_catalog_create();
    weft_crossbar *lab;
    const char *const settings[] = {"scheduler=islip", "n=3", "d=3", NULL};
    assert_int_equal(weft_crossbar_open(NULL, settings, catalog, &lab, &err), WEFT_OK);
    weft_crossbar_options options = {.results = WEFT_IN_MEMORY, .threads = -1};
    assert_int_equal(weft_crossbar_search(lab, &options, &err), WEFT_BAD_USAGE);
    assert_string_equal(err.text, "threads must be 0 … 1024, found -1");
    options = (weft_crossbar_options){.results = WEFT_IN_MEMORY, .lanes = -1};
    assert_int_equal(weft_crossbar_search(lab, &options, &err), WEFT_BAD_INPUT);
    assert_string_equal(err.text, "lanes must be 1, 64, 256 or 512, as many as the processor can "
                                  "compute at once, or left out; this one cannot do -1");
    weft_crossbar_close(lab);
    weft_catalog_destroy(catalog);
}

static weft_request stop_later(void *user)
{
    return --*(int *)user > 0 ? WEFT_REQUEST_NONE : WEFT_REQUEST_STOP;
}

/* A thousand million matrices, of which nearly none are looked at. */
static void a_search_is_stopped_within_its_parts(void **state)
{
    (void)state;
    static const int64_t threads[] = {1, 2};
    weft_catalog *catalog = weft_catalog_create();
    for (size_t i = 0; i < sizeof threads / sizeof *threads; i++) {
        weft_error err = {.text = ""};
        int questions = 3;
        weft_crossbar *lab;
        const char *const settings[] = {"scheduler=islip", "n=5", "d=7", NULL};
        const weft_crossbar_options options = {.results = "test_library_calls.weft",
                                               .threads = threads[i],
                                               .request = stop_later,
                                               .user = &questions};
        assert_int_equal(weft_crossbar_open(NULL, settings, catalog, &lab, &err), WEFT_OK);
        assert_int_equal(weft_crossbar_search(lab, &options, &err), WEFT_STOPPED);
        assert_true(questions <= 0);
        weft_crossbar_close(lab);
    }
    (void)unlink("test_library_calls.weft");
    (void)unlink("test_library_calls.weft.search");
    weft_catalog_destroy(catalog);
}

/* What a figure of a study does. The state of this switch does not repeat itself soon: there are
 * windows, and no rates of flows. */
static void a_matrix_is_saved(void **state)
{
    (void)state;
    weft_error err = {.text = ""};
    weft_catalog *catalog = weft_catalog_create();
    weft_crossbar *lab;
    weft_result *result;
    const weft_point *point;
    const weft_crossbar_options options = {.results = "test_library_calls.weft"};
    const char *const settings[] = {"scheduler=rrm", "cap=100",
                                    "matrix=[[5,6,9],[9,1,10],[6,13,1]]", NULL};
    assert_int_equal(weft_crossbar_open(NULL, settings, catalog, &lab, &err), WEFT_OK);
    assert_int_equal(weft_crossbar_save(lab, false, &options, &err), WEFT_OK);
    weft_crossbar_close(lab);
    assert_int_equal(weft_result_open(options.results, &result, &err), WEFT_OK);
    assert_int_equal(weft_result_read(result, 0, &point, &err), WEFT_OK);
    assert_string_equal(point->verdict, "measured in windows");
    assert_int_equal(point->n_metrics, 2); /* throughput, and that of cells by lot */
    const weft_metric *throughput = weft_point_metric(point, "throughput", "", "", 0);
    assert_true(throughput->lo == 31 / 60.0 && throughput->hi == 3 / 4.0);
    assert_true(throughput->value > throughput->lo && throughput->value < throughput->hi);
    weft_result_close(result);
    (void)unlink(options.results);
    const char *const none[] = {"scheduler=rrm", "n=3", "d=3", NULL};
    assert_int_equal(weft_crossbar_open(NULL, none, catalog, &lab, &err), WEFT_OK);
    assert_int_equal(weft_crossbar_save(lab, false, &options, &err), WEFT_BAD_INPUT);
    assert_string_equal(err.text, "a run needs the setting matrix");
    weft_crossbar_close(lab);
    (void)unlink(options.results);
    weft_catalog_destroy(catalog);
}

/* Where the library looks at what a failure says, too. */
static void a_caller_needs_no_message(void **state)
{
    (void)state;
    weft_catalog *catalog = weft_catalog_create();
    weft_model_sheet *model;
    const char *const unstable[] = {"lambda=2", NULL};
    assert_int_equal(weft_model_open("mm1", unstable, catalog, &model, NULL), WEFT_OK);
    assert_int_equal(weft_model_run(model, NULL, NULL), WEFT_BAD_INPUT);
    weft_model_close(model);
    weft_study *study;
    weft_point_survey point;
    const weft_study_options options = {.text = TORUS, .results = __FILE__};
    assert_int_equal(weft_study_open(&options, catalog, &study, NULL), WEFT_OK);
    assert_int_equal(weft_study_survey(study, &point, NULL), WEFT_BAD_INPUT);
    weft_study_close(study);
    weft_catalog_destroy(catalog);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_flag_asks_once_for_a_checkpoint_and_always_for_a_stop),
        cmocka_unit_test(a_flag_stops_a_run),
        cmocka_unit_test(options_that_no_run_can_have_are_refused),
        cmocka_unit_test(results_need_a_name),
        cmocka_unit_test(a_tolerance_is_a_load),
        cmocka_unit_test(evaluations_and_sensitivities_are_files),
        cmocka_unit_test(laboratories_refuse_threads_and_lanes),
        cmocka_unit_test(a_search_is_stopped_within_its_parts),
        cmocka_unit_test(a_matrix_is_saved),
        cmocka_unit_test(a_caller_needs_no_message),
        cmocka_unit_test(a_run_of_ts_may_be_watched_or_not),
        cmocka_unit_test(a_model_says_whether_it_is_simulated_and_stops),
        cmocka_unit_test(models_are_refined_where_there_are_numbers),
        cmocka_unit_test(imports_say_which_formats_and_hosts_there_are),
        cmocka_unit_test(lines_become_members),
        cmocka_unit_test(a_topology_may_be_of_a_text),
        cmocka_unit_test(a_scheduler_may_be_for_few_ports),
        cmocka_unit_test(a_path_may_end_where_links_are_down),
        cmocka_unit_test(plug_ins_are_refused_with_what_is_wrong),
        cmocka_unit_test(a_catalogue_lists_words_and_schemas),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
