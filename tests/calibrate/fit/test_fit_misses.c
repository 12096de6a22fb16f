/* What laws miss: nothing where they are right, whatever launches do, and what is there where they
 * are not. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>

#include "calibrate/fit/fit.h"
#include "tests/calibrate/samples/sample_lines.h"

typedef double (*truth)(double p, double m);

static double a_tree(double p, double m) {
    return ceil(log2(p)) * (3e-6 + 2e-10 * m);
}

/* Rises as no term does. */
static double a_crowd(double p, double m) {
    return pow(p, 1.7) * (1e-6 + 1e-10 * m);
}

/* Is off by a twentieth, up and down from one place to the next. */
static double a_jagged_tree(double p, double m) {
    return a_tree(p, m) * (1 + 0.05 * (fmod(round(log2(m) / 2 + log2(p)), 2) < 1 ? -1 : 1));
}

/* The one operation of the samples, without its text. Frees them. */
static fit_operation fit_only(samples *s) {
    fit f = {0};
    assert_int_equal(fit_samples(s, NULL, &f), ISOCAST_OK);
    assert_int_equal(f.operation_count, 1);
    fit_operation reported = f.operations[0];
    fit_free(&f);
    samples_free(s);
    reported.body = (isocast_buffer){0};
    return reported;
}

/* The operation's fit to times on 2 to so many processes. */
static fit_operation fit_up_to(double most, truth of, int launches, double sd_launch,
                               bool simulated) {
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    samples s = {0};
    if (simulated) {
        add_line(&s, "# mpi: SMPI Version 3.32", SAMPLES_LINE_ENVIRONMENT);
    }
    for (int launch = 0; launch < launches; launch++) {
        for (double p = 2; p <= most; p *= 2) {
            double shift = exp(gsl_ran_gaussian(rng, sd_launch));
            for (double m = 8; m < 1e6; m *= 4) {
                char line[160];
                snprintf(line, sizeof line, "%d,T_reduce,%g,%.0f,0,%.17g,count,0,1,%g", launch, p,
                         m, of(p, m) * shift * exp(gsl_ran_gaussian(rng, sd_launch / 3)), p);
                add_line(&s, line, SAMPLES_LINE_ROW);
            }
        }
    }
    gsl_rng_free(rng);
    return fit_only(&s);
}

static fit_operation fit_of(truth of, int launches, double sd_launch, bool simulated) {
    return fit_up_to(16, of, launches, sd_launch, simulated);
}

/* The operation's fit to times on nodes of two processes each, which grow with each process. */
static fit_operation fit_of_turns(void) {
    static const struct {
        double p, nodes, p_node;
    } placements[] = {{2, 2, 1}, {3, 2, 2}, {4, 2, 2}, {5, 3, 2}};
    samples s = {0};
    add_line(&s, "# mpi: SMPI Version 3.32", SAMPLES_LINE_ENVIRONMENT);
    for (size_t i = 0; i < sizeof placements / sizeof placements[0]; i++) {
        for (double m = 8; m < 1e7; m *= 4) {
            char line[160];
            double others = placements[i].p - 1;
            double seconds = others * (m < 65536 ? 1e-5 + 1e-8 * m : 7e-4 + 8e-9 * m);
            snprintf(line, sizeof line, "0,T_mine,%g,%.0f,0,%.17g,simulated,0,%g,%g",
                     placements[i].p, m, seconds, placements[i].nodes, placements[i].p_node);
            add_line(&s, line, SAMPLES_LINE_ROW);
        }
    }
    return fit_only(&s);
}

/* A law that only three counts of processes let in is not judged by what would be assumed of two.
 */
static void forecasts_are_of_the_same_law(void **state) {
    (void)state;
    fit_operation turns = fit_of_turns();
    assert_true(turns.misfit < 1e-3);
    assert_true(turns.drift < 0.01);
}

static void laws_that_are_right_miss_nothing(void **state) {
    (void)state;
    fit_operation exact = fit_of(a_tree, 1, 0, true);
    assert_true(exact.misfit < 1e-6);
    assert_true(exact.drift < 1e-6);
    /* What launches make of it is the errors of coefficients. */
    fit_operation noisy = fit_of(a_tree, 12, 0.06, false);
    assert_true(isnan(noisy.misfit));
    assert_true(noisy.drift < 0.06);
}

/* Two counts of processes state no drift, and there is no other operation: what is usual on
 * simulated platforms; nothing is spoken of other machines. */
static void a_drift_may_be_the_usual_one(void **state) {
    (void)state;
    fit_operation simulated = fit_up_to(4, a_tree, 1, 0, true);
    assert_true(simulated.drift == 0.003);
    fit_operation measured = fit_up_to(4, a_tree, 12, 0.01, false);
    assert_true(isnan(measured.drift));
}

static void what_laws_miss_is_found(void **state) {
    (void)state;
    fit_operation crowd = fit_of(a_crowd, 1, 0, true);
    assert_true(crowd.drift > 0.05 && crowd.drift < 2);
    fit_operation jagged = fit_of(a_jagged_tree, 1, 0, true);
    assert_true(jagged.misfit > 0.01 && jagged.misfit < 0.2);
    fit_operation both = fit_of(a_crowd, 12, 0.01, false);
    assert_true(both.drift > 0.05 && both.drift < 2);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(laws_that_are_right_miss_nothing),
                                       cmocka_unit_test(what_laws_miss_is_found),
                                       cmocka_unit_test(a_drift_may_be_the_usual_one),
                                       cmocka_unit_test(forecasts_are_of_the_same_law)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
