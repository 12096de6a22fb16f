/* From the lines of launches to the marked speeds of node classes, and to what is measured next. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "calibrate/campaign/marked_speeds.h"
#include "calibrate/samples/environment.h"

static void add(isocast_buffer *text, const char *program, const char *host, long launch,
                double value) {
    environment_speed speed = {.launch = launch, .value = value, .bytes = 64e6};
    snprintf(speed.program, sizeof speed.program, "%s", program);
    snprintf(speed.host, sizeof speed.host, "%s", host);
    char line[ENVIRONMENT_LINE_MAX];
    environment_write_speed(&speed, line);
    isocast_buffer_printf(text, "%s\n", line);
}

/* What the lines say; free it. */
static environment_facts facts_of(const char *text) {
    environment_facts facts = {0};
    for (const char *line = text; line != NULL && *line != '\0';) {
        assert_true(environment_facts_take(&facts, line));
        line += strcspn(line, "\n") + 1;
    }
    return facts;
}

static size_t find_speeds(const char *text, const fit_speed *pace, machine_file_speed *speeds) {
    environment_facts facts = facts_of(text);
    size_t count = campaign_marked_speeds_find(&facts, pace, NULL, NULL, speeds);
    environment_facts_free(&facts);
    return count;
}

static char *find_next(const char *text, const char *first, bool missing) {
    environment_facts facts = facts_of(text);
    char *next = campaign_marked_speeds_next(&facts, first, missing);
    environment_facts_free(&facts);
    return next;
}

static const machine_file_speed *speed_of(const machine_file_speed *speeds, size_t count,
                                          const char *program) {
    for (size_t i = 0; i < count; i++) {
        if (strcmp(speeds[i].member.name, program) == 0) {
            return &speeds[i];
        }
    }
    return NULL;
}

static void speeds_are_medians_with_errors(void **state) {
    (void)state;
    isocast_buffer text = {0};
    isocast_buffer_puts(&text, "# date: today\n");
    static const double values[] = {4e9, 4.2e9, 1e9};
    for (long k = 0; k < 3; k++) {
        add(&text, "ge", "here", k, values[k]);
        add(&text, "mm", "here", k, 60e9 * (1 + 0.01 * (double)k));
    }
    add(&text, "csr", "here", 2, 0.5e9);
    add(&text, "nothing-of-the-suite", "here", 2, 1);
    machine_file_speed speeds[SPEED_SUITE_MAX];
    size_t count = find_speeds(text.text, NULL, speeds);
    assert_int_equal(count, 3);
    assert_true(speed_of(speeds, count, "ge")->value == 4e9);
    assert_int_equal(speed_of(speeds, count, "ge")->launches, 3);
    assert_true(speed_of(speeds, count, "ge")->bytes == 64e6);
    assert_true(fabs(speed_of(speeds, count, "mm")->value / 60.6e9 - 1) < 1e-12);
    /* One launch has an error, too: all members share the spread between launches. */
    const machine_file_speed *once = speed_of(speeds, count, "csr");
    const machine_file_speed *often = speed_of(speeds, count, "ge");
    assert_true(once->error > 0 && often->error > 0);
    assert_true(once->error / once->value > often->error / often->value);
    /* In the order of the suite. */
    assert_string_equal(speeds[0].member.name, "ge");
    assert_true(speeds[0].member.in_mean);
    isocast_buffer_free(&text);
    isocast_buffer_puts(&text, "");
    add(&text, "ge", "here", 0, 3e9);
    assert_int_equal(find_speeds(text.text, NULL, speeds), 1);
    assert_true(isnan(speeds[0].error));
    assert_int_equal(find_speeds(NULL, NULL, speeds), 0);
    isocast_buffer_free(&text);
}

/* What slows a machine for a while is not its own. */
static void the_fastest_steady_stretch_counts(void **state) {
    (void)state;
    isocast_buffer text = {0};
    for (long k = 0; k < 9; k++) {
        add(&text, "ge", "here", k, k < 6 ? 2e9 : 4e9);
    }
    machine_file_speed speeds[SPEED_SUITE_MAX];
    fit_speed pace = {.launches = 9, .changed = true, .first = 6, .last = 8};
    assert_int_equal(find_speeds(text.text, &pace, speeds), 1);
    assert_true(speeds[0].value == 4e9);
    /* A member that was measured at other times only has what there is, and so have all. */
    add(&text, "mm", "here", 1, 20e9);
    assert_int_equal(find_speeds(text.text, &pace, speeds), 2);
    assert_true(speeds[0].value == 2e9 && speeds[1].value == 20e9);
    pace.changed = false;
    assert_int_equal(find_speeds(text.text, &pace, speeds), 2);
    assert_true(speeds[0].value == 2e9);
    isocast_buffer_free(&text);
}

static void assert_next(const char *environment, const char *first, bool missing,
                        const char *begin) {
    char *next = find_next(environment, first, missing);
    assert_non_null(next);
    if (strncmp(next, begin, strlen(begin)) != 0) {
        fail_msg("%s does not begin with %s", next, begin);
    }
    free(next);
}

static void what_has_fewest_launches_is_next(void **state) {
    (void)state;
    speed_suite_member members[SPEED_SUITE_MAX];
    size_t count = speed_suite_list(members);
    isocast_buffer text = {0};
    assert_next(NULL, NULL, true, "ge,mm,");
    assert_next(NULL, "conv2d", true, "conv2d,ge,mm,");
    add(&text, "ge", "here", 0, 1e9);
    assert_next(text.text, NULL, true, "mm,");
    assert_next(text.text, "ge", false, "mm,");
    for (size_t i = 0; i < count; i++) {
        add(&text, members[i].name, "here", 1, 1e9);
    }
    char *none = find_next(text.text, NULL, true);
    assert_string_equal(none, "");
    free(none);
    assert_next(text.text, "csr", false, "csr,mm,");
    /* Each once. */
    char *all = find_next(text.text, NULL, false);
    size_t commas = 0;
    for (const char *at = all; *at != '\0'; at++) {
        commas += *at == ',';
    }
    assert_int_equal(commas + 1, count);
    free(all);
    isocast_buffer_free(&text);
}

/* Every program of the kernels is a member, and no name is there twice. */
static void the_suite_has_all_programs(void **state) {
    (void)state;
    speed_suite_member members[SPEED_SUITE_MAX];
    size_t count = speed_suite_list(members);
    size_t in_mean = 0;
    for (size_t i = 0; i < count; i++) {
        in_mean += members[i].in_mean;
        for (size_t k = 0; k < i; k++) {
            assert_string_not_equal(members[i].name, members[k].name);
        }
    }
    assert_int_equal(in_mean, 6);
    for (size_t id = 0; id < KERNEL_COUNT; id++) {
        bool found = false;
        for (size_t i = 0; i < count; i++) {
            found = found || strcmp(members[i].name, kernel_names[id]) == 0;
        }
        if (!found) {
            fail_msg("%s is no member of the suite", kernel_names[id]);
        }
    }
}

static void classes_have_their_own(void **state) {
    (void)state;
    isocast_buffer text = {0};
    isocast_buffer_puts(&text, "# node a1: old; 2 cores; 4e9 B; 1e9 flop/s\n"
                               "# node b1: new; 8 cores; 16e9 B; 3e9 flop/s\n"
                               "# node b2: new; 8 cores; 16e9 B; 3e9 flop/s\n");
    add(&text, "ge", "a1", 0, 1e9);
    add(&text, "ge", "b1", 0, 3e9);
    add(&text, "ge", "b2", 0, 3.2e9);
    add(&text, "ge", "b2", 1, 3.1e9);
    add(&text, "mm", "b1", 0, 30e9);
    machine_file_class classes[MACHINE_FILE_CLASSES_MAX];
    environment_facts facts = facts_of(text.text);
    size_t count = campaign_node_classes_find(&facts, NULL, classes);
    environment_facts_free(&facts);
    assert_int_equal(count, 2);
    assert_int_equal(classes[0].speed_count, 1);
    assert_true(classes[0].speeds[0].value == 1e9);
    assert_int_equal(classes[1].speed_count, 2);
    assert_true(classes[1].speeds[0].value == 3.1e9);
    /* mm was not measured on all of them: no class has it then. */
    isocast_buffer left_out = {0};
    fit_operation operations[] = {{.name = "ge", .is_kernel = true},
                                  {.name = "mm", .is_kernel = true},
                                  {.name = "conv2d", .is_kernel = true},
                                  {.name = "T_copy"}};
    fit measured = {.operations = operations, .operation_count = 4};
    campaign_marked_speeds_settle(classes, count, &measured, &left_out);
    assert_int_equal(classes[1].speed_count, 1);
    assert_string_equal(classes[1].speeds[0].member.name, "ge");
    /* Nobody asked for the other members of the suite. */
    assert_string_equal(left_out.text, "mm and conv2d");
    isocast_buffer_free(&left_out);
    isocast_buffer_free(&text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(speeds_are_medians_with_errors),
        cmocka_unit_test(the_fastest_steady_stretch_counts),
        cmocka_unit_test(what_has_fewest_launches_is_next),
        cmocka_unit_test(the_suite_has_all_programs),
        cmocka_unit_test(classes_have_their_own),
    };
    return cmocka_run_group_tests_name("marked speeds", tests, NULL, NULL);
}
