/* What the kernels on a grid of processes do without MPI: the grid, sweeps of the stencil, and the
 * table of the longest common subsequence. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "kernels/grid.h"
#include "kernels/lcs_check.h"
#include "kernels/lcs_local.h"
#include "kernels/stencil_local.h"

enum { SIZE = 150 };

static void the_grid_is_the_most_square_one(void **state) {
    (void)state;
    for (int p = 1; p <= 400; p++) {
        grid g = grid_of(p);
        assert_int_equal(g.rows * g.columns, p);
        assert_true(g.rows <= g.columns);
        for (int rows = g.rows + 1; rows * rows <= p; rows++) {
            assert_int_not_equal(p % rows, 0);
        }
    }
}

static void blocks_are_alike_and_complete(void **state) {
    (void)state;
    for (size_t N = 0; N < 60; N++) {
        for (int parts = 1; parts < 20; parts++) {
            assert_int_equal(grid_start(N, parts, 0), 0);
            assert_int_equal(grid_start(N, parts, parts), N);
            for (int block = 0; block < parts; block++) {
                size_t length = grid_length(N, parts, block);
                assert_true(length == N / (size_t)parts || length == N / (size_t)parts + 1);
                assert_true(length <= grid_length(N, parts, 0));
            }
        }
    }
}

/* Sweeps from the exact start give the exact values of later sweeps. */
static void sweeps_follow_the_exact_solution(void **state) {
    (void)state;
    static double points[2][(SIZE + 2) * (SIZE + 2)];
    for (size_t N = 1; N <= SIZE; N += 37) {
        for (size_t i = 0; i < N + 2; i++) {
            for (size_t j = 0; j < N + 2; j++) {
                points[0][i * (N + 2) + j] = stencil_exact(N, N, 0, i, j);
                points[1][i * (N + 2) + j] = points[0][i * (N + 2) + j];
            }
        }
        for (size_t sweep = 1; sweep <= 10; sweep++) {
            stencil_sweep(points[(sweep + 1) % 2], points[sweep % 2], N, N);
            for (size_t i = 1; i <= N; i++) {
                for (size_t j = 1; j <= N; j++) {
                    double due = stencil_exact(N, N, sweep, i, j);
                    assert_true(fabs(points[sweep % 2][i * (N + 2) + j] - due) < 1e-13);
                }
            }
        }
    }
}

/* The table in blocks of rows and parts of columns comes to the same as the check. */
static void tables_in_blocks_are_the_whole_table(void **state) {
    (void)state;
    static uint8_t letters[2][SIZE];
    static int32_t row[SIZE + 2];
    static int32_t column[2][SIZE];
    for (uint64_t seed = 1; seed <= 40; seed++) {
        size_t N = 1 + (size_t)(seed * 37 % SIZE);
        size_t parts = 1 + seed % 4;
        for (size_t i = 0; i < N; i++) {
            letters[0][i] = lcs_letter(seed, 0, i);
            letters[1][i] = lcs_letter(seed, 1, i);
            assert_in_range(letters[0][i], 0, LCS_LETTERS - 1);
        }
        memset(column, 0, sizeof column);
        for (size_t part = 0; part < parts; part++) {
            size_t first = N * part / parts;
            size_t columns = N * (part + 1) / parts - first;
            memset(row, 0, sizeof row);
            for (size_t i = 0; i < N; i += LCS_BLOCK) {
                size_t rows = N - i < LCS_BLOCK ? N - i : LCS_BLOCK;
                lcs_block(letters[0] + i, rows, letters[1] + first, columns, row,
                          column[part % 2] + i, column[(part + 1) % 2] + i);
            }
        }
        assert_true(column[parts % 2][N - 1] == lcs_check_length(seed, N));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_grid_is_the_most_square_one),
        cmocka_unit_test(blocks_are_alike_and_complete),
        cmocka_unit_test(sweeps_follow_the_exact_solution),
        cmocka_unit_test(tables_in_blocks_are_the_whole_table),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
