/* Lines of the environment: what one program writes, another one reads as the same. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "calibrate/samples/environment.h"

/* What a line says, in *out; false where that is nothing of the kind. */
#define READS(name)                                                                                \
    static bool reads_##name(const char *line, environment_##name *out) {                          \
        environment_facts facts = {0};                                                             \
        assert_true(environment_facts_take(&facts, line));                                         \
        bool found = facts.name##_count == 1;                                                      \
        if (found) {                                                                               \
            *out = facts.name##s[0];                                                               \
        }                                                                                          \
        environment_facts_free(&facts);                                                            \
        return found;                                                                              \
    }
READS(end)
READS(node)
READS(speed)

static void facts_have_values(void **state) {
    (void)state;
    char line[ENVIRONMENT_LINE_MAX];
    size_t length = 0;
    environment_write("clock_source", "tsc: the best", line);
    assert_string_equal(line, "# clock_source: tsc: the best");
    assert_string_equal(environment_value(line, "clock_source", &length), "tsc: the best");
    assert_int_equal(length, 13);
    assert_null(environment_value(line, "clock", &length));
    assert_null(environment_value(line, "clock_source:", &length));
    assert_null(environment_value("clock_source: tsc", "clock_source", &length));
    assert_null(environment_value("", "clock_source", &length));
}

static void the_first_line_of_a_key_is_found(void **state) {
    (void)state;
    static const char text[] = "# plans: no\n# end of launch 0 on 2 processes after 1.000 s\n"
                               "# plan: one\n# plan: two\n";
    size_t length = 0;
    const char *value = environment_find(text, ENVIRONMENT_PLAN, &length);
    assert_non_null(value);
    assert_int_equal(length, 3);
    assert_memory_equal(value, "one", 3);
    assert_null(environment_find(text, "processor", &length));
    assert_null(environment_find(NULL, "processor", &length));
}

static void long_values_are_cut_off(void **state) {
    (void)state;
    char value[3 * ENVIRONMENT_LINE_MAX];
    char line[ENVIRONMENT_LINE_MAX];
    memset(value, 'x', sizeof value - 1);
    value[sizeof value - 1] = '\0';
    environment_write("command", value, line);
    assert_int_equal(strlen(line), sizeof line - 1);
}

static void what_a_launch_says_is_read_again(void **state) {
    (void)state;
    char line[ENVIRONMENT_LINE_MAX];
    double number = 0;
    environment_write_share(0.9704, line);
    assert_string_equal(line, "# processor_share: 0.970");
    assert_true(environment_read_share(line, &number));
    assert_true(number == 0.97);
    assert_false(environment_read_planned(line, &number));
    environment_write_planned(2.9, line);
    assert_string_equal(line, "# planned for 2.900 s");
    assert_true(environment_read_planned(line, &number));
    assert_true(number == 2.9);
    assert_false(environment_read_share(line, &number));
    environment_end end = {3, 16, 2.5321};
    environment_end again = {0};
    environment_write_end(&end, line);
    assert_string_equal(line, "# end of launch 3 on 16 processes after 2.532 s");
    assert_true(reads_end(line, &again));
    assert_true(again.launch == 3 && again.processes == 16 && again.seconds == 2.532);
    assert_false(reads_end("# end of launch 3 on 16 processes", &again));
}

static void nodes_are_read_again(void **state) {
    (void)state;
    char line[ENVIRONMENT_LINE_MAX];
    environment_node node = {
        .host = "cn017.cluster", .model = "a processor", .cores = 8, .memory = 16e9, .speed = NAN};
    environment_node again;
    environment_write_node(&node, line);
    assert_string_equal(line, "# node cn017.cluster: a processor; 8 cores; 16000000000 B");
    assert_true(reads_node(line, &again));
    assert_string_equal(again.host, node.host);
    assert_string_equal(again.model, node.model);
    assert_true(again.cores == 8 && again.memory == 16e9 && isnan(again.speed));
    node.speed = 2e9;
    environment_write_node(&node, line);
    assert_true(reads_node(line, &again));
    assert_true(again.speed == 2e9);
    assert_false(reads_node("# node cn017: a processor; 0 cores; 1 B", &again));
    assert_false(reads_node("# node cn017", &again));
}

static void speeds_are_read_again(void **state) {
    (void)state;
    char line[ENVIRONMENT_LINE_MAX];
    environment_speed speed = {
        .program = "mm", .host = "cn017.cluster", .launch = 3, .value = 5.1e10, .bytes = 64e6};
    environment_speed again = {0};
    environment_write_speed(&speed, line);
    assert_string_equal(line, "# marked speed for mm on cn017.cluster in launch 3 5.1e+10 flop/s "
                              "with 64000000 B");
    assert_true(reads_speed(line, &again));
    assert_string_equal(again.program, speed.program);
    assert_string_equal(again.host, speed.host);
    assert_true(again.launch == 3 && again.value == 5.1e10 && again.bytes == 64e6);
    assert_false(reads_speed("# marked speed for mm on a in launch 3 nan flop/s with 1 "
                             "B",
                             &again));
    assert_false(reads_speed("# marked speed for mm on a in launch 3 0 flop/s with 1 B", &again));
    assert_false(reads_speed("# marked speeds took 1 s", &again));
    double seconds = 0;
    environment_write_suite(0.52, line);
    assert_string_equal(line, "# marked speeds took 0.520 s");
    assert_true(environment_read_suite(line, &seconds));
    assert_true(seconds == 0.52);
}

/* One line of a text is read, not the one below it. */
static void lines_end(void **state) {
    (void)state;
    environment_node node;
    assert_false(reads_node("# node a: x; 1 cores\n# node b: y; 2 cores; 5 B\n", &node));
    assert_true(reads_node("# node b: y; 2 cores; 5 B\n# node c: z; 1 cores; 5 B\n", &node));
    assert_string_equal(node.host, "b");
}

static void the_simulator_is_known(void **state) {
    (void)state;
    environment_facts facts = {0};
    assert_true(environment_facts_take(&facts, "# mpi: y"));
    assert_false(facts.is_simulated);
    assert_true(environment_facts_take(&facts, "# mpi: SMPI 3"));
    assert_true(facts.is_simulated);
    environment_facts_free(&facts);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_simulator_is_known),
        cmocka_unit_test(facts_have_values),
        cmocka_unit_test(the_first_line_of_a_key_is_found),
        cmocka_unit_test(long_values_are_cut_off),
        cmocka_unit_test(what_a_launch_says_is_read_again),
        cmocka_unit_test(nodes_are_read_again),
        cmocka_unit_test(speeds_are_read_again),
        cmocka_unit_test(lines_end),
    };
    return cmocka_run_group_tests_name("environment", tests, NULL, NULL);
}
