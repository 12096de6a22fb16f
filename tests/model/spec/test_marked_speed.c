/* Marked speeds of machine files: one for all programs or one for each, and which of them an
 * algorithm gets. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "machine_of_text.h"
#include "model/solve/model.h"
#include "model/spec/algorithm_load.h"
#include "model/spec/marked_speed.h"
#include "model/spec/system.h"

static const char several[] =
    "machine: several\n"
    "benchmark: {mm: dense product, default: all of it}\n"
    "nodes:\n"
    "  fast: {count: 2, processors: 2, marked_speed: {default: 2 Gflop/s \xC2\xB1 10 %, "
    "mm: 9 Gflop/s \xC2\xB1 0.3 Gflop/s, ge: 1 Gflop/s}}\n"
    "  slow: {count: 2, marked_speed: {mm: 3 Gflop/s, ge: 0.5 Gflop/s, default: 1 Gflop/s}}\n";
static const char without_default[] =
    "machine: mean\n"
    "nodes: {node: {count: 8, marked_speed: {mm: 9 Gflop/s \xC2\xB1 0.3 Gflop/s, "
    "ge: 1 Gflop/s \xC2\xB1 0.4 Gflop/s, fft: 2 Gflop/s \xC2\xB1 0 %}}}\n";
static const char one[] = "machine: one\n"
                          "benchmark: anything\n"
                          "nodes: {node: {count: 8, marked_speed: 20.88 Mflop/s}}\n";

static isocast_system *system_of(const isocast_machine *machine, const char *program,
                                 const char *text) {
    isocast_diagnostics diagnostics = {0};
    isocast_system **systems = NULL;
    size_t count = 0;
    assert_int_equal(
        isocast_systems_parse(machine, program, "test", text, &diagnostics, &systems, &count),
        ISOCAST_OK);
    assert_int_equal(count, 1);
    isocast_system *system = systems[0];
    free(systems);
    return system;
}

static void assert_near(double value, double due) {
    if (!(fabs(value - due) <= 1e-12 * fabs(due))) {
        fail_msg("%.17g is not %.17g", value, due);
    }
}

static void a_system_has_the_speeds_of_its_program(void **state) {
    (void)state;
    static const struct {
        const char *program;
        double fast, slow; /* flop/s */
    } due[] = {{"mm", 9e9, 3e9}, {"ge", 1e9, 0.5e9}, {"lu", 2e9, 1e9}, {NULL, 2e9, 1e9}};
    isocast_machine *machine = machine_of(several);
    for (size_t i = 0; i < sizeof due / sizeof due[0]; i++) {
        isocast_system *system = system_of(machine, due[i].program, "slow:2+fast:3");
        assert_near(system->C, 2 * due[i].slow + 3 * due[i].fast);
        assert_near(system->C_j, due[i].slow);
        assert_near(system->table.rows[ISOCAST_CLASS_MARKED_SPEED][0], due[i].slow);
        assert_near(system->table.rows[ISOCAST_CLASS_MARKED_SPEED][1], due[i].fast);
        /* Where nothing is known of a set, it is as large as its marked speed. */
        assert_near(system->reference_factor, system->C / system->C_j);
        isocast_system_free(system);
    }
    isocast_machine_free(machine);
}

static void origins_are_reported(void **state) {
    (void)state;
    isocast_machine *machine = machine_of(several);
    assert_int_equal(isocast_marked_speed_origin_of(machine, "mm"),
                     ISOCAST_MARKED_SPEED_OF_PROGRAM);
    assert_int_equal(isocast_marked_speed_origin_of(machine, "lu"), ISOCAST_MARKED_SPEED_DEFAULT);
    assert_int_equal(isocast_marked_speed_origin_of(machine, NULL), ISOCAST_MARKED_SPEED_DEFAULT);
    assert_string_equal(isocast_marked_speed_benchmark(machine, "mm"), "dense product");
    assert_null(isocast_marked_speed_benchmark(machine, "ge"));
    assert_string_equal(isocast_marked_speed_benchmark(machine, "lu"), "all of it");
    assert_near(isocast_marked_speed_error(&machine->classes[0], "mm"), 0.3e9);
    assert_near(isocast_marked_speed_error(&machine->classes[0], "lu"), 0.2e9);
    assert_true(isnan(isocast_marked_speed_error(&machine->classes[0], "ge")));
    isocast_buffer names = {0};
    isocast_marked_speed_programs(machine, &names);
    assert_string_equal(names.text, "mm and ge");
    isocast_buffer_free(&names);
    isocast_machine_free(machine);
}

static void a_missing_default_is_the_mean(void **state) {
    (void)state;
    isocast_machine *machine = machine_of(without_default);
    const isocast_node_class *class = &machine->classes[0];
    assert_int_equal(isocast_marked_speed_origin_of(machine, "lu"), ISOCAST_MARKED_SPEED_MEAN);
    assert_near(isocast_marked_speed_of(class, NULL), 4e9);
    assert_near(isocast_marked_speed_error(class, NULL), 0.5e9 / 3);
    isocast_system *system = system_of(machine, "lu", "4");
    assert_near(system->C, 16e9);
    isocast_system_free(system);
    isocast_machine_free(machine);
}

static void one_speed_is_for_all(void **state) {
    (void)state;
    isocast_machine *machine = machine_of(one);
    static const char *const programs[] = {"mm", "ge", NULL};
    for (size_t i = 0; i < 3; i++) {
        isocast_system *system = system_of(machine, programs[i], "4");
        assert_true(system->C == 4 * 20.88e6 && system->C_j == 20.88e6);
        assert_int_equal(isocast_marked_speed_origin_of(machine, programs[i]),
                         ISOCAST_MARKED_SPEED_OF_ALL);
        assert_string_equal(isocast_marked_speed_benchmark(machine, programs[i]), "anything");
        isocast_system_free(system);
    }
    isocast_machine_free(machine);
}

/* E, T_c and class.marked_speed on 3 processes, of an algorithm with this kernel. */
static void evaluate(const isocast_machine *machine, const char *kernel, double *E, double *T) {
    isocast_buffer text = {0};
    isocast_buffer_printf(&text,
                          "algorithm: test\nsize: {N: {min: 1}}\nwork: N\n"
                          "overhead: {dots: W/fast.marked_speed, means: sum_class(p_i*C_i)*1 s/C}\n"
                          "%s%s\n",
                          kernel != NULL ? "kernel: " : "", kernel != NULL ? kernel : "");
    isocast_diagnostics diagnostics = {0};
    isocast_source *source = NULL;
    isocast_algorithm *algorithm = NULL;
    isocast_model *model = NULL;
    assert_int_equal(isocast_source_create("algorithm", text.text, text.length, &source),
                     ISOCAST_OK);
    assert_int_equal(isocast_algorithm_read(source, &diagnostics, &algorithm), ISOCAST_OK);
    assert_int_equal(isocast_model_create(algorithm, machine, &diagnostics, &model), ISOCAST_OK);
    isocast_system *system = system_of(machine, algorithm->kernel, "slow:2+fast:1");
    const isocast_system *at = system;
    double N = 6e9;
    isocast_model_points points = {.count = 1, .N = &N, .systems = &at};
    isocast_model_results results = {.E = E, .T = T};
    assert_int_equal(isocast_model_evaluate(model, &points, &results), ISOCAST_OK);
    isocast_system_free(system);
    isocast_model_free(model);
    isocast_algorithm_free(algorithm);
    isocast_diagnostics_clear(&diagnostics);
    isocast_buffer_free(&text);
}

/* All that formulas see of the marked speed is of the algorithm's kernel: C, C_i, the default T_c
 * and class.marked_speed. */
static void formulas_see_the_speeds_of_the_kernel(void **state) {
    (void)state;
    isocast_machine *machine = machine_of(several);
    static const struct {
        const char *kernel;
        double fast, slow;
    } due[] = {{"mm", 9e9, 3e9}, {"ge", 1e9, 0.5e9}, {"lu", 2e9, 1e9}, {NULL, 2e9, 1e9}};
    for (size_t i = 0; i < sizeof due / sizeof due[0]; i++) {
        double E;
        double T;
        double C = 2 * due[i].slow + due[i].fast;
        evaluate(machine, due[i].kernel, &E, &T);
        assert_near(T, 6e9 / C + 6e9 / due[i].fast + 1);
        assert_near(E, 6e9 / (T * C));
    }
    isocast_machine_free(machine);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_system_has_the_speeds_of_its_program),
        cmocka_unit_test(origins_are_reported),
        cmocka_unit_test(a_missing_default_is_the_mean),
        cmocka_unit_test(one_speed_is_for_all),
        cmocka_unit_test(formulas_see_the_speeds_of_the_kernel),
    };
    return cmocka_run_group_tests_name("marked speed", tests, NULL, NULL);
}
