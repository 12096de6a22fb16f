/* Laws that the engine must obey whatever its inside looks like: the theorems of
 * isospeed-efficiency [CSW 3.3-3.4], closed forms, textbook tables [GGKK 5], indifference to units.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "model/solve/prediction.h"
#include "model_fixture.h"

static const char *const mixed_machine =
    "machine: mixed\n"
    "nodes:\n"
    "  server: {count: 4, processors: 4, marked_speed: 20.88 Mflop/s, memory: 64 GB}\n"
    "  blade: {count: 4096, processors: 1, marked_speed: 51 Mflop/s, memory: 1 GB}\n"
    "systems: {S3: \"server:2+blade:1\", S9: \"server:2+blade:7\", S65: \"server:2+blade:63\"}\n"
    "parameters: {t_c: 2e-8 s/flop}\n"
    "operations:\n"
    "  T_bcast: 0.1 ms + 0.2 ms * log2(p) + 3 us/kB * m\n"
    "  T_send: 80 us + 10 us/kB * m\n"
    "  T_barrier: 0.39 ms * p\n";

/* Holds the efficiency that the first system has at N on all the others. */
static isocast_prediction *predict_from_first(const fixture *f, double N) {
    isocast_prediction_request request = {.base = f->systems[0],
                                          .N = N,
                                          .efficiency = NAN,
                                          .systems = (const isocast_system *const *)f->systems + 1,
                                          .system_count = f->system_count - 1};
    isocast_prediction *prediction = NULL;
    assert_int_equal(isocast_predict(f->model, &request, &prediction), ISOCAST_OK);
    return prediction;
}

static isocast_prediction *predict_at_efficiency(const fixture *f, double efficiency) {
    isocast_prediction_request request = {.N = NAN,
                                          .efficiency = efficiency,
                                          .systems = (const isocast_system *const *)f->systems,
                                          .system_count = f->system_count};
    isocast_prediction *prediction = NULL;
    assert_int_equal(isocast_predict(f->model, &request, &prediction), ISOCAST_OK);
    return prediction;
}

static void assert_close(double actual, double expected, double relative) {
    if (!(fabs(actual - expected) <= relative * fabs(expected))) {
        print_error("%.17g is not %.17g within %g\n", actual, expected, relative);
        fail();
    }
}

static char *algorithm_text(const char *work, const char *sequential, const char *overhead) {
    isocast_buffer text = {0};
    isocast_buffer_printf(&text,
                          "algorithm: law\n"
                          "size: {N: {description: size, min: 1}}\n"
                          "work: %s\n"
                          "sequential: %s\n"
                          "overhead:\n"
                          "  all: %s\n",
                          work, sequential, overhead);
    return isocast_buffer_take(&text);
}

static const char *const overheads[] = {
    "T_barrier()", "N*(2*T_bcast(8 B*N) + T_barrier())",
    "2*(p-1)*T_send(8 B*N^2/p) + sum(i, 0, N-2, T_bcast(8 B*(N-i)))",
    "1 ms * p^1.5 + 3 us * p * N * log2(N + 1)"};
enum { OVERHEADS = sizeof overheads / sizeof overheads[0] };

/* Theorem 1: balanced work gives psi = (t_0 + T_o)/(t_0' + T_o') with t_0 = alpha W/C_j. */
static void theorem_1(void **state) {
    (void)state;
    static const double fractions[] = {0, 1e-4, 1e-3};
    for (size_t i = 0; i < OVERHEADS; i++) {
        for (size_t k = 0; k < sizeof fractions / sizeof fractions[0]; k++) {
            char fraction[32];
            snprintf(fraction, sizeof fraction, "%g", fractions[k]);
            char *text = algorithm_text("2/3*N^3 + N", fraction, overheads[i]);
            fixture f = fixture_create(text, mixed_machine, "S3,S9,S65");
            isocast_prediction *prediction = predict_from_first(&f, 60);
            const isocast_prediction_row *before = &prediction->base;
            for (size_t r = 0; r < prediction->row_count; r++) {
                const isocast_prediction_row *row = &prediction->rows[r];
                assert_int_equal(row->status, ISOCAST_ROW_OK);
                double t_0 = fractions[k] * before->W / 20.88e6;
                double t_0_to = fractions[k] * row->W / 20.88e6;
                assert_close(row->psi, (t_0 + before->T_o) / (t_0_to + row->T_o), 1e-9);
                before = row;
            }
            isocast_prediction_free(prediction);
            fixture_free(&f);
            free(text);
        }
    }
}

/* Theorem 2: psi = (C beta W - C' beta W + C T_o)/(C T_o') with beta = alpha/C_j, the sequential
 * part on the same node before and after. */
static void theorem_2(void **state) {
    (void)state;
    const double alpha = 5e-4;
    for (size_t i = 0; i < OVERHEADS; i++) {
        char *text = algorithm_text("2/3*N^3 + N", "5e-4", overheads[i]);
        fixture f = fixture_create(text, mixed_machine, "S3,S9,S65");
        isocast_prediction *prediction = predict_from_first(&f, 60);
        const isocast_prediction_row *from = &prediction->base;
        for (size_t r = 0; r < prediction->row_count; r++) {
            const isocast_prediction_row *row = &prediction->rows[r];
            double beta = alpha / 20.88e6;
            double psi =
                (from->C * beta * from->W - row->C * beta * from->W + from->C * from->T_o) /
                (from->C * row->T_o);
            assert_close(row->psi_from_base, psi, 1e-9);
        }
        isocast_prediction_free(prediction);
        fixture_free(&f);
        free(text);
    }
}

/* Corollary 1: alpha = 0 and a constant T_o give psi = 1. */
static void corollary_1(void **state) {
    (void)state;
    char *text = algorithm_text("2/3*N^3", "0", "3 ms");
    fixture f = fixture_create(text, mixed_machine, "S3,S9,S65");
    isocast_prediction *prediction = predict_from_first(&f, 310);
    for (size_t r = 0; r < prediction->row_count; r++) {
        assert_close(prediction->rows[r].psi, 1, 1e-9);
        assert_close(prediction->rows[r].psi_from_base, 1, 1e-9);
    }
    isocast_prediction_free(prediction);
    fixture_free(&f);
    free(text);
}

/* Corollary 2: alpha = 0 gives psi = T_o/T_o'. */
static void corollary_2(void **state) {
    (void)state;
    for (size_t i = 0; i < OVERHEADS; i++) {
        char *text = algorithm_text("66*N^2*log2(N) + 21*N^2", "0", overheads[i]);
        fixture f = fixture_create(text, mixed_machine, "S3,S9,S65");
        isocast_prediction *prediction = predict_from_first(&f, 5000);
        const isocast_prediction_row *before = &prediction->base;
        for (size_t r = 0; r < prediction->row_count; r++) {
            const isocast_prediction_row *row = &prediction->rows[r];
            if (row->status == ISOCAST_ROW_OK) {
                assert_close(row->psi, before->T_o / row->T_o, 1e-9);
            } else {
                /* T_o that outgrows W leaves no N; then there is no psi either. */
                assert_int_equal(row->status, ISOCAST_ROW_UNREACHABLE);
                assert_true(isnan(row->psi));
            }
            before = row;
        }
        isocast_prediction_free(prediction);
        fixture_free(&f);
        free(text);
    }
}

static const char *const homogeneous_machine =
    "machine: homogeneous\n"
    "nodes: {node: {count: 4096, processors: 1, marked_speed: 2 Gflop/s, memory: 64 GB}}\n"
    "parameters: {t_c: 0.5 ns/flop}\n"
    "operations:\n"
    "  T_bcast: 10 us + 5 us*log2(p) + 1 ns/B * m\n"
    "  T_barrier: 4 us*log2(p)\n";

/* On one class of nodes C = p C_1, and isospeed's psi(p, p') = p'W/(p W') is the same number. */
static void isospeed_is_the_homogeneous_case(void **state) {
    (void)state;
    char *text = algorithm_text("2/3*N^3", "0", "N*(T_bcast(8 B*N) + T_barrier())");
    fixture f = fixture_create(text, homogeneous_machine, "2,4..4096*2");
    isocast_prediction *prediction = predict_from_first(&f, 300);
    const isocast_prediction_row *before = &prediction->base;
    assert_int_equal(prediction->row_count, 11);
    for (size_t r = 0; r < prediction->row_count; r++) {
        const isocast_prediction_row *row = &prediction->rows[r];
        assert_close(row->psi, row->p * before->W / (before->p * row->W), 1e-12);
        assert_close(row->C, row->p * 2e9, 1e-15);
        before = row;
    }
    isocast_prediction_free(prediction);
    fixture_free(&f);
    free(text);
}

/* The same machine and algorithm written in other units give the same rows. */
static void units_change_nothing(void **state) {
    (void)state;
    char *text = algorithm_text("2/3*N^3", "0", "N*(T_bcast(8 B*N) + T_barrier())");
    char *text_scaled = algorithm_text("2/3*N^3*1e-3 kflop", "0 Mflop/flop*1e-6",
                                       "N*(T_bcast(64 bit*N) + T_barrier())*1e6/1 h * 3.6 ms");
    fixture f = fixture_create(text, homogeneous_machine, "2,16,128");
    fixture scaled = fixture_create(text_scaled,
                                    "machine: rescaled\n"
                                    "nodes: {node: {count: 4096, processors: 1, marked_speed: "
                                    "0.002 Tflop/s, memory: 64e6 kB}}\n"
                                    "parameters: {t_c: 500 ps/flop}\n"
                                    "operations:\n"
                                    "  T_bcast: 0.01 ms + 5e-6 s*log2(p) + 1.024 us/KiB * m\n"
                                    "  T_barrier: 4000 ns*log2(p)\n",
                                    "2,16,128");
    isocast_prediction *first = predict_from_first(&f, 300);
    isocast_prediction *second = predict_from_first(&scaled, 300);
    for (size_t r = 0; r < first->row_count; r++) {
        assert_close(second->rows[r].N, first->rows[r].N, 1e-11);
        assert_close(second->rows[r].psi, first->rows[r].psi, 1e-11);
        assert_close(second->rows[r].T, first->rows[r].T, 1e-11);
        assert_close(second->rows[r].E, first->rows[r].E, 1e-11);
    }
    isocast_prediction_free(first);
    isocast_prediction_free(second);
    fixture_free(&f);
    fixture_free(&scaled);
    free(text);
    free(text_scaled);
}

/* Whatever the root, putting it back meets the condition. */
static void root_put_back(void **state) {
    (void)state;
    for (size_t i = 0; i < OVERHEADS; i++) {
        char *text = algorithm_text("2/3*N^3 - N/2", "0", overheads[i]);
        fixture f = fixture_create(text, mixed_machine, "S3,S9,S65,blade:4096");
        for (double efficiency = 0.05; efficiency < 0.9; efficiency += 0.07) {
            isocast_prediction *prediction = predict_at_efficiency(&f, efficiency);
            for (size_t r = 0; r < prediction->row_count; r++) {
                const isocast_prediction_row *row = &prediction->rows[r];
                if (row->status == ISOCAST_ROW_OK || row->status == ISOCAST_ROW_SEVERAL) {
                    assert_close(row->E, efficiency, 1e-10);
                    assert_close(row->W / (row->T * row->C), efficiency, 1e-10);
                }
            }
            assert_int_equal(prediction->rows[0].status, ISOCAST_ROW_OK);
            isocast_prediction_free(prediction);
        }
        fixture_free(&f);
        free(text);
    }
}

/* T_o that grows as fast as W: E = 1/(1 + C b) at most, whatever N. */
static void unreachable_names_the_best(void **state) {
    (void)state;
    char *text = algorithm_text("N^2", "0", "0.1 ns*N^2*p + 1 ms");
    fixture f = fixture_create(text, homogeneous_machine, "1,8,64");
    isocast_prediction *prediction = predict_at_efficiency(&f, 0.5);
    static const double p[] = {1, 8, 64};
    for (size_t r = 0; r < 3; r++) {
        const isocast_prediction_row *row = &prediction->rows[r];
        double limit = 1 / (1 + p[r] * 2e9 * 0.1e-9 * p[r]);
        assert_int_equal(row->status, limit > 0.5 ? ISOCAST_ROW_OK : ISOCAST_ROW_UNREACHABLE);
        if (row->status == ISOCAST_ROW_UNREACHABLE) {
            assert_close(row->solution.best_E, limit, 1e-6);
            assert_true(isnan(row->N));
            assert_true(isnan(row->psi));
            assert_non_null(row->note);
        }
    }
    isocast_prediction_free(prediction);
    fixture_free(&f);
    free(text);
}

/* W = N, T_o = a + b N^2: E rises, then falls; both roots are those of a quadratic. */
static void two_roots_give_the_smaller(void **state) {
    (void)state;
    const double a = 1e-6;
    const double b = 1e-15;
    char *text = algorithm_text("N", "0", "1 us + 1e-15 s*N^2");
    fixture f = fixture_create(text, homogeneous_machine, "1,2");
    for (double efficiency = 0.1; efficiency < 0.999; efficiency += 0.1) {
        isocast_prediction *prediction = predict_at_efficiency(&f, efficiency);
        for (size_t r = 0; r < 2; r++) {
            const isocast_prediction_row *row = &prediction->rows[r];
            double C = 2e9 * row->p;
            /* C b N^2 - (1/E - 1) N + C a = 0 */
            double half = (1 / efficiency - 1) / (2 * C * b);
            double discriminant = half * half - a / b;
            if (discriminant < 0) {
                assert_int_equal(row->status, ISOCAST_ROW_UNREACHABLE);
                assert_close(row->solution.best_N, sqrt(a / b), 1e-4);
                assert_close(row->solution.best_E, 1 / (1 + 2 * C * sqrt(a * b)), 1e-9);
                continue;
            }
            assert_int_equal(row->status, ISOCAST_ROW_SEVERAL);
            assert_int_equal(row->solution.root_count, 2);
            double large = half + sqrt(discriminant);
            assert_close(row->solution.roots[1], large, 1e-9);
            assert_close(row->N, a / b / large, 1e-9);
        }
        isocast_prediction_free(prediction);
    }
    fixture_free(&f);
    free(text);
}

/* Two roots that lie close to the peak of E, between any two points of a coarse scan. */
static void two_roots_near_the_peak(void **state) {
    (void)state;
    char *text = algorithm_text("N", "0", "1 us + 1e-15 s*N^2");
    fixture f = fixture_create(text, homogeneous_machine, "1");
    double peak = 1 / (1 + 2 * 2e9 * sqrt(1e-6 * 1e-15));
    for (double below = 1e-2; below > 1e-11; below /= 10) {
        isocast_prediction *prediction = predict_at_efficiency(&f, peak * (1 - below));
        assert_int_equal(prediction->rows[0].status, ISOCAST_ROW_SEVERAL);
        assert_int_equal(prediction->rows[0].solution.root_count, 2);
        isocast_prediction_free(prediction);
    }
    isocast_prediction *prediction = predict_at_efficiency(&f, peak * (1 + 1e-9));
    assert_int_equal(prediction->rows[0].status, ISOCAST_ROW_UNREACHABLE);
    isocast_prediction_free(prediction);
    fixture_free(&f);
    free(text);
}

/* A change of protocol that lifts E over the target is reported as a jump, not passed off as a
 * root. */
static void jump_is_not_a_root(void **state) {
    (void)state;
    char *text = algorithm_text("N", "0", "if(N < 1000, 2 ns*N, 0.1 ns*N)");
    fixture f = fixture_create(text, homogeneous_machine, "1");
    isocast_prediction *prediction = predict_at_efficiency(&f, 0.5);
    assert_int_equal(prediction->rows[0].status, ISOCAST_ROW_NOT_CONVERGED);
    assert_close(prediction->rows[0].solution.jump_N, 1000, 1e-9);
    isocast_prediction_free(prediction);
    fixture_free(&f);
    free(text);
}

/* A formula that has no value gives a status, never a NaN in a number that is shown as solved. */
static void formula_without_value(void **state) {
    (void)state;
    char *text = algorithm_text("N", "0", "1 ms*log(1 - 2*N)");
    fixture f = fixture_create(text, homogeneous_machine, "1,2");
    isocast_prediction *prediction = predict_at_efficiency(&f, 0.5);
    assert_int_equal(prediction->rows[0].status, ISOCAST_ROW_NOT_CONVERGED);
    assert_non_null(prediction->rows[0].note);
    isocast_prediction_free(prediction);
    fixture_free(&f);
    free(text);
}

/* Adding n numbers: T_P = n/p + 2 lg p in units of one addition [GGKK, table 5.1]. */
static void adding_numbers(void **state) {
    (void)state;
    static const double published[][3] = {{64, 4, 0.80},  {192, 8, 0.80},  {512, 16, 0.80},
                                          {64, 32, 0.17}, {320, 16, 0.71}, {512, 32, 0.62}};
    char *text = algorithm_text("N", "0", "2 s*log2(p)");
    fixture f =
        fixture_create(text,
                       "machine: unit\n"
                       "nodes: {node: {count: 64, processors: 1, marked_speed: 1 flop/s}}\n",
                       "2,4,8,16,32,64");
    for (size_t i = 0; i < sizeof published / sizeof published[0]; i++) {
        size_t system = (size_t)log2(published[i][1]) - 1;
        isocast_prediction_request request = {.N = published[i][0],
                                              .efficiency = NAN,
                                              .systems =
                                                  (const isocast_system *const *)f.systems + system,
                                              .system_count = 1};
        isocast_prediction *prediction = NULL;
        assert_int_equal(isocast_predict(f.model, &request, &prediction), ISOCAST_OK);
        assert_true(fabs(prediction->rows[0].E - published[i][2]) <= 0.005001);
        isocast_prediction_free(prediction);
    }
    /* The isoefficiency function is K 2 p lg p, K = E/(1-E). */
    isocast_prediction *prediction = predict_at_efficiency(&f, 0.8);
    for (size_t r = 0; r < prediction->row_count; r++) {
        double p = prediction->rows[r].p;
        assert_close(prediction->rows[r].N, 4 * 2 * p * log2(p), 1e-10);
    }
    isocast_prediction_free(prediction);
    fixture_free(&f);
    free(text);
}

/* GE with Gaussian elimination's degree of concurrency, W^(2/3) processes at most [GGKK 5.4.5]. */
static void bounds_are_statuses(void **state) {
    (void)state;
    const char *text = "algorithm: bounded\n"
                       "size: {N: {description: size, min: 1}}\n"
                       "work: N^3\n"
                       "overhead: {all: 1 ns*p}\n"
                       "memory: 8 B*N^2/p\n"
                       "concurrency: N^2/4\n";
    fixture f =
        fixture_create(text,
                       "machine: small\n"
                       "nodes: {node: {count: 4096, processors: 1, marked_speed: 1 Gflop/s, "
                       "memory: 1 MB}}\n",
                       "16,4096");
    isocast_prediction *prediction = predict_at_efficiency(&f, 0.5);
    /* N^3 = 16^2, so N^2/4 = 10 processes, and 16 from N = 8 on; N^3 = 4096^2 gives 16384. */
    assert_int_equal(prediction->rows[0].status, ISOCAST_ROW_OK);
    assert_string_equal(isocast_row_ruler(&prediction->rows[0]), "concurrency");
    assert_close(prediction->rows[0].N_efficiency, pow(256, 1.0 / 3), 1e-9);
    assert_close(prediction->rows[0].N, 8, 1e-12);
    assert_close(prediction->rows[0].E, 512 / (512 + 256.0), 1e-12);
    assert_true(prediction->rows[0].raise.complete);
    assert_int_equal(prediction->rows[1].status, ISOCAST_ROW_OK);
    assert_string_equal(isocast_row_ruler(&prediction->rows[1]), "efficiency");
    isocast_prediction_free(prediction);
    isocast_prediction_request request = {.N = 100000,
                                          .efficiency = NAN,
                                          .systems = (const isocast_system *const *)f.systems,
                                          .system_count = 2};
    assert_int_equal(isocast_predict(f.model, &request, &prediction), ISOCAST_OK);
    assert_int_equal(prediction->rows[0].status, ISOCAST_ROW_BEYOND_MEMORY);
    assert_close(prediction->rows[0].memory, 8e10 / 16, 1e-12);
    isocast_prediction_free(prediction);
    fixture_free(&f);
}

/* A million nodes are two numbers, like two nodes. */
static void a_million_nodes(void **state) {
    (void)state;
    char *text = algorithm_text("2*N^3", "0", "1 us*log2(p)*N");
    fixture f = fixture_create(text,
                               "machine: huge\n"
                               "nodes: {node: {count: 1000000, processors: 1, marked_speed: 1 "
                               "Gflop/s}}\n",
                               "1000000");
    assert_int_equal(f.systems[0]->count, 1);
    isocast_prediction *prediction = predict_at_efficiency(&f, 0.5);
    /* 2 N^3/C = 1 us lg p N at E = 1/2. */
    assert_close(prediction->rows[0].N, sqrt(1e-6 * log2(1e6) * 1e15 / 2), 1e-9);
    isocast_prediction_free(prediction);
    fixture_free(&f);
    free(text);
}

/* Errors of parameters reach N' to first order: for T_o = c p N and W = 2/3 N^3 the root is
 * N = sqrt(3/2 K c p C), so d ln N = 1/2 d ln c. */
static void interval_follows_parameter_errors(void **state) {
    (void)state;
    char *text = algorithm_text("2/3*N^3", "0", "N*T_bcast(8 B)");
    fixture f =
        fixture_create(text,
                       "machine: uncertain\n"
                       "nodes: {node: {count: 64, processors: 1, marked_speed: 1 Gflop/s}}\n"
                       "parameters: {c: 10 us}\n"
                       "operations: {T_bcast: c*p}\n"
                       "calibration:\n"
                       "  standard_errors: {c: 0.4 us}\n",
                       "2,64");
    isocast_prediction *prediction = predict_at_efficiency(&f, 0.5);
    for (size_t r = 0; r < 2; r++) {
        const isocast_prediction_row *row = &prediction->rows[r];
        double reach = 1.6448536269514722 * 0.5 * 0.04;
        assert_close(row->N_low, row->N * exp(-reach), 1e-6);
        assert_close(row->N_high, row->N * exp(reach), 1e-6);
    }
    isocast_prediction_free(prediction);
    fixture_free(&f);
    free(text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(theorem_1),
        cmocka_unit_test(theorem_2),
        cmocka_unit_test(corollary_1),
        cmocka_unit_test(corollary_2),
        cmocka_unit_test(isospeed_is_the_homogeneous_case),
        cmocka_unit_test(units_change_nothing),
        cmocka_unit_test(root_put_back),
        cmocka_unit_test(unreachable_names_the_best),
        cmocka_unit_test(two_roots_give_the_smaller),
        cmocka_unit_test(two_roots_near_the_peak),
        cmocka_unit_test(jump_is_not_a_root),
        cmocka_unit_test(formula_without_value),
        cmocka_unit_test(adding_numbers),
        cmocka_unit_test(bounds_are_statuses),
        cmocka_unit_test(a_million_nodes),
        cmocka_unit_test(interval_follows_parameter_errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
