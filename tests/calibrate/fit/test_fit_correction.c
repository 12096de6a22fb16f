/* Ratios of what was measured to what the terms say: noise of launches is no structure. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "calibrate/fit/fit_correction.h"

enum { COUNTS = 4, SIZES = 5, POINTS = COUNTS * SIZES };

/* T = 1 us + 1 ns/B m, of which each count of processes is off by its factor. */
static fit_ranges make_points(const double *factors, fit_point *points) {
    static const double processes[COUNTS] = {2, 4, 8, 16};
    fit_ranges ranges = {.law = &fit_operation_law, .count = 1};
    ranges.items[0].terms = 1U << FIT_TERM_CONSTANT | 1U << FIT_TERM_BYTES;
    ranges.items[0].coefficient[FIT_TERM_CONSTANT] = 1e-6;
    ranges.items[0].coefficient[FIT_TERM_BYTES] = 1e-9;
    for (int k = 0; k < POINTS; k++) {
        double m = ldexp(64, 3 * (k / COUNTS));
        double p = processes[k % COUNTS];
        points[k] = (fit_point){.p = p, .m = m, .nodes = p, .p_node = 1, .weight = 1};
        points[k].seconds = (1e-6 + 1e-9 * m) * factors[k % COUNTS];
    }
    return ranges;
}

static void noise_is_left_out(void **state) {
    (void)state;
    static const double factors[COUNTS] = {1.02, 0.97, 1.01, 0.99};
    fit_point points[POINTS];
    fit_correction corrections[FIT_RANGES_MAX][2];
    fit_ranges ranges = make_points(factors, points);
    /* Known exactly, as in simulations. */
    fit_corrections_learn(&ranges, points, POINTS, 0, corrections);
    assert_int_equal(corrections[0][0].counts, COUNTS);
    for (int k = 0; k < COUNTS; k++) {
        assert_true(fabs(corrections[0][0].ratio[k] - factors[k]) < 1e-9);
    }
    assert_true(corrections[0][0].variance == 0);
    /* No more than launches differ. */
    fit_corrections_learn(&ranges, points, POINTS, 0.02 * 0.02, corrections);
    assert_int_equal(corrections[0][0].counts, 0);
    assert_true(corrections[0][0].variance == 0);
}

/* Far more than launches differ: the ratios stay, and what launches put into them is reported. */
static void structure_stays(void **state) {
    (void)state;
    static const double factors[COUNTS] = {1.3, 0.8, 1.2, 0.7};
    fit_point points[POINTS];
    fit_correction corrections[FIT_RANGES_MAX][2];
    fit_ranges ranges = make_points(factors, points);
    fit_corrections_learn(&ranges, points, POINTS, 0.02 * 0.02, corrections);
    assert_int_equal(corrections[0][0].counts, COUNTS);
    for (int k = 0; k < COUNTS; k++) {
        assert_true(fabs(corrections[0][0].ratio[k] - factors[k]) < 0.01);
    }
    assert_true(corrections[0][0].variance > 0.98 * 0.02 * 0.02);
    assert_true(corrections[0][0].variance < 0.02 * 0.02);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(noise_is_left_out),
        cmocka_unit_test(structure_stays),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
