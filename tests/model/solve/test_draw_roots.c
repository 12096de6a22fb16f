/* The root of each draw, put back into the condition with the draw's own numbers. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "model/solve/displaced.h"
#include "model/solve/prediction.h"
#include "model_fixture.h"

enum { DRAWS = ISOCAST_UNCERTAINTY_DRAWS, PARAMETERS = 4 };

static const char machine[] =
    "machine: m\nnodes: {node: {count: 64, marked_speed: 1 Gflop/s}}\n"
    "parameters: {start: 20 us ± 30 %, byte: 4 ns/B ± 25 %, late: 60 us ± 30 %,\n"
    "  t_c: 0.7 ns/flop ± 10 %}\n"
    "operations:\n"
    "  T_bcast: if(m < 3 kB, start + byte*m, late + 0.5*byte*m)*ceil(log2(p))\n"
    "  T_barrier: (start + late)^2/(1 us)\n";

/* Sums to N, and a switch in the message size. */
static const char linear[] = "algorithm: a\nsize: {N: {min: 2}}\nwork: 2/3*N^3\n"
                             "compute: W*t_c/p\noverhead:\n"
                             "  rows: sum(i, 0, N-2, T_bcast(8 B*(N+1-i)))\n"
                             "  rest: 7*T_bcast(8 B*N/p)\n";

static const char other[] = "algorithm: a\nsize: {N: {min: 2}}\nwork: 2/3*N^3\n"
                            "compute: W*t_c/p\noverhead:\n  rows: N*T_barrier()\n";

static isocast_prediction *predict(const fixture *f) {
    isocast_prediction_request request = {.N = NAN,
                                          .efficiency = 0.35,
                                          .systems = (const isocast_system *const *)f->systems,
                                          .system_count = f->system_count};
    isocast_prediction *prediction = NULL;
    assert_int_equal(isocast_predict(f->model, &request, &prediction), ISOCAST_OK);
    return prediction;
}

/* What E is off its target by in the row's draw d, ln. */
static double off_at(const fixture *f, const isocast_prediction *p, size_t row, size_t d,
                     const double *errors) {
    double parameters[PARAMETERS];
    for (int i = 0; i < PARAMETERS; i++) {
        parameters[i] = isocast_model_parameters(f->model)[i] + errors[i];
    }
    const isocast_system *system = f->systems[row];
    double N = exp(p->rows[row].moves.draws[d]);
    double E;
    isocast_effort effort = isocast_effort_of(1);
    isocast_model_points points = {.count = 1,
                                   .N = &N,
                                   .systems = &system,
                                   .parameters = parameters,
                                   .parameters_stride = 1,
                                   .effort = &effort};
    isocast_model_results results = {.E = &E};
    assert_int_equal(isocast_model_evaluate(f->model, &points, &results), ISOCAST_OK);
    return log(E / 0.35);
}

/* The tolerance of roots is a thousandth of the reach in N; next to the switch E is steeper than
 * over the whole reach. */
static void draws_meet_the_condition(void **unused) {
    (void)unused;
    fixture f = fixture_create(linear, machine, "4,13,64");
    isocast_prediction *p = predict(&f);
    assert_non_null(p->drawn);
    const double *errors;
    const double *normal;
    assert_int_equal(isocast_uncertainty_draw(p->uncertainty, &errors, &normal), ISOCAST_OK);
    size_t n = isocast_uncertainty_count(p->uncertainty);
    size_t drawn = 0;
    for (size_t row = 0; row < f.system_count; row++) {
        const isocast_row_moves *moves = &p->rows[row].moves;
        if (moves->draws == NULL) {
            continue;
        }
        drawn++;
        double tolerance = 1e-2 * log(p->rows[row].N_high / p->rows[row].N_low) / 2;
        size_t off = 0;
        for (size_t d = 0; d < DRAWS; d++) {
            double slope = moves->held_by_N;
            if (!(fabs(off_at(&f, p, row, d, errors + d * n)) <= tolerance * fabs(slope))) {
                off++;
            }
        }
        assert_true(off <= DRAWS / 50);
    }
    assert_true(drawn > 0);
    isocast_prediction_free(p);
    fixture_free(&f);
}

/* Where T does not hang linearly on numbers with errors, each draw is looked for by itself. */
static void others_are_left_alone(void **unused) {
    (void)unused;
    fixture f = fixture_create(other, machine, "4");
    isocast_prediction *p = predict(&f);
    assert_null(p->drawn);
    assert_true(p->rows[0].N_low < p->rows[0].N);
    isocast_prediction_free(p);
    fixture_free(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(draws_meet_the_condition),
                                       cmocka_unit_test(others_are_left_alone)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
