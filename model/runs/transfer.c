#include "transfer.h"

#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "calm.h"
#include "model/base/median.h"
#include "model/base/order.h"
#include "model/spec/algorithm.h"
#include "model/spec/marked_speed.h"
#include "model/spec/system.h"
#include "run_columns.h"
#include "runs.h"

/* Runs of the same sizes on as many nodes and processors. */
typedef struct isocast_transfer_point {
    const isocast_run *run; /* one of them */
    size_t sizes_group;     /* the same for points of the same sizes */
    double nodes;
    double p;       /* processes */
    double threads; /* of a process */
    double T;       /* s, the median */
    size_t runs;
} isocast_transfer_point;

typedef struct isocast_transfer_points {
    isocast_transfer_point *items; /* [count] */
    size_t count;
    double *sizes; /* [sizes_groups][size_count], the algorithm's first size, or N, before others */
    size_t sizes_groups, size_count;
} isocast_transfer_points;

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

/* Rows of several programs, or of several machines, are distinguished by their names alone; one
 * name may be another than the file has for the same thing. */
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
           "leave the row out, or correct the file of the machine that the runs are of", &message);
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

static void free_transfer_points(isocast_transfer_points *points) {
    free(points->items);
    free(points->sizes);
    *points = (isocast_transfer_points){0};
}

/* Reads the runs of a machine of one node class. Columns that count beside N, T and p: `nodes` and
 * `threads` of a process (one without such a column), and the sizes of `algorithm`, which may be
 * NULL. name: the rows that count, by the column algorithm; NULL: as in isocast_validate. Of
 * several machines in the column of that name those of `machine` count. Errors: INVALID with
 * diagnostics (no row, rows of several algorithms or of other machines, no p, more processes than
 * there are processors), NO_MEMORY. */
static isocast_status read_transfer_points(const isocast_runs *runs, const isocast_machine *machine,
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
        free_transfer_points(&r.out);
        return r.status;
    }
    *out = r.out;
    return ISOCAST_OK;
}

/* Of ln T: how far transfers were off beyond what the unknown shares explain. Processors of a few
 * years later differ in more than data sheets say, so the variance grows with the step between both
 * machines, like that of a sum of small ones: error^2 (likeness + |ln(T there/T here)|), numbers of
 * docs/how-to/transfer.md. */
static const double step_error = 0.21;
static const double likeness = 0.1; /* the step between nodes of the same data sheet */
/* A run on fewer processors than a full node says something of its memory from this ratio on. */
static const double sparse_ratio = 1.5;
enum { LAW_POINTS = 4, LAW_ALL_PAIRS = 100, LAW_STEPS = 10000000, REST_KINDS = 3 };

/* Full nodes at one number of nodes and one size. */
typedef struct station {
    isocast_transfer_point point;
    double u;    /* full nodes that have as many processors as are used */
    double T;    /* s, between the run and the law of the runs of this size */
    double x, y; /* ln u, ln(u T) of the run */
    double off;  /* ln of the run over the law, halved */
    double node; /* s of T that more nodes shorten */
    size_t sizes_group;
} station;

typedef struct transferring {
    const isocast_transfer_request *request;
    const isocast_node_class *here, *there;
    isocast_diagnostics *diagnostics;
    isocast_transfer_points points;
    station *stations; /* [count] */
    size_t count;
    double share_sum; /* of the evidence */
    isocast_transfer *out;
} transferring;

static isocast_status refuse_machine(const isocast_machine *machine, const char *hint,
                                     isocast_diagnostics *diagnostics, const char *message) {
    const isocast_tree_entry *nodes = isocast_tree_find(&machine->tree->root, "nodes");
    size_t which = machine->class_count > 1 ? 1 : 0;
    isocast_span place = nodes != NULL && which < nodes->value.count
                             ? nodes->value.entries[which].key.span
                             : machine->tree->root.span;
    return isocast_diagnostics_refuse(diagnostics, machine->tree->source, place, hint, message);
}

static isocast_status check_site(const isocast_transfer_site *site,
                                 isocast_diagnostics *diagnostics) {
    const isocast_machine *machine = site->machine;
    if (machine->class_count != 1) {
        return refuse_machine(machine, "write a file with the nodes that the runs are about",
                              diagnostics, "a transfer takes machines whose nodes are all alike");
    }
    if (isnan(machine->classes[0].memory_bandwidth)) {
        return refuse_machine(
            machine,
            "add memory_bandwidth, such as 119.4 GB/s for 2 sockets of 4 channels "
            "of 8 B at 1866 MT/s; for both machines the peak, or what STREAM "
            "measures",
            diagnostics, "this node class has no memory_bandwidth");
    }
    return ISOCAST_OK;
}

/* ln(T u) over ln u as a straight line with the least sum of absolute deviations, through two of
 * the points; gives its value at a point. */
typedef struct line {
    double x, y, slope; /* a point of it */
} line;

static double deviation(const station *s, size_t count, const line *l) {
    double sum = 0;
    for (size_t i = 0; i < count; i++) {
        sum += fabs(s[i].y - l->y - l->slope * (s[i].x - l->x));
    }
    return sum;
}

static void try_line(const station *s, size_t count, size_t i, size_t k, line *best,
                     double *least) {
    if (s[k].x == s[i].x) {
        return;
    }
    line l = {s[i].x, s[i].y, (s[k].y - s[i].y) / (s[k].x - s[i].x)};
    double sum = deviation(s, count, &l);
    if (sum < *least * (1 - 1e-12)) {
        *least = sum;
        *best = l;
    }
}

/* Through all pairs, or of many points through some that lie half of them apart. */
static double find_line(const station *s, size_t count, line *best) {
    double least = INFINITY;
    size_t half = count / 2;
    size_t step = 1 + half / (LAW_STEPS / (count + 1) + 1);
    if (count > LAW_ALL_PAIRS) {
        for (size_t i = 0; i + half < count; i += step) {
            try_line(s, count, i, i + half, best, &least);
        }
        return least;
    }
    for (size_t i = 0; i < count; i++) {
        for (size_t k = i + 1; k < count; k++) {
            try_line(s, count, i, k, best, &least);
        }
    }
    return least;
}

/* What is odd at one number of nodes does not go to another machine: of a run's distance from the
 * law of its size, half counts. */
static void smooth(station *s, size_t count) {
    for (size_t i = 0; i < count; i++) {
        s[i].x = log(s[i].u);
        s[i].y = log(s[i].u * s[i].point.T);
    }
    line best = {0};
    bool lawful = count >= LAW_POINTS && isfinite(find_line(s, count, &best));
    for (size_t i = 0; i < count; i++) {
        s[i].off = lawful ? (s[i].y - best.y - best.slope * (s[i].x - best.x)) / 2 : 0;
        s[i].T = s[i].point.T * exp(-s[i].off);
    }
}

/* The part of T that shrinks with the nodes, from the best that fewer nodes did. */
static void part(station *s, size_t count) {
    double least = INFINITY; /* s of full nodes */
    for (size_t i = 0; i < count; i++) {
        least = fmin(least, s[i].u * s[i].T);
        s[i].node = fmin(least / s[i].u, s[i].T);
    }
}

/* One station for each number of nodes: the most processors there, and the fastest way to use them.
 */
static void find_stations(transferring *t) {
    const isocast_transfer_points *p = &t->points;
    for (size_t i = 0; i < p->count; i++) {
        const isocast_transfer_point *point = &p->items[i];
        station *last = t->count > 0 ? &t->stations[t->count - 1] : NULL;
        bool again = last != NULL && last->sizes_group == point->sizes_group &&
                     last->point.nodes == point->nodes;
        double used = point->p * point->threads;
        if (again && used == last->point.p * last->point.threads && last->point.T < point->T) {
            continue;
        }
        t->count += !again;
        t->stations[t->count - 1] = (station){
            .point = *point, .u = used / t->here->processors, .sizes_group = point->sizes_group};
    }
    for (size_t begin = 0; begin < t->count;) {
        size_t end = begin;
        while (end < t->count && t->stations[end].sizes_group == t->stations[begin].sizes_group) {
            end++;
        }
        smooth(t->stations + begin, end - begin);
        part(t->stations + begin, end - begin);
        begin = end;
    }
}

/* Fewer processes on as many nodes: what is bound by memory takes as long, and the rest of the
 * node's time longer by their ratio. */
static void find_evidence(transferring *t) {
    size_t at = 0;
    for (size_t i = 0; i < t->points.count; i++) {
        const isocast_transfer_point *point = &t->points.items[i];
        while (t->stations[at].sizes_group != point->sizes_group ||
               t->stations[at].point.nodes != point->nodes) {
            at++;
        }
        const station *full = &t->stations[at];
        double fewer = full->point.p * full->point.threads / (point->p * point->threads);
        double rest = 1 - full->node / full->T;
        if (fewer >= sparse_ratio && rest < 1) {
            double longer = (point->T / full->point.T - rest) / (1 - rest);
            t->share_sum += fmin(1, fmax(0, (fewer - longer) / (fewer - 1)));
            t->out->evidence++;
        }
    }
    /* Each pair of runs counts as much as what was known before of one kind. */
    double memory = (1 + t->share_sum) / (ISOCAST_TRANSFER_KINDS + (double)t->out->evidence);
    for (size_t k = 0; k < ISOCAST_TRANSFER_KINDS; k++) {
        t->out->weights[k] =
            k == ISOCAST_TRANSFER_MEMORY ? memory : (1 - memory) / (ISOCAST_TRANSFER_KINDS - 1);
    }
}

static double ratio_or_one(double a, double b) {
    return isnan(a) || isnan(b) ? 1 : a / b;
}

/* What a byte and a message take there over here; 1 where a file says nothing of it. */
static double network_rate(const transferring *t) {
    const isocast_network *here = t->request->from.network;
    const isocast_network *there = t->request->to.network;
    return here != NULL && there != NULL ? here->link_bandwidth / there->link_bandwidth : 1;
}

static double network_latency(const transferring *t) {
    const isocast_network *here = t->request->from.network;
    const isocast_network *there = t->request->to.network;
    bool known = here != NULL && there != NULL && here->link_latency > 0 && there->link_latency > 0;
    return known ? there->link_latency / here->link_latency : 1;
}

static void find_ratios(transferring *t) {
    const isocast_transfer_request *r = t->request;
    double processors = t->here->processors / t->there->processors;
    double clock = ratio_or_one(t->here->frequency, t->there->frequency);
    double *ratios = t->out->ratios;
    t->out->has_clock = !isnan(t->here->frequency) && !isnan(t->there->frequency);
    t->out->has_network = r->from.network != NULL && r->to.network != NULL;
    ratios[ISOCAST_TRANSFER_MEMORY] = t->here->memory_bandwidth / t->there->memory_bandwidth;
    ratios[ISOCAST_TRANSFER_CACHES] = ratios[ISOCAST_TRANSFER_ISSUE] = processors * clock;
    ratios[ISOCAST_TRANSFER_VECTORS] = processors * t->here->marked_speed / t->there->marked_speed;
}

/* No two machines are that far apart, and beyond it products of ratios have no value. */
static bool is_ratio(double ratio) {
    return ratio >= 1e-50 && ratio <= 1e50;
}

static isocast_status check_ratios(const transferring *t) {
    bool near = is_ratio(network_rate(t)) && is_ratio(network_latency(t));
    for (size_t k = 0; k < ISOCAST_TRANSFER_KINDS; k++) {
        near = near && is_ratio(t->out->ratios[k]);
    }
    return near ? ISOCAST_OK
                : refuse_machine(t->request->to.machine,
                                 "look at the units of speed, frequency, memory_bandwidth and the "
                                 "network in both files",
                                 t->diagnostics,
                                 "this machine is more than 1e50 times as fast as the one that the "
                                 "runs are of, or as slow");
}

/* Mean and variance of ln of a ratio whose parts go by several, in shares that are drawn of what is
 * known of them: `known` counts as many. */
typedef struct moments {
    double mean, variance;
} moments;

static moments mix(const double *weights, const double *ratios, size_t count, double known) {
    moments m = {0, 0};
    double square = 0;
    for (size_t k = 0; k < count; k++) {
        m.mean += weights[k] * log(ratios[k]);
        square += weights[k] * log(ratios[k]) * log(ratios[k]);
    }
    m.variance = fmax(0, square - m.mean * m.mean) / (known + 1);
    return m;
}

/* What more nodes do not shorten goes by the node, by the rate of its link, and by latencies, of
 * which there are the more the more processes there are. */
static moments rest_of(const transferring *t, double node, double processes) {
    static const double thirds[REST_KINDS] = {1. / REST_KINDS, 1. / REST_KINDS, 1. / REST_KINDS};
    const double ratios[REST_KINDS] = {exp(node), network_rate(t), network_latency(t) * processes};
    return mix(thirds, ratios, REST_KINDS, REST_KINDS);
}

static void carry_over(const transferring *t, const station *s, isocast_transfer_row *row) {
    const isocast_transfer *out = t->out;
    const isocast_transfer_point *point = &s->point;
    double filled = s->u / point->nodes;
    double p = round(filled * t->there->processors * point->nodes / point->threads);
    row->sizes = out->sizes + s->sizes_group * out->size_count;
    row->nodes = point->nodes;
    row->p_here = point->p;
    row->p = fmax(1, p);
    row->T_here = point->T;
    if (point->nodes > t->there->count) {
        row->status = ISOCAST_TRANSFER_BEYOND;
        return;
    }
    moments node = mix(out->weights, out->ratios, ISOCAST_TRANSFER_KINDS,
                       ISOCAST_TRANSFER_KINDS + (double)out->evidence);
    moments rest = rest_of(t, node.mean, row->p / row->p_here);
    double T_node = s->node * exp(node.mean);
    double T_rest = (s->T - s->node) * exp(rest.mean);
    row->T = T_node + T_rest;
    row->rest = T_rest / row->T;
    double step = likeness + fabs(log(row->T / row->T_here));
    double variance = pow(1 - row->rest, 2) * node.variance + pow(row->rest, 2) * rest.variance +
                      step_error * step_error * step + s->off * s->off;
    double factor = exp(ISOCAST_NORMAL_95 * sqrt(variance));
    row->T_low = row->T / factor;
    row->T_high = row->T * factor;
    row->T_by_memory = row->T_here * out->ratios[ISOCAST_TRANSFER_MEMORY];
    row->T_by_speed = row->T_here * out->ratios[ISOCAST_TRANSFER_VECTORS];
}

/* flop/s of the processors that a row uses; threads are of processes here. */
static double speed_of(const transferring *t, const isocast_node_class *class, double processes,
                       double threads) {
    const char *kernel = isocast_work_algorithm(t->request->work)->kernel;
    return processes * threads * isocast_marked_speed_of(class, kernel);
}

static isocast_status find_efficiencies(const transferring *t) {
    for (size_t i = 0; i < t->count; i++) {
        isocast_transfer_row *row = &t->out->rows[i];
        double threads = t->stations[i].point.threads;
        double C_here = speed_of(t, t->here, row->p_here, threads);
        double C = speed_of(t, t->there, row->p, threads);
        isocast_status status =
            isocast_work_evaluate(t->request->work, row->sizes, row->sizes + 1, 1, &row->W);
        if (status != ISOCAST_OK) {
            return status;
        }
        row->E_here = row->W / (row->T_here * C_here);
        row->E = row->W / (row->T * C);
        row->E_low = row->W / (row->T_high * C);
        row->E_high = row->W / (row->T_low * C);
    }
    return ISOCAST_OK;
}

/* A row among those that differ from it in the first size alone. */
typedef struct along {
    isocast_transfer_row *row;
    size_t further; /* sizes beside the first */
    double best[3]; /* the largest E, E_low and E_high up to here */
} along;

static int by_family(const along *a, const along *b) {
    int order = isocast_order(a->row->nodes, b->row->nodes);
    for (size_t k = 1; order == 0 && k <= a->further; k++) {
        order = isocast_order(a->row->sizes[k], b->row->sizes[k]);
    }
    return order;
}

static int by_first_size(const void *left, const void *right) {
    int order = by_family(left, right);
    const along *a = left;
    const along *b = right;
    return order != 0 ? order : isocast_order(a->row->sizes[0], b->row->sizes[0]);
}

/* The first size that has an E, on a straight line of ln E over ln N between two of the runs'; NAN
 * beyond them. */
static double size_at(const along *a, size_t count, size_t which, double E) {
    static const double rounding = 1e-12;
    size_t low = 0;
    size_t high = count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        bool reached = a[middle].best[which] >= E * (1 - rounding);
        high = reached ? middle : high;
        low = reached ? low : middle + 1;
    }
    if (low == count || (low == 0 && a[0].best[which] > E * (1 + rounding))) {
        return NAN;
    }
    if (low == 0) {
        return a[0].row->sizes[0];
    }
    double before = a[low - 1].best[which];
    double share = log(E / before) / log(a[low].best[which] / before);
    return a[low - 1].row->sizes[0] * pow(a[low].row->sizes[0] / a[low - 1].row->sizes[0], share);
}

static isocast_status find_sizes_among(const transferring *t, along *a, size_t count) {
    for (size_t i = 0; i < count; i++) {
        const isocast_transfer_row *row = a[i].row;
        const double E[3] = {row->E, row->E_low, row->E_high};
        for (size_t k = 0; k < 3; k++) {
            a[i].best[k] = i > 0 && !(E[k] > a[i - 1].best[k]) ? a[i - 1].best[k] : E[k];
        }
    }
    isocast_status status = ISOCAST_OK;
    for (size_t i = 0; status == ISOCAST_OK && i < count; i++) {
        isocast_transfer_row *row = a[i].row;
        row->N = size_at(a, count, 0, row->E_here);
        row->N_low = size_at(a, count, 2, row->E_here);
        row->N_high = size_at(a, count, 1, row->E_here);
        if (!isnan(row->N)) {
            double W = NAN;
            status = isocast_work_evaluate(t->request->work, &row->N, row->sizes + 1, 1, &W);
            /* C'/C is E T/W on both sides. */
            row->psi = row->E_here * row->T_here / (row->E * row->T) * row->W / W;
        }
    }
    return status;
}

static isocast_status find_sizes(const transferring *t) {
    along *a = calloc(t->count + 1, sizeof *a);
    if (a == NULL) {
        return ISOCAST_NO_MEMORY;
    }
    size_t count = 0;
    for (size_t i = 0; i < t->count; i++) {
        if (t->out->rows[i].status == ISOCAST_TRANSFER_OK) {
            a[count++] = (along){.row = &t->out->rows[i], .further = t->out->size_count - 1};
        }
    }
    qsort(a, count, sizeof *a, by_first_size);
    isocast_status status = ISOCAST_OK;
    for (size_t begin = 0; status == ISOCAST_OK && begin < count;) {
        size_t end = begin;
        while (end < count && by_family(&a[begin], &a[end]) == 0) {
            end++;
        }
        status = find_sizes_among(t, a + begin, end - begin);
        begin = end;
    }
    free(a);
    return status;
}

static const isocast_transfer_row unknown = {.T = NAN,
                                             .T_low = NAN,
                                             .T_high = NAN,
                                             .rest = NAN,
                                             .T_by_memory = NAN,
                                             .T_by_speed = NAN,
                                             .W = NAN,
                                             .E_here = NAN,
                                             .E = NAN,
                                             .E_low = NAN,
                                             .E_high = NAN,
                                             .N = NAN,
                                             .N_low = NAN,
                                             .N_high = NAN,
                                             .psi = NAN};

static isocast_status compute(transferring *t) {
    isocast_transfer *out = t->out;
    t->stations = calloc(t->points.count + 1, sizeof *t->stations);
    out->rows = calloc(t->points.count + 1, sizeof *out->rows);
    if (t->stations == NULL || out->rows == NULL) {
        return ISOCAST_NO_MEMORY;
    }
    out->sizes = t->points.sizes;
    t->points.sizes = NULL;
    out->size_count = t->points.size_count;
    find_stations(t);
    find_evidence(t);
    find_ratios(t);
    isocast_status status = check_ratios(t);
    if (status != ISOCAST_OK) {
        return status;
    }
    out->count = t->count;
    for (size_t i = 0; i < t->count; i++) {
        out->rows[i] = unknown;
        carry_over(t, &t->stations[i], &out->rows[i]);
    }
    if (t->request->work == NULL) {
        return ISOCAST_OK;
    }
    status = find_efficiencies(t);
    return status == ISOCAST_OK ? find_sizes(t) : status;
}

isocast_status isocast_transfer_compute(const isocast_transfer_request *request,
                                        isocast_diagnostics *diagnostics, isocast_transfer **out) {
    if (!request->runs->has_times) {
        return ISOCAST_ARGUMENT;
    }
    isocast_status from = check_site(&request->from, diagnostics);
    isocast_status status = check_site(&request->to, diagnostics);
    if (from != ISOCAST_OK || status != ISOCAST_OK) {
        return from != ISOCAST_OK ? from : status;
    }
    transferring t = {.request = request,
                      .here = &request->from.machine->classes[0],
                      .there = &request->to.machine->classes[0],
                      .diagnostics = diagnostics,
                      .out = calloc(1, sizeof *t.out)};
    status = t.out == NULL
                 ? ISOCAST_NO_MEMORY
                 : read_transfer_points(
                       request->runs, request->from.machine,
                       request->work != NULL ? isocast_work_algorithm(request->work) : NULL,
                       request->algorithm, diagnostics, &t.points);
    if (status == ISOCAST_OK) {
        status = compute(&t);
    }
    free_transfer_points(&t.points);
    free(t.stations);
    if (status != ISOCAST_OK) {
        isocast_transfer_free(t.out);
        return status;
    }
    *out = t.out;
    return ISOCAST_OK;
}

void isocast_transfer_free(isocast_transfer *transfer) {
    if (transfer == NULL) {
        return;
    }
    free(transfer->rows);
    free(transfer->sizes);
    free(transfer);
}
