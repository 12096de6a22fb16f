/* Numbers are written as the C library would write them with the fewest digits that read back as
 * the same number. */
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "cli/options/number.h"

static void check(double value) {
    char due[40];
    isocast_buffer text = {0};
    for (int digits = DBL_DIG; digits <= DBL_DECIMAL_DIG; digits++) {
        snprintf(due, sizeof due, "%.*g", digits, value);
        if (strtod(due, NULL) == value) {
            break;
        }
    }
    cli_number_format(value, &text);
    assert_string_equal(text.text, due);
    isocast_buffer_free(&text);
}

static void test_chosen(void **state) {
    (void)state;
    static const double values[] = {0,
                                    -0.0,
                                    1,
                                    -1,
                                    10,
                                    0.1,
                                    0.3,
                                    1.0 / 3,
                                    2.0 / 3,
                                    1e-4,
                                    1e-5,
                                    9.9999e-5,
                                    1e14,
                                    1e15,
                                    1e16,
                                    123456789012345.0,
                                    1234567890123456.0,
                                    12345678901234568.0,
                                    0x1p53,
                                    0x1p53 - 1,
                                    0x1p-30,
                                    1e22,
                                    1e23,
                                    5e-324,
                                    DBL_MIN,
                                    DBL_MAX,
                                    DBL_EPSILON,
                                    9.5,
                                    99.5,
                                    9.9999999999999995,
                                    99999999999999.95,
                                    999999999999999.9,
                                    1.0000000000000002,
                                    4503599627370497.5};
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
        check(values[i]);
        check(-values[i]);
    }
}

/* Any bits; numbers of a few digits, as people write them; and their neighbours. */
static void test_random(void **state) {
    (void)state;
    enum { COUNT = 60000 };
    uint64_t bits = 1;
    for (size_t i = 0; i < COUNT; i++) {
        bits = bits * 6364136223846793005U + 1442695040888963407U;
        double any;
        memcpy(&any, &bits, sizeof any);
        if (isfinite(any)) {
            check(any);
        }
        double between = ldexp((double)(bits >> 11), (int)(bits % 120) - 110);
        double written = (double)(bits >> 40) * pow(10, (double)(bits % 33) - 20);
        check(between);
        check(written);
        check(nextafter(written, 0));
        check(round(written * 100) / 100);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_chosen),
                                       cmocka_unit_test(test_random)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
