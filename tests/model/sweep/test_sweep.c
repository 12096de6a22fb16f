/* The rows of a sweep are those of a batch, whatever block they stand in, and psi goes on over the
 * borders of blocks. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "model/sweep/sweep.h"
#include "tests/model/solve/model_fixture.h"

static const char algorithm_text[] = "algorithm: a\n"
                                     "size: {N: {min: 2}}\n"
                                     "work: 2*N^3\n"
                                     "overhead:\n"
                                     "  exchange: (p-1)*(1+N)*T_send(8 B * N)\n"
                                     "memory: 8 B * N^2/p\n";
static const char machine_text[] =
    "machine: m\n"
    "nodes: {node: {count: 1000, marked_speed: 1 Gflop/s, memory: 1 GB}}\n"
    "parameters: {latency: 3 us}\n"
    "operations: {T_send: latency + m/(100 MB/s)}\n";

enum { SYSTEMS = 3, POINTS = 1700, ROWS = SYSTEMS * POINTS };

typedef struct row {
    double latency, N, T, psi;
    size_t system;
} row;

static void read_rows(const isocast_sweep *sweep, bool backwards, row *rows) {
    isocast_sweep_worker *worker = NULL;
    assert_int_equal(isocast_sweep_worker_create(sweep, &worker), ISOCAST_OK);
    double blocks = isocast_sweep_blocks(sweep);
    for (double i = 0; i < blocks; i++) {
        isocast_sweep_records records;
        double block = backwards ? blocks - 1 - i : i;
        assert_int_equal(isocast_sweep_compute(worker, block, &records), ISOCAST_OK);
        assert_true(records.first == block * ISOCAST_SWEEP_BLOCK);
        for (size_t k = 0; k < records.count; k++) {
            rows[(size_t)records.first + k] =
                (row){records.values[0][k], records.results.N[k], records.results.T[k],
                      records.psi[k], records.system[k]};
        }
    }
    isocast_sweep_worker_free(worker);
}

static void test_blocks(void **state) {
    (void)state;
    fixture f = fixture_create(algorithm_text, machine_text, "2,16,64");
    isocast_axis axis = {.scale = ISOCAST_AXIS_LOG, .from = 1e-6, .to = 1e-4, .count = POINTS};
    axis.variable.kind = ISOCAST_VARIED_PARAMETER;
    isocast_design design = {.axes = &axis, .axis_count = 1, .draws = 1, .points = POINTS};
    double target = 0.5;
    isocast_sweep_request request = {.model = f.model,
                                     .design = &design,
                                     .systems = (const isocast_system *const *)f.systems,
                                     .system_count = SYSTEMS,
                                     .targets = &target,
                                     .target_count = 1};
    isocast_sweep *sweep = NULL;
    assert_int_equal(isocast_sweep_create(&request, &sweep), ISOCAST_OK);
    assert_true(isocast_sweep_rows(sweep) == ROWS && isocast_sweep_blocks(sweep) == 5);
    row *rows = calloc(ROWS, sizeof *rows);
    row *again = calloc(ROWS, sizeof *again);
    assert_non_null(rows);
    assert_non_null(again);
    read_rows(sweep, false, rows);
    read_rows(sweep, true, again);
    for (size_t k = 0; k < ROWS; k++) {
        assert_memory_equal(&rows[k].latency, &again[k].latency, sizeof(double));
        assert_true(rows[k].N == again[k].N && rows[k].T == again[k].T);
        assert_int_equal(rows[k].system, k % SYSTEMS);
        assert_true(rows[k].latency == isocast_axis_at(&axis, (double)(k / SYSTEMS)));
        if (k % SYSTEMS == 0) {
            assert_true(isnan(rows[k].psi));
            continue;
        }
        /* psi is C'W/(C W'); W is 2 N^3. */
        double C = f.systems[k % SYSTEMS]->C / f.systems[k % SYSTEMS - 1]->C;
        double psi = C * pow(rows[k - 1].N / rows[k].N, 3);
        assert_true(fabs(rows[k].psi - psi) < 1e-12 * psi && rows[k].psi == again[k].psi);
    }
    free(rows);
    free(again);
    isocast_sweep_free(sweep);
    fixture_free(&f);
}

static void test_too_many(void **state) {
    (void)state;
    fixture f = fixture_create(algorithm_text, machine_text, "2,16,64");
    isocast_design design = {.draws = 1, .points = 5e9};
    isocast_sweep_request request = {.model = f.model,
                                     .design = &design,
                                     .systems = (const isocast_system *const *)f.systems,
                                     .system_count = SYSTEMS,
                                     .target_count = 1};
    isocast_sweep *sweep = NULL;
    assert_int_equal(isocast_sweep_create(&request, &sweep), ISOCAST_ARGUMENT);
    assert_null(sweep);
    fixture_free(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_blocks),
                                       cmocka_unit_test(test_too_many)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
