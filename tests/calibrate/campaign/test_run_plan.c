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
    "--system) S=$2;; --machine) M=$2;; esac; shift; done\n"
    "[ $N -gt 1000 ] && { echo \"N = $N does not fit\" >&2; exit 5; }\n"
    "echo algorithm,machine,system,p,N,repetition,T,T_compute\n"
    "echo a,$M,$S,$P,$N,$R,$((N / P))e-9,0\n";

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

static bool same_order(const campaign_run_plan *a, const campaign_run_plan *b) {
    bool same = a->count == b->count;
    for (size_t i = 0; same && i < a->count; i++) {
        same = a->runs[i].system == b->runs[i].system && a->runs[i].N == b->runs[i].N &&
               a->runs[i].repetition == b->runs[i].repetition;
    }
    return same;
}

static void each_run_is_planned_once_in_random_order(void **state) {
    (void)state;
    trial *t = begin();
    campaign_run_points points = points_of(t, 3);
    campaign_run_plan plan = {0};
    campaign_run_plan again = {0};
    campaign_run_plan other = {0};
    assert_int_equal(campaign_run_plan_make(&t->setup, &t->runs, &points, &plan), ISOCAST_OK);
    assert_int_equal(plan.count, 18);
    assert_int_equal(plan.known, 0);
    unsigned seen = 0;
    for (size_t i = 0; i < plan.count; i++) {
        size_t system = plan.runs[i].system == t->systems[1];
        size_t size = plan.runs[i].N == 100 ? 0 : plan.runs[i].N == 200 ? 1 : 2;
        seen |= 1U << (9 * system + 3 * size + (size_t)plan.runs[i].repetition);
    }
    assert_int_equal(seen, (1U << 18) - 1);
    assert_int_equal(campaign_run_plan_make(&t->setup, &t->runs, &points, &again), ISOCAST_OK);
    t->setup.seed = 2;
    assert_int_equal(campaign_run_plan_make(&t->setup, &t->runs, &points, &other), ISOCAST_OK);
    assert_true(same_order(&plan, &again));
    assert_false(same_order(&plan, &other));
    assert_string_equal(t->events.text, "");
    campaign_run_plan_free(&plan);
    campaign_run_plan_free(&again);
    campaign_run_plan_free(&other);
    end(t);
}

static void runs_are_made_once(void **state) {
    (void)state;
    trial *t = begin();
    campaign_run_points points = points_of(t, 2);
    campaign_run_plan plan = {0};
    open_runs(t);
    assert_int_equal(campaign_run_plan_make(&t->setup, &t->runs, &points, &plan), ISOCAST_OK);
    assert_int_equal(campaign_run_plan_follow(&t->setup, &t->runs, &plan), ISOCAST_OK);
    assert_int_equal(t->events.progress, 12);
    assert_int_equal(t->events.last.number, 12);
    assert_int_equal(t->events.last.count, 12);
    assert_non_null(strstr(t->events.text, "note: 12 runs added to /tmp"));
    campaign_run_plan_free(&plan);
    campaign_run_file_close(&t->runs);
    open_runs(t);
    assert_true(campaign_kernel_known(&t->setup, &t->runs, t->systems[1], 200, 2) == 1e-7);
    assert_true(isnan(campaign_kernel_known(&t->setup, &t->runs, t->systems[1], 200, 3)));
    assert_int_equal(campaign_run_plan_make(&t->setup, &t->runs, &points, &plan), ISOCAST_OK);
    assert_int_equal(plan.count, 0);
    assert_int_equal(plan.known, 12);
    campaign_run_plan_free(&plan);
    end(t);
}

static void sizes_without_room_are_left_out(void **state) {
    (void)state;
    trial *t = begin();
    campaign_run_points points = points_of(t, 3);
    campaign_run_plan plan = {0};
    open_runs(t);
    assert_int_equal(campaign_run_plan_make(&t->setup, &t->runs, &points, &plan), ISOCAST_OK);
    assert_int_equal(campaign_run_plan_follow(&t->setup, &t->runs, &plan), ISOCAST_PROGRAM);
    /* Tried once on each system. */
    assert_int_equal(t->events.progress, 14);
    assert_non_null(strstr(t->events.text, "warning: on 1: N = 2000 does not fit\n|"));
    assert_non_null(strstr(t->events.text, "warning: on 2: N = 2000 does not fit\n|"));
    assert_non_null(
        strstr(t->events.text, "problem: 6 runs were left out: they do not fit into memory|"));
    campaign_run_plan_free(&plan);
    end(t);
}

static void a_listener_may_stop_it(void **state) {
    (void)state;
    trial *t = begin();
    campaign_run_points points = points_of(t, 2);
    campaign_run_plan plan = {0};
    open_runs(t);
    t->events.stop_at = 3;
    assert_int_equal(campaign_run_plan_make(&t->setup, &t->runs, &points, &plan), ISOCAST_OK);
    assert_int_equal(campaign_run_plan_follow(&t->setup, &t->runs, &plan), ISOCAST_INTERRUPTED);
    assert_non_null(strstr(t->events.text, "problem: interrupted; finished rows are kept in /tmp"));
    campaign_run_plan_free(&plan);
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
        cmocka_unit_test(each_run_is_planned_once_in_random_order),
        cmocka_unit_test(runs_are_made_once),
        cmocka_unit_test(sizes_without_room_are_left_out),
        cmocka_unit_test(a_listener_may_stop_it),
        cmocka_unit_test(a_file_without_rows_is_not_left),
        cmocka_unit_test(kernels_are_listed),
    };
    return cmocka_run_group_tests_name("run_plan", tests, NULL, NULL);
}
