/* Laws of computing and of memory from records that are made up here, whose times have noise as
 * those of a machine have that does other things, too. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "model/derive/derive.h"
#include "model/derive/derived_text.h"
#include "model/derive/sites.h"

enum { TRIALS = 60, SIZES = 3, PROCESSES = 3, RECORDS = SIZES * PROCESSES };

static const double ns[SIZES] = {240, 400, 600};
static const double ps[PROCESSES] = {1, 2, 4};

static uint64_t state = 4711;

/* Evenly from -1 to 1. */
static double draw(void) {
    state = state * 6364136223846793005U + 1442695040888963407U;
    return (double)(state >> 33) / 1073741824.0 - 1;
}

enum { TIMES = 100 };

/* shortest: of TIMES times that each process computes, all of them together. memory: B of each
 * process; 0: the record does not say. */
static isocast_record *run(double N, double p, double seconds, double shortest, double memory) {
    isocast_buffer t = {0};
    isocast_buffer_printf(&t, "record,1\nprogram,./made\nhash,sha256:1\nargument,%.0f\n", N);
    isocast_buffer_printf(&t, "processes,%.0f\nend,complete\n", p);
    isocast_buffer_printf(&t, "site,0,f,made.c,10,made,100\n");
    isocast_buffer_printf(&t, "communicator,0,MPI_COMM_WORLD,,,,0-%.0f,,\n", p - 1);
    for (int r = 0; r < (int)p; r++) {
        isocast_buffer_printf(&t, "process,%d,h,1,1,0.1,0,0,0,complete\n", r);
        if (memory > 0) {
            isocast_buffer_printf(&t, "memory,%d,%.0f\n", r, memory);
        }
    }
    for (int r = 0; r < (int)p; r++) {
        isocast_buffer_printf(&t, "call,%d,0,0,MPI_Barrier,,,,,3,0.001\n", r);
        isocast_buffer_printf(&t, "compute,%d,0,0,%d,%.12g,1,%.12g,1\n", r, TIMES, seconds / p,
                              shortest / p / TIMES);
    }
    isocast_source *source = NULL;
    assert_false(t.failed);
    assert_int_equal(isocast_source_create("made.csv", t.text, t.length, &source), ISOCAST_OK);
    isocast_buffer_free(&t);
    isocast_diagnostics diagnostics = {0};
    isocast_record *record = NULL;
    assert_int_equal(isocast_record_read(source, &diagnostics, &record), ISOCAST_OK);
    isocast_diagnostics_clear(&diagnostics);
    return record;
}

static void write_text(const isocast_derived *derived, isocast_buffer *text) {
    assert_int_equal(isocast_derived_write(derived, "made", 1e9, text), ISOCAST_OK);
}

static isocast_derived *derive(isocast_record **records) {
    static const isocast_size_words none = {0};
    isocast_diagnostics diagnostics = {0};
    isocast_derived *derived = NULL;
    assert_int_equal(isocast_derive(records, RECORDS, NULL, 0, &none, &diagnostics, &derived),
                     ISOCAST_OK);
    isocast_diagnostics_clear(&diagnostics);
    return derived;
}

static void free_all(isocast_record **records, isocast_derived *derived) {
    isocast_derived_free(derived);
    for (size_t i = 0; i < RECORDS; i++) {
        isocast_record_free(records[i]);
    }
}

/* Noise of 15 % makes no law of its own: neither another one of the sizes, nor one that has p. */
static void noise_makes_no_law(void **unused) {
    (void)unused;
    static const char *const factors[] = {"$", "$^2", "$^3"};
    size_t found = 0;
    size_t with_p = 0;
    for (int trial = 0; trial < TRIALS; trial++) {
        int power = trial % 3;
        isocast_record *records[RECORDS];
        for (size_t i = 0; i < RECORDS; i++) {
            double N = ns[i % SIZES];
            double work = 1e-2 * pow(N / ns[0], power + 1);
            records[i] = run(N, ps[i / SIZES], work * (1 + 0.15 * draw()), 0, 0);
        }
        isocast_derived *derived = derive(records);
        const isocast_law *law = &derived->work;
        const char *factor = isocast_law_size_factors[law->terms[0].factors[0]].text;
        bool same = law->term_count == 1 && law->terms[0].factors[1] == 0 &&
                    strcmp(factor, factors[power]) == 0;
        found += same;
        with_p += isocast_derived_work_has_p(derived);
        assert_false(derived->memory.known);
        free_all(records, derived);
    }
    if (found < TRIALS * 9 / 10 || with_p > TRIALS / 10) {
        fail_msg("%zu of %d laws are found, %zu have p", found, TRIALS, with_p);
    }
}

/* Where other programs make half of the runs up to 2.2 times as long, the shortest times still
 * report the law, and the usual run its length. */
static void shortest_times_report_the_law(void **unused) {
    (void)unused;
    size_t found = 0;
    for (int trial = 0; trial < TRIALS; trial++) {
        isocast_record *records[RECORDS];
        for (size_t i = 0; i < RECORDS; i++) {
            double N = ns[i % SIZES];
            double work = 1e-8 * N * N;
            double busy = i % 2 == 0 ? 1 : 1.6 + 0.6 * draw();
            records[i] = run(N, ps[i / SIZES], 1.1 * work * busy, work * (1 + 0.02 * draw()), 0);
        }
        isocast_derived *derived = derive(records);
        const isocast_law *law = &derived->work;
        const isocast_law_point far = {.sizes = {2000}, .p = 1};
        found += law->term_count == 1 && !isocast_derived_work_has_p(derived) &&
                 fabs(isocast_law_value(law, &far) / (1.1e-8 * 2000 * 2000) - 1) < 0.1;
        free_all(records, derived);
    }
    if (found < TRIALS * 9 / 10) {
        fail_msg("%zu of %d laws are found", found, TRIALS);
    }
}

/* One shortest time that is half of what it can be, of computing that took as long as that of the
 * other runs, is the clock's error: it hides none of the others. */
static void a_time_too_short_makes_no_law(void **unused) {
    (void)unused;
    isocast_record *records[RECORDS];
    for (size_t i = 0; i < RECORDS; i++) {
        double N = ns[i % SIZES];
        double p = ps[i / SIZES];
        double work = 1e-6 * N;
        bool wrong = i % SIZES == SIZES - 1 && p == 2;
        records[i] = run(N, p, 1.1 * work, wrong ? work / 2 : work, 0);
    }
    isocast_derived *derived = derive(records);
    const isocast_law_point far = {.sizes = {6000}, .p = 1};
    assert_true(fabs(isocast_law_value(&derived->work, &far) / (1.1e-6 * 6000) - 1) < 0.01);
    free_all(records, derived);
}

/* Nine runs with three sizes up from `smallest`, on 1, 2 and 4 processes. Of each size all runs
 * have the work's `power` of N, with noise from -1 to 1 times `noise`. memory: B for each N. */
static isocast_derived *derive_power(double smallest, double apart, double power, double noise,
                                     double memory, isocast_record **records) {
    for (size_t i = 0; i < RECORDS; i++) {
        double N = floor(smallest * pow(apart, (double)(i % SIZES)));
        records[i] =
            run(N, ps[i / SIZES], 1e-6 * pow(N, power) * (1 + noise * draw()), 0, memory * N);
    }
    return derive(records);
}

/* Linear work of sizes that are too small to show how it grows: no exponent runs away, and what the
 * runs leave open is stated. */
static void exponents_do_not_run_away(void **unused) {
    (void)unused;
    const isocast_law_point far = {.sizes = {50 * 150}, .p = 4};
    size_t stated = 0;
    size_t off = 0;
    for (int trial = 0; trial < TRIALS; trial++) {
        isocast_record *records[RECORDS];
        isocast_derived *derived = derive_power(100, 1.22, 1, 0.4, 0, records);
        double ratio = isocast_law_value(&derived->work, &far) / (1e-6 * 50 * 150);
        off += ratio > 3 || ratio < 1.0 / 3;
        isocast_buffer text = {0};
        write_text(derived, &text);
        stated += strstr(text.text, "growth-of-work: (") != NULL;
        isocast_buffer_free(&text);
        free_all(records, derived);
    }
    if (off > TRIALS / 20 || stated < TRIALS * 9 / 10) {
        fail_msg("%zu of %d are off by more than a factor of 3, %zu state it", off, TRIALS, stated);
    }
}

/* Sizes that are far enough apart for the noise leave no exponent open. */
static void exponents_that_are_reported_are_not_uncertain(void **unused) {
    (void)unused;
    size_t off = 0;
    size_t open = 0;
    for (int trial = 0; trial < TRIALS; trial++) {
        isocast_record *records[RECORDS];
        double power = 1 + trial % 3;
        isocast_derived *derived = derive_power(100, 4, power, 0.05, 0, records);
        const isocast_law_point far = {.sizes = {16000}, .p = 4};
        double ratio = isocast_law_value(&derived->work, &far) / (1e-6 * pow(16000, power));
        off += !(ratio > 0.8 && ratio < 1.25);
        open += derived->work_most.known;
        free_all(records, derived);
    }
    if (off > TRIALS / 10 || open > 0) {
        fail_msg("%zu of %d are off at 10 times the largest N, %zu are uncertain", off, TRIALS,
                 open);
    }
}

/* A process whose memory is in proportion to N does no work of N^3 by the noise alone. */
static void memory_bounds_exponents(void **unused) {
    (void)unused;
    const isocast_law_point far = {.sizes = {1000}, .p = 1};
    const isocast_law_point twice = {.sizes = {2000}, .p = 1};
    size_t above = 0;
    for (int trial = 0; trial < TRIALS; trial++) {
        isocast_record *records[RECORDS];
        isocast_derived *derived = derive_power(100, 1.22, 2, 0.4, 1e4, records);
        assert_true(derived->memory.known);
        above += isocast_law_value(&derived->work, &twice) >
                 4.1 * isocast_law_value(&derived->work, &far);
        assert_false(derived->work_most.known &&
                     isocast_law_value(&derived->work_most, &twice) >
                         4.1 * isocast_law_value(&derived->work_most, &far));
        free_all(records, derived);
    }
    assert_int_equal(above, 0);
}

/* A flop takes longer where a process has more memory than the cache: that is no other law. */
static void caches_make_no_law(void **unused) {
    (void)unused;
    static const double noisy = 0.05;
    size_t found = 0;
    for (int trial = 0; trial < TRIALS; trial++) {
        isocast_record *records[RECORDS];
        double slower = 1.6 + 0.2 * draw();
        for (size_t i = 0; i < RECORDS; i++) {
            double N = ns[i % SIZES];
            double p = ps[i / SIZES];
            double memory = 16 * N * N / p;
            double time = 1e-8 * N * N * (memory > 2e6 ? slower : 1) * (1 + noisy * draw());
            records[i] = run(N, p, time, 0, memory);
        }
        isocast_derived *derived = derive(records);
        const isocast_law_point far = {.sizes = {1200}, .p = 1};
        const isocast_law_point twice = {.sizes = {2400}, .p = 1};
        double grows =
            isocast_law_value(&derived->work, &twice) / isocast_law_value(&derived->work, &far);
        found += grows < 4.2;
        free_all(records, derived);
    }
    if (found < TRIALS * 9 / 10) {
        fail_msg("%zu of %d laws are found", found, TRIALS);
    }
}

/* Work is what one process does, whatever p adds. */
static void what_p_adds_is_no_work(void **unused) {
    (void)unused;
    isocast_record *records[RECORDS];
    for (size_t i = 0; i < RECORDS; i++) {
        double N = ns[i % SIZES];
        double p = ps[i / SIZES];
        records[i] = run(N, p, 1e-8 * N * N * (1 + 0.001 * draw()) + 2e-6 * N * p, 0, 0);
    }
    isocast_derived *derived = derive(records);
    const isocast_law_point far = {.sizes = {1000}, .p = 1};
    assert_false(isocast_derived_work_has_p(derived));
    assert_true(fabs(isocast_law_value(&derived->work, &far) / 1.2e-2 - 1) < 0.15);
    free_all(records, derived);
}

/* Two arrays with a border, and a little beside. */
static void memory_is_reported(void **unused) {
    (void)unused;
    isocast_record *records[RECORDS];
    for (size_t i = 0; i < RECORDS; i++) {
        double N = ns[i % SIZES];
        double p = ps[i / SIZES];
        records[i] = run(N, p, 1e-8 * N * N, 0, 16 * (N + 2) * (N / p + 2) + 3000);
    }
    isocast_derived *derived = derive(records);
    const isocast_law_point far = {.sizes = {2000}, .p = 8};
    assert_true(derived->memory.known);
    assert_true(fabs(isocast_law_value(&derived->memory, &far) / (16 * 2002.0 * 252) - 1) < 0.1);
    isocast_buffer text = {0};
    write_text(derived, &text);
    assert_non_null(strstr(text.text, "\nmemory: "));
    isocast_buffer_free(&text);
    free_all(records, derived);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(noise_makes_no_law),
        cmocka_unit_test(shortest_times_report_the_law),
        cmocka_unit_test(a_time_too_short_makes_no_law),
        cmocka_unit_test(exponents_do_not_run_away),
        cmocka_unit_test(exponents_that_are_reported_are_not_uncertain),
        cmocka_unit_test(memory_bounds_exponents),
        cmocka_unit_test(caches_make_no_law),
        cmocka_unit_test(what_p_adds_is_no_work),
        cmocka_unit_test(memory_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
