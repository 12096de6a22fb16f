/* W and T at single N against the program, which takes sums term by term or on panels. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "model/solve/point_times.h"
#include "model_fixture.h"

static const char machine[] =
    "machine: m\nnodes: {node: {count: 64, marked_speed: 1 Gflop/s}}\n"
    "parameters: {start: 2 us, byte: 0.4 ns/B, late: 30 us}\n"
    "operations:\n"
    "  T_bcast: if(m < 900 B, start + byte*m, late + 0.3*byte*m)*ceil(log2(p))\n";

static const char algorithm[] = "algorithm: a\nsize: {N: {min: 2}}\nwork: 2/3*N^3\noverhead:\n"
                                "  rows: sum(i, 0, N-2, T_bcast(8 B*(N+1-i)))\n"
                                "  rest: (1 + mod(N, 7))*T_bcast(8 B*floor(N/p))\n";

static void agrees_with_the_program(void **unused) {
    (void)unused;
    fixture f = fixture_create(algorithm, machine, "2,5,64");
    isocast_point_times *times = NULL;
    assert_int_equal(isocast_point_times_create(f.model, &times), ISOCAST_OK);
    assert_non_null(times);
    isocast_effort effort = isocast_effort_of(1);
    const double given[3] = {2e-6, 0.4e-9, 30e-6};
    uint32_t state = 5;
    for (int k = 0; k < 300; k++) {
        state = state * 1664525U + 1013904223U;
        double N = 2 + floor((double)(state >> 8) / 16777216.0 * 3000) / 4;
        const isocast_system *system = f.systems[k % 3];
        double parameters[3];
        for (int i = 0; i < 3; i++) {
            /* Several N with the same parameters after each other. */
            parameters[i] = given[i] * (1 + 0.1 * ((k / 6 + i) % 4));
        }
        double W;
        double T;
        double due_W;
        double due_T;
        isocast_model_points points = {.count = 1,
                                       .N = &N,
                                       .systems = &system,
                                       .parameters = parameters,
                                       .parameters_stride = 1,
                                       .effort = &effort};
        isocast_model_results results = {.W = &due_W, .T = &due_T};
        assert_int_equal(isocast_model_evaluate(f.model, &points, &results), ISOCAST_OK);
        isocast_point_times_bind(times, system, NULL, parameters);
        assert_true(isocast_point_times_at(times, N, &effort, &W, &T));
        assert_true(fabs(W - due_W) <= 1e-12 * due_W);
        assert_true(fabs(T - due_T) <= 1e-12 * due_T);
    }
    isocast_point_times_free(times);
    fixture_free(&f);
}

/* A program without sums is as fast by itself. */
static void is_for_sums_alone(void **unused) {
    (void)unused;
    fixture f = fixture_create("algorithm: a\nsize: {N: {min: 2}}\nwork: 2/3*N^3\noverhead:\n"
                               "  rows: N*T_bcast(8 B*N)\n",
                               machine, "2");
    isocast_point_times *times = NULL;
    assert_int_equal(isocast_point_times_create(f.model, &times), ISOCAST_OK);
    assert_null(times);
    isocast_point_times_free(times);
    fixture_free(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(agrees_with_the_program),
                                       cmocka_unit_test(is_for_sums_alone)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
