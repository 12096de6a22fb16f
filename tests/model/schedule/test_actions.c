/* Walks through programs: the actions of each process, in order. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/spec/algorithm_load.h"
#include "model/spec/algorithm_program.h"

enum { ACTIONS_MOST = 200 };

static isocast_algorithm *load(const char *program) {
    isocast_buffer text = {0};
    isocast_buffer_printf(&text,
                          "algorithm: test\nsize: {N: {min: 1}}\nwork: N\n"
                          "define: {twice: 2*N}\nprogram:\n%s",
                          program);
    isocast_diagnostics reported = {0};
    isocast_algorithm *algorithm = NULL;
    isocast_status status =
        isocast_algorithm_read_text("test", text.text, text.length, &reported, &algorithm);
    if (status != ISOCAST_OK) {
        isocast_buffer out = {0};
        isocast_diagnostics_render(&reported, &out);
        fail_msg("%s", out.text);
    }
    isocast_buffer_free(&text);
    isocast_diagnostics_clear(&reported);
    return algorithm;
}

/* An action as a word with its numbers. */
static void describe(const isocast_action *action, isocast_buffer *out) {
    switch (action->kind) {
    case ISOCAST_ACTION_WORK:
        isocast_buffer_printf(out, "work %g", action->flop);
        break;
    case ISOCAST_ACTION_COPY:
        isocast_buffer_printf(out, "copy %g", action->bytes);
        break;
    case ISOCAST_ACTION_SEND:
        isocast_buffer_printf(out, "send %g to %d", action->bytes, action->to);
        break;
    case ISOCAST_ACTION_RECEIVE:
        isocast_buffer_printf(out, "receive %g from %d", action->bytes, action->from);
        if (action->step->is_ahead && action->next_bytes >= 0) {
            isocast_buffer_printf(out, " then %g", action->next_bytes);
        }
        break;
    case ISOCAST_ACTION_SENDRECV:
        isocast_buffer_printf(out, "sendrecv %g to %d from %d", action->bytes, action->to,
                              action->from);
        break;
    case ISOCAST_ACTION_COLLECTIVE:
        isocast_buffer_printf(out, "%s %g root %d group %zu", action->step->kind->word,
                              action->bytes, action->root, action->group);
        break;
    default:
        isocast_buffer_puts(out, "finish");
        break;
    }
    if (action->kind != ISOCAST_ACTION_FINISH && action->handle != ISOCAST_SCHEDULE_NONE) {
        isocast_buffer_puts(out, " started");
    }
    isocast_buffer_puts(out, "; ");
}

typedef struct question {
    double N;
    int processes, rank;
    const double *speeds;
} question;

/* The actions of a process as a text. */
static char *walk_through(const char *program, question q) {
    isocast_algorithm *algorithm = load(program);
    isocast_diagnostics reported = {0};
    isocast_algorithm_run *run = NULL;
    const isocast_algorithm_run_request request = {
        .algorithm = algorithm, .sizes = &q.N, .processes = q.processes, .speeds = q.speeds};
    isocast_buffer out = {0};
    isocast_actions *walk = NULL;
    isocast_status status = isocast_algorithm_run_create(&request, &reported, &run);
    if (status == ISOCAST_OK) {
        assert_int_equal(isocast_actions_create(isocast_algorithm_run_steps(run), q.rank, &walk),
                         ISOCAST_OK);
    }
    isocast_action action = {.kind = ISOCAST_ACTION_WORK};
    for (int i = 0; status == ISOCAST_OK && i < ACTIONS_MOST; i++) {
        status = isocast_actions_next(walk, &reported, &action);
        if (status != ISOCAST_OK || action.kind == ISOCAST_ACTION_END) {
            break;
        }
        if (action.from == ISOCAST_ACTION_ANYBODY) {
            isocast_actions_set_sender(walk, 2);
        }
        describe(&action, &out);
    }
    if (status != ISOCAST_OK) {
        assert_int_equal(status, ISOCAST_INVALID);
        isocast_buffer_printf(&out, "error: %s", reported.items[0].message);
    }
    isocast_actions_free(walk);
    isocast_algorithm_run_free(run);
    isocast_algorithm_free(algorithm);
    isocast_diagnostics_clear(&reported);
    return isocast_buffer_take(&out);
}

static void expect(const char *program, question q, const char *actions) {
    char *found = walk_through(program, q);
    assert_string_equal(found, actions);
    free(found);
}

static void test_loops_and_conditions(void **state) {
    (void)state;
    expect("  - for: i = 0..N-1\n"
           "    do:\n"
           "      - let: {left: N - i}\n"
           "      - if: mod(i, 2) == 0\n"
           "        do: [work: 2 flop*left]\n"
           "        else: [copy: 8 B*left]\n"
           "  - barrier\n",
           (question){3, 2, 1, NULL}, "work 6; copy 16; work 2; barrier 0 root 0 group 0; ");
    expect("  - for: i = 8..1 by -3\n    do: [work: i]\n", (question){3, 2, 1, NULL},
           "work 8; work 5; work 2; ");
    expect("  - for: i = 1..0\n    do: [work: i]\n", (question){3, 2, 1, NULL}, "");
    /* Folded over several lines. */
    expect("  - for: i =\n      p -\n      1 ..   N +\n      4\n      by\n      3\n    do: [work: "
           "i]\n",
           (question){3, 2, 1, NULL}, "work 1; work 4; work 7; ");
    expect("  - for: i = 0..1\n    do:\n      - for: k = i..1\n        do: [work: twice + k]\n",
           (question){3, 2, 1, NULL}, "work 6; work 7; work 7; ");
    /* A counter of one loop may be that of another. */
    expect("  - for: i = 1..1\n    do: [work: i]\n  - for: i = 2..2\n    do: [work: i]\n",
           (question){3, 2, 1, NULL}, "work 1; work 2; ");
}

static void test_processes(void **state) {
    (void)state;
    static const char farm[] = "  - at: rank == 0\n"
                               "    do:\n"
                               "      - for: i = 1..p-1\n"
                               "        do:\n"
                               "          - receive: {from: any, bytes: 8 B}\n"
                               "          - send: {to: sender, bytes: 16 B}\n"
                               "    else:\n"
                               "      - send: {to: 0, bytes: 8 B}\n"
                               "      - receive: {from: 0, bytes: 16 B}\n";
    expect(farm, (question){3, 3, 0, NULL},
           "receive 8 from -2; send 16 to 2; receive 8 from -2; send 16 to 2; ");
    expect(farm, (question){3, 3, 1, NULL}, "send 8 to 0; receive 16 from 0; ");
}

static void test_grids(void **state) {
    (void)state;
    static const char halo[] = "  - grid: {y: 2, x: p/2}\n"
                               "  - start: edges\n"
                               "    do:\n"
                               "      - shift: {by: {x: 1}, bytes: 8 B}\n"
                               "      - shift: {by: {y: 1, x: -1}, bytes: 8 B, ends: open}\n"
                               "  - work: 10*x + y\n"
                               "  - finish: edges\n"
                               "  - bcast: {along: x, root: 2, bytes: 4 B}\n"
                               "  - allreduce: {along: y, bytes: 4 B}\n";
    expect(halo, (question){3, 6, 2, NULL},
           "sendrecv 8 to 0 from 1 started; sendrecv 8 to 4 from -1 started; work 20; finish; "
           "bcast 4 root 2 group 1; allreduce 4 root 0 group 2; ");
    expect(
        halo, (question){3, 5, 2, NULL},
        "error: the length of an axis must be a whole number from 1 to 5; with 5 processes it is "
        "2.5");
}

static void test_groups(void **state) {
    (void)state;
    isocast_algorithm *algorithm = load(
        "  - grid: {z: 2, y: 3, x: 4}\n  - barrier: {along: [x, z]}\n  - barrier: {along: y}\n");
    const double N = 1;
    isocast_diagnostics reported = {0};
    isocast_algorithm_run *run = NULL;
    const isocast_algorithm_run_request request = {
        .algorithm = algorithm, .sizes = &N, .processes = 24};
    assert_int_equal(isocast_algorithm_run_create(&request, &reported, &run), ISOCAST_OK);
    const isocast_schedule_run *steps = isocast_algorithm_run_steps(run);
    for (int rank = 0; rank < 24; rank++) {
        isocast_group_place plane = isocast_schedule_run_place(steps, 1, rank);
        isocast_group_place line = isocast_schedule_run_place(steps, 2, rank);
        assert_int_equal(plane.size, 8);
        assert_int_equal(plane.colour, rank / 4 % 3);
        assert_int_equal(plane.place, rank / 12 * 4 + rank % 4);
        assert_int_equal(line.size, 3);
        assert_int_equal(line.place, rank / 4 % 3);
        for (size_t g = 0; g < 3; g++) {
            isocast_group_place own = isocast_schedule_run_place(steps, g, rank);
            assert_int_equal(isocast_schedule_run_member(steps, g, rank, own.place), rank);
            int other = isocast_schedule_run_member(steps, g, rank, own.size - 1);
            isocast_group_place there = isocast_schedule_run_place(steps, g, other);
            assert_int_equal(there.colour, own.colour);
            assert_int_equal(there.place, own.size - 1);
        }
    }
    isocast_algorithm_run_free(run);
    isocast_algorithm_free(algorithm);
}

static void test_pass(void **state) {
    (void)state;
    static const char sweep[] = "  - grid: {y: 1, x: p}\n"
                                "  - for: b = 1..2\n"
                                "    do:\n"
                                "      - pass: {by: {x: 1}, bytes: 8 B}\n"
                                "        do: [work: 10*b]\n";
    expect(sweep, (question){3, 3, 0, NULL}, "work 10; send 8 to 1; work 20; send 8 to 1; ");
    expect(sweep, (question){3, 3, 1, NULL},
           "receive 8 from 0; work 10; send 8 to 2; receive 8 from 0; work 20; send 8 to 2; ");
    expect(sweep, (question){3, 3, 2, NULL},
           "receive 8 from 1; work 10; receive 8 from 1; work 20; ");
    /* The message of the next turn is known, where there is one. */
    expect("  - for: b = 1..2\n    do:\n"
           "      - pass: {by: 1, bytes: 8 B*b, receive: ahead}\n        do: [work: 10*b]\n",
           (question){3, 2, 1, NULL},
           "receive 8 from 0 then 16; work 10; receive 16 from 0; work 20; ");
}

static void test_shares(void **state) {
    (void)state;
    static const double speeds[] = {2, 1, 1};
    static const char blocks[] = "  - share: {rows: N}\n"
                                 "  - work: rows\n"
                                 "  - work: rows.first\n"
                                 "  - work: 100*rows.of(mod(rank + 1, p)) + rows.owner(N - 1)\n"
                                 "  - work: rows.left(3)\n";
    expect(blocks, (question){8, 3, 1, NULL}, "work 3; work 3; work 202; work 3; ");
    expect(blocks, (question){8, 3, 0, speeds}, "work 4; work 0; work 202; work 1; ");
    static const char turns[] = "  - share: {rows: {items: N, by: turns}}\n"
                                "  - for: i = 0..N-1\n"
                                "    do:\n"
                                "      - bcast: {root: rows.owner(i), bytes: 8 B}\n"
                                "      - work: rows.left(i)\n";
    expect(turns, (question){4, 2, 1, NULL},
           "bcast 8 root 0 group 0; work 2; bcast 8 root 1 group 0; work 2; "
           "bcast 8 root 0 group 0; work 1; bcast 8 root 1 group 0; work 1; ");
    /* Every item is owned by one, at any p. */
    for (int p = 1; p < 8; p++) {
        double unequal[8] = {3, 1, 2, 1, 5, 1, 1, 1};
        for (int q = 0; q < p; q++) {
            char *alike =
                walk_through("  - share: {rows: N}\n  - work: rows\n", (question){5, p, q, NULL});
            char expected[32];
            snprintf(expected, sizeof expected, "work %d; ", 5 / p + (q < 5 % p));
            assert_string_equal(alike, expected);
            free(alike);
        }
        double total = 0;
        for (int q = 0; q < p; q++) {
            char *found = walk_through("  - share: {rows: {items: N, by: turns}}\n"
                                       "  - work: rows.left(0) - rows\n  - work: rows\n",
                                       (question){23, p, q, unequal});
            double rows = 0;
            assert_int_equal(sscanf(found, "work 0; work %lf", &rows), 1);
            total += rows;
            free(found);
        }
        assert_true(total == 23);
    }
}

static void test_bytes_of_others(void **state) {
    (void)state;
    isocast_algorithm *algorithm =
        load("  - share: {rows: N}\n  - scatterv: {root: 0, bytes: 8 B*rows}\n");
    const double N = 8;
    isocast_diagnostics reported = {0};
    isocast_algorithm_run *run = NULL;
    isocast_actions *walk = NULL;
    isocast_action action;
    const isocast_algorithm_run_request request = {
        .algorithm = algorithm, .sizes = &N, .processes = 3};
    assert_int_equal(isocast_algorithm_run_create(&request, &reported, &run), ISOCAST_OK);
    assert_int_equal(isocast_actions_create(isocast_algorithm_run_steps(run), 0, &walk),
                     ISOCAST_OK);
    assert_int_equal(isocast_actions_next(walk, &reported, &action), ISOCAST_OK);
    assert_true(action.bytes == 24);
    assert_true(isocast_actions_bytes_of(walk, &action, 2) == 16);
    assert_true(isocast_actions_bytes_of(walk, &action, 0) == 24);
    isocast_actions_free(walk);
    isocast_algorithm_run_free(run);
    isocast_algorithm_free(algorithm);
}

static void test_refusals(void **state) {
    (void)state;
    expect("  - bcast: {root: N, bytes: 8 B}\n", (question){3, 3, 1, NULL},
           "error: root must be a whole number from 0 to 2; of process 1 of 3 it is 3");
    expect("  - send: {to: rank + 1, bytes: 8 B}\n", (question){3, 3, 2, NULL},
           "error: to must be a whole number from 0 to 2; of process 2 of 3 it is 3");
    expect("  - allreduce: {bytes: 8 B*(N - 5)}\n", (question){3, 3, 2, NULL},
           "error: bytes must be 0 or above, and a number; of process 2 of 3 it is -16");
    expect(
        "  - for: i = 0..3 by N-3\n    do: [work: i]\n", (question){3, 3, 2, NULL},
        "error: the stride of a loop must be such that the loop ends; of process 2 of 3 it is 0");
    expect(
        "  - for: i = 0..1e12\n    do: [work: i]\n", (question){3, 3, 2, NULL},
        "error: the end of a loop must be such that the loop has at most 1e9 turns; of process 2 "
        "of 3 it is 1e+12");
    expect("  - grid: {y: 2, x: 2}\n  - barrier\n", (question){3, 6, 2, NULL},
           "error: the grid has 4 places for 6 processes");
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_loops_and_conditions),
                                       cmocka_unit_test(test_processes),
                                       cmocka_unit_test(test_grids),
                                       cmocka_unit_test(test_groups),
                                       cmocka_unit_test(test_pass),
                                       cmocka_unit_test(test_shares),
                                       cmocka_unit_test(test_bytes_of_others),
                                       cmocka_unit_test(test_refusals)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
