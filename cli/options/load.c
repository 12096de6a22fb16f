#include "load.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "exit.h"
#include "locate.h"
#include "model/spec/algorithm_load.h"
#include "model/spec/machine_load.h"

static isocast_status load_files(isocast_diagnostics *diagnostics, cli_loaded *loaded) {
    isocast_status algorithm =
        isocast_algorithm_load(loaded->algorithm_path, diagnostics, &loaded->algorithm);
    if (loaded->machine_path == NULL || isocast_status_is_of_system(algorithm)) {
        return algorithm;
    }
    isocast_status machine =
        isocast_machine_load(loaded->machine_path, diagnostics, &loaded->machine);
    return algorithm == ISOCAST_OK || isocast_status_is_of_system(machine) ? machine : algorithm;
}

static int load(const char *algorithm, const char *machine, bool bind, bool quiet,
                cli_loaded *out) {
    if (machine != NULL && strcmp(algorithm, "-") == 0 && strcmp(machine, "-") == 0) {
        fputs("isocast: only one of the algorithm and the machine can be standard input\n", stderr);
        return CLI_EXIT_USAGE;
    }
    cli_loaded loaded = {0};
    int status = cli_locate_spec(CLI_SPEC_ALGORITHM, algorithm, &loaded.algorithm_path);
    if (machine != NULL && status != CLI_EXIT_SYSTEM) {
        int located = cli_locate_spec(CLI_SPEC_MACHINE, machine, &loaded.machine_path);
        status = located > status ? located : status;
    }
    if (status == CLI_EXIT_OK) {
        isocast_diagnostics diagnostics = {0};
        isocast_status outcome = load_files(&diagnostics, &loaded);
        if (outcome == ISOCAST_OK && bind) {
            outcome =
                isocast_model_create(loaded.algorithm, loaded.machine, &diagnostics, &loaded.model);
        }
        outcome = cli_diagnostics_tell(&diagnostics, quiet, outcome);
        status = cli_exit_of(outcome);
    }
    if (status != CLI_EXIT_OK) {
        cli_loaded_free(&loaded);
        return status;
    }
    *out = loaded;
    return CLI_EXIT_OK;
}

int cli_load(const char *algorithm, const char *machine, bool quiet, cli_loaded *out) {
    return load(algorithm, machine, true, quiet, out);
}

int cli_load_apart(const char *algorithm, const char *machine, bool quiet, cli_loaded *out) {
    return load(algorithm, machine, false, quiet, out);
}

void cli_loaded_free(cli_loaded *loaded) {
    isocast_model_free(loaded->model);
    isocast_machine_free(loaded->machine);
    isocast_algorithm_free(loaded->algorithm);
    free(loaded->algorithm_path);
    free(loaded->machine_path);
}
