#include "platform_points.h"

#include <errno.h>
#include <math.h>
#include <sha256.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "calibrate/fit/machine_file.h"
#include "calibrate/fit/machine_text.h"
#include "model/base/array.h"
#include "model/base/known_operation.h"
#include "model/solve/sensitivity.h"
#include "model/spec/machine_load.h"
#include "model/spec/operation_calls.h"
#include "probe_launch.h"
#include "simgrid.h"
#include "simulation.h"

/* Sizes that every operation is simulated at: 8 B and four times as much each. */
static const double size_least = 8;
static const double size_factor = 4;
/* Up to this, or so many times the last size at which a platform's messages change: beyond it times
 * grow by a straight line. */
static const double size_straight = 8388608;
static const double beyond_switch = 4;
/* Where a cell of two sizes has more of T than this, it is looked into. */
static const double share_least = 0.001;
/* Rounds of broadcasts start from all processes where there are no more than this. */
static const double roots_all = 32;
/* Else from so many processes all over the system; or, where all nodes are alike, from the
 * processes of so many nodes. */
static const double roots_apart = 16;
static const double nodes_of_roots = 4;
/* B; the end of the straight line. */
static const double size_end = 1e15;

enum { GRID_MAX = 14, NAME_MAX_HERE = 192 };

/* One operation on one system. */
typedef struct curve {
    bool wanted;                         /* T needs it */
    bool known;                          /* it was simulated; without rows it does not apply */
    campaign_size_times grid;            /* at the sizes of all; one row where it has no size */
    campaign_size_times cells[GRID_MAX]; /* [k] between the sizes k and k + 1 */
    bool cell_wanted[GRID_MAX];
    bool cell_known[GRID_MAX];
} curve;

/* A system whose operations are simulated. */
typedef struct place {
    isocast_system **system; /* [1], of the platform */
    size_t system_count;
    curve curves[ISOCAST_KNOWN_OPERATIONS];
} place;

/* What is to be simulated in a launch: sizes k and k + 1, or all sizes. */
typedef struct span {
    size_t operation;
    size_t from, to; /* indices of sizes; the same: this size alone */
    campaign_size_times found;
    bool done;
} span;

struct campaign_platform_points {
    campaign_points_request request;
    campaign_simulation simulation;
    campaign_recorder recorder;
    char probe_sha256[SHA256_DIGEST_STRING_LENGTH];
    size_t grid; /* sizes */
    place *places;
    size_t place_count, place_room;
    double started;
    size_t launches, cached;
};

static bool is_simulated(const isocast_known_operation *known) {
    return known->measurement != ISOCAST_OPERATION_UNMEASURED &&
           known->kind != ISOCAST_OPERATION_WORK;
}

static bool is_sized(const isocast_known_operation *known) {
    return known->argument != ISOCAST_ARGUMENT_NONE;
}

static double size_of(size_t k) {
    return size_least * pow(size_factor, (double)k);
}

/* The argument m of an operation on p processes whose messages, or blocks, have the size. */
static double argument_of(const isocast_known_operation *known, double size, double p) {
    return known->argument == ISOCAST_ARGUMENT_BYTES_TOTAL ? size * p : size;
}

/* How many sizes there are. */
static size_t grid_of(const isocast_network *network) {
    double last = fmin(network->eager_limit, 1e300);
    for (size_t i = 0; i < network->latency_factor.count; i++) {
        last = fmax(last, network->latency_factor.sizes[i]);
    }
    for (size_t i = 0; i < network->bandwidth_factor.count; i++) {
        last = fmax(last, network->bandwidth_factor.sizes[i]);
    }
    size_t count = 2;
    while (count < GRID_MAX && size_of(count - 1) < fmax(size_straight, beyond_switch * last)) {
        count++;
    }
    return count;
}

isocast_status campaign_points_create(const campaign_points_request *request,
                                      campaign_platform_points **out) {
    campaign_platform_points *points = calloc(1, sizeof *points);
    if (points == NULL) {
        return ISOCAST_NO_MEMORY;
    }
    points->request = *request;
    points->simulation.platform = request->platform;
    points->recorder = (campaign_recorder){.listener = request->listener, .file = {.file = -1}};
    points->grid = grid_of(&request->platform->network);
    points->started = campaign_clock();
    points->recorder.progress.started = points->started;
    if (SHA256File(request->probe, points->probe_sha256) == NULL) {
        isocast_status status = campaign_fail(request->listener, ISOCAST_IO, "cannot read %s: %s",
                                              request->probe, strerror(errno));
        campaign_points_free(points);
        return status;
    }
    *out = points;
    return ISOCAST_OK;
}

static void free_place(place *at) {
    for (size_t i = 0; i < ISOCAST_KNOWN_OPERATIONS; i++) {
        campaign_size_times_free(&at->curves[i].grid);
        for (size_t k = 0; k < GRID_MAX; k++) {
            campaign_size_times_free(&at->curves[i].cells[k]);
        }
    }
    isocast_systems_free(at->system, at->system_count);
}

void campaign_points_free(campaign_platform_points *points) {
    if (points == NULL) {
        return;
    }
    for (size_t i = 0; i < points->place_count; i++) {
        free_place(&points->places[i]);
    }
    free(points->places);
    campaign_simulation_free(&points->simulation);
    campaign_recorder_free(&points->recorder);
    free(points);
}

size_t campaign_points_launches(const campaign_platform_points *points) {
    return points->launches;
}

size_t campaign_points_cached(const campaign_platform_points *points) {
    return points->cached;
}

/* What a formula can tell systems by. */
static bool look_alike(const isocast_system *a, const isocast_system *b) {
    return a->p == b->p && a->nodes == b->nodes && a->p_node == b->p_node &&
           a->p_node_max == b->p_node_max;
}

/* "T_bcast_p64_nodes16_4": of one place. */
static void name_operation(const isocast_known_operation *known, const isocast_system *system,
                           char *out) {
    snprintf(out, NAME_MAX_HERE, "%s_p%.0f_nodes%.0f_%.0f", known->name, system->p, system->nodes,
             system->p_node);
    if (system->p_node_max != system->p_node) {
        size_t used = strlen(out);
        snprintf(out + used, NAME_MAX_HERE - used, "_%.0f", system->p_node_max);
    }
}

/* The last two rows written, of which the straight line is made. */
typedef struct row_writer {
    campaign_size_time before, last;
    size_t count;
    isocast_buffer *out;
} row_writer;

static void put_row(row_writer *writer, campaign_size_time row) {
    isocast_buffer_printf(writer->out, "      %.17g B: %.17g s\n", row.m, row.seconds);
    writer->before = writer->last;
    writer->last = row;
    writer->count++;
}

/* All rows of a curve; `details`: with those between the sizes of all. */
static void put_rows(const curve *c, bool details, isocast_buffer *out) {
    row_writer writer = {.out = out};
    for (size_t k = 0; k < c->grid.count; k++) {
        put_row(&writer, c->grid.rows[k]);
        for (size_t i = 1; details && i + 1 < c->cells[k].count; i++) {
            put_row(&writer, c->cells[k].rows[i]);
        }
    }
    campaign_size_time end = {size_end, writer.last.seconds};
    if (writer.count > 1) {
        double rise = fmax(writer.last.seconds - writer.before.seconds, 0);
        end.seconds += rise / (writer.last.m - writer.before.m) * (end.m - writer.last.m);
    }
    put_row(&writer, end);
}

static void put_place(const isocast_known_operation *known, const isocast_system *system,
                      const curve *c, bool leveled, isocast_buffer *out) {
    char name[NAME_MAX_HERE];
    name_operation(known, system, name);
    if (!is_sized(known)) {
        isocast_buffer_printf(out, "  %s: %.17g s\n", name, c->grid.rows[0].seconds);
        return;
    }
    isocast_buffer_printf(out, "  %s:\n    axis: m\n%s    table:\n", name,
                          leveled ? "    level: 1\n" : "");
    put_rows(c, leveled, out);
}

/* The operation itself: which place it is. On other systems it has no value. */
static void put_choice(const campaign_platform_points *points, size_t operation, const place *only,
                       isocast_buffer *out) {
    const isocast_known_operation *known = &isocast_known_operations[operation];
    double least = INFINITY;
    double most = 0;
    size_t choices = 0;
    isocast_buffer_printf(out, "  %s:\n    formula: \"", known->name);
    for (size_t i = 0; i < points->place_count; i++) {
        const place *at = &points->places[i];
        const isocast_system *system = at->system[0];
        if (at->curves[operation].grid.count == 0 || (only != NULL && only != at)) {
            continue;
        }
        char name[NAME_MAX_HERE];
        name_operation(known, system, name);
        isocast_buffer_printf(out,
                              "if(p == %.0f and nodes == %.0f and p_node == %.0f and p_node_max == "
                              "%.0f, %s(%s), ",
                              system->p, system->nodes, system->p_node, system->p_node_max, name,
                              is_sized(known) ? "m" : "");
        least = fmin(least, system->p);
        most = fmax(most, system->p);
        choices++;
    }
    isocast_buffer_puts(out, "if(p == 1, 0 s, log(0*p)*(1 s))");
    for (size_t i = 0; i < choices; i++) {
        isocast_buffer_puts(out, ")");
    }
    isocast_buffer_puts(out, "\"\n");
    if (choices > 0) {
        isocast_buffer_printf(out, "    measured: {p: [%.0f, %.0f]}\n", least, most);
    }
}

/* `only`: a place whose sizes are parameters; NULL: all places, whose levels are. */
static void write_machine(const campaign_platform_points *points, const place *only,
                          isocast_buffer *out) {
    const isocast_machine *hardware = points->request.platform->hardware;
    machine_text_entry(out, "", "machine", hardware->name);
    isocast_buffer_printf(out, "source: \"simulated with isocast %s where the answer needs it\"\n",
                          points->request.version);
    isocast_buffer_puts(out, "benchmark: the speed that the platform file gives a processor\n");
    machine_file_put_hardware(hardware, out);
    isocast_buffer_puts(out, "operations:\n");
    for (size_t i = 0; i < ISOCAST_KNOWN_OPERATIONS; i++) {
        const isocast_known_operation *known = &isocast_known_operations[i];
        if (!is_simulated(known)) {
            continue;
        }
        put_choice(points, i, only, out);
        for (size_t k = 0; k < points->place_count; k++) {
            const place *at = &points->places[k];
            if (at->curves[i].grid.count > 0 && (only == NULL || only == at)) {
                put_place(known, at->system[0], &at->curves[i], only == NULL, out);
            }
        }
    }
    isocast_buffer_puts(out, "calibration:\n  simulated: true\n");
}

isocast_status campaign_points_write(const campaign_platform_points *points, isocast_buffer *out) {
    write_machine(points, NULL, out);
    return out->failed ? ISOCAST_NO_MEMORY : ISOCAST_OK;
}

/* The place of a system; NULL where memory is short. */
static isocast_status add_place(campaign_platform_points *points, const isocast_system *system,
                                place **out) {
    const campaign_listener *listener = points->request.listener;
    for (size_t i = 0; i < points->place_count; i++) {
        const isocast_system *known = points->places[i].system[0];
        if (strcmp(known->name, system->name) == 0) {
            *out = &points->places[i];
            return ISOCAST_OK;
        }
        const isocast_machine *hardware = points->request.platform->hardware;
        char *a = isocast_system_placement(hardware, known);
        char *b = isocast_system_placement(hardware, system);
        bool same = a != NULL && b != NULL && strcmp(a, b) == 0;
        free(a);
        free(b);
        if (same) {
            *out = &points->places[i];
            return ISOCAST_OK;
        }
        if (look_alike(known, system)) {
            return campaign_fail(listener, ISOCAST_ARGUMENT,
                                 "%s and %s have as many processes on as many nodes, and formulas "
                                 "cannot tell them apart\n    hint: predict them by two commands",
                                 known->name, system->name);
        }
    }
    isocast_diagnostics diagnostics = {0};
    place new = {.system = NULL};
    isocast_status status =
        isocast_systems_parse(points->request.platform->hardware, points->request.algorithm->kernel,
                              "system", system->name, &diagnostics, &new.system, &new.system_count);
    isocast_diagnostics_clear(&diagnostics);
    if (status == ISOCAST_OK && !isocast_array_grow((void **)&points->places, points->place_count,
                                                    &points->place_room, sizeof *points->places)) {
        status = ISOCAST_NO_MEMORY;
    }
    if (status != ISOCAST_OK) {
        isocast_systems_free(new.system, new.system_count);
        return status;
    }
    points->places[points->place_count] = new;
    *out = &points->places[points->place_count++];
    return ISOCAST_OK;
}

static size_t known_index(const char *name) {
    const isocast_known_operation *known = isocast_known_operation_find(name);
    return known != NULL ? (size_t)(known - isocast_known_operations) : ISOCAST_KNOWN_OPERATIONS;
}

/* Wants each operation that T leads to. */
static isocast_status want_operations(campaign_platform_points *points, const isocast_model *model,
                                      place *at) {
    const isocast_machine *machine = isocast_model_machine(model);
    isocast_operation_calls calls = {0};
    isocast_status status = isocast_operation_calls_find(
        isocast_model_binding(model), points->request.algorithm, machine, &calls);
    for (size_t i = 0; i < calls.call_count && status == ISOCAST_OK; i++) {
        const char *name = machine->operations[calls.calls[i].operation].name;
        size_t operation = known_index(name);
        if (operation == ISOCAST_KNOWN_OPERATIONS) {
            continue;
        }
        if (calls.calls[i].processes != ISOCAST_OPERATION_CALLS_SYSTEM) {
            status = campaign_fail(points->request.listener, ISOCAST_ARGUMENT,
                                   "%s calls %s on a part of the processes; --platform simulates "
                                   "operations on all of them only\n    hint: make a machine file: "
                                   "isocast calibrate --platform",
                                   points->request.algorithm->name, name);
        }
        at->curves[operation].wanted = true;
    }
    isocast_operation_calls_free(&calls);
    return status;
}

/* The machine whose parameters are the times of one place at the sizes of all. */
static isocast_status read_machine(const campaign_platform_points *points, const place *at,
                                   isocast_diagnostics *diagnostics, isocast_machine **out) {
    isocast_buffer text = {0};
    isocast_source *source = NULL;
    write_machine(points, at, &text);
    isocast_status status =
        text.failed ? ISOCAST_NO_MEMORY
                    : isocast_source_take("machine", text.text, text.length, diagnostics, &source);
    isocast_buffer_free(&text);
    return status == ISOCAST_OK ? isocast_machine_read(source, diagnostics, out) : status;
}

/* Wants the cells of a curve by the shares of T that the times at their ends have; shares: [sizes +
 * 1], with that of the end of the straight line. */
static void want_cells(curve *c, const double *shares) {
    size_t last = c->grid.count - 1;
    for (size_t k = 0; k < last; k++) {
        double share = fabs(shares[k]) + fabs(shares[k + 1]);
        share += k + 1 == last ? fabs(shares[k + 2]) : 0;
        /* What has no value may be anything. */
        c->cell_wanted[k] = c->cell_wanted[k] || !(share <= share_least);
    }
}

static void want_by_change(const isocast_machine *machine, const isocast_change *change,
                           place *at) {
    for (size_t i = 0; i < ISOCAST_KNOWN_OPERATIONS; i++) {
        const isocast_known_operation *known = &isocast_known_operations[i];
        curve *c = &at->curves[i];
        char name[NAME_MAX_HERE];
        name_operation(known, at->system[0], name);
        for (size_t k = 0; k < machine->operation_count && c->grid.count > 1; k++) {
            const isocast_operation *operation = &machine->operations[k];
            if (strcmp(operation->name, name) != 0 ||
                operation->parameter_count != c->grid.count + 1) {
                continue;
            }
            double shares[GRID_MAX + 1] = {0};
            for (size_t n = 0; n < operation->parameter_count; n++) {
                size_t parameter = operation->first_parameter + n;
                shares[n] = change->by_parameters[parameter] * machine->parameters[parameter].value;
            }
            want_cells(c, shares);
        }
    }
}

/* Wants the sizes that T at N hangs on. */
static isocast_status want_sizes(const campaign_platform_points *points,
                                 const isocast_system *system, double N, const double *other_sizes,
                                 place *at) {
    isocast_diagnostics diagnostics = {0};
    isocast_machine *machine = NULL;
    isocast_model *model = NULL;
    isocast_sensitivity found = {0};
    isocast_status status = read_machine(points, at, &diagnostics, &machine);
    if (status == ISOCAST_OK) {
        status = isocast_model_create(points->request.algorithm, machine, &diagnostics, &model);
    }
    isocast_effort effort = isocast_effort_of(1);
    if (status == ISOCAST_OK) {
        isocast_sensitivity_request request = {.model = model,
                                               .system = system,
                                               .N = N,
                                               .other_sizes = other_sizes,
                                               .effort = &effort};
        status = isocast_sensitivity_find(&request, &found);
    }
    if (status == ISOCAST_OK) {
        want_by_change(machine, &found.of_T, at);
    }
    isocast_sensitivity_free(&found);
    isocast_model_free(model);
    if (machine != NULL) {
        isocast_machine_free(machine);
    }
    isocast_diagnostics_clear(&diagnostics);
    return status;
}

isocast_status campaign_points_need(campaign_platform_points *points, const isocast_model *model,
                                    const isocast_system *system, double N,
                                    const double *other_sizes) {
    if (system->p < 2) {
        return ISOCAST_OK;
    }
    if (system->beyond_machine) {
        return campaign_fail(points->request.listener, ISOCAST_ARGUMENT,
                             "system %s has more processes than the platform has processors",
                             system->name);
    }
    place *at = NULL;
    isocast_status status = add_place(points, system, &at);
    if (status == ISOCAST_OK) {
        status = want_operations(points, model, at);
    }
    bool known = status == ISOCAST_OK;
    for (size_t i = 0; i < ISOCAST_KNOWN_OPERATIONS; i++) {
        known = known && (!at->curves[i].wanted || at->curves[i].known);
    }
    return known && isfinite(N) ? want_sizes(points, system, N, other_sizes, at) : status;
}

/* Whether all processes see the network alike, but for their places on a node. */
static bool is_regular(const isocast_platform *platform, const isocast_system *system) {
    return platform->network.topology == ISOCAST_TOPOLOGY_SWITCHED && system->count == 1 &&
           system->p == system->nodes * system->p_node;
}

static double roots_of(const isocast_platform *platform, const isocast_system *system) {
    double nodes = system->p_node > 1 ? nodes_of_roots : 1;
    double few = is_regular(platform, system) ? nodes * system->p_node : roots_apart;
    return system->p <= roots_all ? system->p : fmin(few, system->p);
}

/* All that the times of a span depend on. */
static isocast_status key_of(const campaign_platform_points *points, const isocast_system *system,
                             const span *s, isocast_buffer *out) {
    const isocast_platform *platform = points->request.platform;
    isocast_buffer_printf(out, "isocast %s probe %s\n%s %.0f to %.0f B, roots %.0f\n",
                          points->request.version, points->probe_sha256,
                          isocast_known_operations[s->operation].name, size_of(s->from),
                          size_of(s->to), roots_of(platform, system));
    simgrid_write_platform(platform, system, out);
    simgrid_write_hosts(platform, system, 0, out);
    return out->failed ? ISOCAST_NO_MEMORY : ISOCAST_OK;
}

/* Where the rows of a span go. */
static void take_span(curve *c, span *s) {
    if (s->to > s->from) {
        campaign_size_times_free(&c->cells[s->from]);
        c->cells[s->from] = s->found;
        c->cell_known[s->from] = true;
    } else {
        for (size_t i = 0; i < s->found.count; i++) {
            (void)campaign_size_times_add(&c->grid, s->found.rows[i].m, s->found.rows[i].seconds);
        }
        campaign_size_times_free(&s->found);
    }
    s->found = (campaign_size_times){0};
}

/* The spans of a place that are wanted and not known; room for all there can be. */
static size_t list_spans(const campaign_platform_points *points, const place *at, span *out) {
    size_t count = 0;
    for (size_t i = 0; i < ISOCAST_KNOWN_OPERATIONS; i++) {
        const curve *c = &at->curves[i];
        size_t sizes = is_sized(&isocast_known_operations[i]) ? points->grid : 1;
        for (size_t k = 0; c->wanted && !c->known && k < sizes; k++) {
            out[count++] = (span){.operation = i, .from = k, .to = k};
        }
        for (size_t k = 0; c->known && k + 1 < c->grid.count; k++) {
            if (c->cell_wanted[k] && !c->cell_known[k]) {
                out[count++] = (span){.operation = i, .from = k, .to = k + 1};
            }
        }
    }
    return count;
}

/* Parts the rows of a launch, which come in the order of its spans, among these. A span is done
 * where its last size came, or where a launch that went well has none of it. */
static isocast_status part_rows(const campaign_recorder *recorder, double p, bool complete,
                                span *spans, size_t count) {
    const samples *s = &recorder->samples;
    size_t row = 0;
    for (size_t i = 0; i < count; i++) {
        if (spans[i].done) {
            continue;
        }
        const isocast_known_operation *known = &isocast_known_operations[spans[i].operation];
        double last = is_sized(known) ? argument_of(known, size_of(spans[i].to), p) : 0;
        bool ended = false;
        while (row < s->count && !ended &&
               strcmp(s->operations[s->rows[row].operation], known->name) == 0) {
            if (!campaign_size_times_add(&spans[i].found, s->rows[row].m, s->rows[row].seconds)) {
                return ISOCAST_NO_MEMORY;
            }
            ended = s->rows[row].m == last;
            row++;
        }
        spans[i].done = ended || (complete && spans[i].found.count == 0);
        if (!spans[i].done) {
            return ISOCAST_OK;
        }
    }
    return ISOCAST_OK;
}

static void put_spans(const span *spans, size_t count, isocast_buffer *out) {
    for (size_t i = 0; i < count; i++) {
        const isocast_known_operation *known = &isocast_known_operations[spans[i].operation];
        if (!spans[i].done) {
            isocast_buffer_printf(out, "%s%s:%.0f-%.0f", out->length > 0 ? "," : "", known->name,
                                  is_sized(known) ? size_of(spans[i].from) : 0,
                                  is_sized(known) ? size_of(spans[i].to) : 0);
        }
    }
}

static isocast_status fail_budget(const campaign_platform_points *points) {
    return campaign_fail(points->request.listener, ISOCAST_PROGRAM,
                         "the simulations do not end within the budget of %.3g s\n    hint: give "
                         "more --budget; what was simulated so far is not lost where there is a "
                         "cache",
                         points->request.budget);
}

/* Runs the probe on a place for the spans that are not done. */
static isocast_status launch(campaign_platform_points *points, const isocast_system *system,
                             const char *wanted, span *spans, size_t count) {
    campaign_recorder *recorder = &points->recorder;
    const isocast_platform *platform = points->request.platform;
    double left = points->started + points->request.budget - campaign_clock();
    if (left <= 0) {
        return fail_budget(points);
    }
    if (campaign_must_stop(points->request.listener)) {
        return campaign_probe_end(recorder, ISOCAST_INTERRUPTED, NULL);
    }
    isocast_status status =
        campaign_simulation_prepare(&points->simulation, system, 0, points->request.listener);
    if (status != ISOCAST_OK) {
        return status;
    }
    char together[32];
    char roots[32];
    bool shares = platform->hardware->classes[0].processors > 1;
    snprintf(together, sizeof together, "%.0f", shares ? 1 : platform->network.together);
    snprintf(roots, sizeof roots, "%.0f", roots_of(platform, system));
    const char *apart = is_regular(platform, system) ? NULL : "--roots-apart";
    const char *command[] = {points->request.probe,
                             "--launch",
                             "0",
                             "--budget",
                             "1",
                             "--seed",
                             "1",
                             "--simulated",
                             "--together",
                             together,
                             "--roots",
                             roots,
                             "--spans",
                             wanted,
                             apart,
                             NULL};
    samples_free(&recorder->samples);
    recorder->samples = (samples){0};
    launcher_request request = {.launcher = points->simulation.launcher,
                                .processes = (long)system->p,
                                .command = command,
                                .timeout = left,
                                .temporary = points->simulation.folder,
                                .line = campaign_recorder_take_line,
                                .context = recorder};
    launcher_end end;
    campaign_recorder_begin_launch(recorder);
    status = launcher_run(&request, &end);
    recorder->progress.launch++;
    points->launches++;
    isocast_status parted = part_rows(recorder, system->p, status == ISOCAST_OK, spans, count);
    if (status == ISOCAST_PROGRAM && end.cause == LAUNCHER_TIMEOUT) {
        status = fail_budget(points);
    } else {
        status = campaign_probe_end(recorder, status, &end);
    }
    return status == ISOCAST_OK ? parted : status;
}

/* Takes from the cache what is there, and has the others simulated. */
static isocast_status find_spans(campaign_platform_points *points, const isocast_system *system,
                                 span *spans, size_t count) {
    isocast_buffer *keys = calloc(count + 1, sizeof *keys);
    isocast_status status = keys == NULL ? ISOCAST_NO_MEMORY : ISOCAST_OK;
    for (size_t i = 0; i < count && status == ISOCAST_OK; i++) {
        status = key_of(points, system, &spans[i], &keys[i]);
        if (status == ISOCAST_OK) {
            status =
                campaign_point_cache_find(points->request.cache, keys[i].text, &spans[i].found);
        }
        spans[i].done = spans[i].found.count > 0;
        points->cached += spans[i].done;
    }
    isocast_buffer wanted = {0};
    put_spans(spans, count, &wanted);
    if (status == ISOCAST_OK && wanted.length > 0) {
        bool *before = calloc(count, sizeof *before);
        status = before == NULL || wanted.failed ? ISOCAST_NO_MEMORY : ISOCAST_OK;
        for (size_t i = 0; i < count && before != NULL; i++) {
            before[i] = spans[i].done;
        }
        status = status == ISOCAST_OK ? launch(points, system, wanted.text, spans, count) : status;
        for (size_t i = 0; i < count && before != NULL; i++) {
            if (spans[i].done && !before[i] && spans[i].found.count > 0) {
                campaign_point_cache_keep(points->request.cache, keys[i].text, &spans[i].found);
            }
        }
        free(before);
    }
    for (size_t i = 0; i < count && keys != NULL; i++) {
        isocast_buffer_free(&keys[i]);
    }
    free(keys);
    isocast_buffer_free(&wanted);
    return status;
}

static isocast_status simulate_place(campaign_platform_points *points, place *at, bool *news) {
    span *spans = calloc((size_t)ISOCAST_KNOWN_OPERATIONS * GRID_MAX, sizeof *spans);
    if (spans == NULL) {
        return ISOCAST_NO_MEMORY;
    }
    size_t count = list_spans(points, at, spans);
    isocast_status status =
        count > 0 ? find_spans(points, at->system[0], spans, count) : ISOCAST_OK;
    for (size_t i = 0; i < count; i++) {
        curve *c = &at->curves[spans[i].operation];
        if (status == ISOCAST_OK) {
            c->known = true;
            take_span(c, &spans[i]);
        }
        campaign_size_times_free(&spans[i].found);
    }
    free(spans);
    *news = *news || count > 0;
    return status;
}

isocast_status campaign_points_simulate(campaign_platform_points *points, bool *news) {
    isocast_status status = ISOCAST_OK;
    *news = false;
    for (size_t i = 0; i < points->place_count && status == ISOCAST_OK; i++) {
        status = simulate_place(points, &points->places[i], news);
    }
    return status;
}
