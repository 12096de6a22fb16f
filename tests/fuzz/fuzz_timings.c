/* A file of timings of any format: what is read can be fitted, the formula's times and their band
 * are positive numbers, and what cannot be read is reported. */
#include <math.h>

#include "calibrate/fit/fit_results.h"
#include "calibrate/samples/import.h"
#include "fuzz.h"
#include "fuzz_file.h"

static void check_result(const fit_result *result) {
    const fit_timings *t = &result->timings;
    for (size_t i = 0; i < t->size_count; i++) {
        for (double factor = 1; factor <= 16; factor *= 4) {
            double low = 0;
            double high = 0;
            double p = factor * t->counts_of_p[t->p_count - 1];
            double seconds = fit_result_band(result, p, t->sizes[i], &low, &high);
            FUZZ_REQUIRE(seconds > 0 && isfinite(seconds));
            FUZZ_REQUIRE(low > 0 && low <= seconds && seconds <= high);
        }
    }
    size_t count = result->has_form ? result->form.coefficient_count : 0;
    for (size_t i = 0; i < count; i++) {
        FUZZ_REQUIRE(result->form.covariance[i * count + i] >= 0);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char path[FUZZ_PATH_MAX];
    int descriptor = fuzz_file_open(data, size, path);
    observations o = {0};
    isocast_diagnostics diagnostics = {0};
    isocast_status status = import_file(path, 4, &o, &diagnostics);
    FUZZ_REQUIRE((status == ISOCAST_OK) == (diagnostics.errors == 0));
    FUZZ_REQUIRE(observations_finish(&o));
    fit_result_settings settings = {10, 1, INFINITY};
    fit_results results = {0};
    FUZZ_REQUIRE(fit_results_make(&o, &settings, &results));
    for (size_t i = 0; i < results.count; i++) {
        check_result(&results.items[i]);
    }
    fit_results_free(&results);
    observations_free(&o);
    isocast_diagnostics_clear(&diagnostics);
    fuzz_file_close(descriptor);
    return 0;
}
