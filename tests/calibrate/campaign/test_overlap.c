/* How ratios of the program's T to that of the formulas go on to more processes. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "calibrate/campaign/overlap.h"

static const double processes[] = {4, 8, 16};

static void near(double value, double due) {
    assert_true(fabs(value - due) <= 1e-12 * fabs(due));
}

static void one_ratio_stays_with_a_large_error(void **state) {
    (void)state;
    double error = NAN;
    near(campaign_overlap_extend(processes, (const double[]){0.8}, 1, 16, &error), 0.8);
    near(error, 2 * 0.1 * 0.8);
    near(campaign_overlap_extend(processes, (const double[]){0.8}, 1, 4, &error), 0.8);
    assert_true(error == 0);
}

static void two_ratios_tell_the_error(void **state) {
    (void)state;
    double error = NAN;
    near(campaign_overlap_extend(processes, (const double[]){0.9, 0.8}, 2, 32, &error), 0.8);
    near(error, 2 * 0.1);
    near(campaign_overlap_extend(processes, (const double[]){0.8, 0.8}, 2, 32, &error), 0.8);
    near(error, 2 * 0.005 * 0.8);
}

/* A line that told the last ratio goes on; one that did not does not. */
static void three_ratios_tell_whether_there_is_a_line(void **state) {
    (void)state;
    double error = NAN;
    near(campaign_overlap_extend(processes, (const double[]){1.0, 0.9, 0.8}, 3, 32, &error), 0.7);
    near(error, 0.005 * 0.8);
    near(campaign_overlap_extend(processes, (const double[]){1.0, 0.7, 0.69}, 3, 32, &error), 0.69);
    near(error, 0.01);
    /* It never comes near 0. */
    near(campaign_overlap_extend(processes, (const double[]){1.0, 0.9, 0.8}, 3, 16777216, &error),
         0.2);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_ratio_stays_with_a_large_error),
        cmocka_unit_test(two_ratios_tell_the_error),
        cmocka_unit_test(three_ratios_tell_whether_there_is_a_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
