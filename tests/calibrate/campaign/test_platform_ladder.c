/* Which smaller systems stand for a large one, and how times grow from them. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "calibrate/campaign/platform_ladder.h"
#include "model/spec/platform_load.h"

static const char one_class[] =
    "platform: p\n"
    "nodes: {node: {count: 1000000, processors: 192, speed: 1 Gflop/s}}\n"
    "network: {topology: switched, link_bandwidth: 1 Gbit/s, "
    "link_latency: 1 us}\n";
static const char two_classes[] = "platform: p\n"
                                  "nodes:\n"
                                  "  a: {count: 8, processors: 16, speed: 1 Gflop/s}\n"
                                  "  b: {count: 4, processors: 4, speed: 2 Gflop/s}\n"
                                  "network: {topology: switched, link_bandwidth: 1 Gbit/s, "
                                  "link_latency: 1 us}\n";

/* due: the rungs, joined by blanks. */
static void expect_rungs(const char *text, const char *name, const char *due) {
    isocast_diagnostics diagnostics = {0};
    isocast_platform *platform = NULL;
    isocast_system **systems = NULL;
    size_t count = 0;
    isocast_buffer all = {0};
    assert_int_equal(
        isocast_platform_read_text("text", text, strlen(text), &diagnostics, &platform),
        ISOCAST_OK);
    assert_int_equal(isocast_systems_parse(platform->hardware, NULL, "system", name, &diagnostics,
                                           &systems, &count),
                     ISOCAST_OK);
    char *names[CAMPAIGN_LADDER_RUNGS];
    size_t rungs = campaign_ladder_systems(platform, systems[0], names);
    assert_true(rungs > 0);
    double before = 0;
    for (size_t i = rungs; i-- > 0;) {
        isocast_system **rung = NULL;
        size_t one = 0;
        assert_int_equal(isocast_systems_parse(platform->hardware, NULL, "system", names[i],
                                               &diagnostics, &rung, &one),
                         ISOCAST_OK);
        assert_true(rung[0]->p > before);
        before = rung[0]->p;
        isocast_systems_free(rung, one);
        isocast_buffer_printf(&all, "%s%s", all.length > 0 ? " " : "", names[i]);
        free(names[i]);
    }
    assert_string_equal(all.text, due);
    isocast_buffer_free(&all);
    isocast_systems_free(systems, count);
    isocast_platform_free(platform);
    isocast_diagnostics_clear(&diagnostics);
}

static void nodes_are_halved_and_then_processes(void **state) {
    (void)state;
    expect_rungs(one_class, "24576",
                 "6x4 12x4 24x4 48x4 96x4 192x4 192x8 192x16 192x32 192x64 24576");
    expect_rungs(one_class, "96x8", "6x4 12x4 24x4 48x4 96x4 96x8");
    /* The last node of the system alone is not full. */
    expect_rungs(one_class, "20000",
                 "3x7 6x7 12x7 24x7 48x7 96x7 192x7 192x14 192x27 192x53 20000");
    expect_rungs(one_class, "1x100", "1x25 1x50 1x100");
    expect_rungs(one_class, "192", "24x1 48x1 96x1 192");
    expect_rungs(one_class, "20", "20");
    expect_rungs(two_classes, "a:128+b:16", "a:4x4+b:1x2 a:8x4+b:2x2 a:16x4+b:4x2 a:128+b:16");
}

/* Which has few rungs. */
static void a_million_processes_have_a_ladder(void **state) {
    (void)state;
    expect_rungs(one_class, "1x1000000",
                 "1x31 1x62 1x123 1x245 1x489 1x977 1x1954 1x3907 1x7813 1x15625 1x31250 "
                 "1x62500 1x125000 1x250000 1x500000 1x1000000");
}

static double logarithmic(double p) {
    return 2e-6 + 3e-6 * log2(p);
}
static double linear(double p) {
    return 5e-6 + 1e-7 * p;
}
static double square(double p) {
    return 1e-5 + 1e-9 * p * p;
}
static double constant(double p) {
    (void)p;
    return 7e-6;
}

static void growth_is_found(void **state) {
    (void)state;
    static double (*const laws[])(double) = {logarithmic, linear, square, constant};
    for (size_t i = 0; i < sizeof laws / sizeof laws[0]; i++) {
        double p[6];
        double t[6];
        for (size_t k = 0; k < 6; k++) {
            p[k] = 24 * exp2((double)k);
            t[k] = laws[i](p[k]);
        }
        double error;
        double found = campaign_ladder_extend(p, t, 6, 24576, &error);
        assert_true(fabs(found / laws[i](24576) - 1) < 1e-6);
        assert_true(fabs(error - (pow(1.03, 5) - 1)) < 1e-6); /* for each doubling */
        assert_true(campaign_ladder_extend(p, t, 6, p[5], &error) == t[5]);
        assert_true(error == 0);
    }
}

/* What follows no law has an error that grows with the doublings. */
static void jumps_have_an_error(void **state) {
    (void)state;
    static const double p[] = {24, 48, 96, 192};
    static const double t[] = {1e-4, 1.1e-4, 1.2e-4, 3e-4};
    double near;
    double far;
    assert_true(campaign_ladder_extend(p, t, 4, 384, &near) >= 3e-4);
    assert_true(campaign_ladder_extend(p, t, 4, 768, &far) < 5e-3);
    assert_true(near > 0.2 && far > near);
    /* So it has where an earlier rung was missed, and the last one by chance was not. */
    static const double jumped[] = {1e-4, 1.1e-4, 2.2e-4, 2.3e-4, 2.4e-4};
    static const double five[] = {24, 48, 96, 192, 384};
    campaign_ladder_extend(five, jumped, 5, 768, &near);
    assert_true(near > 0.5);
    /* Three rungs do not state p from the square well. */
    static const double bent[] = {1e-4, 2.5e-4, 7e-4};
    campaign_ladder_extend(five, bent, 3, 768, &far);
    assert_true(far > 0.5);
    /* Two state a power, one says nothing: the growth may also be none, or the square. */
    assert_true(fabs(campaign_ladder_extend(p, t, 2, 96, &near) / (t[1] * 1.1) - 1) < 1e-9);
    assert_true(near > 0.2);
    assert_true(campaign_ladder_extend(p, t, 1, 384, &far) == 16 * t[0] && far == 15);
    assert_true(campaign_ladder_extend(p, t, 1, 24 * 1024, &far) == 1024 * t[0] && far == 1023);
}

/* Exchanges of all with all grow as the square of a node's processes, and not with nodes. */
static void nodes_are_no_processes(void **state) {
    (void)state;
    const isocast_network network = {.topology = ISOCAST_TOPOLOGY_SWITCHED, .congestion = 0.1};
    static const double p[] = {24, 48, 96, 192};
    static const double squares[] = {1e-4, 4e-4, 16e-4, 64e-4};
    static const double lines[] = {1e-4, 2e-4, 4e-4, 8e-4};
    const campaign_ladder_nodes nodes = {.full = 384, .each = 96, .to = 768};
    double error;
    double found = campaign_ladder_extend_unlike(&network, p, squares, 4, &nodes, &error);
    assert_true(fabs(found / (256e-4 * 7 / 3 * 1.2 / 1.1) - 1) < 1e-6);
    assert_true(error > 0.2); /* two doublings, of which no rung shows what nodes do */
    found = campaign_ladder_extend_unlike(&network, p, lines, 4, &nodes, &error);
    assert_true(fabs(found / 32e-4 - 1) < 1e-6);
    const isocast_network torus = {.topology = ISOCAST_TOPOLOGY_TORUS};
    found = campaign_ladder_extend_unlike(&torus, p, squares, 4, &nodes, &error);
    assert_true(fabs(found / 1024e-4 - 1) < 1e-6);
}

static void what_matters_counts(void **state) {
    (void)state;
    const campaign_ladder_size sizes[] = {
        {9, 21, 0}, {0.03, 10176, 84}, {0.05, 5184, 168}, {7, 42, 336}};
    campaign_curve curve = {.matters = {false, true, true}};
    campaign_ladder_sum_up(sizes, 4, &curve);
    assert_true(curve.error == 0.05 && curve.counted == 5184 && curve.simulated == 168);
    /* Before it is known what matters, all sizes do. */
    campaign_curve unknown = {.wanted = true};
    campaign_ladder_sum_up(sizes, 4, &unknown);
    assert_true(unknown.error == 9 && unknown.counted == 21 && unknown.simulated == 336);
    campaign_ladder_sum_up(sizes, 0, &unknown);
    assert_true(unknown.error == 0 && unknown.simulated == 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nodes_are_halved_and_then_processes),
        cmocka_unit_test(a_million_processes_have_a_ladder),
        cmocka_unit_test(growth_is_found),
        cmocka_unit_test(jumps_have_an_error),
        cmocka_unit_test(nodes_are_no_processes),
        cmocka_unit_test(what_matters_counts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
