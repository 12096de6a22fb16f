/* What of a machine's timings a twin is fitted to. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "calibrate/campaign/twin_plan.h"
#include "model/spec/machine_load.h"

static isocast_machine *machine_of(const char *text) {
    isocast_diagnostics diagnostics = {0};
    isocast_machine *machine = NULL;
    assert_int_equal(isocast_machine_read_text("here", text, strlen(text), &diagnostics, &machine),
                     ISOCAST_OK);
    isocast_diagnostics_clear(&diagnostics);
    return machine;
}

/* A stranger's file with each size from 0 B on, between nodes at odd ones and within at even ones.
 * The squares of so many would take gigabytes. */
static void many_sizes_are_thinned(void **state) {
    (void)state;
    enum { SIZES = 40000 };
    isocast_machine *machine =
        machine_of("machine: here\nnodes: {node: {count: 2, processors: 2, marked_speed: 1e9}}\n");
    campaign_twin_timings timings = {.items = calloc(SIZES, sizeof *timings.items), .count = SIZES};
    assert_non_null(timings.items);
    for (size_t i = 0; i < SIZES; i++) {
        double m = (double)i;
        bool between = i % 2 == 1;
        timings.items[i] = (campaign_twin_timing){.operation = ISOCAST_KNOWN_message,
                                                  .p = 2,
                                                  .nodes = between ? 2 : 1,
                                                  .p_node = between ? 1 : 2,
                                                  .m = m,
                                                  .seconds = (between ? 2e-6 : 1e-6) + m * 1e-9};
    }
    campaign_twin_plan plan = {0};
    assert_int_equal(campaign_twin_plan_make(machine, &timings, &plan), ISOCAST_OK);
    size_t between = 0;
    size_t within = 0;
    for (size_t i = 0; i < plan.message_count; i++) {
        between += isnan(plan.messages[i].between) ? 0 : 1;
        within += isnan(plan.messages[i].within) ? 0 : 1;
        assert_true(i == 0 || plan.messages[i].m > plan.messages[i - 1].m);
    }
    assert_true(plan.message_count <= 260);
    assert_true(between > 64 && within > 64);
    assert_true(plan.messages[0].m == 0 && plan.messages[plan.message_count - 1].m > 39000);
    /* Short and long ones alike: half of them are in the first twentieth. */
    assert_true(plan.messages[plan.message_count / 2].m < 2000);
    fit_network network;
    assert_int_equal(fit_network_make(plan.messages, plan.message_count, 0, 1e9, &network),
                     ISOCAST_OK);
    assert_true(fabs(fit_network_between(&network, 20000) / 22e-6 - 1) < 0.01);
    campaign_twin_plan_free(&plan);
    free(timings.items);
    isocast_machine_free(machine);
}

/* Nodes of two classes, of which the machine file names no system. */
static void classes_share_a_placement(void **state) {
    (void)state;
    isocast_machine *machine =
        machine_of("machine: here\nnodes: {a: {count: 2, processors: 4, marked_speed: 1e9}, "
                   "b: {count: 3, processors: 2, marked_speed: 2e9}}\n");
    campaign_twin_timing items[] = {{.p = 4, .nodes = 2, .p_node = 2},
                                    {.p = 4, .nodes = 4, .p_node = 1},
                                    {.p = 8, .nodes = 2, .p_node = 4},
                                    {.p = 9, .nodes = 5, .p_node = 2},
                                    {.p = 16, .nodes = 4, .p_node = 4}};
    enum { COUNT = sizeof items / sizeof items[0] };
    for (size_t i = 0; i < COUNT; i++) {
        items[i].operation = ISOCAST_KNOWN_bcast;
        items[i].m = 1000;
        items[i].seconds = 1e-5;
    }
    campaign_twin_timings timings = {.items = items, .count = COUNT};
    campaign_twin_plan plan = {0};
    assert_int_equal(campaign_twin_plan_make(machine, &timings, &plan), ISOCAST_OK);
    assert_int_equal(plan.fitted_count, 2);
    assert_string_equal(plan.fitted[0].system, "a:2x2");
    assert_string_equal(plan.fitted[1].system, "a:1x2+b:1x2");
    /* Nine of five nodes are not as many on each, and there are no four nodes of four. */
    assert_int_equal(plan.held_count, 1);
    assert_string_equal(plan.held[0].system, "a:4x2");
    campaign_twin_plan_free(&plan);
    isocast_machine_free(machine);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(many_sizes_are_thinned),
                                       cmocka_unit_test(classes_share_a_placement)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
