/* The table of operations: names that can be found, and that mean one operation each. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "model/base/known_operation.h"

static void every_row_is_found_by_its_names(void **state) {
    (void)state;
    for (size_t i = 0; i < ISOCAST_KNOWN_OPERATIONS; i++) {
        const isocast_known_operation *row = &isocast_known_operations[i];
        assert_true(isocast_operation_is_name(row->name));
        assert_ptr_equal(isocast_known_operation_find(row->name), row);
        for (size_t k = 0; k < ISOCAST_OPERATION_NAMES_MAX && row->also[k] != NULL; k++) {
            assert_ptr_equal(isocast_known_operation_find(row->also[k]), row);
        }
    }
    assert_ptr_equal(isocast_known_operation_find("T_bcast"),
                     &isocast_known_operations[ISOCAST_KNOWN_bcast]);
    assert_null(isocast_known_operation_find("T_nothing"));
    assert_null(isocast_known_operation_find("bcast"));
    assert_null(isocast_known_operation_find(""));
}

/* Fails where two rows have a name in common. */
static void assert_apart(const char *const *names, const char *const *others) {
    for (size_t k = 0; k < ISOCAST_OPERATION_NAMES_MAX && names[k] != NULL; k++) {
        for (size_t l = 0; l < ISOCAST_OPERATION_NAMES_MAX && others[l] != NULL; l++) {
            assert_string_not_equal(names[k], others[l]);
        }
    }
}

static void a_name_of_another_benchmark_means_one_operation(void **state) {
    (void)state;
    for (size_t i = 0; i < ISOCAST_KNOWN_OPERATIONS; i++) {
        for (size_t k = 0; k < i; k++) {
            assert_apart(isocast_known_operations[i].osu, isocast_known_operations[k].osu);
            assert_apart(isocast_known_operations[i].imb, isocast_known_operations[k].imb);
        }
    }
}

static void names_start_with_the_prefix(void **state) {
    (void)state;
    assert_true(isocast_operation_is_name("T_x"));
    assert_false(isocast_operation_is_name("t_c"));
    assert_false(isocast_operation_is_name("T"));
    assert_string_equal(isocast_operation_stem("T_bcast"), "bcast");
    assert_string_equal(isocast_operation_stem("triad"), "triad");
    assert_true(isocast_operation_starts("T_bcast(8 B)", 7));
    assert_false(isocast_operation_starts("T_bcast", 1));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_row_is_found_by_its_names),
        cmocka_unit_test(a_name_of_another_benchmark_means_one_operation),
        cmocka_unit_test(names_start_with_the_prefix)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
