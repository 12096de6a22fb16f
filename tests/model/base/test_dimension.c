/* Every prefix, every unit, and the slips that get a hint. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "model/base/dimension.h"

static double factor_of(const char *text) {
    double factor = -1;
    isocast_dimension dimension;
    if (!isocast_unit_parse(text, strlen(text), &factor, &dimension, NULL)) {
        print_error("'%s' is not read\n", text);
        fail();
    }
    return factor;
}

static void decimal_prefixes(void **state) {
    (void)state;
    static const struct {
        const char *prefix;
        double factor;
    } prefixes[] = {{"q", 1e-30},     {"r", 1e-27}, {"y", 1e-24}, {"z", 1e-21}, {"a", 1e-18},
                    {"f", 1e-15},     {"p", 1e-12}, {"n", 1e-9},  {"u", 1e-6},  {"\u00b5", 1e-6},
                    {"\u03bc", 1e-6}, {"m", 1e-3},  {"c", 1e-2},  {"d", 1e-1},  {"", 1},
                    {"da", 1e1},      {"h", 1e2},   {"k", 1e3},   {"M", 1e6},   {"G", 1e9},
                    {"T", 1e12},      {"P", 1e15},  {"E", 1e18},  {"Z", 1e21},  {"Y", 1e24},
                    {"R", 1e27},      {"Q", 1e30}};
    static const char *const units[] = {"s", "flop", "B", "W", "Hz", "USD", "EUR", "J"};
    for (size_t i = 0; i < sizeof prefixes / sizeof prefixes[0]; i++) {
        for (size_t k = 0; k < sizeof units / sizeof units[0]; k++) {
            char text[16];
            snprintf(text, sizeof text, "%s%s", prefixes[i].prefix, units[k]);
            assert_true(factor_of(text) == prefixes[i].factor);
        }
        char text[16];
        snprintf(text, sizeof text, "%sbit", prefixes[i].prefix);
        assert_true(factor_of(text) == prefixes[i].factor / 8);
    }
}

static void binary_prefixes(void **state) {
    (void)state;
    static const char *const prefixes[] = {"Ki", "Mi", "Gi", "Ti", "Pi", "Ei", "Zi", "Yi"};
    double factor = 1;
    for (size_t i = 0; i < sizeof prefixes / sizeof prefixes[0]; i++) {
        char text[16];
        factor *= 1024;
        snprintf(text, sizeof text, "%sB", prefixes[i]);
        assert_true(factor_of(text) == factor);
        snprintf(text, sizeof text, "%sbit", prefixes[i]);
        assert_true(factor_of(text) == factor / 8);
        double ignored;
        isocast_dimension dimension;
        snprintf(text, sizeof text, "%ss", prefixes[i]);
        assert_false(isocast_unit_parse(text, strlen(text), &ignored, &dimension, NULL));
    }
}

static void units_without_prefix(void **state) {
    (void)state;
    assert_true(factor_of("min") == 60);
    assert_true(factor_of("h") == 3600);
    assert_true(factor_of("d") == 86400);
    assert_true(factor_of("Wh") == 3600);
    assert_true(factor_of("kWh") == 3.6e6);
    static const char *const refused[] = {"mmin", "kh", "dd", "Kis", "in", "m", "k", "Ki", "", "x"};
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
        double factor;
        isocast_dimension dimension;
        assert_false(isocast_unit_parse(refused[i], strlen(refused[i]), &factor, &dimension, NULL));
    }
}

static void slips_get_a_hint(void **state) {
    (void)state;
    static const char *const slips[] = {"GFLOPS", "Mflops", "KB", "Mb", "sec", "bytes", "Mbps"};
    for (size_t i = 0; i < sizeof slips / sizeof slips[0]; i++) {
        double factor;
        isocast_dimension dimension;
        const char *hint = NULL;
        assert_false(isocast_unit_parse(slips[i], strlen(slips[i]), &factor, &dimension, &hint));
        assert_non_null(hint);
    }
}

static void expect_format(const char *unit, const char *expected) {
    isocast_dimension dimension;
    assert_true(isocast_unit_dimension(unit, &dimension));
    assert_string_equal(isocast_dimension_text(dimension).text, expected);
}

static void formats(void **state) {
    (void)state;
    expect_format("flop/s", "flop/s");
    expect_format("ms/kB", "s/B");
    expect_format("J", "s W");
    expect_format("1", "1");
    expect_format("1/s", "1/s");
    expect_format("Hz", "1/s");
    expect_format("B/s/s", "B/s^2");
    isocast_dimension ignored;
    assert_false(isocast_unit_dimension("flop/", &ignored));
    assert_false(isocast_unit_dimension("", &ignored));
}

static void powers(void **state) {
    (void)state;
    isocast_dimension time = isocast_dimension_of(ISOCAST_BASE_TIME);
    isocast_dimension third;
    isocast_dimension back;
    assert_true(isocast_dimension_power(time, 1.0 / 3, &third));
    assert_true(isocast_dimension_power(third, 3, &back));
    assert_true(isocast_dimension_equal(time, back));
    assert_false(isocast_dimension_power(time, 0.123, &third));
    assert_false(isocast_dimension_power(time, 1e9, &third));
    assert_true(isocast_dimension_power(time, 0, &back));
    assert_true(isocast_dimension_is_count(back));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(decimal_prefixes),
        cmocka_unit_test(binary_prefixes),
        cmocka_unit_test(units_without_prefix),
        cmocka_unit_test(slips_get_a_hint),
        cmocka_unit_test(formats),
        cmocka_unit_test(powers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
