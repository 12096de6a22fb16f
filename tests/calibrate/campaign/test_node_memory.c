/* Memory and processors of the node: no more than the hardware has, and something of both. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <unistd.h>

#include <cmocka.h>

#include "calibrate/campaign/node.h"
#include "kernels/node_memory.h"

static void memory_is_within_the_hardware(void **state) {
    (void)state;
    double hardware = (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
    double total = node_memory_total();
    double available = node_memory_available();
    assert_true(total > 1e6 && total <= 1.01 * hardware);
    assert_true(available > 0 && available <= total);
}

static void quota_is_above_nothing(void **state) {
    (void)state;
    assert_true(node_processor_quota() > 0);
}

static void description_is_that_of_the_node(void **state) {
    (void)state;
    node_description node;
    node_describe(&node);
    assert_true(node.processors >= 1);
    assert_true(node.memory == node_memory_total());
    assert_true(node.kernel[0] != '\0');
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(memory_is_within_the_hardware),
                                       cmocka_unit_test(quota_is_above_nothing),
                                       cmocka_unit_test(description_is_that_of_the_node)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
