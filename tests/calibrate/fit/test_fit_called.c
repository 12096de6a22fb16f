/* Algorithms of a library's collectives: which holds where, in its tables and in formulas, and each
 * found again by itself. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "calibrate/fit/fit.h"
#include "calibrate/fit/fit_called.h"
#include "calibrate/samples/samples.h"
#include "fitted_machine.h"
#include "tests/calibrate/samples/sample_lines.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

static const double step = 20e-6;      /* s, of steps that double */
static const double doubled = 1e-9;    /* s/B */
static const double turn = 50e-6;      /* s, of steps round the ring */
static const double turned = 1.25e-10; /* s/B */

static const isocast_collective_choice *row_of(isocast_collective_operation operation, double p,
                                               double nodes, double p_node, double m) {
    fit_summary item = {.p = p, .nodes = nodes, .p_node = p_node, .m = m};
    return fit_called_choice(ISOCAST_COLLECTIVES_MPICH, operation, &item);
}

static void assert_ending(isocast_collective_operation operation, double p, double nodes,
                          double p_node, double m, const char *ending) {
    assert_string_equal(fit_called_ending(row_of(operation, p, nodes, p_node, m)), ending);
}

static double seconds_of(double p, double m) {
    const isocast_collective_choice *row = row_of(COLLECTIVE_ALLGATHER, p, p, 1, m);
    return row->algorithm == isocast_collective_allgather_ring
               ? (turn + turned * m) * (p - 1)
               : step * ceil(log2(p)) + doubled * m * (p - 1);
}

static void operations_are_called(void **state) {
    (void)state;
    static const struct {
        const char *name;
        isocast_collective_operation called;
    } cases[] = {{"T_bcast", COLLECTIVE_BCAST},
                 {"T_bcast_barrier", COLLECTIVE_BCAST},
                 {"T_gather", COLLECTIVE_GATHER},
                 {"T_gatherv", COLLECTIVE_GATHERV},
                 {"T_reduce_scatter_block", COLLECTIVE_REDUCE_SCATTER_BLOCK},
                 {"T_allgatherv", COLLECTIVE_ALLGATHERV},
                 /* Messages, and others' names. */
                 {"T_recv", COLLECTIVE_OPERATION_COUNT},
                 {"T_bcast_of_somebody", COLLECTIVE_OPERATION_COUNT}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        isocast_collective_operation called;
        assert_int_equal(fit_called_find(cases[i].name, &called),
                         cases[i].called != COLLECTIVE_OPERATION_COUNT);
        assert_int_equal(called, cases[i].called);
    }
}

static void samples_report_the_library(void **state) {
    (void)state;
    assert_int_equal(fit_called_library(NULL), ISOCAST_COLLECTIVES_MPICH);
    assert_int_equal(fit_called_library("# mpi: Open MPI v4.1.4, package: Debian\n"),
                     ISOCAST_COLLECTIVES_OPENMPI);
    assert_int_equal(fit_called_library("# mpi: MPICH Version: 4.0.2\n# host: Open MPI\n"),
                     ISOCAST_COLLECTIVES_MPICH);
    assert_int_equal(fit_called_library("# mpi: SMPI Version 3.32\n# collectives: intel\n"),
                     ISOCAST_COLLECTIVES_INTEL);
    assert_int_equal(fit_called_library("# mpi: SMPI Version 3.32\n"), ISOCAST_COLLECTIVES_MPICH);
}

static void placements_have_algorithms(void **state) {
    (void)state;
    assert_ending(COLLECTIVE_ALLGATHER, 16, 16, 1, 32760, "_doubling");
    assert_ending(COLLECTIVE_ALLGATHER, 16, 16, 1, 32768, "_ring");
    assert_ending(COLLECTIVE_ALLGATHER, 10, 10, 1, 8191, "_bruck");
    assert_ending(COLLECTIVE_ALLGATHER, 10, 10, 1, 8192, "_ring");
    assert_ending(COLLECTIVE_ALLGATHERV, 10, 10, 1, 8192, "_ring_in_pieces");
    assert_ending(COLLECTIVE_BCAST, 9, 9, 1, 1024, "_low_digit");
    assert_ending(COLLECTIVE_BCAST, 9, 3, 3, 1024, "_by_leaders");
    /* Node leaders on one node do what the library does there. */
    assert_ending(COLLECTIVE_BCAST, 9, 1, 9, 1024, "_low_digit");
    assert_ending(COLLECTIVE_BCAST, 9, 1, 9, 1 << 20, "_scatter_ring");
    assert_ending(COLLECTIVE_BCAST, 16, 4, 4, 65536, "_root_node_first");
    assert_ptr_equal(fit_called_row_of("T_bcast_barrier_scatter_ring")->algorithm,
                     isocast_collective_bcast_scatter_ring);
    assert_null(fit_called_row_of("T_bcast_bruck"));
    assert_null(fit_called_row_of("T_scatter_ring"));
}

static void assert_text(isocast_collectives library, const double (*seen)[3], size_t count,
                        const char *expected) {
    const isocast_collective_choice *rows[8];
    for (size_t i = 0; i < count; i++) {
        fit_summary item = {.p = seen[i][0],
                            .nodes = seen[i][1],
                            .p_node = seen[i][0] / seen[i][1],
                            .m = seen[i][2]};
        rows[i] = fit_called_choice(library, COLLECTIVE_BCAST, &item);
    }
    isocast_buffer text = {0};
    fit_called_text(library, COLLECTIVE_BCAST, "T_b", rows, count, &text);
    assert_string_equal(text.text, expected);
    isocast_buffer_free(&text);
}

/* What was not seen is like what is next to it in the table, and conditions behind which all is the
 * same are none. */
static void choices_are_formulas(void **state) {
    (void)state;
    static const double flat[][3] = {{9, 9, 8}, {9, 9, 1 << 20}};
    assert_text(ISOCAST_COLLECTIVES_MPICH, flat, 2,
                "if(p < 8 and nodes > 1 and p_node_max > 1, T_b_low_digit(m, p), "
                "if(m < 12288 B and nodes > 1 and p_node_max > 1, T_b_low_digit(m, p), "
                "if(m < 524288 B and 2^round(log2(p)) == p and nodes > 1 and p_node_max > 1, "
                "T_b_low_digit(m, p), if(p < 8, T_b_low_digit(m, p), "
                "if(m < 12289 B, T_b_low_digit(m, p), T_b_scatter_ring(m, p))))))");
    static const double one[][3] = {{9, 9, 8}};
    assert_text(ISOCAST_COLLECTIVES_MPICH, one, 1, "T_b_low_digit(m, p)");
    static const double open[][3] = {{16, 16, 8}, {16, 16, 1 << 20}};
    assert_text(ISOCAST_COLLECTIVES_INTEL, open, 2,
                "if(m < 16384 B and nodes > 1 and p_node_max > 1, T_b_low_digit(m, p), "
                "if(m < 524288 B and nodes > 1 and p_node_max > 1, T_b_low_digit(m, p), "
                "if(p < 9, T_b_low_digit(m, p), "
                "if(m < 16384 B, T_b_low_digit(m, p), T_b_scatter_ring(m, p)))))");
}

/* So 64 processes, of which none were measured, go round the ring at 8192 B, as 16 do not. */
static void all_algorithms_are_found_again(void **state) {
    (void)state;
    static const double processes[] = {2, 3, 4, 5, 6, 8, 9, 11, 13, 16};
    samples s = {0};
    for (size_t i = 0; i < COUNT(processes); i++) {
        for (double m = 8; m <= 1 << 22; m *= 2) {
            char line[256];
            snprintf(line, sizeof line, "0,T_allgather,%g,%.0f,0,%.17g,count,0,1,%g", processes[i],
                     m, seconds_of(processes[i], m), processes[i]);
            add_line(&s, line, SAMPLES_LINE_ROW);
        }
    }
    fit f = {0};
    assert_int_equal(fit_samples(&s, NULL, &f), ISOCAST_OK);
    static const struct {
        const char *name;
        double value;
    } expected[] = {{"allgather_doubling_step", step}, {"allgather_doubling_process_byte", doubled},
                    {"allgather_bruck_step", step},    {"allgather_bruck_process_byte", doubled},
                    {"allgather_ring_process", turn},  {"allgather_ring_process_byte", turned}};
    for (size_t i = 0; i < COUNT(expected); i++) {
        double value = fitted_number_of(&f, expected[i].name).value;
        if (!(fabs(value / expected[i].value - 1) < 1e-6)) {
            fail_msg("%s is %g", expected[i].name, value);
        }
    }
    assert_int_equal(f.operation_count, 4);
    assert_string_equal(f.operations[3].name, "T_allgather");
    assert_string_equal(f.operations[3].body.text,
                        "    formula: if(m*p < 524288 B and 2^round(log2(p)) == p, "
                        "T_allgather_doubling(m, p), if(2^round(log2(p)) == p, "
                        "T_allgather_ring(m, p), if(m*p < 81920 B, T_allgather_bruck(m, p), "
                        "T_allgather_ring(m, p))))\n");
    fit_free(&f);
    samples_free(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(operations_are_called),
        cmocka_unit_test(samples_report_the_library),
        cmocka_unit_test(placements_have_algorithms),
        cmocka_unit_test(choices_are_formulas),
        cmocka_unit_test(all_algorithms_are_found_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
