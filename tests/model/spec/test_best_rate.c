/* The best rate of a kernel by the time per flop of a machine file: by every form of such a time,
 * and what marked speeds become of it. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "machine_of_text.h"
#include "model/base/buffer.h"
#include "model/base/random_bits.h"
#include "model/spec/best_rate.h"
#include "model/spec/marked_speed.h"
#include "model/spec/marked_speed_choice.h"

static const char nodes[] =
    "machine: m\nnodes: {node: {count: 8, processors: 4, marked_speed: 2 Gflop/s}}\n";

static isocast_machine *machine_with(const char *compute) {
    isocast_buffer text = {0};
    isocast_buffer_printf(&text, "%scompute:\n  k: %s\n", nodes, compute);
    assert_false(text.failed);
    isocast_machine *machine = machine_of(text.text);
    isocast_buffer_free(&text);
    return machine;
}

static void assert_near(double value, double due, double within) {
    if (isnan(due) ? !isnan(value) : !(fabs(value - due) <= within * fabs(due))) {
        fail_msg("%.17g is not %.17g", value, due);
    }
}

/* From 0 to below 1. */
static double draw(uint64_t *at) {
    *at += ISOCAST_RANDOM_STEP;
    return isocast_random_unit(isocast_random_bits(*at));
}

static void every_form_of_a_time_per_flop(void **state) {
    (void)state;
    /* Working sets in log2 are known to six digits. */
    static const struct {
        const char *compute;
        double rate, p, m;
    } due[] = {
        {"0.5 ns/flop", 2e9, NAN, NAN},
        {"{table: {8 kB: 1 ns/flop, 64 kB: 0.25 ns/flop, 8 MB: 2 ns/flop}}", 4e9, NAN, 64e3},
        {"{axis: m, table: {8 kB: 1 ns/flop, 8 MB: 0.5 ns/flop}}", 2e9, NAN, 8e6},
        {"{table: {8 kB: 0.5 ns/flop}}", 2e9, NAN, NAN},
        {"{measured: {p: [1, 4], m: [8 kB, 8 MB]}, tables: {1: {8 kB: 1 ns/flop, 8 MB: 3 ns/flop}, "
         "4: {8 kB: 2 ns/flop, 8 MB: 0.4 ns/flop}}}",
         2.5e9, 4, 8e6},
        /* As machine files had it before there were mappings. */
        {"if(p <= 2, interpolate(m, 1 kB, 1 ns/flop, 1 MB, 0.8 ns/flop), 0.5 ns/flop)", 2e9, 3,
         1e3},
        {"{ratio: {1: 1, 4: 0.5}, measured: {p: [1, 4], m: [1 kB, 1 MB]}, "
         "table: {1 kB: 1 ns/flop, 1 MB: 2 ns/flop}}",
         2e9, 4, 1e3},
        {"{beyond: proportional, table: {1 kB: 2 ns/flop, 1 MB: 1 ns/flop}}", 1e9, NAN, 1e6},
        {"{plus: 1 ns/flop, level: 2, table: {1 kB: 2 ns/flop, 1 MB: 1 ns/flop}}", 1 / 3e-9, NAN,
         1e6},
        {"{measured: {m: [1 kB, 1 MB]}, formula: \"1 ns/flop*(1 + 1 kB/m)\"}", 1e9 / 1.001, NAN,
         1e6},
    };
    for (size_t i = 0; i < sizeof due / sizeof due[0]; i++) {
        isocast_machine *machine = machine_with(due[i].compute);
        isocast_best_rate best;
        assert_int_equal(isocast_best_rate_find(machine, &machine->compute[0], &best), ISOCAST_OK);
        assert_near(best.rate, due[i].rate, 1e-5);
        assert_near(best.p, due[i].p, 0);
        assert_near(best.m, due[i].m, 1e-4);
        isocast_machine_free(machine);
    }
}

static void a_formula_without_a_range_has_no_best_rate(void **state) {
    (void)state;
    isocast_machine *machine = machine_with("1 ns/flop*(1 + 1 kB/m)");
    isocast_best_rate best = {7, 7, 7};
    assert_int_equal(isocast_best_rate_find(machine, &machine->compute[0], &best), ISOCAST_DOMAIN);
    assert_near(best.rate, 7, 0);
    isocast_machine_free(machine);
}

/* No working set and no count of processes has a higher rate, within the tables or beyond. */
static void nothing_is_faster_than_the_best_rate(void **state) {
    (void)state;
    uint64_t state_of_draws = 7;
    for (int trial = 0; trial < 50; trial++) {
        isocast_buffer text = {0};
        isocast_buffer_puts(&text, "{measured: {p: [1, 8], m: [1 kB, 1 GB]}, tables: {");
        for (int p = 1; p <= 8; p *= 2) {
            isocast_buffer_printf(&text, "%s%d: {", p > 1 ? ", " : "", p);
            for (int row = 0; row < 6; row++) {
                isocast_buffer_printf(&text, "%s%.0f B: %.6f ns/flop", row > 0 ? ", " : "",
                                      1e3 * pow(10, row + draw(&state_of_draws)),
                                      0.05 + draw(&state_of_draws));
            }
            isocast_buffer_puts(&text, "}");
        }
        isocast_buffer_puts(&text, "}}");
        assert_false(text.failed);
        isocast_machine *machine = machine_with(text.text);
        isocast_buffer_free(&text);
        isocast_best_rate best;
        assert_int_equal(isocast_best_rate_find(machine, &machine->compute[0], &best), ISOCAST_OK);
        double there;
        assert_int_equal(
            isocast_kernel_time_at(machine, &machine->compute[0], 1, &best.p, &best.m, &there),
            ISOCAST_OK);
        assert_near(1 / there, best.rate, 1e-9);
        enum { POINTS = 400 };
        double p[POINTS];
        double m[POINTS];
        double time[POINTS];
        for (int k = 0; k < POINTS; k++) {
            p[k] = floor(1 + 16 * draw(&state_of_draws));
            m[k] = exp2(5 + 30 * draw(&state_of_draws));
        }
        assert_int_equal(isocast_kernel_time_at(machine, &machine->compute[0], POINTS, p, m, time),
                         ISOCAST_OK);
        for (int k = 0; k < POINTS; k++) {
            assert_true(time[k] * best.rate >= 1 - 1e-12);
        }
        isocast_machine_free(machine);
    }
}

/* The time per flop is that of the slowest process. */
static void the_slowest_class_gets_the_best_rate(void **state) {
    (void)state;
    isocast_machine *machine = machine_of(
        "machine: two\nnodes:\n"
        "  fast: {count: 2, marked_speed: {default: 1 Gflop/s, k: 3 Gflop/s \xC2\xB1 5 %}}\n"
        "  slow: {count: 2, marked_speed: {default: 1 Gflop/s, k: 2 Gflop/s}}\n"
        "compute: {k: 0.25 ns/flop}\n");
    assert_int_equal(isocast_marked_speed_take_peak(machine, &machine->compute[0]), ISOCAST_OK);
    assert_near(isocast_marked_speed_of(&machine->classes[0], "k"), 6e9, 1e-12);
    assert_near(isocast_marked_speed_of(&machine->classes[1], "k"), 4e9, 1e-12);
    assert_near(isocast_marked_speed_of(&machine->classes[1], NULL), 4e9, 1e-12);
    assert_near(isocast_marked_speed_error(&machine->classes[0], "k"), NAN, 0);
    assert_near(machine->best_rate.rate, 4e9, 1e-12);
    isocast_marked_speed_give(machine, 7e9);
    assert_near(isocast_marked_speed_of(&machine->classes[0], "k"), 7e9, 0);
    assert_near(isocast_marked_speed_of(&machine->classes[1], "k"), 7e9, 0);
    isocast_machine_free(machine);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_form_of_a_time_per_flop),
        cmocka_unit_test(a_formula_without_a_range_has_no_best_rate),
        cmocka_unit_test(nothing_is_faster_than_the_best_rate),
        cmocka_unit_test(the_slowest_class_gets_the_best_rate),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
