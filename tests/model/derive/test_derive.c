/* Laws from records that are made up here: laws drawn at random are found again where they were not
 * seen, what does not belong together is refused, and the text is an algorithm that can be read. */
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
#include "model/base/process_grid.h"

enum { TRIALS = 12, SITES = 4 };

static uint64_t state = 20261122;

static double draw(double low, double high) {
    state = state * 6364136223846793005U + 1442695040888963407U;
    return low + floor((double)(state >> 33) / 2147483648.0 * (high - low + 1));
}

/* What a site does: a count and a size, of the size N, of p and a number that is drawn. */
typedef struct law {
    double (*value)(double a, double N, double p);
} law;

#define LAW(name, expression)                                                                      \
    static double name(double a, double N, double p) {                                             \
        (void)a;                                                                                   \
        (void)N;                                                                                   \
        (void)p;                                                                                   \
        return expression;                                                                         \
    }
LAW(constant, a)
LAW(each_step, a *(N - 1))
LAW(others, a *(p - 1))
LAW(tree, a *ceil(log2(p)))
LAW(with_others, p > 1 ? a : 0)
LAW(both_sides, a *fmin(2, p - 1))
LAW(polynomial, N *N + a * N)
LAW(share, 8 * ceil(N / p))
LAW(rows_share, 8 * ceil(N / isocast_grid_rows(p)))
LAW(columns_share, 8 * ceil(N * isocast_grid_rows(p) / p))
LAW(lines, 8 * a * N)
LAW(strip, 8 * N * ceil(N / p))
LAW(with_head, 8 * N + 4 * a)
LAW(short_message, 8 * a)
#undef LAW

static const law counts[] = {{constant},    {each_step},  {others},    {tree},
                             {with_others}, {both_sides}, {polynomial}};
static const law sizes[] = {{share}, {rows_share}, {columns_share}, {lines},
                            {strip}, {with_head},  {short_message}};

typedef struct program {
    law count[SITES], size[SITES];
    double a[SITES], b[SITES];
} program;

/* The record of a run. The last process sends most, the others less often. */
static isocast_record *run(const program *made, double N, double p, const char *hash,
                           const char *end) {
    isocast_buffer t = {0};
    isocast_buffer_printf(&t, "record,1\nprogram,./made\nhash,%s\nargument,'-v\n", hash);
    isocast_buffer_printf(&t, "argument,--size=%.0f\nprocesses,%.0f\nend,%s\n", N, p, end);
    for (int s = 0; s < SITES; s++) {
        isocast_buffer_printf(&t, "site,%d,f%d,made.c,%d,made,%d\n", s, s, 10 + s, 100 + s);
    }
    isocast_buffer_printf(&t, "communicator,0,MPI_COMM_WORLD,,,,0-%.0f,,\n", p - 1);
    for (int r = 0; r < (int)p; r++) {
        isocast_buffer_printf(&t, "process,%d,h,1,1,0.1,0,0,0,complete\n", r);
    }
    for (int s = 0; s < SITES; s++) {
        double count = made->count[s].value(made->a[s], N, p);
        double size = made->size[s].value(made->b[s], N, p);
        for (int r = 0; r < (int)p; r++) {
            bool last = r == (int)p - 1;
            double own = last ? count : floor(count / 2);
            double bytes = last ? size : floor(size / 3);
            if (own > 0) {
                isocast_buffer_printf(&t, "call,%d,%d,0,MPI_Put,%d,%.0f,,,%.0f,0.001\n", r, s,
                                      (r + 1) % (int)p, bytes, own);
            }
            isocast_buffer_printf(&t, "call,%d,%d,0,MPI_Put,null,0,,,3,0.001\n", r, s);
        }
    }
    for (int r = 0; r < (int)p; r++) {
        isocast_buffer_printf(&t, "compute,%d,0,1,1,%.12g,1,1e-9,1\n", r, 3e-9 * N * N / p);
    }
    return record_of(&t);
}

static void laws_are_found_again(void **unused) {
    (void)unused;
    static const double ps[] = {1, 2, 3, 4, 6, 8, 9, 12};
    static const double ns[] = {60, 96, 150};
    const size_t count_last = COUNT(counts) - 1;
    const size_t size_last = COUNT(sizes) - 1;
    static const isocast_size_words none = {0};
    for (int trial = 0; trial < TRIALS; trial++) {
        program made;
        for (int s = 0; s < SITES; s++) {
            made.count[s] = counts[(size_t)draw(0, (double)count_last)];
            made.size[s] = sizes[(size_t)draw(0, (double)size_last)];
            made.a[s] = draw(1, 20);
            made.b[s] = draw(1, 20);
        }
        isocast_record *records[RECORDS_MOST];
        size_t count = 0;
        for (size_t i = 0; i < COUNT(ps); i++) {
            for (size_t k = 0; k < COUNT(ns); k++) {
                records[count++] = run(&made, ns[k], ps[i], "sha256:1", "complete");
            }
        }
        isocast_record *others[] = {run(&made, 203, 25, "sha256:1", "complete"),
                                    run(&made, 331, 30, "sha256:1", "complete"),
                                    run(&made, 500, 64, "sha256:1", "complete")};
        isocast_diagnostics diagnostics = {0};
        isocast_derived *derived = NULL;
        assert_int_equal(
            isocast_derive(records, count, others, COUNT(others), &none, &diagnostics, &derived),
            ISOCAST_OK);
        if (derived->held_out.exact != derived->held_out.sites) {
            isocast_buffer text = {0};
            write_laws(derived, 1e9, &text);
            fputs(text.text, stderr); /* messages are cut off */
            fail_msg("trial %d: %zu of %zu sites are exact", trial, derived->held_out.exact,
                     derived->held_out.sites);
        }
        for (size_t s = 0; s < derived->site_count; s++) {
            assert_true(isocast_derived_site_is_exact(&derived->sites[s]));
        }
        const isocast_law_point far = {.sizes = {1000}, .p = 1};
        assert_true(fabs(isocast_law_value(&derived->work, &far) / 3e-3 - 1) < 1e-6);
        text_is_an_algorithm(derived);
        isocast_derived_free(derived);
        free_all(records, count);
        free_all(others, COUNT(others));
    }
}

/* A broadcast in each row of a grid, a sum in each column, and messages that become longer. */
static isocast_record *grid_run(int N, int p) {
    int rows = (int)isocast_grid_rows(p);
    int columns = p / rows;
    isocast_buffer t = begin_record(p, "f f f", "%d %d %d -j %d", N, 2 * N, columns, rows);
    for (int r = 0; r < rows; r++) {
        isocast_buffer_printf(&t, "communicator,%d,MPI_Comm_split,,,,%d-%d,,\n", r + 1, r * columns,
                              r * columns + columns - 1);
    }
    for (int c = 0; c < columns; c++) {
        isocast_buffer_printf(&t, "communicator,%d,MPI_Comm_split,,,,%d-%d/%d,,\n", rows + c + 1, c,
                              c + (rows - 1) * columns, columns);
    }
    for (int r = 0; r < p; r++) {
        int row = r / (columns > 0 ? columns : 1);
        isocast_buffer_printf(&t, "call,%d,0,%d,MPI_Bcast,0,%d,,,%d,0\n", r, row + 1, 8 * N, N);
        isocast_buffer_printf(&t, "call,%d,1,%d,MPI_Allreduce,,%d,,,1,0\n", r,
                              rows + r - row * columns + 1, 8 * N);
        for (int i = 1; i < N; i++) {
            isocast_buffer_printf(&t, "call,%d,2,0,MPI_Bcast,0,%d,,,1,0\n", r, 8 * i);
        }
    }
    return record_of(&t);
}

static void parts_of_a_grid_are_reported(void **unused) {
    (void)unused;
    static const int ps[] = {1, 2, 4, 6, 9, 12};
    isocast_record *records[RECORDS_MOST];
    size_t count = make_runs(grid_run, ps, COUNT(ps), records);
    isocast_derived *derived = derive_all(records, count, NULL);
    /* The second word is twice the first, and others are the sides of the grid. */
    assert_int_equal(derived->sizes.count, 1);
    static const char *const expected[] = {"{N} {a multiple of another one} {columns} -j\n# {rows}",
                                           "bcast: {along: [x], root: 0, bytes: 8 B * N}",
                                           "allreduce: {along: [y], bytes: 8 B * N}"};
    text_holds(derived, expected, COUNT(expected));
    isocast_derived_free(derived);
    free_all(records, count);
}

/* Each process sends to the next one of its row, and to the one below, in a grid whose sides are
 * words. */
static isocast_record *sides_run(int N, int wide, int high) {
    int p = wide * high;
    isocast_buffer t = begin_record(p, "f f", "--px=%d %d --py=%d", wide, N, high);
    for (int r = 0; r < p; r++) {
        int x = r % wide;
        int y = r / wide;
        if (x + 1 < wide) {
            isocast_buffer_printf(&t, "call,%d,0,0,MPI_Put,%d,%d,,,3,0\n", r, r + 1,
                                  8 * ((N + high - 1) / high));
        }
        if (y + 1 < high) {
            isocast_buffer_printf(&t, "call,%d,1,0,MPI_Put,%d,%d,,,3,0\n", r, r + wide,
                                  16 * ((N + wide - 1) / wide));
        }
    }
    return record_of(&t);
}

static void sides_may_be_words(void **unused) {
    (void)unused;
    static const int grids[][2] = {{1, 1}, {2, 1}, {1, 2}, {3, 1}, {2, 2}, {1, 4}, {4, 1}, {3, 2}};
    isocast_record *records[RECORDS_MOST];
    size_t count = 0;
    for (size_t i = 0; i < COUNT(grids); i++) {
        for (int N = 20; N <= 62; N += 21) {
            records[count++] = sides_run(N, grids[i][0], grids[i][1]);
        }
    }
    isocast_record *other = sides_run(101, 2, 8);
    isocast_derived *derived = derive_all(records, count, other);
    assert_int_equal(derived->sizes.count, 1);
    assert_int_equal(derived->sizes.sides.count, 2);
    isocast_buffer text = {0};
    write_laws(derived, 1e9, &text);
    if (derived->held_out.exact != 2 ||
        strstr(text.text, "--px={columns} {N} --py={rows}") == NULL) {
        fail_msg("%s", text.text);
    }
    isocast_buffer_free(&text);
    text_is_an_algorithm(derived);
    isocast_derived_free(derived);
    free_all(records, count);
    isocast_record_free(other);
}

/* What a record has of a collective, and what counts as m: what one process sends to one other, or
 * the block of one process. Of MPI_Alltoallv and MPI_Alltoallw a record has all that a process
 * sends. */
typedef struct collective {
    const char *call;
    bool
        is_for_all; /* the record's size is p times as large, of a row of the grid: columns times */
    const char *expected;
    int neighbours; /* that a call of each process sends to; the record's size is of all of them */
} collective;

static const collective collectives[] = {
    {"MPI_Alltoall", false, "- alltoall: {bytes: 24 B * N}", 0},
    {"MPI_Alltoallv", true, "- alltoallv: {bytes: 24 B * N}", 0},
    {"MPI_Ialltoallw", true, "do: - alltoallv: {bytes: 24 B * N}", 0},
    {"MPI_Reduce_scatter", false, "- reduce_scatter_block: {bytes: 24 B * N}", 0},
    {"MPI_Reduce_scatter_block", false, "- reduce_scatter_block: {bytes: 24 B * N}", 0},
    {"MPI_Allgatherv", false, "- allgatherv: {bytes: 24 B * N}", 0},
    {"MPI_Scatterv", false, "- scatterv: {root: 0, bytes: 24 B * N}", 0},
    {"MPI_Gatherv", false, "- gatherv: {root: 0, bytes: 24 B * N}", 0},
    {"MPI_Alltoallv", true, "alltoallv: {along: [x], bytes: 24 B * N}", 0},
    {"MPI_Neighbor_alltoallv", false, ": if(p > 1, 21*T_sendrecv(24 B * N), 0 s)", 3},
    {"MPI_Ineighbor_alltoallw", false, ": if(p > 1, 7*T_sendrecv(24 B * N), 0 s)", 1},
};

static isocast_record *collective_run(int N, int p) {
    int rows = (int)isocast_grid_rows(p);
    int columns = p / rows;
    isocast_buffer functions = {0};
    for (size_t s = 0; s < COUNT(collectives); s++) {
        isocast_buffer_printf(&functions, "f%zu ", s);
    }
    isocast_buffer t = begin_record(p, functions.text, "%d", N);
    isocast_buffer_free(&functions);
    for (int r = 0; r < rows; r++) {
        isocast_buffer_printf(&t, "communicator,%d,MPI_Comm_split,,,,%d-%d,,\n", r + 1, r * columns,
                              r * columns + columns - 1);
    }
    for (int r = 0; r < p; r++) {
        for (size_t s = 0; s < COUNT(collectives); s++) {
            int beside = collectives[s].neighbours;
            if (beside > 0) {
                isocast_buffer_printf(&t, "call,%d,%zu,0,%s,,%d,%d,%d,7,0\n", r, s,
                                      collectives[s].call, 24 * N * beside, beside, 48 * N);
                continue;
            }
            bool in_row = strstr(collectives[s].expected, "along") != NULL;
            int all = in_row ? columns : p;
            isocast_buffer_printf(&t, "call,%d,%zu,%d,%s,,%d,,%d,7,0\n", r, s,
                                  in_row ? r / columns + 1 : 0, collectives[s].call,
                                  24 * N * (collectives[s].is_for_all ? all : 1), 24 * N * all);
        }
    }
    return record_of(&t);
}

static void sizes_are_those_of_the_operations(void **unused) {
    (void)unused;
    static const int ps[] = {1, 2, 4, 6, 9, 12};
    isocast_record *records[RECORDS_MOST];
    size_t count = make_runs(collective_run, ps, COUNT(ps), records);
    isocast_derived *derived = derive_all(records, count, NULL);
    /* Neighbours in a graph are not known: their calls have no steps. */
    assert_int_equal(derived->held_out.exact, COUNT(collectives) - 2);
    const char *expected[COUNT(collectives)];
    for (size_t i = 0; i < COUNT(collectives); i++) {
        expected[i] = collectives[i].expected;
    }
    text_holds(derived, expected, COUNT(expected));
    isocast_derived_free(derived);
    free_all(records, count);
}

/* Sizes without a law: the nearest formula has an error, and says so. */
static void what_has_no_law_is_not_exact(void **unused) {
    (void)unused;
    isocast_record *records[RECORDS_MOST];
    size_t count = 0;
    for (double p = 1; p <= 8; p *= 2) {
        for (double N = 100; N <= 300; N += 100) {
            program made;
            for (int s = 0; s < SITES; s++) {
                made.count[s] = (law){constant};
                made.size[s] = (law){short_message};
                made.a[s] = draw(1, 1000);
                made.b[s] = draw(1, 1000);
            }
            records[count++] = run(&made, N, p, "sha256:1", "complete");
        }
    }
    isocast_derived *derived = derive_all(records, count, NULL);
    for (size_t s = 0; s < derived->site_count; s++) {
        const isocast_derived_site *site = &derived->sites[s];
        bool sends = site->key.operation == ISOCAST_RECORD_OPERATION_Put;
        assert_true(!sends || !isocast_derived_site_is_exact(site));
        assert_true(!sends || site->here.calls > 0.01);
    }
    assert_int_equal(derived->held_out.records, 3);
    text_is_an_algorithm(derived);
    isocast_derived_free(derived);
    free_all(records, count);
}

typedef struct bad_case {
    double ns[4], ps[4];
    const char *last_hash, *last_end;
    const char *problem;
} bad_case;

static void bad_records_are_refused(void **unused) {
    (void)unused;
    static const bad_case cases[] = {
        {{10, 20, 10, 20},
         {1, 2, 4, 8},
         "a",
         "complete",
         "three sizes are needed, two were given: N = 10, N = 20"},
        {{10, 10, 10, 10},
         {1, 2, 4, 8},
         "a",
         "complete",
         "three sizes are needed, one was given: no number of the command line differs"},
        {{10, 20, 30, 40},
         {1, 2, 1, 2},
         "a",
         "complete",
         "three numbers of processes are needed, two were given: p = 1, p = 2"},
        {{10, 20, 30, 40},
         {1, 2, 4, 8},
         "b",
         "complete",
         "3:6: error: this is a record of another"},
        {{10, 20, 30, 40}, {1, 2, 4, 8}, "a", "killed", "the run did not end"},
    };
    static const isocast_size_words none = {0};
    const program made = {.count = {{constant}, {constant}, {constant}, {constant}},
                          .size = {{constant}, {constant}, {constant}, {constant}},
                          .a = {1, 1, 1, 1},
                          .b = {8, 8, 8, 8}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        const bad_case *c = &cases[i];
        isocast_record *records[4];
        for (size_t r = 0; r < 4; r++) {
            records[r] = run(&made, c->ns[r], c->ps[r], r == 3 ? c->last_hash : "a",
                             r == 3 ? c->last_end : "complete");
        }
        isocast_diagnostics diagnostics = {0};
        isocast_derived *derived = NULL;
        assert_int_equal(isocast_derive(records, 4, NULL, 0, &none, &diagnostics, &derived),
                         ISOCAST_INVALID);
        assert_null(derived);
        isocast_buffer text = {0};
        isocast_diagnostics_render(&diagnostics, &text);
        if (strstr(text.text, c->problem) == NULL) {
            fail_msg("case %zu gave:\n%s\nnot: %s", i, text.text, c->problem);
        }
        isocast_buffer_free(&text);
        isocast_diagnostics_clear(&diagnostics);
        free_all(records, 4);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(laws_are_found_again),
        cmocka_unit_test(parts_of_a_grid_are_reported),
        cmocka_unit_test(sides_may_be_words),
        cmocka_unit_test(sizes_are_those_of_the_operations),
        cmocka_unit_test(what_has_no_law_is_not_exact),
        cmocka_unit_test(bad_records_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
