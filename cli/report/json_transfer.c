#include <isocast/isocast.h>

#include "cli/output/json_text.h"
#include "json_prediction.h"
#include "report_transfer.h"

static json_t *json_row(const cli_transfer_view *view, const isocast_transfer_row *row) {
    json_t *object = json_object();
    cli_json_set(&object, "N", cli_json_number(row->sizes[0]));
    if (view->algorithm != NULL && view->algorithm->size_count > 1) {
        cli_json_set(&object, "other_sizes", cli_json_other_sizes(view->algorithm, row->sizes + 1));
    }
    const cli_json_entry times[] = {{"nodes", row->nodes},
                                    {"p_here", row->p_here},
                                    {"p", row->p},
                                    {"T_here", row->T_here},
                                    {"T", row->T},
                                    {"T_low", row->T_low},
                                    {"T_high", row->T_high},
                                    {"T_by_memory", row->T_by_memory},
                                    {"T_by_speed", row->T_by_speed},
                                    {"rest", row->rest}};
    cli_json_set_numbers(&object, times, sizeof times / sizeof times[0]);
    const cli_json_entry sizes[] = {{"W", row->W},
                                    {"E_here", row->E_here},
                                    {"E", row->E},
                                    {"E_low", row->E_low},
                                    {"E_high", row->E_high},
                                    {"N_there", row->N},
                                    {"N_there_low", row->N_low},
                                    {"N_there_high", row->N_high},
                                    {"psi", row->psi}};
    if (view->algorithm != NULL) {
        cli_json_set_numbers(&object, sizes, sizeof sizes / sizeof sizes[0]);
    }
    cli_json_set(&object, "status", cli_json_string(cli_transfer_status_name(row->status)));
    return object;
}

/* What the time of a node goes by. */
static json_t *json_kinds(const isocast_transfer *t) {
    static const char *const names[ISOCAST_TRANSFER_KINDS] = {[ISOCAST_TRANSFER_MEMORY] = "memory",
                                                              [ISOCAST_TRANSFER_CACHES] = "caches",
                                                              [ISOCAST_TRANSFER_ISSUE] = "issue",
                                                              [ISOCAST_TRANSFER_VECTORS] =
                                                                  "vectors"};
    json_t *array = json_array();
    for (size_t k = 0; k < ISOCAST_TRANSFER_KINDS; k++) {
        json_t *object = json_object();
        cli_json_set(&object, "kind", cli_json_string(names[k]));
        cli_json_set(&object, "share", cli_json_number(t->weights[k]));
        cli_json_set(&object, "ratio", cli_json_number(t->ratios[k]));
        cli_json_append(&array, object);
    }
    return array;
}

static json_t *json_site(const isocast_machine *machine, const char *file) {
    json_t *object = json_object();
    cli_json_set(&object, "name", cli_json_string(machine->name));
    cli_json_set(&object, "source", cli_json_string(machine->source));
    cli_json_set(&object, "file", cli_json_string(file));
    return object;
}

json_t *cli_json_transfer(const cli_transfer_view *view, json_t *command) {
    json_t *rows = json_array();
    for (size_t i = 0; i < view->transfer->count; i++) {
        cli_json_append(&rows, json_row(view, &view->transfer->rows[i]));
    }
    isocast_buffer why = {0};
    cli_transfer_why(view->transfer, &why);
    json_t *object = json_object();
    cli_json_set(&object, "schema", cli_json_string("isocast.transfer/1"));
    cli_json_set(&object, "runs", cli_json_string(view->runs_name));
    cli_json_set(&object, "from", json_site(view->request->from.machine, view->from_path));
    cli_json_set(&object, "to", json_site(view->request->to.machine, view->to_path));
    cli_json_set(&object, "algorithm",
                 view->algorithm != NULL ? cli_json_string(view->algorithm->name) : json_null());
    cli_json_set(&object, "kinds", json_kinds(view->transfer));
    cli_json_set(&object, "evidence", cli_json_number((double)view->transfer->evidence));
    cli_json_set(&object, "why", why.failed ? NULL : cli_json_string(why.text));
    cli_json_set(&object, "same_clock", json_boolean(!view->transfer->has_clock));
    cli_json_set(&object, "same_network", json_boolean(!view->transfer->has_network));
    cli_json_set(&object, "rows", rows);
    cli_json_set(&object, "isocast", json_string(ISOCAST_VERSION));
    cli_json_set(&object, "command", command);
    isocast_buffer_free(&why);
    return object;
}
