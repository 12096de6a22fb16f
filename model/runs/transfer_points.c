#include "transfer_points.h"

#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "calm.h"
#include "model/base/order.h"
#include "model/spec/system.h"
#include "run_columns.h"

typedef struct reading {
    const isocast_runs *runs;
    const isocast_machine *machine;
    const isocast_algorithm *algorithm;
    const char *name;         /* rows of this algorithm count; NULL: all do */
    const char *machine_name; /* likewise */
    size_t nodes, threads;    /* indices of the columns; other_count: there is none */
    isocast_run_columns columns;
    isocast_diagnostics *diagnostics;
    isocast_status status;
    isocast_transfer_points out;
} reading;

static size_t find_other(const isocast_runs *runs, const char *name) {
    size_t k = 0;
    while (k < runs->other_count && strcmp(runs->other_names[k], name) != 0) {
        k++;
    }
    return k;
}

static isocast_span line_of(const reading *r, const isocast_run *run) {
    return isocast_source_line(r->runs->source, run->places.N.begin);
}

static void refuse(reading *r, isocast_span place, const char *hint, isocast_buffer *message) {
    isocast_diagnostics_rely(r->diagnostics, message);
    isocast_diagnostics_add(r->diagnostics, ISOCAST_ERROR, r->runs->source, place, hint, "%s",
                            message->text != NULL ? message->text : "");
    isocast_buffer_free(message);
    r->status = ISOCAST_INVALID;
}

static bool is_given(const char *name) {
    return name != NULL && name[0] != '\0';
}

/* The first row whose name differs from `name` (NULL: that has one). */
static const isocast_run *find_name(const reading *r, bool of_machine, const char *name) {
    for (size_t i = 0; i < r->runs->count; i++) {
        const isocast_run *run = &r->runs->rows[i];
        const char *own = of_machine ? run->machine : run->algorithm;
        if (is_given(own) && (name == NULL || strcmp(own, name) != 0)) {
            return run;
        }
    }
    return NULL;
}

/* Rows of several programs, or of several machines, are told apart by their names alone; one name
 * may be another than the file has for the same thing. */
static void choose_names(reading *r) {
    const isocast_run *first = find_name(r, false, NULL);
    const isocast_run *other = first != NULL ? find_name(r, false, first->algorithm) : NULL;
    if (r->name == NULL && other != NULL) {
        r->name = r->algorithm != NULL ? r->algorithm->name : NULL;
        isocast_buffer message = {0};
        if (r->name == NULL) {
            isocast_buffer_printf(&message, "the runs are of several algorithms: '%s' and '%s'",
                                  first->algorithm, other->algorithm);
            refuse(r, other->places.algorithm, "--algorithm NAME chooses one", &message);
        }
    }
    first = find_name(r, true, NULL);
    other = first != NULL ? find_name(r, true, first->machine) : NULL;
    r->machine_name = other != NULL ? r->machine->name : NULL;
}

static bool counts(const reading *r, const isocast_run *run) {
    return (r->name == NULL || !is_given(run->algorithm) || strcmp(run->algorithm, r->name) == 0) &&
           (r->machine_name == NULL || !is_given(run->machine) ||
            strcmp(run->machine, r->machine_name) == 0);
}

static double check_count(reading *r, isocast_span place, const char *name, double value) {
    if (value >= 1 && value == floor(value)) {
        return value;
    }
    isocast_buffer message = {0};
    isocast_buffer_printf(&message, "%s must be a whole number from 1 on in this row", name);
    refuse(r, place, "write the number, or leave the row out", &message);
    return NAN;
}

/* A whole number from 1 on in a further column; `otherwise` where there is no such column. */
static double read_count(reading *r, const isocast_run *run, size_t column, double otherwise) {
    return column == r->runs->other_count
               ? otherwise
               : check_count(r, line_of(r, run), r->runs->other_names[column], run->others[column]);
}

/* Processes: the column p, else what the name of the system says of this machine. */
static double read_p(reading *r, const isocast_run *run) {
    if (!isnan(run->p)) {
        return check_count(r, run->places.p, "p", run->p);
    }
    isocast_diagnostics own = {0};
    isocast_system *system = NULL;
    isocast_source *text = NULL;
    isocast_status status =
        isocast_source_create("system", run->system, strlen(run->system), &text);
    if (status == ISOCAST_OK) {
        status = isocast_system_parse(r->machine, NULL, text,
                                      (isocast_span){0, strlen(run->system)}, &own, &system);
    }
    double p = status == ISOCAST_OK ? system->p : NAN;
    if (status == ISOCAST_NO_MEMORY) {
        r->status = status;
    } else if (status != ISOCAST_OK) {
        isocast_buffer message = {0};
        isocast_buffer_printf(&message, "this row has no p, and '%s' is no system of '%s'",
                              run->system, r->machine->name);
        refuse(r, run->places.system, "write the number of processes in a column p", &message);
    }
    isocast_system_free(system);
    isocast_source_free(text);
    isocast_diagnostics_clear(&own);
    return p;
}

/* How many processors a run keeps busy, and on how many nodes: full ones where no column says. */
static void read_point(reading *r, const isocast_run *run, isocast_transfer_point *point) {
    const isocast_node_class *class = &r->machine->classes[0];
    *point = (isocast_transfer_point){.run = run, .T = run->T, .runs = 1};
    point->threads = read_count(r, run, r->threads, 1);
    point->p = read_p(r, run);
    double used = point->p * point->threads;
    point->nodes = read_count(r, run, r->nodes, ceil(used / class->processors));
    double there = point->nodes * class->processors;
    if (isnan(used) || isnan(there) || (used <= there && !(point->nodes > class->count))) {
        return;
    }
    isocast_buffer message = {0};
    if (used > there) {
        isocast_buffer_printf(&message,
                              "this run needs %.10g processors, and %.10g node%s of '%s' %s %.10g",
                              used, point->nodes, point->nodes == 1 ? "" : "s", r->machine->name,
                              point->nodes == 1 ? "has" : "have", there);
    } else {
        isocast_buffer_printf(&message, "this run needs %.10g nodes, and '%s' has %.10g",
                              point->nodes, r->machine->name, class->count);
    }
    refuse(r, isnan(run->p) ? run->places.system : run->places.p,
           "leave the row out, or mend the file of the machine that the runs are of", &message);
}

/* Further columns in which runs of the same point differ are not known: they count as repetitions.
 */
static void warn_of_column(reading *r, size_t column) {
    const char *name = r->runs->other_names[column];
    bool is_size = column == r->nodes || column == r->threads;
    for (size_t k = 0; r->algorithm != NULL && k < r->algorithm->size_count; k++) {
        is_size |= r->columns.of_size[k] == column;
    }
    for (size_t i = 1; i < r->out.count && !is_size && !isocast_runs_is_outcome(name); i++) {
        const isocast_transfer_point *a = &r->out.items[i - 1];
        const isocast_transfer_point *b = &r->out.items[i];
        double first = a->run->others[column];
        double second = b->run->others[column];
        if (a->sizes_group == b->sizes_group && a->nodes == b->nodes && a->p == b->p &&
            a->threads == b->threads && first != second && !(isnan(first) && isnan(second))) {
            isocast_diagnostics_add(
                r->diagnostics, ISOCAST_WARNING, r->runs->source, line_of(r, b->run),
                "leave out the rows that are of another case; --with reads the sizes of an "
                "algorithm",
                "the column '%s' is not read: rows that differ in it count as repetitions", name);
            return;
        }
    }
}

static int by_point(const void *left, const void *right) {
    const isocast_transfer_point *a = left;
    const isocast_transfer_point *b = right;
    int order = (a->sizes_group > b->sizes_group) - (a->sizes_group < b->sizes_group);
    order = order != 0 ? order : isocast_order(a->nodes, b->nodes);
    order = order != 0 ? order : isocast_order(a->p * a->threads, b->p * b->threads);
    order = order != 0 ? order : isocast_order(a->p, b->p);
    return order != 0 ? order : (a->run > b->run) - (a->run < b->run);
}

typedef struct sized {
    const double *values; /* [count] */
    size_t count, point;
} sized;

static int by_sizes(const void *left, const void *right) {
    const sized *a = left;
    const sized *b = right;
    for (size_t k = 0; k < a->count; k++) {
        int order = isocast_order(a->values[k], b->values[k]);
        if (order != 0) {
            return order;
        }
    }
    return (a->point > b->point) - (a->point < b->point);
}

/* Gives equal sizes one number, in their order. */
static void group_sizes(reading *r) {
    size_t width = r->out.size_count;
    double *raw = malloc((r->out.count * width + 1) * sizeof *raw);
    sized *order = malloc((r->out.count + 1) * sizeof *order);
    r->status = raw == NULL || order == NULL ? ISOCAST_NO_MEMORY : r->status;
    for (size_t i = 0; r->status == ISOCAST_OK && i < r->out.count; i++) {
        const isocast_run *run = r->out.items[i].run;
        for (size_t k = 0; k < width; k++) {
            double value =
                r->algorithm != NULL ? isocast_run_columns_size(&r->columns, run, k) : run->N;
            raw[i * width + k] = value;
            if (isnan(value) && r->algorithm != NULL) {
                isocast_buffer message = {0};
                isocast_buffer_printf(&message, "the column '%s' has no number in this row",
                                      r->algorithm->sizes[k].name);
                refuse(r, line_of(r, run), "write the size, or leave the row out", &message);
            }
        }
        order[i] = (sized){raw + i * width, width, i};
    }
    if (r->status == ISOCAST_OK) {
        qsort(order, r->out.count, sizeof *order, by_sizes);
        for (size_t i = 0; i < r->out.count; i++) {
            bool again =
                i > 0 && memcmp(order[i].values, order[i - 1].values, width * sizeof *raw) == 0;
            r->out.sizes_groups += !again;
            memcpy(r->out.sizes + (r->out.sizes_groups - 1) * width, order[i].values,
                   width * sizeof *raw);
            r->out.items[order[i].point].sizes_group = r->out.sizes_groups - 1;
        }
    }
    free(order);
    free(raw);
}

/* One point of the runs that are repetitions of it. */
static void merge(reading *r) {
    double *T = malloc((r->out.count + 1) * sizeof *T);
    size_t kept = 0;
    r->status = T == NULL ? ISOCAST_NO_MEMORY : r->status;
    for (size_t begin = 0; T != NULL && begin < r->out.count;) {
        isocast_transfer_point *first = &r->out.items[begin];
        size_t end = begin;
        while (end < r->out.count && r->out.items[end].sizes_group == first->sizes_group &&
               r->out.items[end].nodes == first->nodes && r->out.items[end].p == first->p &&
               r->out.items[end].threads == first->threads) {
            T[end - begin] = r->out.items[end].T;
            end++;
        }
        gsl_sort(T, 1, end - begin);
        isocast_transfer_point point = *first;
        point.T = gsl_stats_median_from_sorted_data(T, 1, end - begin);
        point.runs = end - begin;
        r->out.items[kept++] = point;
        begin = end;
    }
    r->out.count = kept;
    free(T);
}

static void refuse_none(reading *r) {
    isocast_buffer message = {0};
    bool of_machine = r->machine_name != NULL && find_name(r, true, NULL) != NULL;
    const isocast_run *other = find_name(r, of_machine, NULL);
    if (other == NULL || (r->name == NULL && r->machine_name == NULL)) {
        isocast_buffer_puts(&message, "the first line names the columns, but there are no rows");
        refuse(r, isocast_source_line(r->runs->source, r->runs->header_begin),
               "add a row for each run", &message);
        return;
    }
    isocast_buffer_printf(
        &message, "there are no runs of %s '%s', but of '%s'", of_machine ? "machine" : "algorithm",
        of_machine ? r->machine_name : r->name, of_machine ? other->machine : other->algorithm);
    refuse(r, line_of(r, other),
           of_machine ? "--from takes the machine that the runs are of, by the name in its file"
                      : "--algorithm NAME chooses the rows",
           &message);
}

static void read_points(reading *r) {
    for (size_t i = 0; i < r->runs->count && r->status != ISOCAST_NO_MEMORY; i++) {
        if (counts(r, &r->runs->rows[i])) {
            read_point(r, &r->runs->rows[i], &r->out.items[r->out.count++]);
        }
    }
    if (r->status == ISOCAST_OK && r->out.count == 0) {
        refuse_none(r);
    }
    if (r->status == ISOCAST_OK) {
        group_sizes(r);
    }
    if (r->status != ISOCAST_OK) {
        return;
    }
    qsort(r->out.items, r->out.count, sizeof *r->out.items, by_point);
    for (size_t k = 0; k < r->runs->other_count; k++) {
        warn_of_column(r, k);
    }
    merge(r);
}

isocast_status isocast_transfer_points_read(const isocast_runs *runs,
                                            const isocast_machine *machine,
                                            const isocast_algorithm *algorithm, const char *name,
                                            isocast_diagnostics *diagnostics,
                                            isocast_transfer_points *out) {
    reading r = {.runs = runs,
                 .machine = machine,
                 .algorithm = algorithm,
                 .name = name,
                 .nodes = find_other(runs, "nodes"),
                 .threads = find_other(runs, "threads"),
                 .diagnostics = diagnostics};
    r.out.size_count = algorithm != NULL ? algorithm->size_count : 1;
    r.out.items = calloc(runs->count + 1, sizeof *r.out.items);
    r.out.sizes = calloc(runs->count * r.out.size_count + 1, sizeof *r.out.sizes);
    r.status = r.out.items == NULL || r.out.sizes == NULL ? ISOCAST_NO_MEMORY : ISOCAST_OK;
    if (r.status == ISOCAST_OK && algorithm != NULL) {
        r.status = isocast_run_columns_find(runs, algorithm, diagnostics, &r.columns);
    }
    if (r.status == ISOCAST_OK) {
        choose_names(&r);
    }
    if (r.status == ISOCAST_OK) {
        read_points(&r);
    }
    isocast_run_columns_free(&r.columns);
    if (r.status != ISOCAST_OK) {
        isocast_transfer_points_free(&r.out);
        return r.status;
    }
    *out = r.out;
    return ISOCAST_OK;
}

void isocast_transfer_points_free(isocast_transfer_points *points) {
    free(points->items);
    free(points->sizes);
    *points = (isocast_transfer_points){0};
}
