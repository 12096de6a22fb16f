/* Runs that nothing else slowed. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "model/runs/calm.h"

static void slowed_times_do_not_count(void **unused) {
    (void)unused;
    double times[] = {2.3, 1.1, 2.2, 1, 1.25, 2.4, 1.2501};
    size_t calm = 0;
    assert_true(isocast_calm_time(times, 7, &calm) == 1.1);
    assert_int_equal(calm, 3);
    double one[] = {5};
    assert_true(isocast_calm_time(one, 1, &calm) == 5);
    assert_int_equal(calm, 1);
}

/* Times drawn at random, at two sizes of two systems with another column. The last one is what the
 * run came to, and different in each. */
static void rows_are_held_against_their_own_kind(void **unused) {
    (void)unused;
    enum { ROWS = 200 };
    char text[ROWS * 40] = "system,N,steps,T,T_part\n";
    size_t length = strlen(text);
    srand(7);
    for (int i = 0; i < ROWS; i++) {
        length += (size_t)snprintf(text + length, sizeof text - length, "%c,%d,%d,%d,%d\n",
                                   "ab"[rand() % 2], 1 + rand() % 2, 5 + rand() % 2,
                                   100 + rand() % 100, i);
    }
    isocast_diagnostics diagnostics = {0};
    isocast_source *source = NULL;
    isocast_runs *runs = NULL;
    assert_int_equal(isocast_source_create("test", text, length, &source), ISOCAST_OK);
    assert_int_equal(isocast_runs_read_list(source, &diagnostics, &runs), ISOCAST_OK);
    size_t calm = 0;
    assert_int_equal(isocast_runs_put_calm_first(runs, &calm), ISOCAST_OK);
    assert_int_equal(runs->count, ROWS);
    assert_in_range(calm, 1, ROWS - 1);
    for (size_t i = 0; i < ROWS; i++) {
        double shortest = INFINITY;
        for (size_t k = 0; k < ROWS; k++) {
            const isocast_run *a = &runs->rows[i];
            const isocast_run *b = &runs->rows[k];
            if (strcmp(a->system, b->system) == 0 && a->N == b->N && a->others[0] == b->others[0]) {
                shortest = fmin(shortest, b->T);
            }
        }
        assert_int_equal(i < calm, runs->rows[i].T <= 1.25 * shortest);
        /* Each part is in the order of the file. */
        assert_true(i == 0 || i == calm ||
                    runs->rows[i - 1].places.T.begin < runs->rows[i].places.T.begin);
    }
    isocast_runs_free(runs);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(slowed_times_do_not_count),
                                       cmocka_unit_test(rows_are_held_against_their_own_kind)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
