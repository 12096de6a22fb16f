/* T_c of programs whose shares are not W/p, from records that are made up here; what derive holds
 * out, and what a file says of it. */
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
#include "model/derive/held_point.h"
#include "model/spec/algorithm_recorded.h"

enum { TIMES = 100 };
static const double a = 1e-8; /* s, of one step */

static uint64_t state = 20261124;

/* Evenly from 0 to 1. */
static double draw(void) {
    state = state * 6364136223846793005U + 1442695040888963407U;
    return (double)(state >> 33) / 2147483648.0;
}

/* What process r computes, s. */
typedef double (*share_of)(double N, double p, double r);

static double even(double N, double p, double r) {
    (void)r;
    return a * N * N / p;
}
static double serial(double N, double p, double r) {
    return a * N * N / p + (r == 0 ? 200 * a * N : 0);
}
static double weak(double N, double p, double r) {
    (void)p;
    (void)r;
    return 1000 * a * N;
}
static double square(double N, double p, double r) {
    (void)p;
    (void)r;
    return a * N * N;
}
static double repeated(double N, double p, double r) {
    (void)r;
    return a * N * N / p + 100 * a * N;
}
static double uneven(double N, double p, double r) {
    return a * N * N * 2 * (r + 1) / (p * (p + 1));
}

/* Process 0 deals the work out, and computes where it is alone. */
static double dealt(double N, double p, double r) {
    return p == 1 ? a * N * N : r == 0 ? 0 : a * N * N / (p - 1);
}

/* noise: of each process by itself, relative. */
static isocast_record *made_run(share_of share, int N, int p, double noise) {
    isocast_buffer t = begin_record(p, "f", "%d", N);
    for (int r = 0; r < p; r++) {
        double time = share(N, p, r) * (1 + noise * draw());
        isocast_buffer_printf(&t, "call,%d,0,0,MPI_Barrier,,,,,%d,0.001\n", r, TIMES);
        isocast_buffer_printf(&t, "compute,%d,0,0,%d,%.12g,0,%.12g,%.12g\n", r, TIMES, time,
                              time / TIMES, time / TIMES);
    }
    return record_of(&t);
}

static const int ps[] = {1, 2, 3, 4, 6};

static size_t made_runs(share_of share, size_t p_count, double noise, isocast_record **records) {
    static const int Ns[] = {300, 500, 700, 1100};
    size_t count = 0;
    for (size_t i = 0; i < p_count; i++) {
        for (size_t k = 0; k < COUNT(Ns); k++) {
            records[count++] = made_run(share, Ns[k], ps[i], noise);
        }
    }
    return count;
}

static double largest_share(share_of share, double N, double p) {
    double most = 0;
    for (double r = 0; r < p; r++) {
        most = fmax(most, share(N, p, r));
    }
    return most;
}

/* On 64 processes and at three times the largest size. */
static void computing_is_that_of_the_busiest(void **unused) {
    (void)unused;
    const struct {
        const char *name;
        share_of share;
        double error;
    } kinds[] = {{"even", even, 0.1},      {"serial", serial, 0.1},     {"weak", weak, 0.05},
                 {"square", square, 0.05}, {"repeated", repeated, 0.1}, {"uneven", uneven, 0.1},
                 {"dealt", dealt, 0.1}};
    const isocast_law_point far = {.sizes = {3300}, .p = 64};
    for (size_t i = 0; i < COUNT(kinds); i++) {
        isocast_record *records[RECORDS_MOST];
        size_t count = made_runs(kinds[i].share, COUNT(ps), 0.02, records);
        isocast_derived *derived = derive_all(records, count, NULL);
        double due = largest_share(kinds[i].share, far.sizes[0], far.p);
        double found;
        assert_int_equal(isocast_derive_computing_of_steps(derived, &far, &found), ISOCAST_OK);
        const isocast_held_point *held = &derived->held_computing;
        if (!(fabs(found / due - 1) < kinds[i].error) || !held->known || held->point.p != 6 ||
            held->point.sizes[0] != 1100 || !(fabs(held->predicted / held->seen - 1) < 0.1)) {
            fail_msg("%s: T_c is %g s for %g s; held out at p = %g: %g s for %g s", kinds[i].name,
                     found, due, held->point.p, held->predicted, held->seen);
        }
        text_is_an_algorithm(derived);
        isocast_derived_free(derived);
        free_all(records, count);
    }
}

/* Only that of each process by itself makes the work one of p; one part on process 0 does not. */
static void work_has_p_where_sizes_are_those_of_a_process(void **unused) {
    (void)unused;
    const struct {
        share_of share;
        const char *work;
        bool by_rank;
    } kinds[] = {{weak, "*N*p\n", false}, {square, "*N^2*p\n", false}, {uneven, "*N^2\n", true}};
    for (size_t i = 0; i < COUNT(kinds); i++) {
        isocast_record *records[RECORDS_MOST];
        size_t count = made_runs(kinds[i].share, COUNT(ps), 0.02, records);
        isocast_derived *derived = derive_all(records, count, NULL);
        isocast_buffer text = {0};
        write_laws(derived, 1e9, &text);
        const char *work = strstr(text.text, "\nwork: ");
        const char *end = work != NULL ? strchr(work + 1, '\n') : NULL;
        assert_non_null(end);
        size_t length = strlen(kinds[i].work);
        bool by_rank = strstr(text.text, "*2*(rank + 1)/(p + 1)") != NULL;
        if (strncmp(end + 1 - length, kinds[i].work, length) != 0 || by_rank != kinds[i].by_rank) {
            fail_msg("%s is due in\n%s", kinds[i].work, text.text);
        }
        isocast_buffer_free(&text);
        isocast_derived_free(derived);
        free_all(records, count);
    }
}

/* What makes now the one process and now another one busy is no part of the program. */
static void noise_makes_no_busiest_process(void **unused) {
    (void)unused;
    enum { TRIALS = 40 };
    size_t found = 0;
    for (int trial = 0; trial < TRIALS; trial++) {
        isocast_record *records[RECORDS_MOST];
        size_t count = made_runs(even, COUNT(ps), 0.3, records);
        isocast_derived *derived = derive_all(records, count, NULL);
        isocast_buffer text = {0};
        write_file(derived, 1e9, &text);
        found += strstr(text.text, "at: rank") != NULL || isocast_derived_work_has_p(derived);
        isocast_buffer_free(&text);
        isocast_derived_free(derived);
        free_all(records, count);
    }
    if (found > TRIALS / 10) {
        fail_msg("%zu of %d times noise has a law", found, TRIALS);
    }
}

/* Times of 30 % noise at sizes that hardly differ, with a part that p alone makes: they had become
 * N^3. */
static void exponents_stay_low(void **unused) {
    (void)unused;
    static const int Ns[] = {100, 130, 170, 250};
    static const int few[] = {1, 2, 4};
    static const double micros[] = {18.6401, 19.8424, 24.3173, 40.8545, 23.8478, 22.9652,
                                    28.5335, 41.4641, 30.7605, 30.7144, 36.3745, 48.1561};
    isocast_record *records[COUNT(micros)];
    for (size_t i = 0; i < COUNT(micros); i++) {
        int p = few[i / COUNT(Ns)];
        isocast_buffer t = begin_record(p, "f", "%d", Ns[i % COUNT(Ns)]);
        for (int r = 0; r < p; r++) {
            double time = micros[i] * 1e-6 / p;
            isocast_buffer_printf(&t, "call,%d,0,0,MPI_Barrier,,,,,%d,0.001\n", r, TIMES);
            isocast_buffer_printf(&t, "compute,%d,0,0,%d,%.12g,0,%.12g,%.12g\n", r, TIMES, time,
                                  time / TIMES, time / TIMES);
        }
        records[i] = record_of(&t);
    }
    isocast_derived *derived = derive_all(records, COUNT(micros), NULL);
    for (size_t i = 0; i < derived->work.term_count; i++) {
        assert_true(isocast_monomial_growth(&derived->work.terms[i], &derived->points[0]) < 4.1);
    }
    static const char *const doubt[] = {"ms at most: too short to show how it grows"};
    text_holds(derived, doubt, COUNT(doubt));
    isocast_derived_free(derived);
    free_all(records, COUNT(micros));
}

/* Without the largest point too few records are left: the file says so. */
static void reasons_are_written(void **unused) {
    (void)unused;
    isocast_record *records[RECORDS_MOST];
    size_t count = made_runs(even, 3, 0.02, records);
    /* Of p = 3 one record alone. */
    for (size_t i = count - 3; i < count; i++) {
        isocast_record_free(records[i]);
    }
    count -= 3;
    isocast_derived *derived = derive_all(records, count, NULL);
    static const char *const due[] = {
        "\n  T_c: \"too few records: ",
        ("\n  T: \"derive was given no machine (--machine), and no runs on a platform (--platform, "
         "--runs)\"\n"),
        "\nrecorded: {p: [1, 2, 3], N: [300, 500, 700, 1100], marked_speed: 1e+09 flop/s}\n"};
    text_holds(derived, due, COUNT(due));
    isocast_derived_free(derived);
    free_all(records, count);
}

/* What predict takes from the keys. */
static void keys_are_read(void **unused) {
    (void)unused;
    static const char text[] = "algorithm: a\nsize: {N: {min: 1}, M: {min: 1}}\nwork: N*M\n"
                               "recorded: {p: [4, 1, 2], N: [10, 20], M: [5], marked_speed: "
                               "unknown}\n"
                               "held_out:\n  T_c: {p: 4, N: 20, M: 5, error: -3.1 %}\n"
                               "  T: \"no machine\"\n";
    isocast_diagnostics diagnostics = {0};
    isocast_algorithm *algorithm = NULL;
    assert_int_equal(
        isocast_algorithm_read_text("a.yaml", text, strlen(text), &diagnostics, &algorithm),
        ISOCAST_OK);
    assert_true(isocast_recorded_speed_is_unknown(algorithm));
    assert_string_equal(algorithm->held_out, "T_c was off by -3.1 % at p = 4, N = 20, M = 5; T was "
                                             "not compared: no machine");
    isocast_buffer beyond = {0};
    isocast_recorded_put_beyond(algorithm, 4, 10, (const double[]){5}, &beyond);
    assert_int_equal(beyond.length, 0);
    isocast_recorded_put_beyond(algorithm, 8, 1000, (const double[]){4}, &beyond);
    assert_string_equal(beyond.text,
                        "p = 8 is 2 times the largest one that was recorded, N = 1000 is 50 times "
                        "the largest one that was recorded, M = 4 is below the smallest one that "
                        "was recorded, 5");
    isocast_buffer_free(&beyond);
    isocast_algorithm_free(algorithm);
    static const char *const wrong[] = {
        "recorded: {K: [1]}", "recorded: {p: 4}",      "recorded: {marked_speed: 3 s}",
        "held_out: {x: 1}",   "held_out: {T: {N: 3}}", "held_out: 3",
        "recorded: [1]"};
    for (size_t i = 0; i < COUNT(wrong); i++) {
        isocast_buffer file = {0};
        isocast_buffer_printf(&file, "algorithm: a\nsize: {N: {min: 1}}\nwork: N\n%s\n", wrong[i]);
        if (isocast_algorithm_read_text("a.yaml", file.text, file.length, &diagnostics,
                                        &algorithm) != ISOCAST_INVALID) {
            fail_msg("%s is taken", wrong[i]);
        }
        isocast_buffer_free(&file);
    }
    isocast_diagnostics_clear(&diagnostics);
}

/* Whoever asks process 0 for work gets it: that one makes most calls, and others compute. */
static isocast_record *farm_run(int N, int p) {
    isocast_buffer t = begin_record(p, "f g", "%d", N);
    for (int r = 0; r < p; r++) {
        int tasks = p == 1 ? 0 : r > 0 ? 12 * N / (p - 1) : 0;
        double time = dealt(10 * N, p, r);
        for (int k = 1; k < p && r == 0; k++) {
            isocast_buffer_printf(&t, "call,0,0,0,MPI_Recv,%d,8,,,%d,0.001\n", k, 12 * N / (p - 1));
        }
        if (tasks > 0) {
            isocast_buffer_printf(&t, "call,%d,1,0,MPI_Send,0,8,,,%d,0.001\n", r, tasks);
        }
        int site = r > 0;
        isocast_buffer_printf(&t, "compute,%d,%d,%d,%d,%.12g,0,%.12g,%.12g\n", r, site, site, TIMES,
                              time, time / TIMES, time / TIMES);
    }
    return record_of(&t);
}

static void who_deals_out_serves_one_after_the_other(void **unused) {
    (void)unused;
    isocast_record *records[RECORDS_MOST];
    size_t count = make_runs(farm_run, ps, COUNT(ps), records);
    isocast_derived *derived = derive_all(records, count, NULL);
    static const char *const due[] = {"receive: {from: any, bytes: 8 B}",
                                      "- send: {to: 0, bytes: 8 B}"};
    text_holds(derived, due, COUNT(due));
    isocast_derived_free(derived);
    free_all(records, count);
}

/* Noise that makes T_c of one run in ten so much longer has a line; less has none. */
static void noise_of_computing_is_uncertain(void **unused) {
    (void)unused;
    for (int noisy = 0; noisy < 2; noisy++) {
        isocast_record *records[RECORDS_MOST];
        size_t count = made_runs(even, COUNT(ps), noisy != 0 ? 1 : 0.02, records);
        isocast_derived *derived = derive_all(records, count, NULL);
        isocast_buffer text = {0};
        write_laws(derived, 1e9, &text);
        bool has = strstr(text.text, "  slower-computing: 0.") != NULL;
        if (has != (noisy != 0)) {
            fail_msg("%s\n%s", noisy != 0 ? "noise has no line" : "there is no noise", text.text);
        }
        isocast_buffer_free(&text);
        text_is_an_algorithm(derived);
        isocast_derived_free(derived);
        free_all(records, count);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(who_deals_out_serves_one_after_the_other),
        cmocka_unit_test(noise_of_computing_is_uncertain),
        cmocka_unit_test(computing_is_that_of_the_busiest),
        cmocka_unit_test(work_has_p_where_sizes_are_those_of_a_process),
        cmocka_unit_test(noise_makes_no_busiest_process),
        cmocka_unit_test(exponents_stay_low),
        cmocka_unit_test(reasons_are_written),
        cmocka_unit_test(keys_are_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
