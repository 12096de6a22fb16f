/* For tests: what a fit found, as whoever reads the machine file finds it. */
#ifndef FITTED_MACHINE_H
#define FITTED_MACHINE_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "calibrate/fit/machine_file.h"
#include "model/spec/machine_load.h"

/* Free with isocast_machine_free(). */
static inline isocast_machine *fitted_machine(const fit *f) {
    const machine_file file = {.name = "fitted",
                               .date = "now",
                               .version = "0",
                               .command = "",
                               .benchmark = "b",
                               .processors = 4,
                               .marked_speed = 1e9,
                               .t_c = NAN,
                               .memory_bandwidth = NAN,
                               .node_bandwidth = NAN,
                               .others = NAN,
                               .samples_file = "",
                               .samples_sha256 = "0",
                               .environment = ""};
    isocast_buffer text = {0};
    isocast_diagnostics diagnostics = {0};
    isocast_machine *machine = NULL;
    machine_file_write(&file, f, &text);
    assert_false(text.failed);
    if (isocast_machine_read_text("fitted", text.text, text.length, &diagnostics, &machine) !=
        ISOCAST_OK) {
        fail_msg("%s\n%s", diagnostics.items[0].message, text.text);
    }
    isocast_buffer_free(&text);
    isocast_diagnostics_clear(&diagnostics);
    return machine;
}

static inline size_t fitted_index(const isocast_machine *machine, const char *name) {
    for (size_t i = 0; i < machine->parameter_count; i++) {
        if (strcmp(machine->parameters[i].name, name) == 0) {
            return i;
        }
    }
    fail_msg("the file has no number %s", name);
    return 0;
}

/* A number with its standard error, SI. */
typedef struct fitted_number {
    double value, error;
} fitted_number;

static inline fitted_number fitted_number_of(const fit *f, const char *name) {
    isocast_machine *machine = fitted_machine(f);
    size_t i = fitted_index(machine, name);
    fitted_number number = {machine->parameters[i].value,
                            sqrt(isocast_machine_covariance(machine, i, i))};
    isocast_machine_free(machine);
    return number;
}

#endif
