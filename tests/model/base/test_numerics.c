/* What becomes of GSL's error handler, which a whole process shares. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <gsl/gsl_errno.h>
#include <gsl/gsl_vector.h>
#include <sys/wait.h>
#include <unistd.h>

#include "model/base/least_squares.h"
#include "model/base/numerics.h"

static int reported;

static void report(const char *reason, const char *file, int line, int cause) {
    (void)reason;
    (void)file;
    (void)line;
    (void)cause;
    reported++;
}

/* Runs a check in a process of its own, as the handler is changed once in each. */
static void expect_apart(int (*holds)(void)) {
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        _exit(holds() ? 0 : 1);
    }
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

/* Asks for an element that there is not; the default handler would abort. */
static bool fails_well(void) {
    double one = 1;
    gsl_vector_view view = gsl_vector_view_array(&one, 1);
    return gsl_vector_set_basis(&view.vector, 1) != GSL_SUCCESS;
}

static int default_is_off(void) {
    isocast_numerics_prepare();
    isocast_numerics_prepare();
    return fails_well();
}

static int own_is_kept(void) {
    gsl_set_error_handler(report);
    isocast_numerics_prepare();
    return fails_well() && reported > 0 && gsl_set_error_handler(report) == report;
}

static void handler(void **state) {
    (void)state;
    expect_apart(default_is_off);
    expect_apart(own_is_kept);
}

static void statuses(void **state) {
    (void)state;
    assert_int_equal(isocast_numerics_status(GSL_SUCCESS), ISOCAST_OK);
    assert_int_equal(isocast_numerics_status(GSL_ENOMEM), ISOCAST_NO_MEMORY);
    assert_int_equal(isocast_numerics_status(GSL_ETOL), ISOCAST_NUMERIC);
    assert_int_equal(isocast_numerics_status(GSL_EDOM), ISOCAST_NUMERIC);
}

/* What cannot be decomposed is neither a lack of memory nor a result. */
static void least_squares(void **state) {
    (void)state;
    double numbers[] = {1, 1, 1, INFINITY, 1, 3};
    double observed[] = {1, 2, 3};
    double coefficients[2];
    double covariance[4];
    double squares = 0;
    size_t rank = 0;
    gsl_matrix_view design = gsl_matrix_view_array(numbers, 3, 2);
    gsl_vector_view y = gsl_vector_view_array(observed, 3);
    gsl_vector_view c = gsl_vector_view_array(coefficients, 2);
    gsl_matrix_view v = gsl_matrix_view_array(covariance, 2, 2);
    assert_int_equal(isocast_least_squares(&design.matrix, &y.vector, 1e-10, &c.vector, &v.matrix,
                                           &squares, &rank),
                     ISOCAST_ARGUMENT);
    numbers[3] = 2;
    assert_int_equal(isocast_least_squares(&design.matrix, &y.vector, 1e-10, &c.vector, &v.matrix,
                                           &squares, &rank),
                     ISOCAST_OK);
    assert_true(fabs(coefficients[0]) < 1e-12 && fabs(coefficients[1] - 1) < 1e-12);
    assert_true(squares < 1e-20);
    assert_int_equal(rank, 2);
    /* A result of another length: what GSL refuses is reported, and does not end the program. */
    gsl_vector_view short_one = gsl_vector_view_array(coefficients, 1);
    assert_int_equal(isocast_least_squares(&design.matrix, &y.vector, 1e-10, &short_one.vector,
                                           &v.matrix, &squares, &rank),
                     ISOCAST_NUMERIC);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(handler), cmocka_unit_test(statuses),
                                       cmocka_unit_test(least_squares)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
