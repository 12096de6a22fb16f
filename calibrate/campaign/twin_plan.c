#include "twin_plan.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "calibrate/fit/fit_summary.h"
#include "calibrate/fit/fit_timings.h"
#include "calibrate/samples/import.h"
#include "calibrate/samples/median.h"
#include "model/base/array.h"
#include "model/base/order.h"

static const char no_timings_hint[] =
    "isocast calibrate and isocast fit-operations write machine files that name their timings";

/* Of a message: where the sender is busy for more of it, it waits for the receiver. */
static const double waiting = 0.7;

/* What the section `calibration` says of the timings. */
typedef struct sources {
    const isocast_tree_node *file; /* NULL: nothing */
    const isocast_tree_node *system;
} sources;

static isocast_status find_sources(const isocast_machine *machine, isocast_diagnostics *diagnostics,
                                   sources *out) {
    const isocast_tree_node *root = &machine->tree->root;
    const isocast_tree_entry *section = isocast_tree_find(root, "calibration");
    const isocast_tree_entry *entry =
        section != NULL ? isocast_tree_find(&section->value, "samples") : NULL;
    const isocast_tree_entry *system =
        section != NULL ? isocast_tree_find(&section->value, "system") : NULL;
    const isocast_tree_node *file = entry != NULL ? &entry->value : NULL;
    const isocast_tree_entry *inner = file != NULL ? isocast_tree_find(file, "file") : NULL;
    file = inner != NULL ? &inner->value : file;
    if (file == NULL || file->kind != ISOCAST_TREE_SCALAR) {
        isocast_span begin = {root->span.begin, root->span.begin + 1};
        isocast_diagnostics_add(diagnostics, ISOCAST_ERROR, machine->tree->source,
                                section != NULL ? section->key.span : begin, no_timings_hint,
                                "a twin needs timings, and this machine file names none");
        return ISOCAST_INVALID;
    }
    *out = (sources){
        file, system != NULL && system->value.kind == ISOCAST_TREE_SCALAR ? &system->value : NULL};
    return ISOCAST_OK;
}

/* A file beside the machine file; else by its name as it stands, as commands were given it. Free
 * it. */
static char *place_of(const char *machine_path, const char *name) {
    const char *slash = strrchr(machine_path, '/');
    isocast_buffer path = {0};
    if (slash != NULL && name[0] != '/') {
        isocast_buffer_append(&path, machine_path, (size_t)(slash - machine_path) + 1);
    }
    isocast_buffer_puts(&path, name);
    if (path.text != NULL && access(path.text, R_OK) != 0 && access(name, R_OK) == 0) {
        isocast_buffer_free(&path);
        return strdup(name);
    }
    return isocast_buffer_take(&path);
}

static bool add(campaign_twin_timings *t, const campaign_twin_timing *timing) {
    return ISOCAST_ARRAY_ADD(t->items, t->count, t->room, *timing);
}

static size_t known_of(const char *name, size_t length) {
    char text[SAMPLES_NAME_MAX];
    if (length >= sizeof text) {
        return ISOCAST_KNOWN_OPERATIONS;
    }
    snprintf(text, sizeof text, "%.*s", (int)length, name);
    return isocast_known_operation_index(text);
}

/* A line with its break, of a file that the machine file names; NULL at the end, where there is no
 * such file, and at a line that is too long. */
static char *next_line(FILE *file, char *text, bool *too_long) {
    size_t length = isocast_input_line(file, text, SAMPLES_LINE_MAX);
    *too_long = isocast_input_is_long(text, length, SAMPLES_LINE_MAX);
    return length > 0 && !*too_long ? text : NULL;
}

/* Adds the samples of a calibration, which state the placement of each. *bad: the line that is
 * none, from 1 on. */
static isocast_status add_samples(FILE *file, samples *out, size_t *bad) {
    char text[SAMPLES_LINE_MAX + 2];
    isocast_status status = ISOCAST_OK;
    bool too_long = false;
    *bad = 1;
    for (; status == ISOCAST_OK && next_line(file, text, &too_long) != NULL; ++*bad) {
        text[strcspn(text, "\r\n")] = '\0';
        samples_line kind;
        status = samples_add_line(out, text, &kind);
    }
    *bad -= status == ISOCAST_INVALID;
    status = status == ISOCAST_OK && too_long ? ISOCAST_INVALID : status;
    return status == ISOCAST_OK && ferror(file) ? ISOCAST_IO : status;
}

/* The same; where a line is none, the importer shows what is wrong in it. */
static isocast_status read_samples(const char *path, isocast_diagnostics *diagnostics,
                                   campaign_twin_timings *out) {
    size_t bad = 0;
    FILE *file = NULL;
    isocast_status status =
        isocast_input_open(path, ISOCAST_INPUT_PLAIN, IMPORT_FILE_MAX, diagnostics, &file);
    if (status != ISOCAST_OK) {
        return status;
    }
    status = add_samples(file, &out->samples, &bad);
    int cause = errno;
    fclose(file);
    if (status == ISOCAST_IO) {
        return isocast_diagnostics_add_failure(diagnostics, path, "read", cause);
    }
    if (status == ISOCAST_INVALID &&
        import_file_of(path, ISOCAST_INPUT_PLAIN, NULL, 0, &out->observations, diagnostics) ==
            ISOCAST_OK) {
        isocast_diagnostics_add_file(diagnostics, ISOCAST_ERROR, path,
                                     "isocast calibrate writes such files",
                                     "line %zu is not a line of a calibration's samples", bad);
    }
    return status;
}

/* By the header, which lines that start with # may come before. */
static bool is_of_samples(const char *path) {
    FILE *file = isocast_input_look(path);
    char text[SAMPLES_LINE_MAX + 2] = "#";
    bool too_long = false;
    while (file != NULL && text[0] == '#' && next_line(file, text, &too_long) != NULL) {
    }
    if (file != NULL) {
        fclose(file);
    }
    return strncmp(text, SAMPLES_HEADER, strlen(SAMPLES_HEADER)) == 0;
}

/* Between the largest message that its sender does not wait for and the smallest that it does. */
static void note_waiting(double m, double share, double *free_most, double *waits_least) {
    if (share < waiting) {
        *free_most = fmax(*free_most, m);
    } else {
        *waits_least = fmin(*waits_least, m);
    }
}

static isocast_status take_samples(campaign_twin_timings *out) {
    const samples *s = &out->samples;
    fit_summaries all = {0};
    bool room = fit_summarise(s, &all);
    double free_most = 0;
    double waits_least = INFINITY;
    for (size_t i = 0; i < all.count && room; i++) {
        const fit_summary *item = &all.items[i];
        const char *name = s->operations[item->operation];
        campaign_twin_timing timing = {isocast_known_operation_index(name),
                                       item->p,
                                       item->nodes,
                                       item->p_node,
                                       item->m,
                                       item->seconds};
        if (timing.operation == ISOCAST_KNOWN_send) {
            /* What is left of a message when its sender is free. Without it nobody knows how long
             * the message takes: a sender may be free at once. */
            const fit_summary *rest = fit_summaries_find(s, &all, ISOCAST_KNOWN_recv, item);
            if (rest == NULL) {
                continue;
            }
            timing.operation = ISOCAST_KNOWN_message;
            timing.seconds += rest->seconds;
            if (item->nodes > 1) {
                note_waiting(item->m, item->seconds / timing.seconds, &free_most, &waits_least);
            }
        }
        bool wanted = timing.operation < ISOCAST_KNOWN_OPERATIONS && timing.p > 1 &&
                      timing.operation != ISOCAST_KNOWN_recv;
        room = !wanted || add(out, &timing);
    }
    bool reported = free_most > 0 && isfinite(waits_least) && waits_least > free_most;
    out->eager_limit = reported ? sqrt(free_most * waits_least) : NAN;
    double variance = room && all.count > 0 ? fit_typical_variance(all.items, all.count) : 0;
    out->sigma = variance > 0 ? sqrt(variance) : 0;
    fit_summaries_free(&all);
    return room ? ISOCAST_OK : ISOCAST_NO_MEMORY;
}

/* Timings of another benchmark: how many processes share a node is known of each operation. */
static isocast_status take_observations(campaign_twin_timings *out) {
    const observations *o = &out->observations;
    double variances = 0;
    double counted = 0;
    for (size_t i = 0; i < o->operations.count; i++) {
        const char *name = o->operations.texts[i];
        const char *end = strstr(name, OBSERVATIONS_ON_ONE_NODE);
        size_t operation = known_of(name, end != NULL ? (size_t)(end - name) : strlen(name));
        fit_timings timings = {0};
        if (operation == ISOCAST_KNOWN_OPERATIONS) {
            continue;
        }
        if (!fit_timings_make(o, (uint32_t)i, INFINITY, &timings)) {
            return ISOCAST_NO_MEMORY;
        }
        double noted = i < o->per_node_count ? o->per_node[i] : 0;
        variances += timings.launch_variance;
        counted += timings.launch_variance > 0;
        bool room = true;
        for (size_t k = 0; k < timings.count && room; k++) {
            const fit_summary *item = &timings.items[k];
            double each = end != NULL ? item->p : noted;
            double nodes = each > 0 ? ceil(item->p / each) : NAN;
            campaign_twin_timing timing = {operation, item->p, nodes, each, item->m, item->seconds};
            bool placed = item->p > 1 && each > 0;
            out->left_out += !placed && item->p > 1;
            room = !placed || add(out, &timing);
        }
        fit_timings_free(&timings);
        if (!room) {
            return ISOCAST_NO_MEMORY;
        }
    }
    out->sigma = counted > 0 ? sqrt(variances / counted) : 0;
    return ISOCAST_OK;
}

ISOCAST_ORDER_BY(by_place, campaign_twin_timing, x->p, x->nodes, x->p_node, (double)x->operation,
                 x->m)

static isocast_status import_one(const char *path, const char *system,
                                 isocast_diagnostics *diagnostics, campaign_twin_timings *out) {
    return is_of_samples(path) ? read_samples(path, diagnostics, out)
                               : import_file_of(path, ISOCAST_INPUT_PLAIN, system, 0,
                                                &out->observations, diagnostics);
}

/* Makes timings of what was imported. */
static isocast_status take_all(campaign_twin_timings *out) {
    isocast_status status = !observations_finish(&out->observations) ? ISOCAST_NO_MEMORY
                            : out->samples.count > 0                 ? take_samples(out)
                                                                     : take_observations(out);
    if (status == ISOCAST_OK && out->count > 0) {
        qsort(out->items, out->count, sizeof *out->items, by_place);
    }
    return status;
}

/* Reads the files of a text: one, or several with blanks between. */
static isocast_status import_all(const char *machine_path, const sources *from,
                                 isocast_diagnostics *diagnostics, campaign_twin_timings *out) {
    const char *system = from->system != NULL ? from->system->text : NULL;
    char *whole = place_of(machine_path, from->file->text);
    char *copy = strdup(from->file->text);
    isocast_status status = whole != NULL && copy != NULL ? ISOCAST_OK : ISOCAST_NO_MEMORY;
    bool one = status == ISOCAST_OK && (access(whole, R_OK) == 0 || strchr(copy, ' ') == NULL);
    char *rest = NULL;
    for (char *name = one                    ? copy
                      : status == ISOCAST_OK ? strtok_r(copy, " ", &rest)
                                             : NULL;
         name != NULL && status == ISOCAST_OK; name = one ? NULL : strtok_r(NULL, " ", &rest)) {
        char *path = place_of(machine_path, name);
        status = path != NULL ? import_one(path, system, diagnostics, out) : ISOCAST_NO_MEMORY;
        free(path);
    }
    free(whole);
    free(copy);
    return status == ISOCAST_OK ? take_all(out) : status;
}

isocast_status campaign_twin_timings_read(const char *path, isocast_diagnostics *diagnostics,
                                          campaign_twin_timings *out) {
    isocast_status status = import_one(path, NULL, diagnostics, out);
    status = status == ISOCAST_OK ? take_all(out) : status;
    if (status == ISOCAST_OK && out->count == 0) {
        isocast_diagnostics_add_file(
            diagnostics, ISOCAST_ERROR, path,
            out->left_out > 0
                ? "add a column nodes, or processes_per_node"
                : "leave the rows of one system alone; docs/how-to/fitting.md has the formats",
            out->left_out > 0 ? "the timings do not state on how many nodes the processes were"
                              : "the timings have no operation that can be simulated");
        status = ISOCAST_INVALID;
    }
    return status;
}

isocast_status campaign_twin_timings_load(const isocast_machine *machine, const char *machine_path,
                                          isocast_diagnostics *diagnostics,
                                          campaign_twin_timings *out) {
    sources from = {0};
    out->eager_limit = NAN;
    isocast_status status = find_sources(machine, diagnostics, &from);
    if (status == ISOCAST_OK) {
        status = import_all(machine_path, &from, diagnostics, out);
    }
    if (status == ISOCAST_OK && out->count == 0) {
        isocast_diagnostics_add(
            diagnostics, ISOCAST_ERROR, machine->tree->source, from.file->span,
            out->left_out > 0
                ? "add a column nodes, or processes_per_node, to the timings"
                : "a twin is fitted to messages between two processes, and to collectives, of one "
                  "system: where the timings have several, give fit-operations --system",
            out->left_out > 0 ? "the timings do not state on how many nodes the processes were"
                              : "the timings have no operation that can be simulated");
        status = ISOCAST_INVALID;
    }
    return status;
}

void campaign_twin_timings_free(campaign_twin_timings *timings) {
    free(timings->items);
    observations_free(&timings->observations);
    samples_free(&timings->samples);
    *timings = (campaign_twin_timings){0};
}

enum {
    SIZES_EACH = 4,    /* of an operation on a placement */
    SIZES_OF_PAIR = 8, /* of messages */
    PLACES_FITTED = 4,
    /* Of messages, in each curve: ranges are searched for in memory and time that grow with the
     * square. */
    SIZES_OF_CURVE = 128
};

/* B: smaller messages are no whole number; and what one process may send or get in a call. */
static const double size_least = 8;
static const double bytes_most = 4194304;

/* Operations that say how messages get along with each other: calls of MPI. What is measured in
 * simulations alone, or between work, does not. */
static bool serves(size_t operation) {
    const isocast_known_operation *known = &isocast_known_operations[operation];
    isocast_operation_kind kind = known->kind;
    return (known->measurement == ISOCAST_OPERATION_CALLED ||
            known->measurement == ISOCAST_OPERATION_TIMED) &&
           !known->is_rest &&
           (kind == ISOCAST_OPERATION_COLLECTIVE || kind == ISOCAST_OPERATION_BROADCAST ||
            kind == ISOCAST_OPERATION_SHIFT);
}

static bool is_fit_for(const campaign_twin_timing *t) {
    const isocast_known_operation *known = &isocast_known_operations[t->operation];
    bool each = known->argument == ISOCAST_ARGUMENT_BYTES_EACH;
    double bytes = each ? t->m * t->p : t->m;
    bool sized = campaign_operation_is_sized(known);
    return serves(t->operation) && t->seconds > 0 &&
           (!sized || (t->m >= size_least && bytes <= bytes_most));
}

static bool same_place(const campaign_twin_timing *a, const campaign_twin_timing *b) {
    return a->p == b->p && a->nodes == b->nodes && a->p_node == b->p_node;
}

static bool reads_as(const isocast_machine *machine, const char *name,
                     const campaign_twin_timing *t) {
    isocast_system *read = NULL;
    bool same = isocast_system_named(machine, NULL, "system", name, NULL, &read) == ISOCAST_OK &&
                read->p == t->p && read->nodes == t->nodes && read->p_node == t->p_node;
    isocast_system_free(read);
    return same;
}

/* As many processes on each node: nodes of one class after the other, of those that have the
 * processors. All nodes of a twin have the same network, so it is the same which of them send. */
static bool name_regular(const isocast_machine *machine, const campaign_twin_timing *t, char *out) {
    isocast_buffer name = {0};
    double left = t->nodes;
    for (size_t i = 0; i < machine->class_count && left > 0; i++) {
        const isocast_node_class *class = &machine->classes[i];
        double taken = class->processors >= t->p_node ? fmin(left, class->count) : 0;
        if (taken > 0) {
            isocast_buffer_printf(&name, "%s%s:%.0fx%.0f", name.length > 0 ? "+" : "", class->name,
                                  t->p_node, taken);
            left -= taken;
        }
    }
    bool fits = left == 0 && !name.failed && name.length < CAMPAIGN_TWIN_SYSTEM_MAX;
    if (fits) {
        snprintf(out, CAMPAIGN_TWIN_SYSTEM_MAX, "%s", name.text);
    }
    isocast_buffer_free(&name);
    return fits && reads_as(machine, out, t);
}

/* The name of a placement: "kxm" where all nodes are of one class and have as many processes, or a
 * system that the machine file names, or nodes of several classes. False where there is none. */
static bool name_place(const isocast_machine *machine, const campaign_twin_timing *t, char *out) {
    bool regular = t->p == t->nodes * t->p_node;
    if (machine->class_count == 1 && regular && machine->classes[0].processors >= t->p_node) {
        snprintf(out, CAMPAIGN_TWIN_SYSTEM_MAX, "%.0fx%.0f", t->p_node, t->nodes);
        return true;
    }
    for (size_t i = 0; i < machine->system_count; i++) {
        const char *name = machine->systems[i].name;
        if (strlen(name) < CAMPAIGN_TWIN_SYSTEM_MAX && reads_as(machine, name, t)) {
            snprintf(out, CAMPAIGN_TWIN_SYSTEM_MAX, "%s", name);
            return true;
        }
    }
    return regular && name_regular(machine, t, out);
}

/* Whether the k-th of `count` sizes is among `wanted` that are spread over all of them. */
static bool is_among(size_t k, size_t count, size_t wanted) {
    if (count <= wanted) {
        return true;
    }
    size_t step = (size_t)((double)k * (double)(wanted - 1) / (double)(count - 1));
    size_t index = (size_t)round((double)step * (double)(count - 1) / (double)(wanted - 1));
    size_t next = (size_t)round((double)(step + 1) * (double)(count - 1) / (double)(wanted - 1));
    return k == index || k == next;
}

/* Of the points from `first` on as many stay as are wanted, spread over all of them. */
static void spread(campaign_twin_plan *out, size_t first, size_t wanted) {
    const size_t count = out->count - first;
    out->count = first;
    for (size_t k = 0; k < count; k++) {
        if (is_among(k, count, wanted)) {
            out->points[out->count++] = out->points[first + k];
        }
    }
}

/* Adds points of the timings from `first` to `end`, which are on one placement; none where it has
 * no name. */
static void add_place(const isocast_machine *machine, const campaign_twin_timing *items,
                      size_t first, size_t end, size_t place, campaign_twin_plan *out) {
    campaign_twin_point at = {.place = place,
                              .p = items[first].p,
                              .nodes = items[first].nodes,
                              .p_node = items[first].p_node,
                              .simulated = NAN,
                              .formula = NAN};
    if (!name_place(machine, &items[first], at.system)) {
        out->left_out += end - first;
        return;
    }
    for (size_t i = first; i < end;) {
        const size_t before = out->count;
        at.operation = items[i].operation;
        for (; i < end && items[i].operation == at.operation; i++) {
            if (is_fit_for(&items[i])) {
                at.m = items[i].m;
                at.measured = items[i].seconds;
                out->points[out->count++] = at;
            }
        }
        spread(out, before, SIZES_EACH);
    }
}

/* Messages of one size on all placements: their median. */
ISOCAST_ORDER_BY(by_size, campaign_twin_timing, x->m, x->nodes > 1)

static double median_between(const campaign_twin_timing *items, size_t first, size_t end,
                             bool between, double *scratch) {
    size_t count = 0;
    for (size_t i = first; i < end; i++) {
        if ((items[i].nodes > 1) == between) {
            scratch[count++] = items[i].seconds;
        }
    }
    return count > 0 ? isocast_median(scratch, count) : NAN;
}

static double time_of(const fit_message_point *point, bool between) {
    return between ? point->between : point->within;
}

/* Marks those of many sizes of one curve that are fitted: the first in each of as many equal steps
 * of ln m. */
static void mark_curve(const fit_message_point *points, size_t count, bool between, bool *kept) {
    double low = log(points[0].m + FIT_NETWORK_ENVELOPE);
    double step = (log(points[count - 1].m + FIT_NETWORK_ENVELOPE) - low) / SIZES_OF_CURVE;
    double next = -INFINITY;
    for (size_t i = 0; i < count; i++) {
        double at = (log(points[i].m + FIT_NETWORK_ENVELOPE) - low) / step;
        if (!isnan(time_of(&points[i], between)) && at >= next) {
            kept[i] = true;
            next = floor(at) + 1;
        }
    }
}

/* Files of others may have a message of every size there is. */
static isocast_status thin_messages(campaign_twin_plan *out) {
    if (out->message_count <= (size_t)2 * SIZES_OF_CURVE) {
        return ISOCAST_OK;
    }
    bool *kept = calloc(out->message_count, sizeof *kept);
    if (kept == NULL) {
        return ISOCAST_NO_MEMORY;
    }
    mark_curve(out->messages, out->message_count, true, kept);
    mark_curve(out->messages, out->message_count, false, kept);
    size_t count = 0;
    for (size_t i = 0; i < out->message_count; i++) {
        if (kept[i]) {
            out->messages[count++] = out->messages[i];
        }
    }
    out->message_count = count;
    free(kept);
    return ISOCAST_OK;
}

static isocast_status find_messages(const campaign_twin_timings *all, campaign_twin_plan *out) {
    campaign_twin_timing *items = malloc((all->count + 1) * sizeof *items);
    double *scratch = calloc(all->count + 1, sizeof *scratch);
    out->messages = calloc(all->count + 1, sizeof *out->messages);
    size_t count = 0;
    bool room = items != NULL && scratch != NULL && out->messages != NULL;
    for (size_t i = 0; i < all->count && room; i++) {
        const campaign_twin_timing *t = &all->items[i];
        if (t->operation == ISOCAST_KNOWN_message && t->seconds > 0) {
            items[count++] = *t;
        }
    }
    if (count > 0) {
        qsort(items, count, sizeof *items, by_size);
    }
    for (size_t first = 0; first < count && room;) {
        size_t end = first;
        while (end < count && items[end].m == items[first].m) {
            end++;
        }
        out->messages[out->message_count++] =
            (fit_message_point){items[first].m, median_between(items, first, end, true, scratch),
                                median_between(items, first, end, false, scratch)};
        first = end;
    }
    free(items);
    free(scratch);
    return room ? thin_messages(out) : ISOCAST_NO_MEMORY;
}

/* Adds messages of two processes, on two nodes or on one, of the machine's first class. */
static void add_pair(const isocast_machine *machine, bool between, campaign_twin_plan *out) {
    campaign_twin_point at = {.place = between ? 0 : 1,
                              .p = 2,
                              .nodes = between ? 2 : 1,
                              .p_node = between ? 1 : 2,
                              .operation = ISOCAST_KNOWN_message,
                              .simulated = NAN,
                              .formula = NAN};
    const size_t before = out->count;
    int written = snprintf(at.system, sizeof at.system, "%s:%s", machine->classes[0].name,
                           between ? "1x2" : "2x1");
    for (size_t i = 0; i < out->message_count && written < (int)sizeof at.system; i++) {
        at.m = out->messages[i].m;
        at.measured = time_of(&out->messages[i], between);
        if (at.m >= 1 && !isnan(at.measured)) {
            out->points[out->count++] = at;
        }
    }
    spread(out, before, SIZES_OF_PAIR);
}

/* Of the placements below the most processes as many are fitted as are wanted, spread over all of
 * them; those on the most processes are held. */
static void part_points(campaign_twin_plan *out) {
    campaign_twin_point *all = out->points + out->pair_count;
    const size_t count = out->count - out->pair_count;
    size_t below = 0;
    while (below < count && all[below].p < all[count - 1].p) {
        below++;
    }
    /* One number of processes has nothing to be tested on. */
    size_t candidates = below > 0 ? all[below].place : count > 0 ? all[count - 1].place + 1 : 0;
    out->fitted = all;
    for (size_t i = 0; i < count && all[i].place < candidates; i++) {
        if (is_among(all[i].place, candidates, PLACES_FITTED)) {
            out->fitted_p = fmax(out->fitted_p, all[i].p);
            all[out->fitted_count++] = all[i];
        }
    }
    out->held = all + out->fitted_count;
    out->held_count = below > 0 ? count - below : 0;
    memmove(out->held, all + below, out->held_count * sizeof *all);
    out->count = out->pair_count + out->fitted_count + out->held_count;
}

isocast_status campaign_twin_plan_make(const isocast_machine *machine,
                                       const campaign_twin_timings *timings,
                                       campaign_twin_plan *out) {
    isocast_status status = find_messages(timings, out);
    out->points = calloc(timings->count + 2 * out->message_count + 1, sizeof *out->points);
    if (status != ISOCAST_OK || out->points == NULL) {
        return ISOCAST_NO_MEMORY;
    }
    out->pairs = out->points;
    add_pair(machine, true, out);
    if (machine->classes[0].processors > 1) {
        add_pair(machine, false, out);
    }
    out->pair_count = out->count;
    size_t place = 0;
    for (size_t first = 0; first < timings->count;) {
        const size_t before = out->count;
        size_t end = first;
        while (end < timings->count && same_place(&timings->items[end], &timings->items[first])) {
            end++;
        }
        add_place(machine, timings->items, first, end, place, out);
        place += out->count > before;
        first = end;
    }
    part_points(out);
    return ISOCAST_OK;
}

void campaign_twin_plan_free(campaign_twin_plan *plan) {
    free(plan->messages);
    free(plan->points);
    *plan = (campaign_twin_plan){0};
}
