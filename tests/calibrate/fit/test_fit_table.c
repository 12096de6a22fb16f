/* Tables of what work takes: noise that sizes do not share is smoothed away, steps stay; a size
 * that was measured in slow launches alone is distinguished from a slow size. */
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
#include "fitted_machine.h"
#include "tests/calibrate/samples/sample_lines.h"

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
    isocast_machine *machine = fitted_machine(f);
    double value = NAN;
    for (size_t i = 0; i < machine->parameter_count; i++) {
        value =
            strcmp(machine->parameters[i].name, name) == 0 ? machine->parameters[i].value : value;
    }
    isocast_machine_free(machine);
    return value;
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
            snprintf(line, sizeof line, "%d,mm,1,%d,0,%.17g,count,0,1,1", launch, 1000 << k,
                     (slow ? 1.5e-10 : 1e-10) * (1 + 1e-3 * k));
            if (measured) {
                add_line(&s, line, SAMPLES_LINE_ROW);
            }
        }
    }
    fit f = {0};
    assert_int_equal(fit_samples(&s, NULL, &f), ISOCAST_OK);
    double usual = value_of(&f, "mm_p1_1000B");
    assert_true(usual >= 1e-10 && usual < 1.2e-10);
    assert_true(fabs(value_of(&f, "mm_p1_256000B") / usual - 1) < 0.02);
    assert_true(isnan(value_of(&f, "mm_p1_512000B")));
    fit_free(&f);
    samples_free(&s);
}

/* Times of ge and mm at five sizes in launches on one and two processes in turn, all times a factor
 * of their launch. Gives what is spoken of the speed; *seconds gets a time per flop of mm. */
static fit_speed speed_of_launches(const double *factors, int launches, double *seconds) {
    samples s = {0};
    for (int launch = 0; launch < launches; launch++) {
        for (int k = 0; k < 10; k++) {
            char line[256];
            double noise = 1 + 0.01 * ((launch * 7 + k * 3) % 5 - 2);
            snprintf(line, sizeof line, "%d,%s,%d,%d,0,%.17g,count,0,1,%d", launch,
                     k < 5 ? "ge" : "mm", 1 + launch % 2, 1000 << k % 5,
                     1e-10 * factors[launch] * noise, 1 + launch % 2);
            add_line(&s, line, SAMPLES_LINE_ROW);
        }
    }
    fit f = {0};
    assert_int_equal(fit_samples(&s, NULL, &f), ISOCAST_OK);
    *seconds = value_of(&f, "mm_p1_1000B");
    fit_speed speed = f.speed;
    fit_free(&f);
    samples_free(&s);
    return speed;
}

/* What slows a machine for a while, at the start or at the end, is not its own. */
static void the_fastest_steady_stretch_counts(void **state) {
    (void)state;
    enum { LAUNCHES = 16 };
    double factors[LAUNCHES];
    double seconds;
    for (int from = 0; from <= 1; from++) {
        for (int k = 0; k < LAUNCHES; k++) {
            factors[k] = (k < 10) == (from == 0) ? 1.2 : 1;
        }
        fit_speed speed = speed_of_launches(factors, LAUNCHES, &seconds);
        assert_true(speed.changed);
        assert_int_equal(speed.first, from == 0 ? 10 : 0);
        assert_int_equal(speed.last, from == 0 ? 15 : 9);
        assert_true(fabs(seconds / 1e-10 - 1) < 0.02);
        assert_true(fabs(speed.at_start - (from == 0 ? 1 / 1.2 : 1)) < 0.02);
        assert_true(fabs(speed.at_end - (from == 0 ? 1 : 1 / 1.2)) < 0.02);
        assert_true(fabs(speed.slowest - 1 / 1.2) < 0.02);
    }
}

/* A steady machine has no stretches, and neither have two slow launches or one that goes to and
 * fro: then the level is that of all launches. */
static void a_steady_machine_is_one_stretch(void **state) {
    (void)state;
    enum { LAUNCHES = 16 };
    double factors[LAUNCHES];
    double seconds;
    for (int kind = 0; kind < 3; kind++) {
        for (int k = 0; k < LAUNCHES; k++) {
            bool slow = kind == 1 ? k == 4 || k == 5 : kind == 2 && k % 4 >= 2;
            factors[k] = slow ? 1.2 : 1;
        }
        fit_speed speed = speed_of_launches(factors, LAUNCHES, &seconds);
        assert_false(speed.changed);
        assert_int_equal(speed.launches, LAUNCHES);
        assert_int_equal(speed.first, 0);
        assert_int_equal(speed.last, LAUNCHES - 1);
        assert_true(seconds > 0.98e-10 && seconds < (kind == 2 ? 1.2e-10 : 1.05e-10));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(noise_goes_steps_stay),
        cmocka_unit_test(few_values_stay),
        cmocka_unit_test(slow_launches_are_no_slow_sizes),
        cmocka_unit_test(the_fastest_steady_stretch_counts),
        cmocka_unit_test(a_steady_machine_is_one_stretch),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
