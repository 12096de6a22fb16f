/* Least squares with coefficients between two ends, against all combinations of ends. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "model/base/bounded.h"

enum { TERMS_MOST = 4, ROWS = 12, CASES = 2000 };

typedef struct problem {
    size_t terms;
    double x[ROWS][TERMS_MOST], y[ROWS], range[TERMS_MOST];
} problem;

static uint64_t state = 20261128;

/* From 0 to 1. */
static double draw(void) {
    state = state * 6364136223846793005U + 1442695040888963407U;
    return (double)(state >> 11) / 9007199254740992.0;
}

static void make(problem *p) {
    p->terms = 1 + (size_t)(draw() * TERMS_MOST);
    for (size_t j = 0; j < p->terms; j++) {
        p->range[j] = draw() < 0.3 ? INFINITY : draw() * 2;
    }
    for (size_t i = 0; i < ROWS; i++) {
        p->y[i] = draw() * 4 - 1;
        for (size_t j = 0; j < p->terms; j++) {
            /* Terms that are nearly alike, too. */
            p->x[i][j] = j > 0 && draw() < 0.6 ? p->x[i][j - 1] + 0.1 * draw() : draw() * 2 - 0.5;
        }
    }
}

static double squares_of(const problem *p, const double *coefficients) {
    double squares = 0;
    for (size_t i = 0; i < ROWS; i++) {
        double off = -p->y[i];
        for (size_t j = 0; j < p->terms; j++) {
            off += coefficients[j] * p->x[i][j];
        }
        squares += off * off;
    }
    return squares;
}

static void solve(const problem *p, double *coefficients, unsigned *alike) {
    isocast_moments moments = {.terms = p->terms};
    for (size_t i = 0; i < ROWS; i++) {
        isocast_moments_add(&moments, p->x[i], p->y[i]);
    }
    isocast_moments_system system;
    isocast_moments_system_make(&moments, &system);
    isocast_bounded_solve(&system, p->range, coefficients, alike);
}

/* The least squares of one combination: digit j of it is the place of term j, at 0, at its range
 * or free; by elimination. INFINITY where a free one leaves its range. */
static double of_combination(const problem *p, size_t combination) {
    double fixed[TERMS_MOST] = {0};
    size_t free[TERMS_MOST];
    size_t count = 0;
    for (size_t j = 0; j < p->terms; j++, combination /= 3) {
        if (combination % 3 == 2) {
            free[count++] = j;
        } else if (combination % 3 == 1) {
            fixed[j] = p->range[j];
        }
        if (!isfinite(fixed[j])) {
            return INFINITY;
        }
    }
    double rows[TERMS_MOST][TERMS_MOST + 1] = {{0}};
    for (size_t i = 0; i < ROWS; i++) {
        double left = p->y[i];
        for (size_t j = 0; j < p->terms; j++) {
            left -= fixed[j] * p->x[i][j];
        }
        for (size_t a = 0; a < count; a++) {
            for (size_t b = 0; b < count; b++) {
                rows[a][b] += p->x[i][free[a]] * p->x[i][free[b]];
            }
            rows[a][count] += p->x[i][free[a]] * left;
        }
    }
    for (size_t k = 0; k < count; k++) {
        for (size_t a = 0; a < count; a++) {
            double share = a != k ? rows[a][k] / rows[k][k] : 0;
            for (size_t b = k; b <= count; b++) {
                rows[a][b] -= share * rows[k][b];
            }
        }
    }
    for (size_t k = 0; k < count; k++) {
        double value = rows[k][count] / rows[k][k];
        if (!(value >= 0 && value <= p->range[free[k]])) {
            return INFINITY;
        }
        fixed[free[k]] = value;
    }
    return squares_of(p, fixed);
}

static void test_no_combination_is_nearer(void **unused) {
    (void)unused;
    size_t at_range = 0;
    size_t inside = 0;
    for (int k = 0; k < CASES; k++) {
        problem p;
        make(&p);
        double found[TERMS_MOST];
        unsigned alike;
        solve(&p, found, &alike);
        double least = INFINITY;
        size_t combinations = 1;
        for (size_t j = 0; j < p.terms; j++) {
            assert_true(found[j] >= 0 && found[j] <= p.range[j]);
            at_range += found[j] == p.range[j];
            inside += found[j] > 0 && found[j] < p.range[j];
            combinations *= 3;
        }
        for (size_t c = 0; c < combinations; c++) {
            least = fmin(least, of_combination(&p, c));
        }
        assert_int_equal(alike, 0);
        assert_true(squares_of(&p, found) <= least * (1 + 1e-9));
    }
    assert_true(at_range > 100 && inside > 100);
}

/* Of two equal terms one is 0, and one that is 0 in all rows is 0. */
static void test_alike(void **unused) {
    (void)unused;
    problem p = {.terms = 3, .range = {INFINITY, INFINITY, 1}};
    for (size_t i = 0; i < ROWS; i++) {
        p.x[i][0] = p.x[i][1] = (double)i + 1;
        p.y[i] = 2 * p.x[i][0] + (i % 2 == 0 ? 0.1 : -0.1);
    }
    double found[TERMS_MOST];
    unsigned alike;
    solve(&p, found, &alike);
    assert_true(fabs(found[0] + found[1] - 2) < 0.1);
    assert_true(found[0] == 0 || found[1] == 0);
    assert_true(found[2] == 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_no_combination_is_nearer),
                                       cmocka_unit_test(test_alike)};
    return cmocka_run_group_tests_name("bounded", tests, NULL, NULL);
}
