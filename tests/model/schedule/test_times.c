/* Formulas that are made of programs, and what rehearsals of the same programs count. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "model/schedule/rehearsal.h"
#include "model/spec/algorithm_load.h"
#include "model/spec/algorithm_program.h"

static isocast_algorithm *checked(isocast_status status, isocast_diagnostics *reported,
                                  isocast_algorithm *algorithm) {
    if (status != ISOCAST_OK) {
        isocast_buffer out = {0};
        isocast_diagnostics_render(reported, &out);
        fail_msg("%s", out.text);
    }
    isocast_diagnostics_clear(reported);
    return algorithm;
}

static isocast_algorithm *read_program(const char *program) {
    isocast_buffer text = {0};
    isocast_buffer_printf(&text, "algorithm: test\nsize: {N: {min: 1}}\nwork: N\nprogram:\n%s",
                          program);
    isocast_diagnostics reported = {0};
    isocast_algorithm *algorithm = NULL;
    isocast_status status =
        isocast_algorithm_read_text("test", text.text, text.length, &reported, &algorithm);
    isocast_buffer_free(&text);
    return checked(status, &reported, algorithm);
}

/* Expects T_c and the terms of a program, as "name: formula; ". */
static void expect(const char *program, const char *times) {
    isocast_algorithm *algorithm = read_program(program);
    isocast_buffer out = {0};
    isocast_formula_format(algorithm->compute, &out);
    isocast_buffer_puts(&out, "; ");
    for (size_t i = 0; i < algorithm->overhead_count; i++) {
        isocast_buffer_printf(&out, "%s: ", algorithm->overhead[i].name);
        isocast_formula_format(algorithm->overhead[i].formula, &out);
        isocast_buffer_puts(&out, "; ");
    }
    assert_string_equal(out.text, times);
    isocast_buffer_free(&out);
    isocast_algorithm_free(algorithm);
}

#define SLOWEST "*t_c*C/(p*min_class(C_i))"

static void test_sums(void **state) {
    (void)state;
    expect(
        "  - for: i = 0..N-2\n    do:\n      - bcast: {root: \"mod(i, p)\", bytes: 8 B*(N-i)}\n"
        "      - barrier\n",
        "0 s; bcast: sum(i, 0, N - 2, T_bcast(8 B*(N - i))); barrier: max(0, N - 1)*T_barrier(); ");
    /* In one term both are one operation, with work between or without. */
    expect("  - bcast: {root: 0, bytes: 8 B}\n    name: round\n  - work: 1 flop\n  - barrier: {}\n"
           "    name: round\n",
           "1 flop" SLOWEST "; round: T_bcast_barrier(8 B); ");
    expect("  - bcast: {root: 0, bytes: 8 B}\n    name: round\n  - copy: 8 B\n  - barrier: {}\n"
           "    name: round\n",
           "0 s; round: T_bcast(8 B) + T_barrier(); copy: T_copy(8 B); ");
    expect("  - for: i = N..1 by -1\n    do: [work: i]\n", "sum(i, 1, N, i*1 flop" SLOWEST "); ");
    expect("  - for: i = 1..N by 3\n    do: [copy: 8 B*i, copy: 8 B]\n",
           "0 s; copy: sum(i, 0, max(0, floor((N - 1)/3) + 1) - 1, T_copy(8 B*(1 + i*3)) + "
           "T_copy(8 B)); ");
    expect("  - for: i = 1..N\n    do:\n      - for: k = i..N\n        do:\n"
           "          - let: {both: i*k}\n          - work: both\n",
           "sum(i, 1, N, sum(k, i, N, i*k*1 flop" SLOWEST ")); ");
    expect("  - if: N > 10\n    do: [barrier]\n    else: [work: 1 flop]\n",
           "if(N > 10, 0 s, 1 flop" SLOWEST "); barrier: if(N > 10, T_barrier(), 0 s); ");
    expect("  - bcast: {root: 0, bytes: 8 B}\n    name: first\n  - work: 1 flop\n    name: alone\n",
           "0 s; first: T_bcast(8 B); alone: 1 flop" SLOWEST "; ");
}

static void test_groups(void **state) {
    (void)state;
    expect("  - grid: {y: 4, x: \"divisor(p, 8)\"}\n  - bcast: {along: x, root: 0, bytes: 8 B}\n"
           "  - barrier: {along: y}\n  - exchange: {along: x, bytes: 8 B}\n"
           "  - exchange: {bytes: 8 B}\n",
           "0 s; bcast: if(divisor(p, 8) > 1, T_bcast(8 B, divisor(p, 8), min(divisor(p, 8), "
           "p_node)), 0 s); barrier: if(4 > 1, T_barrier(0 B, 4, min(4, p_node/divisor(p, 8))), 0 "
           "s); exchange: if(divisor(p, 8) > 1, T_alltoallv(8 B, divisor(p, 8), "
           "min(divisor(p, 8), p_node)), 0 s) + T_alltoallv(8 B); ");
    expect("  - shift: {by: 1, bytes: 8 B}\n", "0 s; shift: if(p > 1, T_sendrecv(8 B), 0 s); ");
}

/* Two messages to the same process, one of two on a node or of any. */
#define NEAR ", 2, 2"
#define FIRST(near)                                                                                \
    "T_send(8 B" near ") + max(min(T_recv(8 B" near "), T_send(16 B" near ")), T_recv(8 B" near    \
    ") - T_recv(0 B" near "))"
#define SECOND(near) "T_send(16 B" near ") + max(0 s, T_recv(16 B" near ") - T_recv(0 B" near "))"

static void test_branches(void **state) {
    (void)state;
    /* Where one process does what others do not, the longer way counts. */
    expect("  - at: rank == 0\n    do: [send: {to: 1, bytes: 8 B}]\n"
           "    else: [receive: {from: 0, bytes: 8 B}]\n    name: hello\n",
           "0 s; hello: max(T_send(8 B), if(p > 1, T_send(8 B) + T_recv(8 B), 0 s)); ");
    expect("  - at: rank > 0\n    do: [send: {to: rank - 1, bytes: 8 B}]\n",
           "0 s; send: if(p - 1 > 0, T_send(8 B), 0 s); ");
    /* Of many messages that one process sends, and of those that it receives, each is on its link.
     * A second one to the same process may have to wait for the first. */
    expect(
        "  - at: rank == 0\n    do:\n      - for: q = 1..p-1\n        do:\n"
        "          - send: {to: q, bytes: 8 B}\n          - send: {to: q, bytes: 16 B}\n",
        "0 s; send: max(0, p - 1)*(if(p_node > 1, ((p_node - 1)*(" FIRST(
            NEAR) ") + (p - p_node)*(" FIRST("") "))/(p - 1), " FIRST("") ") + if(p_node > 1, "
                                                                          "((p_node - 1)*(" SECOND(
                                                                              NEAR) ") + (p - "
                                                                                    "p_node)*"
                                                                                    "(" SECOND(
                                                                                        "") "))/(p "
                                                                                            "- "
                                                                                            "1),"
                                                                                            " " SECOND(
                                                                                                "") ")); ");
    /* The slowest of the first, the middle and the last. */
    expect("  - work: 1 flop*rank\n", "max(1 flop*0*t_c*C/(p*C_j), 1 flop*floor(p/2)" SLOWEST
                                      ", 1 flop*(p - 1)" SLOWEST "); ");
    expect("  - at: rank == 0\n    do: [work: 1 flop*N]\n", "1 flop*N*t_c*C/(p*C_j); ");
}

static void test_overlap(void **state) {
    (void)state;
    expect("  - start: edges\n    do: [shift: {by: 1, bytes: 8 B}]\n  - work: 5 flop\n"
           "  - finish: edges\n  - work: 7 flop\n",
           "5 flop" SLOWEST " + 7 flop" SLOWEST
           "; edges: max(0 s, if(p > 1, T_sendrecv(8 B), 0 s) - 5 flop" SLOWEST "); ");
}

/* From the first process to the last, with those on one node distinguished. */
#define CHAIN                                                                                      \
    " + (nodes - 1)*(T_send(8 B) + T_recv(8 B)) + if(nodes < p, (p - nodes)*(T_send(8 B, 2, 2) + " \
    "T_recv(8 B, 2, 2)), 0 s)"

static void test_chains(void **state) {
    (void)state;
    /* A chain is filled once, as long as nothing joins the processes. */
    expect("  - for: i = 1..N\n    do:\n      - pass: {by: 1, bytes: 8 B}\n        do: [work: 5 "
           "flop]\n",
           "N*(5 flop" SLOWEST "); pass: N*if(p > 1, T_send(8 B) + T_recv(8 B), 0 s) + (p - 1)*(5 "
           "flop" SLOWEST ")" CHAIN "; ");
    expect("  - for: i = 1..N\n    do:\n      - pass: {by: 1, bytes: 8 B}\n        do: [work: 5 "
           "flop]\n"
           "      - barrier\n",
           "N*(5 flop" SLOWEST "); pass: N*(if(p > 1, T_send(8 B) + T_recv(8 B), 0 s) + (p - 1)*(5 "
           "flop" SLOWEST ")" CHAIN "); barrier: N*T_barrier(); ");
    /* It is filled at the first turn. */
    expect("  - for: i = 2..N\n    do:\n      - pass: {by: 1, bytes: 8 B}\n        do: [work: 5 "
           "flop*i]\n",
           "sum(i, 2, N, 5 flop*i" SLOWEST
           "); pass: max(0, N - 1)*if(p > 1, T_send(8 B) + T_recv(8 "
           "B), 0 s) + (p - 1)*(5 flop*2" SLOWEST ")" CHAIN "; ");
    /* A process waits for the next message where that takes longer than its work; behind the last
     * one there is none. */
    expect("  - for: i = 1..N\n    do:\n      - pass: {by: 1, bytes: 8 B, receive: ahead}\n"
           "        do: [work: 5 flop*i]\n",
           "sum(i, 1, N, 5 flop*i" SLOWEST
           "); pass: sum(i, 1, N, if(p > 1, T_send(8 B) + max(0 s, T_recv(8 B) - 5 flop*i" SLOWEST
           "), 0 s)) + (p - 1)*(5 flop*1" SLOWEST ")" CHAIN
           " + -1*if(p > 1, max(0 s, T_recv(8 B) - 5 flop*N" SLOWEST "), 0 s); ");
    /* Along an axis a node has some places of each line. */
    expect("  - grid: {y: 4, x: p/4}\n  - for: i = 1..N\n    do:\n"
           "      - pass: {by: {x: 1}, bytes: 8 B}\n",
           "0 s; pass: N*if(p/4 > 1, T_send(8 B) + T_recv(8 B), 0 s) + (p/4 - 1)*0 s + "
           "(ceil(p/4/min(p/4, p_node)) - 1)*(T_send(8 B) + T_recv(8 B)) + "
           "if(ceil(p/4/min(p/4, p_node)) < p/4, (p/4 - ceil(p/4/min(p/4, p_node)))*"
           "(T_send(8 B, 2, 2) + T_recv(8 B, 2, 2)), 0 s); ");
}

/* Partners that are near may all be on the node; else as many messages share its link as they are
 * away. Where the partner depends on more than the rank, nothing is known of that. */
static void test_partners(void **state) {
    (void)state;
    expect("  - sendrecv: {to: rank + 3, from: rank - 3, bytes: 8 B}\n",
           "0 s; sendrecv: if(nodes == 1, T_sendrecv(8 B), if(max(0 + 3, p_node - 1 + 3) < p_node, "
           "T_sendrecv(8 B, 2, 2), T_sendrecv(8 B) + (max(1, min(p_node, min(0 + 3, p - (0 + 3)))) "
           "- 1)*8 B*(T_sendrecv(8388608 B) - T_sendrecv(4194304 B))/4194304 B)); ");
    expect("  - grid: {y: 2, x: p/2}\n  - sendrecv: {to: rank + x, from: rank - x, bytes: 8 B}\n",
           "0 s; sendrecv: T_sendrecv(8 B); ");
}

static void test_shares(void **state) {
    (void)state;
    expect("  - share: {rows: N}\n  - work: 2 flop*rows\n  - bcast: {root: rows.owner(3), bytes: 8 "
           "B*rows.of(1)}\n",
           "2 flop*(N/p)*t_c; imbalance: 2 flop*ceil(N/p)*t_c - 2 flop*(N/p)*t_c; bcast: T_bcast(8 "
           "B*if(p > 1, N*(1 - C_j/C)/(p - 1), N)); ");
    expect("  - share: {rows: {items: N, by: turns}}\n  - for: i = 0..N-1\n    do: [work: 2 "
           "flop*rows.left(i)]\n",
           "sum(i, 0, N - 1, 2 flop*((N - i)/p)*t_c); imbalance: sum(i, 0, N - 1, 2 flop*((N - i + "
           "(p - 1)/2)/p)*t_c) - sum(i, 0, N - 1, 2 flop*((N - i)/p)*t_c); ");
    /* What is left of N after N - n is n. */
    expect(
        "  - share: {rows: {items: N, by: turns}}\n  - for: n = N..1 by -1\n    do: [work: 2 "
        "flop*rows.left(N-n)]\n",
        "sum(n, 1, N, 2 flop*(n/p)*t_c); imbalance: sum(n, 1, N, 2 flop*((n + (p - 1)/2)/p)*t_c) "
        "- sum(n, 1, N, 2 flop*(n/p)*t_c); ");
    /* Parts along an axis come to all items together: none of them counts as the largest. */
    expect("  - grid: {y: 1, x: p}\n  - share: {width: {items: N, along: x}}\n  - for: q = 0..p-1\n"
           "    do: [work: 2 flop*width.of(q)]\n",
           "p*(2 flop*(N/p)" SLOWEST "); ");
}

/* T_c and the imbalance with a time per flop of 1 s on machines whose processors are alike. */
static double flops_of(const isocast_algorithm *a, double p, const double *sizes) {
    isocast_symbol symbols[40];
    isocast_scope scope = {.symbols = symbols, .any_operation = true};
    const struct {
        const char *name;
        double value;
    } given[] = {{"p", p}, {"C", p}, {"C_j", 1}, {"t_c", 1}, {"p_node", 1}, {"nodes", p}};
    for (size_t i = 0; i < a->size_count; i++) {
        symbols[scope.count++] = (isocast_symbol){
            .name = a->sizes[i].name, .kind = ISOCAST_SYMBOL_CONSTANT, .value = sizes[i]};
    }
    for (size_t i = 0; i < sizeof given / sizeof given[0]; i++) {
        symbols[scope.count++] = (isocast_symbol){
            .name = given[i].name, .kind = ISOCAST_SYMBOL_CONSTANT, .value = given[i].value};
    }
    symbols[scope.count++] = (isocast_symbol){
        .name = "C_i", .kind = ISOCAST_SYMBOL_CLASS, .index = ISOCAST_CLASS_MARKED_SPEED};
    for (size_t i = 0; i < a->definition_count; i++) {
        symbols[scope.count++] = (isocast_symbol){.name = a->definitions[i].name,
                                                  .kind = ISOCAST_SYMBOL_FORMULA,
                                                  .any_dimension = true,
                                                  .formula = a->definitions[i].formula,
                                                  .scope = &scope};
    }
    isocast_program *program = NULL;
    isocast_diagnostics reported = {0};
    const isocast_formula *formulas[] = {a->compute};
    assert_int_equal(isocast_program_compile(formulas, 1, &scope, &reported, &program), ISOCAST_OK);
    const double ones[] = {1};
    const isocast_class_table classes = {
        1, {[ISOCAST_CLASS_PROCESSES] = &p, [ISOCAST_CLASS_MARKED_SPEED] = ones}};
    const isocast_class_table *table = &classes;
    double value = NAN;
    double *results[] = {&value};
    const isocast_program_points points = {.count = 1, .classes = &table};
    assert_int_equal(isocast_program_evaluate(program, &points, results, NULL), ISOCAST_OK);
    isocast_program_free(program);
    return value;
}

/* The shipped programs and those of the docs. Programs whose processes all have the same work, but
 * for shares: T_c is what the processes do on average. Every program comes to its end, and every
 * message is received. */
static void test_examples(void **state) {
    (void)state;
    static const struct {
        const char *name;
        bool is_even;
        int processes[3];
        double sizes[2];
    } examples[] = {{"bitonic-sort", true, {2, 8, 16}, {64, 0}},
                    {"broadcast-then-barrier", true, {1, 3, 8}, {5, 0}},
                    {"gaussian-elimination", false, {1, 3, 8}, {20, 0}},
                    {"adding-numbers", true, {1, 3, 8}, {24, 0}},
                    {"convolution-2d", true, {1, 3, 8}, {24, 0}},
                    {"fft-2d-transpose", true, {1, 2, 8}, {64, 0}},
                    {"fft-3d-transpose", true, {1, 2, 8}, {64, 0}},
                    {"fft-binary-exchange", false, {1, 2, 8}, {64, 0}},
                    {"longest-common-subsequence", true, {1, 3, 8}, {24, 0}},
                    {"summa", true, {1, 6, 16}, {24, 0}},
                    {"halo-3d", true, {1, 8, 27}, {12, 0}},
                    {"matrix-2.5d", true, {8, 32, 8}, {64, 2}},
                    {"matrix-multiplication", true, {1, 3, 8}, {20, 0}},
                    {"multigrid", true, {1, 6, 16}, {64, 0}},
                    {"reduction-tree", false, {1, 6, 16}, {20, 0}},
                    {"ring-with-overlap", true, {1, 3, 8}, {24, 0}},
                    {"jacobi-2d", true, {1, 6, 16}, {24, 0}},
                    {"task-farm", false, {2, 6, 16}, {40, 0}},
                    {"wavefront", true, {1, 6, 16}, {48, 0}}};
    for (size_t i = 0; i < sizeof examples / sizeof examples[0]; i++) {
        char path[300];
        isocast_diagnostics reported = {0};
        isocast_algorithm *a = NULL;
        snprintf(path, sizeof path, ISOCAST_SOURCE_DIR "/docs/examples/programs/%s.yaml",
                 examples[i].name);
        if (access(path, R_OK) != 0) {
            snprintf(path, sizeof path, ISOCAST_SOURCE_DIR "/specs/algorithms/%s.yaml",
                     examples[i].name);
        }
        isocast_status status = isocast_algorithm_load(path, &reported, &a);
        a = checked(status, &reported, a);
        for (size_t k = 0; k < 3; k++) {
            int p = examples[i].processes[k];
            const isocast_algorithm_run_request request = {
                .algorithm = a, .sizes = examples[i].sizes, .processes = p};
            isocast_algorithm_run *run = NULL;
            isocast_rehearsal counted;
            status = isocast_algorithm_run_create(&request, &reported, &run);
            checked(status, &reported, a);
            status = isocast_schedule_rehearse(isocast_algorithm_run_steps(run), 1e6, "a test",
                                               NULL, &reported, &counted);
            checked(status, &reported, a);
            assert_true(counted.is_complete);
            /* Some have formulas of their own. */
            double mean = counted.all.flop / p;
            double flops = a->compute != NULL ? flops_of(a, p, examples[i].sizes) : mean;
            if (examples[i].is_even ? fabs(flops - mean) > 1e-9 * mean : flops < 0.5 * mean) {
                fail_msg("%s on %d: T_c is of %g flop, the processes do %g", examples[i].name, p,
                         flops, mean);
            }
            isocast_algorithm_run_free(run);
        }
        isocast_algorithm_free(a);
    }
}

/* Formulas of the file come before those of its steps. */
static void test_own_formulas(void **state) {
    (void)state;
    isocast_algorithm *a = read_program("  - barrier\noverhead: {x: 2 s}\n");
    assert_non_null(a->program);
    assert_null(a->compute);
    assert_int_equal(a->overhead_count, 1);
    assert_string_equal(a->overhead[0].name, "x");
    isocast_algorithm_free(a);
}

/* Machines need not say what one plain algorithm can stand in for, nor what that calls; what the
 * file says comes first. */
static void test_stand_ins(void **state) {
    (void)state;
    isocast_algorithm *a =
        read_program("  - alltoallv: {bytes: 8 B}\n  - bcast: {root: 0, bytes: 8 B}\n  - barrier\n"
                     "operations: {T_barrier: 1 s}\n");
    static const char *const due[] = {"T_barrier", "T_bcast", "T_alltoall", "T_alltoallv"};
    assert_int_equal(a->operation_count, sizeof due / sizeof due[0]);
    for (size_t i = 0; i < a->operation_count; i++) {
        bool found = false;
        for (size_t k = 0; k < a->operation_count; k++) {
            found = found || strcmp(a->operations[k].name, due[i]) == 0;
        }
        assert_true(found);
    }
    isocast_algorithm_free(a);
}

static void test_counts(void **state) {
    (void)state;
    isocast_algorithm *a =
        read_program("  - for: i = 1..N\n    do:\n      - shift: {by: 1, bytes: 8 "
                     "B*i}\n      - work: i*rank\n");
    const double N = 4;
    isocast_diagnostics reported = {0};
    isocast_algorithm_run *run = NULL;
    isocast_rehearsal counted;
    const isocast_algorithm_run_request request = {.algorithm = a, .sizes = &N, .processes = 3};
    assert_int_equal(isocast_algorithm_run_create(&request, &reported, &run), ISOCAST_OK);
    assert_int_equal(isocast_schedule_rehearse(isocast_algorithm_run_steps(run), 100, "a test",
                                               NULL, &reported, &counted),
                     ISOCAST_OK);
    assert_true(counted.is_complete);
    assert_true(counted.all.messages == 12);
    assert_true(counted.all.bytes == 8 * 10 * 3);
    assert_true(counted.all.flop == 10 * 3);
    /* What takes longer is given up. */
    assert_int_equal(isocast_schedule_rehearse(isocast_algorithm_run_steps(run), 5, "a test", NULL,
                                               &reported, &counted),
                     ISOCAST_OK);
    assert_false(counted.is_complete);
    isocast_algorithm_run_free(run);
    isocast_algorithm_free(a);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sums),     cmocka_unit_test(test_groups),
        cmocka_unit_test(test_branches), cmocka_unit_test(test_overlap),
        cmocka_unit_test(test_chains),   cmocka_unit_test(test_partners),
        cmocka_unit_test(test_shares),   cmocka_unit_test(test_examples),
        cmocka_unit_test(test_counts),   cmocka_unit_test(test_own_formulas),
        cmocka_unit_test(test_stand_ins)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
