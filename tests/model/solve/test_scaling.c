/* Lines of scaling and the choice of a number of processes against closed forms: Amdahl's and
 * Gustafson's laws, examples of [GGKK 5], and random models against looking at every number. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "model/solve/concurrency.h"
#include "model/solve/least_time.h"
#include "model_fixture.h"

static const char unit_machine[] =
    "machine: unit\n"
    "nodes: {node: {count: 1000000, processors: 1, marked_speed: 1 flop/s, memory: 1 MB}}\n";

enum { MODELS = 60 };

static void assert_close(double actual, double expected, double relative) {
    if (!(fabs(actual - expected) <= relative * fabs(expected))) {
        print_error("%.17g is not %.17g within %g\n", actual, expected, relative);
        fail();
    }
}

static double drawn(double low, double high) {
    return low * exp(log(high / low) * ((double)rand() / RAND_MAX));
}

/* The first system at N is the base, where it is given; else `level` is. */
static isocast_scaling *scale(const fixture *f, isocast_line line, double N, double level) {
    isocast_scaling_request request = {.line = line,
                                       .level = level,
                                       .base = isnan(N) ? NULL : f->systems[0],
                                       .N = N,
                                       .systems = (const isocast_system *const *)f->systems,
                                       .system_count = f->system_count};
    isocast_scaling *scaling = NULL;
    assert_int_equal(isocast_scale(f->model, &request, &scaling), ISOCAST_OK);
    return scaling;
}

/* A fraction alpha of the work is sequential: speedup at a fixed size is 1/(alpha + (1-alpha)/p),
 * and Karp and Flatt's fraction is alpha. */
static void amdahl(void **state) {
    (void)state;
    for (int i = 0; i < MODELS; i++) {
        double alpha = drawn(1e-6, 0.9);
        char text[256];
        snprintf(text, sizeof text,
                 "algorithm: law\nsize: {N: {min: 1}}\nwork: 2*N^3\nsequential: %.17g\n", alpha);
        fixture f = fixture_create(text, unit_machine, "1,2,7,64,1000,1000000");
        isocast_scaling *scaling = scale(&f, ISOCAST_LINE_SIZE, drawn(1, 1e4), NAN);
        for (size_t r = 0; r < scaling->row_count; r++) {
            const isocast_scaling_row *row = &scaling->rows[r];
            assert_close(row->speedup, 1 / (alpha + (1 - alpha) / row->p), 1e-12);
            assert_close(row->scaled_speedup, row->speedup, 1e-12);
            assert_close(row->efficiency, row->speedup / row->p, 1e-12);
            assert_close(row->cost, row->p * isocast_scaling_point(row)->T, 1e-15);
            if (row->p > 1) {
                assert_close(row->serial_fraction, alpha, 1e-8);
                assert_close(row->overhead, row->cost - row->T_alone, 1e-9);
            } else {
                assert_true(isnan(row->serial_fraction));
            }
        }
        isocast_scaling_free(scaling);
        fixture_free(&f);
    }
}

/* s flop are sequential whatever N is: at a fixed time, and with as much parallel work per process,
 * the scaled speedup is s' + p (1 - s'), with s' the sequential share of the time [Gustafson]. */
static void gustafson(void **state) {
    (void)state;
    for (int i = 0; i < MODELS; i++) {
        double N = drawn(1, 1e6);
        double s = N * drawn(1e-3, 1e3);
        char text[256];
        snprintf(text, sizeof text,
                 "algorithm: law\nsize: {N: {min: 1}}\nwork: %.17g + N\nsequential: %.17g/(%.17g + "
                 "N)\n",
                 s, s, s);
        fixture f = fixture_create(text, unit_machine, "1,2,7,64,1000,1000000");
        isocast_line lines[] = {ISOCAST_LINE_TIME, ISOCAST_LINE_SIZE_PER_PROCESS};
        for (size_t k = 0; k < 2; k++) {
            isocast_scaling *scaling = scale(&f, lines[k], N, NAN);
            for (size_t r = 0; r < scaling->row_count; r++) {
                const isocast_scaling_row *row = &scaling->rows[r];
                double share = s / (s + N);
                assert_int_equal(row->status, ISOCAST_ROW_OK);
                assert_close(row->N, row->p * N, 1e-8);
                assert_close(row->scaled_speedup, share + row->p * (1 - share), 1e-8);
                assert_close(isocast_scaling_point(row)->T, s + N, 1e-10);
            }
            isocast_scaling_free(scaling);
        }
        fixture_free(&f);
    }
}

/* T of p processes at N in random models, s. */
typedef struct random_model {
    double work, exponent;      /* flop: work N^exponent */
    double start, passed, grow; /* s: start lg p + passed N^grow p^0.5/10 */
    char text[512];
} random_model;

static random_model draw_model(const char *more) {
    random_model m = {.work = drawn(0.5, 50),
                      .exponent = drawn(1, 3),
                      .start = drawn(1e-3, 1e3),
                      .passed = drawn(1e-3, 1),
                      .grow = drawn(0.2, 1)};
    snprintf(m.text, sizeof m.text,
             "algorithm: random\nsize: {N: {min: 1}}\nwork: %.17g*N^%.17g\n"
             "overhead: {start: %.17g s*log2(p), pass: %.17g s*N^%.17g*sqrt(p)/10}\n%s",
             m.work, m.exponent, m.start, m.passed, m.grow, more);
    return m;
}

static double T_of(const random_model *m, double N, double p) {
    return m->work * pow(N, m->exponent) / p + m->start * log2(p) +
           m->passed * pow(N, m->grow) * sqrt(p) / 10;
}

/* What is held is the same on all systems, and more of N would be over it. */
static void lines_hold(void **state) {
    (void)state;
    for (int i = 0; i < MODELS; i++) {
        random_model m = draw_model("memory: 8 B*N^2/p\n");
        fixture f = fixture_create(m.text, unit_machine, "2,3,16,100,4096");
        double N = drawn(2, 300);
        for (isocast_line line = ISOCAST_LINE_SIZE; line <= ISOCAST_LINE_TIME; line++) {
            isocast_scaling *scaling = scale(&f, line, N, NAN);
            for (size_t r = 0; r < scaling->row_count; r++) {
                const isocast_scaling_row *row = &scaling->rows[r];
                const isocast_prediction_row *point = isocast_scaling_point(row);
                double T = T_of(&m, N, 2);
                if (line == ISOCAST_LINE_TIME && T_of(&m, 1, row->p) > T) {
                    assert_int_equal(row->status, ISOCAST_ROW_UNREACHABLE);
                    assert_null(point);
                    continue;
                }
                assert_true(row->complete);
                assert_close(point->T, T_of(&m, row->N, row->p), 1e-12);
                switch (line) {
                case ISOCAST_LINE_SIZE:
                    assert_close(row->N, N, 1e-15);
                    break;
                case ISOCAST_LINE_SIZE_PER_PROCESS:
                    assert_close(row->N / row->p, N / 2, 1e-15);
                    break;
                case ISOCAST_LINE_WORK_PER_PROCESS:
                    assert_close(point->W / row->p, m.work * pow(N, m.exponent) / 2, 1e-12);
                    break;
                case ISOCAST_LINE_MEMORY_PER_PROCESS:
                    assert_close(row->N, N * sqrt(row->p / 2), 1e-12);
                    break;
                case ISOCAST_LINE_MEMORY:
                    assert_close(row->N, sqrt(1e6 / 8 * row->p), 1e-12);
                    assert_true(point->memory <= 1e6);
                    break;
                default:
                    assert_close(point->T, T, 1e-10);
                    assert_true(T_of(&m, row->N * (1 + 1e-6), row->p) > T);
                    break;
                }
            }
            isocast_scaling_free(scaling);
        }
        fixture_free(&f);
    }
}

/* Adding n numbers, T = n/p - 1 + 11 lg p [GGKK 5.7]: n = 513, 1964, 7504 take 512 s. */
static void scaled_to_a_time(void **state) {
    (void)state;
    fixture f = fixture_create("algorithm: adding\nsize: {n: {min: 1}}\nwork: n\n"
                               "compute: 1 s*(n/p - 1)\noverhead: {all: 11 s*log2(p)}\n",
                               unit_machine, "1,4,16");
    static const double due[] = {513, 1964, 7504};
    isocast_scaling *scaling = scale(&f, ISOCAST_LINE_TIME, NAN, 512);
    for (size_t r = 0; r < 3; r++) {
        assert_close(scaling->rows[r].N, due[r], 0);
        assert_true(scaling->rows[r].complete);
    }
    isocast_scaling_free(scaling);
    fixture_free(&f);
}

static isocast_choice *choose(const fixture *f, isocast_choice_goal goal, double N,
                              double efficiency, double most) {
    isocast_choice_request request = {.goal = goal, .N = N, .efficiency = efficiency, .most = most};
    isocast_choice *choice = NULL;
    assert_int_equal(isocast_choose(f->model, &request, &choice), ISOCAST_OK);
    return choice;
}

/* Adding 1024 numbers, T = n/p + 2 lg p: the real optimum is p = n ln 2/2 = 354.9. */
static void adding_numbers(void **state) {
    (void)state;
    fixture f = fixture_create("algorithm: adding\nsize: {n: {min: 1}}\nwork: n\n"
                               "overhead: {all: 2 s*log2(p)}\n",
                               unit_machine, "1");
    isocast_choice *choice = choose(&f, ISOCAST_CHOICE_LEAST_TIME, 1024, NAN, 4096);
    assert_true(choice->complete);
    assert_int_equal(choice->ruler, ISOCAST_CHOICE_BY_TIME);
    assert_true(choice->scaling->rows[0].p == 355);
    assert_true(choice->points[0].p == 1 && choice->points[choice->point_count - 1].p == 4096);
    for (size_t i = 0; i < choice->point_count; i++) {
        const isocast_choice_point *point = &choice->points[i];
        assert_true(i == 0 || point->p > choice->points[i - 1].p);
        assert_close(point->T, 1024 / point->p + 2 * log2(point->p), 1e-12);
    }
    assert_close(isocast_scaling_point(&choice->scaling->rows[0])->T, 1024.0 / 355 + 2 * log2(355),
                 1e-12);
    isocast_choice_free(choice);
    choice = choose(&f, ISOCAST_CHOICE_LEAST_TIME, 1e8, NAN, 1e9);
    /* Rounding leaves T the same for some thousand p there. */
    assert_false(choice->complete);
    assert_close(choice->scaling->rows[0].p, 1e8 * log(2) / 2, 1e-3);
    assert_close(isocast_scaling_point(&choice->scaling->rows[0])->T,
                 2 / log(2) + 2 * log2(1e8 * log(2) / 2), 1e-13);
    assert_int_equal(choice->ruler, ISOCAST_CHOICE_BY_TIME);
    isocast_choice_free(choice);
    choice = choose(&f, ISOCAST_CHOICE_MOST, 1024, 1.5, 4096);
    assert_false(choice->found);
    assert_int_equal(choice->ruler, ISOCAST_CHOICE_BY_EFFICIENCY);
    assert_int_equal(choice->scaling->rows[0].status, ISOCAST_ROW_UNREACHABLE);
    isocast_choice_free(choice);
    fixture_free(&f);
}

/* The choice is that of looking at every number of processes here. */
static void choices_of_random_models(void **state) {
    (void)state;
    enum { MOST = 700 };
    for (int i = 0; i < MODELS; i++) {
        double k = drawn(0.05, 20);
        double bytes = drawn(1e3, 1e8);
        char more[128];
        snprintf(more, sizeof more, "concurrency: %.17g*N\nmemory: %.17g B*N/p\n", k, bytes);
        random_model m = draw_model(more);
        double N = drawn(2, 1000);
        double E_min = drawn(0.05, 1);
        fixture f = fixture_create(m.text, unit_machine, "1");
        double least_p = 0;
        double optimal_p = 0;
        double most_p = 0;
        for (double p = 1; p <= MOST; p++) {
            bool may = k * N >= p && bytes * N / p <= 1e6;
            double E = m.work * pow(N, m.exponent) / (p * T_of(&m, N, p));
            if (may && (least_p == 0 || T_of(&m, N, p) < T_of(&m, N, least_p))) {
                least_p = p;
            }
            if (may && E >= E_min && (optimal_p == 0 || T_of(&m, N, p) < T_of(&m, N, optimal_p))) {
                optimal_p = p;
            }
            most_p = may && E >= E_min ? p : most_p;
        }
        const double due[] = {least_p, optimal_p, most_p};
        for (size_t q = 0; q < 3; q++) {
            isocast_choice *choice =
                choose(&f, q == 2 ? ISOCAST_CHOICE_MOST : ISOCAST_CHOICE_LEAST_TIME, N,
                       q == 0 ? NAN : E_min, MOST);
            assert_true(choice->complete);
            assert_true(choice->found == (due[q] > 0));
            if (due[q] > 0) {
                assert_true(choice->scaling->rows[0].p == due[q]);
                bool short_next = k * N < due[q] + 1;
                assert_true(due[q] == MOST || !short_next ||
                            choice->ruler == ISOCAST_CHOICE_BY_CONCURRENCY);
            }
            isocast_choice_free(choice);
        }
        fixture_free(&f);
    }
}

/* The first N at which p processes can work: it is enough, and no smaller one is. */
static void least_N_for_all_processes(void **state) {
    (void)state;
    static const char *const formulas[] = {"N^%g/3",
                                           "floor(N/%g)",
                                           "ceil(N/%g)*3",
                                           "4*floor(sqrt(N*%g))",
                                           "2^floor(log2(N)*%g)",
                                           "N - 7*floor(N/7) + floor(N/%g)",
                                           "max(1, N - 1000*%g)",
                                           "if(N < 400*%g, 1, N)",
                                           "(N - 20)*(N - 40)*(N - 900)*%g/100",
                                           "sum(i, 1, N, i)*%g"};
    static const double p[] = {1, 2, 24, 37, 1000};
    for (size_t i = 0; i < sizeof formulas / sizeof formulas[0]; i++) {
        for (int k = 0; k < 6; k++) {
            char formula[128];
            char text[256];
            snprintf(formula, sizeof formula, formulas[i], drawn(0.7, 3));
            snprintf(text, sizeof text,
                     "algorithm: bounded\nsize: {N: {min: 1}}\nwork: N\nconcurrency: %s\n",
                     formula);
            fixture f = fixture_create(text, unit_machine, "1,2,24,37,1000");
            for (size_t s = 0; s < f.system_count; s++) {
                isocast_effort effort = isocast_effort_of(1);
                isocast_boundary bound;
                assert_int_equal(
                    isocast_concurrency_least_N(f.model, f.systems[s], NULL, 3, &effort, &bound),
                    ISOCAST_OK);
                if (!bound.complete || isnan(bound.N)) {
                    print_error("%s on %g: N = %g, complete %d\n", formula, p[s], bound.N,
                                bound.complete);
                }
                assert_true(bound.complete && bound.N >= 3);
                enum { TRIES = 400 };
                double N[TRIES + 1];
                double concurrency[TRIES + 1];
                for (int t = 0; t < TRIES; t++) {
                    N[t] = fmin(drawn(3, bound.N * (1 - 1e-9)), bound.N);
                }
                N[TRIES] = bound.N;
                isocast_model_points points = {.count = TRIES + 1,
                                               .N = N,
                                               .systems =
                                                   (const isocast_system *const *)&f.systems[s]};
                isocast_model_results results = {.concurrency = concurrency};
                assert_int_equal(isocast_model_evaluate(f.model, &points, &results), ISOCAST_OK);
                assert_false(isocast_concurrency_is_short(concurrency[TRIES], p[s]));
                for (int t = 0; t < TRIES && bound.N > 3; t++) {
                    assert_true(concurrency[t] < p[s]);
                }
            }
            fixture_free(&f);
        }
    }
}

/* Formulas that reach a level nowhere: proved, or not claimed. */
static void no_N_is_enough(void **state) {
    (void)state;
    fixture f = fixture_create("algorithm: bounded\nsize: {N: {min: 1}}\nwork: N\n"
                               "concurrency: min(N, 30)\n",
                               unit_machine, "31");
    isocast_effort effort = isocast_effort_of(1);
    isocast_boundary bound;
    assert_int_equal(isocast_concurrency_least_N(f.model, f.systems[0], NULL, 1, &effort, &bound),
                     ISOCAST_OK);
    assert_true(isnan(bound.N) && bound.complete);
    effort.left = -1;
    assert_int_equal(isocast_concurrency_least_N(f.model, f.systems[0], NULL, 1, &effort, &bound),
                     ISOCAST_OK);
    assert_true(isnan(bound.N) && !bound.complete && bound.looked_to < 1e300);
    fixture_free(&f);
}

/* A concurrency that is a matter of N alone bounds what is looked at, others do not. */
static void concurrency_of_any_system(void **state) {
    (void)state;
    static const struct {
        const char *formula;
        bool alone;
    } formulas[] = {{"N/2 + 10", true},
                    {"sum(i, 1, N, i)/1000 - 5", true},
                    {"N/2 + 10 + (p - 1)*(nodes - 1)", false},
                    {"sum(i, 1, N, i*p)", false},
                    {"sum_class(p_i*N)", false},
                    {"N*C/C_j", false},
                    {"floor(N/64)*64", true}};
    for (size_t i = 0; i < sizeof formulas / sizeof formulas[0]; i++) {
        char text[256];
        snprintf(text, sizeof text,
                 "algorithm: bounded\nsize: {N: {min: 1}}\nwork: N^2\nconcurrency: %s\n",
                 formulas[i].formula);
        fixture f = fixture_create(text, unit_machine, "1");
        isocast_effort effort = isocast_effort_of(1);
        double most;
        assert_int_equal(
            isocast_concurrency_of_any_system(f.model, f.systems[0], NULL, 1000, &effort, &most),
            ISOCAST_OK);
        assert_true(isinf(most) == !formulas[i].alone);
        if (formulas[i].alone) {
            /* More processes are faster here, as far as they can work. */
            isocast_choice *choice = choose(&f, ISOCAST_CHOICE_LEAST_TIME, 1000, NAN, 1e12);
            assert_true(choice->complete);
            assert_true(choice->scaling->rows[0].p == most);
            assert_int_equal(choice->ruler, ISOCAST_CHOICE_BY_CONCURRENCY);
            isocast_choice_free(choice);
        }
        fixture_free(&f);
    }
}

/* At a given N those processes work that can: as if the others were not there, but E counts them.
 */
static void idle_processes(void **state) {
    (void)state;
    fixture f = fixture_create("algorithm: few\nsize: {N: {min: 1}}\nwork: N^3\n"
                               "overhead: {all: 1 s*p*nodes*p_node}\nmemory: 8 B*N^2/p\n"
                               "concurrency: N/10\n",
                               "machine: pairs\nnodes: {node: {count: 64, processors: 2, "
                               "marked_speed: 1 flop/s, memory: 1 MB}}\n",
                               "2x32,100,1x5,9");
    isocast_prediction_request request = {.N = 99,
                                          .efficiency = NAN,
                                          .systems = (const isocast_system *const *)f.systems,
                                          .system_count = 4};
    isocast_prediction *prediction;
    assert_int_equal(isocast_predict(f.model, &request, &prediction), ISOCAST_OK);
    static const double nodes[] = {5, 5, 5, 5};
    static const double p_node[] = {2, 2, 1, 2};
    static const double working[] = {9, 9, 5, 9};
    for (size_t r = 0; r < 4; r++) {
        const isocast_prediction_row *row = &prediction->rows[r];
        double T = 99.0 * 99 * 99 / working[r] + working[r] * nodes[r] * p_node[r];
        assert_int_equal(row->status, ISOCAST_ROW_OK);
        assert_true(row->p_working == working[r]);
        assert_close(row->T, T, 1e-12);
        assert_close(row->E, 99.0 * 99 * 99 / T / row->p, 1e-12);
        assert_close(row->memory, 8.0 * 99 * 99 / working[r], 1e-12);
    }
    isocast_prediction_free(prediction);
    fixture_free(&f);
    /* A concurrency that falls or rises with p: so many can work, and one more could not. */
    static const struct {
        const char *formula;
        double working;
    } formulas[] = {{"300/p", 17}, {"N - p", 49}, {"p - 1", 0}, {"p/2 + 10", 20}, {"1e3/p^2", 10}};
    for (size_t i = 0; i < sizeof formulas / sizeof formulas[0]; i++) {
        char text[128];
        snprintf(text, sizeof text,
                 "algorithm: few\nsize: {N: {min: 1}}\nwork: N\nconcurrency: %s\n",
                 formulas[i].formula);
        f = fixture_create(text, unit_machine, "100000");
        isocast_effort effort = isocast_effort_of(1);
        isocast_one_class part;
        double can_work;
        assert_int_equal(isocast_concurrency_working_part(f.model, f.systems[0], NULL, 99, &effort,
                                                          &part, &can_work),
                         ISOCAST_OK);
        assert_true(can_work == formulas[i].working);
        fixture_free(&f);
    }
}

/* A base of which some processes are idle gives its time to the line all the same. */
static void idle_base(void **state) {
    (void)state;
    fixture f = fixture_create("algorithm: few\nsize: {N: {min: 1}}\nwork: N^3\n"
                               "overhead: {all: 1 s*p}\nconcurrency: N\n",
                               unit_machine, "50,2,20");
    isocast_scaling *scaling = scale(&f, ISOCAST_LINE_TIME, 20, NAN);
    assert_close(scaling->level, 420, 1e-12);
    assert_int_equal(scaling->rows[0].status, ISOCAST_ROW_BEYOND_CONCURRENCY);
    assert_null(isocast_scaling_point(&scaling->rows[0]));
    assert_close(scaling->rows[1].N, cbrt(418 * 2), 1e-12);
    assert_close(scaling->rows[2].N, 20, 1e-12);
    assert_close(scaling->rows[2].scaled_speedup, 1, 1e-12);
    isocast_scaling_free(scaling);
    fixture_free(&f);
}

/* None can work where the concurrency is below 1. */
static void nobody_works(void **state) {
    (void)state;
    fixture f = fixture_create("algorithm: few\nsize: {N: {min: 1}}\nwork: N^3\n"
                               "concurrency: N/10\n",
                               unit_machine, "4");
    isocast_prediction_request request = {
        .efficiency = NAN, .systems = (const isocast_system *const *)f.systems, .system_count = 1};
    isocast_prediction *prediction;
    request.N = 9;
    assert_int_equal(isocast_predict(f.model, &request, &prediction), ISOCAST_OK);
    assert_int_equal(prediction->rows[0].status, ISOCAST_ROW_BEYOND_CONCURRENCY);
    assert_true(isnan(prediction->rows[0].T));
    isocast_prediction_free(prediction);
    fixture_free(&f);
}

int main(void) {
    srand(17);
    const struct CMUnitTest tests[] = {cmocka_unit_test(amdahl),
                                       cmocka_unit_test(gustafson),
                                       cmocka_unit_test(lines_hold),
                                       cmocka_unit_test(scaled_to_a_time),
                                       cmocka_unit_test(adding_numbers),
                                       cmocka_unit_test(choices_of_random_models),
                                       cmocka_unit_test(least_N_for_all_processes),
                                       cmocka_unit_test(no_N_is_enough),
                                       cmocka_unit_test(concurrency_of_any_system),
                                       cmocka_unit_test(idle_processes),
                                       cmocka_unit_test(idle_base),
                                       cmocka_unit_test(nobody_works)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
