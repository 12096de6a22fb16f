/* The points of designs: grids in order, draws that fill the ranges as they say, any point by its
 * number alone. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "model/sweep/design.h"

enum { DRAWS = 512, AXES = 3 };

static isocast_axis range(isocast_axis_scale scale, double from, double to, double count) {
    return (isocast_axis){.scale = scale, .from = from, .to = to, .count = count};
}

static isocast_axis drawn(isocast_axis_scale scale, double from, double to) {
    isocast_axis axis = range(scale, from, to, 1);
    axis.drawn = true;
    return axis;
}

static isocast_design finished(isocast_axis *axes, size_t count, const char *text, uint64_t seed) {
    isocast_diagnostics diagnostics = {0};
    isocast_design design = {.axes = axes, .axis_count = count, .seed = seed};
    assert_int_equal(isocast_design_read("--design", text, &diagnostics, &design), ISOCAST_OK);
    assert_int_equal(isocast_design_finish(&design, "--vary", &diagnostics), ISOCAST_OK);
    return design;
}

static void read_points(const isocast_design *design, size_t count, double (*out)[AXES]) {
    isocast_design_cursor *cursor = NULL;
    assert_int_equal(isocast_design_cursor_create(design, &cursor), ISOCAST_OK);
    for (size_t k = 0; k < count; k++) {
        isocast_design_point(cursor, (double)k, out[k]);
    }
    isocast_design_cursor_free(cursor);
}

static void test_grid(void **state) {
    (void)state;
    double list[] = {7, 5};
    isocast_axis axes[] = {range(ISOCAST_AXIS_LOG, 1, 100, 3),
                           {.scale = ISOCAST_AXIS_LIST, .values = list, .count = 2},
                           range(ISOCAST_AXIS_LINEAR, 0, 3, 4)};
    isocast_design design = finished(axes, AXES, NULL, 1);
    double points[24][AXES];
    assert_true(design.points == 24);
    read_points(&design, 24, points);
    for (size_t k = 0; k < 24; k++) {
        assert_true(fabs(points[k][0] - pow(10, (double)(k / 8))) < 1e-12);
        assert_true(points[k][1] == list[k / 4 % 2]);
        assert_true(points[k][2] == (double)(k % 4));
    }
    /* The ends are as they were given. */
    assert_true(points[0][0] == 1 && points[23][0] == 100);
}

/* How many points are in each of so many equal parts of an axis from 0 to 1. */
static void count_parts(double (*points)[AXES], size_t count, size_t axis, size_t parts,
                        size_t *out) {
    for (size_t i = 0; i < parts; i++) {
        out[i] = 0;
    }
    for (size_t k = 0; k < count; k++) {
        assert_true(points[k][axis] >= 0 && points[k][axis] < 1);
        out[(size_t)(points[k][axis] * (double)parts)]++;
    }
}

static void test_draws(void **state) {
    (void)state;
    static const char *const texts[] = {"random:512", "latin:512", "sobol:511"};
    for (size_t i = 0; i < 3; i++) {
        isocast_axis axes[AXES];
        for (size_t k = 0; k < AXES; k++) {
            axes[k] = drawn(ISOCAST_AXIS_LINEAR, 0, 1);
        }
        isocast_design design = finished(axes, AXES, texts[i], 7);
        double points[DRAWS][AXES];
        size_t count = (size_t)design.points;
        read_points(&design, count, points);
        for (size_t axis = 0; axis < AXES; axis++) {
            size_t parts[DRAWS];
            count_parts(points, count, axis, i == 1 ? DRAWS : 8, parts);
            for (size_t part = 0; part < (i == 1 ? DRAWS : 8); part++) {
                if (i == 1) {
                    assert_int_equal(parts[part], 1);
                } else if (i == 2) {
                    assert_in_range(parts[part], 63, 64);
                } else {
                    /* Within five standard deviations of 64. */
                    assert_in_range(parts[part], 64 - 38, 64 + 38);
                }
            }
        }
    }
}

/* Names are drawn apart from each other: all four quarters of the square have draws. */
static void test_draws_are_apart(void **state) {
    (void)state;
    static const char *const texts[] = {"random:512", "latin:512", "sobol:511"};
    for (size_t i = 0; i < 3; i++) {
        isocast_axis axes[] = {drawn(ISOCAST_AXIS_LINEAR, 0, 1), drawn(ISOCAST_AXIS_LINEAR, 0, 1)};
        isocast_design design = finished(axes, 2, texts[i], 3);
        double points[DRAWS][AXES];
        size_t quarters[4] = {0};
        read_points(&design, (size_t)design.points, points);
        for (size_t k = 0; k < (size_t)design.points; k++) {
            quarters[(points[k][0] < 0.5) * 2 + (points[k][1] < 0.5)]++;
        }
        for (size_t k = 0; k < 4; k++) {
            assert_in_range(quarters[k], 128 - 50, 128 + 50);
        }
    }
}

/* A point is the same whatever was read before, and another one with another seed. */
static void test_any_order(void **state) {
    (void)state;
    static const char *const texts[] = {"random:64", "latin:64", "sobol:64"};
    double list[] = {1, 2};
    for (size_t i = 0; i < 3; i++) {
        isocast_axis axes[] = {{.scale = ISOCAST_AXIS_LIST, .values = list, .count = 2},
                               drawn(ISOCAST_AXIS_LOG, 1, 1000),
                               drawn(ISOCAST_AXIS_LINEAR, -1, 1)};
        isocast_design design = finished(axes, AXES, texts[i], 1);
        isocast_design other = finished(axes, AXES, texts[i], 2);
        double points[128][AXES];
        double others[128][AXES];
        assert_true(design.points == 128);
        read_points(&design, 128, points);
        read_points(&other, 128, others);
        isocast_design_cursor *cursor = NULL;
        assert_int_equal(isocast_design_cursor_create(&design, &cursor), ISOCAST_OK);
        size_t same = 0;
        for (size_t n = 0; n < 128; n++) {
            size_t k = n * 37 % 128;
            double point[AXES];
            isocast_design_point(cursor, (double)k, point);
            assert_memory_equal(point, points[k], sizeof point);
            assert_true(point[1] >= 1 && point[1] <= 1000);
            /* Each value of the grid has the same draws. */
            assert_true(points[k][1] == points[k % 64][1] && points[k][0] == list[k / 64]);
            same += others[k][1] == points[k][1];
        }
        assert_true(same < 3);
        isocast_design_cursor_free(cursor);
    }
}

/* What counts things has every whole number of its range equally often. */
static void test_whole(void **state) {
    (void)state;
    isocast_axis axes[] = {drawn(ISOCAST_AXIS_LINEAR, 2, 5)};
    axes[0].variable.whole = true;
    isocast_design design = finished(axes, 1, "latin:400", 1);
    double points[DRAWS][AXES];
    size_t seen[6] = {0};
    read_points(&design, 400, points);
    for (size_t k = 0; k < 400; k++) {
        assert_true(points[k][0] == floor(points[k][0]) && points[k][0] >= 2 && points[k][0] <= 5);
        seen[(size_t)points[k][0]]++;
    }
    for (size_t value = 2; value <= 5; value++) {
        assert_int_equal(seen[value], 100);
    }
}

static void test_refused(void **state) {
    (void)state;
    static const char *const texts[] = {"sobol",      "sobol:",    "sobol:0", "lattice:5",
                                        "random:1.5", "random:-3", ":5",      "latin:1e9"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        isocast_diagnostics diagnostics = {0};
        isocast_design design = {0};
        assert_int_equal(isocast_design_read("--design", texts[i], &diagnostics, &design),
                         ISOCAST_INVALID);
        assert_int_equal(diagnostics.errors, 1);
        isocast_diagnostics_clear(&diagnostics);
    }
    isocast_axis many[] = {range(ISOCAST_AXIS_LINEAR, 0, 1, 1e6),
                           range(ISOCAST_AXIS_LINEAR, 0, 1, 1e6)};
    isocast_diagnostics diagnostics = {0};
    isocast_design design = {.axes = many, .axis_count = 2, .draws = 1};
    assert_int_equal(isocast_design_finish(&design, "--vary", &diagnostics), ISOCAST_INVALID);
    isocast_diagnostics_clear(&diagnostics);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_grid),
                                       cmocka_unit_test(test_draws),
                                       cmocka_unit_test(test_draws_are_apart),
                                       cmocka_unit_test(test_any_order),
                                       cmocka_unit_test(test_whole),
                                       cmocka_unit_test(test_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
