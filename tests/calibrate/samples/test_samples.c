/* Lines of samples: whole rows are taken, anything else is distinguished. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "calibrate/samples/samples.h"
#include "sample_lines.h"

static void rows_and_environment(void **state) {
    (void)state;
    samples s = {0};
    add_line(&s, SAMPLES_HEADER, SAMPLES_LINE_HEADER);
    add_line(&s, "", SAMPLES_LINE_HEADER);
    add_line(&s, "# clock: MPI_Wtime", SAMPLES_LINE_ENVIRONMENT);
    add_line(&s, "# clock: MPI_Wtime", SAMPLES_LINE_REPEATED);
    /* A prefix of a line that is there is another line. */
    add_line(&s, "# clock: MPI", SAMPLES_LINE_ENVIRONMENT);
    assert_string_equal(s.environment, "# clock: MPI_Wtime\n# clock: MPI\n");
    add_line(&s, "2,T_bcast,4,1024,7,1.5e-6,interval,0,2,2", SAMPLES_LINE_ROW);
    add_line(&s, "2,ge,1,8192,0,8e-11,budget,1,1,1", SAMPLES_LINE_ROW);
    assert_int_equal(s.count, 2);
    assert_int_equal(s.operation_count, 2);
    assert_string_equal(s.operations[s.rows[0].operation], "T_bcast");
    assert_true(s.rows[0].launch == 2 && s.rows[0].p == 4 && s.rows[0].m == 1024);
    assert_true(s.rows[0].seconds == 1.5e-6);
    samples_free(&s);
}

static void rows_cut_off_or_impossible(void **state) {
    (void)state;
    static const char *const bad[] = {
        "2,T_bcast,4,1024,7,1.5e-6,interval,",       /* cut off by a crash */
        "2,T_bcast,4,1024,7,1.5e-6",                 /* likewise */
        "2,T_bcast,4,1024,7,1.5e-6,interval,0",      /* likewise */
        "2,T_bcast,4,1024,7,1.5e-6,interval,0,1,5",  /* on a node that has more than all */
        "2,T_bcast,4,1024,7,1.5e-6,interval,0,1,4,", /* a column too many */
        "-1,T_bcast,4,1024,7,1.5e-6,interval,0,1,4", /* no launch */
        "2,T_bcast,0,1024,7,1.5e-6,interval,0,1,4",  /* no process */
        "2,T_bcast,2.5,1024,7,1.5e-6,interval,0,1,4",
        "2,T_bcast,4,-8,7,1.5e-6,interval,0,1,4",
        "2,T_bcast,4,1024,7,-1.5e-6,interval,0,1,4",
        "2,T_bcast,4,1024,7,nan,interval,0,1,4",
        "2,T_bcast,4,1024,7,inf,interval,0,1,4",
        "2,T bcast,4,1024,7,1.5e-6,interval,0,1,4", /* no name for a formula */
        "2,,4,1024,7,1.5e-6,interval,0,1,4",
        "two,T_bcast,4,1024,7,1.5e-6,interval,0,1,4",
        "hello"};
    samples s = {0};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        samples_line kind;
        if (samples_add_line(&s, bad[i], &kind) != ISOCAST_INVALID) {
            fail_msg("taken: %s", bad[i]);
        }
    }
    assert_int_equal(s.count, 0);
    samples_free(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(rows_and_environment),
                                       cmocka_unit_test(rows_cut_off_or_impossible)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
