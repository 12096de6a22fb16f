#include "word_option.h"

#include <math.h>
#include <string.h>

#include "exit.h"
#include "model/base/nearest.h"

int cli_metric_read(const cli_usage *usage, const char *name, isocast_metric *out) {
    if (name == NULL) {
        *out = ISOCAST_METRIC_ISOSPEED_E;
        return CLI_EXIT_OK;
    }
    if (isocast_metric_find(name, out)) {
        return CLI_EXIT_OK;
    }
    const char *names[ISOCAST_METRICS];
    for (int i = 0; i < ISOCAST_METRICS; i++) {
        names[i] = isocast_metric_row_of((isocast_metric)i)->name;
    }
    return cli_word_refuse(usage, "--metric", name, names, ISOCAST_METRICS);
}

int cli_metric_needs_psi(const cli_usage *usage, isocast_metric metric) {
    const isocast_metric_row *row = isocast_metric_row_of(metric);
    return row->psi != NULL ? CLI_EXIT_OK
                            : cli_usage_error(usage,
                                              "%s has no psi: its result is the function W, the "
                                              "work that holds the %s on each system",
                                              row->name, row->held);
}

int cli_metric_target(const cli_usage *usage, isocast_metric metric, double efficiency,
                      double speed, double *target) {
    const isocast_metric_row *row = isocast_metric_row_of(metric);
    bool is_speed = row->unit[0] != '\0';
    if (is_speed && !isnan(efficiency)) {
        return cli_usage_error(usage,
                               "%s holds the %s %s in %s: give --speed SPEED, such as --speed "
                               "20Mflop/s, not --efficiency",
                               row->name, row->held, row->formula, row->unit);
    }
    if (!is_speed && !isnan(speed)) {
        return cli_usage_error(usage,
                               "--speed goes with --metric isospeed; %s holds the %s %s: give "
                               "--efficiency E",
                               row->name, row->held, row->formula);
    }
    *target = is_speed ? speed : efficiency;
    return CLI_EXIT_OK;
}

/* At the measure that each stands for. */
static const char *const measures[] = {
    [ISOCAST_SIZE_BY_SUM] = "sum", [ISOCAST_SIZE_BY_REFERENCE] = "reference"};
enum { MEASURES = sizeof measures / sizeof measures[0] };

int cli_size_read(const cli_usage *usage, const char *text, const isocast_machine *machine,
                  isocast_system_measure *out) {
    size_t found = text == NULL ? ISOCAST_SIZE_BY_SUM : 0;
    while (text != NULL && found < MEASURES && strcmp(text, measures[found]) != 0) {
        found++;
    }
    if (found == MEASURES) {
        return cli_word_refuse(usage, "--size", text, measures, MEASURES);
    }
    bool by_reference = found == ISOCAST_SIZE_BY_REFERENCE;
    if (by_reference && machine->reference.count == 0) {
        return cli_usage_error(usage,
                               "--size reference needs R_f of processor sets, and machine '%s' has "
                               "none: add the section 'reference' to its file",
                               machine->name);
    }
    *out = (isocast_system_measure)found;
    return CLI_EXIT_OK;
}

int cli_size_apply(const cli_usage *usage, const char *text, const isocast_machine *machine,
                   isocast_system **systems, size_t count) {
    isocast_system_measure measure = ISOCAST_SIZE_BY_SUM;
    int status = cli_size_read(usage, text, machine, &measure);
    for (size_t i = 0; status == CLI_EXIT_OK && i < count; i++) {
        isocast_system_size_by(systems[i], measure);
    }
    return status;
}

int cli_word_refuse(const cli_usage *usage, const char *what, const char *word,
                    const char *const *names, size_t count) {
    isocast_buffer text = {0};
    for (size_t i = 0; i < count; i++) {
        isocast_buffer_printf(&text, "%s%s",
                              i == 0           ? ""
                              : i + 1 == count ? " or "
                                               : ", ",
                              names[i]);
    }
    isocast_buffer_printf(&text, ", not '%s'", word);
    const char *nearest = isocast_nearest_name(word, names, count);
    if (nearest != NULL) {
        isocast_buffer_printf(&text, "; did you mean '%s'?", nearest);
    }
    int status = text.failed ? cli_exit_of(ISOCAST_NO_MEMORY)
                             : cli_usage_error(usage, "%s takes %s", what, text.text);
    isocast_buffer_free(&text);
    return status;
}
