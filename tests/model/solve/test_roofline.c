/* Work is flop and bytes: T_c against the closed form of a roofline. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "model/solve/model.h"
#include "model/solve/prediction.h"
#include "model/spec/algorithm_load.h"
#include "model/spec/machine_load.h"

static const char with_traffic[] =
    "algorithm: grid\nsize: {N: {min: 1}}\nwork: 10*N^3\noverhead: {halo: T_sendrecv(8 B*N^2/p)}\n"
    "memory: 16 B*N^3/p\ntraffic: 24 B*N^3\n";
static const char machine_text[] =
    "machine: m\nnodes:\n"
    "  thin: {count: 64, processors: 32, sockets: 2, marked_speed: 2 Gflop/s, memory_bandwidth: "
    "100 GB/s, cache: 32 MB}\n"
    "  fat: {count: 8, processors: 16, marked_speed: 4 Gflop/s, memory_bandwidth: 60 GB/s}\n"
    "%soperations: {T_sendrecv: 2 us + 0.1 ns/B*m}\n";

static isocast_algorithm *algorithm(const char *text) {
    isocast_diagnostics diagnostics = {0};
    isocast_algorithm *out = NULL;
    assert_int_equal(isocast_algorithm_read_text("a", text, strlen(text), &diagnostics, &out),
                     ISOCAST_OK);
    isocast_diagnostics_clear(&diagnostics);
    return out;
}

static isocast_machine *machine(const char *parameters) {
    char text[512];
    snprintf(text, sizeof text, machine_text, parameters);
    isocast_diagnostics diagnostics = {0};
    isocast_machine *out = NULL;
    assert_int_equal(isocast_machine_read_text("m", text, strlen(text), &diagnostics, &out),
                     ISOCAST_OK);
    isocast_diagnostics_clear(&diagnostics);
    return out;
}

/* Processes of a class, so many on a node. */
typedef struct entry {
    double processes, each, sockets, bandwidth, cache;
} entry;

static double closed_form(double N, double p, double C, const entry *entries, size_t count,
                          double one) {
    double T = 10 * N * N * N / C;
    double set = 16 * N * N * N / p;
    for (size_t i = 0; i < count; i++) {
        double parts = fmax(entries[i].each, entries[i].sockets);
        double rate = fmin(entries[i].bandwidth / parts, one);
        double cache = entries[i].cache * entries[i].sockets / parts;
        double out = set > cache ? 1 - cache / set : 0;
        T = fmax(T, 24 * N * N * N / p / rate * out);
    }
    return T;
}

static const struct {
    const char *text;
    double p, C;
    entry entries[2];
    size_t count;
} systems[] = {
    {"thin:1", 1, 2e9, {{1, 1, 2, 100e9, 32e6}}, 1},
    {"thin:3", 3, 6e9, {{3, 3, 2, 100e9, 32e6}}, 1},
    {"thin:32", 32, 64e9, {{32, 32, 2, 100e9, 32e6}}, 1},
    {"thin:512", 512, 1024e9, {{512, 32, 2, 100e9, 32e6}}, 1},
    {"thin:8x16", 128, 256e9, {{128, 8, 2, 100e9, 32e6}}, 1},
    {"fat:16", 16, 64e9, {{16, 16, 1, 60e9, 0}}, 1},
    {"thin:64+fat:32", 96, 256e9, {{64, 32, 2, 100e9, 32e6}, {32, 16, 1, 60e9, 0}}, 2},
};

static void check(const char *parameters, double one) {
    isocast_diagnostics diagnostics = {0};
    isocast_algorithm *a = algorithm(with_traffic);
    isocast_machine *m = machine(parameters);
    isocast_model *model = NULL;
    assert_int_equal(isocast_model_create(a, m, &diagnostics, &model), ISOCAST_OK);
    assert_int_equal(diagnostics.count, 0);
    for (size_t i = 0; i < sizeof systems / sizeof systems[0]; i++) {
        isocast_system **parsed = NULL;
        size_t count = 0;
        assert_int_equal(
            isocast_systems_parse(m, NULL, "--to", systems[i].text, &diagnostics, &parsed, &count),
            ISOCAST_OK);
        static const double N[] = {3, 20, 64, 100, 200, 400, 1000, 5000};
        enum { POINTS = sizeof N / sizeof N[0] };
        double T_c[POINTS];
        double E[POINTS];
        isocast_model_points points = {
            .count = POINTS, .N = N, .systems = (const isocast_system *const *)parsed};
        isocast_model_results results = {.T_c = T_c, .E = E};
        assert_int_equal(isocast_model_evaluate(model, &points, &results), ISOCAST_OK);
        for (size_t k = 0; k < POINTS; k++) {
            double due = closed_form(N[k], systems[i].p, systems[i].C, systems[i].entries,
                                     systems[i].count, one);
            assert_true(fabs(T_c[k] / due - 1) < 1e-12);
            /* C is the sum of marked speeds, whatever the memory does. */
            assert_true(E[k] <= 10 * pow(N[k], 3) / due / systems[i].C * (1 + 1e-12));
        }
        isocast_systems_free(parsed, count);
    }
    isocast_model_free(model);
    isocast_machine_free(m);
    isocast_algorithm_free(a);
    isocast_diagnostics_clear(&diagnostics);
}

static void memory_is_shared_on_a_node(void **unused) {
    (void)unused;
    check("", INFINITY);
    /* What one process gets of a memory that nobody else uses. */
    check("parameters: {memory_bandwidth: 9 GB/s}\n", 9e9);
}

/* Without a bandwidth the traffic does not count, which is reported; without traffic nothing
 * changes.
 */
static void what_is_not_known_does_not_count(void **unused) {
    (void)unused;
    static const char bare[] = "machine: m\nnodes: {n: {count: 9, processors: 8, marked_speed: 1 "
                               "Gflop/s}}\noperations: {T_sendrecv: 2 us}\n";
    isocast_diagnostics diagnostics = {0};
    isocast_machine *m = NULL;
    isocast_machine *known = machine("");
    assert_int_equal(isocast_machine_read_text("m", bare, strlen(bare), &diagnostics, &m),
                     ISOCAST_OK);
    char text[sizeof with_traffic];
    snprintf(text, sizeof text, "%.*s", (int)(strstr(with_traffic, "traffic") - with_traffic),
             with_traffic);
    isocast_algorithm *algorithms[] = {algorithm(with_traffic), algorithm(text)};
    const isocast_machine *machines[] = {m, known};
    for (size_t i = 0; i < 2; i++) {
        for (size_t k = 0; k < 2; k++) {
            isocast_model *model = NULL;
            size_t before = diagnostics.warnings;
            assert_int_equal(isocast_model_create(algorithms[i], machines[k], &diagnostics, &model),
                             ISOCAST_OK);
            assert_int_equal(diagnostics.warnings - before, i == 0 && k == 0 ? 1 : 0);
            isocast_system **parsed = NULL;
            size_t count = 0;
            const char *system = k == 0 ? "64" : "thin:64";
            assert_int_equal(isocast_systems_parse(machines[k], NULL, "--to", system, &diagnostics,
                                                   &parsed, &count),
                             ISOCAST_OK);
            double N = 1000;
            double T_c = NAN;
            isocast_model_points points = {
                .count = 1, .N = &N, .systems = (const isocast_system *const *)parsed};
            isocast_model_results results = {.T_c = &T_c};
            assert_int_equal(isocast_model_evaluate(model, &points, &results), ISOCAST_OK);
            double flop_alone = 1e10 / parsed[0]->C;
            assert_true(i == 0 && k == 1 ? T_c > 1.2 * flop_alone
                                         : fabs(T_c / flop_alone - 1) < 1e-12);
            isocast_systems_free(parsed, count);
            isocast_model_free(model);
        }
        isocast_algorithm_free(algorithms[i]);
    }
    isocast_machine_free(m);
    isocast_machine_free(known);
    isocast_diagnostics_clear(&diagnostics);
}

/* What was measured with the memory of a node shared has its traffic in it, and simulated runs of a
 * kernel take the time of flops alone: neither counts it again. A time of one process, or of a
 * program that is no kernel, knows nothing of the others on its node. */
static void a_measured_time_has_its_traffic(void **unused) {
    (void)unused;
    static const struct {
        const char *kernel;  /* of the algorithm */
        const char *compute; /* of the machine: 1 ns/flop on 8 processes */
        const char *processors, *simulated;
        bool counts;
        size_t warnings;
    } cases[] = {
        {"kernel: k\n", "compute: {k: 0.125 ns/flop*p}\n", "8", "", false, 0},
        {"kernel: k\n", "compute: {k: 1 ns/flop}\n", "8", "", true, 0},
        {"kernel: k\n", "compute: {k: 1 ns/flop}\n", "1", "", false, 0},
        {"kernel: k\nmemory: 8 B*N/p\n", "compute: {k: 1 ns/flop + 0*m/(1 B)*(1 ns/flop)}\n", "8",
         "", false, 0},
        {"kernel: k\nmemory: 8 B*N/p\n", "compute: {k: 1 ns/flop + 0*m/(1 B)*(1 ns/flop)}\n",
         "8, cache: 1 B", "", true, 0},
        /* There is no time of the kernel, which is reported. */
        {"kernel: k\n", "compute: {other: 0.125 ns/flop*p}\n", "8", "", true, 1},
        {"kernel: k\ncompute: W*(1 ns/flop)/p\n", "compute: {k: 0.125 ns/flop*p}\n", "8", "", true,
         0},
        {"kernel: k\n", "", "8", "calibration: {simulated: true}\n", true, 0},
        {"", "", "8", "calibration: {simulated: true}\n", true, 0},
        {"", "", "1", "", true, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[256];
        char hardware[384];
        snprintf(text, sizeof text,
                 "algorithm: a\nsize: {N: {min: 1}}\nwork: N\noverhead: {}\ntraffic: 100 B*N\n%s",
                 cases[i].kernel);
        snprintf(hardware, sizeof hardware,
                 "machine: m\nnodes: {n: {count: 9, processors: %s, marked_speed: 1 Gflop/s, "
                 "memory_bandwidth: 10 GB/s}}\n%s%s",
                 cases[i].processors, cases[i].compute, cases[i].simulated);
        isocast_diagnostics diagnostics = {0};
        isocast_algorithm *a = algorithm(text);
        isocast_machine *m = NULL;
        isocast_model *model = NULL;
        isocast_system **parsed = NULL;
        size_t count = 0;
        assert_int_equal(
            isocast_machine_read_text("m", hardware, strlen(hardware), &diagnostics, &m),
            ISOCAST_OK);
        assert_int_equal(isocast_model_create(a, m, &diagnostics, &model), ISOCAST_OK);
        assert_int_equal(diagnostics.warnings, cases[i].warnings);
        assert_int_equal(isocast_systems_parse(m, NULL, "--to",
                                               cases[i].processors[0] == '1' ? "1" : "8",
                                               &diagnostics, &parsed, &count),
                         ISOCAST_OK);
        double N = 1e9;
        double T_c = NAN;
        isocast_model_points points = {
            .count = 1, .N = &N, .systems = (const isocast_system *const *)parsed};
        isocast_model_results results = {.T_c = &T_c};
        assert_int_equal(isocast_model_evaluate(model, &points, &results), ISOCAST_OK);
        double due = cases[i].counts ? 10 : 1 / parsed[0]->p;
        assert_true(fabs(T_c / due - 1) < 1e-9);
        isocast_systems_free(parsed, count);
        isocast_model_free(model);
        isocast_machine_free(m);
        isocast_algorithm_free(a);
        isocast_diagnostics_clear(&diagnostics);
    }
}

/* Bytes of numbers that the loops of a kernel read and write, all processes together. */
static double stencil_bytes(double N, double p) {
    (void)p;
    double numbers = 0;
    for (int sweep = 0; sweep < 100; sweep++) {
        numbers += N * N + N * N;
    }
    return 8 * numbers;
}

static double ge_bytes(double N, double p) {
    (void)p;
    double numbers = 0;
    for (double pivot = 0; pivot < N - 1; pivot++) {
        double rows = N - 1 - pivot;
        double length = N + 1 - pivot;
        numbers += 2 * rows * length;
    }
    return 8 * numbers;
}

static double mm_bytes(double N, double p) {
    double numbers = 0;
    for (double process = 0; process < p; process++) {
        numbers += N / p * N + N * N + N / p * N;
    }
    return 8 * numbers;
}

static double conv2d_bytes(double N, double p) {
    (void)p;
    double transforms = 2 * 2 + 2; /* rows and columns: two images forward, one back */
    return 16 * N * N * (transforms * 2 + 2 + 1);
}

static void the_shipped_traffic_is_that_of_the_loops(void **unused) {
    (void)unused;
    static const struct {
        const char *name;
        double (*bytes)(double N, double p);
    } kernels[] = {{"jacobi-2d", stencil_bytes},
                   {"gaussian-elimination", ge_bytes},
                   {"matrix-multiplication", mm_bytes},
                   {"convolution-2d", conv2d_bytes}};
    /* So slow a memory that T_c is the traffic over it. */
    static const char slow[] = "machine: m\nnodes: {n: {count: 1, processors: 8, marked_speed: 1e9 "
                               "Gflop/s, memory_bandwidth: 1 GB/s}}\noperations: {T_send: 1 us, "
                               "T_recv: 1 us, T_bcast: 1 us, T_barrier: 1 us}\n";
    for (size_t i = 0; i < sizeof kernels / sizeof kernels[0]; i++) {
        char path[512];
        snprintf(path, sizeof path, ISOCAST_SOURCE_DIR "/specs/algorithms/%s.yaml",
                 kernels[i].name);
        isocast_diagnostics diagnostics = {0};
        isocast_algorithm *a = NULL;
        isocast_machine *m = NULL;
        isocast_model *model = NULL;
        assert_int_equal(isocast_algorithm_load(path, &diagnostics, &a), ISOCAST_OK);
        assert_int_equal(isocast_machine_read_text("m", slow, strlen(slow), &diagnostics, &m),
                         ISOCAST_OK);
        assert_int_equal(isocast_model_create(a, m, &diagnostics, &model), ISOCAST_OK);
        isocast_system **parsed = NULL;
        size_t count = 0;
        assert_int_equal(
            isocast_systems_parse(m, NULL, "--to", "1,4,8", &diagnostics, &parsed, &count),
            ISOCAST_OK);
        for (size_t k = 0; k < count; k++) {
            double N = 960;
            double T_c = NAN;
            isocast_model_points points = {
                .count = 1, .N = &N, .systems = (const isocast_system *const *)parsed + k};
            isocast_model_results results = {.T_c = &T_c};
            assert_int_equal(isocast_model_evaluate(model, &points, &results), ISOCAST_OK);
            assert_true(fabs(T_c * 1e9 / kernels[i].bytes(N, parsed[k]->p) - 1) < 1e-9);
        }
        isocast_systems_free(parsed, count);
        isocast_model_free(model);
        isocast_machine_free(m);
        isocast_algorithm_free(a);
        isocast_diagnostics_clear(&diagnostics);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(memory_is_shared_on_a_node),
        cmocka_unit_test(what_is_not_known_does_not_count),
        cmocka_unit_test(a_measured_time_has_its_traffic),
        cmocka_unit_test(the_shipped_traffic_is_that_of_the_loops),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
