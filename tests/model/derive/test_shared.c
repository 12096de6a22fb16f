/* Computing where processes share processors, sizes that are exponents, and sums of four terms that
 * are products, from records that are made up here. */
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
#include "model/derive/fit.h"

static const double flop_time = 1e-6; /* s for each of N 4^M */

/* N steps on 4^M numbers, which all processes gather. From four processes on they share two
 * processors, and take the longer the more they are. more: of the work, that each further process
 * adds. others: s of processor time of a process's other threads. */
static isocast_record *shared_run(int N, int M, int p, double more, double others) {
    isocast_buffer t = {0};
    double all = N * pow(4, M) * flop_time * (1 + more * (p - 1));
    double share = all / p * (p < 4 || more > 0 ? 1 : 1 + p / 8.0);
    isocast_buffer_printf(&t, "record,1\nprogram,./shared\nargument,%d\nargument,%d\n", N, M);
    isocast_buffer_printf(&t, "processes,%d\nend,complete\nsite,0,main,s.c,1,s,1\n", p);
    isocast_buffer_printf(&t, "communicator,0,MPI_COMM_WORLD,,,,0%s", p > 1 ? "" : ",,\n");
    if (p > 1) {
        isocast_buffer_printf(&t, "-%d,,\n", p - 1);
    }
    for (int r = 0; r < p; r++) {
        isocast_buffer_printf(&t, "process,%d,h,1,%s,0,0,0,0,complete\n", r, p < 4 ? "1" : "0.3");
        isocast_buffer_printf(&t, "threads,%d,%g\n", r, others);
    }
    for (int r = 0; r < p; r++) {
        isocast_buffer_printf(&t, "call,%d,0,0,MPI_Allgather,,%.0f,,,%d,0\n", r, 8 * pow(4, M), N);
        isocast_buffer_printf(&t, "compute,%d,0,0,%d,%.12g,0,%.12g,%.12g\n", r, N, share, share / N,
                              share / N);
    }
    return record_of(&t);
}

static isocast_buffer text_of(double more, double others) {
    static const int Ns[] = {10, 20, 40};
    static const int Ms[] = {5, 6, 7};
    static const int ps[] = {1, 2, 4, 8, 16};
    isocast_record *records[RECORDS_MOST];
    size_t count = 0;
    for (size_t i = 0; i < COUNT(ps); i++) {
        for (size_t k = 0; k < COUNT(Ns) * COUNT(Ms); k++) {
            records[count++] = shared_run(Ns[k / COUNT(Ms)], Ms[more > 0 ? 0 : k % COUNT(Ms)],
                                          ps[i], more, others);
        }
    }
    isocast_derived *derived = derive_all(records, count, NULL);
    isocast_buffer text = {0};
    write_laws(derived, 1e9, &text);
    text_is_an_algorithm(derived);
    isocast_derived_free(derived);
    free_all(records, count);
    return text;
}

static void runs_with_a_processor_each_report_the_computing(void **unused) {
    (void)unused;
    isocast_buffer text = text_of(0, 0.02);
    if (strstr(text.text, "\nwork: 1000*N*4^M\n") == NULL ||
        strstr(text.text, "in the 18 runs whose processes had a processor each") == NULL ||
        strstr(text.text, "more-computing") != NULL) {
        fail_msg("%s", text.text);
    }
    isocast_buffer_free(&text);
}

/* What each process adds is more than sharing processors makes: runs on many state it. */
static void computing_that_grows_with_p_is_reported_by_all_runs(void **unused) {
    (void)unused;
    isocast_buffer text = text_of(3, 0);
    if (strstr(text.text, "whose processes had a processor each,") != NULL) {
        fail_msg("%s", text.text);
    }
    isocast_buffer_free(&text);
}

static void other_threads_are_named(void **unused) {
    (void)unused;
    isocast_buffer few = text_of(3, 0.02);
    assert_null(strstr(few.text, "Other threads"));
    isocast_buffer_free(&few);
    isocast_buffer many = text_of(3, 0.25);
    if (strstr(many.text, "# Other threads than the one that calls MPI take 40 % of") == NULL) {
        fail_msg("%s", many.text);
    }
    isocast_buffer_free(&many);
}

static void sums_of_four_terms_may_be_products(void **unused) {
    (void)unused;
    enum { POINTS = 9 };
    isocast_law_point points[POINTS];
    double values[POINTS];
    for (size_t i = 0; i < POINTS; i++) {
        double N = (double[]){3, 5, 8}[i % 3];
        double M = (double[]){200, 400, 900}[i / 3];
        points[i] = (isocast_law_point){.sizes = {N, M}, .p = (double)(i % 4 + 1)};
        values[i] = (N + 1) * (M - 1);
    }
    isocast_fitter fitter;
    isocast_law law;
    isocast_fitter_create(points, POINTS, 2, &fitter);
    assert_int_equal(isocast_fit(&fitter, values, NULL, ISOCAST_FAVOURED_NONE, &law), ISOCAST_OK);
    assert_true(law.exact);
    isocast_law_point far = {.sizes = {11, 5000}, .p = 64};
    assert_float_equal(isocast_law_value(&law, &far), 12.0 * 4999, 1e-6);
    isocast_fitter_free(&fitter);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(runs_with_a_processor_each_report_the_computing),
        cmocka_unit_test(computing_that_grows_with_p_is_reported_by_all_runs),
        cmocka_unit_test(other_threads_are_named),
        cmocka_unit_test(sums_of_four_terms_may_be_products),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
