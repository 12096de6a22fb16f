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
    assert_int_equal(fit_kind_of("T_transpose"), FIT_KIND_EXCHANGE);
    assert_int_equal(fit_kind_of("T_butterfly"), FIT_KIND_BUTTERFLY);
    assert_int_equal(fit_kind_of("T_allreduce"), FIT_KIND_OTHER);
    assert_int_equal(fit_kind_of("T_chain"), FIT_KIND_CHAIN);
    assert_int_equal(fit_kind_of("T_stream"), FIT_KIND_STREAM);
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

/* The longest way from a node to the next rules. With more nodes it grows in steps, and nodes that
 * have several processes may have longer ones. */
static void a_stream_grows_in_steps(void **state) {
    (void)state;
    const unsigned steps =
        1U << FIT_TERM_OVER_2_NODES | 1U << FIT_TERM_OVER_4_NODES | 1U << FIT_TERM_OVER_8_NODES;
    const unsigned packed = 1U << FIT_TERM_PACKED;
    fit_facts facts = {.kind = FIT_KIND_STREAM};
    assert_false(fit_allowed_terms(&facts) & (steps | packed));
    facts.learnt = true;
    assert_int_equal(fit_allowed_terms(&facts) & (steps | packed), steps);
    facts.varied = true;
    assert_int_equal(fit_allowed_terms(&facts) & (steps | packed), steps | packed);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kinds_are_those_of_the_table),
        cmocka_unit_test(only_broadcasts_have_algorithms_of_their_own),
        cmocka_unit_test(a_stream_grows_in_steps)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
