/* Laws across the metrics: what each holds, how their psi agree, and that the proofs of the solver
 * hold for each. Models are drawn from a seed. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "model/base/buffer.h"
#include "model/solve/elasticity.h"
#include "model/solve/held.h"
#include "model/solve/psi_matrix.h"
#include "model/solve/solver.h"
#include "model_fixture.h"

/* Sanitizers make each of them ten times as long. */
#ifdef __SANITIZE_ADDRESS__
enum { MODELS = 15 };
#else
enum { MODELS = 60 };
#endif

/* xorshift64*: the same models everywhere. */
static double draw(uint64_t *state, double low, double high) {
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    double unit = (double)((*state * 0x2545F4914F6CDD1DULL) >> 11) / 9007199254740992.0;
    return low * pow(high / low, unit);
}

static void assert_close(double actual, double expected, double relative) {
    if (!(fabs(actual - expected) <= relative * fabs(expected))) {
        fail_msg("%.17g is not %.17g within %g", actual, expected, relative);
    }
}

/* W = a N^k, overhead that grows slower; on 1 to 64 nodes of one class. `scale` writes the same in
 * units of so many seconds and flops. */
static fixture draw_model(uint64_t seed, double seconds, double flops, const char *machine_extra) {
    static const char *const overheads[] = {"%.17g s*p*N", "%.17g s*N*log2(p + 1) + 1e-3 s*p*%.17g",
                                            "%.17g s*sqrt(N)*p^1.5", "%.17g s*p*N*log2(N + 1)",
                                            "%.17g s*(p - 1)*ceil(N/8)"};
    uint64_t state = seed * 7919 + 1;
    double a = draw(&state, 0.5, 20);
    int k = draw(&state, 1, 2) < 1.5 ? 2 : 3;
    double t_c = draw(&state, 1e-10, 1e-8);
    double speed = draw(&state, 0.3, 1.2) / t_c;
    double overhead = draw(&state, 1e-7, 1e-4);
    char term[128];
    snprintf(term, sizeof term, overheads[seed % 5], overhead / seconds, 1 / seconds);
    isocast_buffer algorithm = {0};
    isocast_buffer machine = {0};
    isocast_buffer_printf(&algorithm,
                          "algorithm: drawn\nsize: {N: {min: 2}}\nwork: %.17g*N^%d*%.17g flop\n"
                          "compute: W*t_c/p\noverhead:\n  all: (%s)*%.17g\n",
                          a / flops, k, flops, term, seconds);
    isocast_buffer_printf(&machine,
                          "machine: drawn\nnodes: {node: {count: 4096, processors: 4, "
                          "marked_speed: %.17g Mflop/s, memory: 64 GB}}\n"
                          "parameters: {t_c: %.17g ns/flop}\n%s",
                          speed / 1e6, t_c * 1e9, machine_extra);
    fixture f = fixture_create(algorithm.text, machine.text, "4x1,4x2,4x5,4x16");
    isocast_buffer_free(&algorithm);
    isocast_buffer_free(&machine);
    return f;
}

/* Holds on all systems what the metric has on the first at N. */
static isocast_prediction *hold(const fixture *f, isocast_metric metric, double N) {
    isocast_prediction_request request = {.base = f->systems[0],
                                          .N = N,
                                          .efficiency = NAN,
                                          .systems = (const isocast_system *const *)f->systems + 1,
                                          .system_count = f->system_count - 1,
                                          .metric = metric};
    isocast_prediction *prediction = NULL;
    assert_int_equal(isocast_predict(f->model, &request, &prediction), ISOCAST_OK);
    return prediction;
}

static double psi_of(const isocast_prediction *p, size_t row) {
    assert_true(p->rows[row].status == ISOCAST_ROW_OK ||
                p->rows[row].status == ISOCAST_ROW_SEVERAL);
    return p->rows[row].psi_from_base;
}

/* Where the efficiency is held, L_e = (1 - E) T: latency and time-scale are T/T', at the same N. */
static void latency_is_time_scale(void **unused) {
    (void)unused;
    for (uint64_t seed = 0; seed < MODELS; seed++) {
        fixture f = draw_model(seed, 1, 1, "");
        isocast_prediction *latency = hold(&f, ISOCAST_METRIC_LATENCY, 500);
        isocast_prediction *time = hold(&f, ISOCAST_METRIC_TIME_SCALE, 500);
        isocast_prediction *function = hold(&f, ISOCAST_METRIC_ISOEFFICIENCY, 500);
        for (size_t r = 0; r < time->row_count; r++) {
            const isocast_prediction_row *row = &time->rows[r];
            assert_true(latency->rows[r].N == row->N && function->rows[r].N == row->N);
            assert_close(psi_of(latency, r), psi_of(time, r), 1e-8);
            assert_close(psi_of(time, r), time->base.T / row->T, 1e-15);
            assert_true(isnan(function->rows[r].psi_from_base));
            assert_close(row->T_alone / (row->R_f * row->T), time->target, 1e-10);
            assert_close(latency->rows[r].latency, (1 - time->target) * row->T, 1e-8);
        }
        isocast_prediction_free(latency);
        isocast_prediction_free(time);
        isocast_prediction_free(function);
        fixture_free(&f);
    }
}

/* At a constant average speed W/(R_f T), R_f'W/(R_f W') is T/T' at isospeed's own W'. */
static void isospeed_is_a_ratio_of_times(void **unused) {
    (void)unused;
    for (uint64_t seed = 0; seed < MODELS; seed++) {
        fixture f = draw_model(seed, 1, 1, "");
        isocast_prediction *p = hold(&f, ISOCAST_METRIC_ISOSPEED, 500);
        for (size_t r = 0; r < p->row_count; r++) {
            assert_close(psi_of(p, r), p->base.T / p->rows[r].T, 1e-9);
            assert_close(p->rows[r].W / (p->rows[r].R_f * p->rows[r].T), p->target, 1e-10);
        }
        isocast_prediction_free(p);
        fixture_free(&f);
    }
}

/* Where R_f = p and all processors are alike, isospeed is isospeed-efficiency, and so is what holds
 * T(W,1), as that is W t_c: the same N and psi. */
static void homogeneous_metrics_agree(void **unused) {
    (void)unused;
    for (uint64_t seed = 0; seed < MODELS; seed++) {
        fixture f = draw_model(seed, 1, 1, "");
        isocast_prediction *e = hold(&f, ISOCAST_METRIC_ISOSPEED_E, 500);
        for (isocast_metric m = ISOCAST_METRIC_ISOSPEED; m < (isocast_metric)ISOCAST_METRICS; m++) {
            isocast_prediction *p = hold(&f, m, 500);
            for (size_t r = 0; r < p->row_count; r++) {
                assert_true(p->rows[r].R_f == p->rows[r].p);
                assert_close(p->rows[r].N, e->rows[r].N, 1e-9);
                if (isocast_metric_row_of(m)->psi != NULL) {
                    assert_close(psi_of(p, r), psi_of(e, r), 1e-8);
                }
            }
            isocast_prediction_free(p);
        }
        isocast_prediction_free(e);
        fixture_free(&f);
    }
}

/* R_f of the machine file stands in for p: another N', and psi by that R_f. */
static void reference_factors_are_used(void **unused) {
    (void)unused;
    static const char section[] = "reference:\n  factors: {4x1: 3, 4x2: 5.5, 4x5: 13, 4x16: 39}\n";
    static const double R_f[] = {3, 5.5, 13, 39};
    for (uint64_t seed = 0; seed < MODELS; seed++) {
        fixture plain = draw_model(seed, 1, 1, "");
        fixture f = draw_model(seed, 1, 1, section);
        for (isocast_metric m = ISOCAST_METRIC_ISOSPEED; m < (isocast_metric)ISOCAST_METRICS; m++) {
            isocast_prediction *p = hold(&f, m, 500);
            isocast_prediction *without = hold(&plain, m, 500);
            assert_close(p->target, without->target * 4 / 3, 1e-12);
            for (size_t r = 0; r < p->row_count; r++) {
                const isocast_prediction_row *row = &p->rows[r];
                assert_true(row->R_f == R_f[r + 1]);
                if (row->status != ISOCAST_ROW_OK) {
                    continue;
                }
                bool work = isocast_metric_row_of(m)->numerator == ISOCAST_NUMERATOR_WORK;
                assert_close((work ? row->W : row->T_alone) / (R_f[r + 1] * row->T), p->target,
                             1e-10);
                assert_true(row->N < without->rows[r].N);
                if (m == ISOCAST_METRIC_ISOSPEED) {
                    assert_close(row->psi_from_base, row->R_f * p->base.W / (3 * row->W), 1e-14);
                }
            }
            isocast_prediction_free(p);
            isocast_prediction_free(without);
        }
        fixture_free(&plain);
        fixture_free(&f);
    }
}

/* Other units of time and work in both files change no N and no psi. */
static void units_change_nothing(void **unused) {
    (void)unused;
    for (uint64_t seed = 0; seed < MODELS; seed++) {
        fixture f = draw_model(seed, 1, 1, "");
        fixture g = draw_model(seed, 3600e-3, 1e3, "");
        for (isocast_metric m = 0; m < (isocast_metric)ISOCAST_METRICS; m++) {
            isocast_prediction *p = hold(&f, m, 500);
            isocast_prediction *q = hold(&g, m, 500);
            assert_close(q->target, p->target, 1e-12);
            for (size_t r = 0; r < p->row_count; r++) {
                assert_close(q->rows[r].N, p->rows[r].N, 1e-9);
                if (isocast_metric_row_of(m)->psi != NULL) {
                    assert_close(psi_of(q, r), psi_of(p, r), 1e-9);
                }
            }
            isocast_prediction_free(p);
            isocast_prediction_free(q);
        }
        fixture_free(&f);
        fixture_free(&g);
    }
}

/* Sign changes of what is held about the target over a dense scan, from what is evaluated alone. */
static size_t count_crossings(const fixture *f, isocast_metric metric, const isocast_system *system,
                              double target, double high) {
    enum { POINTS = 200001 };
    double *N = malloc(2 * POINTS * sizeof *N);
    assert_non_null(N);
    double *held = N + POINTS;
    for (size_t i = 0; i < POINTS; i++) {
        N[i] = 2 * exp(log(high / 2) * (double)i / (POINTS - 1));
    }
    isocast_model_points points = {.count = POINTS, .N = N, .systems = &system};
    double sum_error;
    assert_int_equal(isocast_held_evaluate(f->model, metric, &points, held, NULL, &sum_error),
                     ISOCAST_OK);
    size_t count = 0;
    for (size_t i = 1; i < POINTS; i++) {
        count += (held[i - 1] < target) != (held[i] < target);
    }
    free(N);
    return count;
}

/* All roots are found, and proved to be all, also where T(W,1) has factors and steps of its own: a
 * time per flop that grows with ln of what a process holds, and one that steps out of a cache. */
static void proofs_hold(void **unused) {
    (void)unused;
    static const char *const computes[] = {
        "W*t_c/p*(1 + 0.1*log2(N*N/p + 1))", "W*t_c/p*if(8 B*N^2/p > 200 kB, 1.6, 1)",
        "t_c*1 flop*N*ceil(N/p)*N", "W*t_c/p*(1 + 0.3*min(1, N/(300*sqrt(p))))"};
    size_t several = 0;
    for (uint64_t seed = 0; seed < 24; seed++) {
        uint64_t state = seed * 104729 + 3;
        isocast_buffer text = {0};
        isocast_buffer_printf(&text,
                              "algorithm: proofs\nsize: {N: {min: 2, max: 4000}}\n"
                              "work: 2*N^3\ncompute: %s\noverhead:\n  a: %.5g s*p*N\n"
                              "  b: %.5g s*N^2\n",
                              computes[seed % 4], draw(&state, 1e-7, 1e-5),
                              draw(&state, 1e-11, 1e-9));
        fixture f = fixture_create(text.text,
                                   "machine: proofs\nnodes: {node: {count: 99, processors: 1, "
                                   "marked_speed: 1 Gflop/s}}\nparameters: {t_c: 1 ns/flop}\n",
                                   "4,16");
        for (size_t i = 0; i < f.system_count; i++) {
            for (isocast_metric m = 0; m < (isocast_metric)ISOCAST_METRICS; m++) {
                double target = draw(&state, 0.2, 1.3) * (m == ISOCAST_METRIC_ISOSPEED ? 1e9 : 1);
                isocast_solution solution;
                const isocast_solve_request request = {
                    .model = f.model, .metric = m, .system = f.systems[i], .target = target};
                assert_int_equal(isocast_solve(&request, &solution), ISOCAST_OK);
                size_t scanned = count_crossings(&f, m, f.systems[i], target, 4000);
                bool kept_all = !solution.more_roots && isnan(solution.jump_N);
                /* A jump over the target is no root, and ceil makes many. */
                if (solution.complete && kept_all && seed % 4 != 2) {
                    assert_int_equal(solution.root_count, scanned);
                }
                assert_true(scanned == 0 || solution.root_count > 0 || !isnan(solution.jump_N));
                several += solution.root_count > 1;
            }
        }
        isocast_buffer_free(&text);
        fixture_free(&f);
    }
    assert_true(several > 0);
}

/* The interval of N and the elasticities are those of the metric's own condition: solved again with
 * t_c a little larger. */
static void errors_follow_the_metric(void **unused) {
    (void)unused;
    static const char *const machine =
        "machine: errors\nnodes: {node: {count: 99, processors: 1, marked_speed: 1 Gflop/s}}\n"
        "parameters: {t_c: %.17g ns/flop \xC2\xB1 0.01 %%}\n";
    static const char *const algorithm = "algorithm: errors\nsize: {N: {min: 2}}\nwork: 2*N^3\n"
                                         "compute: W*t_c/p\noverhead:\n  a: 1e-6 s*p*N\n";
    for (isocast_metric m = 0; m < (isocast_metric)ISOCAST_METRICS; m++) {
        double target = m == ISOCAST_METRIC_ISOSPEED ? 0.3e9 : 0.3;
        double N[2];
        double low = NAN;
        double high = NAN;
        double elasticity = NAN;
        for (size_t i = 0; i < 2; i++) {
            char text[256];
            snprintf(text, sizeof text, machine, i == 0 ? 1.0 : 1.0001);
            fixture f = fixture_create(algorithm, text, "8");
            isocast_prediction_request request = {.N = NAN,
                                                  .efficiency = target,
                                                  .systems =
                                                      (const isocast_system *const *)f.systems,
                                                  .system_count = 1,
                                                  .metric = m};
            isocast_prediction *p = NULL;
            assert_int_equal(isocast_predict(f.model, &request, &p), ISOCAST_OK);
            N[i] = p->rows[0].N;
            if (i == 0) {
                low = p->rows[0].N_low;
                high = p->rows[0].N_high;
                isocast_drivers drivers = {0};
                assert_int_equal(isocast_drivers_find(p, &request, 0, &drivers), ISOCAST_OK);
                for (size_t d = 0; d < drivers.count; d++) {
                    if (strcmp(drivers.items[d].name, "t_c") == 0) {
                        elasticity = drivers.items[d].elasticity;
                    }
                }
                isocast_drivers_free(&drivers);
            }
            isocast_prediction_free(p);
            fixture_free(&f);
        }
        double moved = log(N[1] / N[0]) / log(1.0001);
        assert_close(elasticity, moved, 2e-3);
        assert_close(log(high / low) / (2 * 1.6448536), fabs(moved) * 1e-4, 2e-3);
    }
}

static isocast_psi_matrix *matrix_of(const fixture *f, isocast_metric metric, double efficiency,
                                     isocast_prediction **prediction,
                                     isocast_prediction_request *request) {
    *request = (isocast_prediction_request){.N = NAN,
                                            .efficiency = efficiency,
                                            .systems = (const isocast_system *const *)f->systems,
                                            .system_count = f->system_count,
                                            .metric = metric};
    isocast_psi_matrix *matrix = NULL;
    assert_int_equal(isocast_predict(f->model, request, prediction), ISOCAST_OK);
    assert_int_equal(isocast_psi_matrix_predict(*prediction, request, &matrix), ISOCAST_OK);
    return matrix;
}

/* Where their premises hold, the theorems of [CSW 3.4] give psi; where they do not, nothing is
 * given, and why. */
static void theorems_stand_beside_psi(void **unused) {
    (void)unused;
    static const char *const machine =
        "machine: mixed\nnodes:\n"
        "  server: {count: 4, processors: 4, marked_speed: 20.88 Mflop/s}\n"
        "  blade: {count: 4096, processors: 1, marked_speed: 51 Mflop/s}\n"
        "parameters: {t_c: 2e-8 s/flop}\n";
    static const struct {
        const char *sequential, *compute, *systems;
        bool theorem_1, corollary_2, theorem_2;
    } cases[] = {
        {"0", "", "server:2+blade:1,server:2+blade:7", true, true, true},
        {"1e-4", "", "server:2+blade:1,server:2+blade:7", true, false, true},
        {"1e-4", "", "blade:2,server:2+blade:7", true, false, false},
        {"1/(1000*N)", "", "server:2+blade:1,server:2+blade:7", false, false, false},
        {"0", "compute: W*t_c/p\n", "server:2+blade:1,server:2+blade:7", false, false, false}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        isocast_buffer text = {0};
        isocast_buffer_printf(&text,
                              "algorithm: theorems\nsize: {N: {min: 2}}\nwork: 2*N^3\n"
                              "sequential: %s\n%soverhead:\n  a: 1 ms*p + 1 us*N*p\n",
                              cases[i].sequential, cases[i].compute);
        fixture f = fixture_create(text.text, machine, cases[i].systems);
        isocast_prediction *prediction = NULL;
        isocast_prediction_request request;
        isocast_psi_matrix *matrix =
            matrix_of(&f, ISOCAST_METRIC_ISOSPEED_E, 0.3, &prediction, &request);
        assert_int_equal(matrix->pair_count, 2);
        for (size_t k = 0; k < 2; k++) {
            const isocast_psi_pair *pair = &matrix->pairs[k];
            assert_true(isfinite(pair->psi));
            assert_int_equal(isfinite(pair->theorem_1), cases[i].theorem_1);
            assert_int_equal(isfinite(pair->corollary_2), cases[i].corollary_2);
            assert_int_equal(isfinite(pair->theorem_2), cases[i].theorem_2);
            const double said[] = {pair->theorem_1, pair->corollary_2, pair->theorem_2};
            bool all = true;
            for (size_t t = 0; t < 3; t++) {
                all = all && isfinite(said[t]);
                if (isfinite(said[t])) {
                    assert_close(said[t], pair->psi, 1e-8);
                }
            }
            assert_int_equal(pair->reason == NULL, all);
        }
        assert_close(matrix->pairs[0].psi * matrix->pairs[1].psi, 1, 1e-12);
        assert_ptr_equal(isocast_psi_matrix_at(matrix, 1, 0), &matrix->pairs[1]);
        isocast_psi_matrix_free(matrix);
        isocast_prediction_free(prediction);
        matrix = matrix_of(&f, ISOCAST_METRIC_TIME_SCALE, 0.2, &prediction, &request);
        assert_true(isnan(matrix->pairs[0].theorem_1) && matrix->pairs[0].reason != NULL);
        isocast_psi_matrix_free(matrix);
        isocast_prediction_free(prediction);
        isocast_buffer_free(&text);
        fixture_free(&f);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(latency_is_time_scale),     cmocka_unit_test(isospeed_is_a_ratio_of_times),
        cmocka_unit_test(homogeneous_metrics_agree), cmocka_unit_test(reference_factors_are_used),
        cmocka_unit_test(units_change_nothing),      cmocka_unit_test(proofs_hold),
        cmocka_unit_test(errors_follow_the_metric),  cmocka_unit_test(theorems_stand_beside_psi)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
