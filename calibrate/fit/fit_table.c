#include "fit_table.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fit_smooth.h"
#include "model/base/operation_name.h"

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
    known = known && most > 0; /* one launch tells no variance */
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

static bool add_points(fit *f, fit_covariances *c, const char *prefix, const char *unit,
                       const table_point *points, size_t count, const double *seconds) {
    fit_operation *operation = &f->operations[f->operation_count];
    isocast_buffer_puts(&operation->formula, "interpolate(log2(m/(1 B))");
    for (size_t k = 0; k < count; k++) {
        char name[FIT_NAME_MOST];
        snprintf(name, sizeof name, "%.40s_%.0fB", prefix, points[k].item->m);
        long index = fit_add_parameter(f, name, unit, seconds[k], f->operation_count);
        double variance = pow(seconds[k], 2) * points[k].variance;
        if (index < 0 || !fit_add_covariance(c, (size_t)index, (size_t)index, variance)) {
            return false;
        }
        isocast_buffer_printf(&operation->formula, ", %.6g, %s", log2(fmax(points[k].item->m, 1)),
                              name);
    }
    /* interpolate() takes two points at least; one measured size holds everywhere. */
    if (count == 1) {
        isocast_buffer_printf(&operation->formula, ", %.6g, %s",
                              log2(fmax(points[0].item->m, 1)) + 1,
                              f->parameters[f->parameter_count - 1].name);
    }
    isocast_buffer_puts(&operation->formula, ")");
    return true;
}

/* Straight lines in log2 of m between the sizes measured. items: shape [count], rising m; their
 * seconds are in `unit`. */
static bool add_table(fit *f, fit_covariances *c, const fit_table_request *request,
                      const char *prefix, const char *unit, const fit_summary *items,
                      size_t count) {
    table_point *points = malloc((count + 1) * sizeof *points);
    double *seconds = malloc((count + 1) * sizeof *seconds);
    bool added = points != NULL && seconds != NULL;
    size_t listed = added ? list_points(request, items, count, points) : 0;
    added = added && smooth_seconds(points, listed, seconds) &&
            add_points(f, c, prefix, unit, points, listed, seconds);
    if (added) {
        note_errors(&f->operations[f->operation_count], points, listed, seconds);
    }
    free(points);
    free(seconds);
    return added;
}

fit_status fit_kernel_table(fit *f, fit_covariances *c, const fit_table_request *request,
                            const fit_summary *items, size_t count) {
    fit_operation *operation = fit_new_operation(f, request->name, true);
    if (operation == NULL) {
        return FIT_NO_MEMORY;
    }
    fit_note_range(operation, items, count);
    size_t tables = 0;
    for (size_t begin = 0; begin < count;) {
        size_t end = begin;
        while (end < count && items[end].p == items[begin].p) {
            end++;
        }
        /* The table of the largest p measured holds beyond it. */
        if (end < count) {
            isocast_buffer_printf(&operation->formula, "if(p <= %.0f, ", items[begin].p);
        }
        char prefix[FIT_NAME_MOST];
        snprintf(prefix, sizeof prefix, "%.16s_p%.0f", operation->name, items[begin].p);
        if (!add_table(f, c, request, prefix, "s/flop", items + begin, end - begin)) {
            return FIT_NO_MEMORY;
        }
        isocast_buffer_puts(&operation->formula, end < count ? ", " : "");
        tables++;
        begin = end;
    }
    for (size_t k = 1; k < tables; k++) {
        isocast_buffer_puts(&operation->formula, ")");
    }
    snprintf(operation->form, sizeof operation->form,
             "smoothed table over the working set for each of %zu process counts", tables);
    f->operation_count++;
    return operation->formula.failed ? FIT_NO_MEMORY : FIT_OK;
}

static int by_size(const void *left, const void *right) {
    double a = ((const fit_summary *)left)->m;
    double b = ((const fit_summary *)right)->m;
    return (a > b) - (a < b);
}

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

fit_status fit_work_table(fit *f, fit_covariances *c, const fit_table_request *request,
                          const fit_summary *items, size_t count) {
    fit_summary *rates = malloc(count * sizeof *rates);
    fit_operation *operation = fit_new_operation(f, request->name, false);
    if (rates == NULL || operation == NULL) {
        free(rates);
        return FIT_NO_MEMORY;
    }
    fit_note_range(operation, items, count);
    memcpy(rates, items, count * sizeof *rates);
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
    isocast_buffer_puts(&operation->formula, "m*");
    bool added =
        add_table(f, c, request, isocast_operation_stem(request->name), "s/B", rates, sizes);
    free(rates);
    snprintf(operation->form, sizeof operation->form,
             "smoothed table of the time per byte over m; does not depend on p");
    f->operation_count++;
    return added && !operation->formula.failed ? FIT_OK : FIT_NO_MEMORY;
}
