/* Laws of few processes, on which several are alike: grids, and steps that a solver repeats. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "made_records.h"
#include "model/base/process_grid.h"

static const int few[] = {1, 2, 3, 4};

static void put_send(int from, int to, int site, int bytes, int times, isocast_buffer *t) {
    isocast_buffer_printf(t, "call,%d,%d,0,MPI_Put,%d,%d,,,%d,0\n", from, site, to, bytes, times);
}

/* Each process sends to its neighbours in a grid, all at one site. */
static isocast_record *plane_run(int N, int p) {
    int rows = (int)isocast_grid_rows(p);
    int columns = p / rows;
    isocast_buffer t = begin_record(p, "f f", "%d", N);
    for (int r = 0; r < p; r++) {
        int x = r % columns;
        int y = r / columns;
        const int there[][3] = {{x > 0, r - 1},
                                {x + 1 < columns, r + 1},
                                {y > 0, r - columns},
                                {y + 1 < rows, r + columns}};
        for (size_t i = 0; i < COUNT(there); i++) {
            if (there[i][0] != 0) {
                put_send(r, there[i][1], 0, 8 * N, 5, &t);
            }
        }
    }
    return record_of(&t);
}

/* Up to four processes neighbours in a grid are as many as ceil(log2(p)). */
static void partners_report_a_plane(void **unused) {
    (void)unused;
    static const int ps[] = {1, 2, 3, 4, 6};
    isocast_record *records[RECORDS_MOST];
    size_t count = make_runs(plane_run, ps, COUNT(ps), records);
    isocast_record *other = plane_run(90, 9);
    isocast_derived *derived = derive_all(records, count, other);
    isocast_buffer text = {0};
    write_laws(derived, 1e9, &text);
    if (derived->held_out.exact != 1 ||
        strstr(text.text, "- at: y < rows - 1 do: - put: {to: rank + 1*columns, bytes: 8 B * N}") ==
            NULL) {
        fputs(text.text, stderr);
        fail_msg("%zu sites are exact", derived->held_out.exact);
    }
    isocast_buffer_free(&text);
    text_is_an_algorithm(derived);
    isocast_derived_free(derived);
    free_all(records, count);
    isocast_record_free(other);
}

/* A solver that stops where it is accurate enough: it sends to the right and down, messages of two
 * lengths. */
static isocast_record *solver_run(int N, int p) {
    int rows = (int)isocast_grid_rows(p);
    int columns = p / rows;
    int steps = (int)floor(1.5 * N) + N / 20 % 2;
    isocast_buffer t = begin_record(p, "f f", "%d", N);
    for (int r = 0; r < p; r++) {
        for (int wide = 1; wide <= 2; wide++) {
            if (r % columns + 1 < columns) {
                put_send(r, r + 1, 0, 8 * wide * ((N + rows - 1) / rows + 2), steps, &t);
            }
            if (r / columns + 1 < rows) {
                put_send(r, r + columns, 1, 8 * wide * ((N + columns - 1) / columns + 2), steps,
                         &t);
            }
        }
    }
    return record_of(&t);
}

static void what_a_solver_repeats_has_its_mean_message(void **unused) {
    (void)unused;
    isocast_record *records[RECORDS_MOST];
    size_t count = make_runs(solver_run, few, COUNT(few), records);
    isocast_record *other = solver_run(50, 6);
    isocast_derived *derived = derive_all(records, count, other);
    isocast_buffer text = {0};
    write_laws(derived, 1e9, &text);
    for (size_t s = 0; s < derived->site_count; s++) {
        const isocast_derived_site *site = &derived->sites[s];
        if (site->here.size != 0 || site->there.size != 0 || !(site->there.calls > 0) ||
            !(site->there.calls < 0.05)) {
            fputs(text.text, stderr);
            fail_msg("site %zu is off by %.1f %%", s, 100 * site->there.calls);
        }
    }
    assert_non_null(strstr(text.text, ", sizes exact; held out: calls off by up to"));
    isocast_buffer_free(&text);
    text_is_an_algorithm(derived);
    isocast_derived_free(derived);
    free_all(records, count);
    isocast_record_free(other);
}

static void the_text_says(const isocast_derived *derived, const char *words, bool says) {
    isocast_buffer text = {0};
    write_laws(derived, 1e9, &text);
    if ((strstr(text.text, words) != NULL) != says) {
        fputs(text.text, stderr); /* messages are cut off */
        fail_msg("'%s' %s the text", words, says ? "is missing in" : "is in");
    }
    isocast_buffer_free(&text);
}

static const char grids[] = "# Which grid of rows and columns the program makes of other p";
static const char shapes[] = "# Whether the grid of processes follows the ratio of N to M";

/* 4 processes are in one grid, 12 may be in 3 x 4 or 2 x 6. */
static void grids_that_no_p_shows_are_named(void **unused) {
    (void)unused;
    isocast_record *records[RECORDS_MOST];
    size_t count = make_runs(plane_run, few, COUNT(few), records);
    isocast_derived *derived = derive_all(records, count, NULL);
    the_text_says(derived, grids, true);
    isocast_derived_free(derived);
    records[count++] = plane_run(60, 12);
    derived = derive_all(records, count, NULL);
    the_text_says(derived, grids, false);
    isocast_derived_free(derived);
    free_all(records, count);
}

/* Blocks of N x M points on a grid whose rows share M. */
static isocast_record *blocks_run(int N, int M, int p, int rows) {
    int columns = p / rows;
    isocast_buffer t = begin_record(p, "f f", "%d %d", N, M);
    isocast_buffer_printf(&t, "communicator,1,MPI_Cart_create,,,,0-%d,%dx%d,0x0\n", p - 1, rows,
                          columns);
    for (int r = 0; r < p; r++) {
        if (r % columns + 1 < columns) {
            put_send(r, r + 1, 0, 8 * ((M + rows - 1) / rows), 5, &t);
        }
        if (r + columns < p) {
            put_send(r, r + columns, 1, 8 * ((N + columns - 1) / columns), 5, &t);
        }
    }
    return record_of(&t);
}

/* On the most even grid. */
static isocast_record *block_run(int N, int M, int p) {
    return blocks_run(N, M, p, (int)isocast_grid_rows(p));
}

/* On the grid whose blocks have the least surface; of two the one with fewer rows. */
static isocast_record *surface_run(int N, int M, int p) {
    int rows = 1;
    for (int i = 2; i <= p; i++) {
        double least = (double)M / rows + (double)N * rows / p;
        rows = p % i == 0 && (double)M / i + (double)N * i / p < least ? i : rows;
    }
    return blocks_run(N, M, p, rows);
}

enum { MESHES = 3 };

/* One of each mesh on 1 to 12 processes; gives how many. */
static size_t make_mesh_runs(isocast_record *(*run)(int N, int M, int p),
                             const int sizes[MESHES][2], isocast_record **records) {
    static const int ps[] = {1, 2, 4, 6, 12};
    size_t count = 0;
    for (size_t i = 0; i < COUNT(ps); i++) {
        for (size_t k = 0; k < MESHES; k++) {
            records[count++] = run(sizes[k][0], sizes[k][1], ps[i]);
        }
    }
    return count;
}

static void grids_follow_the_ratio_of_sizes(void **unused) {
    (void)unused;
    static const int sizes[MESHES][2] = {{43, 31}, {20, 150}, {200, 90}};
    isocast_record *records[RECORDS_MOST];
    size_t count = make_mesh_runs(surface_run, sizes, records);
    isocast_record *other = surface_run(60, 500, 48);
    isocast_derived *derived = derive_all(records, count, other);
    assert_int_equal(derived->sizes.shape.rule, ISOCAST_SHAPE_SURFACE);
    assert_int_equal(derived->held_out.exact, derived->held_out.sites);
    the_text_says(derived, "divisor(p, sqrt(p*", true);
    text_is_an_algorithm(derived);
    isocast_derived_free(derived);
    free_all(records, count);
    isocast_record_free(other);
}

/* A grid that follows the sizes is the same one where N is a little longer than M in all runs. */
static void shapes_that_no_run_has_are_named(void **unused) {
    (void)unused;
    static const int sizes[MESHES][2] = {{43, 31}, {61, 50}, {83, 71}};
    isocast_record *records[RECORDS_MOST];
    size_t count = make_mesh_runs(block_run, sizes, records);
    isocast_derived *derived = derive_all(records, count, NULL);
    the_text_says(derived, shapes, true);
    isocast_derived_free(derived);
    records[count++] = block_run(30, 97, 2);
    derived = derive_all(records, count, NULL);
    the_text_says(derived, shapes, false);
    isocast_derived_free(derived);
    free_all(records, count);
}

/* All calls through three functions, each of which calls MPI on one line; and with `beside`, one
 * sum on a line of another function. `third`: a length of sums that only some p have. */
static isocast_record *wrapped_run(int N, int p, bool beside, bool third) {
    isocast_buffer t = begin_record(p, "sum_all give take solve", "%d", N);
    for (int r = 0; r < p; r++) {
        isocast_buffer_printf(&t, "call,%d,0,0,MPI_Allreduce,,8,,,5,0\n", r);
        isocast_buffer_printf(&t, "call,%d,0,0,MPI_Allreduce,,%d,,,3,0\n", r, 8 * N);
        if (third && p > 2) {
            isocast_buffer_printf(&t, "call,%d,0,0,MPI_Allreduce,,24,,,2,0\n", r);
        }
        isocast_buffer_printf(&t, "call,%d,2,0,MPI_Get,%d,16,,,1,0\n", r, (r + p - 1) % p);
        put_send(r, (r + 1) % p, 1, 16, 1, &t);
        if (beside) {
            isocast_buffer_printf(&t, "call,%d,3,0,MPI_Allreduce,,8,,,1,0\n", r);
        }
    }
    return record_of(&t);
}

static void lengths_of_one_line_have_their_mean(void **unused) {
    (void)unused;
    isocast_record *records[RECORDS_MOST];
    size_t count = 0;
    for (int p = 1; p <= 4; p++) {
        for (int N = 20; N <= 60; N += 20) {
            records[count++] = wrapped_run(N, p, false, false);
        }
    }
    isocast_record *other = wrapped_run(70, 16, false, false);
    isocast_derived *derived = derive_all(records, count, other);
    assert_int_equal(derived->held_out.exact, derived->held_out.sites);
    the_text_says(derived, "allreduce: {bytes: 3 B * N + 5 B}", true);
    text_is_an_algorithm(derived);
    isocast_derived_free(derived);
    free_all(records, count);
    isocast_record_free(other);
}

/* One process gets a message from each other one. 8 of them would be neighbours in a cube. */
static isocast_record *gather_run(int N, int p) {
    isocast_buffer t = begin_record(p, "f f", "%d", N);
    for (int r = 1; r < p; r++) {
        isocast_buffer_printf(&t, "call,%d,0,0,MPI_Send,0,%d,,,2,0\n", r, 8 * N);
        isocast_buffer_printf(&t, "call,0,1,0,MPI_Recv,%d,%d,,,2,0\n", r, 8 * N);
    }
    return record_of(&t);
}

static void a_gather_is_no_grid(void **unused) {
    (void)unused;
    static const int ps[] = {1, 2, 4, 8};
    isocast_record *records[RECORDS_MOST];
    size_t count = make_runs(gather_run, ps, COUNT(ps), records);
    isocast_record *other = gather_run(90, 32);
    isocast_derived *derived = derive_all(records, count, other);
    assert_int_equal(derived->held_out.exact, 2);
    the_text_says(derived, "receive: {from: any, bytes: 8 B * N}", true);
    isocast_derived_free(derived);
    free_all(records, count);
    isocast_record_free(other);
}

/* A process has at most four corners, which are sites of their own. */
static isocast_record *corners_run(int N, int p) {
    int rows = (int)isocast_grid_rows(p);
    int columns = p / rows;
    isocast_buffer t = begin_record(p, "f f f f f f", "%d", N);
    for (int r = 0; r < p; r++) {
        int x = r % columns;
        int y = r / columns;
        const int ways[][2] = {{-1, 0}, {0, -1}, {-1, -1}, {1, -1}, {-1, 1}, {1, 1}};
        for (int i = 0; i < 6; i++) {
            int there_x = x + ways[i][0];
            int there_y = y + ways[i][1];
            if (there_x >= 0 && there_x < columns && there_y >= 0 && there_y < rows) {
                int bytes = i == 0   ? (N + rows - 1) / rows
                            : i == 1 ? (N + columns - 1) / columns
                                     : 1;
                put_send(r, there_y * columns + there_x, i, 8 * bytes, 5, &t);
            }
        }
    }
    return record_of(&t);
}

static void corners_of_a_plane_are_counted_together(void **unused) {
    (void)unused;
    static const int ps[] = {1, 2, 4, 6, 9};
    isocast_record *records[RECORDS_MOST];
    size_t count = make_runs(corners_run, ps, COUNT(ps), records);
    isocast_record *other = corners_run(90, 24);
    isocast_derived *derived = derive_all(records, count, other);
    assert_int_equal(derived->held_out.exact, derived->held_out.sites);
    the_text_says(derived, "put: {to: rank - 1*columns - 1, bytes: 8 B} name: f-Put-3", true);
    isocast_derived_free(derived);
    free_all(records, count);
    isocast_record_free(other);
}

/* The words say one size, and the messages have another one. */
/* N points in blocks of M, the steps of a bitonic sort, and the shares that the others send to
 * process 0, where the first processes have a point more. */
static isocast_record *steps_run(int N, int M, int p) {
    isocast_buffer t = begin_record(p, "sweep sort gather", "%d %d", N, M);
    int dimensions = (int)lround(log2(p));
    for (int r = 0; r < p; r++) {
        if (r + 1 < p) {
            put_send(r, r + 1, 0, 8 * M, 2 * (N / M), &t);
        }
        for (int bit = 0; bit < dimensions; bit++) {
            put_send(r, r ^ 1 << bit, 1, 4 * N, dimensions - bit, &t);
        }
        if (r > 0) {
            put_send(r, 0, 2, 8 * (N / p + (r < N % p)), 1, &t);
        }
    }
    return record_of(&t);
}

static void blocks_steps_of_a_sort_and_shares_of_others(void **unused) {
    (void)unused;
    static const int runs[][3] = {{24, 4, 1}, {60, 5, 1}, {24, 4, 2}, {36, 6, 2},  {25, 5, 4},
                                  {36, 4, 4}, {60, 6, 8}, {33, 3, 8}, {48, 6, 16}, {49, 7, 16}};
    isocast_record *records[RECORDS_MOST];
    for (size_t i = 0; i < COUNT(runs); i++) {
        records[i] = steps_run(runs[i][0], runs[i][1], runs[i][2]);
    }
    isocast_record *other = steps_run(72, 8, 64);
    static const char *const expected[] = {
        ("- for: again_1 = 1..2*N/M do: - at: rank < p - 1 do: - put: {to: rank + 1, bytes: 8 B * "
         "M}"),
        "sort-Put-2-3: if(p > 1, log2(p)*(log2(p) + 1)/2*T_sendrecv(4 B * N), 0 s)",
        "bytes: 8 B * ceil((N - 1)/p)}"};
    /* No step has messages at each distance in a hypercube that are not as many at each. */
    const expectation due = {expected, COUNT(expected), 2};
    laws_are(records, COUNT(runs), other, &due);
}

/* N rows, of which the first and the last one are given. Each process has a share of those between
 * them, and a row more on each side. It sends its share to process 0, and all to the next one; and
 * it has as many blocks of a side in a grid. */
static isocast_record *interior_run(int N, int p) {
    int rows = (int)isocast_grid_rows(p);
    isocast_buffer t = begin_record(p, "gather next block", "%d", N);
    int share = (N - 2 + p - 1) / p;
    int block = (N - 2 + p / rows - 1) / (p / rows);
    for (int r = 0; r + 1 < p; r++) {
        put_send(r + 1, 0, 0, 8 * N * share, 1, &t);
        put_send(r, r + 1, 1, 8 * N * (share + 2), 1, &t);
        put_send(r, r + 1, 2, 8 * block, 5, &t);
    }
    return record_of(&t);
}

static void shares_of_the_points_between_two_ends(void **unused) {
    (void)unused;
    static const int ps[] = {1, 2, 3, 4, 6, 9, 12};
    isocast_record *records[RECORDS_MOST];
    size_t count = make_runs(interior_run, ps, COUNT(ps), records);
    /* (N - 2)/p and N/p round up to other numbers. */
    isocast_record *other = interior_run(98, 32);
    static const char *const expected[] = {"bytes: 8 B * N*ceil((N - 2)/p)}",
                                           "bytes: 8 B * N*ceil((N - 2)/p) + 16 B * N}",
                                           "bytes: 8 B * ceil((N - 2)/columns)}"};
    const expectation due = {expected, COUNT(expected), 3};
    laws_are(records, count, other, &due);
}

/* The most calls that a process of a bitonic sort makes on one of the two ways: k*k/4, rounded
 * down, with k - 1 dimensions of a hypercube. */
static isocast_record *half_of_a_sort_run(int N, int p) {
    isocast_buffer t = begin_record(p, "compare", "%d", N);
    int k = (int)lround(log2(p)) + 1;
    for (int r = 0; r + 1 < p; r += 2) {
        put_send(r, r + 1, 0, 4, k * k / 4, &t);
    }
    return record_of(&t);
}

static void sums_of_different_functions_of_p_are_uncertain(void **unused) {
    (void)unused;
    static const int ps[] = {1, 2, 4, 8, 16};
    isocast_record *records[RECORDS_MOST];
    size_t count = make_runs(half_of_a_sort_run, ps, COUNT(ps), records);
    isocast_record *other = half_of_a_sort_run(30, 32);
    /* Without a record of more processes nothing shows that they are wrong there. */
    for (int held_out = 0; held_out < 2; held_out++) {
        isocast_derived *derived = derive_all(records, count, held_out == 1 ? other : NULL);
        the_text_says(derived, "MPI_Put at made.c:1: calls exact, sizes exact; held", true);
        the_text_says(derived, "# MPI_Put at made.c:1: uncertain at more processes", held_out == 0);
        the_text_says(derived, "held out: calls off by up to 11.1 %, sizes exact", held_out == 1);
        isocast_derived_free(derived);
    }
    isocast_record_free(other);
    free_all(records, count);
    /* One function of p in all terms. */
    static const int more[] = {1, 2, 3, 4, 6, 9, 12};
    count = make_runs(interior_run, more, COUNT(more), records);
    isocast_derived *derived = derive_all(records, count, NULL);
    the_text_says(derived, "ceil((N - 2)/p) + 16 B * N}", true);
    the_text_says(derived, "uncertain at more processes", false);
    isocast_derived_free(derived);
    free_all(records, count);
}

/* Steps of equal length until a time that grows with N. Where it ends differs by some percent, and
 * happens to be later for larger N. */
static isocast_record *steps_of_time_run(int N, int p) {
    isocast_buffer t = begin_record(p, "advance", "%d", N);
    double more = N > 60 ? 0 : 0.001 * (N - 40) + 0.01 * ((N / 10 + 3 * p) % 5 - 2);
    int calls = (int)lround(5 * N * (1 + more));
    for (int r = 0; r < p; r++) {
        isocast_buffer_printf(&t, "call,%d,0,0,MPI_Allreduce,,8,,,%d,0\n", r, calls);
    }
    return record_of(&t);
}

static void a_second_term_of_repetitions_is_not_one_of_chance(void **unused) {
    (void)unused;
    static const int ps[] = {2, 3, 4, 6};
    isocast_record *records[RECORDS_MOST];
    size_t count = make_runs(steps_of_time_run, ps, COUNT(ps), records);
    isocast_record *other = steps_of_time_run(600, 24);
    isocast_derived *derived = derive_all(records, count, other);
    assert_true(derived->held_out.worst < 0.06);
    isocast_derived_free(derived);
    isocast_record_free(other);
    free_all(records, count);
}

/* A script has started a file of the program, which was compiled for its size. */
static isocast_record *compiled_run(int N, int p, const char *file, int line) {
    isocast_buffer t = {0};
    isocast_buffer_printf(&t, "record,1\nprogram,./start.sh\nhash,sha256:%d\nargument,%d\n", N, N);
    isocast_buffer_printf(&t, "processes,%d\nend,complete\nsite,0,f,made.c,%d,/bin/%s,%d\n", p,
                          line, file, N);
    isocast_buffer_printf(&t, "communicator,0,MPI_COMM_WORLD,,,,0-%d,,\n", p - 1);
    for (int r = 0; r < p; r++) {
        isocast_buffer_printf(&t, "process,%d,h,1,1,0,0,0,0,complete\n", r);
        isocast_buffer_printf(&t, "call,%d,0,0,MPI_Allreduce,,%d,,,5,0\n", r, 8 * N);
    }
    return record_of(&t);
}

static void files_of_one_source_are_one_program(void **unused) {
    (void)unused;
    static const int ps[] = {1, 2, 4};
    static const struct {
        const char *files[3];
        int line; /* of the last one */
        isocast_status status;
    } cases[] = {{{"made.S", "made.W", "made.A"}, 7, ISOCAST_OK},
                 {{"made.S", "made.W", "made.A"}, 8, ISOCAST_INVALID},
                 {{"made.S", "made.W", "made.A"}, 0, ISOCAST_INVALID},
                 {{"made", "made", "made"}, 7, ISOCAST_INVALID}};
    for (size_t c = 0; c < COUNT(cases); c++) {
        isocast_record *records[RECORDS_MOST];
        size_t count = 0;
        for (int size = 0; size < 3; size++) {
            for (size_t i = 0; i < COUNT(ps); i++) {
                records[count++] = compiled_run(10 + 10 * size, ps[i], cases[c].files[size],
                                                size == 2 ? cases[c].line : 7);
            }
        }
        static const isocast_size_words none = {0};
        isocast_diagnostics diagnostics = {0};
        isocast_derived *derived = NULL;
        assert_int_equal(isocast_derive(records, count, NULL, 0, &none, &diagnostics, &derived),
                         cases[c].status);
        isocast_diagnostics_clear(&diagnostics);
        if (derived != NULL) {
            static const char *const expected[] = {
                "- for: again_1 = 1..5 do: - allreduce: {bytes: 8 B * N}"};
            text_holds(derived, expected, COUNT(expected));
        }
        isocast_derived_free(derived);
        free_all(records, count);
    }
}

static void records_of_other_sizes_than_the_words_are_refused(void **unused) {
    (void)unused;
    static const isocast_size_words none = {0};
    isocast_record *records[RECORDS_MOST];
    size_t count = make_runs(plane_run, few, COUNT(few), records);
    isocast_record *other = plane_run(20, 4);
    for (size_t i = 0; i < other->call_count; i++) {
        other->calls[i].bytes = 8 * 30;
    }
    records[count++] = other;
    isocast_diagnostics diagnostics = {0};
    isocast_derived *derived = NULL;
    assert_int_equal(isocast_derive(records, count, NULL, 0, &none, &diagnostics, &derived),
                     ISOCAST_INVALID);
    assert_int_equal(diagnostics.errors, 1);
    isocast_diagnostics_clear(&diagnostics);
    free_all(records, count);
}

/* The mesh behind the iterations, as in ./stencil ITERATIONS N. */
static isocast_record *iterations_run(int iterations, int N, int p) {
    isocast_buffer t = begin_record(p, "f", "%d %d", iterations, N);
    for (int r = 0; r < p; r++) {
        isocast_buffer_printf(&t, "call,%d,0,0,MPI_Allreduce,,%d,,,%d,0.001\n", r, 8 * N,
                              iterations);
    }
    return record_of(&t);
}

static void the_size_that_was_named_comes_first(void **unused) {
    (void)unused;
    static const isocast_size_words asked = {.words = {{.name = "N", .argument = 1}}, .count = 1};
    isocast_record *records[RECORDS_MOST];
    size_t count = 0;
    for (int p = 1; p <= 4; p += p) {
        for (int k = 1; k <= 3; k++) {
            records[count++] = iterations_run(3 * k, 20 * k * k, p);
            records[count++] = iterations_run(3 * k, 50, p);
        }
    }
    isocast_diagnostics diagnostics = {0};
    isocast_derived *derived = NULL;
    assert_int_equal(isocast_derive(records, count, NULL, 0, &asked, &diagnostics, &derived),
                     ISOCAST_OK);
    isocast_diagnostics_clear(&diagnostics);
    assert_int_equal(derived->sizes.count, 2);
    assert_string_equal(derived->sizes.words[0].name, "N");
    assert_int_equal(derived->sizes.words[0].argument, 1);
    assert_string_equal(derived->sizes.words[1].name, "M");
    static const char *const expected[] = {
        "- for: again_1 = 1..M do: - allreduce: {bytes: 8 B * N}"};
    text_holds(derived, expected, COUNT(expected));
    isocast_derived_free(derived);
    free_all(records, count);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(grids_that_no_p_shows_are_named),
        cmocka_unit_test(shapes_that_no_run_has_are_named),
        cmocka_unit_test(grids_follow_the_ratio_of_sizes),
        cmocka_unit_test(lengths_of_one_line_have_their_mean),
        cmocka_unit_test(a_gather_is_no_grid),
        cmocka_unit_test(corners_of_a_plane_are_counted_together),
        cmocka_unit_test(files_of_one_source_are_one_program),
        cmocka_unit_test(blocks_steps_of_a_sort_and_shares_of_others),
        cmocka_unit_test(shares_of_the_points_between_two_ends),
        cmocka_unit_test(sums_of_different_functions_of_p_are_uncertain),
        cmocka_unit_test(a_second_term_of_repetitions_is_not_one_of_chance),
        cmocka_unit_test(records_of_other_sizes_than_the_words_are_refused),
        cmocka_unit_test(the_size_that_was_named_comes_first),
        cmocka_unit_test(partners_report_a_plane),
        cmocka_unit_test(what_a_solver_repeats_has_its_mean_message),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
