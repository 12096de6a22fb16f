/* An algorithm, machine or platform file: loading gives it or shows what is wrong; what loads is
 * bound to a counterpart and evaluated. Nothing that comes out calls itself a solution and is not a
 * number. */
#include <math.h>
#include <string.h>

#include "fuzz.h"
#include "fuzz_file.h"
#include "model/solve/model.h"
#include "model/solve/solver.h"
#include "model/spec/algorithm.h"
#include "model/spec/algorithm_load.h"
#include "model/spec/algorithm_program.h"
#include "model/spec/machine.h"
#include "model/spec/machine_load.h"
#include "model/spec/platform.h"
#include "model/spec/platform_load.h"
#include "model/spec/system.h"

static isocast_algorithm *some_algorithm;
static isocast_machine *some_machine;

static void load_counterparts(void) {
    if (some_algorithm == NULL) {
        isocast_diagnostics diagnostics = {0};
        FUZZ_REQUIRE(isocast_algorithm_load(ISOCAST_SOURCE_DIR
                                            "/specs/algorithms/gaussian-elimination.yaml",
                                            &diagnostics, &some_algorithm) == ISOCAST_OK);
        FUZZ_REQUIRE(isocast_machine_load(ISOCAST_SOURCE_DIR "/specs/machines/sunwulf.yaml",
                                          &diagnostics, &some_machine) == ISOCAST_OK);
        isocast_diagnostics_clear(&diagnostics);
    }
}

static void solve(const isocast_model *model, const isocast_machine *machine) {
    isocast_diagnostics diagnostics = {0};
    char text[256];
    snprintf(text, sizeof text, "%.200s:1", machine->classes[0].name);
    isocast_system **systems = NULL;
    size_t count = 0;
    if (isocast_systems_parse(machine, isocast_model_algorithm(model)->kernel, "--to", text,
                              &diagnostics, &systems, &count) == ISOCAST_OK) {
        isocast_solution solution;
        const isocast_solve_request request = {.model = model,
                                               .metric = ISOCAST_METRIC_ISOSPEED_E,
                                               .system = systems[0],
                                               .target = 0.3};
        isocast_status status = isocast_solve(&request, &solution);
        if (status == ISOCAST_OK &&
            (solution.status == ISOCAST_ROW_OK || solution.status == ISOCAST_ROW_SEVERAL)) {
            FUZZ_REQUIRE(isfinite(solution.N) && solution.N > 0);
        }
    }
    isocast_systems_free(systems, count);
    isocast_diagnostics_clear(&diagnostics);
}

static void bind(const isocast_algorithm *algorithm, const isocast_machine *machine) {
    isocast_diagnostics diagnostics = {0};
    isocast_model *model = NULL;
    isocast_status status = isocast_model_create(algorithm, machine, &diagnostics, &model);
    FUZZ_REQUIRE((status == ISOCAST_OK) == (diagnostics.errors == 0));
    if (status == ISOCAST_OK && algorithm->size_count == 1) {
        solve(model, machine);
    }
    isocast_model_free(model);
    isocast_diagnostics_clear(&diagnostics);
}

/* What loads has a network to be simulated, and an exact place for each node. */
static void load_platform(const char *path) {
    isocast_diagnostics diagnostics = {0};
    isocast_platform *platform = NULL;
    isocast_status status = isocast_platform_load(path, &diagnostics, &platform);
    FUZZ_REQUIRE((status == ISOCAST_OK) == (diagnostics.errors == 0));
    if (status == ISOCAST_OK) {
        const isocast_network *network = &platform->network;
        FUZZ_REQUIRE(network->link_bandwidth > 0 && network->link_latency > 0);
        FUZZ_REQUIRE(network->node_bandwidth > 0 && network->node_latency > 0);
        FUZZ_REQUIRE((network->shape != NULL) == (network->topology != ISOCAST_TOPOLOGY_SWITCHED));
    }
    isocast_platform_free(platform);
    isocast_diagnostics_clear(&diagnostics);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    load_counterparts();
    char path[FUZZ_PATH_MAX];
    int descriptor = fuzz_file_open(data, size, path);
    isocast_diagnostics diagnostics = {0};
    isocast_algorithm *algorithm = NULL;
    isocast_status status = isocast_algorithm_load(path, &diagnostics, &algorithm);
    FUZZ_REQUIRE((status == ISOCAST_OK) == (diagnostics.errors == 0));
    if (status == ISOCAST_OK) {
        bind(algorithm, some_machine);
        status = isocast_algorithm_rehearse(algorithm, &diagnostics);
        FUZZ_REQUIRE((status == ISOCAST_OK) == (diagnostics.errors == 0));
    }
    isocast_algorithm_free(algorithm);
    isocast_diagnostics_clear(&diagnostics);
    diagnostics = (isocast_diagnostics){0};
    isocast_machine *machine = NULL;
    status = isocast_machine_load(path, &diagnostics, &machine);
    FUZZ_REQUIRE((status == ISOCAST_OK) == (diagnostics.errors == 0));
    if (status == ISOCAST_OK) {
        bind(some_algorithm, machine);
    }
    isocast_machine_free(machine);
    isocast_diagnostics_clear(&diagnostics);
    load_platform(path);
    fuzz_file_close(descriptor);
    return 0;
}
