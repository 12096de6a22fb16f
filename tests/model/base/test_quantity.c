#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "model/base/quantity.h"

static void quantities_read_well(void **state) {
    (void)state;
    static const struct {
        double value;
        const char *unit;
        int digits;
        const char *text;
    } cases[] = {
        {0, "s", 4, "0 s"},           {1.5e-6, "s", 4, "1.5 us"},   {999.96, "s", 4, "1000 s"},
        {1411.3, "s", 4, "1411 s"},   {1411.3, "s", 6, "1411.3 s"}, {1234567, "s", 4, "1235000 s"},
        {-4321.5, "s", 2, "-4300 s"}, {1411.3, "B", 4, "1.411 kB"}, {44285703, "J", 4, "44.29 MJ"},
        {12345, "", 3, "1.23e+04"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        isocast_buffer text = {0};
        isocast_quantity_format(cases[i].value, cases[i].unit, cases[i].digits, &text);
        assert_string_equal(text.text, cases[i].text);
        isocast_buffer_free(&text);
    }
}

/* A limit as it is read is on its far side, and is no longer than it has to be. */
static void limits_are_true_as_read(void **state) {
    (void)state;
    static const struct {
        double value;
        int digits;
        double up, down;
    } cases[] = {
        {181.0193359837, 6, 181.02, 181.019},
        {12345, 4, 12350, 12340},
        {0.99996, 4, 1, 0.9999},
        {12350, 4, 12350, 12350},
        {9.9996e9, 4, 1e10, 9.999e9},
        {0.95, 15, 0.95, 0.95},
        {0.1 + 0.2, 6, 0.3, 0.3},
        {1e-300, 4, 1e-300, 1e-300},
        {0, 4, 0, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_true(isocast_quantity_round(cases[i].value, cases[i].digits, true) == cases[i].up);
        assert_true(isocast_quantity_round(cases[i].value, cases[i].digits, false) ==
                    cases[i].down);
    }
    for (int i = 1; i < 2000; i++) {
        double value = exp(sin(i) * 40);
        int digits = 1 + i % 12;
        double up = isocast_quantity_round(value, digits, true);
        double down = isocast_quantity_round(value, digits, false);
        assert_true(down <= value * (1 + 1e-15) && up >= value * (1 - 1e-15));
        assert_true(up - down <= 1.001 * pow(10, floor(log10(value)) + 1 - digits));
    }
}

static void numbers_read_apart(void **state) {
    (void)state;
    assert_int_equal(isocast_quantity_digits_apart(1e9, 1.1e9, 4), 4);
    assert_int_equal(isocast_quantity_digits_apart(128e6, 128.0012e6, 4), 6);
    assert_int_equal(isocast_quantity_digits_apart(0.95, 0.95 + 1e-8, 6), 8);
    assert_int_equal(isocast_quantity_digits_apart(5, 5, 4), 4);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(quantities_read_well),
                                       cmocka_unit_test(limits_are_true_as_read),
                                       cmocka_unit_test(numbers_read_apart)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
