/* Collectives from, or to, one root in a row, told by records that are made up here. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "made_records.h"

enum { STEPS = 5 };

/* Two broadcasts and a scatter from process 0, a barrier, five sums at process 0 without a call
 * between, a gather there right behind them, and a broadcast from process `root`, which follows a
 * broadcast from process 0 where `beside` says so. */
static isocast_record *rows_run(int N, int p, int root, bool beside) {
    isocast_buffer t = {0};
    isocast_buffer_printf(&t, "record,1\nprogram,./rows\nargument,%d\nprocesses,%d\n", N, p);
    isocast_buffer_puts(&t, "end,complete\nsite,0,main,r.c,1,r,1\nsite,1,main,r.c,2,r,2\n"
                            "site,2,main,r.c,3,r,3\nsite,3,main,r.c,4,r,4\nsite,4,main,r.c,5,r,5\n"
                            "site,5,main,r.c,6,r,6\nsite,6,main,r.c,7,r,7\n");
    isocast_buffer_printf(&t, "communicator,0,MPI_COMM_WORLD,,,,0%s", p > 1 ? "" : ",,\n");
    if (p > 1) {
        isocast_buffer_printf(&t, "-%d,,\n", p - 1);
    }
    for (int r = 0; r < p; r++) {
        isocast_buffer_printf(&t, "process,%d,h,1,1,0,0,0,0,complete\n", r);
    }
    for (int r = 0; r < p; r++) {
        isocast_buffer_printf(&t, "call,%d,0,0,MPI_Bcast,0,4,,,1,0\n", r);
        isocast_buffer_printf(&t, "call,%d,1,0,MPI_Bcast,0,8,,,1,0\n", r);
        isocast_buffer_printf(&t, "call,%d,2,0,MPI_Scatter,0,%d,,,1,0\n", r, 8 * N);
        isocast_buffer_printf(&t, "call,%d,3,0,MPI_Barrier,,0,,,1,0\n", r);
        isocast_buffer_printf(&t, "call,%d,4,0,MPI_Reduce,0,16,,,%d,0\n", r, STEPS);
        isocast_buffer_printf(&t, "call,%d,5,0,MPI_Bcast,%d,8,,,1,0\n", r, root);
        isocast_buffer_printf(&t, "call,%d,6,0,MPI_Gather,0,%d,,,1,0\n", r, 8 * N);
        isocast_buffer_printf(&t, "compute,%d,0,1,1,0,0,0,0\ncompute,%d,1,2,1,0,0,0,0\n", r, r);
        isocast_buffer_printf(&t, "compute,%d,2,%d,1,0,0,0,0\n", r, beside ? 5 : 3);
        isocast_buffer_printf(&t, "compute,%d,3,4,1,0,0,0,0\n", r);
        isocast_buffer_printf(&t, "compute,%d,4,4,%d,0,0,0,0\n", r, STEPS - 1);
        isocast_buffer_printf(&t, "compute,%d,4,6,1,0,0,0,0\n", r);
    }
    return record_of(&t);
}

static isocast_record *usual_run(int N, int p) {
    return rows_run(N, p, 0, false);
}

/* On one process it is the same root. */
static isocast_record *other_root_run(int N, int p) {
    return rows_run(N, p, p > 1, true);
}

static isocast_record *same_root_run(int N, int p) {
    return rows_run(N, p, 0, true);
}

static void text_has(isocast_record *(*run)(int N, int p), const char *const *expected,
                     size_t count, const char *absent) {
    static const int ps[] = {1, 2, 3, 4, 6};
    isocast_record *records[RECORDS_MOST];
    size_t record_count = make_runs(run, ps, COUNT(ps), records);
    isocast_derived *derived = derive_all(records, record_count, NULL);
    isocast_buffer text = {0};
    isocast_derived_write(derived, "rows", 1e9, &text);
    for (size_t i = 0; i < count; i++) {
        if (strstr(text.text, expected[i]) == NULL) {
            fail_msg("no %s in\n%s", expected[i], text.text);
        }
    }
    if (absent != NULL && strstr(text.text, absent) != NULL) {
        fail_msg("%s in\n%s", absent, text.text);
    }
    isocast_buffer_free(&text);
    text_is_an_algorithm(derived);
    isocast_derived_free(derived);
    free_all(records, record_count);
}

static void calls_in_a_row_add_what_one_more_does(void **unused) {
    (void)unused;
    static const char *const expected[] = {
        "main-Bcast-1: if(p > 1, T_bcast(4 B), 0 s)\n",
        "main-Scatter-3: if(p > 1, T_mpi_scatter(8 B * N), 0 s)\n",
        "main-Bcast-2-in-a-row-1: if(p > 1, -max(0 s, min(T_bcast(4 B) - T_bcast_next(4 B), ",
        ", T_bcast(8 B) - T_bcast_next(8 B)/2)), 0 s)\n",
        "main-Scatter-3-in-a-row-2: if(p > 1, -max(0 s, min(T_bcast(8 B) - T_bcast_next(8 B), ",
        ", T_mpi_scatter(8 B * N) - T_mpi_scatter_next(8 B * N)/2)), 0 s)\n",
        /* To the root it is the second one that leaves others free. */
        "main-Gather-7-in-a-row-4: if(p > 1, -max(0 s, min(T_mpi_gather(8 B * N) - ",
        ", T_reduce(16 B) - T_reduce_next(16 B)/2)), 0 s)\n",
        "main-Reduce-5-in-a-row-3: if(p > 1, -4*max(0 s, T_reduce(16 B) - T_reduce_next(",
        /* By itself, though it has the root of the others. */
        "main-Bcast-2: if(p > 1, 2*T_bcast(8 B), 0 s)\n", "  T_bcast_next: T_bcast(m)\n",
        "  T_mpi_scatter_next: T_mpi_scatter(m)\n", "  T_reduce_next: T_reduce(m)\n"};
    text_has(usual_run, expected, COUNT(expected), NULL);
}

static void another_root_begins_a_row(void **unused) {
    (void)unused;
    static const char *const other[] = {"main-Bcast-2: if(p > 1, 2*T_bcast(8 B), 0 s)\n"};
    text_has(other_root_run, other, COUNT(other), "min(T_mpi_scatter");
    static const char *const same[] = {"main-Bcast-2-in-a-row-3: if(p > 1, -max(0 s, min("};
    text_has(same_root_run, same, COUNT(same), NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(calls_in_a_row_add_what_one_more_does),
        cmocka_unit_test(another_root_begins_a_row),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
