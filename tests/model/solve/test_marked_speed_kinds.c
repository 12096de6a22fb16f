/* What E and psi do where the marked speed is the best rate of the kernel, or any other speed; why
 * E is above 1; and how much of T depends on marked speeds. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "model/base/random_bits.h"
#include "model/solve/above_one.h"
#include "model/solve/prediction.h"
#include "model/spec/marked_speed_choice.h"
#include "model_fixture.h"

static const char tables[] =
    "machine: tables\n"
    "nodes:\n"
    "  node: {count: 64, processors: 4, marked_speed: {k: 1 Gflop/s, default: 2 Gflop/s}}\n"
    "operations: {T_barrier: 1 us * p}\n"
    "compute:\n"
    "  k:\n"
    "    measured: {p: [1, 4], m: [8 kB, 64 MB]}\n"
    "    tables:\n"
    "      1: {8 kB: 0.4 ns/flop, 100 kB: 0.2 ns/flop, 1 MB: 0.3 ns/flop, 64 MB: 1 ns/flop}\n"
    "      4: {8 kB: 0.5 ns/flop, 100 kB: 0.25 ns/flop, 1 MB: 0.6 ns/flop, 64 MB: 2 ns/flop}\n";
static const char two_classes[] =
    "machine: classes\n"
    "nodes:\n"
    "  fast: {count: 64, processors: 4, marked_speed: 3 Gflop/s}\n"
    "  slow: {count: 64, processors: 2, marked_speed: 1 Gflop/s}\n"
    "operations: {T_barrier: 1 us * p}\n"
    "compute: {k: {table: {8 kB: 0.4 ns/flop, 100 kB: 0.2 ns/flop, 64 MB: 1 ns/flop}}}\n";
static const char alone[] = "algorithm: alone\nsize: {N: {min: 1}}\nwork: N^3\nkernel: k\n"
                            "memory: 8 B*N^2/p\n";
static const char with_overhead[] =
    "algorithm: overhead\nsize: {N: {min: 1}}\nwork: N^3\nkernel: k\n"
    "memory: 8 B*N^2/p\noverhead: {all: N*T_barrier()}\n";

/* Marked speeds count where a model and systems are made of the machine. */
static void bind_again(fixture *f, const char *systems) {
    isocast_diagnostics diagnostics = {0};
    isocast_systems_free(f->systems, f->system_count);
    isocast_model_free(f->model);
    assert_int_equal(isocast_model_create(f->algorithm, f->machine, &diagnostics, &f->model),
                     ISOCAST_OK);
    assert_int_equal(isocast_systems_parse(f->machine, f->algorithm->kernel, "test", systems,
                                           &diagnostics, &f->systems, &f->system_count),
                     ISOCAST_OK);
}

static double draw(uint64_t *at) {
    *at += ISOCAST_RANDOM_STEP;
    return isocast_random_unit(isocast_random_bits(*at));
}

static void check_at_most_one(const char *machine, const char *systems) {
    fixture f = fixture_create(alone, machine, systems);
    assert_int_equal(isocast_marked_speed_take_peak(f.machine, &f.machine->compute[0]), ISOCAST_OK);
    bind_again(&f, systems);
    uint64_t at = 11;
    double largest = 0;
    for (int i = 0; i < 300; i++) {
        double N = exp2(14 * draw(&at));
        for (size_t k = 0; k < f.system_count; k++) {
            const isocast_system *system = f.systems[k];
            double E = NAN;
            isocast_model_results results = {.E = &E};
            const isocast_model_points points = {.count = 1, .N = &N, .systems = &system};
            assert_int_equal(isocast_model_evaluate(f.model, &points, &results), ISOCAST_OK);
            assert_true(E > 0 && E <= 1 + 1e-12);
            largest = fmax(largest, E);
        }
    }
    /* The bound is met, so it is no accident. */
    assert_true(largest > 0.9);
    fixture_free(&f);
}

static void with_the_peak_E_is_at_most_one(void **state) {
    (void)state;
    check_at_most_one(tables, "1,2,4x1,4x4,256");
    check_at_most_one(two_classes, "slow:4,fast:8,fast:4+slow:4,fast:1+slow:64");
}

/* psi = C'W/(C W') of systems of one class: C'/C is p'/p, and W' follows from T alone. */
static void psi_of_like_nodes_does_not_hang_on_the_marked_speed(void **state) {
    (void)state;
    static const char systems[] = "1,1x2,1x4,1x16,1x64";
    fixture f = fixture_create(with_overhead, tables, systems);
    double psi[3][4] = {{0}};
    for (size_t kind = 0; kind < 3; kind++) {
        if (kind == 1) {
            assert_int_equal(isocast_marked_speed_take_peak(f.machine, &f.machine->compute[0]),
                             ISOCAST_OK);
        } else if (kind == 2) {
            isocast_marked_speed_give(f.machine, 17.3e9);
        }
        bind_again(&f, systems);
        isocast_prediction_request request = {.base = f.systems[0],
                                              .N = 3000,
                                              .efficiency = NAN,
                                              .systems =
                                                  (const isocast_system *const *)f.systems + 1,
                                              .system_count = f.system_count - 1};
        isocast_prediction *prediction = NULL;
        assert_int_equal(isocast_predict(f.model, &request, &prediction), ISOCAST_OK);
        for (size_t i = 0; i < prediction->row_count; i++) {
            psi[kind][i] = prediction->rows[i].psi;
            assert_true(prediction->rows[i].psi > 0);
            assert_true(fabs(psi[kind][i] / psi[0][i] - 1) < 1e-8);
        }
        isocast_prediction_free(prediction);
    }
    fixture_free(&f);
}

static isocast_above_one reason(const fixture *f, size_t system, double N) {
    isocast_above_one why = {0};
    assert_int_equal(isocast_above_one_find(f->model, f->systems[system], N, NULL, &why),
                     ISOCAST_OK);
    return why;
}

static void assert_near(double value, double due) {
    if (isnan(due) ? !isnan(value) : !(fabs(value - due) <= 1e-4 * fabs(due))) {
        fail_msg("%.17g is not %.17g", value, due);
    }
}

static void E_above_one_has_a_reason(void **state) {
    (void)state;
    fixture f = fixture_create(alone, tables, "1,4x1");
    double N = sqrt(1e6 / 8);
    isocast_above_one why = reason(&f, 0, N);
    assert_near(why.marked, 1e9);
    assert_false(why.marked_differ);
    assert_near(why.m, 1e6);
    assert_near(why.rate, 1 / 0.3e-9);
    assert_near(why.larger_m, 64e6);
    assert_near(why.larger_rate, 1e9);
    /* As many processes as share the node. */
    why = reason(&f, 1, 2 * N);
    assert_near(why.rate, 1 / 0.6e-9);
    assert_near(why.larger_rate, 0.5e9);
    /* No faster than the marked speed. */
    assert_near(reason(&f, 1, 100 * N).rate, NAN);
    fixture_free(&f);

    /* Larger data are not slower: nothing is said of them. */
    f = fixture_create(alone,
                       "machine: m\nnodes: {node: {count: 4, marked_speed: 1 Gflop/s}}\n"
                       "compute: {k: {table: {8 kB: 0.5 ns/flop, 8 MB: 0.5 ns/flop}}}\n",
                       "1");
    why = reason(&f, 0, 100);
    assert_near(why.rate, 2e9);
    assert_near(why.larger_rate, NAN);
    fixture_free(&f);

    /* No table: the file does not say. */
    f = fixture_create(alone,
                       "machine: m\nnodes: {node: {count: 4, marked_speed: 1 Gflop/s}}\n"
                       "parameters: {t_c: 0.5 ns/flop}\n",
                       "1");
    assert_near(reason(&f, 0, 100).rate, NAN);
    fixture_free(&f);

    f = fixture_create(alone, two_classes, "fast:4+slow:4");
    why = reason(&f, 0, 100);
    assert_true(why.marked_differ);
    assert_near(why.marked, 2e9);
    fixture_free(&f);
}

/* T_c = W/C: nearly all of T depends on the marked speed, although it cancels in E. */
static void a_marked_speed_with_an_error_covers_T(void **state) {
    (void)state;
    fixture f = fixture_create(
        "algorithm: plain\nsize: {N: {min: 1}}\nwork: N^3\noverhead: {all: N*T_barrier()}\n",
        "machine: m\nnodes: {node: {count: 8, marked_speed: 1 Gflop/s \xC2\xB1 3 %}}\n"
        "operations: {T_barrier: 1 us}\n",
        "4");
    isocast_prediction_request request = {.N = 2000,
                                          .efficiency = NAN,
                                          .systems = (const isocast_system *const *)f.systems,
                                          .system_count = 1};
    isocast_prediction *prediction = NULL;
    assert_int_equal(isocast_predict(f.model, &request, &prediction), ISOCAST_OK);
    const isocast_prediction_row *row = &prediction->rows[0];
    assert_true(row->T_c / row->T > 0.99);
    assert_near(row->covered, row->T_c / row->T);
    isocast_prediction_free(prediction);
    fixture_free(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(with_the_peak_E_is_at_most_one),
        cmocka_unit_test(psi_of_like_nodes_does_not_hang_on_the_marked_speed),
        cmocka_unit_test(E_above_one_has_a_reason),
        cmocka_unit_test(a_marked_speed_with_an_error_covers_T),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
