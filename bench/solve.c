/* Solves per second of the iso-efficiency condition, in turns in one run, so that the machine's
 * noise hits all alike:
 *
 * - the batch solver, on one thread and on two;
 * - the reference path, which solves one condition after the other;
 * - the same condition written by hand in C, with GSL's Brent in a bracket that is known to be
 * good: a factor of two around the root;
 * - the same by hand with a scan for brackets over the whole range, which is what the reference
 * path has to be compared with;
 * - SciPy's brentq in the same good bracket, where python3 has SciPy.
 *
 * The engine's formulas come from a file, and it proves that it misses no root. */
#include <gsl/gsl_roots.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "model/solve/batch.h"
#include "model/solve/solver.h"
#include "model/spec/algorithm_load.h"
#include "model/spec/machine_load.h"

enum { SYSTEMS = 5, ROUNDS = 15, SCAN_POINTS = 161, FINE_PARTS = 16 };
enum { BATCH = 200000, BY_HAND = 20000, BY_SCAN = 1000, BY_REFERENCE = 1000 };

static const double processes[SYSTEMS] = {3, 5, 9, 17, 33};

/* Gaussian elimination on Sunwulf with the published formulas [CSW 4.5], by hand. */
typedef struct by_hand {
    double p;
    double C;
    double target;
} by_hand;

static double residual_at_N(const by_hand *s, double N) {
    double W = 2.0 / 3 * N * N * N - N * N / 2 - 19.0 / 6 * N + 3;
    double T_bcast = 0.12e-3 + 0.23e-3 * s->p;
    double T_send = 0.08e-3 + 0.00003e-3 * N;
    double T_barrier = 0.39e-3 * s->p;
    double T_o = T_bcast + 2 * (s->p - 1) * (T_send + T_send) + N * (2 * T_bcast + T_barrier);
    return W / ((W * 3.1e-8 / s->p + T_o) * s->C) / s->target - 1;
}

static double residual_at_x(double x, void *context) {
    return residual_at_N(context, exp(x));
}

static double close_in(by_hand *s, double left, double right) {
    gsl_function function = {residual_at_x, s};
    gsl_root_fsolver *solver = gsl_root_fsolver_alloc(gsl_root_fsolver_brent);
    gsl_root_fsolver_set(solver, &function, left, right);
    double x = left;
    for (int i = 0; i < 200; i++) {
        gsl_root_fsolver_iterate(solver);
        x = gsl_root_fsolver_root(solver);
        if (fabs(residual_at_x(x, s)) < 1e-15 ||
            gsl_root_test_interval(gsl_root_fsolver_x_lower(solver),
                                   gsl_root_fsolver_x_upper(solver), 0, 4e-16) == GSL_SUCCESS) {
            break;
        }
    }
    gsl_root_fsolver_free(solver);
    return exp(x);
}

/* N up to 10^15 on a coarse grid, then finer near the target; what lies between is missed. */
static double solve_by_hand(by_hand *s) {
    double x_min = log(2);
    double step = (log(1e15) - x_min) / (SCAN_POINTS - 1);
    double residual = residual_at_x(x_min, s);
    double root = NAN;
    for (int k = 1; k < SCAN_POINTS; k++) {
        double left = x_min + step * (k - 1);
        double next = residual_at_x(left + step, s);
        if ((residual < 0) != (next < 0) || fabs(residual) < 0.25 || fabs(next) < 0.25) {
            double before = residual;
            for (int part = 1; part <= FINE_PARTS; part++) {
                double fine = residual_at_x(left + step * part / FINE_PARTS, s);
                if ((before < 0) != (fine < 0) && isnan(root)) {
                    root = close_in(s, left + step * (part - 1) / FINE_PARTS,
                                    left + step * part / FINE_PARTS);
                }
                before = fine;
            }
        }
        residual = next;
    }
    return root;
}

static double seconds_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* The conditions: systems that take turns, and efficiencies from 0.05 to 0.6. */
typedef struct conditions {
    const isocast_system *systems[BATCH];
    double targets[BATCH];
    double N[BATCH];     /* by the batch solver */
    double N_two[BATCH]; /* by two threads */
    double N_other[BATCH];
    isocast_row_status status[BATCH];
} conditions;

static void fill(conditions *c, isocast_system *const *systems) {
    unsigned state = 1;
    for (size_t k = 0; k < BATCH; k++) {
        state = state * 1664525U + 1013904223U;
        c->systems[k] = systems[k % SYSTEMS];
        c->targets[k] = 0.05 + 0.55 * (double)(state >> 8) / 16777216.0;
    }
}

static by_hand hand_of(const conditions *c, size_t k) {
    return (by_hand){processes[k % SYSTEMS], c->systems[k]->C, c->targets[k]};
}

static isocast_status solve_batch(const isocast_model *model, conditions *c, size_t threads,
                                  double *N) {
    isocast_batch_request request = {.model = model,
                                     .count = BATCH,
                                     .systems = c->systems,
                                     .systems_stride = 1,
                                     .targets = c->targets,
                                     .targets_stride = 1,
                                     .threads = threads};
    isocast_batch_results results = {.N = N, .status = c->status};
    return isocast_batch_solve(&request, &results);
}

static void solve_in_brackets(conditions *c, size_t count) {
    for (size_t k = 0; k < count; k++) {
        by_hand s = hand_of(c, k);
        double x = log(c->N[k]);
        c->N_other[k] = close_in(&s, x - log(2) / 2, x + log(2) / 2);
    }
}

/* What is measured, in the order of its lines. */
enum { ONE_THREAD, TWO_THREADS, REFERENCE, BRACKET, SCAN, WAYS };

static const char *const way_names[WAYS] = {"batch, 1 thread", "batch, 2 threads", "reference path",
                                            "by hand, good bracket", "by hand, scan"};

static double largest_difference(const double *a, const double *b, size_t count) {
    double worst = 0;
    for (size_t k = 0; k < count; k++) {
        worst = fmax(worst, fabs(a[k] / b[k] - 1));
    }
    return worst;
}

/* Seconds a solve of each way in one round, and the largest difference of N to the batch solver. */
static isocast_status measure(const isocast_model *model, conditions *c, double seconds[WAYS],
                              double *worst) {
    double start = seconds_now();
    isocast_status status = solve_batch(model, c, 1, c->N);
    seconds[ONE_THREAD] = (seconds_now() - start) / BATCH;
    start = seconds_now();
    status = status == ISOCAST_OK ? solve_batch(model, c, 2, c->N_two) : status;
    seconds[TWO_THREADS] = (seconds_now() - start) / BATCH;
    if (status != ISOCAST_OK) {
        return status;
    }
    *worst = fmax(*worst, largest_difference(c->N_two, c->N, BATCH));
    start = seconds_now();
    for (size_t k = 0; k < BY_REFERENCE && status == ISOCAST_OK; k++) {
        isocast_solution solution = {.N = NAN};
        const isocast_solve_request request = {.model = model,
                                               .metric = ISOCAST_METRIC_ISOSPEED_E,
                                               .system = c->systems[k],
                                               .target = c->targets[k]};
        status = isocast_solve(&request, &solution);
        c->N_other[k] = solution.N;
    }
    seconds[REFERENCE] = (seconds_now() - start) / BY_REFERENCE;
    *worst = fmax(*worst, largest_difference(c->N_other, c->N, BY_REFERENCE));
    start = seconds_now();
    solve_in_brackets(c, BY_HAND);
    seconds[BRACKET] = (seconds_now() - start) / BY_HAND;
    *worst = fmax(*worst, largest_difference(c->N_other, c->N, BY_HAND));
    start = seconds_now();
    for (size_t k = 0; k < BY_SCAN; k++) {
        by_hand s = hand_of(c, k);
        c->N_other[k] = solve_by_hand(&s);
    }
    seconds[SCAN] = (seconds_now() - start) / BY_SCAN;
    *worst = fmax(*worst, largest_difference(c->N_other, c->N, BY_SCAN));
    return status;
}

static double median_of(double *values) {
    gsl_sort(values, 1, ROUNDS);
    return gsl_stats_median_from_sorted_data(values, 1, ROUNDS);
}

static int fail(const char *what, isocast_diagnostics *diagnostics) {
    isocast_buffer text = {0};
    isocast_diagnostics_render(diagnostics, &text);
    fprintf(stderr, "bench-solve: %s\n%s", what, text.text != NULL ? text.text : "");
    return EXIT_FAILURE;
}

/* Seconds a solve by SciPy; NAN where python3 has none. */
static double measure_scipy(void) {
    FILE *python = popen("python3 " ISOCAST_SOURCE_DIR "/bench/solve_scipy.py 2>/dev/null", "r");
    double seconds = NAN;
    if (python != NULL) {
        if (fscanf(python, "%lf", &seconds) != 1) {
            seconds = NAN;
        }
        pclose(python);
    }
    return seconds;
}

static void report(double seconds[WAYS][ROUNDS], double scipy, double worst) {
    double ratio[ROUNDS];
    printf("gaussian-elimination-published on sunwulf, %d systems, E = 0.05 to 0.6, whole range of "
           "N, medians of %d rounds\n",
           SYSTEMS, ROUNDS);
    for (size_t way = 1; way < WAYS; way++) {
        for (size_t round = 0; round < ROUNDS; round++) {
            ratio[round] = seconds[way][round] / seconds[ONE_THREAD][round];
        }
        double times = median_of(ratio);
        printf("%-22s batch on 1 thread is %7.2f times as fast (quartiles %.2f to %.2f)\n",
               way_names[way], times, gsl_stats_quantile_from_sorted_data(ratio, 1, ROUNDS, 0.25),
               gsl_stats_quantile_from_sorted_data(ratio, 1, ROUNDS, 0.75));
    }
    for (size_t way = 0; way < WAYS; way++) {
        double median = median_of(seconds[way]);
        printf("%-22s %12.0f solves/s  %10.1f ns a solve\n", way_names[way], 1 / median,
               1e9 * median);
    }
    if (isnan(scipy)) {
        printf("%-22s not measured: python3 has no SciPy here\n", "scipy brentq");
    } else {
        double median = median_of(seconds[ONE_THREAD]);
        printf(
            "%-22s %12.0f solves/s  %10.1f ns a solve; batch on 1 thread is %.0f times as fast\n",
            "scipy brentq", 1 / scipy, 1e9 * scipy, scipy / median);
    }
    printf("largest relative difference of N: %.1e\n", worst);
}

int main(void) {
    isocast_diagnostics diagnostics = {0};
    isocast_algorithm *algorithm = NULL;
    isocast_machine *machine = NULL;
    isocast_model *model = NULL;
    isocast_system **systems = NULL;
    size_t count = 0;
    conditions *c = malloc(sizeof *c);
    if (c == NULL ||
        isocast_algorithm_load(ISOCAST_SOURCE_DIR
                               "/specs/algorithms/gaussian-elimination-published.yaml",
                               &diagnostics, &algorithm) != ISOCAST_OK ||
        isocast_machine_load(ISOCAST_SOURCE_DIR "/specs/machines/sunwulf.yaml", &diagnostics,
                             &machine) != ISOCAST_OK ||
        isocast_model_create(algorithm, machine, &diagnostics, &model) != ISOCAST_OK ||
        isocast_systems_parse(machine, algorithm->kernel, "systems", "C2,C4,C8,C16,C32",
                              &diagnostics, &systems, &count) != ISOCAST_OK) {
        return fail("the specifications do not load", &diagnostics);
    }
    fill(c, systems);
    double seconds[WAYS][ROUNDS];
    double worst = 0;
    for (size_t round = 0; round < ROUNDS; round++) {
        double one[WAYS];
        if (measure(model, c, one, &worst) != ISOCAST_OK) {
            return fail("the engine does not solve", &diagnostics);
        }
        for (size_t way = 0; way < WAYS; way++) {
            seconds[way][round] = one[way];
        }
    }
    report(seconds, measure_scipy(), worst);
    free(c);
    isocast_systems_free(systems, count);
    isocast_model_free(model);
    isocast_machine_free(machine);
    isocast_algorithm_free(algorithm);
    return worst < 1e-9 ? EXIT_SUCCESS : EXIT_FAILURE;
}
