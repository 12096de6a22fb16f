/* An allgather changes its algorithm by the bytes of all processes together: each of its two is
 * found again, though one size of a block belongs to both. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "calibrate/fit/fit.h"
#include "calibrate/fit/fit_gathering.h"
#include "calibrate/samples/samples.h"
#include "tests/calibrate/samples/sample_lines.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

static const double step = 20e-6;      /* s, of steps that double */
static const double doubled = 1e-9;    /* s/B */
static const double turn = 50e-6;      /* s, of steps round the ring */
static const double turned = 1.25e-10; /* s/B */

static double seconds_of(double p, double m) {
    return fit_gathering_doubles(p, m) ? step * ceil(log2(p)) + doubled * m * (p - 1)
                                       : (turn + turned * m) * (p - 1);
}

static void powers_of_two_double_for_longer(void **state) {
    (void)state;
    assert_true(fit_gathering_doubles(16, 32760));
    assert_false(fit_gathering_doubles(16, 32768));
    assert_true(fit_gathering_doubles(64, 8184));
    assert_false(fit_gathering_doubles(64, 8192));
    assert_true(fit_gathering_doubles(10, 8192));
    assert_false(fit_gathering_doubles(10, 8200));
    assert_true(fit_gathering_is("T_allgatherv"));
    assert_false(fit_gathering_is("T_alltoall"));
}

/* So 64 processes, of which none were measured, go round the ring at 8192 B, as 16 do not. */
static void both_algorithms_are_found_again(void **state) {
    (void)state;
    static const double processes[] = {2, 3, 4, 5, 6, 8, 9, 11, 13, 16};
    samples s = {0};
    for (size_t i = 0; i < COUNT(processes); i++) {
        for (double m = 8; m <= 1 << 22; m *= 2) {
            char line[256];
            snprintf(line, sizeof line, "0,T_allgather,%g,%.0f,0,%.17g,count,0", processes[i], m,
                     seconds_of(processes[i], m));
            add_line(&s, line, SAMPLES_LINE_ROW);
        }
    }
    fit f = {0};
    assert_int_equal(fit_samples(&s, NULL, &f), ISOCAST_OK);
    static const struct {
        const char *name;
        double value;
    } expected[] = {{"allgather_doubling_step", step},
                    {"allgather_doubling_process_byte", doubled},
                    {"allgather_ring_process", turn},
                    {"allgather_ring_process_byte", turned}};
    assert_int_equal(f.parameter_count, COUNT(expected));
    for (size_t i = 0; i < COUNT(expected); i++) {
        const fit_parameter *found = &f.parameters[i];
        if (strcmp(found->name, expected[i].name) != 0 ||
            fabs(found->value / expected[i].value - 1) > 1e-6) {
            fail_msg("%s = %.9g %s", found->name, found->value, found->unit);
        }
    }
    assert_int_equal(f.operation_count, 3);
    assert_string_equal(f.operations[2].name, "T_allgather");
    assert_string_equal(f.operations[2].body.text,
                        "    formula: if(m*p < if(2^round(log2(p)) == p, 524288 B, 81921 B), "
                        "T_allgather_doubling(m, p), T_allgather_ring(m, p))\n");
    fit_free(&f);
    samples_free(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(powers_of_two_double_for_longer),
        cmocka_unit_test(both_algorithms_are_found_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
