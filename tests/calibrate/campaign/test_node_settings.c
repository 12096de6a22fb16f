/* Settings of a node as its files state them: those of a folder that stands for the system. */
#include <math.h>
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <cmocka.h>

#include "calibrate/campaign/node.h"

#define CPU "/sys/devices/system/cpu"

static char root[64];

static int make_root(void **state) {
    (void)state;
    strcpy(root, "/tmp/isocast-node-XXXXXX");
    return mkdtemp(root) == NULL;
}

static int remove_root(void **state) {
    (void)state;
    char command[128];
    snprintf(command, sizeof command, "rm -r '%s'", root);
    return system(command);
}

/* Makes the folders on the way, too. */
static void write_file(const char *name, const char *text) {
    char path[512];
    snprintf(path, sizeof path, "%s%s", root, name);
    for (char *slash = strchr(path + strlen(root) + 1, '/'); slash != NULL;
         slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        mkdir(path, 0700);
        *slash = '/';
    }
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static void write_governors(const char *first, const char *others) {
    cpu_set_t set;
    bool written = false;
    assert_int_equal(sched_getaffinity(0, sizeof set, &set), 0);
    for (int i = 0; i < CPU_SETSIZE; i++) {
        if (CPU_ISSET((size_t)i, &set)) {
            char name[128];
            snprintf(name, sizeof name, CPU "/cpu%d/cpufreq/scaling_governor", i);
            write_file(name, written ? others : first);
            written = true;
        }
    }
}

static void nothing_is_guessed(void **state) {
    (void)state;
    node_settings settings;
    node_settings_read(root, &settings);
    assert_string_equal(settings.governors, "");
    assert_string_equal(settings.clock_source, "");
    assert_int_equal(settings.turbo, NODE_UNKNOWN);
    assert_int_equal(settings.threads, NODE_UNKNOWN);
    assert_int_equal(settings.virtual, NODE_UNKNOWN);
}

static void files_are_read(void **state) {
    (void)state;
    node_settings settings;
    write_governors("powersave\n", "powersave\n");
    write_file("/sys/devices/system/clocksource/clocksource0/current_clocksource", "hpet\n");
    write_file(CPU "/cpufreq/boost", "1\n");
    write_file(CPU "/smt/active", "1\n");
    write_file("/proc/cpuinfo", "processor : 0\nflags : fpu hypervisor_like sse2\n");
    node_settings_read(root, &settings);
    assert_string_equal(settings.governors, "powersave");
    assert_string_equal(settings.clock_source, "hpet");
    assert_int_equal(settings.turbo, NODE_ON);
    assert_int_equal(settings.threads, NODE_ON);
    assert_int_equal(settings.virtual, NODE_OFF);
}

static void intel_says_no_turbo(void **state) {
    (void)state;
    node_settings settings;
    write_file(CPU "/intel_pstate/no_turbo", "1\n");
    write_file(CPU "/smt/active", "0\n");
    write_file("/proc/cpuinfo", "flags\t\t: fpu hypervisor\n");
    node_settings_read(root, &settings);
    assert_int_equal(settings.turbo, NODE_OFF);
    assert_int_equal(settings.threads, NODE_OFF);
    assert_int_equal(settings.virtual, NODE_ON);
}

static void clock_goes_on(void **state) {
    (void)state;
    double resolution;
    double cost;
    node_clock_read(&resolution, &cost);
    assert_true(resolution > 0 && resolution < 1);
    assert_true(cost > 0 && cost < 1);
}

static void load_is_a_share(void **state) {
    (void)state;
    node_load load;
    node_load_watch(0.05, &load);
    assert_true(isnan(load.others) || load.others >= 0);
    assert_true(isnan(load.stolen) || load.stolen <= load.others + 1e-9);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(nothing_is_guessed, make_root, remove_root),
        cmocka_unit_test_setup_teardown(files_are_read, make_root, remove_root),
        cmocka_unit_test_setup_teardown(intel_says_no_turbo, make_root, remove_root),
        cmocka_unit_test(clock_goes_on), cmocka_unit_test(load_is_a_share)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
