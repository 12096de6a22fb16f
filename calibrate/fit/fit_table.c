#include "fit_table.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "fit_smooth.h"
#include "machine_text.h"
#include "model/base/order.h"

/* A point of a table is left out where a line between others is as near: within a percent, or
 * a quarter of its standard error, and with an error that is the same to a half. */
static const double line_missed = 0.01;
static const double error_missed = 0.25;
static const double error_changed = 0.5;

/* Variance between launches at one size, widened by how badly it is known, over it and its
 * neighbours: it differs by a factor of a hundred between working sets within a processor's own
 * caches and in one that is shared with others, where there is time for fewer launches, too.
 * Neighbours were measured in the same launches, so they do not add to what is known. NAN where
 * each had one launch. */
static double local_variance(const fit_summary *items, size_t count, size_t at) {
    size_t begin = at > 0 ? at - 1 : 0;
    size_t end = at + 2 < count ? at + 2 : count;
    double launches = 0;
    for (size_t k = begin; k < end; k++) {
        launches = fmax(launches, (double)items[k].launches);
    }
    double freedom;
    double variance = fit_pooled_variance(items + begin, end - begin, &freedom);
    return variance * fit_few_launches(fmin(freedom, launches - 1));
}

/* One point of a table. */
typedef struct table_point {
    const fit_summary *item;
    double variance; /* of ln of its time */
} table_point;

/* Whether a size had enough launches to stand beside the others: one call of the largest, in a
 * moment when the machine was slow, would else hold for all that are larger. */
static bool is_known(const fit_summary *items, size_t count, size_t at) {
    enum { PART = 3 };
    size_t most = 0;
    for (size_t k = 0; k < count; k++) {
        most = items[k].launches > most ? items[k].launches : most;
    }
    return PART * items[at].launches >= most;
}

/* The sizes that differ, with their variances. items: shape [count], rising m; points: [count]. */
static size_t list_points(const fit_table_request *request, const fit_summary *items, size_t count,
                          table_point *points) {
    size_t listed = 0;
    for (size_t k = 0; k < count; k++) {
        /* Points must rise, and names differ. */
        bool rises = listed == 0 || round(items[k].m) > round(points[listed - 1].item->m);
        if (!rises || !is_known(items, count, k)) {
            continue;
        }
        /* Where there was no time for all sizes, one has fewer launches than others. */
        double spread = fmax(request->between, local_variance(items, count, k));
        points[listed++] =
            (table_point){&items[k], spread * request->inflation / (double)items[k].launches};
    }
    return listed;
}

/* A machine that takes half as long again for some seconds, and then does not, shows each size in
 * another mix of both: what the sizes have in common is nearer to the next run. seconds: shape
 * [count]. False where memory is short. */
static bool smooth_seconds(const table_point *points, size_t count, double *seconds) {
    double *x = malloc((3 * count + 1) * sizeof *x);
    if (x == NULL) {
        return false;
    }
    double *variances = x + count;
    double *y = x + 2 * count;
    double most = 0;
    bool known = true;
    for (size_t k = 0; k < count; k++) {
        x[k] = log2(fmax(points[k].item->m, 1));
        variances[k] = points[k].variance;
        y[k] = log(points[k].item->seconds);
        known = known && isfinite(y[k]);
        most = fmax(most, variances[k]);
    }
    for (size_t k = 0; k < count; k++) {
        variances[k] = fmax(variances[k], most / 100); /* few launches may agree by chance */
    }
    known = known && most > 0; /* one launch states no variance */
    bool smoothed = !known || fit_smooth(x, variances, count, y);
    for (size_t k = 0; k < count; k++) {
        seconds[k] = known && smoothed ? exp(y[k]) : points[k].item->seconds;
    }
    free(x);
    return smoothed;
}

/* Notes how far the table is from what was measured; the errors become means by their number. */
static void note_errors(fit_operation *operation, const table_point *points, size_t count,
                        const double *seconds) {
    for (size_t k = 0; k < count; k++) {
        double error = fabs(seconds[k] / points[k].item->seconds - 1);
        operation->mean_error += error / (double)operation->points;
        operation->max_error = fmax(operation->max_error, error);
    }
}

/* Appends the points; times and errors are in `unit`. */
static void put_points(isocast_buffer *body, const char *unit, size_t indent,
                       const table_point *points, size_t count, const double *seconds) {
    int step = 0;
    for (size_t k = 0; k < count; k++) {
        int own = machine_text_step(seconds[k], unit);
        step = k == 0 || own < step ? own : step;
    }
    machine_flow flow = machine_flow_begin(body, '{', indent);
    for (size_t k = 0; k < count; k++) {
        const machine_number number = {seconds[k], seconds[k] * sqrt(points[k].variance), unit,
                                       true};
        machine_text_size(&flow.item, points[k].item->m);
        isocast_buffer_puts(&flow.item, ": ");
        machine_text_number(&flow.item, &number, step);
        machine_flow_next(&flow);
    }
    machine_flow_end(&flow);
    isocast_buffer_puts(body, "\n");
}

/* Whether straight lines in log2 of m from point `from` to point `to` pass all points between. */
static bool is_straight(const table_point *points, const double *seconds, size_t from, size_t to) {
    double begin = log2(fmax(points[from].item->m, 1));
    double length = log2(points[to].item->m) - begin;
    double first = sqrt(points[from].variance);
    double last = sqrt(points[to].variance);
    for (size_t k = from + 1; k < to; k++) {
        double part = (log2(points[k].item->m) - begin) / length;
        double line = seconds[from] + part * (seconds[to] - seconds[from]);
        double error =
            (first * seconds[from] + part * (last * seconds[to] - first * seconds[from])) / line;
        double own = sqrt(points[k].variance);
        if (fabs(line / seconds[k] - 1) > fmax(line_missed, error_missed * own) ||
            fabs(error - own) > error_changed * own) {
            return false;
        }
    }
    return true;
}

/* Leaves out the points that the lines between the others pass; gives how many are left. A point
 * that is left out has no name of its own, and a reader has less to read. */
static size_t thin(table_point *points, double *seconds, size_t count) {
    size_t kept = 0;
    for (size_t at = 0; at < count;) {
        points[kept] = points[at];
        seconds[kept++] = seconds[at];
        size_t next = at + 1;
        while (next + 1 < count && is_straight(points, seconds, at, next + 1)) {
            next++;
        }
        at = next;
    }
    return kept;
}

/* Straight lines in log2 of m between the sizes measured. items: shape [count], rising m; their
 * seconds are in `unit`. */
static bool add_table(fit *f, const fit_table_request *request, const char *unit, size_t indent,
                      const fit_summary *items, size_t count) {
    table_point *points = malloc((count + 1) * sizeof *points);
    double *seconds = malloc((count + 1) * sizeof *seconds);
    bool added = points != NULL && seconds != NULL;
    size_t listed = added ? list_points(request, items, count, points) : 0;
    added = added && smooth_seconds(points, listed, seconds);
    if (added) {
        fit_operation *operation = &f->operations[f->operation_count];
        note_errors(operation, points, listed, seconds);
        listed = thin(points, seconds, listed);
        put_points(&operation->body, unit, indent, points, listed, seconds);
    }
    free(points);
    free(seconds);
    return added;
}

/* A launch shifts its times at all sizes together: what lies between two of them is known no better
 * than they are. */
static void put_correlation(const fit_table_request *request, fit_operation *operation) {
    if (request->between > 0) {
        isocast_buffer_printf(&operation->body, "%*scorrelation: 1\n", FIT_BODY_INDENT, "");
    }
}

isocast_status fit_kernel_table(fit *f, const fit_table_request *request, const fit_summary *items,
                                size_t count) {
    fit_operation *operation = fit_new_operation(f, request->name, true);
    if (operation == NULL) {
        return ISOCAST_NO_MEMORY;
    }
    fit_note_range(operation, items, count);
    isocast_buffer_printf(&operation->body, "%*stables:\n", FIT_BODY_INDENT, "");
    size_t tables = 0;
    for (size_t begin = 0; begin < count;) {
        size_t end = begin;
        while (end < count && items[end].p == items[begin].p) {
            end++;
        }
        isocast_buffer_printf(&operation->body, "%*s%.0f: ", FIT_BODY_INDENT + 2, "",
                              items[begin].p);
        if (!add_table(f, request, "s/flop", FIT_BODY_INDENT + 4, items + begin, end - begin)) {
            return ISOCAST_NO_MEMORY;
        }
        tables++;
        begin = end;
    }
    put_correlation(request, operation);
    snprintf(operation->form, sizeof operation->form,
             "smoothed table over the working set for each of %zu process counts", tables);
    f->operation_count++;
    return operation->body.failed ? ISOCAST_NO_MEMORY : ISOCAST_OK;
}

ISOCAST_ORDER_BY(by_size, fit_summary, x->m)

/* Puts what was measured of one size on several numbers of processes together: a launch counts the
 * same wherever it was. Shapes: [count], at least 1. */
static fit_summary put_together(const fit_summary *items, size_t count) {
    fit_summary all = items[0];
    double launches = 0;
    double seconds = 0;
    for (size_t k = 0; k < count; k++) {
        launches += (double)items[k].launches;
        seconds += items[k].seconds * (double)items[k].launches;
    }
    double freedom;
    all.launches = (size_t)launches;
    all.seconds = seconds / launches;
    all.variance = fit_pooled_variance(items, count, &freedom);
    return all;
}

/* Processes that worked on a node at once, as far as it is known. */
static double at_once(const fit_summary *item) {
    return isnan(item->p_node) ? item->p : item->p_node;
}

/* What was measured on nodes as full as any: programs work on all processors at once, which share
 * the memory. Gives how many these are. */
static size_t keep_fullest(const fit_summary *items, size_t count, fit_summary *out) {
    double most = 0;
    for (size_t k = 0; k < count; k++) {
        most = fmax(most, at_once(&items[k]));
    }
    size_t kept = 0;
    for (size_t k = 0; k < count; k++) {
        if (at_once(&items[k]) == most) {
            out[kept++] = items[k];
        }
    }
    return kept;
}

isocast_status fit_work_table(fit *f, const fit_table_request *request, const fit_summary *items,
                              size_t count) {
    fit_summary *rates = malloc(count * sizeof *rates);
    fit_operation *operation = fit_new_operation(f, request->name, false);
    if (rates == NULL || operation == NULL) {
        free(rates);
        return ISOCAST_NO_MEMORY;
    }
    count = keep_fullest(items, count, rates);
    fit_note_range(operation, rates, count);
    for (size_t k = 0; k < count; k++) {
        rates[k].m = fmax(rates[k].m, 1); /* a time per byte takes a byte */
    }
    qsort(rates, count, sizeof *rates, by_size);
    size_t sizes = 0;
    for (size_t begin = 0; begin < count;) {
        size_t end = begin;
        while (end < count && rates[end].m == rates[begin].m) {
            end++;
        }
        rates[sizes] = put_together(rates + begin, end - begin);
        rates[sizes].seconds /= rates[sizes].m;
        sizes++;
        begin = end;
    }
    isocast_buffer_printf(&operation->body, "%*stable: ", FIT_BODY_INDENT, "");
    bool added = add_table(f, request, "s/B", FIT_BODY_INDENT + 2, rates, sizes);
    free(rates);
    put_correlation(request, operation);
    snprintf(operation->form, sizeof operation->form,
             "smoothed table of the time per byte over m; does not depend on p");
    f->operation_count++;
    return added && !operation->body.failed ? ISOCAST_OK : ISOCAST_NO_MEMORY;
}
