/* The public interface alone: this file includes no private header of the project. It tests what
 * callers give and get around a result: texts, requests, handles, diagnostics, formulas. What it
 * must free and what it must not, the sanitizers see. */
#include <isocast/isocast.h>
#include <locale.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "api_fixture.h"

static const char switched[] = "platform: small\n"
                               "nodes: {node: {count: 8, processors: 2, speed: 2 Gflop/s}}\n"
                               "network: {topology: switched, link_bandwidth: 1 Gbit/s, "
                               "link_latency: 20 us}\n";

static void version(void **state) {
    (void)state;
    char text[32];
    snprintf(text, sizeof text, "%d.%d.%d", ISOCAST_VERSION_MAJOR, ISOCAST_VERSION_MINOR,
             ISOCAST_VERSION_PATCH);
    assert_string_equal(isocast_version(), text);
    assert_int_equal(isocast_version_number(), ISOCAST_VERSION_NUMBER);
}

static void problems_are_data(void **state) {
    (void)state;
    static const char broken[] = "algorithm: broken\nsize: {N: {min: 2}}\nwork: N^2 + nn\n"
                                 "overhead: {a: 3 B}\n";
    isocast_diagnostics *d = list();
    isocast_algorithm *none = NULL;
    /* The text has no NUL where its length ends. */
    char text[sizeof broken + 8];
    memset(text, 'x', sizeof text);
    memcpy(text, broken, sizeof broken - 1);
    assert_int_equal(isocast_algorithm_load_text("mine", text, sizeof broken - 1, d, &none),
                     ISOCAST_INVALID);
    assert_null(none);
    assert_int_equal(isocast_diagnostics_count(d), 2);
    assert_int_equal(isocast_diagnostics_error_count(d), 2);
    assert_int_equal(isocast_diagnostics_warning_count(d), 0);
    assert_int_equal(isocast_diagnostics_severity(d, 0), ISOCAST_ERROR);
    assert_string_equal(isocast_diagnostics_file(d, 0), "mine");
    assert_int_equal(isocast_diagnostics_line(d, 0), 3);
    assert_int_equal(isocast_diagnostics_column(d, 0), 13);
    assert_string_equal(isocast_diagnostics_source_line(d, 0), "work: N^2 + nn");
    assert_int_equal(isocast_diagnostics_caret_column(d, 0), 13);
    assert_int_equal(isocast_diagnostics_caret_length(d, 0), 2);
    assert_non_null(strstr(isocast_diagnostics_message(d, 0), "nn"));
    assert_int_equal(isocast_diagnostics_line(d, 1), 4);
    assert_null(isocast_diagnostics_message(d, 2));
    assert_int_equal(isocast_diagnostics_line(d, 2), 0);
    char *reported = NULL;
    assert_int_equal(isocast_diagnostics_format(d, &reported), ISOCAST_OK);
    assert_non_null(strstr(reported, "mine:3:13: error: "));
    free(reported);
    isocast_diagnostics_reset(d);
    assert_int_equal(isocast_diagnostics_count(d), 0);
    assert_int_equal(isocast_algorithm_load_file("/no/such/file.yaml", d, &none), ISOCAST_INVALID);
    assert_int_equal(isocast_diagnostics_line(d, 0), 0);
    assert_null(isocast_diagnostics_source_line(d, 0));
    isocast_diagnostics_free(d);
    isocast_diagnostics_free(NULL);
}

static void text_is_checked_as_files_are(void **state) {
    (void)state;
    isocast_machine *none = NULL;
    assert_int_equal(isocast_machine_load_text("m", "", 0, NULL, &none), ISOCAST_INVALID);
    assert_int_equal(isocast_machine_load_text("m", "a\0b", 3, NULL, &none), ISOCAST_INVALID);
    assert_int_equal(isocast_machine_load_text("m", "\xff", 1, NULL, &none), ISOCAST_INVALID);
    enum { TOO_LONG = 4 * 1024 * 1024 + 1 };
    char *huge = malloc(TOO_LONG);
    assert_non_null(huge);
    memset(huge, '#', TOO_LONG);
    assert_int_equal(isocast_machine_load_text("m", huge, TOO_LONG, NULL, &none), ISOCAST_INVALID);
    free(huge);
    assert_null(none);
}

static void arguments(void **state) {
    (void)state;
    bound b = bind_adding();
    isocast_algorithm *algorithm = NULL;
    isocast_prediction *prediction = NULL;
    isocast_request request = ISOCAST_REQUEST_INIT;
    double value = 7;
    assert_int_equal(isocast_algorithm_load_text(NULL, adding, 1, NULL, &algorithm),
                     ISOCAST_ARGUMENT);
    assert_int_equal(isocast_algorithm_load_text("a", NULL, 0, NULL, &algorithm), ISOCAST_ARGUMENT);
    assert_int_equal(isocast_algorithm_load_file(NULL, NULL, &algorithm), ISOCAST_ARGUMENT);
    assert_int_equal(isocast_algorithm_load_file("a", NULL, NULL), ISOCAST_ARGUMENT);
    assert_int_equal(isocast_model_bind(NULL, b.machine, NULL, &b.model), ISOCAST_ARGUMENT);
    assert_int_equal(isocast_model_predict(b.model, NULL, NULL, &prediction), ISOCAST_ARGUMENT);
    assert_int_equal(isocast_model_predict(b.model, &request, NULL, NULL), ISOCAST_ARGUMENT);
    assert_int_equal(isocast_formula_evaluate(NULL, NULL, 0, NULL, NULL, NULL, &value, NULL),
                     ISOCAST_ARGUMENT);
    assert_int_equal(isocast_formula_evaluate("1", NULL, 1, NULL, NULL, NULL, &value, NULL),
                     ISOCAST_ARGUMENT);
    assert_int_equal(isocast_formula_evaluate("1", NULL, 0, b.machine, NULL, NULL, &value, NULL),
                     ISOCAST_ARGUMENT);
    assert_int_equal(
        isocast_machine_evaluate_operation(b.machine, "T_send", "four", -1, NULL, &value),
        ISOCAST_ARGUMENT);
    assert_int_equal(isocast_diagnostics_create(NULL), ISOCAST_ARGUMENT);
    assert_int_equal(isocast_diagnostics_format(NULL, NULL), ISOCAST_ARGUMENT);
    assert_true(value == 7);
    isocast_prediction_free(NULL);
    isocast_explanation_free(NULL);
    isocast_runs_free(NULL);
    isocast_validation_free(NULL);
    isocast_scalability_free(NULL);
    isocast_platform_free(NULL);
    unbind(b);
}

static void requests(void **state) {
    (void)state;
    static const struct {
        const char *systems, *base;
        double N, efficiency;
        isocast_status status;
    } cases[] = {{"4,8", NULL, 1000, 0, ISOCAST_OK},     {"4,8", NULL, 0, 0.3, ISOCAST_OK},
                 {"4,8", "2", 1000, 0, ISOCAST_OK},      {NULL, NULL, 1000, 0, ISOCAST_ARGUMENT},
                 {"4", NULL, 0, 0, ISOCAST_ARGUMENT},    {"4", "2", 0, 0, ISOCAST_ARGUMENT},
                 {"4", "2", 0, 0.3, ISOCAST_ARGUMENT},   {"4", NULL, 1000, 0.3, ISOCAST_ARGUMENT},
                 {"4", NULL, 0, -0.3, ISOCAST_ARGUMENT}, {"4", NULL, 0, NAN, ISOCAST_ARGUMENT},
                 {"4", NULL, NAN, 0, ISOCAST_ARGUMENT},  {"4", NULL, 0.5, 0, ISOCAST_ARGUMENT},
                 {"4", NULL, 2e9, 0, ISOCAST_ARGUMENT},  {"five", NULL, 1000, 0, ISOCAST_INVALID},
                 {"4,", NULL, 1000, 0, ISOCAST_INVALID}, {"", NULL, 1000, 0, ISOCAST_INVALID},
                 {"4", "2,4", 1000, 0, ISOCAST_INVALID}};
    bound b = bind_adding();
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        isocast_diagnostics *d = list();
        isocast_prediction *prediction = NULL;
        isocast_request request = ISOCAST_REQUEST_INIT;
        request.systems = cases[i].systems;
        request.base = cases[i].base;
        request.N = cases[i].N;
        request.efficiency = cases[i].efficiency;
        assert_int_equal(isocast_model_predict(b.model, &request, d, &prediction), cases[i].status);
        assert_int_equal(prediction != NULL, cases[i].status == ISOCAST_OK);
        assert_int_equal(isocast_diagnostics_error_count(d) > 0, cases[i].status != ISOCAST_OK);
        isocast_prediction_free(prediction);
        isocast_diagnostics_free(d);
    }
    unbind(b);
}

/* A request of a later header, and of none. */
static void request_versions(void **state) {
    (void)state;
    struct {
        isocast_request known;
        double later;
    } newer = {ISOCAST_REQUEST_INIT, 0};
    bound b = bind_adding();
    isocast_prediction *prediction = NULL;
    newer.known.size = sizeof newer;
    newer.known.systems = "4";
    newer.known.N = 1000;
    assert_int_equal(isocast_model_predict(b.model, &newer.known, NULL, &prediction), ISOCAST_OK);
    isocast_prediction_free(prediction);
    prediction = NULL;
    newer.later = 1;
    assert_int_equal(isocast_model_predict(b.model, &newer.known, NULL, &prediction),
                     ISOCAST_ARGUMENT);
    newer.known.size = 0;
    assert_int_equal(isocast_model_predict(b.model, &newer.known, NULL, &prediction),
                     ISOCAST_ARGUMENT);
    assert_null(prediction);
    unbind(b);
}

static void operations(void **state) {
    (void)state;
    bound b = bind_adding();
    isocast_diagnostics *d = list();
    double seconds = NAN;
    assert_int_equal(isocast_machine_operation_count(b.machine), 3);
    assert_string_equal(isocast_machine_operation_name(b.machine, 2), "T_barrier");
    assert_int_equal(
        isocast_machine_evaluate_operation(b.machine, "T_send", "four", 1000, d, &seconds),
        ISOCAST_OK);
    assert_near(seconds, 3.5e-6);
    assert_int_equal(
        isocast_machine_evaluate_operation(b.machine, "T_barrier", "16", 0, d, &seconds),
        ISOCAST_OK);
    assert_near(seconds, 1e-5);
    assert_int_equal(isocast_diagnostics_count(d), 0);
    assert_int_equal(isocast_machine_evaluate_operation(b.machine, "T_sent", "16", 0, d, &seconds),
                     ISOCAST_INVALID);
    assert_non_null(strstr(isocast_diagnostics_hint(d, 0), "T_send"));
    isocast_diagnostics_reset(d);
    assert_int_equal(
        isocast_machine_evaluate_operation(b.machine, "T_send", "16,32", 0, d, &seconds),
        ISOCAST_INVALID);
    assert_string_equal(isocast_diagnostics_file(d, 0), "system");
    assert_near(seconds, 1e-5);
    isocast_diagnostics_free(d);
    unbind(b);
}

static void formulas(void **state) {
    (void)state;
    bound b = bind_adding();
    static const isocast_variable variables[] = {{"N", NULL, 10}, {"t", "ms", 2}, {"m", "KiB", 1}};
    static const struct {
        const char *formula;
        int on_machine;
        double value; /* NAN: none */
        const char *unit;
        isocast_status status;
    } cases[] = {{"N^2 + 1", 0, 101, "1", ISOCAST_OK},
                 {"N*t + 1 s", 0, 1.02, "s", ISOCAST_OK},
                 {"m/t", 0, 512000, "B/s", ISOCAST_OK},
                 {"sum(i, 1, N, i*t)", 0, 0.11, "s", ISOCAST_OK},
                 {"T_send(m)*p", 1, 4 * (2.5e-6 + 1.024e-6), "s", ISOCAST_OK},
                 {"sum_class(p_i*C_i) - C", 1, 0, "flop/s", ISOCAST_OK},
                 {"latency + node.count*t + nodes*t/p_node", 1, 0.1360025, "s", ISOCAST_OK},
                 {"T_send(m)*p", 0, NAN, NULL, ISOCAST_INVALID},
                 {"N + t", 0, NAN, NULL, ISOCAST_INVALID},
                 {"N +", 0, NAN, NULL, ISOCAST_INVALID},
                 {"", 0, NAN, NULL, ISOCAST_INVALID},
                 {"1/(N - 10)", 0, NAN, NULL, ISOCAST_DOMAIN},
                 {"log(-N)", 0, NAN, NULL, ISOCAST_DOMAIN}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        isocast_diagnostics *d = list();
        double value = NAN;
        char unit[ISOCAST_UNIT_LENGTH] = "";
        isocast_status status = isocast_formula_evaluate(
            cases[i].formula, variables, 3, cases[i].on_machine ? b.machine : NULL,
            cases[i].on_machine ? "four" : NULL, d, &value, unit);
        assert_int_equal(status, cases[i].status);
        assert_int_equal(isocast_diagnostics_error_count(d) > 0, status == ISOCAST_INVALID);
        if (status == ISOCAST_OK) {
            assert_near(value, cases[i].value);
            assert_string_equal(unit, cases[i].unit);
        } else {
            assert_true(isnan(value));
        }
        isocast_diagnostics_free(d);
    }
    static const isocast_variable odd = {"x", "parsecs", 1};
    isocast_diagnostics *d = list();
    double value = NAN;
    assert_int_equal(isocast_formula_evaluate("x", &odd, 1, NULL, NULL, d, &value, NULL),
                     ISOCAST_INVALID);
    assert_non_null(strstr(isocast_diagnostics_message(d, 0), "parsecs"));
    isocast_diagnostics_free(d);
    unbind(b);
}

static void handles_report_of_themselves(void **state) {
    (void)state;
    bound b = bind_adding();
    isocast_platform *platform = NULL;
    double p = 0;
    double C = 0;
    assert_string_equal(isocast_algorithm_name(b.algorithm), "adding");
    assert_int_equal(isocast_algorithm_size_count(b.algorithm), 1);
    assert_string_equal(isocast_algorithm_size_name(b.algorithm, 0), "N");
    assert_null(isocast_algorithm_size_name(b.algorithm, 1));
    assert_string_equal(isocast_machine_name(b.machine), "plain");
    assert_int_equal(isocast_machine_system_count(b.machine), 1);
    assert_string_equal(isocast_machine_system_name(b.machine, 0), "four");
    assert_int_equal(
        isocast_platform_load_text("small", switched, strlen(switched), NULL, &platform),
        ISOCAST_OK);
    assert_string_equal(isocast_platform_name(platform), "small");
    assert_int_equal(
        isocast_machine_describe_system(isocast_platform_hardware(platform), "2x3", NULL, &p, &C),
        ISOCAST_OK);
    assert_near(p, 6);
    assert_near(C, 12e9);
    isocast_platform_free(platform);
    unbind(b);
}

/* T = N/C + 4 log2(p) (2.508 us), where the numbers of the request's texts have points. */
static void time_by_hand(void) {
    bound b = bind_adding();
    isocast_prediction *prediction = NULL;
    isocast_request request = ISOCAST_REQUEST_INIT;
    request.systems = "four";
    request.N = 30000;
    assert_int_equal(isocast_model_predict(b.model, &request, NULL, &prediction), ISOCAST_OK);
    assert_near(isocast_prediction_number(prediction, 0, ISOCAST_QUANTITY_T),
                30000 / 6e9 + 8 * 2.508e-6);
    isocast_prediction_free(prediction);
    unbind(b);
}

/* A program may write numbers with a comma; files have points all the same. The locale is made
 * here, where the system has what it takes. */
static void locale_with_commas(void **state) {
    (void)state;
    char folder[] = "/tmp/isocast-locale-XXXXXX";
    if (mkdtemp(folder) == NULL) {
        skip();
    }
    char command[256];
    snprintf(command, sizeof command, "localedef -i de_DE -f UTF-8 %s/de_DE.UTF-8 2>/dev/null",
             folder);
    int made = system(command);
    setenv("LOCPATH", folder, 1);
    const char *set = made == 0 ? setlocale(LC_ALL, "de_DE.UTF-8") : NULL;
    if (set != NULL) {
        double half = 0.5;
        char text[8];
        snprintf(text, sizeof text, "%.1f", half);
        assert_string_equal(text, "0,5");
        time_by_hand();
        formulas(state);
        snprintf(text, sizeof text, "%.1f", half);
        assert_string_equal(text, "0,5");
    }
    setlocale(LC_ALL, "C");
    snprintf(command, sizeof command, "rm -r %s", folder);
    (void)!system(command);
    if (set == NULL) {
        skip();
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(version),
                                       cmocka_unit_test(problems_are_data),
                                       cmocka_unit_test(text_is_checked_as_files_are),
                                       cmocka_unit_test(arguments),
                                       cmocka_unit_test(requests),
                                       cmocka_unit_test(request_versions),
                                       cmocka_unit_test(operations),
                                       cmocka_unit_test(formulas),
                                       cmocka_unit_test(handles_report_of_themselves),
                                       cmocka_unit_test(locale_with_commas)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
