#include "twin_timings.h"

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
    if (!isocast_array_grow((void **)&t->items, t->count, &t->room, sizeof *t->items)) {
        return false;
    }
    t->items[t->count++] = *timing;
    return true;
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

/* Adds the samples of a calibration, which tell the placement of each. *bad: the line that is none,
 * from 1 on. */
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

/* The same; where a line is none, the importer tells what is wrong in it. */
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
    static const char header[] = SAMPLES_HEADER_LEAST;
    FILE *file = isocast_input_look(path);
    char text[SAMPLES_LINE_MAX + 2] = "#";
    bool too_long = false;
    while (file != NULL && text[0] == '#' && next_line(file, text, &too_long) != NULL) {
    }
    if (file != NULL) {
        fclose(file);
    }
    return strncmp(text, header, sizeof header - 1) == 0;
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
    bool told = free_most > 0 && isfinite(waits_least) && waits_least > free_most;
    out->eager_limit = told ? sqrt(free_most * waits_least) : NAN;
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

static int by_place(const void *left, const void *right) {
    const campaign_twin_timing *a = left;
    const campaign_twin_timing *b = right;
    int order = isocast_order(a->p, b->p);
    order = order != 0 ? order : isocast_order(a->nodes, b->nodes);
    order = order != 0 ? order : isocast_order(a->p_node, b->p_node);
    order = order != 0 ? order : isocast_order((double)a->operation, (double)b->operation);
    return order != 0 ? order : isocast_order(a->m, b->m);
}

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
                : "leave the rows of one system alone; docs/fitting.md has the formats",
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
