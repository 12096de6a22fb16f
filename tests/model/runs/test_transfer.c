/* Runs of one machine, predicted on another: against closed forms. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "model/base/buffer.h"
#include "model/runs/transfer.h"
#include "model/spec/algorithm_load.h"
#include "model/spec/platform_load.h"

static const double close = 1e-12;

static void assert_near(double value, double due, double relative) {
    assert_true(fabs(value - due) <= relative * fmax(1, fabs(due)));
}

static isocast_platform *platform(const char *node, const char *network) {
    isocast_buffer text = {0};
    isocast_buffer_printf(&text,
                          "platform: a\nnodes:\n  node: {count: 1000, %s}\nnetwork: "
                          "{topology: switched, %s}\n",
                          node, network);
    isocast_diagnostics diagnostics = {0};
    isocast_platform *out = NULL;
    assert_int_equal(
        isocast_platform_read_text("a", text.text, strlen(text.text), &diagnostics, &out),
        ISOCAST_OK);
    isocast_diagnostics_clear(&diagnostics);
    isocast_buffer_free(&text);
    return out;
}

static const char network[] = "link_bandwidth: 10 GB/s, link_latency: 1 us";
static const char one_node[] =
    "processors: 10, speed: 20 Gflop/s, memory_bandwidth: 100 GB/s, frequency: 2 GHz";
static const char other_node[] =
    "processors: 20, speed: 80 Gflop/s, memory_bandwidth: 300 GB/s, frequency: 4 GHz";

/* Predicts the text's rows; the work may be NULL. */
static isocast_status transfer(const char *text, const isocast_platform *from,
                               const isocast_platform *to, const isocast_work *work,
                               isocast_diagnostics *diagnostics, isocast_transfer **out) {
    isocast_source *source = NULL;
    isocast_runs *runs = NULL;
    assert_int_equal(isocast_source_create("runs", text, strlen(text), &source), ISOCAST_OK);
    assert_int_equal(isocast_runs_read_list(source, diagnostics, &runs), ISOCAST_OK);
    isocast_transfer_request request = {.runs = runs,
                                        .from = {from->hardware, &from->network},
                                        .to = {to->hardware, &to->network},
                                        .work = work};
    isocast_status status = isocast_transfer_compute(&request, diagnostics, out);
    isocast_runs_free(runs);
    return status;
}

static isocast_transfer *predict(const char *text, const isocast_platform *from,
                                 const isocast_platform *to) {
    isocast_diagnostics diagnostics = {0};
    isocast_transfer *out = NULL;
    assert_int_equal(transfer(text, from, to, NULL, &diagnostics, &out), ISOCAST_OK);
    assert_int_equal(diagnostics.count, 0);
    isocast_diagnostics_clear(&diagnostics);
    return out;
}

static void a_quarter_goes_by_each_kind(void **unused) {
    (void)unused;
    isocast_platform *here = platform(one_node, network);
    isocast_platform *there = platform(other_node, network);
    isocast_transfer *t = predict("system,p,N,T\na,10,1,8\na,10,1,9\na,10,1,70\n", here, there);
    assert_int_equal(t->count, 1);
    const isocast_transfer_row *row = &t->rows[0];
    double logs[] = {log(1. / 3), log(1. / 4), log(1. / 4), log(1. / 8)};
    double mean = 0;
    double square = 0;
    for (int k = 0; k < 4; k++) {
        mean += logs[k] / 4;
        square += logs[k] * logs[k] / 4;
    }
    assert_true(row->T_here == 9);
    assert_near(row->T, 9 * exp(mean), close);
    assert_near(row->T_by_memory, 3, close);
    assert_near(row->T_by_speed, 9. / 8, close);
    assert_true(row->rest == 0 && row->p == 20 && row->p_here == 10 && row->nodes == 1);
    double sd = sqrt((square - mean * mean) / 5 + 0.21 * 0.21 * (0.1 - mean));
    assert_near(log(row->T_high / row->T), 1.6448536269514722 * sd, 1e-9);
    assert_near(row->T * row->T, row->T_low * row->T_high, 1e-9);
    isocast_transfer_free(t);
    isocast_platform_free(here);
    isocast_platform_free(there);
}

/* Runs that follow a law go to the same machine as they are, and those of the other way back. */
static void the_same_machine_takes_as_long(void **unused) {
    (void)unused;
    isocast_platform *here = platform(one_node, network);
    isocast_platform *there = platform(other_node, network);
    isocast_buffer text = {0};
    isocast_buffer_puts(&text, "system,nodes,p,N,T\n");
    for (int n = 1; n <= 300; n++) {
        isocast_buffer_printf(&text, "a,%d,%d,7,%.17g\n", n, 10 * n, 5 * pow(n, -0.8));
    }
    isocast_transfer *same = predict(text.text, here, here);
    isocast_transfer *forth = predict(text.text, here, there);
    assert_int_equal(same->count, 300);
    isocast_buffer back = {0};
    isocast_buffer_puts(&back, "system,nodes,p,N,T\n");
    for (size_t i = 0; i < 300; i++) {
        assert_near(same->rows[i].T / same->rows[i].T_here, 1, 1e-9);
        assert_near(same->rows[i].T_by_memory, same->rows[i].T_here, close);
    }
    /* On one node there is no rest, and what goes forth comes back. */
    isocast_buffer_printf(&back, "a,1,20,7,%.17g\n", forth->rows[0].T);
    isocast_transfer *returned = predict(back.text, there, here);
    assert_near(returned->rows[0].T, 5, 1e-9);
    isocast_transfer_free(returned);
    isocast_transfer_free(forth);
    isocast_transfer_free(same);
    isocast_buffer_free(&back);
    isocast_buffer_free(&text);
    isocast_platform_free(here);
    isocast_platform_free(there);
}

/* Of what a data sheet does not say there is the more the further apart both machines are, the same
 * way forth and back. */
static void the_interval_grows_with_the_step(void **unused) {
    (void)unused;
    static const char run[] = "system,p,N,T\na,10,1,8\n";
    isocast_platform *here = platform(one_node, network);
    double before = 0;
    for (int i = 0; i < 4; i++) {
        /* All kinds of a node by the same factor: no share is in doubt. */
        double factor = pow(2, i);
        isocast_buffer node = {0};
        isocast_buffer_printf(&node,
                              "processors: 10, speed: %g Gflop/s, memory_bandwidth: %g GB/s, "
                              "frequency: %g GHz",
                              20 * factor, 100 * factor, 2 * factor);
        isocast_platform *there = platform(node.text, network);
        isocast_transfer *forth = predict(run, here, there);
        isocast_transfer *back = predict(run, there, here);
        double width = log(forth->rows[0].T_high / forth->rows[0].T);
        assert_near(width, 1.6448536269514722 * 0.21 * sqrt(0.1 + log(factor)), 1e-9);
        assert_near(width, log(back->rows[0].T_high / back->rows[0].T), 1e-9);
        assert_true(width > before);
        before = width;
        isocast_transfer_free(forth);
        isocast_transfer_free(back);
        isocast_platform_free(there);
        isocast_buffer_free(&node);
    }
    isocast_platform_free(here);
}

/* The processors that are idle say what the others wait for. */
static void idle_processors_show_the_memory(void **unused) {
    (void)unused;
    isocast_platform *here = platform(one_node, network);
    isocast_platform *there = platform(other_node, network);
    const struct {
        const char *rows;
        double memory;
        size_t evidence;
    } cases[] = {{"a,1,10,7,4\na,1,5,7,4\n", 2. / 5, 1},   /* all of it */
                 {"a,1,10,7,4\na,1,5,7,8\n", 1. / 5, 1},   /* nothing of it */
                 {"a,1,10,7,4\na,1,1,7,22\n", 1.5 / 5, 1}, /* half of it: 4/2 + 10 x 4/2 */
                 {"a,1,10,7,4\na,1,5,7,4\na,1,1,7,4\n", 3. / 6, 2},
                 {"a,1,10,7,4\na,1,9,7,4\n", 1. / 4, 0}}; /* too few to say anything */
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        isocast_buffer text = {0};
        isocast_buffer_printf(&text, "system,nodes,p,N,T\n%s", cases[i].rows);
        isocast_transfer *t = predict(text.text, here, there);
        assert_int_equal(t->count, 1);
        assert_int_equal(t->evidence, cases[i].evidence);
        assert_near(t->weights[ISOCAST_TRANSFER_MEMORY], cases[i].memory, close);
        double sum = 0;
        for (size_t k = 0; k < ISOCAST_TRANSFER_KINDS; k++) {
            sum += t->weights[k];
        }
        assert_near(sum, 1, close);
        isocast_transfer_free(t);
        isocast_buffer_free(&text);
    }
    isocast_platform_free(here);
    isocast_platform_free(there);
}

/* The rest goes by thirds: the node, the link, and latencies times processes. */
static void the_rest_goes_by_the_network(void **unused) {
    (void)unused;
    isocast_platform *here = platform(one_node, network);
    isocast_platform *there = platform(other_node, "link_bandwidth: 20 GB/s, link_latency: 3 us");
    isocast_transfer *t = predict("system,nodes,p,N,T\na,1,10,7,8\na,2,20,7,5\n", here, there);
    double node = t->rows[0].T / 8;
    double rest = cbrt(node * (10. / 20) * (3 * 40. / 20));
    assert_near(t->rows[1].T, 4 * node + rest, close);
    assert_near(t->rows[1].rest, rest / (4 * node + rest), close);
    isocast_transfer_free(t);
    isocast_platform_free(here);
    isocast_platform_free(there);
}

static isocast_algorithm *algorithm(void) {
    static const char text[] = "algorithm: cubes\nsize: {N: {min: 1}, K: {min: 1}}\nwork: K*N^3\n"
                               "overhead: {}\n";
    isocast_diagnostics diagnostics = {0};
    isocast_source *source = NULL;
    isocast_algorithm *out = NULL;
    assert_int_equal(isocast_source_create("cubes", text, strlen(text), &source), ISOCAST_OK);
    assert_int_equal(isocast_algorithm_read(source, &diagnostics, &out), ISOCAST_OK);
    isocast_diagnostics_clear(&diagnostics);
    return out;
}

/* T = W/(C E) with E = N/(N + 100): E there is less by the ratio of T C, and the same at an N that
 * lies between two sizes, distinguished by K. */
static void the_size_holds_efficiency(void **unused) {
    (void)unused;
    isocast_platform *here = platform(one_node, network);
    isocast_platform *there = platform(other_node, network);
    isocast_algorithm *cubes = algorithm();
    isocast_diagnostics diagnostics = {0};
    isocast_work *work = NULL;
    assert_int_equal(isocast_work_create(cubes, &diagnostics, &work), ISOCAST_OK);
    isocast_buffer text = {0};
    isocast_buffer_puts(&text, "system,nodes,p,N,K,T\n");
    for (int K = 1; K <= 2; K++) {
        for (int N = 10; N <= 5120; N *= 2) {
            isocast_buffer_printf(&text, "a,1,10,%d,%d,%.17g\n", N, K,
                                  K * pow(N, 3) / 2e11 / (N / (N + 100.)));
        }
    }
    isocast_transfer *t = NULL;
    assert_int_equal(transfer(text.text, here, there, work, &diagnostics, &t), ISOCAST_OK);
    assert_int_equal(t->count, 20);
    size_t found = 0;
    for (size_t i = 0; i < t->count; i++) {
        const isocast_transfer_row *row = &t->rows[i];
        double E = row->sizes[0] / (row->sizes[0] + 100);
        assert_near(row->E_here, E, close);
        assert_near(row->E, row->W / (row->T * 20 * 8e10), close);
        assert_near(row->E / row->E_low, row->T_high / row->T, 1e-9);
        if (isnan(row->N)) {
            continue;
        }
        found++;
        /* E there is a share of E here at the same N. */
        double at = E * row->E_here / row->E;
        assert_near(row->N / (100 * at / (1 - at)), 1, 0.2);
        assert_true(!(row->N_low > row->N) && !(row->N_high < row->N));
        assert_near(row->psi, 8 * pow(row->sizes[0] / row->N, 3), 1e-9);
    }
    assert_in_range(found, 4, 19);
    isocast_transfer_free(t);
    isocast_buffer_free(&text);
    isocast_work_free(work);
    isocast_algorithm_free(cubes);
    isocast_diagnostics_clear(&diagnostics);
    isocast_platform_free(here);
    isocast_platform_free(there);
}

/* An odd run goes over by half, and widens its interval. */
static void an_odd_run_counts_half(void **unused) {
    (void)unused;
    isocast_platform *here = platform(one_node, network);
    isocast_transfer *t = predict("system,nodes,p,N,T\na,1,10,7,16\na,2,20,7,8\na,4,40,7,16\n"
                                  "a,8,80,7,2\na,16,160,7,1\n",
                                  here, here);
    assert_near(t->rows[2].T, 4 + (8 - 4), 1e-9); /* sqrt(4 x 16) */
    assert_near(t->rows[1].T, 8, 1e-9);
    assert_true(t->rows[2].T_high / t->rows[2].T > 1.5 * t->rows[1].T_high / t->rows[1].T);
    isocast_transfer_free(t);
    isocast_platform_free(here);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_quarter_goes_by_each_kind),
        cmocka_unit_test(the_interval_grows_with_the_step),
        cmocka_unit_test(the_same_machine_takes_as_long),
        cmocka_unit_test(idle_processors_show_the_memory),
        cmocka_unit_test(the_rest_goes_by_the_network),
        cmocka_unit_test(the_size_holds_efficiency),
        cmocka_unit_test(an_odd_run_counts_half),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
