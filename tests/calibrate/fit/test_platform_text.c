/* What is written of a platform is read as the same network, and machine files keep its nodes. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "calibrate/fit/machine_file.h"
#include "calibrate/fit/platform_text.h"
#include "model/spec/platform_load.h"

static const char nodes[] =
    "platform: a\n"
    "nodes: {n: {count: 4, processors: 8, speed: 1 Gflop/s, memory_bandwidth: 160 GB/s, "
    "sockets: 2, cache: 32 MB}}\n"
    "network: {";

static isocast_platform *read_network(const char *network) {
    isocast_buffer text = {0};
    isocast_diagnostics diagnostics = {0};
    isocast_platform *platform = NULL;
    isocast_buffer_puts(&text, nodes);
    isocast_buffer_puts(&text, network);
    isocast_buffer_puts(&text, "}\n");
    assert_int_equal(
        isocast_platform_read_text("text", text.text, text.length, &diagnostics, &platform),
        ISOCAST_OK);
    isocast_diagnostics_clear(&diagnostics);
    isocast_buffer_free(&text);
    return platform;
}

static void a_kind_is_written_as_its_numbers(void **state) {
    (void)state;
    isocast_platform *kind =
        read_network("kind: aries, topology: switched, link_bandwidth: 80 Gbit/s, interfaces: 2");
    isocast_buffer text = {0};
    platform_text_put_network(&kind->network, ", ", &text);
    assert_null(strstr(text.text, "kind"));
    isocast_platform *plain = read_network(text.text);
    const isocast_network *a = &kind->network;
    const isocast_network *b = &plain->network;
    assert_string_equal(a->kind, "aries");
    assert_null(b->kind);
    const double due[] = {a->link_latency,     a->interfaces,  a->link_share,   a->message_gap,
                          a->message_overhead, a->eager_limit, a->node_latency, a->node_bandwidth,
                          a->copy_overhead,    a->congestion};
    const double is[] = {b->link_latency,     b->interfaces,  b->link_share,   b->message_gap,
                         b->message_overhead, b->eager_limit, b->node_latency, b->node_bandwidth,
                         b->copy_overhead,    b->congestion};
    for (size_t i = 0; i < sizeof due / sizeof due[0]; i++) {
        assert_true(due[i] > 0);
        assert_true(fabs(is[i] - due[i]) <= 1e-8 * due[i]);
    }
    assert_int_equal(b->latency_factor.count, a->latency_factor.count);
    assert_true(a->latency_factor.count > 1);
    isocast_buffer_free(&text);
    isocast_platform_free(plain);
    isocast_platform_free(kind);
}

static void machine_files_keep_the_memory_of_nodes(void **state) {
    (void)state;
    isocast_platform *platform =
        read_network("topology: switched, link_bandwidth: 80 Gbit/s, link_latency: 1 us");
    isocast_buffer text = {0};
    machine_file_put_hardware(platform->hardware, &text);
    assert_non_null(strstr(text.text, ", memory_bandwidth: 160 GB/s, sockets: 2, cache: 32 MB}"));
    isocast_buffer_free(&text);
    isocast_platform_free(platform);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_kind_is_written_as_its_numbers),
        cmocka_unit_test(machine_files_keep_the_memory_of_nodes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
