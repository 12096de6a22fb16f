#include "cli/output/json_text.h"
#include "json_prediction.h"
#include "report_matrix.h"
#include "report_scalability.h"

/* Every N at which E passes the wanted one. */
static json_t *json_crossings(const isocast_scalability_row *row) {
    json_t *array = json_array();
    for (size_t i = 0; i < row->reading.count; i++) {
        const isocast_crossing *crossing = &row->reading.crossings[i];
        json_t *object = json_object();
        cli_json_set(&object, "N", cli_json_number(crossing->N));
        cli_json_set(&object, "N_low", cli_json_number(crossing->low));
        cli_json_set(&object, "N_high", cli_json_number(crossing->high));
        cli_json_set(&object, "rises", json_boolean(crossing->rises));
        cli_json_append(&array, object);
    }
    return array;
}

static json_t *json_row(const isocast_algorithm *algorithm, const isocast_scalability_row *row,
                        bool isospeed_e) {
    json_t *object = json_object();
    cli_json_set(&object, "system", cli_json_string(row->system));
    cli_json_set(&object, "p", cli_json_number(row->p));
    cli_json_set(&object, "C", cli_json_number(row->C));
    if (algorithm->size_count > 1) {
        cli_json_set(&object, "other_sizes", cli_json_other_sizes(algorithm, row->other_sizes));
    }
    cli_json_set(&object, "N", cli_json_number(row->N));
    cli_json_set(&object, "N_low", cli_json_number(row->N_low));
    cli_json_set(&object, "N_high", cli_json_number(row->N_high));
    cli_json_set(&object, "W", cli_json_number(row->W));
    if (!isospeed_e) {
        cli_json_set(&object, "R_f", cli_json_number(row->R_f));
        cli_json_set(&object, "T", cli_json_number(row->T));
        cli_json_set(&object, "T_alone", cli_json_number(row->T_alone));
    }
    cli_json_set(&object, "psi", cli_json_number(row->psi));
    cli_json_set(&object, "psi_from_base", cli_json_number(row->psi_from_base));
    cli_json_set(&object, "degree", cli_json_number(cli_scalability_degree(row)));
    cli_json_set(&object, "trend", cli_json_string(cli_scalability_trend_name(row)));
    cli_json_set(&object, "validation_error", cli_json_number(cli_scalability_error(row)));
    cli_json_set(&object, "points",
                 row->points > 0 ? cli_json_number((double)row->points) : json_null());
    cli_json_set(&object, "N_first", cli_json_number(row->N_first));
    cli_json_set(&object, "N_last", cli_json_number(row->N_last));
    cli_json_set(&object, "crossings", json_crossings(row));
    cli_json_set(&object, "oversubscribed", json_boolean(row->oversubscribed));
    cli_json_set(&object, "status", cli_json_string(cli_scalability_status_name(row->status)));
    return object;
}

/* E over N on one system. */
static json_t *json_efficiencies(const char *system, const double *N, const double *E,
                                 size_t count) {
    json_t *object = json_object();
    cli_json_set(&object, "system", cli_json_string(system));
    cli_json_set(&object, "N", cli_json_numbers(N, count));
    cli_json_set(&object, "E", cli_json_numbers(E, count));
    return object;
}

json_t *cli_json_scalability(const cli_scalability_view *view, json_t *provenance) {
    bool isospeed_e = view->scalability->metric == ISOCAST_METRIC_ISOSPEED_E;
    json_t *rows = json_array();
    json_t *measured = json_array();
    json_t *curves = json_array();
    for (size_t i = 0; i < view->scalability->count; i++) {
        const isocast_scalability_row *row = &view->scalability->rows[i];
        cli_json_append(&rows, json_row(view->algorithm, row, isospeed_e));
        if (row->measured_N != NULL) {
            cli_json_append(&measured, json_efficiencies(row->system, row->measured_N,
                                                         row->measured_E, row->points));
        }
        if (row->line_N != NULL) {
            cli_json_append(&curves, json_efficiencies(row->system, row->line_N, row->line_E,
                                                       ISOCAST_TREND_PLACES));
        }
    }
    json_t *object = json_object();
    cli_json_set(&object, "schema", cli_json_string("isocast.scalability/1"));
    cli_json_set(&object, "algorithm", cli_json_string(view->algorithm->name));
    cli_json_set(&object, "runs", cli_json_string(view->runs_name));
    cli_json_set(&object, "metric", json_string(isocast_metric_name(view->scalability->metric)));
    cli_json_set(&object, "size", cli_json_string(view->algorithm->sizes[0].name));
    cli_json_set(&object, "efficiency", cli_json_number(view->scalability->efficiency));
    cli_json_set(&object, "rows", rows);
    cli_json_set(&object, "measured", measured);
    cli_json_set(&object, "curves", curves);
    if (view->matrix != NULL) {
        cli_json_set(&object, "pairs", cli_json_pairs(view->matrix));
    }
    if (view->scalability->measure == ISOCAST_SIZE_BY_REFERENCE) {
        cli_json_set(&object, "system_size", json_string("reference"));
    }
    cli_json_set(&object, "provenance", provenance);
    return object;
}
