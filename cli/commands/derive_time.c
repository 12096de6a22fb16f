#include "derive_time.h"

#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <isocast/prediction.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "model/derive/derive.h"
#include "model/derive/derived_text.h"
#include "model/solve/model.h"
#include "model/spec/algorithm_load.h"

/* T on p processes of the machine, s; NAN where the machine does not tell it. */
static isocast_status predict(const isocast_algorithm *algorithm, const isocast_machine *machine,
                              const isocast_law_point *point, double *T) {
    char system[32];
    isocast_diagnostics diagnostics = {0};
    isocast_model *model = NULL;
    isocast_prediction *prediction = NULL;
    snprintf(system, sizeof system, "%.0f", point->p);
    isocast_request request = ISOCAST_REQUEST_INIT;
    request.systems = system;
    request.N = point->sizes[0];
    request.other_sizes = algorithm->size_count > 1 ? point->sizes + 1 : NULL;
    *T = NAN;
    isocast_status status = isocast_model_create(algorithm, machine, &diagnostics, &model);
    if (status == ISOCAST_OK) {
        status = isocast_model_predict(model, &request, &diagnostics, &prediction);
    }
    if (status == ISOCAST_OK) {
        *T = isocast_prediction_number(prediction, 0, ISOCAST_QUANTITY_T);
    }
    isocast_prediction_free(prediction);
    isocast_model_free(model);
    isocast_diagnostics_clear(&diagnostics);
    return status == ISOCAST_NO_MEMORY ? status : ISOCAST_OK;
}

static isocast_status predict_with(const cli_derive_time *with, const isocast_derived *laws,
                                   isocast_held_point *held) {
    isocast_buffer text = {0};
    isocast_derived_write(laws, with->name, with->speed, &text);
    isocast_diagnostics diagnostics = {0};
    isocast_algorithm *algorithm = NULL;
    isocast_status status = text.failed
                                ? ISOCAST_NO_MEMORY
                                : isocast_algorithm_read_text("held-out", text.text, text.length,
                                                              &diagnostics, &algorithm);
    if (status == ISOCAST_OK) {
        status = predict(algorithm, with->machine, &held->point, &held->predicted);
    }
    isocast_algorithm_free(algorithm);
    isocast_diagnostics_clear(&diagnostics);
    isocast_buffer_free(&text);
    return status;
}

/* The median of the runs, of their slowest processes. */
static isocast_status see(isocast_record *const *records, size_t count, double *T) {
    double *times = calloc(count + 1, sizeof *times);
    if (times == NULL) {
        return ISOCAST_NO_MEMORY;
    }
    for (size_t r = 0; r < count; r++) {
        for (size_t i = 0; i < records[r]->process_count; i++) {
            times[r] = fmax(times[r], records[r]->processes[i].T);
        }
    }
    gsl_sort(times, 1, count);
    *T = gsl_stats_median_from_sorted_data(times, 1, count);
    free(times);
    return ISOCAST_OK;
}

static double processors_of(const isocast_machine *machine) {
    double all = 0;
    for (size_t i = 0; i < machine->class_count; i++) {
        all += machine->classes[i].count * machine->classes[i].processors;
    }
    return all;
}

isocast_status cli_derive_hold_time(const cli_derive_time *with, isocast_derived *derived) {
    isocast_record **sorted = calloc(derived->record_count + 1, sizeof *sorted);
    isocast_derived *laws = NULL;
    isocast_held_point held = {0};
    isocast_status status =
        sorted != NULL ? isocast_derive_without_point(derived, processors_of(with->machine), sorted,
                                                      &held, &laws)
                       : ISOCAST_NO_MEMORY;
    if (status == ISOCAST_OK && laws != NULL) {
        size_t others = laws->record_count;
        status = see(sorted + others, derived->record_count - others, &held.seen);
        if (status == ISOCAST_OK) {
            status = predict_with(with, laws, &held);
        }
        held.known = held.predicted > 0 && held.seen > 0;
        held.reason = held.known ? NULL : "the machine file does not give T of this program";
    }
    derived->held_time = held;
    isocast_derived_free(laws);
    free(sorted);
    return status;
}
