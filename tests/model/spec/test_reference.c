/* R_f of processor sets: what the section `reference` says of them, and what stands in where it
 * says nothing. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "model/base/source.h"
#include "model/spec/machine_load.h"
#include "model/spec/system.h"

static isocast_machine *machine_of(const char *text) {
    isocast_diagnostics diagnostics = {0};
    isocast_source *source = NULL;
    isocast_machine *machine = NULL;
    assert_int_equal(isocast_source_create("machine", text, strlen(text), &source), ISOCAST_OK);
    isocast_status status = isocast_machine_read(source, &diagnostics, &machine);
    isocast_diagnostics_clear(&diagnostics);
    assert_int_equal(status, ISOCAST_OK);
    return machine;
}

static isocast_system *system_of(const isocast_machine *machine, const char *text) {
    isocast_diagnostics diagnostics = {0};
    isocast_system **systems = NULL;
    size_t count = 0;
    isocast_status status =
        isocast_systems_parse(machine, NULL, "test", text, &diagnostics, &systems, &count);
    isocast_diagnostics_clear(&diagnostics);
    assert_int_equal(status, ISOCAST_OK);
    assert_int_equal(count, 1);
    isocast_system *system = systems[0];
    free(systems);
    return system;
}

static void assert_factor(const isocast_machine *machine, const char *text, double factor,
                          double within, isocast_reference_origin origin) {
    isocast_system *system = system_of(machine, text);
    if (!(fabs(system->reference_factor - factor) <= within) ||
        system->reference_origin != origin) {
        fail_msg("%s: R_f is %.17g (origin %d), not %.17g (origin %d)", text,
                 system->reference_factor, (int)system->reference_origin, factor, (int)origin);
    }
    isocast_system_free(system);
}

/* The published times give the published R_f, to one unit of its last digit: 2x4 has 5.506 by its
 * times, and 5.50 in the table. */
static void published_times(void **state) {
    (void)state;
    FILE *table = fopen(ISOCAST_SOURCE_DIR "/tests/published/he-table2.csv", "re");
    assert_non_null(table);
    char sets[64][16];
    double factors[64];
    char text[4096];
    size_t length = (size_t)snprintf(
        text, sizeof text,
        "machine: m\nnodes:\n  node: {count: 10, processors: 2, marked_speed: 1 Mflop/s}\n"
        "reference:\n  times:\n");
    char line[128];
    size_t count = 0;
    assert_non_null(fgets(line, sizeof line, table));
    double seconds;
    while (fgets(line, sizeof line, table) != NULL) {
        assert_int_equal(sscanf(line, "%15[^,],%lf,%lf", sets[count], &seconds, &factors[count]),
                         3);
        length += (size_t)snprintf(text + length, sizeof text - length, "    %s: %.2f s\n",
                                   sets[count], seconds);
        count++;
    }
    fclose(table);
    assert_int_equal(count, 20);
    isocast_machine *machine = machine_of(text);
    for (size_t i = 0; i < count; i++) {
        assert_factor(machine, sets[i], factors[i], 0.01,
                      i == 0 ? ISOCAST_REFERENCE_DEFINITION : ISOCAST_REFERENCE_MEASURED);
    }
    isocast_machine_free(machine);
}

/* A set that is not given has C/C_j: p exactly where processors are alike. */
static void not_given(void **state) {
    (void)state;
    isocast_machine *alike = machine_of(
        "machine: m\nnodes: {node: {count: 8, processors: 4, marked_speed: 0.1 Mflop/s}}\n"
        "reference: {factors: {1x2: 1.5, 2x1: 1.75 \xC2\xB1 2 %, 8: 7}}\n");
    assert_factor(alike, "7", 7, 0, ISOCAST_REFERENCE_UNKNOWN);
    assert_factor(alike, "2", 1.75, 0, ISOCAST_REFERENCE_GIVEN);
    assert_factor(alike, "1x2", 1.5, 0, ISOCAST_REFERENCE_GIVEN);
    assert_factor(alike, "4x2", 7, 0, ISOCAST_REFERENCE_GIVEN);
    assert_factor(alike, "2x4", 8, 0, ISOCAST_REFERENCE_UNKNOWN);
    assert_factor(alike, "1", 1, 0, ISOCAST_REFERENCE_DEFINITION);
    isocast_system *system = system_of(alike, "2x1");
    assert_true(fabs(system->reference_error - 0.035) < 1e-15);
    isocast_system_free(system);
    isocast_machine_free(alike);
    isocast_machine *mixed = machine_of(
        "machine: m\nnodes: {a: {count: 8, marked_speed: 2 Mflop/s}, b: {count: 8, marked_speed: "
        "3 Mflop/s}}\n"
        "reference: {times: {\"a:1\": 10 s, \"b:1\": 5 s, \"a:1+b:2\": 16 s}}\n");
    assert_factor(mixed, "a:2+b:3", 6.5, 1e-15, ISOCAST_REFERENCE_UNKNOWN);
    assert_factor(mixed, "a:1+b:2", 3 * 10.0 / 16, 1e-15, ISOCAST_REFERENCE_MEASURED);
    /* Process 0 runs on the other class: that is another processor to compare with. */
    assert_factor(mixed, "b:2+a:1", 8.0 / 3, 1e-15, ISOCAST_REFERENCE_UNKNOWN);
    isocast_machine_free(mixed);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(published_times),
                                       cmocka_unit_test(not_given)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
