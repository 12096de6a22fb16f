/* Numbers of command lines: what is taken as one, and what is not. */
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "kernels/option_value.h"

static option_value value_of(const char *text) {
    return (option_value){"test", "--option", text, false};
}

static void whole_numbers(void **state) {
    (void)state;
    static const char *const refused[] = {"",    " 1",  "1 ",  "-1", "+1",  "0x10",
                                          "1e3", "1.0", "nan", "4x", "101", "99999999999999999999",
                                          "1,2", "١"};
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
        long out = 7;
        option_value value = value_of(refused[i]);
        assert_false(option_whole(&value, 0, 100, &out));
        assert_int_equal(out, 7);
    }
    long out = 7;
    option_value zero = value_of("0");
    assert_true(option_whole(&zero, 0, 100, &out));
    assert_int_equal(out, 0);
    assert_false(option_whole(&zero, 1, 100, &out));
    option_value largest = value_of("0100");
    assert_true(option_whole(&largest, 0, 100, &out));
    assert_int_equal(out, 100);
    char text[32];
    snprintf(text, sizeof text, "%ld", LONG_MAX);
    option_value most = value_of(text);
    assert_true(option_whole(&most, 0, LONG_MAX, &out));
    assert_true(out == LONG_MAX);
    option_value over = value_of("9223372036854775808");
    assert_false(option_whole(&over, 0, LONG_MAX, &out));
}

static void numbers(void **state) {
    (void)state;
    static const char *const refused[] = {"",      "nan", "inf", "-inf", "1e999", "-1",
                                          "0x1p3", " 1",  "1 ",  "2s",   "1e",    "1e+",
                                          "1.2.3", "1,5", "e5",  "1e10", "--1",   "."};
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
        double out = 7;
        option_value value = value_of(refused[i]);
        assert_false(option_number(&value, true, 1e9, &out));
        assert_true(out == 7);
    }
    double out = 7;
    option_value zero = value_of("0");
    assert_false(option_number(&zero, false, 1e9, &out));
    assert_true(option_number(&zero, true, 1e9, &out));
    assert_true(out == 0);
    option_value tenth = value_of("1e-1");
    assert_true(option_number(&tenth, false, 1e9, &out));
    assert_true(out == 0.1);
    option_value largest = value_of("1000000000");
    assert_true(option_number(&largest, false, 1e9, &out));
}

static void lists(void **state) {
    (void)state;
    static const char *const refused[] = {",",   "1,",        ",1", "1,,2", "1, 2",
                                          "1,x", "1,2,3,4,5", "65", "1,-2", "1e1"};
    size_t numbers_read[4];
    size_t count = 9;
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
        option_value value = value_of(refused[i]);
        assert_false(option_list(&value, 0, 64, numbers_read, 4, &count));
        assert_int_equal(count, 9);
    }
    option_value four = value_of("0,64,3,3");
    assert_true(option_list(&four, 0, 64, numbers_read, 4, &count));
    assert_int_equal(count, 4);
    assert_int_equal(numbers_read[1], 64);
    option_value none = value_of("");
    assert_true(option_list(&none, 0, 64, numbers_read, 4, &count));
    assert_int_equal(count, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(whole_numbers), cmocka_unit_test(numbers),
                                       cmocka_unit_test(lists)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
