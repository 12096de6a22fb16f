/* Names of processor sets, and files of times and reference times. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "model/runs/set_times.h"

static void names_report_processors(void **unused) {
    (void)unused;
    static const struct {
        const char *name;
        double n;
    } cases[] = {{"1x1", 1},        {"4x2", 8},     {"1x2+2x1", 4}, {"8", 8},
                 {"a:3x2+b:5", 11}, {"10x20", 200}, {"", NAN},      {"x", NAN},
                 {"4x", NAN},       {"x4", NAN},    {"1x2+", NAN},  {"+1x2", NAN},
                 {"C8", NAN},       {"0x4", NAN},   {"2x2x2", NAN}, {"1x2 ", NAN}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        double n = isocast_set_processors(cases[i].name);
        if (!(isnan(cases[i].n) ? isnan(n) : n == cases[i].n)) {
            fail_msg("'%s' states %g processors, not %g", cases[i].name, n, cases[i].n);
        }
    }
}

static isocast_source *source_of(const char *text) {
    isocast_source *source = NULL;
    assert_int_equal(isocast_source_create("test", text, strlen(text), &source), ISOCAST_OK);
    return source;
}

/* Reads both texts; NULL for none. */
static isocast_status read_both(const char *times, const char *reference, isocast_metric metric,
                                isocast_set_table **out) {
    isocast_diagnostics diagnostics = {0};
    isocast_source *first = times != NULL ? source_of(times) : NULL;
    isocast_source *second = reference != NULL ? source_of(reference) : NULL;
    isocast_status status = isocast_set_table_read(first, second, NULL, metric, &diagnostics, out);
    assert_int_equal(status == ISOCAST_INVALID, diagnostics.errors > 0);
    isocast_diagnostics_clear(&diagnostics);
    isocast_source_free(first);
    isocast_source_free(second);
    return status;
}

/* With W known, isospeed's psi is by R_f and W; it is T/T' where the average speed is held. */
static void psi_by_work_is_psi_by_times(void **unused) {
    (void)unused;
    static const char reference[] = "R_f,set\n1,1x1\n1.5,1x2\n2.5,2x2\n";
    isocast_set_table *by_work = NULL;
    isocast_set_table *by_times = NULL;
    assert_int_equal(read_both("set,T_s,W\n1x1,2,6\n1x2,4,18\n2x2,8,60\n", reference,
                               ISOCAST_METRIC_ISOSPEED, &by_work),
                     ISOCAST_OK);
    assert_int_equal(
        read_both("T_s,set\n2,1x1\n4,1x2\n8,2x2\n", NULL, ISOCAST_METRIC_TIME_SCALE, &by_times),
        ISOCAST_OK);
    for (size_t a = 0; a < 3; a++) {
        for (size_t b = 0; b < 3; b++) {
            assert_true(fabs(isocast_set_psi(by_work, a, b) - isocast_set_psi(by_times, a, b)) <
                        1e-14);
        }
    }
    isocast_set_table_free(by_work);
    isocast_set_table_free(by_times);
}

static void what_is_not_known_is_refused(void **unused) {
    (void)unused;
    isocast_set_table *table = NULL;
    static const char *const times[] = {
        "set,T_s,W\n1x1,2,6\n", "T_s\n2\n",           "set\n1x1\n",        "set,T_s\n",
        "set,T_s\n1x1,0\n",     "set,T_s\n1x1,2,3\n", "set,T_s\n1x1,inf\n"};
    for (size_t i = 0; i < sizeof times / sizeof times[0]; i++) {
        assert_int_equal(read_both(times[i], NULL, ISOCAST_METRIC_ISOSPEED, &table),
                         ISOCAST_INVALID);
    }
    static const char *const references[] = {"set,T_ref_s\n1x2,3\n", "set,T_ref_s\n1x1,3\nC2,3\n",
                                             "set,R_f\n1x1,1\n1x2,\n", "set,x\n1x1,1\n"};
    for (size_t i = 0; i < sizeof references / sizeof references[0]; i++) {
        assert_int_equal(read_both(NULL, references[i], ISOCAST_METRIC_ISOSPEED, &table),
                         ISOCAST_INVALID);
    }
    assert_int_equal(read_both("set,T_s\n1x1,2\n", NULL, ISOCAST_METRIC_ISOEFFICIENCY, &table),
                     ISOCAST_ARGUMENT);
    assert_int_equal(read_both(NULL, NULL, ISOCAST_METRIC_ISOSPEED, &table), ISOCAST_ARGUMENT);
    assert_null(table);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(names_report_processors),
                                       cmocka_unit_test(psi_by_work_is_psi_by_times),
                                       cmocka_unit_test(what_is_not_known_is_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
