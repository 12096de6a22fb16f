#include "sweep.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/array.h"
#include "model/base/pool.h"
#include "model/spec/bill.h"
#include "sweep_request.h"

typedef struct isocast_sweep_systems isocast_sweep_systems;

/* The systems of one set of values. */
typedef struct made {
    isocast_system **systems; /* [system_count]; NULL: not read yet, or there is none */
    isocast_bill *bills;      /* [system_count], of those that there are */
    bool *read;               /* [system_count] */
} made;

struct isocast_sweep_systems {
    const isocast_sweep_request *request;
    isocast_machine machine; /* the model's, but for its classes, which are its own */
    isocast_source *names;   /* of the systems, each in a line */
    isocast_span *spans;     /* [system_count] in it */
    double *values;          /* [axis_count], that the machine has */
    made *sets;              /* [count]; the last one has the values */
    size_t count, capacity;
};

static void free_class(isocast_node_class *class) {
    free(class->speeds);
}

/* Copies what values are put into; the names stay the model's. */
static isocast_status copy_classes(const isocast_machine *from, isocast_machine *to) {
    *to = *from;
    to->classes = calloc(from->class_count + 1, sizeof *to->classes);
    to->class_count = 0;
    for (size_t i = 0; to->classes != NULL && i < from->class_count; i++) {
        isocast_node_class *class = &to->classes[i];
        *class = from->classes[i];
        size_t bytes = class->speed_count * sizeof *class->speeds;
        class->speeds = malloc(bytes + 1);
        if (class->speeds == NULL) {
            return ISOCAST_NO_MEMORY;
        }
        if (bytes > 0) {
            memcpy(class->speeds, from->classes[i].speeds, bytes);
        }
        to->class_count++;
    }
    return to->classes == NULL ? ISOCAST_NO_MEMORY : ISOCAST_OK;
}

/* The names as a text that systems can be read from again. */
static isocast_status note_names(isocast_sweep_systems *s) {
    const isocast_sweep_request *request = s->request;
    isocast_buffer text = {0};
    for (size_t i = 0; i < request->system_count; i++) {
        isocast_buffer_puts(&text, request->systems[i]->name);
        s->spans[i].end = text.length;
        isocast_buffer_puts(&text, "\n");
        s->spans[i].begin = s->spans[i].end - strlen(request->systems[i]->name);
    }
    isocast_status status = text.failed
                                ? ISOCAST_NO_MEMORY
                                : isocast_source_create("--to", text.text, text.length, &s->names);
    isocast_buffer_free(&text);
    return status;
}

/* Forgets the systems that were given so far. */
static void clear_systems(isocast_sweep_systems *systems) {
    for (size_t k = 0; k < systems->count; k++) {
        isocast_systems_free(systems->sets[k].systems, systems->request->system_count);
        free(systems->sets[k].bills);
        free(systems->sets[k].read);
    }
    systems->count = 0;
}

static void free_systems(isocast_sweep_systems *systems) {
    if (systems == NULL) {
        return;
    }
    clear_systems(systems);
    for (size_t i = 0; i < systems->machine.class_count; i++) {
        free_class(&systems->machine.classes[i]);
    }
    free(systems->machine.classes);
    isocast_source_free(systems->names);
    free(systems->spans);
    free(systems->values);
    free(systems->sets);
    free(systems);
}

/* The request must outlive it. Errors: NO_MEMORY. */
static isocast_status create_systems(const isocast_sweep_request *request,
                                     isocast_sweep_systems **out) {
    isocast_sweep_systems *s = calloc(1, sizeof *s);
    if (s == NULL) {
        return ISOCAST_NO_MEMORY;
    }
    s->request = request;
    s->spans = calloc(request->system_count + 1, sizeof *s->spans);
    s->values = calloc(request->design->axis_count + 1, sizeof *s->values);
    isocast_status status = copy_classes(isocast_model_machine(request->model), &s->machine);
    if (s->spans == NULL || s->values == NULL) {
        status = ISOCAST_NO_MEMORY;
    }
    status = status == ISOCAST_OK ? note_names(s) : status;
    if (status != ISOCAST_OK) {
        free_systems(s);
        return status;
    }
    *out = s;
    return ISOCAST_OK;
}

/* Whether the machine has these values already. */
static bool has_values(const isocast_sweep_systems *s, const double *values) {
    const isocast_design *design = s->request->design;
    bool same = s->count > 0;
    for (size_t i = 0; i < design->axis_count && same; i++) {
        bool property = design->axes[i].variable.kind == ISOCAST_VARIED_PROPERTY;
        same = !property || values[i] == s->values[i];
    }
    return same;
}

/* A new set of systems, none of them read, and the machine with its values. */
static isocast_status begin_set(isocast_sweep_systems *s, const double *values) {
    const isocast_design *design = s->request->design;
    size_t count = s->request->system_count;
    if (!isocast_array_grow((void **)&s->sets, s->count, &s->capacity, sizeof *s->sets)) {
        return ISOCAST_NO_MEMORY;
    }
    made set = {calloc(count, sizeof(isocast_system *)), calloc(count, sizeof(isocast_bill)),
                calloc(count, sizeof(bool))};
    if (set.systems == NULL || set.bills == NULL || set.read == NULL) {
        free(set.systems);
        free(set.bills);
        free(set.read);
        return ISOCAST_NO_MEMORY;
    }
    s->sets[s->count++] = set;
    for (size_t i = 0; i < design->axis_count; i++) {
        const isocast_varied *variable = &design->axes[i].variable;
        s->values[i] = values[i];
        if (variable->kind == ISOCAST_VARIED_PROPERTY) {
            isocast_class_property_put(&s->machine, &variable->property, values[i]);
        }
    }
    return ISOCAST_OK;
}

/* Reads a system on the machine as it is. One that it cannot hold stays NULL. */
static isocast_status read_system(isocast_sweep_systems *s, made *set, size_t index) {
    const char *program = isocast_model_algorithm(s->request->model)->kernel;
    isocast_diagnostics diagnostics = {0};
    isocast_system *system = NULL;
    isocast_status status = isocast_system_parse(&s->machine, program, s->names, s->spans[index],
                                                 &diagnostics, &system);
    isocast_diagnostics_clear(&diagnostics);
    if (status == ISOCAST_OK) {
        isocast_system_size_by(system, s->request->measure);
        set->systems[index] = system;
        status = isocast_bill_of_system(&s->machine, system, &set->bills[index]);
    }
    set->read[index] = status != ISOCAST_NO_MEMORY;
    return status == ISOCAST_NO_MEMORY ? status : ISOCAST_OK;
}

/* The system of an index where the axes of the design have these values (shape [axis_count]), and
 * what it costs; the bill is not set where there is no such system. *out stays until the next
 * clear; NULL where such a machine has no such system. Quick where the values are those of the call
 * before. Errors: NO_MEMORY. */
static isocast_status find_systems(isocast_sweep_systems *systems, const double *values,
                                   size_t index, const isocast_system **out, isocast_bill *bill) {
    isocast_status status = has_values(systems, values) ? ISOCAST_OK : begin_set(systems, values);
    if (status != ISOCAST_OK) {
        return status;
    }
    made *set = &systems->sets[systems->count - 1];
    status = set->read[index] ? ISOCAST_OK : read_system(systems, set, index);
    if (status == ISOCAST_OK) {
        *out = set->systems[index];
        *bill = set->systems[index] != NULL ? set->bills[index] : *bill;
    }
    return status;
}

/* A block has one row more in front where its first row is not the first of its point and target:
 * psi is read off two rows. */
enum { ROOM = ISOCAST_SWEEP_BLOCK + 1 };

/* Steps (effort.h) that a row may take on average, so that a block takes seconds at most and the
 * sweep can be interrupted: 30 times as many as a row of a question with many rows may, as nobody
 * waits for the last one. */
static const double effort_a_row = 1e7;

struct isocast_sweep {
    isocast_sweep_request request;
    double rows;
    bool varies_systems;
    bool varies_sizes;
};

static double stride_of(const isocast_sweep_request *request) {
    return fmax(1, request->stride);
}

double isocast_sweep_rows_of(const isocast_sweep_request *request) {
    return ceil(request->design->points / stride_of(request)) * (double)request->target_count *
           (double)request->system_count;
}

isocast_status isocast_sweep_create(const isocast_sweep_request *request, isocast_sweep **out) {
    double rows = isocast_sweep_rows_of(request);
    if (!(rows >= 1 && rows <= ISOCAST_SWEEP_ROWS_MAX)) {
        return ISOCAST_ARGUMENT;
    }
    isocast_sweep *sweep = calloc(1, sizeof *sweep);
    if (sweep == NULL) {
        return ISOCAST_NO_MEMORY;
    }
    sweep->request = *request;
    sweep->rows = rows;
    for (size_t i = 0; i < request->design->axis_count; i++) {
        isocast_varied_kind kind = request->design->axes[i].variable.kind;
        sweep->varies_systems |= kind == ISOCAST_VARIED_PROPERTY;
        sweep->varies_sizes |= kind == ISOCAST_VARIED_SIZE;
    }
    *out = sweep;
    return ISOCAST_OK;
}

void isocast_sweep_free(isocast_sweep *sweep) {
    free(sweep);
}

double isocast_sweep_rows(const isocast_sweep *sweep) {
    return sweep->rows;
}

double isocast_sweep_blocks(const isocast_sweep *sweep) {
    return ceil(sweep->rows / ISOCAST_SWEEP_BLOCK);
}

const isocast_sweep_request *isocast_sweep_request_of(const isocast_sweep *sweep) {
    return &sweep->request;
}

bool isocast_sweep_varies_systems(const isocast_sweep *sweep) {
    return sweep->varies_systems;
}

struct isocast_sweep_worker {
    const isocast_sweep *sweep;
    isocast_pool pool; /* of the arrays */
    isocast_design_cursor *cursor;
    isocast_sweep_systems *varied; /* NULL where the systems are the request's */
    double *point;                 /* [axis_count], the values of one point */
    size_t further;                /* sizes beside the first */
    size_t of_point;               /* the variant of that point */
    size_t *variant;               /* [ROOM], like all below */
    const isocast_system **systems;
    bool *missing; /* there is no such system */
    size_t *system;
    size_t *target;
    double *C;
    double *psi;
    double *nodes, *price, *power, *energy, *cost;
    double *rate;        /* currency/s, of computing */
    isocast_bill *bills; /* [variants, or 1][system_count], of the systems as given */
    double *targets;     /* or N */
    double *other_sizes; /* [ROOM][further] */
    double **values;     /* [axis_count][ROOM] */
    double **values_out; /* [axis_count], the same behind the row in front */
    isocast_batch_parameter *parameters, *parameters_part;
    size_t parameter_count;
    double *numbers; /* what the results and the columns above stand in */
    isocast_batch_results results;
};

/* Columns of numbers of a worker, in the order in which they stand. */
enum { NUMBERS = 18 };

static void allocate(isocast_sweep_worker *w) {
    const isocast_sweep_request *request = &w->sweep->request;
    isocast_pool *pool = &w->pool;
    size_t axes = request->design->axis_count;
    w->point = isocast_pool_take(pool, axes, sizeof *w->point);
    w->variant = isocast_pool_take(pool, ROOM, sizeof *w->variant);
    w->systems = isocast_pool_take(pool, ROOM, sizeof *w->systems);
    w->missing = isocast_pool_take(pool, ROOM, sizeof *w->missing);
    w->system = isocast_pool_take(pool, ROOM, sizeof *w->system);
    w->target = isocast_pool_take(pool, ROOM, sizeof *w->target);
    w->other_sizes = isocast_pool_take(pool, ROOM * w->further, sizeof *w->other_sizes);
    w->values = isocast_pool_take(pool, axes, sizeof *w->values);
    w->values_out = isocast_pool_take(pool, axes, sizeof *w->values_out);
    w->parameters = isocast_pool_take(pool, axes, sizeof *w->parameters);
    w->parameters_part = isocast_pool_take(pool, axes, sizeof *w->parameters_part);
    w->numbers = isocast_pool_take(pool, (NUMBERS + axes) * ROOM, sizeof *w->numbers);
    w->results.status = isocast_pool_take(pool, ROOM, sizeof *w->results.status);
    w->results.root_count = isocast_pool_take(pool, ROOM, sizeof *w->results.root_count);
    w->results.note = isocast_pool_take(pool, ROOM, sizeof *w->results.note);
}

static void arrange(isocast_sweep_worker *w) {
    const isocast_design *design = w->sweep->request.design;
    double **columns[NUMBERS] = {
        &w->C,         &w->psi,          &w->targets,        &w->results.N,
        &w->results.W, &w->results.T,    &w->results.T_c,    &w->results.T_o,
        &w->results.E, &w->results.held, &w->results.best_E, &w->results.best_N,
        &w->nodes,     &w->price,        &w->power,          &w->energy,
        &w->cost,      &w->rate};
    for (size_t i = 0; i < NUMBERS; i++) {
        *columns[i] = w->numbers + i * ROOM;
    }
    for (size_t i = 0; i < design->axis_count; i++) {
        w->values[i] = w->numbers + (NUMBERS + i) * ROOM;
        isocast_varied_kind kind = design->axes[i].variable.kind;
        if (kind != ISOCAST_VARIED_SIZE && kind != ISOCAST_VARIED_PLATFORM) {
            w->parameters[w->parameter_count++] =
                (isocast_batch_parameter){design->axes[i].variable.index, w->values[i]};
        }
    }
}

static size_t variants_of(const isocast_sweep_request *request) {
    return request->variants != NULL ? request->variant_count : 1;
}

static const isocast_model *model_of(const isocast_sweep_request *request, size_t variant) {
    return request->variants != NULL ? request->variants[variant].model : request->model;
}

static const isocast_system *system_of(const isocast_sweep_request *request, size_t variant,
                                       size_t system) {
    return request->variants != NULL ? request->variants[variant].systems[system]
                                     : request->systems[system];
}

static isocast_status bill_systems(isocast_sweep_worker *w) {
    const isocast_sweep_request *request = &w->sweep->request;
    size_t count = variants_of(request) * request->system_count;
    isocast_status status = ISOCAST_OK;
    w->bills = isocast_pool_take(&w->pool, count, sizeof *w->bills);
    for (size_t i = 0; w->bills != NULL && i < count && status == ISOCAST_OK; i++) {
        size_t variant = i / request->system_count;
        status = isocast_bill_of_system(isocast_model_machine(model_of(request, variant)),
                                        system_of(request, variant, i % request->system_count),
                                        &w->bills[i]);
    }
    return w->bills == NULL ? ISOCAST_NO_MEMORY : status;
}

isocast_status isocast_sweep_worker_create(const isocast_sweep *sweep, isocast_sweep_worker **out) {
    isocast_sweep_worker *w = calloc(1, sizeof *w);
    if (w == NULL) {
        return ISOCAST_NO_MEMORY;
    }
    w->sweep = sweep;
    w->further = isocast_model_algorithm(sweep->request.model)->size_count - 1;
    allocate(w);
    isocast_status status = w->pool.failed ? ISOCAST_NO_MEMORY : ISOCAST_OK;
    if (status == ISOCAST_OK) {
        arrange(w);
        status = isocast_design_cursor_create(sweep->request.design, &w->cursor);
    }
    status = status == ISOCAST_OK ? bill_systems(w) : status;
    if (status == ISOCAST_OK && sweep->varies_systems) {
        status = create_systems(&sweep->request, &w->varied);
    }
    if (status != ISOCAST_OK) {
        isocast_sweep_worker_free(w);
        return status;
    }
    *out = w;
    return ISOCAST_OK;
}

void isocast_sweep_worker_free(isocast_sweep_worker *worker) {
    if (worker == NULL) {
        return;
    }
    isocast_design_cursor_free(worker->cursor);
    free_systems(worker->varied);
    isocast_pool_free(&worker->pool);
    free(worker);
}

/* The system of a row, whose point is in w->point. */
static isocast_status choose_system(isocast_sweep_worker *w, size_t k) {
    const isocast_sweep_request *request = &w->sweep->request;
    const isocast_system *given = system_of(request, w->variant[k], w->system[k]);
    const isocast_system *system = given;
    isocast_bill bill = w->bills[w->variant[k] * request->system_count + w->system[k]];
    isocast_status status = w->varied == NULL
                                ? ISOCAST_OK
                                : find_systems(w->varied, w->point, w->system[k], &system, &bill);
    if (status == ISOCAST_OK) {
        w->missing[k] = system == NULL;
        w->systems[k] = system != NULL ? system : given;
        w->C[k] = system != NULL ? system->C : NAN;
        w->nodes[k] = system != NULL ? bill.nodes : NAN;
        w->price[k] = system != NULL ? bill.price : NAN;
        w->power[k] = system != NULL ? bill.power : NAN;
        w->rate[k] = bill.rate;
    }
    return status;
}

/* The variant of w->point: that of the point before, or of the next ones, most often. */
static size_t find_variant(const isocast_sweep_worker *w) {
    const isocast_sweep_request *request = &w->sweep->request;
    size_t count = variants_of(request);
    size_t found = w->of_point;
    for (size_t n = 0; request->variants != NULL && n < count; n++) {
        const double *values = request->variants[(w->of_point + n) % count].values;
        bool same = true;
        for (size_t i = 0; i < request->design->axis_count; i++) {
            same = same && (isnan(values[i]) || values[i] == w->point[i]);
        }
        if (same) {
            found = (w->of_point + n) % count;
            break;
        }
    }
    return found;
}

/* Row `row` of the sweep as condition k. */
static isocast_status put_condition(isocast_sweep_worker *w, double row, size_t k, double *point) {
    const isocast_sweep_request *request = &w->sweep->request;
    double systems = (double)request->system_count;
    double group = floor(row / systems);
    w->system[k] = (size_t)(row - group * systems);
    double at = floor(group / (double)request->target_count);
    w->target[k] = (size_t)(group - at * (double)request->target_count);
    w->targets[k] =
        request->targets != NULL ? request->targets[w->target[k]] : request->N[w->target[k]];
    if (at != *point) {
        isocast_design_point(w->cursor, at * stride_of(request), w->point);
        w->of_point = find_variant(w);
        *point = at;
    }
    w->variant[k] = w->of_point;
    if (w->further > 0) {
        memcpy(w->other_sizes + k * w->further, request->other_sizes,
               w->further * sizeof *w->other_sizes);
    }
    for (size_t i = 0; i < request->design->axis_count; i++) {
        const isocast_varied *variable = &request->design->axes[i].variable;
        w->values[i][k] = w->point[i];
        if (variable->kind == ISOCAST_VARIED_SIZE) {
            w->other_sizes[k * w->further + variable->index - 1] = w->point[i];
        }
    }
    return choose_system(w, k);
}

/* The results behind the first ones. */
static isocast_batch_results results_from(const isocast_batch_results *r, size_t skipped) {
    return (isocast_batch_results){.N = r->N + skipped,
                                   .W = r->W + skipped,
                                   .T = r->T + skipped,
                                   .T_c = r->T_c + skipped,
                                   .T_o = r->T_o + skipped,
                                   .E = r->E + skipped,
                                   .held = r->held + skipped,
                                   .best_E = r->best_E + skipped,
                                   .best_N = r->best_N + skipped,
                                   .status = r->status + skipped,
                                   .root_count = r->root_count + skipped,
                                   .note = r->note + skipped};
}

/* The conditions from `first` to before `end`, which are of one variant. */
static isocast_status solve_part(isocast_sweep_worker *w, size_t first, size_t end) {
    const isocast_sweep_request *request = &w->sweep->request;
    bool solves = request->targets != NULL;
    size_t count = end - first;
    isocast_effort effort = {effort_a_row * (double)count};
    isocast_batch_results results = results_from(&w->results, first);
    for (size_t i = 0; i < w->parameter_count; i++) {
        w->parameters_part[i] = w->parameters[i];
        w->parameters_part[i].values += first;
    }
    isocast_batch_request batch = {.model = model_of(request, w->variant[first]),
                                   .metric = request->metric,
                                   .count = count,
                                   .systems = w->systems + first,
                                   .systems_stride = 1,
                                   .targets = solves ? w->targets + first : NULL,
                                   .targets_stride = 1,
                                   .N = solves ? NULL : w->targets + first,
                                   .N_stride = 1,
                                   .other_sizes =
                                       w->further > 0 ? w->other_sizes + first * w->further : NULL,
                                   .other_sizes_stride = w->sweep->varies_sizes,
                                   .parameters = w->parameters_part,
                                   .parameter_count = w->parameter_count,
                                   .threads = 1,
                                   .effort = &effort};
    return isocast_batch_solve(&batch, &results);
}

static isocast_status solve(isocast_sweep_worker *w, size_t count) {
    isocast_status status = ISOCAST_OK;
    for (size_t first = 0; first < count && status == ISOCAST_OK;) {
        size_t end = first + 1;
        while (end < count && w->variant[end] == w->variant[first]) {
            end++;
        }
        status = solve_part(w, first, end);
        first = end;
    }
    return status;
}

/* A row whose machine cannot hold its system holds nothing of the one that stood in. */
static void forget_missing(isocast_sweep_worker *w, size_t count) {
    double *const columns[] = {w->results.N,    w->results.W,      w->results.T,
                               w->results.T_c,  w->results.T_o,    w->results.E,
                               w->results.held, w->results.best_E, w->results.best_N};
    for (size_t k = 0; k < count; k++) {
        if (!w->missing[k]) {
            continue;
        }
        for (size_t i = 0; i < sizeof columns / sizeof columns[0]; i++) {
            columns[i][k] = NAN;
        }
        w->results.status[k] = ISOCAST_ROW_NOT_VALID;
        w->results.root_count[k] = 0;
        w->results.note[k] = ISOCAST_BATCH_PLAIN;
    }
}

static isocast_metric_point point_of(const isocast_sweep_worker *w, size_t k) {
    isocast_metric metric = w->sweep->request.metric;
    isocast_metric_point point = {.C = w->systems[k]->size,
                                  .R_f = w->systems[k]->reference_factor,
                                  .W = w->results.W[k],
                                  .T = w->results.T[k]};
    /* What is held is T(W,1)/(size T) where psi needs T(W,1). */
    point.T_alone = w->results.held[k] * isocast_metric_size_of(metric, &point) * point.T;
    return point;
}

static void relate(isocast_sweep_worker *w, size_t count) {
    const isocast_sweep_request *request = &w->sweep->request;
    for (size_t k = 0; k < count; k++) {
        /* Where T is not known fewer processes work than there are, or there is no N. */
        bool known = request->targets != NULL && k > 0 && w->system[k] > 0 &&
                     !isnan(w->results.T[k]) && !isnan(w->results.T[k - 1]);
        if (known) {
            isocast_metric_point from = point_of(w, k - 1);
            isocast_metric_point to = point_of(w, k);
            w->psi[k] = isocast_metric_psi(request->metric, &from, &to);
        } else {
            w->psi[k] = NAN;
        }
    }
}

/* The records without the first `skipped` rows. */
static isocast_sweep_records records_from(const isocast_sweep_worker *w, double first,
                                          size_t skipped, size_t count) {
    for (size_t i = 0; i < w->sweep->request.design->axis_count; i++) {
        w->values_out[i] = w->values[i] + skipped;
    }
    return (isocast_sweep_records){.first = first,
                                   .count = count - skipped,
                                   .values = w->values_out,
                                   .system = w->system + skipped,
                                   .target = w->target + skipped,
                                   .C = w->C + skipped,
                                   .psi = w->psi + skipped,
                                   .nodes = w->nodes + skipped,
                                   .price = w->price + skipped,
                                   .power = w->power + skipped,
                                   .energy = w->energy + skipped,
                                   .cost = w->cost + skipped,
                                   .results = results_from(&w->results, skipped)};
}

isocast_status isocast_sweep_compute(isocast_sweep_worker *worker, double block,
                                     isocast_sweep_records *out) {
    const isocast_sweep_request *request = &worker->sweep->request;
    double first = block * ISOCAST_SWEEP_BLOCK;
    double end = fmin(first + ISOCAST_SWEEP_BLOCK, worker->sweep->rows);
    bool in_front = request->targets != NULL && fmod(first, (double)request->system_count) != 0;
    double begin = in_front ? first - 1 : first;
    size_t count = (size_t)(end - begin);
    double point = -1;
    if (worker->varied != NULL) {
        clear_systems(worker->varied);
    }
    isocast_status status = ISOCAST_OK;
    for (size_t k = 0; k < count && status == ISOCAST_OK; k++) {
        status = put_condition(worker, begin + (double)k, k, &point);
    }
    status = status == ISOCAST_OK ? solve(worker, count) : status;
    if (status != ISOCAST_OK) {
        return status;
    }
    forget_missing(worker, count);
    for (size_t k = 0; k < count; k++) {
        worker->energy[k] = worker->power[k] * worker->results.T[k];
        worker->cost[k] = worker->rate[k] * worker->results.T[k];
    }
    relate(worker, count);
    *out = records_from(worker, first, in_front, count);
    return ISOCAST_OK;
}
