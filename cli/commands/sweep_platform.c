#include "sweep_platform.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/spec/platform_load.h"

/* Each of them is simulated. */
static const double platforms_most = 1000;
/* Rows whose sizes are looked at in each round; of more, points of the design at equal distances.
 * Sizes between theirs are on straight lines between what is simulated. */
static const double rows_looked_at = 200;

static bool is_of_platform(const isocast_axis *axis) {
    return axis->variable.kind == ISOCAST_VARIED_PLATFORM;
}

/* How many there are; each point of the design has its own where what is drawn is a platform's. */
static double count_platforms(const isocast_design *design, bool *drawn) {
    double count = 1;
    *drawn = false;
    for (size_t i = 0; i < design->axis_count; i++) {
        if (is_of_platform(&design->axes[i])) {
            count *= design->axes[i].count;
            *drawn = *drawn || design->axes[i].drawn;
        }
    }
    return *drawn ? design->points : count;
}

/* The values of the k-th platform where none is drawn; the last axis changes quickest. */
static void put_grid_values(const isocast_design *design, size_t k, double *values) {
    for (size_t i = design->axis_count; i-- > 0;) {
        const isocast_axis *axis = &design->axes[i];
        values[i] = NAN;
        if (is_of_platform(axis)) {
            size_t count = (size_t)axis->count;
            values[i] = isocast_axis_at(axis, (double)(k % count));
            k /= count;
        }
    }
}

static isocast_status put_values(const isocast_design *design, bool drawn, size_t count,
                                 sweep_variant *items) {
    isocast_design_cursor *cursor = NULL;
    isocast_status status = drawn ? isocast_design_cursor_create(design, &cursor) : ISOCAST_OK;
    for (size_t k = 0; k < count && status == ISOCAST_OK; k++) {
        items[k].values = calloc(design->axis_count + 1, sizeof *items[k].values);
        if (items[k].values == NULL) {
            status = ISOCAST_NO_MEMORY;
        } else if (drawn) {
            isocast_design_point(cursor, (double)k, items[k].values);
        } else {
            put_grid_values(design, k, items[k].values);
        }
    }
    isocast_design_cursor_free(cursor);
    return status;
}

/* The platform of the command line with the values of one variant. */
static isocast_status make_platform(sweep_platforms *p, sweep_variant *item) {
    const isocast_source *source = p->loaded->platform->hardware->tree->source;
    isocast_diagnostics ignored = {0}; /* told when the file was loaded */
    isocast_status status = isocast_platform_read_text(source->name, source->text, source->length,
                                                       &ignored, &item->platform);
    isocast_diagnostics_clear(&ignored);
    for (size_t i = 0; i < p->settings->set.count && status == ISOCAST_OK; i++) {
        cli_loaded loaded = {.algorithm = p->loaded->algorithm, .platform = item->platform};
        isocast_setting one = {0};
        status = cli_apply_setting(p->settings->set.items[i], &loaded, &ignored, &one);
        isocast_diagnostics_clear(&ignored);
        free(one.name);
    }
    for (size_t i = 0; i < p->design->axis_count && status == ISOCAST_OK; i++) {
        if (is_of_platform(&p->design->axes[i])) {
            isocast_platform_number_put(item->platform, &p->design->axes[i].variable.number,
                                        item->values[i]);
        }
    }
    return status;
}

int sweep_platforms_create(sweep_platforms *p) {
    bool drawn = false;
    double count = count_platforms(p->design, &drawn);
    if (count > platforms_most) {
        return cli_usage_error(p->usage,
                               "--vary gives %.0f platforms, and each of them is simulated: at "
                               "most %.0f are",
                               count, platforms_most);
    }
    p->items = calloc((size_t)count, sizeof *p->items);
    p->subjects = calloc((size_t)count, sizeof *p->subjects);
    p->variants = calloc((size_t)count, sizeof *p->variants);
    bool good = p->items != NULL && p->subjects != NULL && p->variants != NULL;
    p->count = good ? (size_t)count : 0;
    const char *why = p->loaded->algorithm->program != NULL ? "a sweep has too many rows" : NULL;
    isocast_status status =
        good ? put_values(p->design, drawn, p->count, p->items) : ISOCAST_NO_MEMORY;
    for (size_t k = 0; k < p->count && status == ISOCAST_OK; k++) {
        status = make_platform(p, &p->items[k]);
        p->subjects[k] = (campaign_subject){.algorithm = p->loaded->algorithm,
                                            .platform = p->items[k].platform,
                                            .name = p->loaded->machine_path,
                                            .not_executed = why};
    }
    return cli_exit_of(status);
}

void sweep_platforms_free(sweep_platforms *p) {
    for (size_t k = 0; k < p->count; k++) {
        campaign_subject_free(&p->subjects[k]);
        cli_prediction_options_free(&p->items[k].question);
        isocast_platform_free(p->items[k].platform);
        free(p->items[k].values);
    }
    free(p->items);
    free(p->subjects);
    free(p->variants);
    *p = (sweep_platforms){0};
}

isocast_status sweep_platforms_dress(sweep_platforms *p, isocast_machine *machine,
                                     isocast_diagnostics *diagnostics) {
    isocast_status status = ISOCAST_OK;
    for (size_t i = 0; i < p->settings->set.count && status == ISOCAST_OK; i++) {
        cli_loaded loaded = {.algorithm = p->loaded->algorithm, .machine = machine};
        isocast_setting one = {0};
        status = cli_apply_setting(p->settings->set.items[i], &loaded, diagnostics, &one);
        free(one.name);
    }
    for (size_t i = 0; i < p->design->axis_count && status == ISOCAST_OK; i++) {
        isocast_axis *axis = &p->design->axes[i];
        /* A machine for one row has parameters of its own, and so other indices. */
        isocast_varied of_row = axis->variable;
        isocast_varied *variable = p->row != NULL ? &of_row : &axis->variable;
        status = isocast_varied_open(variable, p->loaded->algorithm, machine, diagnostics);
        if (status == ISOCAST_OK && variable->kind == ISOCAST_VARIED_PARAMETER) {
            machine->parameters[variable->index].value =
                p->row != NULL ? p->row[i] : isocast_axis_at(axis, 0);
        }
    }
    return status;
}

void sweep_platforms_variants(sweep_platforms *p, const isocast_sweep_variant **out) {
    for (size_t k = 0; k < p->count; k++) {
        p->variants[k] = (isocast_sweep_variant){.values = p->items[k].values,
                                                 .model = p->subjects[k].model,
                                                 .systems = p->items[k].question.request.systems};
    }
    *out = p->variants;
}

isocast_status sweep_platforms_need_systems(sweep_platforms *p, const double *other_sizes) {
    isocast_status status = ISOCAST_OK;
    for (size_t k = 0; k < p->count; k++) {
        const isocast_prediction_request *request = &p->items[k].question.request;
        for (size_t i = 0; i < request->system_count && status == ISOCAST_OK; i++) {
            status = campaign_points_need(p->subjects[k].points, p->subjects[k].model,
                                          request->systems[i], NAN, other_sizes);
        }
    }
    return status;
}

/* What is looked at of a sweep. */
typedef struct look {
    sweep_platforms *platforms;
    const isocast_sweep_request *request;
    double *values;      /* [axis_count] */
    double *other_sizes; /* [size_count - 1] */
} look;

static size_t variant_of(const sweep_platforms *p, const double *values) {
    size_t found = 0;
    for (size_t k = 0; k < p->count; k++) {
        bool same = true;
        for (size_t i = 0; i < p->design->axis_count; i++) {
            same = same && (isnan(p->items[k].values[i]) || p->items[k].values[i] == values[i]);
        }
        found = same ? k : found;
    }
    return found;
}

static isocast_status need_row(look *l, const isocast_sweep_records *records, size_t k) {
    sweep_platforms *p = l->platforms;
    size_t further = isocast_model_algorithm(l->request->model)->size_count - 1;
    double N = isfinite(records->results.N[k]) ? records->results.N[k] : records->results.best_N[k];
    if (further > 0) {
        memcpy(l->other_sizes, l->request->other_sizes, further * sizeof *l->other_sizes);
    }
    for (size_t i = 0; i < p->design->axis_count; i++) {
        const isocast_varied *variable = &p->design->axes[i].variable;
        l->values[i] = records->values[i][k];
        if (variable->kind == ISOCAST_VARIED_SIZE) {
            l->other_sizes[variable->index - 1] = l->values[i];
        }
    }
    size_t variant = variant_of(p, l->values);
    p->row = l->values;
    isocast_status status = campaign_points_need(
        p->subjects[variant].points, p->subjects[variant].model,
        p->variants[variant].systems[records->system[k]], N, further > 0 ? l->other_sizes : NULL);
    p->row = NULL;
    return status;
}

isocast_status sweep_platforms_need_rows(sweep_platforms *p, const isocast_sweep *sweep) {
    isocast_sweep_request request = *isocast_sweep_request_of(sweep);
    isocast_sweep *looked_at = NULL;
    isocast_sweep_worker *worker = NULL;
    look l = {.platforms = p,
              .request = &request,
              .values = calloc(p->design->axis_count + 1, sizeof(double)),
              .other_sizes =
                  calloc(isocast_model_algorithm(request.model)->size_count, sizeof(double))};
    isocast_status status =
        l.values == NULL || l.other_sizes == NULL ? ISOCAST_NO_MEMORY : ISOCAST_OK;
    request.stride = ceil(isocast_sweep_rows(sweep) / rows_looked_at);
    status = status == ISOCAST_OK ? isocast_sweep_create(&request, &looked_at) : status;
    status = status == ISOCAST_OK ? isocast_sweep_worker_create(looked_at, &worker) : status;
    for (double b = 0; status == ISOCAST_OK && b < isocast_sweep_blocks(looked_at); b++) {
        isocast_sweep_records records;
        status = isocast_sweep_compute(worker, b, &records);
        for (size_t k = 0; status == ISOCAST_OK && k < records.count; k++) {
            status = need_row(&l, &records, k);
        }
    }
    isocast_sweep_worker_free(worker);
    isocast_sweep_free(looked_at);
    free(l.values);
    free(l.other_sizes);
    return status;
}
