/* Rehearsals: what processes do, added up, and what a process needs room for. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "model/schedule/rehearsal.h"
#include "model/spec/algorithm_load.h"
#include "model/spec/algorithm_program.h"

/* What went wrong as a text, or NULL; *out gets the rehearsal. */
static char *rehearse(const char *program, int processes, double most, isocast_rehearsal *out) {
    isocast_buffer text = {0};
    isocast_buffer_printf(&text, "algorithm: test\nsize: {N: {min: 1}}\nwork: N\nprogram:\n%s",
                          program);
    isocast_diagnostics reported = {0};
    isocast_algorithm *algorithm = NULL;
    assert_int_equal(
        isocast_algorithm_read_text("test", text.text, text.length, &reported, &algorithm),
        ISOCAST_OK);
    const double N = 10;
    isocast_algorithm_run *run = NULL;
    const isocast_algorithm_run_request request = {
        .algorithm = algorithm, .sizes = &N, .processes = processes};
    assert_int_equal(isocast_algorithm_run_create(&request, &reported, &run), ISOCAST_OK);
    isocast_status status = isocast_schedule_rehearse(isocast_algorithm_run_steps(run), most,
                                                      "N = 10", NULL, &reported, out);
    char *wrong = status != ISOCAST_OK ? strdup(reported.items[0].message) : NULL;
    isocast_buffer_free(&text);
    isocast_diagnostics_clear(&reported);
    isocast_algorithm_run_free(run);
    isocast_algorithm_free(algorithm);
    return wrong;
}

static void expect_wrong(const char *program, int processes, const char *message) {
    isocast_rehearsal out;
    char *wrong = rehearse(program, processes, 1e6, &out);
    assert_non_null(wrong);
    assert_string_equal(wrong, message);
    free(wrong);
}

static void test_counts(void **state) {
    (void)state;
    isocast_rehearsal r;
    assert_null(rehearse("  - share: {rows: N}\n"
                         "  - work: 2 flop*rows\n"
                         "  - copy: 3 B\n"
                         "  - gatherv: {root: 1, bytes: 8 B*rows}\n"
                         "  - alltoall: {bytes: 5 B}\n"
                         "  - shift: {by: 1, bytes: 7 B, ends: open}\n",
                         4, 1e6, &r));
    assert_true(r.is_complete);
    assert_true(r.actions == 20);
    assert_true(r.all.flop == 20 && r.flop_most == 6);
    assert_true(r.all.copied == 12);
    assert_true(r.all.messages == 3 && r.all.bytes == 21);
    assert_true(r.all.calls == 8 && r.all.call_bytes == 8 * 10 + 4 * 5);
    assert_true(r.largest == 24);
    assert_true(r.room == 80); /* the root of gatherv */
    assert_null(rehearse("  - for: i = 1..N\n    do: [barrier]\n", 3, 20, &r));
    assert_false(r.is_complete);
    /* Each process finds a length for each other one, which takes as long as so many steps. */
    static const char lengths[] =
        "  - share: {rows: N}\n  - alltoallv: {bytes: 8 B*rows.of(other)}\n";
    assert_null(rehearse(lengths, 5, 24, &r));
    assert_false(r.is_complete);
    assert_null(rehearse(lengths, 5, 25, &r));
    assert_true(r.is_complete && r.actions == 25);
}

/* Messages that are started, and those that are short, do not wait for their receiver. */
static void test_who_waits(void **state) {
    (void)state;
    static const char ring[] = "  - send: {to: \"mod(rank + 1, p)\", bytes: 1 B*%s}\n"
                               "  - receive: {from: \"mod(rank + p - 1, p)\", bytes: 1 B*%s}\n";
    static const char started[] =
        "  - start: s\n    do: [send: {to: \"mod(rank + 1, p)\", bytes: 1 MiB}]\n"
        "  - receive: {from: \"mod(rank + p - 1, p)\", bytes: 1 MiB}\n  - finish: s\n";
    isocast_rehearsal r;
    isocast_buffer text = {0};
    isocast_buffer_printf(&text, ring, "65536", "65536");
    assert_null(rehearse(text.text, 3, 1e6, &r));
    text.length = 0;
    isocast_buffer_printf(&text, ring, "65537", "65537");
    expect_wrong(
        text.text, 3,
        "process 0 waits here forever: process 1 does not receive its message, with N = 10");
    isocast_buffer_free(&text);
    assert_null(rehearse(started, 5, 1e6, &r));
    assert_true(r.all.bytes == 5 * 1048576.0);
}

/* Operations of a group meet in the order of their calls, those that are started as well. */
static void test_meetings(void **state) {
    (void)state;
    isocast_rehearsal r;
    static const char late[] = "  - grid: {y: 2, x: p/2}\n"
                               "  - start: s\n"
                               "    do:\n"
                               "      - bcast: {along: x, root: 0, bytes: 8 B}\n"
                               "      - allreduce: {along: y, bytes: 8 B}\n"
                               "      - bcast: {along: x, root: 1, bytes: 8 B}\n"
                               "  - at: rank == 0\n"
                               "    do: [receive: {from: p-1, bytes: 8 B}]\n"
                               "    else:\n"
                               "      - at: rank == p-1\n"
                               "        do: [send: {to: 0, bytes: 8 B}]\n"
                               "  - finish: s\n";
    assert_null(rehearse(late, 6, 1e6, &r));
    assert_true(r.all.calls == 18);
    expect_wrong("  - bcast: {root: 0, bytes: 8 B*(1 + rank)}\n", 2,
                 "processes 0 and 1 of a group have 8 B and 16 B, with N = 10");
    expect_wrong(
        "  - start: s\n    do: [barrier]\n  - at: rank == 0\n    do: [barrier]\n  - finish: s\n", 2,
        "process 0 waits here forever: process 1 of its group never comes, with N = 10");
}

/* A master that serves whoever asks. */
static void test_anybody(void **state) {
    (void)state;
    isocast_rehearsal r;
    assert_null(rehearse("  - at: rank == 0\n"
                         "    do:\n"
                         "      - for: i = 1..N*(p-1)\n"
                         "        do:\n"
                         "          - receive: {from: any, bytes: 8 B}\n"
                         "          - send: {to: sender, bytes: 100 kB}\n"
                         "    else:\n"
                         "      - for: i = 1..N\n"
                         "        do:\n"
                         "          - send: {to: 0, bytes: 8 B}\n"
                         "          - receive: {from: 0, bytes: 100 kB}\n",
                         7, 1e6, &r));
    assert_true(r.all.messages == 120);
    expect_wrong("  - at: rank == 0\n    do: [receive: {from: any, bytes: 8 B}]\n", 2,
                 "process 0 of 2 waits here forever: nobody sends a message, with N = 10");
}

/* What is put needs no receive; what ends at once cannot be started. */
static void test_puts(void **state) {
    (void)state;
    isocast_rehearsal r;
    assert_null(rehearse("  - comm_dup\n"
                         "  - win_fence\n"
                         "  - put: {to: \"mod(rank + 1, p)\", bytes: 8 B}\n"
                         "  - win_fence\n"
                         "  - alltoallv: {bytes: 5 B}\n",
                         3, 1e6, &r));
    assert_true(r.is_complete);
    assert_true(r.all.messages == 3 && r.all.bytes == 24);
    assert_true(r.all.calls == 12 && r.all.call_bytes == 15);
    assert_true(r.room == 15);
    static const char *const at_once[] = {"put: {to: 0, bytes: 8 B}", "win_fence", "comm_split"};
    for (size_t i = 0; i < sizeof at_once / sizeof *at_once; i++) {
        isocast_buffer text = {0};
        isocast_diagnostics reported = {0};
        isocast_algorithm *algorithm = NULL;
        isocast_buffer_printf(&text,
                              "algorithm: test\nsize: {N: {min: 1}}\nwork: N\nprogram:\n"
                              "  - start: a\n    do:\n      - %s\n  - finish: a\n",
                              at_once[i]);
        assert_int_equal(
            isocast_algorithm_read_text("test", text.text, text.length, &reported, &algorithm),
            ISOCAST_INVALID);
        assert_non_null(strstr(reported.items[0].message, "cannot be started"));
        isocast_diagnostics_clear(&reported);
        isocast_buffer_free(&text);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_counts),
                                       cmocka_unit_test(test_who_waits),
                                       cmocka_unit_test(test_meetings),
                                       cmocka_unit_test(test_anybody), cmocka_unit_test(test_puts)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
