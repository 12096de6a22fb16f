/* A file of runs: what is read gives a scalability or says why not, and forecasts that are finite
 * and above 0. And the same bytes as samples of a calibration: what is read can be fitted, and no
 * coefficient is negative or not a number. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "calibrate/fit/fit.h"
#include "calibrate/samples/samples.h"
#include "fuzz.h"
#include "fuzz_file.h"
#include "model/base/source_read.h"
#include "model/forecast/forecasts.h"
#include "model/forecast/laws.h"
#include "model/runs/runs.h"
#include "model/runs/scalability.h"
#include "model/spec/algorithm_load.h"

static const isocast_work *work_of_elimination(void) {
    static isocast_work *work = NULL;
    if (work == NULL) {
        static isocast_algorithm *algorithm = NULL;
        isocast_diagnostics diagnostics = {0};
        FUZZ_REQUIRE(isocast_algorithm_load(ISOCAST_SOURCE_DIR
                                            "/specs/algorithms/gaussian-elimination.yaml",
                                            &diagnostics, &algorithm) == ISOCAST_OK);
        FUZZ_REQUIRE(isocast_work_create(algorithm, &diagnostics, &work) == ISOCAST_OK);
    }
    return work;
}

static void check_scalability(const isocast_runs *runs) {
    isocast_diagnostics diagnostics = {0};
    isocast_scalability *scalability = NULL;
    isocast_scalability_request request = {
        .runs = runs, .work = work_of_elimination(), .efficiency = runs->has_times ? 0.3 : NAN};
    isocast_status status = isocast_scalability_compute(&request, &diagnostics, &scalability);
    FUZZ_REQUIRE((status == ISOCAST_OK) == (diagnostics.errors == 0));
    isocast_scalability_free(scalability);
    isocast_diagnostics_clear(&diagnostics);
}

/* The same bytes as times and reference times of processor sets. */
static void check_sets(const uint8_t *data, size_t size) {
    isocast_diagnostics diagnostics = {0};
    isocast_source *source = NULL;
    isocast_status status =
        isocast_source_take("sets", (const char *)data, size, &diagnostics, &source);
    if (status == ISOCAST_OK) {
        isocast_set_table *table = NULL;
        status = isocast_set_table_read(source, source, NULL, ISOCAST_METRIC_ISOSPEED, &diagnostics,
                                        &table);
        for (size_t i = 0; table != NULL && i + 1 < table->count; i++) {
            FUZZ_REQUIRE(isocast_set_psi(table, i, i + 1) >= 0);
        }
        isocast_set_table_free(table);
    }
    FUZZ_REQUIRE((status == ISOCAST_OK) == (diagnostics.errors == 0));
    isocast_source_free(source);
    isocast_diagnostics_clear(&diagnostics);
}

/* The same bytes as series of runs, or as a file of Extra-P. */
static void check_forecasts(const uint8_t *data, size_t size) {
    isocast_diagnostics diagnostics = {0};
    isocast_source *source = NULL;
    isocast_series_list *list = NULL;
    isocast_forecasts *forecasts = NULL;
    const double N = 10;
    isocast_status status =
        isocast_source_take("series", (const char *)data, size, &diagnostics, &source);
    if (status == ISOCAST_OK) {
        const isocast_series_request request = {.source = source};
        status = isocast_series_read(&request, &diagnostics, &list);
    }
    FUZZ_REQUIRE((status == ISOCAST_OK) == (diagnostics.errors == 0));
    for (size_t N_count = 0; status == ISOCAST_OK && N_count < 2; N_count++) {
        FUZZ_REQUIRE(isocast_forecasts_make(list, NULL, 0, &N, N_count, true, &forecasts) ==
                     ISOCAST_OK);
        for (size_t i = 0; i < forecasts->count; i++) {
            const isocast_forecast_value *value = &forecasts->rows[i].value;
            bool refused = value->status >= ISOCAST_FORECAST_BELOW;
            FUZZ_REQUIRE(refused == isnan(value->T));
            FUZZ_REQUIRE(refused || (value->T > 0 && isfinite(value->T)));
            FUZZ_REQUIRE(isnan(value->low) || value->low <= value->high);
        }
        isocast_forecasts_free(forecasts);
    }
    for (size_t i = 0; list != NULL && i < list->count; i++) {
        isocast_laws laws = isocast_laws_find(&list->series[i]);
        FUZZ_REQUIRE(!(laws.serial.value < 0) && !(laws.serial.low > laws.serial.high));
    }
    isocast_series_list_free(list);
    isocast_source_free(source);
    isocast_diagnostics_clear(&diagnostics);
}

static void check_runs(const char *path) {
    isocast_diagnostics diagnostics = {0};
    isocast_runs *runs = NULL;
    isocast_status status = isocast_runs_load_list(path, &diagnostics, &runs);
    FUZZ_REQUIRE((status == ISOCAST_OK) == (diagnostics.errors == 0));
    if (status == ISOCAST_OK) {
        check_scalability(runs);
    }
    isocast_runs_free(runs);
    isocast_diagnostics_clear(&diagnostics);
}

/* Adds the lines of a file, up to the first that is none. */
static isocast_status read_samples(const char *path, samples *out) {
    FILE *file = fopen(path, "r");
    FUZZ_REQUIRE(file != NULL);
    char *line = NULL;
    size_t capacity = 0;
    isocast_status status = ISOCAST_OK;
    while (status == ISOCAST_OK && getline(&line, &capacity, file) >= 0) {
        samples_line kind;
        line[strcspn(line, "\r\n")] = '\0';
        status = samples_add_line(out, line, &kind);
    }
    free(line);
    fclose(file);
    return status;
}

static void check_samples(const char *path) {
    samples read = {0};
    fit fitted = {0};
    isocast_buffer why = {0};
    isocast_status status = read_samples(path, &read);
    status = status == ISOCAST_OK ? fit_samples(&read, &why, &fitted) : status;
    FUZZ_REQUIRE(status != ISOCAST_NO_MEMORY);
    FUZZ_REQUIRE(status != ISOCAST_NUMERIC || why.length > 0);
    if (status == ISOCAST_OK) {
        for (size_t i = 0; i < fitted.operation_count; i++) {
            const fit_operation *operation = &fitted.operations[i];
            FUZZ_REQUIRE(operation->body.length > 0 && isfinite(operation->max_error));
            FUZZ_REQUIRE(strstr(operation->body.text, ": nan") == NULL);
            FUZZ_REQUIRE(strstr(operation->body.text, ": inf") == NULL);
        }
        fit_free(&fitted);
    }
    isocast_buffer_free(&why);
    samples_free(&read);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char path[FUZZ_PATH_MAX];
    int descriptor = fuzz_file_open(data, size, path);
    check_runs(path);
    check_samples(path);
    check_sets(data, size);
    check_forecasts(data, size);
    fuzz_file_close(descriptor);
    return 0;
}
