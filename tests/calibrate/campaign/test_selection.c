/* What is measured, chosen from what a probe lists, without a probe. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "calibrate/campaign/selection.h"
#include "model/spec/algorithm_load.h"

static campaign_selection listed(void) {
    static const char *const lines[] = {"T_send\tusual",    "T_recv\tusual",      "T_bcast\tusual",
                                        "T_barrier\tusual", "T_scan\ton request", "ge\tkernel",
                                        "triad\tkernel"};
    campaign_selection w = {0};
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        assert_true(campaign_selection_take_line(lines[i], &w));
    }
    return w;
}

/* The names that are wanted, a blank before each. */
static const char *wanted(const campaign_selection *w) {
    static char text[512];
    text[0] = '\0';
    for (size_t i = 0; i < w->count; i++) {
        if (w->items[i].wanted) {
            strcat(strcat(text, " "), w->items[i].name);
        }
    }
    return text;
}

static char *weights(const campaign_selection *w) {
    char *text = NULL;
    assert_int_equal(campaign_selection_weights(w, &text), ISOCAST_OK);
    return text;
}

static void the_usual_is_wanted_first(void **state) {
    (void)state;
    campaign_selection w = listed();
    assert_int_equal(w.count, 7);
    assert_string_equal(wanted(&w), " T_send T_recv T_bcast T_barrier ge triad");
    assert_true(campaign_selection_extent(&w) == 1);
    assert_false(campaign_selection_take_line("no tab", &w));
}

static void a_kernel_may_be_measured_on_request(void **state) {
    (void)state;
    campaign_selection w = listed();
    double extent = campaign_selection_extent(&w);
    assert_true(campaign_selection_take_line("sum\tkernel on request", &w));
    assert_string_equal(wanted(&w), " T_send T_recv T_bcast T_barrier ge triad");
    assert_true(campaign_selection_extent(&w) == extent);
    assert_true(w.items[w.count - 1].is_kernel);
    isocast_span unknown;
    assert_int_equal(campaign_selection_want_list(&w, "usual,sum", &unknown), ISOCAST_OK);
    assert_string_equal(wanted(&w), " T_send T_recv T_bcast T_barrier ge triad sum");
}

static void lists_name_what_is_wanted(void **state) {
    (void)state;
    static const struct {
        const char *list;
        const char *wanted;
    } cases[] = {{"ge", " ge"},
                 {"T_scan,T_bcast", " T_bcast T_scan"},
                 {"usual,T_scan", " T_send T_recv T_bcast T_barrier T_scan ge triad"},
                 {"all", " T_send T_recv T_bcast T_barrier T_scan ge triad"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        campaign_selection w = listed();
        isocast_span unknown;
        assert_int_equal(campaign_selection_want_list(&w, cases[i].list, &unknown), ISOCAST_OK);
        assert_string_equal(wanted(&w), cases[i].wanted);
    }
}

static isocast_algorithm *algorithm_of(const char *text) {
    char path[] = "/tmp/isocast-selection-XXXXXX";
    int file = mkstemp(path);
    assert_true(file >= 0);
    assert_int_equal(write(file, text, strlen(text)), strlen(text));
    close(file);
    isocast_diagnostics diagnostics = {0};
    isocast_algorithm *algorithm = NULL;
    assert_int_equal(isocast_algorithm_load(path, &diagnostics, &algorithm), ISOCAST_OK);
    isocast_diagnostics_clear(&diagnostics);
    unlink(path);
    return algorithm;
}

static void unknown_names_have_a_place(void **state) {
    (void)state;
    campaign_selection w = listed();
    isocast_span unknown;
    assert_int_equal(campaign_selection_want_list(&w, "ge,T_nothing,ge", &unknown),
                     ISOCAST_ARGUMENT);
    assert_int_equal(unknown.begin, 3);
    assert_int_equal(unknown.end, 12);
    assert_int_equal(campaign_selection_want_list(&w, "", &unknown), ISOCAST_ARGUMENT);
}

static void the_benchmark_is_always_measured(void **state) {
    (void)state;
    campaign_selection w = listed();
    isocast_span unknown;
    campaign_selection_want_list(&w, "T_bcast", &unknown);
    char *text = weights(&w);
    assert_string_equal(text, "T_bcast=1,ge:1024=0.3");
    free(text);
    campaign_selection_want_list(&w, "T_barrier,ge", &unknown);
    text = weights(&w);
    assert_string_equal(text, "T_barrier=0.2,ge=3");
    free(text);
    /* 3.2 of 1 + 1 + 1 + 0.2 + 3 + 3. */
    assert_true(fabs(campaign_selection_extent(&w) - 3.2 / 9.2) < 1e-12);
}

static void algorithms_want_what_they_call(void **state) {
    (void)state;
    campaign_selection w = listed();
    isocast_algorithm *algorithm = algorithm_of("algorithm: a\nsize: {N: {min: 1}}\nwork: N\n"
                                                "kernel: ge\ncompute: (1 flop)*N*t_c\n"
                                                "memory: 8 B * N\n"
                                                "overhead: {share: T_bcast(8 B * N)}\n");
    campaign_selection_want_algorithm(&w, algorithm);
    /* What one message takes is part of what a collective takes. */
    assert_string_equal(wanted(&w), " T_send T_recv T_bcast ge");
    isocast_algorithm_free(algorithm);
}

/* Steps of a program call operations as formulas do. What stands in for an operation that is
 * measured is not. */
static void programs_want_what_their_steps_call(void **state) {
    (void)state;
    campaign_selection w = listed();
    isocast_algorithm *algorithm =
        algorithm_of("algorithm: a\nsize: {N: {min: 1}}\nwork: N\nkernel: ge\nprogram:\n"
                     "  - work: 1 flop*N\n  - scan: {bytes: 8 B}\n  - barrier\n");
    campaign_selection_want_algorithm(&w, algorithm);
    assert_string_equal(wanted(&w), " T_send T_recv T_barrier T_scan ge");
    isocast_algorithm_free(algorithm);
}

/* An own name is no operation that can be measured: what it is made of is. */
static void own_names_want_what_they_are_made_of(void **state) {
    (void)state;
    campaign_selection w = listed();
    isocast_algorithm *algorithm =
        algorithm_of("algorithm: x\nsize: {N: {min: 1}}\nwork: N\n"
                     "overhead: {steps: T_steps(8 B * N)}\n"
                     "operations: {T_steps: T_whole(m), T_whole: T_bcast(m)}\n");
    campaign_selection_want_algorithm(&w, algorithm);
    assert_string_equal(wanted(&w), " T_send T_recv T_bcast");
    isocast_algorithm_free(algorithm);
}

static void an_algorithm_may_want_nothing(void **state) {
    (void)state;
    campaign_selection w = listed();
    isocast_algorithm *algorithm =
        algorithm_of("algorithm: a\nsize: {N: {min: 1}}\nwork: N\noverhead: {share: 1 us * p}\n");
    campaign_selection_want_algorithm(&w, algorithm);
    assert_string_equal(wanted(&w), "");
    isocast_algorithm_free(algorithm);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_usual_is_wanted_first),
        cmocka_unit_test(a_kernel_may_be_measured_on_request),
        cmocka_unit_test(lists_name_what_is_wanted),
        cmocka_unit_test(unknown_names_have_a_place),
        cmocka_unit_test(the_benchmark_is_always_measured),
        cmocka_unit_test(algorithms_want_what_they_call),
        cmocka_unit_test(programs_want_what_their_steps_call),
        cmocka_unit_test(own_names_want_what_they_are_made_of),
        cmocka_unit_test(an_algorithm_may_want_nothing),
    };
    return cmocka_run_group_tests_name("selection", tests, NULL, NULL);
}
