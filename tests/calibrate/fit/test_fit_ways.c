/* Messages on the links of a platform: routes, what they take together, and operations whose growth
 * with p is counted. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "calibrate/fit/fit.h"
#include "calibrate/fit/fit_lengths.h"
#include "calibrate/fit/fit_pattern.h"
#include "calibrate/fit/fit_placement.h"
#include "calibrate/fit/fit_regimes.h"
#include "calibrate/fit/fit_sizes.h"
#include "calibrate/fit/fit_ways_place.h"
#include "calibrate/samples/environment.h"

enum { NODES_MOST = 128 };

static fit_network_map map_of(const char *topology, const char *shape, double nodes,
                              double processors, double together) {
    environment_network network = {.speed = NAN,
                                   .nodes = nodes,
                                   .processors = processors,
                                   .together = together,
                                   .link_bandwidth = 1e9,
                                   .link_latency = 1e-5,
                                   .node_bandwidth = 8e9,
                                   .node_latency = 1e-6,
                                   .eager_limit = 65536};
    snprintf(network.topology, sizeof network.topology, "%s", topology);
    snprintf(network.shape, sizeof network.shape, "%s", shape);
    char line[ENVIRONMENT_LINE_MAX];
    environment_write_network(&network, line);
    environment_facts facts = {0};
    assert_true(environment_facts_take(&facts, line));
    fit_network_map map;
    assert_true(fit_network_map_read(&facts, &map));
    map.facts = NULL;
    return map;
}

static size_t links(const fit_network_map *map, int from, int to) {
    fit_link route[FIT_ROUTE_MAX];
    return fit_route(map, from, to, route);
}

static void routes_are_those_of_the_shape(void **state) {
    (void)state;
    fit_network_map torus = map_of("torus", "8,8", 64, 1, 8);
    assert_int_equal(links(&torus, 5, 5), 0);
    assert_int_equal(links(&torus, 0, 1), 1);
    assert_int_equal(links(&torus, 0, 4), 4);
    assert_int_equal(links(&torus, 0, 7), 1);
    assert_int_equal(links(&torus, 7, 8), 2);
    assert_int_equal(links(&torus, 0, 63), 2);
    fit_network_map tree = map_of("fat-tree", "2;12,4;1,6;1,1", 48, 2, 12);
    assert_int_equal(links(&tree, 0, 11), 2);
    assert_int_equal(links(&tree, 0, 12), 4);
    fit_network_map dragonfly = map_of("dragonfly", "3,1;2,1;3,1;1", 18, 1, 1);
    assert_int_equal(links(&dragonfly, 0, 1), 3);
    assert_int_equal(links(&dragonfly, 0, 3), 3);
    /* Over the router that leads to group 2, which is on the first chassis. */
    assert_int_equal(links(&dragonfly, 3, 12), 2 + 1 + 1 + 1);
    /* To another router of its group SimGrid goes by the first chassis. */
    assert_int_equal(links(&dragonfly, 0, 4), 4);
    assert_int_equal(links(&dragonfly, 4, 0), 3);
    assert_int_equal(links(&dragonfly, 3, 5), 4);
    fit_network_map map;
    environment_facts facts = {0};
    assert_true(environment_facts_take(&facts, "# mpi: x"));
    assert_false(fit_network_map_read(&facts, &map));
}

static double length_along(const fit_network_map *map, const char *name, fit_axis axis, int p,
                           int each, fit_replay_rules rules) {
    int nodes[NODES_MOST];
    for (int rank = 0; rank < p; rank++) {
        nodes[rank] = rank / each;
    }
    fit_places places = {nodes, NULL, (size_t)p};
    return fit_pattern_length(map, (fit_pattern){name, axis, FIT_ROUNDS_SAMPLED}, &places, rules);
}

static double length_on(const fit_network_map *map, const char *name, int p, int each,
                        fit_replay_rules rules) {
    return length_along(map, name, FIT_AXIS_ALL, p, each, rules);
}

static const fit_replay_rules short_ones = {true, {1, 1}, {0, 0}, 0};
static const fit_replay_rules long_ones = {false, {0, 0}, {1, 1}, 0};

static void assert_near(double value, double due) {
    if (fabs(value - due) > 1e-6 * fabs(due)) {
        fail_msg("%.9g is not %.9g", value, due);
    }
}

static void lengths_follow_the_links(void **state) {
    (void)state;
    fit_network_map torus = map_of("torus", "8,8", 64, 1, 8);
    /* Seven ways of one link in each row, and one of two links to the next. */
    assert_near(length_on(&torus, "T_chain", 64, 1, short_ones), 8 * 7 + 7 * 2);
    assert_near(length_on(&torus, "T_chain", 64, 1, long_ones), 63);
    assert_near(length_on(&torus, "T_stream", 8, 1, short_ones), 1);
    assert_near(length_on(&torus, "T_stream", 16, 1, short_ones), 2);
    /* Two processes of a node: half of the ways are inside. */
    fit_network_map tree = map_of("fat-tree", "2;12,4;1,6;1,1", 48, 2, 12);
    assert_near(length_on(&tree, "T_chain", 4, 2, short_ones), 2 + 2 * 0.1);
    assert_near(length_on(&tree, "T_chain", 4, 2, long_ones), 1 + 2 * 0.125);
    /* The last node of a switch and the first of the next. */
    assert_near(length_on(&tree, "T_chain", 26, 2, short_ones), 13 * 0.1 + 11 * 2 + 4);
    /* A broadcast goes to the first process, and down a tree of nodes. */
    assert_near(length_on(&tree, "T_bcast", 8, 1, short_ones), 3 * 2);
    assert_near(length_on(&tree, "T_butterfly", 8, 1, short_ones), 3 * 2);
    assert_true(isnan(length_on(&tree, "T_exscan", 8, 1, short_ones)));
    assert_false(fit_pattern_known("T_exscan"));
    assert_true(fit_pattern_known("T_bcast_barrier"));
}

/* A barrier between nodes of one process each: a dissemination, with a link up and one down in each
 * step. Its messages have no size, so nothing changes with m. */
static void barriers_are_those_of_the_library(void **state) {
    (void)state;
    static const fit_replay_rules longer = {true, {1, 1}, {0, 0}, 1 << 20};
    fit_network_map map = map_of("switched", "1", 16, 4, 1);
    assert_near(length_on(&map, "T_barrier", 8, 1, longer), 3 * 2);
    assert_near(length_on(&map, "T_barrier", 5, 1, longer), 3 * 2);
    assert_int_equal(fit_regimes_of("T_barrier", &map).count, 0);
    fit_sizes sizes = fit_sizes_of("T_barrier");
    assert_string_equal(sizes.items[0].text, "0 B");
}

/* A step of MPICH's between nodes is two links, one within a node a tenth of one. */
static void collectives_are_those_of_the_library(void **state) {
    (void)state;
    fit_network_map map = map_of("switched", "1", 16, 4, 1);
    static const fit_replay_rules longer = {true, {1, 1}, {0, 0}, 1 << 20};
    /* A tree on one node, and of nodes; three processes of a node are two steps more,
     * and on the node of the root two again. */
    assert_near(length_on(&map, "T_reduce", 4, 4, short_ones), 2 * 0.1);
    assert_near(length_on(&map, "T_reduce", 5, 1, short_ones), 3 * 2);
    assert_near(length_on(&map, "T_reduce", 15, 3, short_ones), 2 * 0.1 + 3 * 2 + 2 * 0.1);
    /* Up inside nodes, doubling distances between them, and down again. */
    assert_near(length_on(&map, "T_allreduce", 4, 1, short_ones), 2 * 2);
    assert_near(length_on(&map, "T_allreduce", 16, 4, short_ones), 2 * 0.1 + 2 * 2 + 2 * 0.1);
    /* What is beyond a power of two joins its neighbour before and after. */
    assert_near(length_on(&map, "T_allreduce", 5, 1, short_ones), 2 + 4 + 2);
    /* Round a ring a process waits for the last block, whose way began with a scatter. */
    double ring = length_on(&map, "T_bcast", 9, 1, longer);
    assert_true(ring >= 8 * 2 && ring <= (8 + 4) * 2);
    /* Open MPI: all at once from the root, and nodes do not count. */
    map.library = ISOCAST_COLLECTIVES_OPENMPI;
    assert_near(length_on(&map, "T_bcast", 7, 1, longer), 6 * 2);
    static const fit_replay_rules middle = {true, {1, 1}, {0, 0}, 65536};
    assert_near(length_on(&map, "T_bcast", 7, 1, middle), 2);
}

/* A process that waits for one of its messages goes on before the others are over. */
static void one_message_is_waited_for(void **state) {
    (void)state;
    fit_network_map map = map_of("switched", "1", 3, 1, 1);
    fit_program programs[3] = {{.steps = NULL}};
    fit_program_add(&programs[0], (fit_step){.to = -1, .from = 2, .posts = true});
    fit_program_add(&programs[0], (fit_step){.to = -1, .from = 1, .posts = true});
    fit_program_wait_for(&programs[0], 1);
    fit_program_add(&programs[0], (fit_step){.to = 2, .from = -1});
    fit_program_wait_for(&programs[0], 0);
    fit_program_add(&programs[1], (fit_step){.to = 0, .from = -1});
    /* The last one sends when it has what the first sends behind the one that it waited for. */
    fit_program_add(&programs[2], (fit_step){.to = -1, .from = 0});
    fit_program_add(&programs[2], (fit_step){.to = 0, .from = -1});
    const int nodes[] = {0, 1, 2};
    double mark[3];
    double end[3];
    fit_replay_times times = {mark, end};
    assert_true(fit_replay(&map, nodes, programs, 3, short_ones, &times));
    assert_near(end[0], 3 * 2);
    for (int i = 0; i < 3; i++) {
        free(programs[i].steps);
    }
}

static void assert_borders(const fit_regimes *regimes, const char *expected) {
    isocast_buffer text = {0};
    for (int k = 0; k < regimes->count; k++) {
        fit_border_put(regimes, k, &text);
        isocast_buffer_puts(&text, "; ");
    }
    assert_string_equal(text.text, expected);
    isocast_buffer_free(&text);
}

/* Where the messages change: short ones through node leaders, powers of two for longer, and where a
 * sender begins to wait. Of reductions blocks hang on the processes. */
static void borders_are_those_of_the_library(void **state) {
    (void)state;
    fit_network_map map = map_of("switched", "1", 16, 4, 1);
    fit_regimes regimes = fit_regimes_of("T_bcast_barrier", &map);
    assert_borders(&regimes, "m < 12289 B; m < 65536 B; m/p < 8192 B; m/p < 16384 B; "
                             "m < 524288 B; m/p < 32768 B; m < 524289 B; m/p < 65536 B; ");
    for (int k = 0; k <= regimes.count; k++) {
        double low;
        double high;
        fit_regime_range(&regimes, k, 17, &low, &high);
        double m = fit_regime_middle(&regimes, k, 17);
        /* On 17 processes one border may be beyond the next. */
        assert_true(low == high || fit_regime_at(&regimes, m, 17) == k);
    }
    map = map_of("switched", "1", 64, 1, 1);
    regimes = fit_regimes_of("T_allreduce", &map);
    assert_borders(&regimes, "m < 9 B; m < 8 B*2^floor(log2(p)); m < 65536 B; m/p < 8192 B; "
                             "m/p < 16384 B; m/p < 32768 B; m/p < 65536 B; ");
    assert_int_equal(fit_regime_at(&regimes, 127, 31), 1);
    assert_int_equal(fit_regime_at(&regimes, 128, 31), 2);
    /* 2048 B and 2049 are as many numbers. */
    regimes = fit_regimes_of("T_reduce", &map);
    assert_int_equal(fit_regime_at(&regimes, 2048, 16), 0);
    assert_int_equal(fit_regime_at(&regimes, 2056, 16), 1);
    assert_int_equal(fit_regimes_of("T_chain", &map).count, 1);
}

/* 32 others at once, of which the process itself is the first. */
static void exchanges_begin_with_31(void **state) {
    (void)state;
    fit_network_map map = map_of("switched", "1", 65, 1, 1);
    assert_near(length_on(&map, "T_transpose", 32, 1, short_ones), 2);
    assert_near(length_on(&map, "T_transpose", 33, 1, short_ones), 2 * 2);
    assert_near(length_on(&map, "T_transpose", 64, 1, short_ones), 2 * 2);
    assert_near(length_on(&map, "T_transpose", 65, 1, short_ones), 3 * 2);
}

/* Where the links up are fewer than the nodes below a switch, messages wait for them. */
static void messages_share_links(void **state) {
    (void)state;
    fit_network_map narrow = map_of("fat-tree", "2;4,2;1,1;1,1", 8, 1, 4);
    fit_network_map wide = map_of("fat-tree", "2;4,2;1,4;1,1", 8, 1, 4);
    /* A butterfly of 8: first all four of a switch pass it, then none. */
    assert_near(length_on(&wide, "T_butterfly", 8, 1, long_ones), 3 * 1.05);
    assert_near(length_on(&narrow, "T_butterfly", 8, 1, long_ones), 4 * 1.05 + 2 * 1.05);
    /* A message with a longer way gets half of the rate of the one that its answers meet, though
     * half of its link is free. */
    fit_network_map ring = map_of("torus", "8", 8, 1, 1);
    fit_step first[] = {{.to = 1, .from = 2}};
    fit_step second[] = {{.to = -1, .from = 0}};
    fit_step third[] = {{.to = 0, .from = -1}};
    fit_program programs[] = {
        {.steps = first, .count = 1}, {.steps = second, .count = 1}, {.steps = third, .count = 1}};
    const int nodes[] = {0, 1, 2};
    double mark[3];
    double end[3];
    fit_replay_times times = {mark, end};
    assert_true(fit_replay(&ring, nodes, programs, 3, long_ones, &times));
    assert_near(end[1], 1.025);
    assert_near(end[2], 1.525);
}

/* Lines of a grid that are busy at once share the links of the nodes that all of them are on: four
 * columns take four times what one does. Rows that fill a node do not leave it. */
static void lines_share_links(void **state) {
    (void)state;
    fit_network_map map = map_of("switched", "1", 16, 4, 1);
    double alone = length_along(&map, "T_sendrecv", FIT_AXIS_Y, 16, 1, long_ones);
    assert_near(length_along(&map, "T_sendrecv", FIT_AXIS_Y, 16, 4, long_ones), 4 * alone);
    assert_near(length_along(&map, "T_sendrecv", FIT_AXIS_X, 16, 4, long_ones), map.near_byte);
    double tree = length_along(&map, "T_bcast", FIT_AXIS_Y, 16, 1, long_ones);
    assert_near(length_along(&map, "T_bcast", FIT_AXIS_Y, 16, 4, long_ones), 4 * tree);
    assert_true(length_along(&map, "T_bcast", FIT_AXIS_X, 16, 4, long_ones) < tree);
    assert_true(fit_pattern_is_of_lines("T_bcast"));
    assert_false(fit_pattern_is_of_lines("T_chain"));
    assert_false(fit_axis_is_square(13));
    assert_true(fit_axis_is_square(8));
}

/* A program that waits for a message that nobody sends has no end. */
static void a_message_needs_both_ends(void **state) {
    (void)state;
    fit_network_map torus = map_of("torus", "8,8", 64, 1, 8);
    fit_step waits[] = {{.to = -1, .from = 1}};
    fit_program programs[] = {{.steps = waits, .count = 1}, {.steps = NULL}};
    const int nodes[] = {0, 1};
    double mark[2];
    double end[2];
    fit_replay_times times = {mark, end};
    assert_false(fit_replay(&torus, nodes, programs, 2, long_ones, &times));
}

static void add(samples *s, const char *line) {
    samples_line kind;
    assert_int_equal(samples_add_line(s, line, &kind), ISOCAST_OK);
}

static const fit_operation *operation_of(const fit *f, const char *name) {
    for (size_t i = 0; i < f->operation_count; i++) {
        if (strcmp(f->operations[i].name, name) == 0) {
            return &f->operations[i];
        }
    }
    return NULL;
}

/* A chain on up to 16 processes of a torus of rows of 8, whose messages take twice the latency and
 * 1.1 times the time of their bytes and the 16 B that SimGrid adds: 64 processes have 70 links to
 * pass. Without the network the fit would have to guess. */
static void growth_is_counted_beyond_what_was_measured(void **state) {
    (void)state;
    samples s = {0};
    add(&s, "# mpi: SMPI Version 3.32");
    add(&s, "# nodes_together: 8");
    add(&s, "# network torus 8,8 of 64 nodes of 1, 8 together; link 1e+09 B/s 1e-05 s; node 8e+09 "
            "B/s 1e-06 s; eager 65536 B");
    add(&s, SAMPLES_HEADER);
    for (int p = 2; p <= 16; p++) {
        for (int m = 64; m <= 1 << 20; m *= 4) {
            int hops = p - 1 + (p > 8 ? 1 : 0);
            char line[160];
            snprintf(line, sizeof line, "0,T_chain,%d,%d,0,%.12g,simulated,0,%d,%d", p, m,
                     2e-5 * hops + 1.1e-9 * (m + 16) * (p - 1), (p + 7) / 8, p < 8 ? p : 8);
            add(&s, line);
        }
    }
    fit f;
    assert_int_equal(fit_samples(&s, NULL, &f), ISOCAST_OK);
    const fit_operation *chain = operation_of(&f, "T_chain");
    const fit_operation *latency = operation_of(&f, "T_chain_latency");
    const fit_operation *transfer = operation_of(&f, "T_chain_transfer");
    assert_non_null(chain);
    assert_non_null(latency);
    assert_non_null(transfer);
    assert_true(chain->max_error < 1e-6);
    assert_true(latency->counted);
    assert_non_null(strstr(chain->body.text, "    latency: 2"));
    assert_non_null(strstr(chain->body.text, "    transfer: 1.1"));
    assert_non_null(strstr(latency->body.text, ", 64, 70)"));
    assert_non_null(strstr(transfer->body.text, ", 64, 63)"));
    fit_free(&f);
    samples_free(&s);
}

/* One formula for all numbers of processes on a node would be too long to be read, where nodes have
 * 8 processors. */
static void savings_are_written_for_each_number_on_a_node(void **state) {
    (void)state;
    samples s = {0};
    add(&s, "# mpi: SMPI Version 3.32");
    add(&s, "# network switched 1 of 4 nodes of 2, 1 together; link 1e+09 B/s 1e-05 s; node 8e+09 "
            "B/s 1e-06 s; eager 65536 B");
    add(&s, SAMPLES_HEADER);
    for (int p = 4; p <= 6; p += 2) {
        for (int m = 64; m <= 1 << 20; m *= 4) {
            char line[160];
            snprintf(line, sizeof line, "0,T_allgather,%d,%d,0,%.12g,simulated,0,%d,2", p, m,
                     1e-4 + 4e-9 * m, p / 2);
            add(&s, line);
        }
    }
    fit f;
    assert_int_equal(fit_samples(&s, NULL, &f), ISOCAST_OK);
    const fit_operation *saving = operation_of(&f, "T_allgather_saving");
    const fit_operation *latency = operation_of(&f, "T_allgather_latency");
    assert_non_null(saving);
    assert_non_null(latency);
    assert_string_equal(saving->body.text,
                        "    formula: if(p_node <= 1, T_allgather_saving_1(m, p), "
                        "T_allgather_saving_2(m, p))\n");
    assert_non_null(strstr(latency->body.text, " - T_allgather_saving(m, p)"));
    assert_non_null(operation_of(&f, "T_allgather_saving_1"));
    assert_null(strstr(operation_of(&f, "T_allgather_saving_2")->body.text, "p_node"));
    fit_free(&f);
    samples_free(&s);
}

/* 17 processes take long messages in blocks: they are scattered, and then
 * 16 steps of all processes follow, each of them at least a message between nodes. */
static void long_messages_are_cut(void **state) {
    (void)state;
    fit_network_map pairs = map_of("switched", "1", 16, 2, 1);
    fit_replay_rules whole = {true, {1, 1}, {0, 0}, 12288};
    fit_replay_rules cut = {true, {1, 1}, {0, 0}, 12289};
    assert_true(length_on(&pairs, "T_bcast", 17, 2, whole) < 5 * 2);
    double steps = length_on(&pairs, "T_bcast", 17, 2, cut);
    if (steps < 16 * 2 || steps > (16 + 5) * 2) {
        fail_msg("%g links", steps);
    }
    /* So do nodes of one process. */
    fit_network_map single = map_of("switched", "1", 17, 1, 1);
    steps = length_on(&single, "T_bcast", 17, 1, cut);
    if (steps < 16 * 2 || steps > (16 + 5) * 2) {
        fail_msg("%g links of nodes of one process", steps);
    }
    /* Blocks have no more bytes than the whole. */
    fit_replay_rules bytes = {false, {0, 0}, {1, 1.0 / 17}, 12289};
    assert_true(length_on(&pairs, "T_bcast", 17, 2, bytes) < 4);
}

/* Where the bytes of a block take as long as its latency, what is saved makes the sum of both what
 * messages take; blocks are a part of what a process has. */
static void savings_go_by_the_message(void **state) {
    (void)state;
    fit_network_map map = map_of("torus", "3,4,5", 60, 1, 3);
    fit_ways ways = {.map = &map, .name = "T_transpose"};
    fit_ways_find(&ways, 32, ceil(32.0 / 3), 3, 0);
    fit_replay_rules rules = {.eager = true, .latency = {1}, .bytes = {1}};
    double whole = length_on(&map, "T_transpose", 32, 1, rules);
    const fit_lengths *lengths = &ways.lengths;
    double saving = lengths->savings[3];
    assert_near(fit_saving_ratios[3], 1);
    assert_true(saving > 0);
    assert_near(lengths->links[0] + lengths->loads[0] - saving, whole);
}

/* 12 nodes of a switch have one link to the other switches. What 13 processes and more send to each
 * other crosses it, so that a line from 12 to 24 would be off. */
static void bends_of_growth_are_listed(void **state) {
    (void)state;
    samples s = {0};
    add(&s, "# mpi: SMPI Version 3.32");
    add(&s, "# network fat-tree 2;12,2;1,1;1,1 of 24 nodes of 1, 12 together; link 1e+09 B/s 1e-05 "
            "s; node 8e+09 B/s 1e-06 s; eager 65536 B");
    add(&s, SAMPLES_HEADER);
    for (int p = 2; p <= 4; p++) {
        for (int m = 1024; m <= 1 << 20; m *= 4) {
            char line[160];
            snprintf(line, sizeof line, "0,T_transpose,%d,%d,0,%.12g,simulated,0,1,%d", p, m,
                     2e-5 + 1e-9 * m * (p - 1) / p, p);
            add(&s, line);
        }
    }
    fit f;
    assert_int_equal(fit_samples(&s, NULL, &f), ISOCAST_OK);
    const fit_operation *transfer = operation_of(&f, "T_transpose_transfer");
    assert_non_null(transfer);
    const char *text = transfer->body.text;
    fit_network_map map = map_of("fat-tree", "2;12,2;1,1;1,1", 24, 1, 12);
    fit_replay_rules bytes = {.eager = true, .bytes = {1}};
    char row[48];
    snprintf(row, sizeof row, ", 14, %.7g,", length_on(&map, "T_transpose", 14, 1, bytes));
    assert_non_null(strstr(text, row));
    fit_free(&f);
    samples_free(&s);
}

/* Nodes of 2, 1 and 4 processors: samples tell where their launches were, and a mix that grows has
 * its part of each class. */
static void mixes_are_placed(void **state) {
    (void)state;
    static const char *const lines[] = {
        "# network switched 5,14,5;2,1,4;500000,1000000,800000 of 24 nodes of 4, 1 together; link "
        "1e+09 B/s 1e-05 s; node 8e+09 B/s 1e-06 s; eager 65536 B",
        "# placement 2/1:1 2/1:2 3/1:3", "# placement 4/2:1 3/1:2 5/4:3"};
    environment_facts facts = {0};
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        assert_true(environment_facts_take(&facts, lines[i]));
    }
    fit_network_map map;
    assert_true(fit_network_map_read(&facts, &map));
    assert_int_equal(map.class_count, 3);
    int nodes[44];
    double speeds[44];
    const fit_placed places = {nodes, speeds};
    /* The second launch, 2 2 1 1 1 4 1: whole, and without process 0. */
    static const int whole[12] = {0, 0, 1, 1, 2, 3, 4, 5, 5, 5, 5, 6};
    assert_true(fit_placement_measured(&map, 12, 7, 2, &places));
    for (size_t k = 0; k < 12; k++) {
        assert_int_equal(nodes[k], whole[k]);
        assert_near(speeds[k], k < 4 ? 5e5 : k < 7 ? 1e6 : 8e5);
    }
    assert_true(fit_placement_measured(&map, 5, 4, 1, &places));
    assert_true(fit_placement_measured(&map, 6, 6, 1, &places));
    assert_false(fit_placement_measured(&map, 6, 2, 4, &places));
    assert_false(fit_placement_measured(&map, 40, 20, 2, &places));
    /* 10, 14 and 20 processors: 5, 7 and 10 of 22 processes. */
    assert_true(fit_placement_of_mix(&map, 22, 22, &places));
    assert_int_equal(nodes[4], 4);
    assert_int_equal(nodes[11], 11);
    assert_int_equal(nodes[13], 12);
    assert_int_equal(nodes[21], 16);
    assert_true(fit_placement_of_mix(&map, 22, 6, &places));
    assert_int_equal(nodes[4], 2);
    assert_int_equal(nodes[5], 3);
    assert_int_equal(nodes[11], 9);
    assert_int_equal(nodes[12], 10);
    assert_int_equal(nodes[16], 11);
    assert_int_equal(nodes[21], 12);
    assert_near(speeds[4], 5e5);
    assert_near(speeds[21], 8e5);
    assert_true(fit_placement_of_mix(&map, 44, 24, &places));
    assert_int_equal(nodes[43], 23);
    assert_false(fit_placement_of_mix(&map, 2, 2, &places));
    assert_false(fit_placement_of_mix(&map, 45, 24, &places));
    environment_facts_free(&facts);
}

/* A butterfly that was measured on one node of a mix alone, by messages that take twice the latency
 * of the data sheet: 16 processes exchange over links that up to four of a node share. */
static void a_mix_grows_by_its_links(void **state) {
    (void)state;
    samples s = {0};
    add(&s, "# mpi: SMPI Version 3.32");
    add(&s, "# network switched 4,4;1,4 of 8 nodes of 4, 1 together; link 1e+09 B/s 1e-05 s; node "
            "8e+09 B/s 1e-06 s; eager 65536 B");
    add(&s, "# placement 4/4");
    add(&s, SAMPLES_HEADER);
    for (int m = 64; m <= 1 << 20; m *= 4) {
        char line[160];
        snprintf(line, sizeof line, "0,T_butterfly,4,%d,0,%.12g,simulated,0,1,4", m,
                 2 * (2e-6 + (m + 16) / 8e9));
        add(&s, line);
    }
    fit f;
    assert_int_equal(fit_samples(&s, NULL, &f), ISOCAST_OK);
    const fit_operation *butterfly = operation_of(&f, "T_butterfly");
    const fit_operation *transfer = operation_of(&f, "T_butterfly_transfer");
    assert_non_null(butterfly);
    assert_non_null(transfer);
    assert_non_null(strstr(butterfly->body.text, "    latency: 2"));
    assert_non_null(strstr(butterfly->body.text, "    transfer: 1"));
    /* Not the 0.125 of each step that a node's own memory takes. */
    const char *at = strstr(transfer->body.text, " 16, ");
    assert_non_null(at);
    assert_true(strtod(at + strlen(" 16, "), NULL) > 4);
    fit_free(&f);
    samples_free(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(routes_are_those_of_the_shape),
        cmocka_unit_test(lengths_follow_the_links),
        cmocka_unit_test(barriers_are_those_of_the_library),
        cmocka_unit_test(collectives_are_those_of_the_library),
        cmocka_unit_test(one_message_is_waited_for),
        cmocka_unit_test(borders_are_those_of_the_library),
        cmocka_unit_test(exchanges_begin_with_31),
        cmocka_unit_test(messages_share_links),
        cmocka_unit_test(lines_share_links),
        cmocka_unit_test(a_message_needs_both_ends),
        cmocka_unit_test(growth_is_counted_beyond_what_was_measured),
        cmocka_unit_test(savings_are_written_for_each_number_on_a_node),
        cmocka_unit_test(long_messages_are_cut),
        cmocka_unit_test(savings_go_by_the_message),
        cmocka_unit_test(bends_of_growth_are_listed),
        cmocka_unit_test(mixes_are_placed),
        cmocka_unit_test(a_mix_grows_by_its_links)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
