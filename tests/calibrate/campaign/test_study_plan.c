/* The plan of a study, with a program that is a formula and a clock that is a sum. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "calibrate/campaign/study_plan.h"

enum { STEPS_MOST = 400 };

/* A program: what a run on one process takes, and which runs it bears. */
typedef struct program {
    double (*T)(double N); /* s */
    bool (*bears)(double N, long p);
    bool weak;     /* each process has N by itself */
    bool pretends; /* it ends well where it does not bear a run, and does nothing */
    bool hangs;    /* a run that it does not bear has no end */
    long asks;     /* a p that the formulas ask for; 0: none */
    bool late;     /* measuring takes longer than it may */
} program;

/* What a study came to. */
typedef struct trace {
    campaign_study_plan plan;
    campaign_study_step steps[STEPS_MOST];
    size_t count;
    size_t of[CAMPAIGN_STUDY_REFUSE + 1]; /* steps of each kind */
} trace;

static campaign_study_request request_of(double budget) {
    return (campaign_study_request){.budget = budget, .processors = 2, .memory = 8e9};
}

static campaign_study_result run(const program *p, const campaign_study_step *step) {
    campaign_study_result r = {0};
    double all = p->T(step->N) * (p->weak ? (double)step->p : 1);
    if (p->bears != NULL && !p->bears(step->N, step->p)) {
        r.failed = !p->pretends;
        r.seconds = p->hangs ? step->limit : 0.1;
        r.busy = 1e-4;
        return r;
    }
    r.T = all / (step->p > 2 ? 2 : (double)step->p);
    r.seconds = r.T + 0.2;
    r.failed = r.seconds > step->limit;
    r.seconds = fmin(r.seconds, step->limit);
    r.busy = all;
    r.memory = 8 * step->N * step->N / (p->weak ? 1 : (double)step->p);
    return r;
}

static campaign_study_result measure(const program *p, const campaign_study_step *step) {
    double round = 0;
    for (size_t i = 0; i < step->count_count; i++) {
        for (size_t k = 0; k <= step->size_count; k++) {
            double N = k < step->size_count ? step->sizes[k] : step->N;
            round += p->T(N) / (p->weak ? 1 : (double)step->counts[i]) + 0.2;
        }
    }
    /* Until enough runs are calm: two minutes more at most. */
    double rounds = step->repetitions > 0 ? (double)step->repetitions : 5;
    double seconds = round * rounds + (step->repetitions > 0 ? 0 : 120);
    return (campaign_study_result){.seconds = p->late ? step->limit : seconds, .failed = p->late};
}

static void follow(const program *p, const campaign_study_request *request, trace *t) {
    memset(t, 0, sizeof *t);
    campaign_study_begin(request, &t->plan);
    for (;;) {
        const campaign_study_step *step = &t->plan.step;
        assert_true(t->count < STEPS_MOST);
        t->steps[t->count++] = *step;
        t->of[step->kind]++;
        if (step->kind >= CAMPAIGN_STUDY_END) {
            return;
        }
        campaign_study_result r = {.seconds = 1};
        if (step->kind <= CAMPAIGN_STUDY_HOLD) {
            r = run(p, step);
        } else if (step->kind == CAMPAIGN_STUDY_DERIVE) {
            r.asked[0] = p->asks;
        } else if (step->kind == CAMPAIGN_STUDY_CALIBRATE) {
            r.seconds = step->limit;
        } else if (step->kind == CAMPAIGN_STUDY_MEASURE) {
            r = measure(p, step);
        }
        campaign_study_take(&t->plan, &r);
    }
}

/* Runs that were recorded for the formulas on p processes. */
static size_t records_on(const trace *t, long p) {
    size_t count = 0;
    for (size_t i = 0; i < t->count; i++) {
        count += t->steps[i].kind == CAMPAIGN_STUDY_RECORD && t->steps[i].p == p;
    }
    return count;
}

static const campaign_study_step *first_of(const trace *t, campaign_study_kind kind) {
    for (size_t i = 0; i < t->count; i++) {
        if (t->steps[i].kind == kind) {
            return &t->steps[i];
        }
    }
    return NULL;
}

static double square(double N) {
    return 4e-9 * 100 * N * N;
}

static double cube(double N) {
    return 2e-9 * N * N * N;
}

static double power(double N) {
    return 1e-7 * exp2(N);
}

static double nothing(double N) {
    return 1e-5 + 0 * N;
}

static bool divided(double N, long p) {
    return fmod(N, (double)p) == 0;
}

static bool powers(double N, long p) {
    return exp2(round(log2(N))) == N && exp2(round(log2((double)p))) == (double)p;
}

static bool squares(double N, long p) {
    double side = round(sqrt((double)p));
    return side * side == (double)p && fmod(N, side) == 0;
}

static bool several(double N, long p) {
    return N > 0 && p > 1;
}

static bool never(double N, long p) {
    return N < 0 && p < 0;
}

static bool not_three(double N, long p) {
    return N > 0 && p != 3;
}

static void check_ended(const trace *t) {
    assert_int_equal(t->plan.step.kind, CAMPAIGN_STUDY_END);
    assert_int_equal(t->of[CAMPAIGN_STUDY_MEASURE], 1);
    assert_true(t->plan.timed);
    assert_true(t->plan.recorded_count >= 3);
    for (size_t i = 0; i < t->plan.measured_count; i++) {
        assert_true(t->plan.measured[i] != t->plan.held_N);
        assert_true(i == 0 || t->plan.measured[i] > t->plan.measured[i - 1]);
    }
    for (size_t i = 0; i < t->plan.recorded_count; i++) {
        assert_true(t->plan.recorded[i] != t->plan.checked_N);
    }
}

static void test_usual(void **state) {
    (void)state;
    static const program p = {.T = square};
    const campaign_study_request request = request_of(600);
    static trace t;
    follow(&p, &request, &t);
    check_ended(&t);
    assert_int_equal(t.plan.recorded_count, 4);
    for (size_t i = 0; i < 4; i++) {
        double N = t.plan.recorded[i];
        assert_true(fmod(N, 2) != 0 && fmod(N, 3) != 0);
        assert_true(square(N) > 0.05 && square(N) < 2.5);
    }
    assert_true(square(t.plan.recorded[3]) > 0.5);
    /* Four sizes three times where each process has a processor, once elsewhere. */
    assert_int_equal(records_on(&t, 1), 12);
    assert_int_equal(records_on(&t, 2), 12);
    static const long shared[] = {3, 4, 6, 8, 9, 12};
    for (size_t i = 0; i < 6; i++) {
        assert_int_equal(records_on(&t, shared[i]), 4);
    }
    assert_int_equal(t.plan.held_p, 16);
    assert_int_equal(records_on(&t, 16), 0);
    assert_int_equal(first_of(&t, CAMPAIGN_STUDY_MEASURE)->count_count, 2);
    assert_int_equal(first_of(&t, CAMPAIGN_STUDY_MEASURE)->repetitions, 0);
    assert_int_equal(campaign_study_is_weak(&t.plan), 0);
}

static void test_budget(void **state) {
    (void)state;
    static const double budgets[] = {30, 60, 120, 300, 600, 3600};
    static const program programs[] = {
        {.T = square}, {.T = cube}, {.T = square, .weak = true}, {.T = power}};
    for (size_t i = 0; i < sizeof budgets / sizeof budgets[0]; i++) {
        for (size_t k = 0; k < sizeof programs / sizeof programs[0]; k++) {
            const campaign_study_request request = request_of(budgets[i]);
            static trace t;
            follow(&programs[k], &request, &t);
            check_ended(&t);
            assert_true(t.plan.spent < 1.05 * budgets[i]);
        }
    }
}

static void test_sizes_that_programs_want(void **state) {
    (void)state;
    static const program programs[] = {{.T = square, .bears = divided},
                                       {.T = square, .bears = powers},
                                       {.T = cube, .bears = powers},
                                       {.T = square, .bears = squares},
                                       {.T = square, .bears = divided, .pretends = true},
                                       {.T = square, .bears = several},
                                       {.T = square, .bears = several, .hangs = true}};
    static const campaign_study_sizes kinds[] = {CAMPAIGN_STUDY_DIVIDED,  CAMPAIGN_STUDY_POWERS,
                                                 CAMPAIGN_STUDY_POWERS,   CAMPAIGN_STUDY_DIVIDED,
                                                 CAMPAIGN_STUDY_DIVIDED,  CAMPAIGN_STUDY_UNDIVIDED,
                                                 CAMPAIGN_STUDY_UNDIVIDED};
    for (size_t i = 0; i < sizeof programs / sizeof programs[0]; i++) {
        const campaign_study_request request = request_of(600);
        static trace t;
        follow(&programs[i], &request, &t);
        check_ended(&t);
        assert_int_equal(t.plan.kind, kinds[i]);
        assert_true(t.plan.held_p >= 16);
        size_t works = 0;
        for (size_t k = 0; k < t.plan.count_count; k++) {
            works += t.plan.counts[k].state == STUDY_WORKS;
        }
        assert_true(works >= 4);
    }
}

/* A p that the program ends well on, without doing what it should. */
static void test_did_nothing(void **state) {
    (void)state;
    static const program p = {.T = square, .bears = not_three, .pretends = true};
    const campaign_study_request request = request_of(600);
    static trace t;
    follow(&p, &request, &t);
    check_ended(&t);
    assert_int_equal(records_on(&t, 3), 1);
    assert_int_equal(records_on(&t, 4), 4);
}

static void test_small_sizes(void **state) {
    (void)state;
    static const program p = {.T = power};
    const campaign_study_request request = request_of(600);
    static trace t;
    follow(&p, &request, &t);
    check_ended(&t);
    assert_true(t.plan.recorded[0] < t.plan.recorded[1]);
    assert_true(power(t.plan.recorded[t.plan.recorded_count - 1]) < 4.5);
}

static void test_weak(void **state) {
    (void)state;
    static const program p = {.T = square, .weak = true};
    const campaign_study_request request = request_of(600);
    static trace t;
    follow(&p, &request, &t);
    check_ended(&t);
    assert_int_equal(campaign_study_is_weak(&t.plan), 1);
}

static void test_refusals(void **state) {
    (void)state;
    static const program programs[] = {{.T = nothing},
                                       {.T = square, .bears = never},
                                       {.T = square, .bears = never, .hangs = true}};
    static const char *const whys[] = {"too short", "no run of the program", "no run of the"};
    for (size_t i = 0; i < sizeof programs / sizeof programs[0]; i++) {
        const campaign_study_request request = request_of(600);
        static trace t;
        follow(&programs[i], &request, &t);
        assert_int_equal(t.plan.step.kind, CAMPAIGN_STUDY_REFUSE);
        assert_non_null(strstr(t.plan.step.why, whys[i]));
        assert_int_equal(t.of[CAMPAIGN_STUDY_RECORD], 0);
        assert_true(t.plan.spent < 300);
    }
}

static void test_asked(void **state) {
    (void)state;
    static const program p = {.T = square, .asks = 24};
    const campaign_study_request request = request_of(600);
    static trace t;
    follow(&p, &request, &t);
    check_ended(&t);
    assert_int_equal(t.of[CAMPAIGN_STUDY_DERIVE], 2);
    assert_int_equal(records_on(&t, 24), 3);
    static const program wild = {.T = square, .asks = 100000};
    follow(&wild, &request, &t);
    check_ended(&t);
    assert_int_equal(t.of[CAMPAIGN_STUDY_DERIVE], 1);
}

static void test_given(void **state) {
    (void)state;
    static const double sizes[] = {100, 200, 300, 400, 500, 600};
    static const program p = {.T = square};
    campaign_study_request request = request_of(600);
    request.sizes = sizes;
    request.size_count = 6;
    static trace t;
    follow(&p, &request, &t);
    assert_int_equal(t.of[CAMPAIGN_STUDY_TRY], 2);
    check_ended(&t);
    assert_true(t.plan.held_N == 400);
    assert_int_equal(t.plan.recorded_count, 4);
    assert_true(t.plan.recorded[0] == 100 && t.plan.recorded[3] == 600);
    request.size_count = 4;
    follow(&p, &request, &t);
    assert_int_equal(t.plan.step.kind, CAMPAIGN_STUDY_END);
    assert_true(t.plan.held_N == 300);
    assert_int_equal(t.plan.recorded_count, 3);
}

/* What was measured until the limit is taken all the same. */
static void test_late(void **state) {
    (void)state;
    static const program p = {.T = square, .late = true};
    const campaign_study_request request = request_of(600);
    static trace t;
    follow(&p, &request, &t);
    check_ended(&t);
    assert_int_equal(first_of(&t, CAMPAIGN_STUDY_TIME)->repetitions, 1);
}

/* Where no number of processes has a processor each, nothing is measured. */
static void test_one_processor(void **state) {
    (void)state;
    static const program p = {.T = square, .bears = several};
    campaign_study_request request = request_of(600);
    request.processors = 1;
    static trace t;
    follow(&p, &request, &t);
    assert_int_equal(t.plan.step.kind, CAMPAIGN_STUDY_END);
    assert_int_equal(t.of[CAMPAIGN_STUDY_MEASURE], 0);
    assert_int_equal(t.plan.system_count, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_usual),
                                       cmocka_unit_test(test_budget),
                                       cmocka_unit_test(test_sizes_that_programs_want),
                                       cmocka_unit_test(test_did_nothing),
                                       cmocka_unit_test(test_small_sizes),
                                       cmocka_unit_test(test_weak),
                                       cmocka_unit_test(test_refusals),
                                       cmocka_unit_test(test_asked),
                                       cmocka_unit_test(test_given),
                                       cmocka_unit_test(test_late),
                                       cmocka_unit_test(test_one_processor)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
