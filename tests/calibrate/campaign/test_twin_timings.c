/* What a twin is fitted to: timings that a machine file names, whatever their file looks like. */
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

#include "calibrate/campaign/twin_plan.h"
#include "model/spec/machine_load.h"

static const char machine_text[] = "machine: here\n"
                                   "nodes: {node: {count: 2, processors: 2, marked_speed: 1e9}}\n"
                                   "calibration: {samples: {file: s.csv}}\n";

/* A machine file, and beside it its timings. */
typedef struct trial {
    char folder[64];
    char machine_path[128];
    char samples_path[128];
    isocast_diagnostics diagnostics;
    isocast_machine *machine;
    campaign_twin_timings timings;
} trial;

static void write_file(const char *path, const char *text) {
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static isocast_status load(trial *t, const char *samples_text) {
    *t = (trial){.folder = "/tmp/isocast-twin-XXXXXX"};
    assert_non_null(mkdtemp(t->folder));
    snprintf(t->machine_path, sizeof t->machine_path, "%s/m.yaml", t->folder);
    snprintf(t->samples_path, sizeof t->samples_path, "%s/s.csv", t->folder);
    write_file(t->machine_path, machine_text);
    write_file(t->samples_path, samples_text);
    assert_int_equal(isocast_machine_load(t->machine_path, &t->diagnostics, &t->machine),
                     ISOCAST_OK);
    return campaign_twin_timings_load(t->machine, t->machine_path, &t->diagnostics, &t->timings);
}

static void end(trial *t) {
    campaign_twin_timings_free(&t->timings);
    isocast_machine_free(t->machine);
    isocast_diagnostics_clear(&t->diagnostics);
    unlink(t->machine_path);
    unlink(t->samples_path);
    rmdir(t->folder);
}

static void samples_are_read_once(void **state) {
    (void)state;
    trial t;
    assert_int_equal(load(&t, SAMPLES_HEADER "\n"
                                             "0,T_bcast,4,64,0,3e-6,interval,0,2,2\n"
                                             "0,T_send,2,8,0,1e-6,interval,0,2,1\n"
                                             "0,T_recv,2,8,0,5e-7,interval,0,2,1\n"),
                     ISOCAST_OK);
    assert_int_equal(t.timings.samples.count, 3);
    assert_int_equal(t.timings.observations.count, 0);
    assert_int_equal(t.timings.count, 2);
    assert_int_equal(t.timings.items[0].operation, ISOCAST_KNOWN_message);
    assert_true(fabs(t.timings.items[0].seconds - 1.5e-6) < 1e-12);
    assert_true(t.timings.items[1].nodes == 2 && t.timings.items[1].p_node == 2);
    end(&t);
}

/* What was measured on may stand before the header, and nodes may be missing: all processes are on
 * one then. */
static void samples_without_nodes_are_samples(void **state) {
    (void)state;
    trial t;
    assert_int_equal(load(&t, "# date: then\n" SAMPLES_HEADER_LEAST "\n"
                              "0,T_bcast,2,64,0,3e-6,interval,0\n"),
                     ISOCAST_OK);
    assert_int_equal(t.timings.samples.count, 1);
    assert_true(t.timings.items[0].nodes == 1 && t.timings.items[0].p_node == 2);
    end(&t);
}

static void bad_samples_have_their_place(void **state) {
    (void)state;
    static const char good[] = SAMPLES_HEADER "\n0,T_bcast,2,64,0,3e-6,interval,0,1,2\n";
    char text[256];
    trial t;
    /* What any table of timings must not have. */
    snprintf(text, sizeof text, "%s0,T_bcast,many,64,0,3e-6,interval,0,1,2\n", good);
    assert_int_equal(load(&t, text), ISOCAST_INVALID);
    assert_int_equal(t.diagnostics.errors, 1);
    assert_int_equal(t.diagnostics.items[0].line, 3);
    end(&t);
    /* What only samples must not have: more processes on a node than there are. */
    snprintf(text, sizeof text, "%s0,T_bcast,2,64,0,3e-6,interval,0,1,5\n", good);
    assert_int_equal(load(&t, text), ISOCAST_INVALID);
    assert_int_equal(t.diagnostics.errors, 1);
    assert_non_null(strstr(t.diagnostics.items[0].message, "line 3 "));
    end(&t);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(samples_are_read_once),
                                       cmocka_unit_test(samples_without_nodes_are_samples),
                                       cmocka_unit_test(bad_samples_have_their_place)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
