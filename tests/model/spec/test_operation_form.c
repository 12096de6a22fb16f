/* Operations as mappings: the formula, the names and the errors that each form stands for. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "model/spec/operation_form.h"

/* A file with one operation. */
typedef struct file {
    isocast_diagnostics diagnostics;
    isocast_tree *tree;
    isocast_coefficients coefficients;
    isocast_formula *formula;
    isocast_measured measured;
    isocast_fitted fitted;
} file;

static void read_file(const char *text, file *f) {
    isocast_source *source = NULL;
    *f = (file){.measured = {NAN, NAN, NAN, NAN}, .fitted = {NAN, NAN, NAN}};
    assert_int_equal(isocast_source_create("file", text, strlen(text), &source), ISOCAST_OK);
    assert_int_equal(isocast_tree_parse(source, &f->diagnostics, &f->tree), ISOCAST_OK);
    const isocast_tree_entry *entry = &f->tree->root.entries[0];
    isocast_reader reader = {f->tree->source, &f->diagnostics, ISOCAST_OK};
    f->formula = isocast_operation_form_read(&reader, entry, entry->key.text,
                                             strncmp(entry->key.text, "T_", 2) != 0,
                                             &f->coefficients, &f->measured, &f->fitted);
    if (f->formula == NULL) {
        isocast_buffer said = {0};
        isocast_diagnostics_render(&f->diagnostics, &said);
        print_message("%s", said.text);
        isocast_buffer_free(&said);
    }
    assert_non_null(f->formula);
}

static void free_file(file *f) {
    isocast_formula_free(f->formula);
    isocast_coefficients_free(&f->coefficients);
    isocast_tree_free(f->tree);
    isocast_diagnostics_clear(&f->diagnostics);
}

static void forms_stand_for_formulas(void **state) {
    (void)state;
    static const struct {
        const char *text, *formula;
    } cases[] = {
        {"T_send: {start: 1 us, byte: 1 ns/B}", "send_start + send_byte*m"},
        {"T_send: {measured: {p: [2, 2]}, formula: 2*m*(1 ns/B)}", "2*m*1e-09 s/B"},
        {"T_x: {plus: p*(1 us), start: 1 us}", "p*1e-06 s + x_start"},
        {"T_x: {level: 2, formula: 1 us + 2 us}", "x_level*(1e-06 s + 2e-06 s)"},
        {"T_bcast: {ranges: [{from: 0 B, step: 1 us}, {from: 8 KiB, byte: 1 ns/B}]}",
         "if(m < 8192 B, bcast_0_8K_step*ceil(log2(p)), bcast_8K_up_byte*m)"},
        {"T_x: {size: m/p, ranges: [{start: 1 us}, {from: 8 KiB, start: 1 us}]}",
         "if(m/p < 8192 B, x_0_8K_start, x_8K_up_start)"},
        {"T_x: {one_node: {start: 1 us}, several_nodes: {process: 1 us}}",
         "if(nodes == 1, x_node_start, x_process*(p - 1))"},
        {"T_x: {start: 1 us, step: 1 us, ratio: {2: 1.5, 4: 1}}",
         "(x_start + x_step*ceil(log2(p)))*interpolate(p, 2, 1.5, 4, 1)"},
        {"T_x: {start: 1 us, ratio: {2: 1.5, 4: 1}, ratio_shared: {2: 3, 4: 1}}",
         "x_start*if(nodes < p, interpolate(p, 2, 3, 4, 1), interpolate(p, 2, 1.5, 4, 1))"},
        {"T_x: {start: 1 us, ratio_shared: {2: 3, 4: 1}}",
         "x_start*if(nodes < p, interpolate(p, 2, 3, 4, 1), 1)"},
        {"T_x: {shape: ring, step: 1 us, byte: 1 ns/B}", "x_step*(p - 1) + x_byte*m*(p - 1)/p"},
        {"T_copy: {table: {8 B: 1 ns/B, 1 KiB: 2 ns/B}}",
         "m*interpolate(log2(m/1 B), 3, copy_8B, 10, copy_1024B)"},
        {"T_copy: {axis: m, table: {8 B: 1 us}}", "copy_8B"},
        {"T_x: {level: 1, axis: m, beyond: proportional, factors: [1, p^0.5], table: {8 B: [1 us, "
         "2 us], 16 B: [3 us, 4 us]}}",
         "x_level*((interpolate(m/1 B, 8, 1e-06 s, 16, 3e-06 s)*1 + interpolate(m/1 B, 8, "
         "2e-06 s, 16, 4e-06 s)*p^0.5)*max(1, m/16 B))"},
        {"T_x: {mean_of: [{share: 0.4, start: 1 us}, {share: 0.6, step: 1 us}]}",
         "0.4*x_start + 0.6*(x_step*ceil(log2(p)))"},
        {"ge: {tables: {1: {8 B: 1 ns/flop, 16 B: 1 ns/flop}, 4: {8 B: 1 ns/flop}}}",
         "if(p <= 1, interpolate(log2(m/1 B), 3, ge_p1_8B, 4, ge_p1_16B), ge_p4_8B)"},
        {"T_all-to-all: {start: 1 us}", "all_to_all_start"},
        {"T_2d: {start: 1 us}", "_2d_start"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        file f;
        isocast_buffer formula = {0};
        read_file(cases[i].text, &f);
        isocast_formula_format(f.formula, &formula);
        assert_string_equal(formula.text, cases[i].formula);
        isocast_buffer_free(&formula);
        free_file(&f);
    }
}

/* More digits would show in every formula that is printed, and move nothing. */
static void logarithms_of_sizes_have_six_digits(void **state) {
    (void)state;
    file f;
    isocast_buffer formula = {0};
    read_file("T_copy: {table: {768 B: 1 ns/B, 8396800 B: 2 ns/B}}", &f);
    isocast_formula_format(f.formula, &formula);
    assert_string_equal(formula.text,
                        "m*interpolate(log2(m/1 B), 9.58496, copy_768B, 23.0014, copy_8396800B)");
    isocast_buffer_free(&formula);
    free_file(&f);
}

static void errors_stand_with_their_numbers(void **state) {
    (void)state;
    file f;
    read_file("T_x:\n"
              "  measured: {p: [2, 16], m: [8 B, 1 MiB]}\n"
              "  fit: {mean_error: 0.031, misfit: 0.02, drift: 0.1, form: any}\n"
              "  ranges:\n"
              "    - {start: 2 us \xC2\xB1 3 %, byte: 1 ns/B +/- 20 ps/B, correlation: [-0.5]}\n"
              "    - {from: 8 KiB, start: -4 us\xC2\xB1"
              "25%, byte: 0 s/B}\n",
              &f);
    const isocast_coefficient *c = f.coefficients.items;
    assert_int_equal(f.coefficients.count, 4);
    assert_string_equal(c[0].name, "x_0_8K_start");
    assert_true(fabs(c[0].number.value - 2e-6) < 1e-20);
    assert_true(fabs(c[0].number.error - 6e-8) < 1e-20);
    assert_true(fabs(c[1].number.error - 2e-11) < 1e-24);
    assert_true(fabs(c[2].number.error - 1e-6) < 1e-20);
    assert_true(isnan(c[3].number.error));
    assert_int_equal(f.coefficients.correlation_count, 1);
    assert_int_equal(f.coefficients.correlations[0].first, 1);
    assert_int_equal(f.coefficients.correlations[0].second, 0);
    assert_true(f.coefficients.correlations[0].value == -0.5);
    assert_true(f.measured.p_max == 16 && f.measured.m_min == 8 && f.fitted.mean_error == 0.031 &&
                f.fitted.misfit == 0.02 && f.fitted.drift == 0.1);
    free_file(&f);
}

/* What is wrong in a part that the file has as a formula is reported at that place. */
static void places_are_those_of_the_file(void **state) {
    (void)state;
    static const char text[] = "T_x: {start: 1 us, plus: 3*nothing}";
    file f;
    read_file(text, &f);
    const isocast_formula_node *plus = f.formula->root->arguments[0];
    const isocast_formula_node *start = f.formula->root->arguments[1];
    const isocast_formula_node *nothing = plus->arguments[1];
    assert_memory_equal(text + nothing->span.begin, "nothing}", 8);
    assert_int_equal(nothing->span.end - nothing->span.begin, strlen("nothing"));
    assert_memory_equal(text + start->span.begin, "1 us,", 5);
    free_file(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(forms_stand_for_formulas),
        cmocka_unit_test(logarithms_of_sizes_have_six_digits),
        cmocka_unit_test(errors_stand_with_their_numbers),
        cmocka_unit_test(places_are_those_of_the_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
