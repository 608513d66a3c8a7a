/* SPDX-License-Identifier: Apache-2.0 */
/* Every file of tests/data/scenarios against the text beside it: the exact message of a wrong one,
 * the settings as understood (or what is not built yet) of a good one. */
#include "config/files.h"
#include "config/scenario.h"
#include "test_config_group.h"

#include <glob.h>
#include <assert.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#define ARENA_MAX ((size_t)8 << 20)

static char *slurp(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (!file)
        fail_msg("%s is missing", path);
    char *text = calloc(1, 65536);
    size_t length = fread(text, 1, 65535, file);
    fclose(file);
    while (length > 0 && text[length - 1] == '\n')
        text[--length] = '\0';
    return text;
}

/* Reads a scenario and all its points; the first point's text, or the message. */
static weft_status read_all(const char *file, weft_arena *arena, char *out, size_t room)
{
    weft_plan *plan;
    weft_scenario scenario;
    weft_error err = {""};
    weft_status status = weft_plan_read(file, NULL, &registry, arena, &plan, &err);
    for (size_t i = 0; status == WEFT_OK && i < weft_plan_points(plan) && i < 100; i++) {
        status = weft_plan_point(plan, i, arena, &scenario, &err);
        if (i == 0 && status == WEFT_OK)
            (void)snprintf(out, room, "%s", scenario.text);
    }
    if (status != WEFT_OK)
        (void)snprintf(out, room, "%s", err.text);
    size_t length = strlen(out);
    if (length && out[length - 1] == '\n')
        out[length - 1] = '\0';
    return status;
}

static void check_folder(const char *folder, size_t least, bool wrong)
{
    glob_t files;
    char out[8192];
    assert_int_equal(chdir(folder), 0);
    assert_int_equal(glob("*.yaml", 0, NULL, &files), 0);
    assert_true(files.gl_pathc >= least);
    for (size_t i = 0; i < files.gl_pathc; i++) {
        weft_arena arena;
        weft_arena_init(&arena);
        weft_status status = read_all(files.gl_pathv[i], &arena, out, sizeof out);
        char path[256];
        (void)snprintf(path, sizeof path, "%.*s.txt", (int)strlen(files.gl_pathv[i]) - 5,
                       files.gl_pathv[i]);
        char *wanted = slurp(path);
        if (strcmp(out, wanted) != 0)
            fail_msg("%s gives\n%s\nbut should give\n%s", files.gl_pathv[i], out, wanted);
        if (wrong)
            assert_int_equal(status, WEFT_BAD_INPUT);
        assert_true(arena.used < ARENA_MAX);
        free(wanted);
        weft_arena_done(&arena);
    }
    globfree(&files);
}

static void wrong_scenarios_give_their_message(void **state)
{
    (void)state;
    check_folder(WEFT_TEST_DATA "/scenarios/wrong", 60, true);
}

static void good_scenarios_are_understood(void **state)
{
    (void)state;
    check_folder(WEFT_TEST_DATA "/scenarios/good", 7, false);
}

static void understood_text_reads_back_the_same(void **state)
{
    (void)state;
    static const char *const files[] = {"torus.yaml", "seconds.yaml", "including.yaml",
                                        "title-with-backticks.yaml"};
    assert_int_equal(chdir(WEFT_TEST_DATA "/scenarios/good"), 0);
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        weft_arena arena;
        weft_arena_init(&arena);
        weft_plan *plan = NULL, *again = NULL;
        weft_scenario first = {0}, second = {0};
        weft_error err = {""};
        assert_int_equal(weft_plan_read(files[i], NULL, &registry, &arena, &plan, &err), WEFT_OK);
        for (size_t k = 0; k < weft_plan_points(plan); k++) {
            assert_int_equal(weft_plan_point(plan, k, &arena, &first, &err), WEFT_OK);
            if (weft_plan_read_text("again", first.text, strlen(first.text), NULL, &registry,
                                    &arena, &again, &err) != WEFT_OK ||
                weft_plan_point(again, 0, &arena, &second, &err) != WEFT_OK)
                fail_msg("%s", err.text);
            assert_string_equal(first.text, second.text);
        }
        weft_arena_done(&arena);
    }
}

static weft_scenario bind(const char *text, const char *const *overrides, weft_arena *arena)
{
    weft_plan *plan;
    weft_scenario scenario = {0};
    weft_error err;
    if (weft_plan_read_text("t.yaml", text, strlen(text), overrides, &registry, arena, &plan,
                            &err) != WEFT_OK ||
        weft_plan_point(plan, 0, arena, &scenario, &err) != WEFT_OK)
        fail_msg("%s", err.text);
    assert(scenario.text);
    return scenario;
}

#define BASE                                  \
    "interweft: 1\n"                          \
    "topology: {kind: torus, dims: [4, 8]}\n" \
    "traffic: {all: {length: 64 flits, rho: 0.3}}\n"

static void settings_reach_their_fields(void **state)
{
    (void)state;
    weft_arena arena;
    weft_arena_init(&arena);
    const char *const overrides[] = {"clock=1 GHz",
                                     "links={rate: 8 Gb/s, latency: 3 ns, host: {latency: 0}}",
                                     "endpoint.injection=one-port",
                                     "measure.limit.packets=1000",
                                     "topology.hosts=3",
                                     NULL};
    weft_scenario s = bind(BASE, overrides, &arena);
    const fake_torus *torus = s.topology.settings;
    assert(torus != NULL);
    assert_int_equal(torus->dims.count, 2);
    assert_int_equal(torus->dims.at[1], 8);
    assert_int_equal(torus->hosts, 3);
    assert_true(s.clock == 1e9 && s.seed == 1);
    assert_true(s.links.local.rate.value == 8e9 && s.links.host.rate.value == 8e9);
    assert_int_equal(s.links.host.rate.unit, WEFT_BITS_PER_SECOND);
    assert_true(s.links.global.latency.value == 3000 && s.links.host.latency.value == 0);
    assert_true(s.links.flit.value == 1 && s.links.flit.unit == WEFT_BYTES);
    assert_int_equal(s.endpoint.injection, WEFT_PORT_ONE);
    assert_int_equal(s.endpoint.reception, WEFT_PORT_DEFAULT);
    assert_int_equal(s.endpoint.ports, 1);
    assert_int_equal(s.endpoint.mtu.unit, WEFT_NO_SIZE);
    assert_int_equal(s.endpoint.bus_rate.unit, WEFT_NO_RATE);
    assert_int_equal(weft_scenario_vcs(&s), 0);
    assert_true(s.offered_load == WEFT_NONE_REAL);
    assert_int_equal(s.n_traffic, 1);
    assert_string_equal(s.traffic[0].length.kind->name, "fixed");
    assert_true(s.traffic[0].rho == 0.3 && s.traffic[0].load == WEFT_NONE_REAL);
    assert_int_equal(s.traffic[0].stop.unit, WEFT_NO_TIME);
    assert_true(s.measure.confidence == 0.95 && s.measure.half_width == 0.01);
    assert_int_equal(s.measure.limit_packets, 1000);
    assert_int_equal(s.measure.links, WEFT_LINKS_SUMMARY);
    assert_string_equal(weft_scenario_where(&s, "traffic.all.rho", &arena), "t.yaml:3:40: ");
    assert_string_equal(weft_scenario_where(&s, "topology.hosts", &arena), "command line: ");
    assert_string_equal(weft_scenario_where(&s, "topology.tie", &arena), "t.yaml:2:11: ");
    weft_arena_done(&arena);
}

/* Settings of endpoints are shown where they are not at their default, and read back; what
 * `default` comes to depends on the router. */
static void endpoints_are_shown_as_far_as_they_are_special(void **state)
{
    (void)state;
    const struct {
        const char *override, *shown;
    } cases[] = {
        {"endpoint.ports=1", "endpoint: {injection: unlimited, reception: one-port, backlog: 0}\n"},
        {"endpoint={ports: 2, mtu: 2 KiB, dma: 3 cycles, delay: 0, bus-rate: 0.5 flits/cycle}",
         "endpoint: {injection: unlimited, reception: one-port, backlog: 0, ports: 2, mtu: 2 KiB, "
         "bus-rate: 0.5 flits/cycle, dma: 3 cycles}\n"},
        {"router={kind: buffered, buffer: 4 packets, speedup: 2}",
         "endpoint: {injection: default, reception: default, backlog: 0}\n"},
        {"router={kind: buffered, buffer: 4 packets, speedup: 2}",
         "router: {kind: buffered, vcs: 4, buffer: 4 packets, speedup: 2}\n"},
        {"links.host.rate=0.5 flits/cycle", "host: {rate: 0.5 flits/cycle, latency: 0 cycles}}\n"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        weft_arena arena;
        weft_arena_init(&arena);
        const char *const overrides[] = {cases[i].override, NULL};
        weft_scenario s = bind(BASE, overrides, &arena);
        if (!strstr(s.text, cases[i].shown))
            fail_msg("%s shows\n%s", cases[i].override, s.text);
        assert_string_equal(bind(s.text, NULL, &arena).text, s.text);
        weft_arena_done(&arena);
    }
}

static void routers_with_virtual_channels_have_vcs(void **state)
{
    (void)state;
    weft_arena arena;
    weft_arena_init(&arena);
    const char *const overrides[] = {"router={kind: buffered, vcs: 3}", NULL};
    weft_scenario s = bind(BASE, overrides, &arena);
    const fake_buffered *router = s.router.settings;
    assert(router != NULL);
    assert_int_equal(weft_scenario_vcs(&s), 3);
    assert_true(router->buffer.value == 64 && router->buffer.unit == WEFT_FLITS);
    assert_int_equal(router->pool.unit, WEFT_NO_SIZE);
    assert_int_equal(router->speedup, 1);
    weft_arena_done(&arena);
}

/* The message of a later stage gets the place of the setting it starts with. */
static void messages_find_their_setting(void **state)
{
    (void)state;
    const struct {
        const char *said, *shown;
    } cases[] = {
        {"traffic.all.rho is odd", "t.yaml:3:40: traffic.all.rho is odd"},
        {"topology.hosts: odd", "t.yaml:2:11: topology.hosts: odd"},
        {"nothing moves", "t.yaml:3:10: nothing moves"},
        {"router.buffer is odd",
         "t.yaml:3:10: router.buffer is odd"}, /* no such section is given */
    };
    weft_arena arena;
    weft_arena_init(&arena);
    weft_scenario s = bind(BASE, NULL, &arena);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        weft_error err;
        weft_status status = weft_fail(&err, WEFT_BAD_INPUT, "%s", cases[i].said);
        assert_int_equal(weft_scenario_locate(&s, "traffic", status, &err), WEFT_BAD_INPUT);
        assert_string_equal(err.text, cases[i].shown);
    }
    weft_error untouched = {"as it was"};
    assert_int_equal(weft_scenario_locate(&s, "traffic", WEFT_OK, &untouched), WEFT_OK);
    assert_string_equal(untouched.text, "as it was");
    weft_arena_done(&arena);
}

static void assert_override_fails(const char *override, weft_status wanted, const char *message)
{
    weft_arena arena;
    weft_arena_init(&arena);
    weft_plan *plan;
    weft_scenario scenario;
    weft_error err;
    const char *const overrides[] = {override, NULL};
    weft_status status = weft_plan_read_text("t.yaml", BASE, strlen(BASE), overrides, &registry,
                                             &arena, &plan, &err);
    if (status == WEFT_OK)
        status = weft_plan_point(plan, 0, &arena, &scenario, &err);
    assert_int_equal(status, wanted);
    assert_string_equal(err.text, message);
    weft_arena_done(&arena);
}

/* What goes on in the next line is marked to the end of its first. */
static void marks_end_with_their_line(void **state)
{
    static const char text[] = BASE "router: {kind: \"output\n  queues\"}\n";
    static const char mark[] = "\nrouter: {kind: \"output\n                ^~~~~~";
    weft_arena arena;
    weft_plan *plan;
    weft_scenario scenario;
    weft_error err = {.text = ""};
    (void)state;
    weft_arena_init(&arena);
    weft_status status =
        weft_plan_read_text("t.yaml", text, strlen(text), NULL, &registry, &arena, &plan, &err);
    if (status == WEFT_OK)
        status = weft_plan_point(plan, 0, &arena, &scenario, &err);
    assert_int_equal(status, WEFT_BAD_INPUT);
    const char *found = strchr(err.text, '\n');
    assert_non_null(found);
    assert_string_equal(found, mark);
    weft_arena_done(&arena);
}

static void an_empty_file_has_a_line_too(void **state)
{
    char path[] = "/tmp/weft-test-XXXXXX";
    weft_text text;
    (void)state;
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    weft_text_init(&text);
    weft_files_add(&text, &(weft_file){.text = "empty.csv", .path = path});
    assert_string_equal(text.at, "# file empty.csv crc32c 00000000\n");
    weft_text_done(&text);
    assert_int_equal(unlink(path) + close(fd), 0);
}

static void wrong_overrides_name_the_command_line(void **state)
{
    (void)state;
    assert_override_fails("router.headr=2 cycles", WEFT_BAD_INPUT,
                          "command line: router has no setting 'headr'; did you mean 'header'?\n"
                          "router.headr=2 cycles\n"
                          "       ^~~~~");
    assert_override_fails("topology.hosts=many", WEFT_BAD_INPUT,
                          "command line: topology.hosts must be a whole number, found 'many'\n"
                          "topology.hosts=many\n"
                          "               ^~~~");
    assert_override_fails("rho", WEFT_BAD_USAGE,
                          "command line: 'rho' is not a setting; write key=value, such as "
                          "traffic.all.rho=0.3");
    assert_override_fails("include=/etc/passwd", WEFT_BAD_INPUT,
                          "command line: 'include' belongs into a scenario file\n"
                          "include=/etc/passwd\n"
                          "^~~~~~~");
    assert_override_fails("title=[a", WEFT_BAD_INPUT,
                          "command line: not valid YAML: this '[' is never closed; ']' is missing\n"
                          "title=[a\n"
                          "      ^");
}

static void a_missing_file_is_named(void **state)
{
    (void)state;
    weft_arena arena;
    weft_arena_init(&arena);
    weft_plan *plan;
    weft_error err;
    assert_int_equal(weft_plan_read("no/such.yaml", NULL, &registry, &arena, &plan, &err),
                     WEFT_BAD_INPUT);
    assert_string_equal(err.text, "no/such.yaml cannot be read: No such file or directory");
    assert_int_equal(weft_plan_read("/dev/zero", NULL, &registry, &arena, &plan, &err),
                     WEFT_BAD_INPUT);
    assert_string_equal(err.text, "/dev/zero is not a regular file");
    weft_arena_done(&arena);
}

static void registry_refuses_misfits(void **state)
{
    (void)state;
    weft_error err;
    weft_component old = fake_torus_kind, nameless = fake_torus_kind;
    old.abi = 99;
    nameless.name = "";
    assert_int_equal(weft_registry_add(&registry, "topology", &old, &err), WEFT_BAD_INPUT);
    assert_int_equal(weft_registry_add(&registry, "topology", &nameless, &err), WEFT_BAD_INPUT);
    assert_int_equal(weft_registry_add(&registry, "weather", &fake_torus_kind, &err),
                     WEFT_BAD_INPUT);
    assert_int_equal(weft_registry_add(&registry, "topology", &fake_torus_kind, &err),
                     WEFT_BAD_INPUT);
    assert_string_equal(err.text, "there already is a topology 'torus'");
    weft_component sizeless = {WEFT_ABI, 0, "empty", "", NULL, 0, 0, false};
    assert_int_equal(weft_registry_add_foreign(&registry, "topology", &sizeless, &err),
                     WEFT_BAD_INPUT);
    assert_string_equal(err.text,
                        "the record of a topology has size 0: set .size = sizeof of the record");
    weft_component newer = {WEFT_ABI, sizeof newer + 8, "later", "", NULL, 0, 0, false};
    assert_int_equal(weft_registry_add_foreign(&registry, "topology", &newer, &err),
                     WEFT_BAD_INPUT);
    assert_non_null(strstr(err.text, "a topology was built for a newer Interweft"));
}

/* Members that an older header did not have are 0, whatever lies behind the plug-in's record. */
static void shorter_records_are_filled_up(void **state)
{
    (void)state;
    weft_registry own;
    weft_error err;
    struct {
        weft_component base;
        uint64_t beyond[4];
    } kind = {{WEFT_ABI, sizeof(weft_component), "older", "", NULL, 0, 0, false}, {1, 2, 3, 4}};
    weft_registry_init(&own);
    static const weft_required nothing[] = {{NULL, 0, 0}},
                               beyond[] = {{"beyond", sizeof kind.base, 0}, {NULL, 0, 0}};
    weft_family family = {.name = "topology", .required = nothing, .record_size = sizeof kind};
    weft_registry_family(&own, &family);
    family = (weft_family){.name = "strict", .required = beyond, .record_size = sizeof kind};
    weft_registry_family(&own, &family);
    family = (weft_family){.name = "closed", .record_size = sizeof kind};
    weft_registry_family(&own, &family);
    assert_int_equal(weft_registry_add_foreign(&own, "strict", &kind.base, &err), WEFT_BAD_INPUT);
    assert_string_equal(err.text, "strict 'older' has no `beyond`, which every strict needs");
    assert_int_equal(weft_registry_add_foreign(&own, "closed", &kind.base, &err), WEFT_BAD_INPUT);
    assert_string_equal(err.text, "plug-ins cannot add to the family closed");
    assert_int_equal(weft_registry_add(&own, "topology", &fake_torus_kind, &err), WEFT_OK);
    assert_int_equal(weft_registry_add_foreign(&own, "topology", &kind.base, &err), WEFT_OK);
    const weft_component *found = weft_family_kind(weft_registry_find(&own, "topology"), "older");
    assert_ptr_not_equal(found, &kind.base);
    assert_true(found->foreign);
    assert_int_equal(found->size, sizeof kind);
    const uint64_t zeros[4] = {0};
    assert_memory_equal((const char *)found + sizeof(weft_component), zeros, sizeof zeros);
    weft_registry_done(&own);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wrong_scenarios_give_their_message),
        cmocka_unit_test(good_scenarios_are_understood),
        cmocka_unit_test(understood_text_reads_back_the_same),
        cmocka_unit_test(settings_reach_their_fields),
        cmocka_unit_test(endpoints_are_shown_as_far_as_they_are_special),
        cmocka_unit_test(routers_with_virtual_channels_have_vcs),
        cmocka_unit_test(messages_find_their_setting),
        cmocka_unit_test(marks_end_with_their_line),
        cmocka_unit_test(an_empty_file_has_a_line_too),
        cmocka_unit_test(wrong_overrides_name_the_command_line),
        cmocka_unit_test(a_missing_file_is_named),
        cmocka_unit_test(registry_refuses_misfits),
        cmocka_unit_test(shorter_records_are_filled_up),
    };
    return cmocka_run_group_tests(tests, group_setup, group_teardown);
}
