/* What an operation is made of, by its row of the table. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "calibrate/fit/fit_kinds.h"
#include "calibrate/fit/fit_law.h"

static void kinds_are_those_of_the_table(void **state) {
    (void)state;
    assert_int_equal(fit_kind_of("T_send"), FIT_KIND_SINGLE);
    assert_int_equal(fit_kind_of("T_sendrecv"), FIT_KIND_SINGLE);
    assert_int_equal(fit_kind_of("T_copy"), FIT_KIND_WORK);
    assert_int_equal(fit_kind_of("T_bcast_barrier"), FIT_KIND_TREE);
    assert_int_equal(fit_kind_of("T_allreduce"), FIT_KIND_OTHER);
    assert_int_equal(fit_kind_of("T_of_somebody"), FIT_KIND_OTHER);
}

/* The library's own scatter is no part of a broadcast, and no one else's ring is. */
static void only_broadcasts_have_algorithms_of_their_own(void **state) {
    (void)state;
    assert_int_equal(fit_kind_of("T_bcast_low_digit"), FIT_KIND_TREE);
    assert_int_equal(fit_kind_of("T_bcast_scatter_doubling"), FIT_KIND_DOUBLING);
    assert_int_equal(fit_kind_of("T_bcast_barrier_scatter_ring"), FIT_KIND_RING);
    assert_int_equal(fit_kind_of("T_bcast_barrier_by_leaders"), FIT_KIND_RELAY);
    assert_int_equal(fit_kind_of("T_scatter"), FIT_KIND_OTHER);
    assert_int_equal(fit_kind_of("T_allgather_ring"), FIT_KIND_OTHER);
    assert_int_equal(fit_kind_of("_low_digit"), FIT_KIND_OTHER);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kinds_are_those_of_the_table),
        cmocka_unit_test(only_broadcasts_have_algorithms_of_their_own)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
