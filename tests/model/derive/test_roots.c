/* Collectives whose root changes, reported by records that are made up here. */
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

/* How many of N rows process q of p has: in blocks, or dealt out one by one. */
static int rows_in_block(int N, int p, int q) {
    return (q + 1) * N / p - q * N / p;
}

static int rows_in_turns(int N, int p, int q) {
    return (N - q + p - 1) / p;
}

/* Each row is broadcast by the process that has it. What comes behind each call, and how often:
 * the call itself, or a barrier and then the call. */
static isocast_record *rows_run(int N, int p, int (*rows)(int N, int p, int q), bool barriers) {
    isocast_buffer t = begin_record(p, "main main", "%d", N);
    for (int r = 0; r < p; r++) {
        for (int q = 0; q < p; q++) {
            isocast_buffer_printf(&t, "call,%d,0,0,MPI_Bcast,%d,%d,,,%d,0\n", r, q, 8 * N,
                                  rows(N, p, q));
        }
        if (barriers) {
            isocast_buffer_printf(&t, "call,%d,1,0,MPI_Barrier,,0,,,%d,0\n", r, N);
            isocast_buffer_printf(&t, "compute,%d,0,1,%d,0,0,0,0\ncompute,%d,1,0,%d,0,0,0,0\n", r,
                                  N, r, N - 1);
        } else {
            isocast_buffer_printf(&t, "compute,%d,0,0,%d,0,0,0,0\n", r, N - 1);
        }
    }
    return record_of(&t);
}

static isocast_record *block_run(int N, int p) {
    return rows_run(N, p, rows_in_block, false);
}

static isocast_record *cyclic_run(int N, int p) {
    return rows_run(N, p, rows_in_turns, false);
}

static isocast_record *barrier_run(int N, int p) {
    return rows_run(N, p, rows_in_turns, true);
}

/* Some roots have more calls than others, in no order. */
static int rows_at_random(int N, int p, int q) {
    int others = 0;
    for (int k = 1; k < p; k++) {
        others += k % 2 == 0 ? 3 : 1;
    }
    return q == 0 ? N - others : q % 2 == 0 ? 3 : 1;
}

static isocast_record *random_run(int N, int p) {
    return rows_run(N, p, rows_at_random, false);
}

/* Rows get shorter: the order of the roots is reported. block: rows that follow each other have one
 * root. */
static isocast_record *shorter_run(int N, int p, int block) {
    isocast_buffer t = begin_record(p, "main", "%d", N);
    for (int r = 0; r < p; r++) {
        for (int k = 0; k < N; k++) {
            isocast_buffer_printf(&t, "call,%d,0,0,MPI_Bcast,%d,%d,,,1,0\n", r, k / block % p,
                                  8 * (N - k));
        }
        isocast_buffer_printf(&t, "compute,%d,0,0,%d,0,0,0,0\n", r, N - 1);
    }
    return record_of(&t);
}

static isocast_record *shorter_cyclic_run(int N, int p) {
    return shorter_run(N, p, 1);
}

static isocast_record *shorter_block_run(int N, int p) {
    return shorter_run(N, p, 5);
}

/* In each turn of a loop a scatter and a broadcast from the next process; in each of another loop
 * two sums at the next process. */
static isocast_record *two_run(int N, int p) {
    isocast_buffer t = begin_record(p, "main main main main", "%d", N);
    static const char *const calls[] = {"MPI_Scatter", "MPI_Bcast", "MPI_Reduce", "MPI_Reduce"};
    const int sizes[] = {8 * N, 4, 8, 16};
    for (int r = 0; r < p; r++) {
        isocast_buffer_printf(&t, "compute,%d,1,2,1,0,0,0,0\n", r);
        for (int s = 0; s < 4; s++) {
            for (int q = 0; q < p; q++) {
                isocast_buffer_printf(&t, "call,%d,%d,0,%s,%d,%d,,,%d,0\n", r, s, calls[s], q,
                                      sizes[s], N);
            }
            isocast_buffer_printf(&t, "compute,%d,%d,%d,%d,0,0,0,0\n", r, s, s ^ 1, N * p - s % 2);
        }
    }
    return record_of(&t);
}

/* In each turn two broadcasts from the next process, and a barrier. */
static isocast_record *closed_run(int N, int p) {
    isocast_buffer t = begin_record(p, "main main main", "%d", N);
    for (int r = 0; r < p; r++) {
        for (int q = 0; q < p; q++) {
            isocast_buffer_printf(&t, "call,%d,0,0,MPI_Bcast,%d,%d,,,%d,0\n", r, q, 8 * N, N);
            isocast_buffer_printf(&t, "call,%d,1,0,MPI_Bcast,%d,4,,,%d,0\n", r, q, N);
        }
        isocast_buffer_printf(&t, "call,%d,2,0,MPI_Barrier,,0,,,%d,0\n", r, N * p);
        for (int s = 0; s < 3; s++) {
            isocast_buffer_printf(&t, "compute,%d,%d,%d,%d,0,0,0,0\n", r, s, (s + 1) % 3,
                                  N * p - (s == 2));
        }
    }
    return record_of(&t);
}

/* A sum at the last process. */
static isocast_record *last_run(int N, int p) {
    isocast_buffer t = begin_record(p, "main", "%d", N);
    for (int r = 0; r < p; r++) {
        isocast_buffer_printf(&t, "call,%d,0,0,MPI_Reduce,%d,8,,,%d,0\n", r, p - 1, N);
        isocast_buffer_printf(&t, "compute,%d,0,0,%d,0,0,0,0\n", r, N - 1);
    }
    return record_of(&t);
}

static void text_of_runs_has(isocast_record *(*run)(int N, int p), const char *const *expected,
                             size_t count) {
    static const int ps[] = {1, 2, 3, 4, 6, 7};
    isocast_record *records[RECORDS_MOST];
    size_t made = make_runs(run, ps, COUNT(ps), records);
    isocast_derived *derived = derive_all(records, made, NULL);
    text_holds(derived, expected, count);
    isocast_derived_free(derived);
    free_all(records, made);
}

static void roots_that_stay_change_between_blocks(void **unused) {
    (void)unused;
    static const char *const expected[] = {
        "- bcast: {root: floor((turn - 1)*p/(N)), bytes: 8 B * N}"};
    text_of_runs_has(block_run, expected, COUNT(expected));
}

/* Calls that are dealt out one by one may also stand in blocks, the first ones larger. */
static void equal_shares_do_not_report(void **unused) {
    (void)unused;
    static const char *const expected[] = {
        "- bcast: {root: \"mod(turn - 1, p)\", bytes: 8 B * N}",
        "# MPI_Bcast at made.c:1: records do not show whether the root changes with each call or "};
    text_of_runs_has(cyclic_run, expected, COUNT(expected));
}

static void sizes_report_the_order(void **unused) {
    (void)unused;
    static const char *const each[] = {
        "- bcast: {root: \"mod(turn - 1, p)\", bytes: 8 B + 8 B*(N - turn)}"};
    text_of_runs_has(shorter_cyclic_run, each, COUNT(each));
    static const char *const stays[] = {"- bcast: {root: floor((turn - 1)*p/(N)), "};
    text_of_runs_has(shorter_block_run, stays, COUNT(stays));
}

static void what_waits_stands_behind_the_call(void **unused) {
    (void)unused;
    static const char *const expected[] = {
        "- bcast: {root: \"mod(turn - 1, p)\", bytes: 8 B * N} name: main-Bcast-1 - barrier: {}"};
    text_of_runs_has(barrier_run, expected, COUNT(expected));
}

static void no_order_is_uncertain(void **unused) {
    (void)unused;
    static const char *const expected[] = {
        "\nuncertain:", "  # MPI_Bcast at made.c:1: its roots are in no order that is known: ",
        "  main-Bcast-1-1: if(p > 1, N*T_bcast(8 B * N), 0 s)\n"};
    text_of_runs_has(random_run, expected, COUNT(expected));
}

static void calls_of_one_turn_have_one_root(void **unused) {
    (void)unused;
    static const char *const expected[] = {
        "- scatter: {root: \"mod(turn - 1, p)\", bytes: 8 B * N}",
        "- bcast: {root: \"mod(turn - 1, p)\", bytes: 4 B}",
        "- reduce: {root: \"mod(turn - 1, p)\", bytes: 8 B}",
        "- reduce: {root: \"mod(turn - 1, p)\", bytes: 16 B}"};
    text_of_runs_has(two_run, expected, COUNT(expected));
    static const char *const closed[] = {"- bcast: {root: \"mod(turn - 1, p)\", bytes: 4 B}",
                                         "- barrier: {}"};
    text_of_runs_has(closed_run, closed, COUNT(closed));
}

static void the_last_process_may_be_the_root(void **unused) {
    (void)unused;
    static const char *const expected[] = {"- reduce: {root: p - 1, bytes: 8 B}"};
    text_of_runs_has(last_run, expected, COUNT(expected));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(roots_that_stay_change_between_blocks),
        cmocka_unit_test(equal_shares_do_not_report),
        cmocka_unit_test(sizes_report_the_order),
        cmocka_unit_test(what_waits_stands_behind_the_call),
        cmocka_unit_test(no_order_is_uncertain),
        cmocka_unit_test(calls_of_one_turn_have_one_root),
        cmocka_unit_test(the_last_process_may_be_the_root),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
