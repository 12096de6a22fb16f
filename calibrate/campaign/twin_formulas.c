#include "twin_formulas.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "calibrate/fit/fit.h"
#include "calibrate/fit/fit_results.h"
#include "calibrate/fit/machine_file.h"
#include "model/spec/machine_load.h"
#include "recheck.h"

/* The fit of timings of another benchmark; false where the operation has none. */
static bool fit_one_operation(const observations *o, size_t operation, double p_most,
                              fit_result *out) {
    const fit_result_settings settings = {.draws = 2, .seed = 1, .p_most = p_most};
    for (size_t i = 0; i < o->operations.count; i++) {
        if (isocast_known_operation_index(o->operations.texts[i]) == operation) {
            return fit_result_make(o, (uint32_t)i, &settings, out) && out->timings.count > 0;
        }
    }
    return false;
}

/* Fills in the times of one operation. */
static void find_operation(const observations *o, size_t operation, double p_most,
                           const campaign_twin_place *places, size_t count, double *times) {
    fit_result formula = {0};
    bool fitted = fit_one_operation(o, operation, p_most, &formula);
    size_t index = 0;
    for (size_t i = 0; i < count; i++) {
        for (size_t k = 0; k < places[i].count; k++, index++) {
            if (fitted && places[i].points[k].operation == operation) {
                times[index] = fit_result_time(&formula, places[i].p, places[i].points[k].m);
            }
        }
    }
    fit_result_free(&formula);
}

/* The samples of a calibration on no more than p_most processes. False where memory is short. */
static bool take_fewer(const samples *all, double p_most, samples *out) {
    *out = *all;
    out->environment = NULL;
    out->rows = malloc((all->count + 1) * sizeof *out->rows);
    out->count = 0;
    for (size_t i = 0; i < all->count && out->rows != NULL; i++) {
        if (all->rows[i].p <= p_most) {
            out->rows[out->count++] = all->rows[i];
        }
    }
    return out->rows != NULL;
}

/* The nodes of the machine, for a file of its operations. */
static size_t take_classes(const isocast_machine *machine, machine_file_class *out) {
    size_t count = 0;
    for (; count < machine->class_count && count < MACHINE_FILE_CLASSES_MAX; count++) {
        const isocast_node_class *class = &machine->classes[count];
        out[count] = (machine_file_class){.count = (long)class->count,
                                          .processors = (long)class->processors,
                                          .marked_speed = class->marked_speed};
        snprintf(out[count].name, sizeof out[count].name, "%s", class->name);
    }
    return count;
}

/* The machine file that these samples make; *out is NULL where they make none. */
static isocast_status fit_machine(const isocast_machine *machine, const samples *fewer,
                                  isocast_machine **out) {
    fit fitted = {0};
    *out = NULL;
    isocast_status status = fit_samples(fewer, NULL, &fitted);
    if (status != ISOCAST_OK) {
        fit_free(&fitted);
        return status == ISOCAST_NO_MEMORY ? status : ISOCAST_OK;
    }
    machine_file_class classes[MACHINE_FILE_CLASSES_MAX];
    const machine_file file = {.name = "fewer",
                               .date = "none",
                               .version = "none",
                               .command = "none",
                               .benchmark = "none",
                               .classes = classes,
                               .class_count = take_classes(machine, classes),
                               .processors = 1,
                               .marked_speed = machine->classes[0].marked_speed,
                               .t_c = NAN,
                               .memory_bandwidth = NAN,
                               .node_bandwidth = NAN,
                               .others = NAN,
                               .samples_file = "none",
                               .samples_sha256 = "none"};
    isocast_buffer text = {0};
    isocast_diagnostics diagnostics = {0};
    machine_file_write(&file, &fitted, &text);
    fit_free(&fitted);
    status = text.failed
                 ? ISOCAST_NO_MEMORY
                 : isocast_machine_read_text("fewer", text.text, text.length, &diagnostics, out);
    isocast_buffer_free(&text);
    isocast_diagnostics_clear(&diagnostics);
    return status == ISOCAST_NO_MEMORY ? status : ISOCAST_OK;
}

static isocast_status find_times(const isocast_machine *machine, const campaign_twin_place *places,
                                 size_t count, double *times) {
    isocast_status status = ISOCAST_OK;
    size_t index = 0;
    for (size_t i = 0; i < count; i++) {
        for (size_t k = 0; k < places[i].count && status == ISOCAST_OK; k++, index++) {
            const campaign_twin_point *point = &places[i].points[k];
            campaign_recheck_point at = {.name = isocast_known_operations[point->operation].name,
                                         .p = places[i].p,
                                         .system = places[i].system,
                                         .m = point->m,
                                         .predicted = NAN};
            status = campaign_recheck_predict(machine, &at, 1);
            times[index] = at.predicted;
        }
    }
    return status;
}

static isocast_status find_by_samples(const isocast_machine *machine, const samples *all,
                                      double p_most, const campaign_twin_place *places,
                                      size_t count, double *times) {
    samples fewer;
    isocast_machine *fitted = NULL;
    isocast_status status = take_fewer(all, p_most, &fewer) ? ISOCAST_OK : ISOCAST_NO_MEMORY;
    if (status == ISOCAST_OK) {
        status = fit_machine(machine, &fewer, &fitted);
    }
    if (status == ISOCAST_OK && fitted != NULL) {
        status = find_times(fitted, places, count, times);
    }
    if (fitted != NULL) {
        isocast_machine_free(fitted);
    }
    free(fewer.rows);
    return status;
}

isocast_status campaign_twin_formulas_find(const isocast_machine *machine,
                                           const campaign_twin_timings *timings, double p_most,
                                           const campaign_twin_place *places, size_t count,
                                           double *times) {
    size_t index = 0;
    bool wanted[ISOCAST_KNOWN_OPERATIONS] = {false};
    for (size_t i = 0; i < count; i++) {
        for (size_t k = 0; k < places[i].count; k++) {
            times[index++] = NAN;
            wanted[places[i].points[k].operation] = true;
        }
    }
    if (timings->samples.count > 0) {
        return find_by_samples(machine, &timings->samples, p_most, places, count, times);
    }
    for (size_t i = 0; i < ISOCAST_KNOWN_OPERATIONS; i++) {
        if (wanted[i]) {
            find_operation(&timings->observations, i, p_most, places, count, times);
        }
    }
    return ISOCAST_OK;
}
