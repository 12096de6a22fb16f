/* What the simulator is started with. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "calibrate/campaign/simgrid.h"

static void expect_option(double p, double own_speed, const char *option, bool is_due) {
    isocast_system system = {.p = p};
    isocast_buffer text = {0};
    simgrid_write_command(&system, "platform.xml", "hosts", own_speed, &text);
    assert_false(text.failed);
    assert_true((strstr(text.text, option) != NULL) == is_due);
    isocast_buffer_free(&text);
}

/* Linux gives a program 65530 mappings; a stack with its guard takes two. */
static void many_processes_have_no_guards(void **state) {
    (void)state;
    static const char guard[] = " --cfg=contexts/guard-size:0 ";
    expect_option(4096, 0, guard, false);
    expect_option(33000, 0, guard, true);
    expect_option(33000, 1e9, guard, true);
}

static void computing_takes_time_at_a_given_speed_alone(void **state) {
    (void)state;
    expect_option(4, 0, " --cfg=smpi/simulate-computation:no ", true);
    expect_option(4, 2.5e9, " --cfg=smpi/simulate-computation:no ", false);
    expect_option(4, 2.5e9, " --cfg=smpi/host-speed:2.5e+09f ", true);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(many_processes_have_no_guards),
        cmocka_unit_test(computing_takes_time_at_a_given_speed_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
