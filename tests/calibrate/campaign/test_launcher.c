/* Starting programs: lines as they come, and every way in which a program can go wrong. Runs shell
 * commands in the place of MPI programs; `env` is a launcher that any machine has. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "calibrate/campaign/launcher.h"

/* The lines of a program, and when to have had enough of them. */
typedef struct lines {
    char text[4096]; /* each with a '|' behind it */
    int count;
    int enough; /* 0: never */
} lines;

static bool take_line(const char *line, void *context) {
    lines *got = context;
    size_t used = strlen(got->text);
    snprintf(got->text + used, sizeof got->text - used, "%s|", line);
    got->count++;
    return got->enough == 0 || got->count < got->enough;
}

typedef struct outcome {
    isocast_status status;
    double seconds;
    launcher_end end;
} outcome;

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static outcome run_with(const char *launcher, const char *script, double timeout, lines *got) {
    const char *command[] = {"sh", "-c", script, NULL};
    launcher_request request = {.launcher = launcher,
                                .processes = 2,
                                .command = command,
                                .timeout = timeout,
                                .line = take_line,
                                .context = got};
    outcome result = {.end = {.exit_code = -1}};
    double start = now();
    result.status = launcher_run(&request, &result.end);
    result.seconds = now() - start;
    return result;
}

static outcome run(const char *script, double timeout, lines *got) {
    return run_with("env", script, timeout, got);
}

static void assert_cause(outcome result, launcher_cause cause) {
    assert_int_equal(result.status, ISOCAST_PROGRAM);
    assert_int_equal(result.end.cause, cause);
}

static void hands_lines_on(void **state) {
    (void)state;
    lines got = {0};
    outcome result = run("echo one; echo; echo 'two three'", 0, &got);
    assert_int_equal(result.status, ISOCAST_OK);
    assert_int_equal(result.end.exit_code, 0);
    assert_string_equal(got.text, "one||two three|");
}

static void fills_in_the_processes(void **state) {
    (void)state;
    lines got = {0};
    outcome result = run_with(" env  P={p}\tQ=x{p}y{p}", "echo $P $Q", 0, &got);
    assert_int_equal(result.status, ISOCAST_OK);
    assert_string_equal(got.text, "2 x2y2|");
}

static void fills_in_the_nodes(void **state) {
    (void)state;
    lines got = {0};
    const char *command[] = {"sh", "-c", "echo $P $N $K $X", NULL};
    launcher_request request = {.launcher = "env P={processes} N={nodes} K={per_node} X={other}{",
                                .processes = 7,
                                .nodes = 3,
                                .command = command,
                                .line = take_line,
                                .context = &got};
    launcher_end end;
    assert_int_equal(launcher_run(&request, &end), ISOCAST_OK);
    assert_string_equal(got.text, "7 3 3 {other}{|");
    request.nodes = 0;
    assert_int_equal(launcher_run(&request, &end), ISOCAST_OK);
    assert_string_equal(got.text, "7 3 3 {other}{|7 1 7 {other}{|");
}

static void last_line_counts_only_after_success(void **state) {
    (void)state;
    lines whole = {0};
    assert_int_equal(run("echo a; printf b", 0, &whole).status, ISOCAST_OK);
    assert_string_equal(whole.text, "a|b|");
    lines torn = {0};
    assert_cause(run("echo a; printf b; exit 1", 0, &torn), LAUNCHER_FAILED);
    assert_string_equal(torn.text, "a|");
}

static void long_output_is_complete(void **state) {
    (void)state;
    lines got = {0};
    outcome result =
        run("i=0; while [ $i -lt 20000 ]; do echo $i; echo $i >&2; i=$((i+1)); done", 60, &got);
    assert_int_equal(result.status, ISOCAST_OK);
    assert_int_equal(got.count, 20000);
    assert_true(strlen(result.end.text) < sizeof result.end.text);
    assert_non_null(strstr(result.end.text, "\n19999\n"));
}

static void missing_launcher_names_what_to_install(void **state) {
    (void)state;
    lines got = {0};
    outcome result = run_with("no-such-launcher -n {p}", "echo", 0, &got);
    assert_cause(result, LAUNCHER_MISSING);
    assert_non_null(strstr(result.end.text, "'no-such-launcher'"));
    assert_non_null(strstr(result.end.text, "install mpich"));
    result = run_with("/no/such/launcher", "echo", 0, &got);
    assert_cause(result, LAUNCHER_MISSING);
    result = run_with("/etc/passwd", "echo", 0, &got);
    assert_cause(result, LAUNCHER_MISSING);
    assert_non_null(strstr(result.end.text, "cannot use the program '/etc/passwd': "));
    result = run_with("  ", "echo", 0, &got);
    assert_cause(result, LAUNCHER_MISSING);
    assert_int_equal(got.count, 0);
}

static void default_launcher_is_missed(void **state) {
    (void)state;
    const char *before = getenv("PATH");
    char *path = strdup(before != NULL ? before : "/usr/bin:/bin");
    assert_non_null(path);
    setenv("PATH", "/no/such/folder", 1);
    lines got = {0};
    outcome result = run_with(NULL, "echo", 0, &got);
    setenv("PATH", path, 1);
    free(path);
    assert_cause(result, LAUNCHER_MISSING);
    assert_non_null(strstr(result.end.text, "mpiexec"));
}

static void exit_status_and_errors_are_kept(void **state) {
    (void)state;
    lines got = {0};
    outcome result = run("echo row; echo 'rank 1 died' >&2; exit 7", 0, &got);
    assert_cause(result, LAUNCHER_FAILED);
    assert_int_equal(result.end.exit_code, 7);
    assert_string_equal(result.end.text, "rank 1 died\n");
    assert_string_equal(got.text, "row|");
}

static void signal_is_reported(void **state) {
    (void)state;
    lines got = {0};
    outcome result = run("kill -SEGV $$", 0, &got);
    assert_cause(result, LAUNCHER_FAILED);
    assert_int_equal(result.end.exit_code, 128 + SIGSEGV);
}

static void unstartable_launcher_is_reported(void **state) {
    (void)state;
    lines got = {0};
    outcome result = run_with("/", "echo", 0, &got);
    assert_cause(result, LAUNCHER_FAILED);
    assert_int_equal(result.end.exit_code, 127);
    assert_non_null(strstr(result.end.text, "cannot start '/'"));
}

static void time_is_limited(void **state) {
    (void)state;
    lines got = {0};
    outcome result = run("echo a; sleep 60; echo b", 0.3, &got);
    assert_cause(result, LAUNCHER_TIMEOUT);
    assert_string_equal(got.text, "a|");
    assert_true(result.seconds < 30);
}

/* Closed outputs are no end of the program. */
static void time_is_limited_after_outputs_closed(void **state) {
    (void)state;
    lines got = {0};
    outcome result = run("exec >&- 2>&-; sleep 60", 0.3, &got);
    assert_cause(result, LAUNCHER_TIMEOUT);
    assert_true(result.seconds < 30);
}

static void stubborn_program_is_killed(void **state) {
    (void)state;
    lines got = {0};
    outcome result = run("trap '' TERM; echo a; while :; do sleep 1; done", 0.3, &got);
    assert_cause(result, LAUNCHER_TIMEOUT);
    assert_true(result.seconds < 30);
}

static void what_it_started_ends_with_it(void **state) {
    (void)state;
    lines got = {.enough = 1};
    outcome result = run("sleep 60 & echo $!; wait", 0, &got);
    assert_cause(result, LAUNCHER_STOPPED);
    pid_t started = (pid_t)strtol(got.text, NULL, 10);
    assert_true(started > 1);
    double deadline = now() + 20;
    char name[64];
    snprintf(name, sizeof name, "/proc/%ld/stat", (long)started);
    bool gone = false;
    while (!gone && now() < deadline) {
        /* Without a parent that collects it, it may stay as a zombie: state Z behind the name. */
        FILE *file = fopen(name, "r");
        char text[256] = "";
        gone =
            file == NULL || fgets(text, sizeof text, file) == NULL || strstr(text, ") Z") != NULL;
        if (file != NULL) {
            fclose(file);
        }
    }
    assert_true(gone);
}

/* What a program leaves behind may keep its output open. */
static void left_behind_is_not_waited_for(void **state) {
    (void)state;
    lines got = {0};
    outcome result = run("setsid sleep 20 & echo a", 0, &got);
    assert_int_equal(result.status, ISOCAST_OK);
    assert_string_equal(got.text, "a|");
    assert_true(result.seconds < 10);
}

static void receiver_stops_it(void **state) {
    (void)state;
    lines got = {.enough = 2};
    outcome result = run("while :; do echo y; done", 0, &got);
    assert_cause(result, LAUNCHER_STOPPED);
    assert_int_equal(got.count, 2);
}

static void interrupt_ends_it_and_is_remembered(void **state) {
    (void)state;
    char script[128];
    static const int signals[] = {SIGINT, SIGTERM};
    for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++) {
        lines got = {0};
        snprintf(script, sizeof script, "echo a; sleep 0.5; kill -%d %ld; sleep 60; echo b",
                 signals[i], (long)getpid());
        outcome result = run(script, 0, &got);
        assert_int_equal(result.status, ISOCAST_INTERRUPTED);
        assert_string_equal(got.text, "a|");
        assert_true(launcher_was_interrupted());
        assert_true(result.seconds < 30);
    }
    lines got = {0};
    assert_int_equal(run("echo a", 0, &got).status, ISOCAST_OK);
    assert_false(launcher_was_interrupted());
}

static void ignored_interrupt_stays_ignored(void **state) {
    (void)state;
    char script[128];
    snprintf(script, sizeof script, "kill -INT %ld; echo a", (long)getpid());
    signal(SIGINT, SIG_IGN);
    lines got = {0};
    outcome result = run(script, 0, &got);
    signal(SIGINT, SIG_DFL);
    assert_int_equal(result.status, ISOCAST_OK);
    assert_false(launcher_was_interrupted());
    assert_string_equal(got.text, "a|");
}

static void nothing_is_left_open(void **state) {
    (void)state;
    int before = dup(0);
    close(before);
    lines got = {0};
    run("echo a", 0, &got);
    run("exit 3", 0, &got);
    run("sleep 60", 0.1, &got);
    int after = dup(0);
    close(after);
    assert_int_equal(before, after);
}

static void processors_are_counted(void **state) {
    (void)state;
    assert_true(launcher_processors() >= 1);
    assert_true(launcher_at_once() >= 1 && launcher_at_once() <= (size_t)launcher_processors());
}

/* Two programs that wait for each other end only where they run at once; a third begins when one
 * has ended. */
static void programs_run_at_once(void **state) {
    (void)state;
    char folder[] = "/tmp/isocast-test-XXXXXX";
    assert_non_null(mkdtemp(folder));
    const char *scripts[] = {"touch one; while [ ! -e two ]; do sleep 0.01; done; echo one",
                             "touch two; while [ ! -e one ]; do sleep 0.01; done; echo two",
                             "echo three"};
    lines got[3] = {0};
    launcher_end ends[3];
    launcher_task tasks[3];
    const char *commands[3][4];
    for (int i = 0; i < 3; i++) {
        const char *words[] = {"sh", "-c", scripts[i], NULL};
        memcpy(commands[i], words, sizeof words);
        tasks[i] = (launcher_task){.request = {.alone = true,
                                               .command = commands[i],
                                               .timeout = 60,
                                               .folder = folder,
                                               .line = take_line,
                                               .context = &got[i]},
                                   .end = &ends[i]};
    }
    assert_int_equal(launcher_run_several(tasks, 3, 2), ISOCAST_OK);
    const char *expected[] = {"one|", "two|", "three|"};
    for (int i = 0; i < 3; i++) {
        assert_int_equal(tasks[i].status, ISOCAST_OK);
        assert_string_equal(got[i].text, expected[i]);
    }
    for (int i = 0; i < 2; i++) {
        char file[sizeof folder + 8];
        snprintf(file, sizeof file, "%s/%s", folder, i == 0 ? "one" : "two");
        assert_int_equal(unlink(file), 0);
    }
    assert_int_equal(rmdir(folder), 0);
}

/* A program that computes without end is ended by its processor time, one that waits is not. */
static void processor_time_is_bounded(void **state) {
    (void)state;
    const char *scripts[] = {"while :; do :; done", "sleep 1.5"};
    for (int i = 0; i < 2; i++) {
        const char *command[] = {"sh", "-c", scripts[i], NULL};
        const launcher_request request = {.alone = true, .command = command, .processor = 1};
        launcher_end end;
        assert_int_equal(launcher_run(&request, &end), i == 0 ? ISOCAST_PROGRAM : ISOCAST_OK);
        assert_int_equal(end.exit_code, i == 0 ? 128 + SIGXCPU : 0);
    }
}

/* Where one fails the others are ended, and what waits is not started. */
static void a_failure_ends_the_others(void **state) {
    (void)state;
    const char *commands[3][4] = {
        {"sh", "-c", "sleep 600", NULL}, {"sh", "-c", "exit 7", NULL}, {"sh", "-c", ":", NULL}};
    launcher_end ends[3];
    launcher_task tasks[3];
    for (int i = 0; i < 3; i++) {
        tasks[i] = (launcher_task){
            .request = {.alone = true, .command = commands[i], .timeout = 60}, .end = &ends[i]};
    }
    assert_int_equal(launcher_run_several(tasks, 3, 2), ISOCAST_OK);
    assert_int_equal(tasks[1].status, ISOCAST_PROGRAM);
    assert_int_equal(ends[1].cause, LAUNCHER_FAILED);
    assert_int_equal(ends[1].exit_code, 7);
    assert_int_equal(tasks[0].status, ISOCAST_PROGRAM);
    assert_int_equal(ends[0].cause, LAUNCHER_STOPPED);
    assert_true(tasks[0].started);
    assert_int_equal(tasks[2].status, ISOCAST_PROGRAM);
    assert_false(tasks[2].started);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(programs_run_at_once),
        cmocka_unit_test(a_failure_ends_the_others),
        cmocka_unit_test(hands_lines_on),
        cmocka_unit_test(fills_in_the_processes),
        cmocka_unit_test(fills_in_the_nodes),
        cmocka_unit_test(last_line_counts_only_after_success),
        cmocka_unit_test(long_output_is_complete),
        cmocka_unit_test(missing_launcher_names_what_to_install),
        cmocka_unit_test(default_launcher_is_missed),
        cmocka_unit_test(exit_status_and_errors_are_kept),
        cmocka_unit_test(signal_is_reported),
        cmocka_unit_test(unstartable_launcher_is_reported),
        cmocka_unit_test(time_is_limited),
        cmocka_unit_test(time_is_limited_after_outputs_closed),
        cmocka_unit_test(stubborn_program_is_killed),
        cmocka_unit_test(what_it_started_ends_with_it),
        cmocka_unit_test(left_behind_is_not_waited_for),
        cmocka_unit_test(receiver_stops_it),
        cmocka_unit_test(interrupt_ends_it_and_is_remembered),
        cmocka_unit_test(ignored_interrupt_stays_ignored),
        cmocka_unit_test(nothing_is_left_open),
        cmocka_unit_test(processor_time_is_bounded),
        cmocka_unit_test(processors_are_counted),
    };
    return cmocka_run_group_tests_name("launcher", tests, NULL, NULL);
}
