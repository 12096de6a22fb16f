/* Messages of a known network, from which the network must come back. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "calibrate/fit/fit_network.h"
#include "model/base/random_bits.h"

enum { SIZES = 44 };

/* Sizes as a calibration has them: two to a doubling. */
static double size_of(size_t k) {
    return floor(8 * pow(2, 0.5 * (double)k));
}

/* Uniform in 0 to 1. */
static double drawn(size_t k) {
    return isocast_random_unit(isocast_random_bits(0x9E3779B97F4A7C15U * (k + 1)));
}

static const fit_network wires = {
    .ranges = {{0, 20e-6, 3e-9, 0, 0}, {700, 15e-6, 2e-9, 0, 0}, {50000, 60e-6, 1e-9, 0, 0}},
    .count = 3,
    .latency_ratio = 0.05,
    .per_byte_ratio = 0.2,
    .eager_limit = 50000};

static const fit_network receivers = {.ranges = {{0, 1.2e-6, 0.3e-9, 0.2e-6, 0.1e-9},
                                                 {1000, 1.5e-6, 0.2e-9, 0.9e-6, 0.15e-9},
                                                 {50000, 4e-6, 0.1e-9, 0, 0}},
                                      .count = 3,
                                      .latency_ratio = 0.1,
                                      .per_byte_ratio = 0.8,
                                      .eager_limit = 50000};

/* noise: relative, from one end to the other. */
static void draw(const fit_network *truth, double noise, fit_message_point *points) {
    for (size_t k = 0; k < SIZES; k++) {
        double m = size_of(k);
        double up = 1 + noise * (drawn(2 * k) - 0.5);
        double down = 1 + noise * (drawn(2 * k + 1) - 0.5);
        points[k] = (fit_message_point){m, up * fit_network_between(truth, m),
                                        down * fit_network_within(truth, m)};
    }
}

/* The largest relative difference of times, between and within nodes, from 1 B to 16 MiB. */
static double difference(const fit_network *a, const fit_network *b) {
    double most = 0;
    for (size_t k = 0; k < SIZES; k++) {
        double m = size_of(k);
        most = fmax(most, fabs(fit_network_between(a, m) / fit_network_between(b, m) - 1));
        most = fmax(most, fabs(fit_network_within(a, m) / fit_network_within(b, m) - 1));
    }
    return most;
}

static void wires_come_back(void **state) {
    (void)state;
    fit_message_point points[SIZES];
    fit_network found;
    draw(&wires, 0, points);
    assert_int_equal(fit_network_make(points, SIZES, 0, 50000, &found), ISOCAST_OK);
    assert_int_equal(found.count, 3);
    assert_true(fabs(found.latency_ratio - 0.05) < 1e-6);
    assert_true(fabs(found.per_byte_ratio - 0.2) < 1e-6);
    for (size_t r = 0; r < 3; r++) {
        assert_true(fabs(found.ranges[r].latency / wires.ranges[r].latency - 1) < 1e-5);
        assert_true(fabs(found.ranges[r].per_byte / wires.ranges[r].per_byte - 1) < 1e-5);
        assert_true(found.ranges[r].overhead == 0 && found.ranges[r].overhead_per_byte == 0);
    }
    assert_true(difference(&found, &wires) < 1e-5);
    assert_true(fit_network_guess_limit(&found) > 40000);
}

static void receivers_come_back(void **state) {
    (void)state;
    fit_message_point points[SIZES];
    fit_network found;
    draw(&receivers, 0, points);
    assert_int_equal(fit_network_make(points, SIZES, 0, 50000, &found), ISOCAST_OK);
    assert_true(difference(&found, &receivers) < 1e-3);
    assert_true(found.ranges[1].overhead > 0 && found.ranges[2].overhead == 0);
}

static void noise_does_not_upset(void **state) {
    (void)state;
    const fit_network *truths[] = {&wires, &receivers};
    for (size_t i = 0; i < 2; i++) {
        fit_message_point points[SIZES];
        fit_network found;
        draw(truths[i], 0.1, points);
        assert_int_equal(fit_network_make(points, SIZES, 0.03, 50000, &found), ISOCAST_OK);
        assert_true(difference(&found, truths[i]) < 0.12);
        assert_true(found.count <= 4);
    }
}

static void one_curve_is_enough(void **state) {
    (void)state;
    fit_message_point points[SIZES];
    fit_network found;
    draw(&wires, 0, points);
    for (size_t k = 0; k < SIZES; k++) {
        points[k].within = NAN;
    }
    assert_int_equal(fit_network_make(points, SIZES, 0, 50000, &found), ISOCAST_OK);
    assert_true(found.has_between && !found.has_within && isnan(found.error_within));
    assert_true(found.error_between < 1e-6);
    assert_int_equal(fit_network_make(points, 1, 0, 50000, &found), ISOCAST_ARGUMENT);
}

static void platform_has_the_same_messages(void **state) {
    (void)state;
    const fit_network_scales scales = {.capacity = 2, .latency = 1, .memory = 1, .node = INFINITY};
    isocast_network network = fit_network_platform(&receivers, &scales);
    /* A message of 2000 B lies in the second range. */
    double wire = 2000 + FIT_NETWORK_ENVELOPE;
    double received =
        network.receive_overhead.values[1] + 2000 / network.receive_bandwidth.values[1];
    double between = 2 * network.link_latency * network.latency_factor.values[1] +
                     wire / (network.link_bandwidth * network.bandwidth_factor.values[1]);
    double within = network.node_latency * network.latency_factor.values[1] +
                    wire / (network.node_bandwidth * network.bandwidth_factor.values[1]);
    assert_true(fabs((between + received) / fit_network_between(&receivers, 2000) - 1) < 1e-9);
    assert_true(fabs((within + received) / fit_network_within(&receivers, 2000) - 1) < 1e-9);
    assert_true(fabs(network.link_bandwidth - 2e10) < 1);
}

/* Where the wire between nodes was not measured, the messages within a node stay what they are. */
static void scales_leave_what_was_measured(void **state) {
    (void)state;
    fit_message_point points[SIZES];
    fit_network found;
    draw(&wires, 0, points);
    for (size_t k = 0; k < SIZES; k++) {
        points[k].between = NAN;
    }
    assert_int_equal(fit_network_make(points, SIZES, 0, 50000, &found), ISOCAST_OK);
    const fit_network_scales slower = {
        .capacity = 0.5, .latency = 10, .memory = 1, .node = INFINITY};
    const fit_network scaled = fit_network_scaled(&found, &slower);
    const isocast_network network = fit_network_platform(&found, &slower);
    for (size_t k = 0; k < SIZES; k++) {
        double m = size_of(k);
        double within = fit_network_within(&found, m);
        assert_true(fabs(fit_network_within(&scaled, m) / within - 1) < 1e-9);
        assert_true(fit_network_between(&scaled, m) > 1.9 * within);
    }
    assert_true(fabs(network.node_latency * 20 / network.link_latency - 4) < 1e-9);
    /* No message is faster than its wire, as the simulator would not let it be. */
    for (size_t i = 0; i < network.bandwidth_factor.count; i++) {
        assert_true(network.bandwidth_factor.values[i] <= 1 + 1e-9);
    }
}

/* What noise says of the rate of short messages is not what a link carries. */
static void short_messages_report_no_rate(void **state) {
    (void)state;
    fit_network network = wires;
    network.ranges[0].per_byte = 0.5e-9;
    const fit_network_scales scales = {.capacity = 1, .latency = 1, .memory = 1, .node = INFINITY};
    const isocast_network platform = fit_network_platform(&network, &scales);
    assert_true(fabs(platform.link_bandwidth / 1e9 - 1) < 1e-9);
    assert_true(isnan(platform.node_capacity));
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(wires_come_back),
                                       cmocka_unit_test(receivers_come_back),
                                       cmocka_unit_test(noise_does_not_upset),
                                       cmocka_unit_test(one_curve_is_enough),
                                       cmocka_unit_test(platform_has_the_same_messages),
                                       cmocka_unit_test(scales_leave_what_was_measured),
                                       cmocka_unit_test(short_messages_report_no_rate)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
