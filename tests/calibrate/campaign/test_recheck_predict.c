/* What a machine file says of a point: its time, or nothing, which is no failure. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "calibrate/campaign/recheck.h"
#include "model/spec/machine_load.h"

static const char text[] = "machine: here\n"
                           "nodes: {node: {count: 4, processors: 2, marked_speed: 1 Gflop/s}}\n"
                           "parameters: {t_c: 1 ns/flop}\n"
                           "operations: {T_bcast: log2(p)*(1 us + m*1 ns/B)}\n";

static void what_a_file_does_not_report_is_no_failure(void **state) {
    (void)state;
    isocast_diagnostics diagnostics = {0};
    isocast_machine *machine = NULL;
    assert_int_equal(isocast_machine_read_text("here", text, strlen(text), &diagnostics, &machine),
                     ISOCAST_OK);
    campaign_recheck_point points[] = {
        {.name = "T_bcast", .p = 4, .system = "2x2", .m = 1000},
        {.name = "T_gather", .p = 4, .m = 1000},                   /* no such operation */
        {.name = "T_bcast", .p = 4, .system = "other", .m = 1000}, /* no such system */
        {.name = "T_bcast", .p = 8, .m = 1000}};
    assert_int_equal(campaign_recheck_predict(machine, points, 4), ISOCAST_OK);
    assert_true(fabs(points[0].predicted - 4e-6) < 1e-12);
    assert_true(isnan(points[1].predicted) && points[1].sigma == 0);
    assert_true(isnan(points[2].predicted));
    assert_true(fabs(points[3].predicted - 6e-6) < 1e-12);
    isocast_machine_free(machine);
    isocast_diagnostics_clear(&diagnostics);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(what_a_file_does_not_report_is_no_failure)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
