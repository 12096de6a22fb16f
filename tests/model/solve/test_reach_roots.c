/* Roots by bands where bounds alone do not exclude any. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "model/solve/reach_roots.h"
#include "model_fixture.h"

/* Two terms switch at N = 120, where their sum does not change: bounds take each for itself. */
static void several_switch_at_one_place(void **unused) {
    (void)unused;
    fixture f =
        fixture_create("algorithm: a\nsize: {N: {min: 2}}\nwork: 2/3*N^3\noverhead:\n"
                       "  falls: if(N < 120, 10 us, 1 us)*N\n"
                       "  rises: if(N < 120, 1 us, 10 us)*N\n",
                       "machine: m\nnodes: {node: {count: 2, marked_speed: 1 Gflop/s}}\n", "1");
    isocast_reach *reach = NULL;
    assert_int_equal(isocast_reach_create(isocast_model_times(f.model), 0, &reach), ISOCAST_OK);
    isocast_column *columns = calloc(isocast_model_column_count(f.model), sizeof *columns);
    assert_non_null(columns);
    isocast_model_columns(f.model, f.systems[0], NULL, NULL, columns);
    isocast_reach_bind(reach, columns, &f.systems[0]->table);
    isocast_effort effort = isocast_effort_of(1);
    isocast_reach_roots roots;
    bool known = false;
    assert_int_equal(isocast_reach_roots_find(reach, ISOCAST_MODEL_TERMS + 2, 1 / (0.5 * 1e9), 2,
                                              1e300, &effort, &roots, &known),
                     ISOCAST_OK);
    assert_true(known);
    assert_int_equal(roots.count, 1);
    /* 2/3 N^3 / C = 11 us N */
    assert_true(fabs(roots.N[0] - sqrt(1.5 * 11e-6 * 1e9)) <= 1e-9 * roots.N[0]);
    assert_true(isnan(roots.jump_N));
    isocast_reach_free(reach);
    free(columns);
    fixture_free(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(several_switch_at_one_place)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
