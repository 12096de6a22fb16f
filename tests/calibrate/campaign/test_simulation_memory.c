/* How much memory simulations may take, and how many of them go on at once. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "calibrate/campaign/simulation.h"

static const char meminfo[] = "MemTotal:       24683648 kB\n"
                              "MemFree:         2000000 kB\n"
                              "MemAvailable:   10000000 kB\n";

static void the_least_counts(void **state) {
    (void)state;
    assert_float_equal(campaign_memory_free(meminfo, NULL), 1.024e10, 1);
    assert_float_equal(campaign_memory_free(meminfo, "max\n"), 1.024e10, 1);
    assert_float_equal(campaign_memory_free(meminfo, "9000000\n"), 9e6, 1);
    assert_float_equal(campaign_memory_free("", "9000\n"), 9000, 1e-9);
    assert_true(isinf(campaign_memory_free("", NULL)));
    assert_true(isinf(campaign_memory_free("MemAvailable: none", "max")));
}

static void check_set(const char *text, isocast_status due) {
    const campaign_listener silent = {0};
    assert_int_equal(setenv(CAMPAIGN_MEMORY_VARIABLE, text, 1), 0);
    assert_int_equal(campaign_memory_check(10000, &silent), due);
}

static void variable_is_heeded(void **state) {
    (void)state;
    check_set("24GB", ISOCAST_ARGUMENT);
    check_set("25GB", ISOCAST_OK);
    check_set("25 GB", ISOCAST_OK);
    check_set("2.5e10", ISOCAST_OK);
    check_set("24 GiB", ISOCAST_OK);
    check_set("25 s", ISOCAST_ARGUMENT);
    check_set("-1", ISOCAST_ARGUMENT);
    check_set("inf", ISOCAST_ARGUMENT);
    check_set("much", ISOCAST_ARGUMENT);
}

/* Simulated broadcasts: anonymous memory, B. */
static void estimate_is_near_what_was_measured(void **state) {
    (void)state;
    static const struct {
        double processes, bytes;
    } measured[] = {{128, 16.0e6}, {256, 36.9e6}, {512, 102.6e6}};
    for (size_t i = 1; i < sizeof measured / sizeof measured[0]; i++) {
        double more = campaign_simulation_memory(measured[i].processes) -
                      campaign_simulation_memory(measured[i - 1].processes);
        double due = measured[i].bytes - measured[i - 1].bytes;
        assert_true(fabs(more / due - 1) < 0.15);
    }
}

static void fewer_go_on_at_once(void **state) {
    (void)state;
    assert_int_equal(setenv(CAMPAIGN_MEMORY_VARIABLE, "30GB", 1), 0);
    assert_int_equal(campaign_memory_at_once(100, 8), 8);
    assert_int_equal(campaign_memory_at_once(7000, 8), 2);
    assert_int_equal(campaign_memory_at_once(1e7, 8), 1);
    assert_int_equal(setenv(CAMPAIGN_MEMORY_VARIABLE, "much", 1), 0);
    assert_int_equal(campaign_memory_at_once(100, 8), 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_least_counts),
                                       cmocka_unit_test(variable_is_heeded),
                                       cmocka_unit_test(estimate_is_near_what_was_measured),
                                       cmocka_unit_test(fewer_go_on_at_once)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
