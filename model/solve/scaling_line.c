#include "scaling_line.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "boundary.h"
#include "model/base/quantity.h"

const char *isocast_line_word(isocast_line line) {
    static const char *const words[ISOCAST_LINE_COUNT] = {
#define ISOCAST_LINE_WORD(name, word, unit) [ISOCAST_LINE_##name] = word,
        ISOCAST_LINE_LIST(ISOCAST_LINE_WORD)
#undef ISOCAST_LINE_WORD
    };
    return words[line];
}

const char *isocast_line_unit(isocast_line line) {
    static const char *const units[ISOCAST_LINE_COUNT] = {
#define ISOCAST_LINE_UNIT(name, word, unit) [ISOCAST_LINE_##name] = unit,
        ISOCAST_LINE_LIST(ISOCAST_LINE_UNIT)
#undef ISOCAST_LINE_UNIT
    };
    return units[line];
}

/* What finding N may take of a row's effort; the rest is for what holds at N. */
static const double search_share = 0.6;
/* A level is taken for met where it is exceeded by rounding alone: the base is on its own line. */
static const double rounding = 1e-14;
/* A time that differs by more from the level is not on the line of fixed time. */
static const double same_time = 1e-9;

/* What is being found of one system. */
typedef struct finding {
    const isocast_scaling *scaling;
    const isocast_scaling_request *request;
    const isocast_system *system;
    isocast_effort *effort;
    double level; /* of the system as a whole: flop, B per process, s */
    isocast_boundary bound;
    bool is_base; /* N is given, and the level comes from there */
} finding;

const isocast_prediction_row *isocast_scaling_point(const isocast_scaling_row *row) {
    return row->at != NULL ? &row->at->rows[0] : NULL;
}

double isocast_scaling_interval_level(const isocast_scaling *scaling) {
    double level = NAN;
    for (size_t i = 0; i < scaling->row_count; i++) {
        const isocast_prediction_row *point = isocast_scaling_point(&scaling->rows[i]);
        level = point != NULL && !isnan(point->T_low) ? scaling->rows[i].at->level : level;
    }
    return level;
}

static bool is_given(isocast_line line) {
    return line == ISOCAST_LINE_SIZE || line == ISOCAST_LINE_SIZE_PER_PROCESS;
}

/* The largest N with at most the level. */
static isocast_status find_bound(finding *f) {
    isocast_line line = f->scaling->line;
    const isocast_boundary_request request = {
        .model = f->scaling->model,
        .system = f->system,
        .other_sizes = f->request->other_sizes,
        .quantity = line == ISOCAST_LINE_WORK_PER_PROCESS ? ISOCAST_BOUNDED_WORK
                    : line == ISOCAST_LINE_TIME           ? ISOCAST_BOUNDED_TIME
                                                          : ISOCAST_BOUNDED_MEMORY,
        .kind = ISOCAST_BOUNDARY_LAST_AT_MOST,
        .level = f->level,
        .high = INFINITY,
        /* A memory that is all there is must not be exceeded by rounding either. */
        .rounded = line != ISOCAST_LINE_MEMORY};
    isocast_effort lent = isocast_effort_lend(f->effort, search_share);
    isocast_status status = isocast_boundary_find(&request, &lent, &f->bound);
    isocast_effort_return(f->effort, &lent);
    return status;
}

/* Sets N of the line on the system; NAN where it has none. */
static isocast_status find_N(finding *f, double *N) {
    const isocast_scaling *scaling = f->scaling;
    const isocast_size *size = &isocast_model_algorithm(scaling->model)->sizes[0];
    double p = f->system->p;
    f->bound = (isocast_boundary){.N = NAN, .complete = true};
    f->level = scaling->level;
    if (is_given(scaling->line)) {
        f->level *= scaling->line == ISOCAST_LINE_SIZE ? 1 : p;
        *N = f->level >= size->min && f->level <= size->max ? f->level : NAN;
        return ISOCAST_OK;
    }
    if (scaling->line == ISOCAST_LINE_MEMORY) {
        f->level = isocast_system_memory(f->system);
    } else {
        f->level *= (scaling->line == ISOCAST_LINE_WORK_PER_PROCESS ? p : 1) * (1 + rounding);
    }
    *N = NAN;
    if (isnan(f->level)) {
        return ISOCAST_OK;
    }
    isocast_status status = find_bound(f);
    *N = status == ISOCAST_OK ? f->bound.N : NAN;
    return status;
}

static void separate(isocast_buffer *note) {
    if (note->length > 0) {
        isocast_buffer_puts(note, "; ");
    }
}

static const char *quantity_of(isocast_line line) {
    return line == ISOCAST_LINE_WORK_PER_PROCESS ? "the work"
           : line == ISOCAST_LINE_TIME           ? "T"
                                                 : "the memory per process";
}

/* Why the line has no N on the system. */
static void remark_none(const finding *f, isocast_buffer *note) {
    const isocast_size *size = &isocast_model_algorithm(f->scaling->model)->sizes[0];
    isocast_line line = f->scaling->line;
    if (is_given(line)) {
        bool below = f->level < size->min;
        isocast_buffer_printf(note, "%s = %.10g is %s its %s, %.10g", size->name, f->level,
                              below ? "below" : "above", below ? "minimum" : "maximum",
                              below ? size->min : size->max);
        return;
    }
    if (isnan(f->level)) {
        isocast_buffer_puts(note, "the machine file does not say how much memory a node has");
        return;
    }
    isocast_buffer_printf(note, "%s is more than ", quantity_of(line));
    isocast_quantity_format(f->level, isocast_line_unit(line), 4, note);
    isocast_buffer_printf(note, f->bound.complete ? " at every %s" : " at every %s that was tried",
                          size->name);
}

/* How N came about, where that is not plain. */
static void remark_found(const finding *f, const isocast_scaling_row *row, isocast_buffer *note) {
    if (is_given(f->scaling->line)) {
        return;
    }
    const isocast_size *size = &isocast_model_algorithm(f->scaling->model)->sizes[0];
    if (f->bound.at_end) {
        isocast_buffer_printf(note, "%s is less than ", quantity_of(f->scaling->line));
        isocast_quantity_format(f->level, isocast_line_unit(f->scaling->line), 4, note);
        isocast_buffer_printf(note, " even at the largest %s, %.6g", size->name, row->N);
    }
    if (!f->bound.complete) {
        separate(note);
        isocast_buffer_printf(note, "it is not certain that no larger %s is on the line",
                              size->name);
    }
}

/* A time that holds only if all processes work is no time of the line. */
static bool misses_time(const finding *f, const isocast_prediction_row *point) {
    return !f->is_base && f->scaling->line == ISOCAST_LINE_TIME && point->p_working < point->p &&
           fabs(point->T - f->level) > same_time * f->level;
}

static void relate_to_one(isocast_scaling_row *row) {
    const isocast_prediction_row *point = isocast_scaling_point(row);
    double n = row->equivalent;
    row->speedup = point->speedup;
    row->T_alone = point->speedup * point->T;
    row->efficiency = row->speedup / n;
    row->serial_fraction = n > 1 ? (1 / row->speedup - 1 / n) / (1 - 1 / n) : NAN;
    row->overhead = n * point->T - row->T_alone;
    row->cost = row->p * point->T;
}

static isocast_status take_note(isocast_buffer *note, isocast_scaling_row *row) {
    if (note->length == 0 && !note->failed) {
        isocast_buffer_free(note);
        return ISOCAST_OK;
    }
    row->note = isocast_buffer_take(note);
    return row->note == NULL ? ISOCAST_NO_MEMORY : ISOCAST_OK;
}

/* Fills a row that has N. */
static isocast_status evaluate_row(const finding *f, isocast_scaling_row *row) {
    isocast_prediction_request request = {.N = row->N,
                                          .other_sizes = f->request->other_sizes,
                                          .efficiency = NAN,
                                          .systems = &f->system,
                                          .system_count = 1,
                                          .effort = f->effort,
                                          .level = f->request->interval_level};
    isocast_status status = isocast_predict(f->scaling->model, &request, &row->at);
    if (status != ISOCAST_OK) {
        return status;
    }
    const isocast_prediction_row *point = isocast_scaling_point(row);
    isocast_buffer note = {0};
    row->status = point->status;
    remark_found(f, row, &note);
    if (misses_time(f, point)) {
        isocast_buffer_printf(&note,
                              "%sonly %.6g of %.6g processes can work here, and T is that long "
                              "only where all do; nothing else is given",
                              note.length > 0 ? "; " : "", point->p_working, point->p);
        row->status = ISOCAST_ROW_BEYOND_CONCURRENCY;
        isocast_prediction_free(row->at);
        row->at = NULL;
        return take_note(&note, row);
    }
    if (point->note != NULL) {
        separate(&note);
        isocast_buffer_puts(&note, point->note);
    }
    relate_to_one(row);
    return take_note(&note, row);
}

static isocast_scaling_row empty_row(void) {
    return (isocast_scaling_row){.p = NAN,
                                 .C = NAN,
                                 .equivalent = NAN,
                                 .N = NAN,
                                 .T_alone = NAN,
                                 .speedup = NAN,
                                 .efficiency = NAN,
                                 .scaled_speedup = NAN,
                                 .serial_fraction = NAN,
                                 .overhead = NAN,
                                 .cost = NAN,
                                 .complete = true,
                                 .status = ISOCAST_ROW_UNREACHABLE};
}

static isocast_status fill_row(const isocast_scaling *scaling,
                               const isocast_scaling_request *request, const isocast_system *system,
                               double N, isocast_effort *effort, isocast_scaling_row *row) {
    finding f = {.scaling = scaling,
                 .request = request,
                 .system = system,
                 .effort = effort,
                 .is_base = !isnan(N)};
    *row = empty_row();
    row->p = system->p;
    row->C = system->C;
    row->equivalent = system->C / system->C_j;
    row->N = N;
    row->system = strdup(system->name);
    isocast_status status = row->system == NULL ? ISOCAST_NO_MEMORY : ISOCAST_OK;
    if (status == ISOCAST_OK && isnan(N)) {
        status = find_N(&f, &row->N);
        row->complete = f.bound.complete;
    } else {
        f.bound = (isocast_boundary){.N = N, .complete = true};
    }
    if (status != ISOCAST_OK) {
        return status;
    }
    if (!isnan(row->N)) {
        return evaluate_row(&f, row);
    }
    isocast_buffer note = {0};
    row->status = ISOCAST_ROW_UNREACHABLE;
    remark_none(&f, &note);
    return take_note(&note, row);
}

/* What the base has at its N of what is held. */
static double level_at(const isocast_scaling_row *base, isocast_line line) {
    const isocast_prediction_row *point = isocast_scaling_point(base);
    switch (line) {
    case ISOCAST_LINE_SIZE:
        return base->N;
    case ISOCAST_LINE_SIZE_PER_PROCESS:
        return base->N / base->p;
    case ISOCAST_LINE_WORK_PER_PROCESS:
        return point->W / base->p;
    case ISOCAST_LINE_MEMORY_PER_PROCESS:
        return point->memory;
    case ISOCAST_LINE_TIME:
        return point->T;
    case ISOCAST_LINE_MEMORY:
        break;
    }
    return NAN;
}

static void relate_rows(isocast_scaling *scaling) {
    const isocast_prediction_row *first = NULL;
    if (scaling->has_base) {
        first = isocast_scaling_point(&scaling->base);
        scaling->base.scaled_speedup = 1;
    }
    for (size_t i = 0; i < scaling->row_count; i++) {
        const isocast_prediction_row *point = isocast_scaling_point(&scaling->rows[i]);
        if (point != NULL && isfinite(point->S)) {
            first = first == NULL ? point : first;
            scaling->rows[i].scaled_speedup = point->S / first->S;
        }
    }
}

static isocast_status scale_base(isocast_scaling *scaling, const isocast_scaling_request *request,
                                 isocast_effort *effort) {
    isocast_effort lent = isocast_effort_lend(effort, 1 / (double)(request->system_count + 2));
    scaling->has_base = true;
    isocast_status status =
        fill_row(scaling, request, request->base, request->N, &lent, &scaling->base);
    isocast_effort_return(effort, &lent);
    if (status != ISOCAST_OK) {
        return status;
    }
    if (isnan(scaling->level)) {
        scaling->level = level_at(&scaling->base, scaling->line);
    }
    bool sound = scaling->line == ISOCAST_LINE_MEMORY || scaling->level > 0;
    return sound && isfinite(isocast_scaling_point(&scaling->base)->T) ? ISOCAST_OK
                                                                       : ISOCAST_DOMAIN;
}

static isocast_status scale_rows(isocast_scaling *scaling, const isocast_scaling_request *request,
                                 isocast_effort *effort) {
    isocast_status status = ISOCAST_OK;
    for (size_t i = 0; i < request->system_count && status == ISOCAST_OK; i++) {
        isocast_effort lent =
            isocast_effort_lend(effort, 1 / (double)(request->system_count - i + 1));
        scaling->row_count = i + 1;
        status = fill_row(scaling, request, request->systems[i], NAN, &lent, &scaling->rows[i]);
        isocast_effort_return(effort, &lent);
    }
    return status;
}

static bool request_is_valid(const isocast_model *model, const isocast_scaling_request *request) {
    const isocast_algorithm *algorithm = isocast_model_algorithm(model);
    const isocast_size *size = &algorithm->sizes[0];
    bool has_N = !isnan(request->N);
    if (!(request->interval_level >= 0 && request->interval_level < 1)) {
        return false;
    }
    bool needs_memory =
        request->line == ISOCAST_LINE_MEMORY || request->line == ISOCAST_LINE_MEMORY_PER_PROCESS;
    if ((needs_memory && algorithm->memory == NULL) || (request->base != NULL) != has_N ||
        (has_N && !(request->N >= size->min && request->N <= size->max))) {
        return false;
    }
    return request->line == ISOCAST_LINE_MEMORY || request->base != NULL ||
           (isfinite(request->level) && request->level > 0);
}

isocast_status isocast_scale(const isocast_model *model, const isocast_scaling_request *request,
                             isocast_scaling **out) {
    if (!request_is_valid(model, request)) {
        return ISOCAST_ARGUMENT;
    }
    isocast_scaling *scaling = calloc(1, sizeof *scaling);
    if (scaling == NULL) {
        return ISOCAST_NO_MEMORY;
    }
    scaling->model = model;
    scaling->line = request->line;
    scaling->level = request->line == ISOCAST_LINE_MEMORY ? NAN : request->level;
    scaling->rows = calloc(request->system_count + 1, sizeof *scaling->rows);
    isocast_effort own = isocast_effort_of(request->system_count);
    isocast_effort *effort = request->effort != NULL ? request->effort : &own;
    isocast_status status = scaling->rows == NULL ? ISOCAST_NO_MEMORY : ISOCAST_OK;
    if (status == ISOCAST_OK && request->base != NULL) {
        status = scale_base(scaling, request, effort);
    }
    if (status == ISOCAST_OK) {
        status = scale_rows(scaling, request, effort);
    }
    if (status != ISOCAST_OK) {
        isocast_scaling_free(scaling);
        return status;
    }
    relate_rows(scaling);
    *out = scaling;
    return ISOCAST_OK;
}

isocast_status isocast_scaling_of_none(const isocast_model *model, char *system, char *note,
                                       isocast_scaling **out) {
    isocast_scaling *scaling = calloc(1, sizeof *scaling);
    isocast_scaling_row *rows = calloc(1, sizeof *rows);
    if (scaling == NULL || rows == NULL || system == NULL || note == NULL) {
        free(scaling);
        free(rows);
        free(system);
        free(note);
        return ISOCAST_NO_MEMORY;
    }
    rows[0] = empty_row();
    rows[0].system = system;
    rows[0].note = note;
    *scaling = (isocast_scaling){
        .model = model, .line = ISOCAST_LINE_SIZE, .level = NAN, .row_count = 1, .rows = rows};
    *out = scaling;
    return ISOCAST_OK;
}

static void row_free(isocast_scaling_row *row) {
    isocast_prediction_free(row->at);
    free(row->system);
    free(row->note);
}

void isocast_scaling_free(isocast_scaling *scaling) {
    if (scaling != NULL) {
        row_free(&scaling->base);
        for (size_t i = 0; i < scaling->row_count; i++) {
            row_free(&scaling->rows[i]);
        }
        free(scaling->rows);
        free(scaling);
    }
}
