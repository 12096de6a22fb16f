/* The renderers on reports made by hand: units, prefixes, widths, quoting, what is missing. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "cli/options/number.h"
#include "cli/output/json_text.h"
#include "cli/output/render.h"
#include "cli/output/render_formats.h"
#include "cli/output/render_grid.h"

typedef void renderer(const cli_report *report, bool quiet, isocast_buffer *out);

/* On a page without an end. */
static void render_table(const cli_report *report, bool quiet, isocast_buffer *out) {
    cli_render_table(report, quiet, 0, out);
}

static void assert_renders(renderer *render, const cli_report *report, const char *due) {
    isocast_buffer out = {0};
    assert_false(report->failed);
    render(report, false, &out);
    assert_false(out.failed);
    assert_string_equal(out.text, due);
    isocast_buffer_free(&out);
}

/* A report with one column of numbers. */
static cli_report *one_column(cli_column column, const double *values, size_t count) {
    cli_report *report = cli_report_create();
    cli_report_column(report, &column);
    for (size_t i = 0; i < count; i++) {
        cli_report_number(report, values[i]);
    }
    return report;
}

static void assert_column(cli_column column, const double *values, size_t count, const char *due) {
    cli_report *report = one_column(column, values, count);
    assert_renders(render_table, report, due);
    cli_report_free(report);
}

static void test_prefix_by_column(void **state) {
    (void)state;
    const cli_column time = {.name = "T", .unit = "s", .kind = CLI_COLUMN_NUMBER};
    const cli_column speed = {.name = "C", .unit = "flop/s", .kind = CLI_COLUMN_NUMBER};
    const cli_column memory = {.name = "memory", .unit = "B", .kind = CLI_COLUMN_NUMBER};
    const cli_column ratio = {.name = "rate", .unit = "s/B", .kind = CLI_COLUMN_NUMBER};
    assert_column(time, (const double[]){0.0012, 0.25}, 2, "      T\n     ms\n  1.200\n250.000\n");
    assert_column(time, (const double[]){3e-6}, 1, "    T\n   us\n3.000\n");
    assert_column(time, (const double[]){86400, 7200}, 2, "    T\n    s\n86400\n 7200\n");
    assert_column(speed, (const double[]){62.05e6, 670.75e6}, 2,
                  "      C\nMflop/s\n  62.05\n 670.75\n");
    assert_column(speed, (const double[]){5}, 1, "     C\nflop/s\n 5.000\n");
    assert_column(memory, (const double[]){2e12}, 1, "memory\n    TB\n 2.000\n");
    assert_column(ratio, (const double[]){2e-9}, 1, " rate\n  s/B\n2e-09\n");
}

static void test_cells_of_a_column_agree(void **state) {
    (void)state;
    const cli_column count = {.name = "N", .kind = CLI_COLUMN_COUNT, .digits = 5};
    const cli_column share = {.name = "share", .kind = CLI_COLUMN_SHARE};
    assert_column(count, (const double[]){310, 1e9}, 2, "         N\n       310\n1000000000\n");
    assert_column(count, (const double[]){310, 504.9334}, 2, "     N\n310.00\n504.93\n");
    assert_column(count, (const double[]){NAN, 504.9334}, 2, "     N\n     -\n504.93\n");
    assert_column(count, (const double[]){506.938326, 391251464.3}, 2,
                  "         N\n    506.94\n3.9125e+08\n");
    assert_column(share, (const double[]){0.8123, 0}, 2, "share\n    %\n 81.2\n  0.0\n");
    assert_column(share, (const double[]){-0.0372}, 1, "share\n    %\n -3.7\n");
}

static void test_extreme_numbers(void **state) {
    (void)state;
    const cli_column work = {.name = "W", .unit = "flop", .kind = CLI_COLUMN_NUMBER};
    assert_column(work, (const double[]){0, 0}, 2, "   W\nflop\n   0\n   0\n");
    assert_column(work, (const double[]){1, 1e30}, 2, "    W\n flop\n    1\n1e+30\n");
    assert_column(work, (const double[]){INFINITY, NAN, -INFINITY}, 3,
                  "   W\nflop\n   -\n   -\n   -\n");
    assert_column(work, (const double[]){4.1e36}, 1, "      W\n  Eflop\n4.1e+18\n");
    assert_column(work, (const double[]){-2500, 2500}, 2, "     W\n kflop\n-2.500\n 2.500\n");
    const cli_column error = {.name = "error", .kind = CLI_COLUMN_SHARE};
    assert_column(error, (const double[]){-0.0123, 999.5, 1000, 1e300, -1e307}, 5,
                  "           error\n"
                  "               %\n"
                  "            -1.2\n"
                  "         99950.0\n"
                  "           1e+05\n"
                  "          1e+302\n"
                  "less than -1e308\n");
}

static void render_markdown(const cli_report *report, bool quiet, isocast_buffer *out) {
    cli_render_markup(report, false, quiet, out);
}

static void render_latex(const cli_report *report, bool quiet, isocast_buffer *out) {
    cli_render_markup(report, true, quiet, out);
}

/* A head without rows would say nothing; files have it. */
static void test_no_rows(void **state) {
    (void)state;
    cli_report *report = one_column((cli_column){.name = "N", .kind = CLI_COLUMN_COUNT}, NULL, 0);
    cli_report_title(report, "Nothing");
    cli_note(report, "It was not found.");
    assert_renders(render_table, report, "Nothing\n\nIt was not found.\n");
    assert_renders(render_markdown, report, "Nothing\n\nIt was not found.\n\n");
    isocast_buffer csv = {0};
    cli_render_csv(report, &csv);
    assert_string_equal(csv.text, "N\n");
    isocast_buffer_free(&csv);
    cli_report_free(report);
}

static cli_report *mixed_report(void) {
    cli_report *report = cli_report_create();
    cli_report_title(report, "Title of %d words", 4);
    cli_report_column(report, &(cli_column){.name = "system", .kind = CLI_COLUMN_TEXT});
    cli_report_column(report, &(cli_column){.name = "T", .unit = "s", .kind = CLI_COLUMN_NUMBER});
    cli_report_column(report,
                      &(cli_column){.name = "N_low", .kind = CLI_COLUMN_COUNT, .optional = true});
    cli_report_column(
        report,
        &(cli_column){.name = "memory", .unit = "B", .file_only = true, .kind = CLI_COLUMN_NUMBER});
    cli_report_column(report, &(cli_column){.name = "status", .kind = CLI_COLUMN_TEXT});
    cli_report_text(report, "größe|1");
    cli_report_number(report, 0.1);
    cli_report_number(report, NAN);
    cli_report_number(report, 4096);
    cli_report_text(report, "ok");
    cli_report_text(report, "x, \"y\"");
    cli_report_number(report, NAN);
    cli_report_number(report, NAN);
    cli_report_number(report, NAN);
    cli_report_text(report, NULL);
    cli_note(report, "A footnote.");
    return report;
}

static void test_table_of_texts(void **state) {
    (void)state;
    cli_report *report = mixed_report();
    assert_renders(render_table, report,
                   "Title of 4 words\n"
                   "\n"
                   "system       T  status\n"
                   "            ms\n"
                   "größe|1  100.0  ok\n"
                   "x, \"y\"       -  -\n"
                   "\n"
                   "A footnote.\n");
    isocast_buffer quiet = {0};
    render_table(report, true, &quiet);
    assert_null(strstr(quiet.text, "Title"));
    assert_null(strstr(quiet.text, "footnote"));
    isocast_buffer_free(&quiet);
    cli_report_free(report);
}

static void assert_renders_within(const cli_report *report, size_t columns, const char *due) {
    isocast_buffer out = {0};
    cli_render_table(report, false, columns, &out);
    assert_string_equal(out.text, due);
    isocast_buffer_free(&out);
}

/* What is too wide goes below, with the first column; nothing is cut, however narrow the page. */
static void test_narrow_page(void **state) {
    (void)state;
    cli_report *report = mixed_report();
    assert_renders_within(report, 23,
                          "Title of 4 words\n"
                          "\n"
                          "system       T  status\n"
                          "            ms\n"
                          "größe|1  100.0  ok\n"
                          "x, \"y\"       -  -\n"
                          "\n"
                          "A footnote.\n");
    assert_renders_within(report, 21,
                          "Title of 4 words\n"
                          "\n"
                          "system       T\n"
                          "            ms\n"
                          "größe|1  100.0\n"
                          "x, \"y\"       -\n"
                          "\n"
                          "system   status\n"
                          "größe|1  ok\n"
                          "x, \"y\"   -\n"
                          "\n"
                          "A footnote.\n");
    assert_renders_within(report, 5,
                          "Title\n"
                          "of 4\n"
                          "words\n"
                          "\n"
                          "system       T\n"
                          "            ms\n"
                          "größe|1  100.0\n"
                          "x, \"y\"       -\n"
                          "\n"
                          "system   status\n"
                          "größe|1  ok\n"
                          "x, \"y\"   -\n"
                          "\n"
                          "A\n"
                          "footnote.\n");
    cli_report_free(report);
}

/* Names reach LaTeX as texts, never as commands; what is said of the table stays a comment. */
static void test_latex(void **state) {
    (void)state;
    cli_report *report = cli_report_create();
    cli_report_title(report, "100 %% of \\input{x}");
    cli_report_column(report,
                      &(cli_column){.name = "T_low", .unit = "s", .kind = CLI_COLUMN_NUMBER});
    cli_report_column(report, &(cli_column){.name = "of", .kind = CLI_COLUMN_TEXT});
    cli_report_number(report, 0.25);
    cli_report_text(report, "\\input{a_b}&$^~#%<>|");
    assert_renders(render_latex, report,
                   "% 100 % of \\input{x}\n"
                   "% needs \\usepackage{booktabs}\n"
                   "\\begin{tabular}{rl}\n"
                   "\\toprule\n"
                   "T\\_low (ms) & of \\\\\n"
                   "\\midrule\n"
                   "250.0 & \\textbackslash{}input\\{a\\_b\\}\\&\\$\\textasciicircum{}"
                   "\\textasciitilde{}\\#\\%\\textless{}\\textgreater{}\\textbar{} \\\\\n"
                   "\\bottomrule\n"
                   "\\end{tabular}\n");
    cli_report_free(report);
}

static void test_markdown(void **state) {
    (void)state;
    cli_report *report = mixed_report();
    assert_renders(render_markdown, report,
                   "Title of 4 words\n"
                   "\n"
                   "| system | T (ms) | status |\n"
                   "|:---|---:|:---|\n"
                   "| größe\\|1 | 100.0 | ok |\n"
                   "| x, \"y\" | - | - |\n"
                   "\n"
                   "A footnote.\n"
                   "\n");
    cli_report_free(report);
}

static void test_csv(void **state) {
    (void)state;
    cli_report *report = mixed_report();
    isocast_buffer out = {0};
    cli_render_csv(report, &out);
    assert_string_equal(out.text, "system,T,N_low,memory,status\n"
                                  "größe|1,0.1,,4096,ok\n"
                                  "\"x, \"\"y\"\"\",,,,\n");
    isocast_buffer_free(&out);
    cli_report_free(report);
}

static void test_json_of_reports(void **state) {
    (void)state;
    cli_report *reports[] = {mixed_report(), cli_report_create()};
    isocast_buffer out = {0};
    cli_render_json(reports, 2, &out);
    assert_string_equal(
        out.text,
        "{\n"
        "  \"rows\": [\n"
        "    {\"system\": \"größe|1\", \"T\": 0.1, \"N_low\": null, \"memory\": 4096, "
        "\"status\": \"ok\"},\n"
        "    {\"system\": \"x, \\\"y\\\"\", \"T\": null, \"N_low\": null, \"memory\": null, "
        "\"status\": null}\n"
        "  ],\n"
        "  \"rows_2\": []\n"
        "}\n");
    isocast_buffer_free(&out);
    cli_report_free(reports[0]);
    cli_report_free(reports[1]);
}

static void test_json_numbers(void **state) {
    (void)state;
    static const struct {
        double value;
        const char *due;
    } cases[] = {{0.1, "0.1\n"},
                 {1.0 / 3, "0.3333333333333333\n"},
                 {0.1 + 0.2, "0.30000000000000004\n"},
                 {310, "310\n"},
                 {-0.0, "0\n"},
                 {9007199254740992.0, "9007199254740992\n"},
                 {1e300, "1e+300\n"},
                 {5e-324, "4.94065645841247e-324\n"},
                 {NAN, "null\n"},
                 {-INFINITY, "null\n"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        isocast_buffer out = {0};
        json_t *number = cli_json_number(cases[i].value);
        cli_json_format(number, &out);
        assert_string_equal(out.text, cases[i].due);
        json_decref(number);
        isocast_buffer_free(&out);
    }
}

static void test_json_strings(void **state) {
    (void)state;
    isocast_buffer out = {0};
    json_t *array = json_array();
    cli_json_append(&array, cli_json_string("a \"b\" \\ \n µ"));
    cli_json_append(&array, cli_json_string("no UTF-8: \xFF."));
    cli_json_append(&array, cli_json_string(NULL));
    cli_json_format(array, &out);
    assert_string_equal(out.text, "[\"a \\\"b\\\" \\\\ \\n µ\", \"no UTF-8: \uFFFD.\", null]\n");
    json_decref(array);
    isocast_buffer_free(&out);
}

/* Written by jansson itself, the text reads back as the same value. */
static void test_json_reads_back(void **state) {
    (void)state;
    const char text[] = "{\"a\": [1, 2.5, {\"deep\": [[], {}, [\"x\", true, false, null]]}], "
                        "\"long\": [\"0123456789012345678901234567890123456789\", "
                        "\"0123456789012345678901234567890123456789\", 1e-300]}";
    json_t *value = json_loads(text, 0, NULL);
    isocast_buffer out = {0};
    cli_json_format(value, &out);
    json_t *back = json_loads(out.text, 0, NULL);
    assert_true(json_equal(value, back));
    json_decref(value);
    json_decref(back);
    isocast_buffer_free(&out);
}

static void test_numbers_read(void **state) {
    (void)state;
    static const char *const refused[] = {"",      " 1",  "1 ",  "inf", "nan", "0x10", "1e999",
                                          "1.2.3", "1,5", "--1", "e5",  ".",   "1e",   "N"};
    double value = 42;
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
        assert_false(cli_number_parse(refused[i], &value));
        assert_true(value == 42);
    }
    const char *end;
    assert_true(cli_number_parse("-1.5e-3", &value) && value == -1.5e-3);
    assert_true(cli_number_parse("+.5", &value) && value == 0.5);
    assert_true(cli_number_scan("60s", &value, &end) && value == 60 && strcmp(end, "s") == 0);
    assert_true(cli_number_scan("2e3 min", &value, &end) && value == 2000 &&
                strcmp(end, " min") == 0);
}

static void test_text_width(void **state) {
    (void)state;
    assert_int_equal(cli_text_width(""), 0);
    assert_int_equal(cli_text_width("ascii"), 5);
    assert_int_equal(cli_text_width("µs"), 2);
    assert_int_equal(cli_text_width("größe"), 5);
    assert_int_equal(cli_text_width("e\u0301"), 1);
    assert_int_equal(cli_text_width("漢字"), 4);
    assert_int_equal(cli_text_width("\xFF\xFE"), 2);
}

/* Words by themselves, and before "_"; names in files stay. */
static void test_column_called_otherwise(void **state) {
    (void)state;
    cli_report *report = cli_report_create();
    static const cli_column columns[] = {
        {.name = "N", .kind = CLI_COLUMN_COUNT},
        {.name = "N_low", .kind = CLI_COLUMN_COUNT},
        {.name = "error", .heading = "error of N", .kind = CLI_COLUMN_COUNT},
        {.name = "NN", .kind = CLI_COLUMN_COUNT}};
    for (size_t i = 0; i < 4; i++) {
        cli_report_column(report, &columns[i]);
    }
    cli_report_call(report, "N", "points");
    for (int i = 1; i <= 4; i++) {
        cli_report_number(report, i);
    }
    assert_renders(render_table, report,
                   "points  points_low  error of points  NN\n"
                   "     1           2                3   4\n");
    isocast_buffer csv = {0};
    cli_render_csv(report, &csv);
    assert_string_equal(csv.text, "N,N_low,error,NN\n1,2,3,4\n");
    isocast_buffer_free(&csv);
    cli_report_free(report);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_column_called_otherwise),
                                       cmocka_unit_test(test_prefix_by_column),
                                       cmocka_unit_test(test_cells_of_a_column_agree),
                                       cmocka_unit_test(test_extreme_numbers),
                                       cmocka_unit_test(test_no_rows),
                                       cmocka_unit_test(test_table_of_texts),
                                       cmocka_unit_test(test_narrow_page),
                                       cmocka_unit_test(test_markdown),
                                       cmocka_unit_test(test_latex),
                                       cmocka_unit_test(test_csv),
                                       cmocka_unit_test(test_json_of_reports),
                                       cmocka_unit_test(test_json_numbers),
                                       cmocka_unit_test(test_json_strings),
                                       cmocka_unit_test(test_json_reads_back),
                                       cmocka_unit_test(test_numbers_read),
                                       cmocka_unit_test(test_text_width)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
