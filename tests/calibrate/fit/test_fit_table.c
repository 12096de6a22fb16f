/* Tables of what work takes: noise that sizes do not share is smoothed away, steps stay; a size
 * that was measured in slow launches alone is told from a slow size. */
#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "calibrate/fit/fit.h"
#include "calibrate/fit/fit_smooth.h"

enum { COUNT = 16, DRAWS = 100 };

/* Root of the mean square of what is left of a shape with noise, as part of the noise's. */
static double part_left(const double *shape, double sd) {
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    double x[COUNT];
    double y[COUNT];
    double variances[COUNT];
    double left = 0;
    for (int draw = 0; draw < DRAWS; draw++) {
        for (size_t k = 0; k < COUNT; k++) {
            x[k] = (double)k + 0.3 * gsl_rng_uniform(rng);
            y[k] = shape[k] + gsl_ran_gaussian(rng, sd);
            variances[k] = sd * sd;
        }
        assert_true(fit_smooth(x, variances, COUNT, y));
        for (size_t k = 0; k < COUNT; k++) {
            left += pow((y[k] - shape[k]) / sd, 2) / (COUNT * DRAWS);
        }
    }
    gsl_rng_free(rng);
    return sqrt(left);
}

static void noise_goes_steps_stay(void **state) {
    (void)state;
    double flat[COUNT] = {0};
    double bend[COUNT];
    double step[COUNT];
    for (size_t k = 0; k < COUNT; k++) {
        bend[k] = fmax(0, ((double)k - 9.0) * 0.2);
        step[k] = k < 8 ? 0 : 0.7;
    }
    assert_true(part_left(flat, 0.1) < 0.7);
    assert_true(part_left(bend, 0.1) < 0.9);
    /* What the noise cannot be is kept, however few bends there could be. */
    assert_true(part_left(bend, 1e-3) < 1.5);
    assert_true(part_left(step, 1e-3) < 1.5);
}

static void few_values_stay(void **state) {
    (void)state;
    const double x[] = {1, 2, 3, 4};
    const double variances[] = {1, 1, 1, 1};
    double y[] = {0, 1, 0, 1};
    assert_true(fit_smooth(x, variances, 4, y));
    assert_true(y[0] == 0 && y[1] == 1 && y[2] == 0 && y[3] == 1);
}

static double value_of(const fit *f, const char *name) {
    for (size_t i = 0; i < f->parameter_count; i++) {
        if (strcmp(f->parameters[i].name, name) == 0) {
            return f->parameters[i].value;
        }
    }
    return NAN;
}

/* mm takes 1e-10 s a flop at every size; in every third launch the machine takes half as long
 * again. The largest size had time in those launches alone, and one beyond it in a single one. */
static void slow_launches_are_no_slow_sizes(void **state) {
    (void)state;
    samples s = {0};
    for (int launch = 0; launch < 9; launch++) {
        for (int k = 0; k < 10; k++) {
            bool slow = launch % 3 == 2;
            bool measured = k < 8 || (k == 8 && slow) || (k == 9 && launch == 2);
            char line[256];
            snprintf(line, sizeof line, "%d,mm,1,%d,0,%.17g,count,0", launch, 1000 << k,
                     (slow ? 1.5e-10 : 1e-10) * (1 + 1e-3 * k));
            if (measured) {
                assert_int_equal(samples_add_line(&s, line), SAMPLES_LINE_ROW);
            }
        }
    }
    fit f = {0};
    assert_int_equal(fit_samples(&s, NULL, &f), FIT_OK);
    double usual = value_of(&f, "mm_p1_8000B");
    assert_true(usual >= 1e-10 && usual < 1.2e-10);
    assert_true(fabs(value_of(&f, "mm_p1_256000B") / usual - 1) < 0.02);
    assert_true(isnan(value_of(&f, "mm_p1_512000B")));
    fit_free(&f);
    samples_free(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(noise_goes_steps_stay),
        cmocka_unit_test(few_values_stay),
        cmocka_unit_test(slow_launches_are_no_slow_sizes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
