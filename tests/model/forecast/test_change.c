/* Change points of drawn series: those that are there are found where they are, and no others. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "model/forecast/change.h"

enum { CASES = 1000, POINTS_MAX = 12 };

static uint64_t state = 20261127;

/* Between 0 and 1 (splitmix64). */
static double draw(void) {
    uint64_t z = (state += 0x9E3779B97F4A7C15U);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9U;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBU;
    return (double)((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

static double between(double low, double high) {
    return low + (high - low) * draw();
}

static double normal(void) {
    return sqrt(-2 * log(1 - draw())) * cos(6.283185307179586 * draw());
}

/* Strong scaling with and without a tree, or slowly growing weak scaling, with noise up to 3 %;
 * with `change` faster by a cache, slower by a factor, or with a time more from a p on. Its index.
 */
static size_t draw_series(bool change, isocast_point *points, size_t *count) {
    *count = 7 + (size_t)(6 * draw());
    double first = (double)(1 << (int)(5 * draw()));
    int kind = (int)(3 * draw());
    double serial = pow(10, between(-2.5, -0.5));
    double tree = kind == 1 ? pow(10, between(-3, -1.3)) : 0;
    double slope = between(0, 0.1);
    size_t at = 3 + (size_t)((double)(*count - 5) * draw());
    int how = (int)(3 * draw());
    double factor = how == 0 ? between(0.5, 0.8) : between(1.25, 1.9);
    double noise = 0.03 * draw();
    double more = 0;
    for (size_t i = 0; i < *count; i++) {
        double p = first * (double)(1 << i);
        double T = kind == 2 ? 1 + slope * log2(p) : first / p + serial + tree * log2(p + 1);
        more = i == at ? (factor - 1) * T : more;
        T = !change || i < at ? T : how == 2 ? T + more : T * factor;
        points[i] = (isocast_point){.p = p, .T = T * exp(noise * normal())};
    }
    return at;
}

static void changes_are_found_and_no_others(void **unused) {
    (void)unused;
    size_t found = 0;
    size_t exact = 0;
    size_t wrong = 0;
    for (size_t k = 0; k < CASES; k++) {
        isocast_point points[POINTS_MAX];
        size_t count;
        size_t at = draw_series(k % 2 == 0, points, &count);
        isocast_change change = isocast_change_find(points, count);
        found += k % 2 == 0 && change.found;
        exact += k % 2 == 0 && change.found && change.p == points[at].p &&
                 change.p_before == points[at - 1].p;
        wrong += k % 2 == 1 && change.found;
    }
    print_message("of %d changes %zu found, %zu of them where they are; %zu found of none\n",
                  CASES / 2, found, exact, wrong);
    assert_true((double)found >= 0.9 * CASES / 2);
    assert_true((double)exact >= 0.97 * (double)found);
    assert_true((double)wrong <= 0.01 * CASES / 2);
}

/* One run that is far off is no change, and neither is the end of a short series. */
static void one_point_is_no_change(void **unused) {
    (void)unused;
    isocast_point points[8];
    for (size_t i = 0; i < 8; i++) {
        double p = (double)(1 << i);
        points[i] = (isocast_point){.p = p, .T = (10 / p + 1) * (i == 4 ? 1.4 : 1)};
    }
    assert_false(isocast_change_find(points, 8).found);
    assert_false(isocast_change_find(points, 5).found);
    points[4].T /= 1.4;
    for (size_t i = 5; i < 8; i++) {
        points[i].T *= 1.5;
    }
    isocast_change change = isocast_change_find(points, 8);
    assert_true(change.found && change.p == 32 && change.p_before == 16);
    assert_true(fabs(change.factor - 1.5) < 1e-6);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(changes_are_found_and_no_others),
                                       cmocka_unit_test(one_point_is_no_change)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
