/* Many conditions at once come to what each comes to alone, whatever the number of threads. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "model/solve/batch.h"
#include "model/solve/prediction.h"
#include "model_fixture.h"

enum { CONDITIONS = 700 };

static const char algorithm_text[] = "algorithm: a\n"
                                     "size: {N: {min: 2}}\n"
                                     "work: 2*N^3\n"
                                     "overhead:\n"
                                     "  exchange: (p-1)*(1+N)*T_send(8 B * N)\n"
                                     "memory: 8 B * N^2/p\n"
                                     "concurrency: N\n";

/* The latency stands between the two. */
static const char machine_begin[] =
    "machine: m\n"
    "nodes: {node: {count: 1000, marked_speed: 1 Gflop/s, memory: 1 GB}}\n"
    "parameters: {latency: ";
static const char machine_end[] = "}\n"
                                  "operations: {T_send: latency + m/(100 MB/s)}\n";

static fixture create(const char *latency) {
    char machine[512];
    strcpy(machine, machine_begin);
    strcat(machine, latency);
    strcat(machine, machine_end);
    return fixture_create(algorithm_text, machine, "2,3,8,64,500");
}

/* Every kind of result of a batch. */
typedef struct numbers {
    double N[CONDITIONS], W[CONDITIONS], T[CONDITIONS], T_c[CONDITIONS], T_o[CONDITIONS];
    double E[CONDITIONS], term[CONDITIONS], best_E[CONDITIONS];
    isocast_row_status status[CONDITIONS];
    size_t root_count[CONDITIONS];
    isocast_batch_note note[CONDITIONS];
} numbers;

static numbers *solve(const isocast_batch_request *request) {
    numbers *n = calloc(1, sizeof *n);
    assert_non_null(n);
    double *terms[] = {n->term};
    isocast_batch_results results = {.N = n->N,
                                     .W = n->W,
                                     .T = n->T,
                                     .T_c = n->T_c,
                                     .T_o = n->T_o,
                                     .E = n->E,
                                     .best_E = n->best_E,
                                     .terms = terms,
                                     .status = n->status,
                                     .root_count = n->root_count,
                                     .note = n->note};
    assert_int_equal(isocast_batch_solve(request, &results), ISOCAST_OK);
    return n;
}

static bool is_near(double a, double b) {
    return (isnan(a) && isnan(b)) || fabs(a - b) <= 1e-9 * fabs(b);
}

/* Systems and efficiencies that take turns: reached, beyond memory, beyond concurrency and not
 * reached. */
static void fill(const fixture *f, const isocast_system **systems, double *targets) {
    for (size_t k = 0; k < CONDITIONS; k++) {
        systems[k] = f->systems[k % f->system_count];
        targets[k] = 0.01 + 1.1 * (double)k / CONDITIONS;
    }
}

static void each_condition_is_as_predicted_alone(void **state) {
    (void)state;
    fixture f = create("3 us");
    fixture other = create("7 us");
    const isocast_system *systems[CONDITIONS];
    double targets[CONDITIONS];
    double latency[CONDITIONS];
    fill(&f, systems, targets);
    for (size_t k = 0; k < CONDITIONS; k++) {
        latency[k] = k % 2 == 0 ? 3e-6 : 7e-6;
    }
    isocast_batch_parameter varied = {0, latency};
    isocast_batch_request request = {.model = f.model,
                                     .count = CONDITIONS,
                                     .systems = systems,
                                     .systems_stride = 1,
                                     .targets = targets,
                                     .targets_stride = 1,
                                     .parameters = &varied,
                                     .parameter_count = 1};
    numbers *n = solve(&request);
    size_t seen[ISOCAST_ROW_NOT_VALID + 1] = {0};
    for (size_t k = 0; k < CONDITIONS; k++) {
        isocast_prediction_request one = {
            .N = NAN, .efficiency = targets[k], .systems = &systems[k], .system_count = 1};
        isocast_prediction *p = NULL;
        assert_int_equal(isocast_predict(k % 2 == 0 ? f.model : other.model, &one, &p), ISOCAST_OK);
        const isocast_prediction_row *row = &p->rows[0];
        assert_int_equal(n->status[k], row->status);
        assert_int_equal(n->root_count[k], row->solution.root_count);
        assert_int_equal(n->note[k] == ISOCAST_BATCH_RAISED, !isnan(row->N_efficiency));
        assert_true(is_near(n->N[k], row->N) && is_near(n->W[k], row->W));
        assert_true(is_near(n->T[k], row->T) && is_near(n->T_c[k], row->T_c));
        assert_true(is_near(n->T_o[k], row->T_o) && is_near(n->E[k], row->E));
        assert_true(is_near(n->term[k], row->terms[0]));
        if (row->status == ISOCAST_ROW_UNREACHABLE) {
            assert_true(is_near(n->best_E[k], row->solution.best_E));
        }
        seen[row->status]++;
        isocast_prediction_free(p);
    }
    assert_true(seen[ISOCAST_ROW_OK] > 0 && seen[ISOCAST_ROW_UNREACHABLE] > 0);
    assert_true(seen[ISOCAST_ROW_BEYOND_MEMORY] > 0);
    free(n);
    fixture_free(&f);
    fixture_free(&other);
}

static void threads_change_no_bit(void **state) {
    (void)state;
    fixture f = create("3 us");
    const isocast_system *systems[CONDITIONS];
    double targets[CONDITIONS];
    fill(&f, systems, targets);
    isocast_batch_request request = {.model = f.model,
                                     .count = CONDITIONS,
                                     .systems = systems,
                                     .systems_stride = 1,
                                     .targets = targets,
                                     .targets_stride = 1};
    numbers *one = solve(&request);
    for (size_t threads = 2; threads <= 5; threads++) {
        request.threads = threads;
        numbers *many = solve(&request);
        assert_memory_equal(one, many, sizeof *one);
        free(many);
    }
    free(one);
    fixture_free(&f);
}

static void given_N_is_evaluated(void **state) {
    (void)state;
    fixture f = create("3 us");
    double N[CONDITIONS];
    for (size_t k = 0; k < CONDITIONS; k++) {
        N[k] = 2 + (double)k;
    }
    isocast_batch_request request = {.model = f.model,
                                     .count = CONDITIONS,
                                     .systems = (const isocast_system *const *)&f.systems[3],
                                     .N = N,
                                     .N_stride = 1};
    numbers *n = solve(&request);
    for (size_t k = 0; k < CONDITIONS; k++) {
        assert_true(n->N[k] == N[k] && n->root_count[k] == 0);
        assert_true(is_near(n->W[k], 2 * N[k] * N[k] * N[k]));
        assert_int_equal(n->note[k], N[k] < 64 ? ISOCAST_BATCH_FEWER : ISOCAST_BATCH_PLAIN);
    }
    free(n);
    fixture_free(&f);
}

static void what_cannot_be_asked_is_refused(void **state) {
    (void)state;
    fixture f = create("3 us");
    double target = -1;
    double value = 1;
    isocast_batch_parameter varied = {7, &value};
    isocast_batch_request request = {.model = f.model,
                                     .count = 1,
                                     .systems = (const isocast_system *const *)f.systems,
                                     .targets = &target};
    isocast_batch_results results = {.N = &value};
    assert_int_equal(isocast_batch_solve(&request, &results), ISOCAST_ARGUMENT);
    target = 0.5;
    request.parameters = &varied;
    request.parameter_count = 1;
    assert_int_equal(isocast_batch_solve(&request, &results), ISOCAST_ARGUMENT);
    request.parameter_count = 0;
    assert_int_equal(isocast_batch_solve(&request, &results), ISOCAST_OK);
    request.targets = NULL;
    assert_int_equal(isocast_batch_solve(&request, &results), ISOCAST_ARGUMENT);
    fixture_free(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_condition_is_as_predicted_alone),
        cmocka_unit_test(threads_change_no_bit),
        cmocka_unit_test(given_N_is_evaluated),
        cmocka_unit_test(what_cannot_be_asked_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
