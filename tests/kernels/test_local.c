/* What the kernels do without MPI: dealing rows out by marked speed, and the arithmetic of Gaussian
 * elimination. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "kernels/ge_local.h"
#include "model/base/distribution.h"

enum { PROCESSES_MAX = 128, ROWS_MAX = 4000, N_MAX = 80 };

/* Every prefix is shared to within one row, and all rows are owned. */
static void check_prefixes(size_t rows, const double *speeds, int processes) {
    static int owner[ROWS_MAX];
    double counts[PROCESSES_MAX];
    double so_far[PROCESSES_MAX] = {0};
    double total = 0;
    for (int q = 0; q < processes; q++) {
        total += speeds[q];
    }
    assert_true(isocast_distribution_cyclic(rows, speeds, processes, counts, owner));
    for (size_t i = 0; i < rows; i++) {
        assert_in_range(owner[i], 0, processes - 1);
        so_far[owner[i]]++;
        for (int q = 0; q < processes; q++) {
            double share = (double)(i + 1) * speeds[q] / total;
            if (!(fabs(so_far[q] - share) < 1 + 1e-9)) {
                fail_msg("process %d of %d has %g of the first %zu rows, its share is %g", q,
                         processes, so_far[q], i + 1, share);
            }
        }
    }
    assert_memory_equal(counts, so_far, (size_t)processes * sizeof *counts);
}

static void rows_in_turn_for_equal_speeds(void **state) {
    (void)state;
    static const double values[] = {1, 20.29e6, 1.0 / 3, 1e-300, 1e300};
    for (size_t v = 0; v < sizeof values / sizeof values[0]; v++) {
        double speeds[PROCESSES_MAX];
        double counts[PROCESSES_MAX];
        int owner[200];
        for (int processes = 1; processes <= 33; processes++) {
            speeds[processes - 1] = values[v];
            assert_true(isocast_distribution_cyclic(200, speeds, processes, counts, owner));
            for (int i = 0; i < 200; i++) {
                assert_int_equal(owner[i], i % processes);
            }
        }
    }
}

static void published_system_is_shared_to_within_a_row(void **state) {
    (void)state;
    /* C8 of [CSW] table 5: two processors of the server and seven SunBlades, Mflop/s. */
    static const double speeds[] = {20.88, 20.88, 20.29, 20.29, 20.29, 20.29, 20.29, 20.29, 20.29};
    check_prefixes(1000, speeds, 9);
}

static void one_fast_among_many_slow(void **state) {
    (void)state;
    double speeds[PROCESSES_MAX];
    for (int q = 0; q < PROCESSES_MAX; q++) {
        speeds[q] = q == 77 ? 100 : 1;
    }
    check_prefixes(ROWS_MAX, speeds, PROCESSES_MAX);
}

static void any_speeds_are_shared_to_within_a_row(void **state) {
    (void)state;
    uint64_t random = 20081403;
    for (int trial = 0; trial < 300; trial++) {
        double speeds[PROCESSES_MAX];
        int processes = 1 + trial % 40;
        for (int q = 0; q < processes; q++) {
            random = random * 6364136223846793005u + 1442695040888963407u;
            double uniform = (double)(random >> 11) * 0x1p-53;
            speeds[q] = trial % 3 == 0 ? 1 + uniform : pow(10, 6 * uniform);
        }
        check_prefixes(500, speeds, processes);
    }
}

static void fewer_rows_than_processes(void **state) {
    (void)state;
    static const double speeds[] = {1, 5, 1, 1};
    int owner[1] = {-1};
    double counts[4];
    assert_true(isocast_distribution_cyclic(1, speeds, 4, counts, owner));
    assert_int_equal(owner[0], 1);
    assert_true(isocast_distribution_cyclic(0, speeds, 4, counts, owner));
    assert_true(counts[0] + counts[1] + counts[2] + counts[3] == 0);
}

static double input(size_t i, size_t j, size_t N) {
    double noise = (double)((i * 31 + j * 17 + i * j * 7) % 101) / 101 - 0.5;
    return i == j ? (double)N + noise : noise;
}

/* The whole elimination of a system with the solution 1, -2, 3, -4, ... */
static void solve_one(size_t N) {
    static double matrix[N_MAX * (N_MAX + 1)];
    double x[N_MAX];
    const double *row[N_MAX];
    size_t width = N + 1;
    for (size_t i = 0; i < N; i++) {
        double *at = matrix + i * width;
        at[N] = 0;
        for (size_t j = 0; j < N; j++) {
            at[j] = input(i, j, N);
            at[N] += at[j] * (j % 2 == 0 ? 1 : -1) * (double)(j + 1);
        }
        row[i] = at;
    }
    for (size_t i = 0; i + 1 < N; i++) {
        ge_update(matrix + (i + 1) * width, N - i - 1, width, i, width, matrix + i * width + i);
        for (size_t r = i + 1; r < N; r++) {
            assert_true(matrix[r * width + i] == 0);
        }
    }
    ge_back_substitute(row, N, x);
    for (size_t j = 0; j < N; j++) {
        double exact = (j % 2 == 0 ? 1 : -1) * (double)(j + 1);
        assert_true(fabs(x[j] - exact) <= 1e-12 * (double)N);
    }
}

static void systems_of_every_size_are_solved(void **state) {
    (void)state;
    for (size_t N = 1; N <= N_MAX; N++) {
        solve_one(N);
    }
}

static void update_touches_its_columns_alone(void **state) {
    (void)state;
    /* Two rows of five numbers; columns 1 to 3 are active. */
    double block[] = {9, 2, 4, 6, 9, 9, 1, 1, 1, 9};
    const double pivot_row[] = {2, 1, 3};
    ge_update(block, 2, 5, 1, 4, pivot_row);
    const double expected[] = {9, 0, 3, 3, 9, 9, 0, 0.5, -0.5, 9};
    assert_memory_equal(block, expected, sizeof block);
    ge_update(block, 0, 5, 1, 4, pivot_row);
    assert_memory_equal(block, expected, sizeof block);
}

/* The published polynomial against a count of subtractions, products and quotients: they agree in
 * N^3, and differ by 2 N^2. */
static void work_has_the_counted_order(void **state) {
    (void)state;
    for (size_t N = 100; N <= 2000; N += 317) {
        double counted = 0;
        for (size_t i = 0; i + 1 < N; i++) {
            counted += (double)(N - i - 1) * (2 * (double)(N - i) + 1);
        }
        counted += (double)N * (double)N;
        assert_true(fabs(ge_work(N) / counted - 1) < 4 / (double)N);
    }
    assert_true(fabs(ge_work(1)) < 1e-12 && fabs(ge_work(2)) < 1e-12);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_in_turn_for_equal_speeds),
        cmocka_unit_test(published_system_is_shared_to_within_a_row),
        cmocka_unit_test(one_fast_among_many_slow),
        cmocka_unit_test(any_speeds_are_shared_to_within_a_row),
        cmocka_unit_test(fewer_rows_than_processes),
        cmocka_unit_test(systems_of_every_size_are_solved),
        cmocka_unit_test(update_touches_its_columns_alone),
        cmocka_unit_test(work_has_the_counted_order),
    };
    return cmocka_run_group_tests_name("local", tests, NULL, NULL);
}
