/* What a fit writes is read as what it found: names, numbers, errors and their covariance. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>

#include "calibrate/fit/fit.h"
#include "calibrate/fit/fit_text.h"
#include "calibrate/fit/machine_file.h"
#include "fitted_machine.h"
#include "model/base/binomial.h"
#include "model/spec/machine_load.h"
#include "model/spec/marked_speed.h"
#include "tests/calibrate/samples/sample_lines.h"

enum { LAUNCHES = 4, CALLS = 5 };

static const double sizes[] = {8, 100, 1024, 3000, 8192, 12288, 65536, 300000, 1048576};
enum { SIZES = sizeof sizes / sizeof sizes[0] };

/* Seconds of an operation on p processes of which p_node share a node. */
typedef double (*truth)(double p, double p_node, double m);

static double message(double p, double p_node, double m) {
    (void)p;
    (void)p_node;
    return m < 8000 ? 1e-6 + 1e-9 * m : 5e-6 + 0.7e-9 * m;
}

static double broadcast(double p, double p_node, double m) {
    double tree = 1e-6 * floor(log2(p)) + 1e-9 * m * isocast_binomial_volume(p);
    double ring = (p - 1) * message(p, p_node, m / p) + message(p, p_node, m);
    return m <= 12288 || p < 8 ? tree : ring;
}

static double dealing(double p, double p_node, double m) {
    return p > p_node ? (p - p_node) * (2e-6 + 1e-9 * m) : (p - 1) * (0.5e-6 + 1e-10 * m);
}

static double copying(double p, double p_node, double m) {
    (void)p;
    (void)p_node;
    return 1e-7 + m * (m > 1e5 ? 3e-10 : 1e-10);
}

static double elimination(double p, double p_node, double m) {
    (void)p_node;
    return (m > 2e5 ? 3e-10 : 1e-10) * (1 + 0.1 * p);
}

static const struct {
    const char *name;
    truth of;
} operations[] = {{"T_send", message},    {"T_recv", message},    {"T_sendrecv", message},
                  {"T_bcast", broadcast}, {"T_scatter", dealing}, {"T_copy", copying},
                  {"ge", elimination}};
enum { OPERATIONS = sizeof operations / sizeof operations[0] };

static void draw(samples *s, double noise, bool nodes) {
    static const double counts[] = {2, 3, 4, 8, 9, 12};
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    for (size_t i = 0; i < OPERATIONS * LAUNCHES; i++) {
        double shift = exp(gsl_ran_gaussian(rng, noise));
        for (size_t k = 0; k < SIZES * sizeof counts / sizeof counts[0] * 2; k++) {
            double m = sizes[k % SIZES];
            double p = counts[k / SIZES / 2];
            double p_node = k / SIZES % 2 == 0 || !nodes ? p : 1;
            for (int call = 0; call < CALLS && (nodes || k / SIZES % 2 == 0); call++) {
                char line[256];
                snprintf(line, sizeof line, "%zu,%s,%g,%.0f,%d,%.17g,count,0,%g,%g", i % LAUNCHES,
                         operations[i / LAUNCHES].name, p, m, call,
                         operations[i / LAUNCHES].of(p, p_node, m) * shift *
                             exp(gsl_ran_gaussian(rng, noise / 5)),
                         p / p_node, p_node);
                add_line(s, line, SAMPLES_LINE_ROW);
            }
        }
    }
    gsl_rng_free(rng);
}

static isocast_machine *load(const isocast_buffer *text) {
    char path[] = "/tmp/isocast-test-XXXXXX";
    int file = mkstemp(path);
    assert_true(file >= 0);
    assert_int_equal(write(file, text->text, text->length), (long)text->length);
    close(file);
    isocast_diagnostics diagnostics = {0};
    isocast_machine *machine = NULL;
    isocast_status status = isocast_machine_load(path, &diagnostics, &machine);
    unlink(path);
    if (status != ISOCAST_OK) {
        isocast_buffer said = {0};
        isocast_diagnostics_render(&diagnostics, &said);
        fail_msg("%s", said.text);
    }
    isocast_diagnostics_clear(&diagnostics);
    return machine;
}

/* The ranges of p and m of each operation. */
static void compare(const fit *f, const isocast_machine *machine) {
    for (size_t i = 0; i < f->operation_count; i++) {
        const fit_operation *o = &f->operations[i];
        const isocast_operation *all = o->is_kernel ? machine->compute : machine->operations;
        while (strcmp(all->name, o->name) != 0) {
            all++;
        }
        assert_true(all->p_max == o->p_max && all->m_max == o->m_max && all->p_min == o->p_min);
    }
}

static void check(double noise, bool nodes) {
    samples s = {0};
    draw(&s, noise, nodes);
    fit f = {0};
    assert_int_equal(fit_samples(&s, NULL, &f), ISOCAST_OK);
    const machine_file file = {.name = "any \"machine\"",
                               .date = "now",
                               .version = "0",
                               .command = "",
                               .benchmark = "b",
                               .processors = 4,
                               .marked_speed = 1e9,
                               .t_c = NAN,
                               .memory_bandwidth = NAN,
                               .node_bandwidth = 123e9,
                               .others = NAN,
                               .samples_file = "",
                               .samples_sha256 = "0",
                               .environment =
                                   "# host: a\n# process 0 of 2: a\n# process 1 of 2: b\n"
                                   "# MPIR_CVAR_X: 1\n"};
    isocast_buffer text = {0};
    machine_file_write(&file, &f, &text);
    assert_false(text.failed);
    assert_non_null(strstr(text.text, "    \"host\": \"a\"\n"
                                      "    process *: {\"0 of 2\": \"a\", \"1 of 2\": \"b\"}\n"
                                      "    MPIR_CVAR_*: {\"X\": \"1\"}\n"));
    isocast_machine *machine = load(&text);
    compare(&f, machine);
    assert_true(fabs(machine->classes[0].memory_bandwidth / 123e9 - 1) < 1e-5);
    isocast_machine_free(machine);
    isocast_buffer_free(&text);
    fit_free(&f);
    samples_free(&s);
}

static void a_fit_is_read_again(void **state) {
    (void)state;
    check(0.1, true);
    check(0.1, false);
    check(0.001, true);
    /* As in a simulation: all calls take the same time. */
    check(0, true);
}

/* The numbers of two ranges of m: their values, and how their errors go together. */
static void numbers_and_errors_are_read_again(void **state) {
    (void)state;
    enum { NUMBERS = 5, FIRST = 3 };
    static const unsigned terms[] = {1U << FIT_TERM_CONSTANT | 1U << FIT_TERM_STEPS |
                                         1U << FIT_TERM_BYTES,
                                     1U << FIT_TERM_CONSTANT | 1U << FIT_TERM_STEP_BYTES};
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    for (int draw = 0; draw < 40; draw++) {
        fit_ranges ranges = {.law = &fit_operation_law, .count = 2};
        double factors[NUMBERS][NUMBERS] = {{0}};
        double covariance[NUMBERS * NUMBERS] = {0};
        fit_place places[FIT_COEFFICIENTS_MAX];
        for (size_t r = 0; r < 2; r++) {
            ranges.items[r] = (fit_range){.from = 8192 * (double)r, .terms = terms[r]};
        }
        assert_int_equal(fit_ranges_places(&ranges, places), NUMBERS);
        for (size_t i = 0; i < NUMBERS; i++) {
            bool of_bytes = strcmp(fit_law_term(ranges.law, places[i].term)->unit, "s") != 0;
            double value = (of_bytes ? 1e-9 : 1e-6) * (1 + gsl_rng_uniform(rng));
            ranges.items[places[i].range].coefficient[places[i].term] = value;
            for (size_t k = i < FIRST ? 0 : FIRST; k <= i; k++) {
                factors[i][k] = 0.03 * value * gsl_ran_gaussian(rng, 1);
            }
        }
        for (size_t i = 0; i < NUMBERS * NUMBERS * NUMBERS; i++) {
            size_t row = i / NUMBERS / NUMBERS;
            size_t column = i / NUMBERS % NUMBERS;
            covariance[i / NUMBERS] += factors[row][i % NUMBERS] * factors[column][i % NUMBERS];
        }
        fit_operation operation = {.name = "T_reduce", .p_min = 2, .p_max = 8, .m_max = 1e6};
        const fit f = {.operations = &operation, .operation_count = 1};
        fit_put_ranges(&(fit_ranges_text){.ranges = &ranges, .covariance = covariance},
                       FIT_BODY_INDENT, &operation.body);
        isocast_machine *machine = fitted_machine(&f);
        size_t indices[NUMBERS];
        assert_int_equal(machine->parameter_count, NUMBERS);
        for (size_t i = 0; i < NUMBERS; i++) {
            char name[FIT_NAME_MAX];
            fit_coefficient_name(&ranges, "reduce", &places[i], name, sizeof name);
            indices[i] = fitted_index(machine, name);
        }
        for (size_t i = 0; i < NUMBERS * NUMBERS; i++) {
            size_t a = i / NUMBERS;
            size_t b = i % NUMBERS;
            double value = ranges.items[places[a].range].coefficient[places[a].term];
            double scale = value * ranges.items[places[b].range].coefficient[places[b].term];
            double errors = sqrt(covariance[a * NUMBERS + a] * covariance[b * NUMBERS + b]);
            double read = isocast_machine_covariance(machine, indices[a], indices[b]);
            /* Nine digits, or those that the error does not hide. */
            assert_true(fabs(machine->parameters[indices[a]].value - value) <=
                        5.1e-9 * value + 1e-4 * sqrt(covariance[a * NUMBERS + a]));
            /* Relative errors may be off by 1e-6, correlations by 1e-6 over the errors. */
            double larger = fmax(sqrt(covariance[a * NUMBERS + a]) * scale / value,
                                 sqrt(covariance[b * NUMBERS + b]) * value);
            double shown = 1e-6 * larger + 1e-4 * errors;
            if (!(fabs(read - covariance[i]) <= shown)) {
                fail_msg("the covariance of %zu and %zu is off by %g of %g, %g of the errors", a, b,
                         fabs(read - covariance[i]) / shown, shown / scale, shown / errors);
            }
        }
        isocast_machine_free(machine);
        isocast_buffer_free(&operation.body);
    }
    gsl_rng_free(rng);
}

/* The marked speeds of the suite, with the mean of those that count for it. */
static void marked_speeds_are_read_again(void **state) {
    (void)state;
    samples s = {0};
    draw(&s, 0.1, false);
    fit f = {0};
    assert_int_equal(fit_samples(&s, NULL, &f), ISOCAST_OK);
    machine_file_class classes[] = {
        {.name = "old", .count = 2, .processors = 4, .memory = 4e9, .marked_speed = NAN},
        {.name = "new", .count = 1, .processors = 8, .memory = 8e9, .marked_speed = NAN}};
    static const struct {
        const char *program;
        bool in_mean;
        double value;
    } due[] = {{"ge", true, 1e9 / 3}, {"mm", true, 60e9}, {"csr", true, 7e8}, {"x", false, 1e12}};
    for (size_t c = 0; c < 2; c++) {
        for (size_t i = 0; i < 4; i++) {
            double value = due[i].value * (double)(c + 1);
            classes[c].speeds[classes[c].speed_count++] =
                (machine_file_speed){.member = {due[i].program, "what it is", due[i].in_mean},
                                     .value = value,
                                     .error = i == 2 ? NAN : 0.01 * value,
                                     .launches = i + 1,
                                     .bytes = 67e6};
        }
    }
    const machine_file file = {.name = "m",
                               .date = "now",
                               .version = "0",
                               .command = "",
                               .classes = classes,
                               .class_count = 2,
                               .left_out = "fft and stencil",
                               .marked_speed = 1,
                               .t_c = 1e-10,
                               .memory_bandwidth = NAN,
                               .node_bandwidth = 123e9,
                               .others = NAN,
                               .samples_file = "",
                               .samples_sha256 = "0",
                               .environment = ""};
    isocast_buffer text = {0};
    machine_file_write(&file, &f, &text);
    assert_false(text.failed);
    assert_non_null(strstr(text.text, "# the mean of ge, mm and csr\n"));
    assert_non_null(strstr(
        text.text, "- \"there was no time to measure the marked speed for fft and stencil\""));
    isocast_machine *machine = load(&text);
    assert_int_equal(machine->class_count, 2);
    for (size_t c = 0; c < 2; c++) {
        const isocast_node_class *class = &machine->classes[c];
        double mean = 0;
        for (size_t i = 0; i < 4; i++) {
            double value = due[i].value * (double)(c + 1);
            assert_true(fabs(isocast_marked_speed_of(class, due[i].program) / value - 1) < 1e-5);
            double error = isocast_marked_speed_error(class, due[i].program);
            assert_true(i == 2 ? isnan(error) : fabs(error / (0.01 * value) - 1) < 0.01);
            mean += due[i].in_mean ? value / 3 : 0;
        }
        assert_true(fabs(isocast_marked_speed_of(class, "other") / mean - 1) < 1e-5);
        assert_true(fabs(machine_file_mean_speed(&classes[c]) / mean - 1) < 1e-12);
        assert_true(isnan(class->memory_bandwidth)); /* of which class it is nobody knows */
        assert_true(class->processors == (c == 0 ? 4 : 8) &&
                    class->memory == 4e9 * (double)(c + 1));
    }
    assert_int_equal(isocast_marked_speed_origin_of(machine, "other"),
                     ISOCAST_MARKED_SPEED_DEFAULT);
    assert_string_equal(isocast_marked_speed_benchmark(machine, "mm"),
                        "what it is, 67 MB, in 2 launches");
    assert_string_equal(isocast_marked_speed_benchmark(machine, "other"),
                        "the mean of ge, mm and csr");
    isocast_machine_free(machine);
    isocast_buffer_free(&text);
    fit_free(&f);
    samples_free(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_fit_is_read_again),
                                       cmocka_unit_test(numbers_and_errors_are_read_again),
                                       cmocka_unit_test(marked_speeds_are_read_again)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
