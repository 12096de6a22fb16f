/* What becomes of GSL's error handler, which a whole process shares. */
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

#include "model/base/numerics.h"

static int told;

static void tell(const char *reason, const char *file, int line, int cause) {
    (void)reason;
    (void)file;
    (void)line;
    (void)cause;
    told++;
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
    gsl_set_error_handler(tell);
    isocast_numerics_prepare();
    return fails_well() && told > 0 && gsl_set_error_handler(tell) == tell;
}

static void handler(void **state) {
    (void)state;
    expect_apart(default_is_off);
    expect_apart(own_is_kept);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(handler)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
