/* What the simulator is started with. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "calibrate/campaign/simgrid.h"
#include "model/spec/platform_load.h"
#include "model/spec/system.h"

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

/* Writes the platform of a text for a system; the caller frees it. */
static isocast_buffer platform_of(const char *text, const char *name) {
    isocast_diagnostics diagnostics = {0};
    isocast_platform *platform = NULL;
    isocast_system **systems = NULL;
    size_t count = 0;
    isocast_buffer out = {0};
    assert_int_equal(
        isocast_platform_read_text("text", text, strlen(text), &diagnostics, &platform),
        ISOCAST_OK);
    assert_int_equal(isocast_systems_parse(platform->hardware, NULL, "system", name, &diagnostics,
                                           &systems, &count),
                     ISOCAST_OK);
    simgrid_write_platform(platform, systems[0], &out);
    assert_false(out.failed);
    isocast_systems_free(systems, count);
    isocast_platform_free(platform);
    isocast_diagnostics_clear(&diagnostics);
    return out;
}

static void expect_written(const isocast_buffer *written, const char *part, bool is_due) {
    if ((strstr(written->text, part) != NULL) != is_due) {
        fail_msg("%s\n%s\n%s", part, is_due ? "is missing in" : "must not be in", written->text);
    }
}

/* A byte of a message is moved four times through the memory of its node. */
static void messages_of_a_node_share_its_memory(void **state) {
    (void)state;
    isocast_buffer out = platform_of(
        "platform: a\n"
        "nodes: {n: {count: 4, processors: 8, speed: 1 Gflop/s, memory_bandwidth: 160 GB/s}}\n"
        "network: {topology: switched, link_bandwidth: 8 Gbit/s, link_latency: 1 us}\n",
        "8x2");
    expect_written(&out, "<link id=\"memory-n-1\" bandwidth=\"4e+10Bps\"", true);
    expect_written(&out, "<link_ctn id=\"memory-n-1\"/></route>", true);
    expect_written(&out, "smpi/os", false);
    isocast_buffer_free(&out);
    /* Where the simulator shares nothing, each gets its part: of 8 on a node, and of 2. */
    static const char torus[] =
        "platform: a\n"
        "nodes: {n: {count: 4, processors: 8, speed: 1 Gflop/s, memory_bandwidth: 160 GB/s}}\n"
        "network: {topology: torus, shape: \"2,2\", link_bandwidth: 8 Gbit/s, link_latency: 1 "
        "us}\n";
    out = platform_of(torus, "8x2");
    expect_written(&out, " loopback_bw=\"5e+09Bps\"", true);
    isocast_buffer_free(&out);
    out = platform_of(torus, "2x2");
    expect_written(&out, " loopback_bw=\"6e+09Bps\"", true);
    isocast_buffer_free(&out);
}

/* Each of 8 processes copies at 9 GB/s, and a message is copied twice; two caches of 16 MB, of
 * which MPICH's buffers take 4.5 MB for each process. */
static void nodes_have_caches(void **state) {
    (void)state;
    static const char text[] =
        "platform: a\n"
        "nodes: {n: {count: 4, processors: 16, speed: 1 Gflop/s, memory_bandwidth: 40 GB/s, "
        "sockets: 2, cache: 16 MB}}\n"
        "network: {topology: switched, link_bandwidth: 8 Gbit/s, link_latency: 1 us, "
        "node_bandwidth: 9 GB/s, copy_overhead: 25 ns, collectives: %s}\n";
    char plain[512];
    snprintf(plain, sizeof plain, text, "cray");
    isocast_buffer out = platform_of(plain, "8x2");
    expect_written(&out, "<prop id=\"isocast-cache\" value=\"32000000 3.6e+10\"/></host>", true);
    expect_written(&out, "<prop id=\"isocast-copies\" value=\"2.5e-08 9e+09\"/>", true);
    isocast_buffer_free(&out);
    /* Two together copy no faster than memory. */
    out = platform_of(plain, "2x2");
    expect_written(&out, "<prop id=\"isocast-cache\" value=\"32000000 1e+10\"/></host>", true);
    isocast_buffer_free(&out);
    snprintf(plain, sizeof plain, text, "mpich");
    out = platform_of(plain, "2x2");
    expect_written(&out, "<prop id=\"isocast-cache\" value=\"23087104 1e+10\"/></host>", true);
    isocast_buffer_free(&out);
    out = platform_of(plain, "8x2");
    expect_written(&out, "isocast-cache", false);
    isocast_buffer_free(&out);
    snprintf(plain, sizeof plain, text, "cray, node_capacity: 5 GB/s");
    out = platform_of(plain, "8x2");
    expect_written(&out, "isocast-cache", false);
    isocast_buffer_free(&out);
}

/* node_capacity comes before the memory, and any key before the kind. */
static void keys_come_before_what_they_follow_from(void **state) {
    (void)state;
    static const char text[] =
        "platform: a\n"
        "nodes: {n: {count: 4, processors: 8, speed: 1 Gflop/s, memory_bandwidth: 160 GB/s}}\n"
        "network: {kind: aries, topology: switched, link_bandwidth: 80 Gbit/s, interfaces: 2, "
        "link_share: 0.5, message_overhead: 4 us, message_gap: 0 s, latency_factor: 3, "
        "node_capacity: 7 GB/s, receive_overhead: 9 us}\n";
    isocast_buffer out = platform_of(text, "8x2");
    expect_written(&out, "<link id=\"memory-n-0\" bandwidth=\"7e+09Bps\"", true);
    expect_written(&out, "<link id=\"link-n-0\" bandwidth=\"1e+10Bps\" latency=\"6e-07s\"", true);
    expect_written(&out, "\"smpi/lat-factor\" value=\"0:3\"", true);
    expect_written(&out, "\"smpi/bw-factor\" value=\"0:1\"", true);
    /* Up to the eager limit both copy the message, at 12.1 GB/s. */
    expect_written(&out, "\"smpi/os\" value=\"0:1e-06:8.26446281e-11;8192:1e-06:0\"", true);
    expect_written(&out, "\"smpi/ois\" value=\"0:3e-06:8.26446281e-11;8192:3e-06:0\"", true);
    expect_written(&out, "\"smpi/or\" value=\"0:9e-06:8.26446281e-11\"", true);
    isocast_buffer_free(&out);
}

/* Two nodes have their links. Eight have two doublings more: together half of 8 x 1 GB/s, and the
 * gap of a message is as long as before. */
static void many_nodes_congest_a_switch(void **state) {
    (void)state;
    static const char text[] =
        "platform: a\n"
        "nodes: {n: {count: 8, processors: 2, speed: 1 Gflop/s%s}}\n"
        "network: {topology: switched, link_bandwidth: 8 Gbit/s, link_latency: 1 us, "
        "message_gap: 1 us, congestion: 0.5}\n";
    static const char *const memories[] = {"", ", memory_bandwidth: 100 GB/s"};
    static const char *const places[] = {"bb_bw=\"4e+09Bps\"",
                                         "<backbone id=\"backplane\" bandwidth=\"4e+09Bps\""};
    for (int i = 0; i < 2; i++) {
        char platform[512];
        snprintf(platform, sizeof platform, text, memories[i]);
        isocast_buffer out = platform_of(platform, "2x8");
        expect_written(&out, places[i], true);
        expect_written(&out, ";8:0.015748;", true); /* of 8 + 500 B */
        isocast_buffer_free(&out);
        out = platform_of(platform, "2x2");
        expect_written(&out, "bb_bw", false);
        expect_written(&out, "backbone", false);
        expect_written(&out, ";8:0.00793651;", true);
        isocast_buffer_free(&out);
    }
}

/* 8 B and a gap of 1 us at 1 GB/s are 1008 B on the link; factors of the file stay. */
static void the_gap_of_messages_is_more_bytes(void **state) {
    (void)state;
    isocast_buffer out =
        platform_of("platform: a\n"
                    "nodes: {n: {count: 4, processors: 8, speed: 1 Gflop/s}}\n"
                    "network: {topology: switched, link_bandwidth: 8 Gbit/s, link_latency: 1 us, "
                    "message_gap: 1 us, bandwidth_factor: {0 B: 1, 64 MiB: 0.5}}\n",
                    "8x2");
    expect_written(&out, ";8:0.00793651;", true);
    expect_written(&out, ":1;67108864:0.5\"/>", true);
    isocast_buffer_free(&out);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(many_processes_have_no_guards),
        cmocka_unit_test(messages_of_a_node_share_its_memory),
        cmocka_unit_test(nodes_have_caches),
        cmocka_unit_test(keys_come_before_what_they_follow_from),
        cmocka_unit_test(many_nodes_congest_a_switch),
        cmocka_unit_test(the_gap_of_messages_is_more_bytes),
        cmocka_unit_test(computing_takes_time_at_a_given_speed_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
