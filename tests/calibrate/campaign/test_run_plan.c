/* Runs of a kernel: planned in memory, and made by a script that stands for the kernel. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "calibrate/campaign/run_plan.h"
#include "campaign_events.h"
#include "model/spec/machine_load.h"

static const char machine_text[] =
    "machine: here\n"
    "nodes: {node: {count: 1, processors: 2, marked_speed: 1 Gflop/s, memory: 4 GB}}\n"
    "parameters: {t_c: 1 ns/flop}\noperations: {}\n";

/* The kernel as a launcher starts it: the number of processes, then its own arguments. N beyond
 * 1000 has no room; the time is N ns / p. */
static const char kernel_text[] =
    "P=$1; shift 2; while [ $# -gt 0 ]; do case $1 in -n) N=$2;; --first-repetition) R=$2;; "
    "esac; shift; done\n"
    "[ $N -gt 1000 ] && { echo \"N = $N does not fit\" >&2; exit 5; }\n"
    "echo algorithm,machine,system,p,N,repetition,T,T_compute\n"
    "echo a,,,$P,$N,$R,$((N / P))e-9,0\n";

typedef struct trial {
    campaign_events events;
    campaign_kernel_setup setup;
    campaign_run_file runs;
    isocast_diagnostics diagnostics;
    isocast_machine *machine;
    isocast_system **systems;
    size_t system_count;
    double sizes[3];
    char script[EVENTS_PATH_MAX];
    char launcher[2 * EVENTS_PATH_MAX];
    char folder[64];
    char path[128];
} trial;

static trial *begin(void) {
    trial *t = calloc(1, sizeof *t);
    assert_non_null(t);
    campaign_events_begin(&t->events);
    campaign_script_write(kernel_text, t->script);
    snprintf(t->launcher, sizeof t->launcher, "%s {p}", t->script);
    snprintf(t->folder, sizeof t->folder, "/tmp/isocast-runs-XXXXXX");
    assert_non_null(mkdtemp(t->folder));
    snprintf(t->path, sizeof t->path, "%s/machine.yaml", t->folder);
    FILE *file = fopen(t->path, "w");
    assert_non_null(file);
    fputs(machine_text, file);
    fclose(file);
    assert_int_equal(isocast_machine_load(t->path, &t->diagnostics, &t->machine), ISOCAST_OK);
    unlink(t->path);
    snprintf(t->path, sizeof t->path, "%s/runs.csv", t->folder);
    assert_int_equal(isocast_systems_parse(t->machine, NULL, "systems", "1,2", &t->diagnostics,
                                           &t->systems, &t->system_count),
                     ISOCAST_OK);
    t->setup = (campaign_kernel_setup){.listener = &t->events.listener,
                                       .program = "kernel",
                                       .launcher = t->launcher,
                                       .kernel = {"k", "a"},
                                       .seed = 1,
                                       .machine = t->machine,
                                       .processors = 2};
    t->runs = (campaign_run_file){.file = -1};
    memcpy(t->sizes, (const double[]){100, 200, 2000}, sizeof t->sizes);
    return t;
}

static void open_runs(trial *t) {
    assert_int_equal(
        campaign_run_file_open(t->path, &t->events.listener, &t->diagnostics, &t->runs),
        ISOCAST_OK);
}

static void end(trial *t) {
    campaign_run_file_close(&t->runs);
    unlink(t->script);
    unlink(t->path);
    rmdir(t->folder);
    isocast_systems_free(t->systems, t->system_count);
    isocast_machine_free(t->machine);
    isocast_diagnostics_clear(&t->diagnostics);
    free(t);
}

static campaign_run_points points_of(const trial *t, size_t sizes) {
    return (campaign_run_points){.systems = t->systems,
                                 .system_count = t->system_count,
                                 .sizes = t->sizes,
                                 .size_count = sizes,
                                 .repetitions = 3};
}

/* The rows of a campaign that the seed orders, from an empty file. */
static void make_again(trial *t, long seed) {
    campaign_run_points points = points_of(t, 2);
    t->setup.seed = seed;
    campaign_run_file_close(&t->runs);
    unlink(t->path);
    open_runs(t);
    assert_int_equal(campaign_runs_make(&t->setup, &t->runs, &points, NULL), ISOCAST_OK);
    campaign_run_file_close(&t->runs);
    open_runs(t);
    assert_int_equal(t->runs.runs->count, 12);
}

static void each_run_is_made_once_in_random_order(void **state) {
    (void)state;
    trial *t = begin();
    static const long seeds[] = {1, 1, 2};
    unsigned orders[3][12];
    for (size_t k = 0; k < 3; k++) {
        unsigned seen = 0;
        make_again(t, seeds[k]);
        for (size_t i = 0; i < 12; i++) {
            const isocast_run *row = &t->runs.runs->rows[i];
            size_t system = strcmp(row->system, "2") == 0;
            orders[k][i] = 1U << (6 * system + (row->N == 200 ? 3U : 0U) + (size_t)row->repetition);
            seen |= orders[k][i];
        }
        assert_int_equal(seen, (1U << 12) - 1);
    }
    assert_memory_equal(orders[0], orders[1], sizeof orders[0]);
    assert_memory_not_equal(orders[0], orders[2], sizeof orders[0]);
    end(t);
}

/* Of more runs than are asked for, those that are there count. */
static void kept_runs_count(void **state) {
    (void)state;
    trial *t = begin();
    campaign_run_points points = points_of(t, 2);
    double *times = NULL;
    double seen[8];
    make_again(t, 1);
    points.repetitions = 1;
    points.kept = 8;
    assert_int_equal(campaign_runs_make(&t->setup, &t->runs, &points, &times), ISOCAST_OK);
    assert_int_equal(campaign_runs_of(&points, times, 3, seen), 3);
    free(times);
    points.kept = 0;
    assert_int_equal(campaign_runs_make(&t->setup, &t->runs, &points, &times), ISOCAST_OK);
    assert_int_equal(campaign_runs_of(&points, times, 3, seen), 1);
    free(times);
    end(t);
}

static void runs_are_made_once(void **state) {
    (void)state;
    trial *t = begin();
    campaign_run_points points = points_of(t, 2);
    double *times = NULL;
    open_runs(t);
    assert_int_equal(campaign_runs_make(&t->setup, &t->runs, &points, &times), ISOCAST_OK);
    assert_int_equal(t->events.progress, 12);
    assert_int_equal(t->events.last.count, 12);
    assert_non_null(strstr(t->events.text, "note: 12 runs added to /tmp"));
    assert_true(times[3 * 3 + 2] == 1e-7);
    free(times);
    campaign_run_file_close(&t->runs);
    open_runs(t);
    assert_true(campaign_kernel_known(&t->setup, &t->runs, t->systems[1], 200, 2) == 1e-7);
    assert_true(isnan(campaign_kernel_known(&t->setup, &t->runs, t->systems[1], 200, 3)));
    assert_int_equal(campaign_runs_make(&t->setup, &t->runs, &points, NULL), ISOCAST_OK);
    assert_int_equal(t->events.progress, 12);
    assert_non_null(strstr(t->events.text, "note: 0 runs added to /tmp"));
    end(t);
}

/* Runs of a few ns do not last 5 s together: as many are made as are allowed. */
static void short_runs_are_repeated(void **state) {
    (void)state;
    trial *t = begin();
    campaign_run_points points = points_of(t, 1);
    points.most = 5;
    double *times = NULL;
    double of_point[5];
    open_runs(t);
    assert_int_equal(campaign_runs_make(&t->setup, &t->runs, &points, &times), ISOCAST_OK);
    assert_int_equal(campaign_runs_of(&points, times, 1, of_point), 5);
    assert_true(of_point[4] == 5e-8);
    assert_non_null(strstr(t->events.text, "note: 6 runs added to /tmp"));
    assert_non_null(strstr(t->events.text, "note: 4 runs added to /tmp"));
    free(times);
    end(t);
}

static void sizes_without_room_are_left_out(void **state) {
    (void)state;
    trial *t = begin();
    campaign_run_points points = points_of(t, 3);
    open_runs(t);
    assert_int_equal(campaign_runs_make(&t->setup, &t->runs, &points, NULL), ISOCAST_PROGRAM);
    /* Tried once on each system. */
    assert_int_equal(t->events.progress, 14);
    assert_non_null(strstr(t->events.text, "warning: on 1: N = 2000 does not fit\n|"));
    assert_non_null(strstr(t->events.text, "warning: on 2: N = 2000 does not fit\n|"));
    assert_non_null(
        strstr(t->events.text, "problem: 6 runs were left out: they do not fit into memory|"));
    end(t);
}

static void a_listener_may_stop_it(void **state) {
    (void)state;
    trial *t = begin();
    campaign_run_points points = points_of(t, 2);
    open_runs(t);
    t->events.stop_at = 3;
    assert_int_equal(campaign_runs_make(&t->setup, &t->runs, &points, NULL), ISOCAST_INTERRUPTED);
    assert_non_null(strstr(t->events.text, "problem: interrupted; finished rows are kept in /tmp"));
    campaign_run_file_close(&t->runs);
    open_runs(t);
    assert_int_equal(t->runs.runs->count, 2);
    end(t);
}

/* What was there, if empty, stays. */
static void a_file_without_rows_is_not_left(void **state) {
    (void)state;
    trial *t = begin();
    open_runs(t);
    assert_false(campaign_run_file_has_rows(&t->runs));
    campaign_run_file_close(&t->runs);
    assert_int_equal(access(t->path, F_OK), -1);
    fclose(fopen(t->path, "w"));
    open_runs(t);
    campaign_run_file_close(&t->runs);
    assert_int_equal(access(t->path, F_OK), 0);
    t->runs = (campaign_run_file){.file = -1};
    end(t);
}

static void kernels_are_listed(void **state) {
    (void)state;
    trial *t = begin();
    char program[EVENTS_PATH_MAX];
    campaign_script_write(
        "printf 'ge\\tgaussian-elimination\\tsummary\\nmm\\tproduct\\tother\\n'\n", program);
    campaign_kernel_list list = {.count = 0};
    assert_int_equal(campaign_kernels_list(program, &t->events.listener, &list), ISOCAST_OK);
    assert_int_equal(list.count, 2);
    assert_string_equal(campaign_kernels_find(&list, "mm")->algorithm, "product");
    assert_null(campaign_kernels_find(&list, "m"));
    unlink(program);
    end(t);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_run_is_made_once_in_random_order),
        cmocka_unit_test(kept_runs_count),
        cmocka_unit_test(runs_are_made_once),
        cmocka_unit_test(short_runs_are_repeated),
        cmocka_unit_test(sizes_without_room_are_left_out),
        cmocka_unit_test(a_listener_may_stop_it),
        cmocka_unit_test(a_file_without_rows_is_not_left),
        cmocka_unit_test(kernels_are_listed),
    };
    return cmocka_run_group_tests_name("run_plan", tests, NULL, NULL);
}
