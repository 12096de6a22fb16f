/* How processes stand, reported by the partners of their messages in records that are made up here:
 * on lines and in grids of two and three dimensions. */
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

/* Messages to the neighbours on a line, and in a grid: as many of them on 1 to 4 processes.
 * `sides`: of a grid of processes, on the command line. */
static isocast_record *line_run(int N, int p, const int *sides) {
    isocast_buffer t = begin_record(p, "line grid", "%d %d %d", N, sides[0], sides[1]);
    int columns = sides[0];
    isocast_buffer_printf(&t, "communicator,1,MPI_Cart_create,,,,0-%d,%dx%d,0x0\n", p - 1, sides[1],
                          columns);
    for (int r = 0; r < p; r++) {
        for (int side = -1; side <= 1; side += 2) {
            if (r + side >= 0 && r + side < p) {
                isocast_buffer_printf(&t, "call,%d,0,0,MPI_Put,%d,%d,,,5,0\n", r, r + side, 8 * N);
            }
        }
        int beside =
            (r % columns > 0) + (r % columns + 1 < columns) + (r >= columns) + (r + columns < p);
        isocast_buffer_printf(&t, "call,%d,1,1,MPI_Neighbor_alltoall,,%d,,%d,5,0\n", r, 8 * N,
                              beside);
    }
    return record_of(&t);
}

static void partners_report_a_line(void **unused) {
    (void)unused;
    static const int sides[][2] = {{1, 1}, {2, 1}, {3, 1}, {4, 1}};
    static const int held[2] = {4, 2};
    isocast_record *records[RECORDS_MOST];
    size_t count = 0;
    for (int p = 1; p <= 4; p++) {
        for (int N = 20; N <= 60; N += 20) {
            records[count++] = line_run(N, p, sides[p - 1]);
        }
    }
    /* A side that was 1 everywhere is 2 there, and makes p with the others. */
    isocast_record *other = line_run(35, 8, held);
    isocast_derived *derived = derive_all(records, count, other);
    /* No record has a second row. */
    assert_int_equal(derived->held_out.exact, 1);
    static const char *const expected[] = {
        "do: - put: {to: rank + 1, bytes: 8 B * N} name: line-Put-1"};
    text_holds(derived, expected, COUNT(expected));
    isocast_derived_free(derived);
    isocast_record_free(other);
    free_all(records, count);
}

/* A ring of p - 1 steps with one receive each. */
static isocast_record *rounds_run(int N, int p) {
    isocast_buffer t = begin_record(p, "ring ring ring", "%d", N);
    for (int r = 0; r < p && p > 1; r++) {
        isocast_buffer_printf(&t, "call,%d,0,0,MPI_Irecv,%d,%d,,,%d,0\n", r, (r + p - 1) % p,
                              16 * N, p - 1);
        isocast_buffer_printf(&t, "call,%d,1,0,MPI_Isend,%d,%d,,,%d,0\n", r, (r + 1) % p, 16 * N,
                              p - 1);
        isocast_buffer_printf(&t, "call,%d,2,,MPI_Waitall,,2,,,%d,0\n", r, p - 1);
    }
    for (int r = 0; r < p && p > 1; r++) {
        for (int site = 0; site < 3 - (p == 2); site++) {
            isocast_buffer_printf(&t, "compute,%d,%d,%d,%d,0,%d,0,0\n", r, site, (site + 1) % 3,
                                  p - 1 - site / 2, p - 1);
        }
    }
    return record_of(&t);
}

/* Whose messages are waited for together, and in how many turns. */
static void rounds_are_loops(void **unused) {
    (void)unused;
    static const int ps[] = {1, 2, 3, 5, 6, 9};
    isocast_record *records[RECORDS_MOST];
    size_t count = make_runs(rounds_run, ps, COUNT(ps), records);
    isocast_derived *derived = derive_all(records, count, NULL);
    static const char *const expected[] = {"- for: turn = 1..(p - 1)",
                                           "- shift: {by: 1, bytes: 16 B * N} name: ring-Isend-2"};
    text_holds(derived, expected, COUNT(expected));
    isocast_derived_free(derived);
    free_all(records, count);
}

/* How the processes of a grid are numbered. */
typedef enum numbering { FIRST_FASTEST, LAST_FASTEST } numbering;

/* The place of a process in a grid. sides: width, height, depth. */
static void place_of(numbering by, int rank, const int *sides, int *at) {
    for (int i = 0; i < 3 && by == FIRST_FASTEST; i++) {
        at[i] = rank % sides[i];
        rank /= sides[i];
    }
    for (int i = 2; i >= 0 && by == LAST_FASTEST; i--) {
        at[i] = rank % sides[i];
        rank /= sides[i];
    }
}

/* A box of N^3 on a grid in three dimensions, whose messages to all 26 neighbours leave one line:
 * faces, edges and corners of the own part. */
static isocast_record *box_run(numbering by, int N, int p) {
    int depth = (int)isocast_grid_layers(p);
    int height = (int)isocast_grid_rows((double)p / depth);
    int sides[3] = {p / depth / height, height, depth};
    isocast_buffer t = begin_record(p, "halo", "%d", N);
    for (int r = 0; r < p; r++) {
        int own[3];
        place_of(by, r, sides, own);
        for (int other = 0; other < p; other++) {
            int at[3];
            bool beside = other != r;
            int size = 8;
            place_of(by, other, sides, at);
            for (int i = 0; i < 3; i++) {
                beside = beside && abs(at[i] - own[i]) <= 1;
                size *= at[i] == own[i] ? N / sides[i] + (own[i] < N % sides[i]) : 1;
            }
            if (beside) {
                isocast_buffer_printf(&t, "call,%d,0,0,MPI_Put,%d,%d,,,7,0\n", r, other, size);
            }
        }
    }
    return record_of(&t);
}

static void boxes_of_three_dimensions_are_reported(void **unused) {
    (void)unused;
    static const int ps[] = {1, 2, 4, 8, 16, 12};
    static const int ns[] = {20, 33, 50};
    for (size_t by = 0; by < 2; by++) {
        isocast_record *records[RECORDS_MOST];
        size_t count = 0;
        for (size_t i = 0; i < COUNT(ps); i++) {
            for (size_t k = 0; k < COUNT(ns); k++) {
                records[count++] = box_run((numbering)by, ns[k], ps[i]);
            }
        }
        isocast_record *other = box_run((numbering)by, 71, 64);
        isocast_derived *derived = derive_all(records, count, other);
        isocast_buffer text = {0};
        write_laws(derived, 1e9, &text);
        if (derived->held_out.sites != 1 || derived->held_out.exact != 1) {
            fputs(text.text, stderr);
            fail_msg("%zu of %zu sites are exact, numbered by %zu", derived->held_out.exact,
                     derived->held_out.sites, by);
        }
        static const char *const expected[] = {"  depth: grid_layers(p) ",
                                               "bytes: 8 B * ceil(N/height)*ceil(N/width)}",
                                               "bytes: 8 B * ceil(N/depth)}"};
        isocast_buffer_free(&text);
        text_holds(derived, expected, COUNT(expected));
        isocast_derived_free(derived);
        isocast_record_free(other);
        free_all(records, count);
    }
}

/* Three transpositions by messages of the program's own: to the next process and so on, each waited
 * for; and messages to the right in a grid whose rows are its shorter sides. */
static isocast_record *turns_run(int N, int p) {
    int side = (int)isocast_grid_rows(p);
    int all = 3 * (p - 1);
    isocast_buffer t = begin_record(p, "turn turn turn right", "%d", N);
    for (int r = 0; r < p; r++) {
        for (int other = 0; other < p; other++) {
            if (other != r) {
                isocast_buffer_printf(&t, "call,%d,0,0,MPI_Irecv,%d,%d,,,3,0\n", r, other, 8 * N);
                isocast_buffer_printf(&t, "call,%d,1,0,MPI_Isend,%d,%d,,,3,0\n", r, other, 8 * N);
            }
        }
        if (p > 1) {
            isocast_buffer_printf(&t, "call,%d,2,,MPI_Waitall,,2,,,%d,0\n", r, all);
            isocast_buffer_printf(&t, "compute,%d,0,1,%d,0,0,0,0\n", r, all);
            isocast_buffer_printf(&t, "compute,%d,1,2,%d,0,0,0,0\n", r, all);
            isocast_buffer_printf(&t, "compute,%d,2,0,%d,0,0,0,0\ncompute,%d,3,0,1,0,0,0,0\n", r,
                                  all - 1, r);
        }
        if ((r + 1) % side != 0) {
            isocast_buffer_printf(&t, "call,%d,3,0,MPI_Put,%d,%d,,,5,0\n", r, r + 1, 16 * N);
        }
    }
    return record_of(&t);
}

static void messages_to_all_and_beside_are_reported(void **unused) {
    (void)unused;
    static const int ps[] = {1, 2, 4, 6, 9, 12};
    isocast_record *records[RECORDS_MOST];
    size_t count = make_runs(turns_run, ps, COUNT(ps), records);
    isocast_derived *derived = derive_all(records, count, NULL);
    isocast_buffer text = {0};
    write_laws(derived, 1e9, &text);
    static const char *const expected[] = {
        "- for: turn = 1..3*(p - 1)",
        "- at: y < rows - 1 do: - put: {to: rank + 1, bytes: 16 B * N}",
        "send: {to: \"mod(rank + 1 + mod(turn - 1, max(1, p - 1)), p)\", bytes: 8 B * N}"};
    isocast_buffer_free(&text);
    text_holds(derived, expected, COUNT(expected));
    isocast_derived_free(derived);
    free_all(records, count);
}

/* Messages to all 26 neighbours, of a line each, in a grid whose sides are words: of the N, M and K
 * points that each process has. */
static isocast_record *own_points_run(const int *sizes, const int *sides) {
    char functions[26 * 5 + 1] = "";
    for (size_t i = 0; i < sizeof functions - 1; i++) {
        functions[i] = "halo "[i % 5];
    }
    int p = sides[0] * sides[1] * sides[2];
    isocast_buffer t = begin_record(p, functions, "%d %d %d %d %d %d", sizes[0], sizes[1], sizes[2],
                                    sides[0], sides[1], sides[2]);
    for (int r = 0; r < p; r++) {
        int own[3];
        int site = 0;
        place_of(FIRST_FASTEST, r, sides, own);
        for (int way = 0; way < 27; way++) {
            const int step[3] = {way % 3 - 1, way / 3 % 3 - 1, way / 9 - 1};
            int length = 1;
            int other = 0;
            bool inside = true;
            for (int i = 2; i >= 0; i--) {
                int at = own[i] + step[i];
                inside = inside && at >= 0 && at < sides[i];
                other = other * sides[i] + at;
                length *= step[i] == 0 ? sizes[i] : 1;
            }
            if (way != 13 && inside) {
                isocast_buffer_printf(&t, "call,%d,%d,0,MPI_Put,%d,%d,,,5,0\n", r, site, other,
                                      8 * length);
            }
            site += way != 13;
        }
    }
    return record_of(&t);
}

/* Small grids do not show how processes are numbered; no record has three processes along the
 * second side, or one of them where the others have several. */
static void all_records_report_one_numbering(void **unused) {
    (void)unused;
    static const struct {
        int sizes[3], sides[3];
    } runs[] = {{{10, 20, 30}, {1, 1, 1}}, {{10, 14, 12}, {2, 1, 1}}, {{12, 10, 30}, {1, 2, 1}},
                {{12, 20, 30}, {1, 1, 3}}, {{10, 14, 18}, {2, 2, 1}}, {{14, 10, 22}, {1, 2, 2}},
                {{13, 20, 8}, {3, 2, 1}},  {{10, 14, 18}, {2, 2, 2}}, {{10, 14, 18}, {3, 2, 2}},
                {{11, 20, 9}, {2, 2, 3}},  {{12, 14, 11}, {4, 2, 2}}};
    static const int held_sizes[] = {20, 16, 9};
    static const int held_sides[] = {3, 3, 3};
    isocast_record *records[RECORDS_MOST];
    for (size_t i = 0; i < COUNT(runs); i++) {
        records[i] = own_points_run(runs[i].sizes, runs[i].sides);
    }
    isocast_record *other = own_points_run(held_sizes, held_sides);
    static const char *const expected[] = {
        "put: {to: rank + 1*width, bytes: 8 B * N*K} name: halo-Put-16",
        "put: {to: rank - 1*height*width - 1, bytes: 8 B * M} name: halo-Put-4",
        "put: {to: rank - 1*height*width - 1*width - 1, bytes: 8 B} name: halo-Put-1"};
    const expectation due = {expected, COUNT(expected), 26};
    laws_are(records, COUNT(runs), other, &due);
}

/* N steps around the rings of a grid; every 20th one, and once before, processes state a neighbour
 * how much there is for it, and the other one where that is another process. */
static isocast_record *rings_run(int N, int p) {
    int depth = (int)isocast_grid_layers(p);
    int height = (int)isocast_grid_rows((double)p / depth);
    const int sides[3] = {p / depth / height, height, depth};
    isocast_buffer t = begin_record(p, "migrate migrate", "%d", N);
    isocast_buffer_printf(&t, "communicator,1,MPI_Cart_create,0,0,,0-%d,%dx%dx%d,1x1x1\n", p - 1,
                          sides[2], sides[1], sides[0]);
    for (int r = 0; r < p; r++) {
        int own[3];
        place_of(FIRST_FASTEST, r, sides, own);
        for (int i = 0, stride = 1; i < 3; stride *= sides[i], i++) {
            for (int site = 0; site < 2 && sides[i] > site + 1; site++) {
                int step = site == 0 ? sides[i] - 1 : 1;
                int other = r + ((own[i] + step) % sides[i] - own[i]) * stride;
                isocast_buffer_printf(&t, "call,%d,%d,1,MPI_Put,%d,4,,,%d,0\n", r, site, other,
                                      N / 20 + 1);
            }
        }
    }
    return record_of(&t);
}

static void rings_of_two_have_one_neighbour(void **unused) {
    (void)unused;
    static const int ps[] = {1, 2, 3, 4, 6, 8, 12, 16};
    isocast_record *records[RECORDS_MOST];
    size_t count = make_runs(rings_run, ps, COUNT(ps), records);
    isocast_record *other = rings_run(100, 20);
    static const char *const expected[] = {"- for: again_4 = 1..(N/20 + 1) do: - at: width > 2"};
    const expectation due = {expected, COUNT(expected), 2};
    laws_are(records, count, other, &due);
}

/* All processes make a grid, and one communicator for each of its rows. */
static isocast_record *communicators_run(int N, int p) {
    int rows = (int)isocast_grid_rows(p);
    int columns = p / rows;
    isocast_buffer t = begin_record(p, "f f", "%d", N);
    isocast_buffer_printf(&t, "communicator,1,MPI_Cart_create,0,0,,0-%d,%dx%d,0x0\n", p - 1, rows,
                          columns);
    for (int row = 0; row < rows; row++) {
        isocast_buffer_printf(&t, "communicator,%d,MPI_Comm_split,1,1,,%d-%d,,\n", 2 + row,
                              row * columns, (row + 1) * columns - 1);
    }
    for (int r = 0; r < p; r++) {
        isocast_buffer_printf(&t, "call,%d,0,0,MPI_Cart_create,,0,,,1,0\n", r);
        isocast_buffer_printf(&t, "call,%d,1,1,MPI_Comm_split,,0,,,1,0\n", r);
    }
    return record_of(&t);
}

static void communicators_are_made_by_their_processes(void **unused) {
    (void)unused;
    static const int ps[] = {1, 2, 4, 6, 9, 12, 16};
    isocast_record *records[RECORDS_MOST];
    size_t count = make_runs(communicators_run, ps, sizeof ps / sizeof *ps, records);
    isocast_derived *derived = derive_all(records, count, NULL);
    isocast_buffer text = {0};
    write_laws(derived, 1e9, &text);
    assert_non_null(strstr(text.text, "- comm_dup: {} name: f-Cart_create-1"));
    assert_non_null(strstr(text.text, "- comm_split: {}"));
    isocast_buffer_free(&text);
    text_is_an_algorithm(derived);
    isocast_derived_free(derived);
    free_all(records, count);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(communicators_are_made_by_their_processes),
        cmocka_unit_test(partners_report_a_line),
        cmocka_unit_test(rounds_are_loops),
        cmocka_unit_test(boxes_of_three_dimensions_are_reported),
        cmocka_unit_test(messages_to_all_and_beside_are_reported),
        cmocka_unit_test(all_records_report_one_numbering),
        cmocka_unit_test(rings_of_two_have_one_neighbour),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
