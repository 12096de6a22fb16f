/* Work by itself: the algorithms of specs/ against their closed forms, without a machine. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "model/spec/algorithm_load.h"
#include "model/spec/work.h"

enum { SIZES = 3 };
static const double sizes[SIZES] = {2, 310, 1e6};

static void work_of(const char *path, double *W) {
    isocast_diagnostics diagnostics = {0};
    isocast_algorithm *algorithm = NULL;
    isocast_work *work = NULL;
    assert_int_equal(isocast_algorithm_load(path, &diagnostics, &algorithm), ISOCAST_OK);
    assert_int_equal(isocast_work_create(algorithm, &diagnostics, &work), ISOCAST_OK);
    assert_ptr_equal(isocast_work_algorithm(work), algorithm);
    assert_int_equal(isocast_work_evaluate(work, sizes, NULL, SIZES, W), ISOCAST_OK);
    isocast_work_free(work);
    isocast_algorithm_free(algorithm);
    isocast_diagnostics_clear(&diagnostics);
}

static void assert_all_near(const double *W, double (*due)(double N)) {
    for (size_t i = 0; i < SIZES; i++) {
        if (!(fabs(W[i] - due(sizes[i])) <= 1e-12 * due(sizes[i]))) {
            fail_msg("W(%g) is %.17g, not %.17g", sizes[i], W[i], due(sizes[i]));
        }
    }
}

static double elimination(double N) {
    return 2.0 / 3 * pow(N, 3) - N * N / 2 - 19.0 / 6 * N + 3;
}

static double convolution(double N) {
    return 66 * N * N * log2(N) + 21 * N * N + 84 * N * log2(N);
}

static void closed_forms(void **state) {
    (void)state;
    double W[SIZES];
    work_of(ISOCAST_SOURCE_DIR "/specs/algorithms/gaussian-elimination.yaml", W);
    assert_all_near(W, elimination);
    work_of(ISOCAST_SOURCE_DIR "/specs/algorithms/convolution-2d.yaml", W);
    assert_all_near(W, convolution);
}

/* Further sizes are the same at every N: 2 N^2 K. */
static void further_sizes(void **state) {
    (void)state;
    isocast_diagnostics diagnostics = {0};
    isocast_algorithm *algorithm = NULL;
    isocast_work *work = NULL;
    const double N[] = {3, 40, 500};
    const double K = 7;
    double W[3];
    assert_int_equal(isocast_algorithm_load(ISOCAST_SOURCE_DIR "/tests/cli/files/two-sizes.yaml",
                                            &diagnostics, &algorithm),
                     ISOCAST_OK);
    assert_int_equal(isocast_work_create(algorithm, &diagnostics, &work), ISOCAST_OK);
    assert_int_equal(isocast_work_evaluate(work, N, &K, 3, W), ISOCAST_OK);
    for (size_t i = 0; i < 3; i++) {
        assert_true(fabs(W[i] - 2 * N[i] * N[i] * K) <= 1e-12 * W[i]);
    }
    isocast_work_free(work);
    isocast_algorithm_free(algorithm);
}

/* What needs more than the sizes is refused, with a place. */
static void refused(void **state) {
    (void)state;
    isocast_diagnostics diagnostics = {0};
    isocast_algorithm *algorithm = NULL;
    isocast_work *work = NULL;
    assert_int_equal(isocast_algorithm_load(ISOCAST_SOURCE_DIR
                                            "/tests/cli/files/work-of-machine.yaml",
                                            &diagnostics, &algorithm),
                     ISOCAST_OK);
    assert_int_equal(isocast_work_create(algorithm, &diagnostics, &work), ISOCAST_INVALID);
    assert_null(work);
    assert_true(diagnostics.errors > 0 && diagnostics.items[0].line == 3);
    isocast_algorithm_free(algorithm);
    isocast_diagnostics_clear(&diagnostics);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(closed_forms),
                                       cmocka_unit_test(further_sizes), cmocka_unit_test(refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
