/* Series from CSV: what keeps them apart, what was held constant, noise; and the laws. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "model/base/diagnostic.h"
#include "model/forecast/forecasts.h"
#include "model/forecast/laws.h"

static isocast_series_list *read_with(const char *text, isocast_series_request request,
                                      const char *message) {
    isocast_diagnostics diagnostics = {0};
    isocast_source *source = NULL;
    isocast_series_list *list = NULL;
    assert_int_equal(isocast_source_create("runs", text, strlen(text), &source), ISOCAST_OK);
    request.source = source;
    isocast_status status = isocast_series_read(&request, &diagnostics, &list);
    assert_int_equal(status, message == NULL ? ISOCAST_OK : ISOCAST_INVALID);
    if (message != NULL) {
        assert_true(diagnostics.count > 0);
        if (strstr(diagnostics.items[0].message, message) == NULL) {
            fail_msg("'%s' does not say '%s'", diagnostics.items[0].message, message);
        }
    }
    isocast_diagnostics_clear(&diagnostics);
    isocast_source_free(source);
    return list;
}

static isocast_series_list *read_text(const char *text) {
    return read_with(text, (isocast_series_request){0}, NULL);
}

static void columns_keep_series_apart(void **unused) {
    (void)unused;
    isocast_series_list *list =
        read_text("region,launch,log,p,smt,T\na,1,x1,1,1,8\na,1,x2,2,1,4\na,1,x3,4,1,2\n"
                  "b,1,x4,1,1,8\nb,1,x5,2,1,9\nb,1,x6,4,1,10\na,1,y1,1,2,6\na,1,y2,2,2,3\n");
    assert_int_equal(list->key_count, 2);
    assert_string_equal(list->key_names[0], "region");
    assert_string_equal(list->key_names[1], "smt");
    assert_int_equal(list->count, 3);
    assert_string_equal(list->series[1].keys[0], "b");
    assert_int_equal(list->series[0].scaling, ISOCAST_SERIES_STRONG);
    assert_int_equal(list->series[1].scaling, ISOCAST_SERIES_WEAK);
    assert_int_equal(list->series[0].evidence, ISOCAST_SERIES_BY_TIMES);
    isocast_series_list_free(list);
    const isocast_series_only only = {"region", "b"};
    list = read_with("region,p,T\na,1,8\nb,1,8\nb,2,9\n",
                     (isocast_series_request){.only = &only, .only_count = 1}, NULL);
    assert_int_equal(list->count, 1);
    assert_int_equal(list->series[0].count, 2);
    isocast_series_list_free(list);
}

static void launches_and_repetitions_are_two_levels(void **unused) {
    (void)unused;
    /* Launches at p = 1: medians 10 and 12; at p = 2: 6. */
    isocast_series_list *list = read_text("p,launch,repetition,T\n1,a,1,10\n1,a,2,9\n1,a,3,30\n"
                                          "1,b,1,12\n2,c,1,6\n4,d,1,4\n");
    const isocast_series *s = &list->series[0];
    assert_int_equal(list->count, 1);
    assert_true(fabs(s->points[0].T - 11) < 1e-12);
    assert_int_equal(s->runs, 6);
    assert_true(fabs(s->sd_launches - fabs(log(12.0 / 10)) / sqrt(2)) < 1e-12);
    assert_true(s->sd_repetitions > 0.3 && s->sd_repetitions < 1);
    assert_true(s->points[0].variance < s->points[1].variance);
    isocast_series_list_free(list);
}

static void what_was_held_is_read_off_N(void **unused) {
    (void)unused;
    static const struct {
        const char *text;
        isocast_series_scaling scaling;
        isocast_series_evidence evidence;
        double power, N;
        size_t count;
    } files[] = {
        {"p,N,T\n1,10,8\n2,10,4\n4,10,2\n", ISOCAST_SERIES_STRONG, ISOCAST_SERIES_BY_N, 0, 10, 1},
        {"p,N,T\n1,10,8\n2,10,8\n4,10,9\n", ISOCAST_SERIES_WEAK, ISOCAST_SERIES_BY_N_OWN, 0, 10, 1},
        {"p,N,T\n1,10,8\n2,20,8\n4,40,9\n", ISOCAST_SERIES_WEAK, ISOCAST_SERIES_BY_N, 1, NAN, 1},
        {"p,N,T\n1,10,8\n4,20,8\n16,40,9\n", ISOCAST_SERIES_WEAK, ISOCAST_SERIES_BY_N, 2, NAN, 1},
        {"p,N,T\n1,10,8\n4,11,8\n16,40,9\n", ISOCAST_SERIES_MIXED, ISOCAST_SERIES_BY_N, NAN, NAN,
         1},
        {"p,N,T\n1,10,8\n2,10,4\n4,10,2\n1,20,16\n2,20,8\n4,20,4\n", ISOCAST_SERIES_STRONG,
         ISOCAST_SERIES_BY_N, 0, 10, 2},
        /* More of N/p than of N. */
        {"p,N,T\n1,10,8\n1,20,16\n2,20,8\n2,40,16\n4,40,8\n4,80,16\n", ISOCAST_SERIES_WEAK,
         ISOCAST_SERIES_BY_N, 1, NAN, 2}};
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        isocast_series_list *list = read_text(files[i].text);
        assert_int_equal(list->count, files[i].count);
        assert_int_equal(list->series[0].scaling, files[i].scaling);
        assert_int_equal(list->series[0].evidence, files[i].evidence);
        assert_true(isnan(files[i].power) ? isnan(list->series[0].power)
                                          : list->series[0].power == files[i].power);
        assert_true(isnan(files[i].N) ? isnan(list->series[0].N) : list->series[0].N == files[i].N);
        isocast_series_list_free(list);
    }
    isocast_series_scaling given = ISOCAST_SERIES_MIXED;
    isocast_series_list *list =
        read_with(files[0].text, (isocast_series_request){.scaling = &given}, NULL);
    assert_int_equal(list->series[0].scaling, ISOCAST_SERIES_MIXED);
    assert_true(isnan(isocast_series_efficiency(&list->series[0], 4, 2)));
    isocast_series_list_free(list);
    list = read_text(files[0].text);
    assert_true(fabs(isocast_series_efficiency(&list->series[0], 4, 2.5) - 0.8) < 1e-12);
    isocast_series_list_free(list);
}

static void what_is_no_runs_is_refused(void **unused) {
    (void)unused;
    static const char *const files[][2] = {{"p,T\n", "no rows"},
                                           {"p,time\n1,2\n", "no column 'T'"},
                                           {"q,T\n1,2\n", "no column 'p'"},
                                           {"p,T\n8,2\n8,3\n", "more than one p"},
                                           {"p,T\n8,2\n", "more than one p"},
                                           {"p,T\n1,0\n2,1\n", "above 0"},
                                           {"p,T\n1,-3\n2,1\n", "above 0"},
                                           {"p,T\n1,\n2,1\n", "must be a number"},
                                           {"p,T\n1,40 ms\n2,1\n", "must be a number"},
                                           {"p,T\n1,5\n1,5000\n2,3\n", "are units mixed"},
                                           {"p,T\n1,5\n2,3000\n4,1000\n", "are units mixed"},
                                           {"p,T\n1,5000\n2,3\n4,1\n", "are units mixed"},
                                           {"p,T\n1,5,6\n", "3 cells"}};
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        assert_null(read_with(files[i][0], (isocast_series_request){0}, files[i][1]));
    }
    const char *by = "nothing";
    assert_null(read_with("p,T\n1,5\n2,3\n", (isocast_series_request){.by = &by, .by_count = 1},
                          "no column 'nothing'"));
}

/* p may be the nodes, or what the names of systems state. */
static void p_may_stand_elsewhere(void **unused) {
    (void)unused;
    isocast_series_list *list = read_text("system,N,T\n2x1,10,8\n2x2,10,4\n2x4,10,2\n");
    assert_int_equal(list->count, 1);
    assert_true(list->series[0].points[2].p == 8);
    isocast_series_list_free(list);
    list = read_text("nodes,T\n1,8\n2,4\n");
    assert_string_equal(list->count_name, "nodes");
    isocast_series_list_free(list);
    list = read_with("p,threads,T\n4,1,8\n4,2,4\n4,4,3\n",
                     (isocast_series_request){.count = "threads"}, NULL);
    assert_int_equal(list->series[0].count, 3);
    isocast_series_list_free(list);
}

/* Both formats of Extra-P: regions and metrics keep series apart, the first parameter is p. */
static void formats_of_extra_p_are_read(void **unused) {
    (void)unused;
    isocast_series_list *list =
        read_text("# made by hand\nPARAMETER ranks\nPOINTS 1 2 4\nREGION solve->a\nMETRIC time\n"
                  "DATA 8 10 9\nDATA 4\nDATA 2 2.2\nMETRIC visits\nDATA 1\nDATA 1\nDATA 1\n"
                  "REGION b\nMETRIC time\nDATA 7\nDATA 8\nDATA 9\n");
    assert_int_equal(list->count, 3);
    assert_string_equal(list->series[0].keys[0], "solve->a");
    assert_string_equal(list->series[1].keys[1], "visits");
    assert_true(list->series[0].points[0].T == 9 && list->series[0].points[2].p == 4);
    isocast_series_list_free(list);
    list = read_text("PARAMETER p\nPARAMETER n\nPOINTS ( 1 10 ) ( 2 10 ) (4 10) (1 20) (2 20)\n"
                     "DATA 8\nDATA 4\nDATA 2\nDATA 16\nDATA 8\n");
    assert_int_equal(list->count, 2);
    assert_true(list->series[1].N == 20 && list->series[1].points[1].T == 8);
    isocast_series_list_free(list);
    list = read_text("{\"params\":{\"n\":10,\"p\":1},\"callpath\":\"main\",\"metric\":\"time\","
                     "\"value\":8}\n{ \"params\": {\"p\": 2, \"n\": 10}, \"value\": 4.5, "
                     "\"callpath\": \"main\", \"metric\": \"time\" }\n");
    assert_int_equal(list->count, 1);
    assert_true(list->series[0].N == 10 && list->series[0].points[1].T == 4.5);
    isocast_series_list_free(list);
    static const char *const files[][2] = {
        {"PARAMETER p\nDATA 1\n", "no point"},
        {"PARAMETER p\nPARAMETER n\nPOINTS (1 2) (3)\n", "too few"},
        {"PARAMETER p\nPOINTS 1 2\nDATA 1\nDATA x\n", "must be a number"},
        {"PARAMETER p\nPOINTS 1 2\nDATEN 1\n", "no such line"},
        {"PARAMETER \nPOINTS 1 2\n", "no such line"},
        {"{\"params\":{\"p\":1},\"value\":8}\n{\"params\":{\"q\":2},\"value\":8}\n",
         "must be a number"},
        {"{\"params\":{\"p\":1}}\n", "no column 'T'"},
        {"{\"params\":{\"p\":1},\"value\":8\n", "no JSON"},
        {"{\"params\":{\"p\":1},\"value\":8}}\n", "no JSON"},
        {"{\"params\":{},\"value\":8}\n", "no column 'p'"}};
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        assert_null(read_with(files[i][0], (isocast_series_request){0}, files[i][1]));
    }
}

/* What shares a node's memory among fewer processes is no beginning of a series over nodes. */
static void what_does_not_fill_a_node_is_left_out(void **unused) {
    (void)unused;
    isocast_series_list *list = read_text("nodes,p,T\n1,1,90\n1,2,50\n1,8,40\n2,16,20\n4,32,10\n");
    assert_int_equal(list->series[0].count, 3);
    assert_int_equal(list->series[0].inside, 2);
    assert_true(list->series[0].points[0].p == 8);
    isocast_series_list_free(list);
    list = read_text("nodes,p,T\n1,1,90\n1,8,40\n2,16,20\n");
    assert_int_equal(list->series[0].count, 3);
    assert_int_equal(list->series[0].inside, 0);
    isocast_series_list_free(list);
}

/* A table over p and N without its corner, T = N^2/p + 0.02 N. */
static void the_corner_comes_from_the_rest(void **unused) {
    (void)unused;
    isocast_buffer text = {0};
    isocast_buffer_puts(&text, "p,N,T\n");
    for (int p = 1; p <= 32; p *= 2) {
        for (int N = 10; N <= 80; N *= 2) {
            if (p < 32 || N < 80) {
                isocast_buffer_printf(&text, "%d,%d,%.6f\n", p, N, (double)N * N / p + 0.02 * N);
            }
        }
    }
    isocast_series_list *list = read_text(text.text);
    assert_int_equal(list->count, 4);
    const double p[] = {32};
    const double N[] = {80, 160, 20, 30};
    isocast_forecasts *forecasts = NULL;
    assert_int_equal(isocast_forecasts_make(list, p, 1, N, 4, false, &forecasts), ISOCAST_OK);
    assert_int_equal(forecasts->count, 4);
    for (size_t i = 0; i < 4; i++) {
        const isocast_forecast_row *row = &forecasts->rows[i];
        double truth = N[i] * N[i] / 32 + 0.02 * N[i];
        assert_true(row->N == N[i]);
        assert_true(fabs(row->value.T / truth - 1) < (i == 1 ? 0.10 : 0.05));
        assert_true(row->value.status ==
                    (i == 2 ? ISOCAST_FORECAST_MEASURED : ISOCAST_FORECAST_OK));
        assert_true(i == 2 || (row->value.low < truth && truth < row->value.high));
    }
    assert_true(forecasts->rows[0].series != NULL && forecasts->rows[1].series == NULL);
    assert_int_equal(
        isocast_forecasts_make(list, p, ISOCAST_FORECAST_ROWS_MAX + 1, NULL, 0, false, &forecasts),
        ISOCAST_ARGUMENT);
    isocast_forecasts_free(forecasts);
    isocast_series_list_free(list);
    isocast_buffer_free(&text);
}

static bool holds(isocast_law_number number, double truth, double within) {
    return fabs(number.value - truth) <= within * truth && number.low <= truth * (1 + within) &&
           number.high >= truth * (1 - within);
}

/* T = 1/p + sigma (1 - 1/p) + kappa (p - 1), which is Amdahl's law where kappa is 0, from p = 4 on.
 */
static isocast_series_list *law_series(double sigma, double kappa, double noise, bool weak) {
    isocast_buffer text = {0};
    isocast_buffer_puts(&text, "p,T\n");
    for (int p = 4; p <= 256; p *= 2) {
        double T = 1.0 / p + sigma * (1 - 1.0 / p) + kappa * (p - 1);
        isocast_buffer_printf(&text, "%d,%.12g\n", p,
                              100 * T * (weak ? p : 1) * (1 + noise * (p % 3 == 1 ? 1 : -1)));
    }
    isocast_series_scaling scaling = weak ? ISOCAST_SERIES_WEAK : ISOCAST_SERIES_STRONG;
    isocast_series_list *list =
        read_with(text.text, (isocast_series_request){.scaling = &scaling}, NULL);
    isocast_buffer_free(&text);
    return list;
}

static void laws_are_found_without_one_process(void **unused) {
    (void)unused;
    isocast_series_list *list = law_series(0.02, 0, 0, false);
    isocast_laws laws = isocast_laws_find(&list->series[0]);
    assert_true(holds(laws.serial, 0.02, 1e-6) && holds(laws.speedup_most, 50, 1e-6));
    assert_true(isnan(isocast_laws_karp_flatt(&list->series[0], 0)));
    for (size_t i = 1; i < list->series[0].count; i++) {
        assert_true(fabs(isocast_laws_karp_flatt(&list->series[0], i) - 0.02) < 1e-9);
    }
    isocast_series_list_free(list);
    for (int weak = 0; weak < 2; weak++) {
        list = law_series(0.03, 1e-4, 0.01, weak == 1);
        laws = isocast_laws_find(&list->series[0]);
        assert_true(holds(laws.contention, 0.03, 0.3) && holds(laws.coherency, 1e-4, 0.3));
        assert_true(holds(laws.peak, sqrt(0.97 / 1e-4), 0.2));
        assert_true(laws.coherency.low < laws.coherency.high);
        assert_true(isnan(laws.serial.value) == (weak == 1));
        isocast_series_list_free(list);
    }
    /* Twice the processes do 1.8 times the work: s = 0.2. */
    list = read_text("p,N,T\n8,8,9\n16,16,10\n");
    assert_true(fabs(isocast_laws_gustafson(&list->series[0], 1) - 0.2) < 1e-12);
    isocast_series_list_free(list);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(columns_keep_series_apart),
                                       cmocka_unit_test(launches_and_repetitions_are_two_levels),
                                       cmocka_unit_test(what_was_held_is_read_off_N),
                                       cmocka_unit_test(what_is_no_runs_is_refused),
                                       cmocka_unit_test(p_may_stand_elsewhere),
                                       cmocka_unit_test(formats_of_extra_p_are_read),
                                       cmocka_unit_test(what_does_not_fill_a_node_is_left_out),
                                       cmocka_unit_test(the_corner_comes_from_the_rest),
                                       cmocka_unit_test(laws_are_found_without_one_process)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
