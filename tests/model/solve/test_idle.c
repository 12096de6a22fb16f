/* The factors by which numbers of a machine matter, against closed forms: T = a + W t_c/p, and the
 * N' that follows of it. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "model/solve/idle.h"
#include "model/spec/requirement.h"
#include "model_fixture.h"

static const char algorithm[] = "algorithm: closed\nsize: {N: {min: 1}}\nwork: N\n"
                                "compute: W*t_c/p\noverhead: {wait: T_barrier()}\n";
#define MACHINE(t_c)                                                                               \
    "machine: closed\nnodes: {node: {count: 64, processors: 1, marked_speed: 1 Gflop/s}}\n"        \
    "parameters: {t_c: " t_c ", wait: 10 us, unused: 3 us, none: 0 us}\n"                          \
    "operations: {T_barrier: wait, T_bcast: unused + none}\n"

static isocast_drivers find(const fixture *f, double N, double efficiency) {
    isocast_prediction_request request = {.N = N,
                                          .efficiency = efficiency,
                                          .systems = (const isocast_system *const *)f->systems,
                                          .system_count = f->system_count};
    isocast_prediction *prediction = NULL;
    isocast_drivers drivers = {0};
    assert_int_equal(isocast_predict(f->model, &request, &prediction), ISOCAST_OK);
    assert_int_equal(isocast_drivers_find(prediction, &request, 0, &drivers), ISOCAST_OK);
    assert_int_equal(isocast_idle_find(prediction, &request, 0, &drivers), ISOCAST_OK);
    isocast_prediction_free(prediction);
    return drivers;
}

/* A factor that is due is NAN where none is to be found. */
static void check(const isocast_drivers *drivers, const char *name, isocast_matter matter,
                  double smaller, double larger) {
    for (size_t i = 0; i < drivers->count; i++) {
        const isocast_driver *driver = &drivers->items[i];
        if (strcmp(driver->name, name) == 0 && driver->kind != ISOCAST_DRIVER_TERM) {
            assert_int_equal(driver->matter, matter);
            assert_true(isnan(smaller) ? isnan(driver->smaller)
                                       : fabs(driver->smaller / smaller - 1) < 3e-4);
            assert_true(isnan(larger) ? isnan(driver->larger)
                                      : fabs(driver->larger / larger - 1) < 3e-4);
            return;
        }
    }
    fail_msg("%s is no driver", name);
}

/* On 4 processes T = 10 us + 250 us: 5 % are 13 us. */
static void time_is_closed(void **unused) {
    (void)unused;
    fixture f = fixture_create(algorithm, MACHINE("1 ns/flop"), "1x4");
    isocast_drivers drivers = find(&f, 1e6, NAN);
    check(&drivers, "wait", ISOCAST_MATTER_BY_FACTOR, NAN, 23.0 / 10);
    check(&drivers, "t_c", ISOCAST_MATTER_NOW, 237.0 / 250, 263.0 / 250);
    check(&drivers, "unused", ISOCAST_MATTER_NOT_FOUND, NAN, NAN);
    check(&drivers, "none", ISOCAST_MATTER_ZERO, NAN, NAN);
    check(&drivers, "node", ISOCAST_MATTER_NOT_FOUND, NAN, NAN);
    isocast_drivers_free(&drivers);
    fixture_free(&f);
}

/* N' = E C a/(1 - x), x = E C t_c/p = 0.02: with t_c f times as long, 0.98/(1 - 0.02 f) = 1.05.
 * With t_c 50 times as long there is no N', which must not be taken for one that is not known. */
static void size_is_closed(void **unused) {
    (void)unused;
    fixture f = fixture_create(algorithm, MACHINE("0.04 ns/flop"), "1x4");
    isocast_drivers drivers = find(&f, NAN, 0.5);
    check(&drivers, "t_c", ISOCAST_MATTER_BY_FACTOR, NAN, (1 - 0.98 / 1.05) / 0.02);
    check(&drivers, "wait", ISOCAST_MATTER_NOW, 0.95, 1.05);
    check(&drivers, "unused", ISOCAST_MATTER_NOT_FOUND, NAN, NAN);
    isocast_drivers_free(&drivers);
    fixture_free(&f);
}

/* On 4 processes T = 10 us + 5 * 20 us + 250 us: 5 % are 18 us. A rule looks at `even`, which stays
 * a constant, and the machine has `wait` itself. */
static void algorithm_is_varied(void **unused) {
    (void)unused;
    static const char own[] =
        "algorithm: own\nsize: {N: {min: 1}}\nwork: N\ncompute: W*t_c/p\n"
        "parameters: {delay: {unit: s, default: 20 us}, wait: {unit: s, default: 7 us}}\n"
        "define: {rounds: 5, even: 2, far: 1 ns, twice: 2*far}\n"
        "valid: [{that: p/even == floor(p/even), otherwise: p must be even}]\n"
        "overhead: {wait: wait, rounds: rounds*delay, far: twice + even*0 s}\n";
    fixture f = fixture_create(own, MACHINE("1 ns/flop"), "1x4");
    isocast_diagnostics none = {0};
    isocast_model_free(f.model);
    assert_int_equal(isocast_requirements_vary(f.algorithm), ISOCAST_OK);
    assert_int_equal(isocast_model_create(f.algorithm, f.machine, &none, &f.model), ISOCAST_OK);
    isocast_drivers drivers = find(&f, 1e6, NAN);
    check(&drivers, "delay", ISOCAST_MATTER_NOW, 82.0 / 100, 118.0 / 100);
    check(&drivers, "rounds", ISOCAST_MATTER_NOW, 82.0 / 100, 118.0 / 100);
    check(&drivers, "wait", ISOCAST_MATTER_BY_FACTOR, NAN, 28.0 / 10);
    check(&drivers, "far", ISOCAST_MATTER_BY_FACTOR, NAN, 1 + 18e-6 / 2e-9);
    for (size_t i = 0; i < drivers.count; i++) {
        assert_string_not_equal(drivers.items[i].name, "even");
    }
    isocast_drivers_free(&drivers);
    fixture_free(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(time_is_closed),
                                       cmocka_unit_test(size_is_closed),
                                       cmocka_unit_test(algorithm_is_varied)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
