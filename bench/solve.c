/* Solves per second of the iso-efficiency condition, and the ratio to the same condition written by
 * hand in C, with the same root finder of GSL on a scan for brackets: what it costs that the
 * formulas come from a file, and that the engine proves that it misses no root. Both solve in turns
 * in one run, so that the machine's noise hits both. */
#include <gsl/gsl_roots.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "model/solve/prediction.h"
#include "model/solve/solver.h"
#include "model/spec/algorithm_load.h"
#include "model/spec/machine_load.h"

enum { SYSTEMS = 5, ROUNDS = 41, SOLVES = 200, SCAN_POINTS = 161, FINE_PARTS = 16 };

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

static int fail(const char *what, isocast_diagnostics *diagnostics) {
    isocast_buffer text = {0};
    isocast_diagnostics_render(diagnostics, &text);
    fprintf(stderr, "bench-solve: %s\n%s", what, text.text != NULL ? text.text : "");
    return EXIT_FAILURE;
}

int main(void) {
    isocast_diagnostics diagnostics = {0};
    isocast_algorithm *algorithm = NULL;
    isocast_machine *machine = NULL;
    isocast_model *model = NULL;
    isocast_system **systems = NULL;
    size_t count = 0;
    if (isocast_algorithm_load(ISOCAST_SOURCE_DIR
                               "/specs/algorithms/gaussian-elimination-published.yaml",
                               &diagnostics, &algorithm) != ISOCAST_OK ||
        isocast_machine_load(ISOCAST_SOURCE_DIR "/specs/machines/sunwulf.yaml", &diagnostics,
                             &machine) != ISOCAST_OK ||
        isocast_model_create(algorithm, machine, &diagnostics, &model) != ISOCAST_OK ||
        isocast_systems_parse(machine, algorithm->kernel, "systems", "C2,C4,C8,C16,C32",
                              &diagnostics, &systems, &count) != ISOCAST_OK) {
        return fail("the specifications do not load", &diagnostics);
    }
    const double target = 0.3;
    double engine[ROUNDS];
    double hand[ROUNDS];
    double ratio[ROUNDS];
    double worst = 0;
    for (int round = 0; round < ROUNDS; round++) {
        double start = seconds_now();
        double N_engine[SYSTEMS];
        for (int i = 0; i < SOLVES * SYSTEMS; i++) {
            isocast_solution solution;
            if (isocast_solve(model, systems[i % SYSTEMS], NULL, NULL, target, NULL, &solution) !=
                ISOCAST_OK) {
                return fail("the engine does not solve", &diagnostics);
            }
            N_engine[i % SYSTEMS] = solution.N;
        }
        double middle = seconds_now();
        double N_hand[SYSTEMS];
        for (int i = 0; i < SOLVES * SYSTEMS; i++) {
            by_hand s = {processes[i % SYSTEMS], systems[i % SYSTEMS]->C, target};
            N_hand[i % SYSTEMS] = solve_by_hand(&s);
        }
        double end = seconds_now();
        engine[round] = (middle - start) / (SOLVES * SYSTEMS);
        hand[round] = (end - middle) / (SOLVES * SYSTEMS);
        ratio[round] = engine[round] / hand[round];
        for (int i = 0; i < SYSTEMS; i++) {
            worst = fmax(worst, fabs(N_engine[i] / N_hand[i] - 1));
        }
    }
    gsl_sort(engine, 1, ROUNDS);
    gsl_sort(hand, 1, ROUNDS);
    gsl_sort(ratio, 1, ROUNDS);
    double engine_median = gsl_stats_median_from_sorted_data(engine, 1, ROUNDS);
    double hand_median = gsl_stats_median_from_sorted_data(hand, 1, ROUNDS);
    printf("gaussian-elimination-published on sunwulf, E = %g, whole range of N, %d rounds of %d "
           "solves\n",
           target, ROUNDS, SOLVES * SYSTEMS);
    printf("engine     %8.0f solves/s  (median %.2f us a solve)\n", 1 / engine_median,
           1e6 * engine_median);
    printf("by hand    %8.0f solves/s  (median %.2f us a solve)\n", 1 / hand_median,
           1e6 * hand_median);
    printf("ratio      %8.2f  (time of the engine over time by hand; quartiles %.2f to %.2f)\n",
           gsl_stats_median_from_sorted_data(ratio, 1, ROUNDS),
           gsl_stats_quantile_from_sorted_data(ratio, 1, ROUNDS, 0.25),
           gsl_stats_quantile_from_sorted_data(ratio, 1, ROUNDS, 0.75));
    printf("largest relative difference of N: %.1e\n", worst);
    isocast_systems_free(systems, count);
    isocast_model_free(model);
    isocast_machine_free(machine);
    isocast_algorithm_free(algorithm);
    return worst < 1e-9 ? EXIT_SUCCESS : EXIT_FAILURE;
}
