/* Whole calibrations through the library, without the command and without MPI: a script stands for
 * the probe, and what the campaign states is collected. */
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

#include "calibrate/campaign/calibration.h"
#include "calibrate/campaign/machine_result.h"
#include "campaign_events.h"

/* P is the number of processes, K the launch, from the command line of `env`. */
#define HEAD "P=$1; shift; while [ $# -gt 0 ]; do case $1 in --launch) K=$2;; esac; shift; done\n"
#define ROWS                                                                                       \
    "for i in 0 1 2 3 4 5; do for m in 8 1024 65536; do\n"                                         \
    "echo $K,T_bcast,$P,$m,$i,1.$i$K\"e-6\",interval,0,1,$P; done\n"                               \
    "echo $K,ge,$P,8396800,$i,2.0$i\"e-10\",interval,0,1,$P; done\n"

typedef struct trial {
    campaign_events events;
    campaign_request request;
    campaign_recorder recorder;
    char probe[EVENTS_PATH_MAX];
    char launcher[2 * EVENTS_PATH_MAX];
    double others;
} trial;

static const double processes[] = {1, 2};

/* Two launches on 1 process and two on 2. `script`: what a launch does. */
static trial *begin(const char *script) {
    trial *t = calloc(1, sizeof *t);
    assert_non_null(t);
    campaign_events_begin(&t->events);
    campaign_script_write(script, t->probe);
    /* The probe's own name follows the number of processes, as the script's second argument. */
    snprintf(t->launcher, sizeof t->launcher, "%s {p}", t->probe);
    t->request = (campaign_request){
        .site = {.probe = "probe", .launcher = t->launcher, .node = {.processors = 2}},
        .processes = processes,
        .process_count = 2,
        .launches = 2,
        .seed = 1,
        .budget = 10,
        .started = campaign_clock()};
    t->recorder = (campaign_recorder){.listener = &t->events.listener, .file = {.file = -1}};
    return t;
}

static void end(trial *t) {
    unlink(t->probe);
    campaign_recorder_free(&t->recorder);
    free(t);
}

static size_t count_of(const char *text, const char *part) {
    size_t count = 0;
    for (const char *at = text; at != NULL && (at = strstr(at, part)) != NULL; at++) {
        count++;
    }
    return count;
}

static void launches_are_made_in_turn(void **state) {
    (void)state;
    trial *t = begin(HEAD ROWS "echo '# processor_share: 0.9'\n");
    assert_int_equal(campaign_calibrate(&t->request, &t->recorder, &t->others), ISOCAST_OK);
    assert_string_equal(t->events.text, "");
    assert_int_equal(t->recorder.samples.count, 4 * 24);
    const char *environment = t->recorder.samples.environment;
    assert_non_null(strstr(environment, "# end of launch 0 on 1 processes after"));
    assert_non_null(strstr(environment, "# end of launch 1 on 2 processes after"));
    assert_non_null(strstr(environment, "# end of launch 2 on 1 processes after"));
    assert_non_null(strstr(environment, "# end of launch 3 on 2 processes after"));
    assert_int_equal(t->events.asked, 4);
    assert_true(t->events.progress > 0);
    assert_int_equal(t->events.last.count, 4);
    assert_true(t->events.last.number >= 1 && t->events.last.number <= 4);
    assert_int_equal(t->recorder.progress.launches, 4);
    end(t);
}

static void what_was_finished_is_not_measured_again(void **state) {
    (void)state;
    trial *t = begin(HEAD ROWS);
    assert_int_equal(
        campaign_recorder_add(&t->recorder, "# end of launch 0 on 2 processes after 0.100 s"),
        ISOCAST_OK);
    assert_int_equal(
        campaign_recorder_add(&t->recorder, "# end of launch 1 on 2 processes after 0.100 s"),
        ISOCAST_OK);
    assert_int_equal(campaign_calibrate(&t->request, &t->recorder, &t->others), ISOCAST_OK);
    assert_int_equal(t->recorder.samples.count, 2 * 24);
    assert_int_equal(count_of(t->recorder.samples.environment, "on 1 processes after"), 2);
    assert_int_equal(count_of(t->recorder.samples.environment, "on 2 processes after"), 2);
    end(t);
}

static void a_probe_that_fails_is_reported_with_its_words(void **state) {
    (void)state;
    trial *t = begin(HEAD ROWS "echo a process was lost\necho no memory >&2\nexit 3\n");
    assert_int_equal(campaign_calibrate(&t->request, &t->recorder, &t->others), ISOCAST_PROGRAM);
    assert_string_equal(t->events.text, "problem: the probe ended with exit status 3\nno memory\n"
                                        "a process was lost\n|");
    assert_int_equal(t->recorder.samples.count, 24); /* what came is kept */
    assert_null(
        strstr(t->recorder.samples.environment != NULL ? t->recorder.samples.environment : "",
               "end of launch"));
    end(t);
}

static void lines_that_are_no_samples_are_reported(void **state) {
    (void)state;
    trial *t = begin(HEAD ROWS "echo welcome\n");
    assert_int_equal(campaign_calibrate(&t->request, &t->recorder, &t->others), ISOCAST_PROGRAM);
    assert_string_equal(t->events.text,
                        "problem: the probe wrote lines that are not samples:\nwelcome\n|");
    end(t);
}

static void a_launcher_that_is_missing_is_reported(void **state) {
    (void)state;
    trial *t = begin(HEAD ROWS);
    t->request.site.launcher = "no-such-launcher {p}";
    assert_int_equal(campaign_calibrate(&t->request, &t->recorder, &t->others), ISOCAST_PROGRAM);
    assert_int_equal(strncmp(t->events.text, "problem: there is no program 'no-such-launcher'", 47),
                     0);
    end(t);
}

static void a_clock_that_jumps_is_a_warning(void **state) {
    (void)state;
    trial *t = begin(HEAD ROWS "echo \"# clock_jumped: by 3 s in launch $K\"\n");
    assert_int_equal(campaign_calibrate(&t->request, &t->recorder, &t->others), ISOCAST_OK);
    assert_int_equal(count_of(t->events.text, "warning: the clock (MPI_Wtime) jumped by 3 s in"),
                     4);
    assert_null(strstr(t->events.text, "problem"));
    end(t);
}

static void a_listener_may_stop_it(void **state) {
    (void)state;
    trial *t = begin(HEAD ROWS);
    t->events.stop_at = 2;
    assert_int_equal(campaign_calibrate(&t->request, &t->recorder, &t->others),
                     ISOCAST_INTERRUPTED);
    assert_string_equal(t->events.text, "problem: interrupted|");
    assert_int_equal(t->recorder.samples.count, 24);
    end(t);
}

static void nobody_needs_to_listen(void **state) {
    (void)state;
    trial *t = begin(HEAD ROWS "echo welcome\n");
    campaign_listener nobody = {0};
    t->recorder.listener = &nobody;
    assert_int_equal(campaign_calibrate(&t->request, &t->recorder, &t->others), ISOCAST_PROGRAM);
    end(t);
}

static void samples_are_kept_in_their_file(void **state) {
    (void)state;
    trial *t = begin(HEAD ROWS);
    char path[] = "/tmp/isocast-samples-XXXXXX";
    assert_non_null(mkdtemp(path));
    char name[128];
    char part[128];
    snprintf(name, sizeof name, "%s/s.csv", path);
    snprintf(part, sizeof part, "%s/s.csv.part", path);
    isocast_diagnostics diagnostics = {0};
    assert_int_equal(campaign_sample_file_open(name, false, &t->events.listener, &diagnostics,
                                               &t->recorder.samples, &t->recorder.file),
                     ISOCAST_OK);
    t->events.stop_at = 3;
    assert_int_equal(campaign_calibrate(&t->request, &t->recorder, &t->others),
                     ISOCAST_INTERRUPTED);
    campaign_sample_file_keep(&t->recorder.file);
    assert_non_null(strstr(t->events.text, "warning: what was measured is kept in /tmp"));
    campaign_recorder_free(&t->recorder);
    /* Going on: two launches are there, two are missing. */
    campaign_events_begin(&t->events);
    assert_int_equal(campaign_sample_file_open(name, true, &t->events.listener, &diagnostics,
                                               &t->recorder.samples, &t->recorder.file),
                     ISOCAST_OK);
    assert_int_equal(t->recorder.samples.count, 2 * 24);
    assert_int_equal(campaign_calibrate(&t->request, &t->recorder, &t->others), ISOCAST_OK);
    assert_int_equal(t->recorder.samples.count, 4 * 24);
    assert_int_equal(campaign_sample_file_finish(&t->recorder.file), ISOCAST_OK);
    assert_int_equal(access(name, F_OK), 0);
    assert_int_not_equal(access(part, F_OK), 0);
    assert_string_equal(t->events.text, "");
    unlink(name);
    rmdir(path);
    end(t);
}

static void bad_lines_of_a_file_have_their_place(void **state) {
    (void)state;
    campaign_events events;
    campaign_events_begin(&events);
    char path[] = "/tmp/isocast-samples-XXXXXX";
    assert_non_null(mkdtemp(path));
    char name[128];
    char part[128];
    snprintf(name, sizeof name, "%s/s.csv", path);
    snprintf(part, sizeof part, "%s/s.csv.part", path);
    FILE *file = fopen(part, "w");
    assert_non_null(file);
    fputs(SAMPLES_HEADER "\n0,T_bcast,2,8,0,1e-6,interval,0,1,2\n0,T_bcast,many\n", file);
    fclose(file);
    samples kept = {0};
    campaign_sample_file opened;
    isocast_diagnostics diagnostics = {0};
    assert_int_equal(
        campaign_sample_file_open(name, true, &events.listener, &diagnostics, &kept, &opened),
        ISOCAST_INVALID);
    assert_int_equal(diagnostics.errors, 1);
    assert_int_equal(diagnostics.items[0].line, 3);
    assert_int_equal(diagnostics.items[0].column, 1);
    assert_string_equal(diagnostics.items[0].source_line, "0,T_bcast,many");
    assert_string_equal(diagnostics.items[0].file, part);
    assert_non_null(strstr(diagnostics.items[0].hint, "without --resume"));
    assert_string_equal(events.text, "");
    campaign_sample_file_close(&opened);
    samples_free(&kept);
    isocast_diagnostics_clear(&diagnostics);
    unlink(part);
    rmdir(path);
}

static void plans_must_agree(void **state) {
    (void)state;
    campaign_events events;
    campaign_events_begin(&events);
    campaign_recorder recorder = {.listener = &events.listener, .file = {.file = -1}};
    isocast_buffer earlier = {0};
    assert_int_equal(campaign_recorder_note_plan(&recorder, "processes 1; seed 1", &earlier),
                     ISOCAST_OK);
    assert_int_equal(campaign_recorder_note_plan(&recorder, "processes 1; seed 1", &earlier),
                     ISOCAST_OK);
    assert_int_equal(earlier.length, 0);
    assert_int_equal(campaign_recorder_note_plan(&recorder, "processes 1; seed 12", &earlier),
                     ISOCAST_ARGUMENT);
    assert_string_equal(earlier.text, "processes 1; seed 1");
    assert_string_equal(recorder.samples.environment, "# plan: processes 1; seed 1\n");
    isocast_buffer_free(&earlier);
    campaign_recorder_free(&recorder);
}

static void samples_become_a_machine(void **state) {
    (void)state;
    trial *t = begin(HEAD ROWS);
    campaign_machine machine = {.t_c = NAN};
    assert_int_equal(campaign_machine_fit(&t->recorder, false, &machine), ISOCAST_PROGRAM);
    assert_string_equal(t->events.text, "problem: the probe gave no samples|");
    campaign_events_begin(&t->events);
    assert_int_equal(campaign_calibrate(&t->request, &t->recorder, &t->others), ISOCAST_OK);
    assert_int_equal(campaign_machine_fit(&t->recorder, false, &machine), ISOCAST_OK);
    assert_true(fabs(machine.t_c / 2.025e-10 - 1) < 0.02);
    campaign_machine_facts facts = {.name = "here",
                                    .date = "2026-01-01T00:00:00Z",
                                    .version = "1",
                                    .command = "isocast calibrate",
                                    .node = {.processors = 2, .memory = 4e9},
                                    .others = 0.3};
    campaign_machine_report(&machine, &facts, &t->recorder);
    assert_non_null(strstr(t->events.text, "note: the marked speed of a processor is 49"));
    assert_non_null(strstr(t->events.text, "note: other programs used 30 % of the processors"));
    isocast_buffer text = {0};
    campaign_machine_write(&machine, &facts, &t->recorder, &text);
    assert_false(text.failed);
    assert_non_null(strstr(text.text, "\nmachine: \"here\"\n"));
    isocast_buffer_free(&text);
    campaign_machine_free(&machine);
    end(t);
}

/* Each launch measures what has fewest launches, the first one all; the speeds go into the file. */
static void marked_speeds_are_measured(void **state) {
    (void)state;
    trial *t = begin(
        "P=$1; shift; while [ $# -gt 0 ]; do case $1 in --launch) K=$2;; --suite) "
        "S=$2;; esac; shift; done\n" ROWS
        "echo $K,stencil,$P,8396800,0,3e-10,interval,0,1,$P; echo \"# asked $S in $K\"\n"
        "for s in $(echo $S | tr , ' ' | sed 's/stencil//;s/csr//'); do echo \"# marked speed for "
        "$s on here in launch $K 2${K}00000000 flop/s with 64000000 B\"; done\n"
        "echo '# marked speeds took 0.01 s'\n");
    assert_int_equal(campaign_calibrate(&t->request, &t->recorder, &t->others), ISOCAST_OK);
    const char *environment = t->recorder.samples.environment;
    assert_non_null(strstr(environment, "# asked ge,mm,"));
    assert_non_null(strstr(environment, "# asked stencil,csr in 1\n")); /* which it could not */
    assert_non_null(strstr(environment, "# asked stencil,csr,ge,"));
    campaign_machine machine = {.t_c = NAN};
    assert_int_equal(campaign_machine_fit(&t->recorder, false, &machine), ISOCAST_OK);
    assert_int_equal(machine.class_count, 1);
    /* csr is no kernel that was measured: its speed is missed by nobody. */
    assert_string_equal(machine.left_out, "stencil");
    assert_true(fabs(machine.t_c * machine_file_mean_speed(&machine.classes[0]) - 1) < 1e-12);
    campaign_machine_facts facts = {.name = "here",
                                    .date = "2026-01-01T00:00:00Z",
                                    .version = "1",
                                    .command = "isocast calibrate",
                                    .node = {.processors = 2, .memory = 4e9},
                                    .others = NAN};
    campaign_machine_report(&machine, &facts, &t->recorder);
    assert_non_null(strstr(t->events.text, "note: the marked speeds of a processor are ge 2"));
    assert_non_null(strstr(t->events.text,
                           "note: there was no time to measure the marked speed for stencil, "));
    isocast_buffer text = {0};
    campaign_machine_write(&machine, &facts, &t->recorder, &text);
    assert_non_null(strstr(text.text, "    processors: 2\n    memory: 4 GB\n    marked_speed:"));
    isocast_buffer_free(&text);
    campaign_machine_free(&machine);
    end(t);
}

static void a_probe_is_asked_what_it_can_measure(void **state) {
    (void)state;
    campaign_events events;
    campaign_events_begin(&events);
    char probe[EVENTS_PATH_MAX];
    campaign_script_write("printf 'T_bcast\\tusual\\nge\\tkernel\\n'\n", probe);
    campaign_selection selection;
    assert_int_equal(campaign_probe_list(probe, &events.listener, &selection), ISOCAST_OK);
    assert_int_equal(selection.count, 2);
    unlink(probe);
    assert_int_equal(campaign_probe_list("/no/such/probe", &events.listener, &selection),
                     ISOCAST_PROGRAM);
    assert_non_null(
        strstr(events.text, "problem: /no/such/probe does not list what it can measure"));
}

static void oversubscription_is_by_all_nodes(void **state) {
    (void)state;
    campaign_site here = {.node = {.processors = 2}};
    assert_int_equal(campaign_site_processors(&here), 2);
    assert_false(campaign_site_is_oversubscribed(&here, 2));
    assert_true(campaign_site_is_oversubscribed(&here, 3));
    here.processors = 64;
    assert_false(campaign_site_is_oversubscribed(&here, 64));
    assert_true(campaign_site_is_oversubscribed(&here, 65));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(launches_are_made_in_turn),
        cmocka_unit_test(what_was_finished_is_not_measured_again),
        cmocka_unit_test(a_probe_that_fails_is_reported_with_its_words),
        cmocka_unit_test(lines_that_are_no_samples_are_reported),
        cmocka_unit_test(a_launcher_that_is_missing_is_reported),
        cmocka_unit_test(a_clock_that_jumps_is_a_warning),
        cmocka_unit_test(a_listener_may_stop_it),
        cmocka_unit_test(nobody_needs_to_listen),
        cmocka_unit_test(samples_are_kept_in_their_file),
        cmocka_unit_test(bad_lines_of_a_file_have_their_place),
        cmocka_unit_test(plans_must_agree),
        cmocka_unit_test(samples_become_a_machine),
        cmocka_unit_test(marked_speeds_are_measured),
        cmocka_unit_test(a_probe_is_asked_what_it_can_measure),
        cmocka_unit_test(oversubscription_is_by_all_nodes),
    };
    return cmocka_run_group_tests_name("calibration", tests, NULL, NULL);
}
