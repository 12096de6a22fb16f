/* Intervals of predictions against an independent Monte Carlo: the machine is drawn again by
 * another generator, bound and solved as a user would. */
#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "model/base/buffer.h"
#include "model/base/order.h"
#include "model/solve/prediction.h"
#include "model/solve/psi_matrix.h"
#include "model_fixture.h"

enum { DRAWS = 700, PARAMETERS = 4, SYSTEMS = 3, SETS = 4 };

typedef struct machine_case {
    const char *what;
    const char *algorithm;     /* from `work` on */
    double values[PARAMETERS]; /* start, byte, t_c, sync, SI */
    double errors[PARAMETERS]; /* relative */
    double correlation;        /* of the first two */
    double efficiency;         /* NAN: that of the first system at N = 400 */
    double tolerance; /* of the ends, in reaches of the interval: a tenth is allowed for curvature,
                         and the ends of so many draws are known to a twentieth */
} machine_case;

static const machine_case cases[] = {
    {"small errors",
     "work: 2/3*N^3\ncompute: W*t_c/p\noverhead:\n  a: N*T_bcast(8 B*N)\n  b: N*T_sync()\n",
     {5e-6, 1e-9, 0.6e-9, 3e-6},
     {0.03, 0.05, 0.02, 0.04},
     -0.9,
     0.4,
     0.2},
    {"large errors, which are curved",
     "work: 2/3*N^3\ncompute: W*t_c/p\noverhead:\n  a: N*T_bcast(8 B*N)\n  b: N*T_sync()\n",
     {5e-6, 1e-9, 0.6e-9, 3e-6},
     {0.25, 0.2, 0.15, 0.25},
     0.5,
     0.6,
     0.2},
    {"a switch at the root",
     "work: 2/3*N^3\ncompute: W*t_c/p\noverhead:\n"
     "  a: if(N < 423, N*T_bcast(8 B*N), N*T_bcast(8 B*423) + 6*(N - 423)*T_bcast(8 B*N))\n",
     {5e-6, 1e-9, 0.6e-9, 3e-6},
     {0.05, 0.05, 0.05, 0.05},
     0,
     0.6,
     0.2},
    {"large errors, and sums to N",
     "work: 2/3*N^3\ncompute: W*t_c/p\noverhead:\n  a: sum(i, 0, N-2, T_bcast(8 B*(N-i)))\n"
     "  b: N*T_sync()\n",
     {5e-6, 1e-9, 0.6e-9, 3e-6},
     {0.25, 0.2, 0.15, 0.25},
     0.5,
     0.6,
     0.2},
    {"what a base has",
     "work: 2/3*N^3\ncompute: W*t_c/p\noverhead:\n  a: sum(i, 0, N-2, T_bcast(8 B*(N-i)))\n"
     "  b: N*T_sync()\n",
     {5e-6, 1e-9, 0.6e-9, 3e-6},
     {0.1, 0.05, 0.05, 0.1},
     0.3,
     NAN,
     0.2},
};

static char *machine_text(const double *values, const machine_case *with_errors) {
    static const char *const names[PARAMETERS] = {"start", "byte", "t_c", "sync"};
    static const char *const units[PARAMETERS] = {"s", "s/B", "s/flop", "s"};
    isocast_buffer text = {0};
    isocast_buffer_puts(&text, "machine: m\nnodes: {node: {count: 4096, marked_speed: 1 Gflop/s}}\n"
                               "parameters:\n");
    for (int i = 0; i < PARAMETERS; i++) {
        isocast_buffer_printf(&text, "  %s: %.17g %s\n", names[i], values[i], units[i]);
    }
    isocast_buffer_puts(&text, "operations:\n  T_bcast: ceil(log2(p))*(start + byte*m)\n"
                               "  T_sync: sync*(p - 1)\n");
    if (with_errors != NULL) {
        double sd[PARAMETERS];
        isocast_buffer_puts(&text, "calibration:\n  covariance:\n"
                                   "    parameters: [start, byte, t_c, sync]\n    matrix:\n");
        for (int i = 0; i < PARAMETERS; i++) {
            sd[i] = values[i] * with_errors->errors[i];
        }
        for (int i = 0; i < PARAMETERS; i++) {
            isocast_buffer_puts(&text, "      - [");
            for (int j = 0; j < PARAMETERS; j++) {
                double r = i == j ? 1 : i + j == 1 ? with_errors->correlation : 0;
                isocast_buffer_printf(&text, "%s%.17g", j > 0 ? ", " : "", r * sd[i] * sd[j]);
            }
            isocast_buffer_puts(&text, "]\n");
        }
    }
    return isocast_buffer_take(&text);
}

static isocast_prediction *predict(const machine_case *c, const fixture *f, double N) {
    bool base = isnan(c->efficiency) && isnan(N);
    isocast_prediction_request request = {.base = base ? f->systems[0] : NULL,
                                          .N = base ? 400 : N,
                                          .efficiency = base || !isnan(N) ? NAN : c->efficiency,
                                          .systems = (const isocast_system *const *)f->systems,
                                          .system_count = f->system_count};
    isocast_prediction *prediction = NULL;
    assert_int_equal(isocast_predict(f->model, &request, &prediction), ISOCAST_OK);
    return prediction;
}

static fixture make(const machine_case *c, const double *values, bool with_errors) {
    isocast_buffer algorithm = {0};
    isocast_buffer_printf(&algorithm, "algorithm: a\nsize: {N: {min: 1}}\n%s", c->algorithm);
    char *machine = machine_text(values, with_errors ? c : NULL);
    fixture f = fixture_create(algorithm.text, machine, "4,8,32");
    free(machine);
    isocast_buffer_free(&algorithm);
    return f;
}

static int compare(const void *a, const void *b) {
    return isocast_order(*(const double *)a, *(const double *)b);
}

/* The interval of draws, which are sorted, against what was reported. */
static void check(const machine_case *c, const char *quantity, double *draws, double low,
                  double high) {
    qsort(draws, DRAWS, sizeof *draws, compare);
    double due_low = draws[(size_t)(0.05 * DRAWS)];
    double due_high = draws[(size_t)(0.95 * DRAWS)];
    double reach = log(due_high / due_low) / 2;
    if (!(fabs(log(low / due_low)) <= c->tolerance * reach &&
          fabs(log(high / due_high)) <= c->tolerance * reach)) {
        print_error("%s: %s from %g to %g, by draws from %g to %g\n", c->what, quantity, low, high,
                    due_low, due_high);
        fail();
    }
}

static void intervals_agree_with_draws(void **state) {
    (void)state;
    gsl_rng *random = gsl_rng_alloc(gsl_rng_taus2);
    double *N = malloc(3 * SYSTEMS * DRAWS * sizeof *N);
    assert_non_null(N);
    double *psi = N + SYSTEMS * DRAWS;
    double *T = psi + SYSTEMS * DRAWS;
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        const machine_case *c = &cases[k];
        fixture f = make(c, c->values, true);
        isocast_prediction *reported = predict(c, &f, NAN);
        isocast_prediction *at_size = predict(c, &f, 500);
        for (size_t d = 0; d < DRAWS; d++) {
            double z[PARAMETERS];
            double values[PARAMETERS];
            for (int i = 0; i < PARAMETERS; i++) {
                z[i] = gsl_ran_gaussian(random, 1);
            }
            z[1] = c->correlation * z[0] + sqrt(1 - c->correlation * c->correlation) * z[1];
            for (int i = 0; i < PARAMETERS; i++) {
                values[i] = c->values[i] * (1 + c->errors[i] * z[i]);
            }
            fixture drawn = make(c, values, false);
            isocast_prediction *p = predict(c, &drawn, NAN);
            isocast_prediction *q = predict(c, &drawn, 500);
            for (size_t r = 0; r < SYSTEMS; r++) {
                N[r * DRAWS + d] = p->rows[r].N;
                psi[r * DRAWS + d] = p->rows[r].psi;
                T[r * DRAWS + d] = q->rows[r].T;
            }
            isocast_prediction_free(p);
            isocast_prediction_free(q);
            fixture_free(&drawn);
        }
        for (size_t r = 1; r < SYSTEMS; r++) {
            assert_false(reported->rows[r].interval_is_rough);
            check(c, "N", N + r * DRAWS, reported->rows[r].N_low, reported->rows[r].N_high);
            check(c, "psi", psi + r * DRAWS, reported->rows[r].psi_low, reported->rows[r].psi_high);
            check(c, "T", T + r * DRAWS, at_size->rows[r].T_low, at_size->rows[r].T_high);
        }
        isocast_prediction_free(reported);
        isocast_prediction_free(at_size);
        fixture_free(&f);
    }
    free(N);
    gsl_rng_free(random);
}

/* Runs differ between launches and within them: T and E of a run are known no better, N' is. */
static void spread_of_runs_counts_in_T(void **state) {
    (void)state;
    static const char machine[] =
        "machine: m\nnodes: {node: {count: 64, marked_speed: 1 Gflop/s}}\n"
        "operations:\n"
        "  T_bcast: {fit: {mean_error: 0.03}, start: 9 us ± 1 %}\n"
        "calibration:\n  sigma: {launch: 0.08, within: 0.06}\n";
    fixture f = fixture_create("algorithm: a\nsize: {N: {min: 1}}\nwork: 2/3*N^3\n"
                               "compute: 0 s\noverhead:\n  a: N*p*T_bcast(8 B)\n",
                               machine, "4,16");
    isocast_prediction_request request = {.N = NAN,
                                          .efficiency = 0.2,
                                          .systems = (const isocast_system *const *)f.systems,
                                          .system_count = 2};
    static const double levels[] = {0, 0.5, 0.99};
    static const double reaches[] = {1.6448536269514722, 0.6744897501960817, 2.5758293035489};
    for (size_t k = 0; k < 3; k++) {
        request.level = levels[k];
        isocast_prediction *p = NULL;
        assert_int_equal(isocast_predict(f.model, &request, &p), ISOCAST_OK);
        for (size_t r = 0; r < 2; r++) {
            const isocast_prediction_row *row = &p->rows[r];
            /* N^2 is proportional to T_bcast, which is all of T. */
            double N_reach = reaches[k] * 0.01 / 2;
            double misfit = 0.03 * sqrt(acos(-1) / 2);
            double T_reach = reaches[k] * sqrt(1e-4 + 0.08 * 0.08 + 0.06 * 0.06 + misfit * misfit);
            assert_true(fabs(log(row->N_high / row->N) / N_reach - 1) < 1e-3);
            assert_true(fabs(log(row->T_high / row->T) / T_reach - 1) < 1e-3);
            assert_true(fabs(log(row->E / row->E_low) / T_reach - 1) < 1e-3);
        }
        /* The same error moves both N alike, so that psi does not move. */
        assert_true(fabs(p->rows[1].psi_high / p->rows[1].psi - 1) < 1e-9);
        isocast_prediction_free(p);
    }
    isocast_prediction *none = NULL;
    request.level = 1;
    assert_int_equal(isocast_predict(f.model, &request, &none), ISOCAST_ARGUMENT);
    fixture_free(&f);
}

/* What formulas miss moves all coefficients of an operation: on all systems alike as far as it was
 * measured, and more and more beyond, which psi sees. */
static void what_formulas_miss_counts(void **state) {
    (void)state;
    static const struct {
        double misfit, drift, tolerance;
    } missed[] = {{0.02, 0.03, 5e-3}, {0.2, 0.15, 0.06}};
    static const double z = 1.6448536269514722;
    for (size_t k = 0; k < sizeof missed / sizeof missed[0]; k++) {
        isocast_buffer machine = {0};
        isocast_buffer_printf(
            &machine,
            "machine: m\nnodes: {node: {count: 64, marked_speed: 1 Gflop/s}}\n"
            "operations:\n"
            "  T_bcast: {measured: {p: [2, 4]}, fit: {mean_error: 0.5, misfit: %g, "
            "drift: %g}, start: 7 us ± 1 %%, step: 2 us}\n",
            missed[k].misfit, missed[k].drift);
        fixture f = fixture_create("algorithm: a\nsize: {N: {min: 1}}\nwork: 2/3*N^3\n"
                                   "compute: 0 s\noverhead:\n  a: N*p*T_bcast(8 B)\n",
                                   machine.text, "4,16");
        isocast_prediction_request request = {.N = NAN,
                                              .efficiency = 0.2,
                                              .systems = (const isocast_system *const *)f.systems,
                                              .system_count = 2};
        isocast_prediction *p = NULL;
        assert_int_equal(isocast_predict(f.model, &request, &p), ISOCAST_OK);
        double off[2]; /* sd of ln T at a given N */
        for (size_t r = 0; r < 2; r++) {
            const isocast_prediction_row *row = &p->rows[r];
            double start = 7e-6 / (7e-6 + 2e-6 * (r == 0 ? 2 : 4)) * 0.01;
            double beyond = r == 0 ? 0 : missed[k].drift * log(4);
            off[r] = sqrt(start * start + missed[k].misfit * missed[k].misfit + beyond * beyond);
            /* E is proportional to N^2 over a factor of T. */
            double N_reach = log((1 + z * off[r]) / (1 - z * off[r])) / 2;
            double T_reach = log((1 + z * off[r]) / (1 - z * off[r]));
            assert_true(fabs(log(row->N_high / row->N_low) / N_reach - 1) < missed[k].tolerance);
            assert_true(fabs(log(row->T_high / row->T_low) / T_reach - 1) < missed[k].tolerance);
        }
        const isocast_prediction_row *last = &p->rows[1];
        double psi_reach = z * 1.5 * missed[k].drift * log(4);
        double reported = log(last->psi_high / last->psi_low) / 2;
        assert_true(reported > 0.9 * psi_reach && reported < 1.3 * psi_reach);
        isocast_prediction_free(p);
        fixture_free(&f);
        isocast_buffer_free(&machine);
    }
}

/* What the formulas of an algorithm miss moves all its messages together, and those of no other
 * algorithm; on more processes than its runs had, another factor does, too. */
static void what_an_algorithm_misses_counts(void **state) {
    (void)state;
    static const struct {
        const char *algorithm;
        double misfit, drift;
        double p_max;
        double tolerance;
    } missed[] = {{"a", 0.02, 0, 4, 5e-3},
                  {"a", 0.2, 0, 4, 0.06},
                  {"b", 0.2, 0.1, 2, 5e-3},
                  {"a", 0.02, 0.1, 4, 5e-3},
                  {"a", 0.02, 0.03, 2, 5e-3}};
    static const double z = 1.6448536269514722;
    for (size_t k = 0; k < sizeof missed / sizeof missed[0]; k++) {
        isocast_buffer machine = {0};
        isocast_buffer_printf(&machine,
                              "machine: m\nnodes: {node: {count: 64, marked_speed: 1 Gflop/s}}\n"
                              "operations:\n"
                              "  T_send: {start: 3 us ± 0.1 %%}\n"
                              "  T_recv: {start: 5 us}\n"
                              "algorithms: {%s: {misfit: %g, drift: %g, runs: 6, "
                              "measured: {p: [2, %g]}}}\n",
                              missed[k].algorithm, missed[k].misfit, missed[k].drift,
                              missed[k].p_max);
        /* Messages are half of T at N = 8000. */
        fixture f = fixture_create("algorithm: a\nsize: {N: {min: 1}}\nwork: N\n"
                                   "compute: N * 1 ns\noverhead:\n"
                                   "  a: T_send(8 B) + T_recv(8 B)\n",
                                   machine.text, "4");
        isocast_prediction_request request = {.N = 8000,
                                              .efficiency = NAN,
                                              .systems = (const isocast_system *const *)f.systems,
                                              .system_count = 1};
        isocast_prediction *p = NULL;
        assert_int_equal(isocast_predict(f.model, &request, &p), ISOCAST_OK);
        bool own = strcmp(missed[k].algorithm, "a") == 0;
        double missing = hypot(missed[k].misfit, missed[k].drift * log(4 / missed[k].p_max));
        double off = hypot(own ? missing / 2 : 0, 3.0 / 16 * 1e-3);
        double reach = log((1 + z * off) / (1 - z * off));
        const isocast_prediction_row *row = &p->rows[0];
        assert_true(fabs(log(row->T_high / row->T_low) / reach - 1) < missed[k].tolerance);
        isocast_prediction_free(p);
        fixture_free(&f);
        isocast_buffer_free(&machine);
    }
}

/* The numbers of a table move together where the file says so. */
static void correlation_of_a_table(void **state) {
    (void)state;
    double reach[2];
    for (int k = 0; k < 2; k++) {
        isocast_buffer machine = {0};
        isocast_buffer_printf(&machine,
                              "machine: m\nnodes: {node: {count: 64, marked_speed: 1 Gflop/s}}\n"
                              "operations:\n"
                              "  T_copy: {table: {16 B: 1 us ± 10 %%, 64 B: 1 us ± 10 %%}%s}\n",
                              k == 1 ? ", correlation: 1" : "");
        fixture f = fixture_create("algorithm: a\nsize: {N: {min: 1}}\nwork: N\n"
                                   "compute: 0 s\noverhead:\n  a: T_copy(32 B)\n",
                                   machine.text, "4");
        isocast_prediction_request request = {.N = 10,
                                              .efficiency = NAN,
                                              .systems = (const isocast_system *const *)f.systems,
                                              .system_count = 1};
        isocast_prediction *p = NULL;
        assert_int_equal(isocast_predict(f.model, &request, &p), ISOCAST_OK);
        reach[k] = log(p->rows[0].T_high / p->rows[0].T_low) / 2;
        isocast_prediction_free(p);
        fixture_free(&f);
        isocast_buffer_free(&machine);
    }
    /* Half way between two numbers: each counts half. */
    assert_true(fabs(reach[1] / reach[0] - sqrt(2)) < 0.02);
}

/* A machine of two classes whose marked speeds are known to 4 % and 6 %, or drawn. */
static fixture make_classes(const double *speeds, const char *errors[2]) {
    isocast_buffer machine = {0};
    isocast_buffer_printf(&machine,
                          "machine: m\nnodes:\n"
                          "  fast: {count: 64, marked_speed: %.17g Gflop/s%s}\n"
                          "  slow: {count: 64, marked_speed: %.17g Gflop/s%s}\n"
                          "operations:\n  T_bcast: {start: 9 us, byte: 1 ns/B}\n",
                          speeds[0], errors[0], speeds[1], errors[1]);
    fixture f = fixture_create("algorithm: a\nsize: {N: {min: 1}}\nwork: 2/3*N^3\n"
                               "sequential: 0.002\noverhead:\n  a: N*log2(p)*T_bcast(8 B*N)\n",
                               machine.text, "fast:2+slow:2,fast:4+slow:12,fast:40+slow:8");
    isocast_buffer_free(&machine);
    return f;
}

static isocast_prediction *predict_classes(const fixture *f, isocast_metric metric, double target) {
    isocast_prediction_request request = {.metric = metric,
                                          .N = target > 0 ? NAN : 600,
                                          .efficiency = target > 0 ? target : NAN,
                                          .systems = (const isocast_system *const *)f->systems,
                                          .system_count = SYSTEMS};
    isocast_prediction *prediction = NULL;
    assert_int_equal(isocast_predict(f->model, &request, &prediction), ISOCAST_OK);
    return prediction;
}

/* The matrix has the intervals of the rows, and their inverses on the way back. */
static void check_matrix(const fixture *f, isocast_metric metric, double target,
                         isocast_prediction *reported) {
    const isocast_prediction_request request = {.metric = metric,
                                                .N = NAN,
                                                .efficiency = target,
                                                .systems =
                                                    (const isocast_system *const *)f->systems,
                                                .system_count = SYSTEMS};
    isocast_psi_matrix *matrix = NULL;
    assert_int_equal(isocast_psi_matrix_predict(reported, &request, &matrix), ISOCAST_OK);
    for (size_t r = 1; r < SYSTEMS; r++) {
        const isocast_psi_pair *there = isocast_psi_matrix_at(matrix, r - 1, r);
        const isocast_psi_pair *back = isocast_psi_matrix_at(matrix, r, r - 1);
        assert_true(there->psi_low == reported->rows[r].psi_low);
        assert_true(there->psi_high == reported->rows[r].psi_high);
        assert_true(back->psi_low == 1 / there->psi_high && back->psi_high == 1 / there->psi_low);
    }
    assert_true(matrix->level == reported->level);
    isocast_psi_matrix_free(matrix);
}

/* Where the file gives errors of marked speeds, all of C, T and what is held move with them. */
static void errors_of_marked_speeds_count(void **state) {
    (void)state;
    static const double speeds[2] = {2, 0.8};
    static const double relative[2] = {0.04, 0.06};
    static const char *errors[2] = {" ± 4 %", " ± 6 %"};
    static const char *none[2] = {"", ""};
    static const struct {
        isocast_metric metric;
        double target;
    } asked[] = {{ISOCAST_METRIC_ISOSPEED_E, 0.5},
                 {ISOCAST_METRIC_ISOSPEED, 0.5e9},
                 {ISOCAST_METRIC_LATENCY, 0.5}};
    const machine_case named = {.what = "marked speeds", .tolerance = 0.2};
    gsl_rng *random = gsl_rng_alloc(gsl_rng_taus2);
    double *draws = malloc(4 * SYSTEMS * DRAWS * sizeof *draws);
    assert_non_null(draws);
    for (size_t k = 0; k < sizeof asked / sizeof asked[0]; k++) {
        fixture f = make_classes(speeds, errors);
        isocast_prediction *reported = predict_classes(&f, asked[k].metric, asked[k].target);
        isocast_prediction *at_size = predict_classes(&f, asked[k].metric, 0);
        for (size_t d = 0; d < DRAWS; d++) {
            double drawn[2];
            for (size_t i = 0; i < 2; i++) {
                drawn[i] = speeds[i] * (1 + relative[i] * gsl_ran_gaussian(random, 1));
            }
            fixture g = make_classes(drawn, none);
            isocast_prediction *p = predict_classes(&g, asked[k].metric, asked[k].target);
            isocast_prediction *q = predict_classes(&g, asked[k].metric, 0);
            for (size_t r = 0; r < SYSTEMS; r++) {
                double *at = draws + r * DRAWS + d;
                at[0] = p->rows[r].N;
                at[SYSTEMS * DRAWS] = p->rows[r].psi;
                at[2 * SYSTEMS * DRAWS] = q->rows[r].T;
                at[3 * SYSTEMS * DRAWS] = q->rows[r].E;
            }
            isocast_prediction_free(p);
            isocast_prediction_free(q);
            fixture_free(&g);
        }
        for (size_t r = 0; r < SYSTEMS; r++) {
            const isocast_prediction_row *row = &reported->rows[r];
            const isocast_prediction_row *run = &at_size->rows[r];
            double *at = draws + r * DRAWS;
            check(&named, "N", at, row->N_low, row->N_high);
            if (r > 0) {
                check(&named, "psi", at + SYSTEMS * DRAWS, row->psi_low, row->psi_high);
            }
            check(&named, "T", at + 2 * SYSTEMS * DRAWS, run->T_low, run->T_high);
            check(&named, "E", at + 3 * SYSTEMS * DRAWS, run->E_low, run->E_high);
        }
        check_matrix(&f, asked[k].metric, asked[k].target, reported);
        isocast_prediction_free(reported);
        isocast_prediction_free(at_size);
        fixture_free(&f);
    }
    free(draws);
    gsl_rng_free(random);
}

/* A machine whose R_f are given, or follow from times; errors: relative, of each in turn, and of
 * the time on one processor. */
static fixture make_sets(bool times, const double *values, const double *errors) {
    static const char *const sets[SETS] = {"1x1", "2x1", "1x2", "4x2"};
    isocast_buffer text = {0};
    isocast_buffer_printf(
        &text,
        "machine: sets\nnodes: {node: {count: 4, processors: 4, marked_speed: 1 "
        "Gflop/s}}\nparameters: {t_c: 1.1 ns/flop}\noperations:\n  T_send: 100 us "
        "+ 30 ns/B*m\nreference:\n  %s:\n",
        times ? "times" : "factors");
    for (size_t k = times ? 0 : 1; k < SETS; k++) {
        isocast_buffer_printf(&text, "    %s: %.17g%s", sets[k], values[k], times ? " s" : "");
        if (errors[k] > 0) {
            isocast_buffer_printf(&text, " ± %.17g %%", 100 * errors[k]);
        }
        isocast_buffer_puts(&text, "\n");
    }
    fixture f = fixture_create("algorithm: sets\nsize: {N: {min: 2}}\nwork: 2*N^3\ncompute: "
                               "W*t_c/p\noverhead:\n  a: if(p > 1, N*T_send(8 B*N), 0 s)\n",
                               text.text, "2x1,1x2,4x2");
    isocast_buffer_free(&text);
    return f;
}

/* From a base, so that its R_f counts, too. */
static isocast_prediction *predict_sets(const fixture *f, isocast_metric metric,
                                        isocast_system_measure measure) {
    for (size_t i = 0; i < f->system_count; i++) {
        isocast_system_size_by(f->systems[i], measure);
    }
    isocast_prediction_request request = {.metric = metric,
                                          .base = f->systems[0],
                                          .systems = (const isocast_system *const *)f->systems + 1,
                                          .system_count = f->system_count - 1,
                                          .N = 500,
                                          .efficiency = NAN};
    isocast_prediction *out;
    assert_int_equal(isocast_predict(f->model, &request, &out), ISOCAST_OK);
    return out;
}

/* R_f of each set counts, and the time on one processor in those of all. */
static void errors_of_reference_factors_count(void **unused) {
    (void)unused;
    static const double factors[SETS] = {1, 1.6, 1.8, 6.4};
    static const double in_seconds[SETS] = {30, 37.5, 33, 37};
    static const double relative[SETS] = {0.06, 0.03, 0.04, 0.05};
    static const double none[SETS] = {0};
    static const struct {
        isocast_metric metric;
        isocast_system_measure measure;
        bool times;
    } asked[] = {{ISOCAST_METRIC_ISOSPEED, ISOCAST_SIZE_BY_SUM, false},
                 {ISOCAST_METRIC_ISOSPEED, ISOCAST_SIZE_BY_SUM, true},
                 {ISOCAST_METRIC_LATENCY, ISOCAST_SIZE_BY_SUM, true},
                 {ISOCAST_METRIC_ISOSPEED_E, ISOCAST_SIZE_BY_REFERENCE, true}};
    const machine_case named = {.what = "R_f", .tolerance = 0.25};
    gsl_rng *random = gsl_rng_alloc(gsl_rng_taus2);
    double *draws = malloc(3 * SETS * DRAWS * sizeof *draws);
    assert_non_null(draws);
    for (size_t k = 0; k < sizeof asked / sizeof asked[0]; k++) {
        const double *values = asked[k].times ? in_seconds : factors;
        fixture f = make_sets(asked[k].times, values, relative);
        isocast_prediction *reported = predict_sets(&f, asked[k].metric, asked[k].measure);
        for (size_t d = 0; d < DRAWS; d++) {
            double drawn[SETS];
            for (size_t i = 0; i < SETS; i++) {
                drawn[i] = values[i] * (1 + relative[i] * gsl_ran_gaussian(random, 1));
            }
            fixture g = make_sets(asked[k].times, drawn, none);
            isocast_prediction *p = predict_sets(&g, asked[k].metric, asked[k].measure);
            for (size_t r = 0; r < p->row_count; r++) {
                double *at = draws + r * DRAWS + d;
                at[0] = p->rows[r].N;
                at[SETS * DRAWS] = p->rows[r].psi_from_base;
                at[2 * SETS * DRAWS] = p->rows[r].psi;
            }
            isocast_prediction_free(p);
            fixture_free(&g);
        }
        for (size_t r = 0; r < reported->row_count; r++) {
            const isocast_prediction_row *row = &reported->rows[r];
            double *at = draws + r * DRAWS;
            check(&named, "N", at, row->N_low, row->N_high);
            check(&named, "psi from the base", at + SETS * DRAWS, row->psi_from_base_low,
                  row->psi_from_base_high);
            check(&named, "psi", at + 2 * SETS * DRAWS, row->psi_low, row->psi_high);
        }
        isocast_prediction_free(reported);
        fixture_free(&f);
    }
    free(draws);
    gsl_rng_free(random);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(intervals_agree_with_draws),
        cmocka_unit_test(spread_of_runs_counts_in_T),
        cmocka_unit_test(what_formulas_miss_counts),
        cmocka_unit_test(what_an_algorithm_misses_counts),
        cmocka_unit_test(correlation_of_a_table),
        cmocka_unit_test(errors_of_marked_speeds_count),
        cmocka_unit_test(errors_of_reference_factors_count),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
