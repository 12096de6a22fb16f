/* What has a row a system: predictions, scalability from runs, and sizes found by measuring. */
#include <math.h>
#include <string.h>

#include "model/base/metric.h"
#include "plot_results.h"

/* Where N of the rows comes from; the scripts know these numbers. */
typedef enum source_kind {
    PREDICTED = 1,
    FOUND = 2,
    TREND = 3,
    LISTED = 4,
    SIMULATED = 5
} source_kind;

/* What the rows have, over all of them. */
typedef struct extent {
    bool by_p;        /* every row has p; else they stand over C */
    double solved;    /* rows with an N, or a T where N is held */
    double intervals; /* rows with N_low and N_high, or T_low and T_high where N is held */
    double psi_intervals;
    double base_intervals; /* rows with psi_from_base_low and psi_from_base_high */
    double psi_count;      /* psi from the row before that can be drawn */
    double psi_base;       /* likewise from the base */
    double psi_most;
    double speedups;
} extent;

enum {
    X,
    N,
    N_LOW,
    N_HIGH,
    PSI,
    PSI_LOW,
    PSI_HIGH,
    PSI_BASE,
    BASE_LOW,
    BASE_HIGH,
    T,
    T_LOW,
    T_HIGH,
    SPEEDUP,
    COLUMNS
};
static const char header[] = "x,N,N_low,N_high,psi,psi_low,psi_high,psi_from_base,base_low,base_"
                             "high,T,T_low,T_high,speedup\n";

/* Marked speeds are drawn in Gflop/s. */
static const double giga = 1e9;

static double nonnegative(double value) {
    return value >= 0 && value < 1e12 ? value : NAN;
}

/* Leaves an interval out that is not known at both ends; else true. */
static bool keep_interval(double value, double *low, double *high) {
    bool known = !isnan(value + *low + *high);
    if (!known) {
        *low = *high = NAN;
    }
    return known;
}

static void put_row(const json_t *row, bool held_size, extent *e, plot_data *data) {
    double x = e->by_p ? plot_number_of(row, "p") : plot_number_of(row, "C") / giga;
    if (isnan(plot_positive(x))) {
        return;
    }
    double v[COLUMNS] = {[X] = x,
                         [N] = plot_positive(plot_number_of(row, "N")),
                         [N_LOW] = plot_positive(plot_number_of(row, "N_low")),
                         [N_HIGH] = plot_positive(plot_number_of(row, "N_high")),
                         [PSI] = nonnegative(plot_number_of(row, "psi")),
                         [PSI_LOW] = nonnegative(plot_number_of(row, "psi_low")),
                         [PSI_HIGH] = nonnegative(plot_number_of(row, "psi_high")),
                         [PSI_BASE] = nonnegative(plot_number_of(row, "psi_from_base")),
                         [BASE_LOW] = nonnegative(plot_number_of(row, "psi_from_base_low")),
                         [BASE_HIGH] = nonnegative(plot_number_of(row, "psi_from_base_high")),
                         [T] = plot_positive(plot_number_of(row, "T")),
                         [T_LOW] = plot_positive(plot_number_of(row, "T_low")),
                         [T_HIGH] = plot_positive(plot_number_of(row, "T_high")),
                         [SPEEDUP] = plot_positive(plot_number_of(row, "speedup"))};
    bool N_known = keep_interval(v[N], &v[N_LOW], &v[N_HIGH]);
    bool T_known = keep_interval(v[T], &v[T_LOW], &v[T_HIGH]);
    e->psi_intervals += keep_interval(v[PSI], &v[PSI_LOW], &v[PSI_HIGH]);
    e->base_intervals += keep_interval(v[PSI_BASE], &v[BASE_LOW], &v[BASE_HIGH]);
    double value = held_size ? v[T] : v[N];
    const char *status = plot_text_of(row, "status");
    plot_widen(data, x);
    if (isnan(value) || !plot_is_solved(status)) {
        plot_mark(data, x, status);
    }
    e->solved += !isnan(value);
    e->intervals += held_size ? T_known : N_known;
    e->psi_count += !isnan(v[PSI]);
    e->psi_base += !isnan(v[PSI_BASE]);
    e->psi_most =
        fmax(e->psi_most, fmax(fmax(v[PSI], v[PSI_HIGH]), fmax(v[PSI_BASE], v[BASE_HIGH])));
    e->speedups += !isnan(v[SPEEDUP]);
    plot_row(&data->points, v, COLUMNS);
}

static bool all_have_p(const json_t *rows) {
    size_t i;
    const json_t *row;
    json_array_foreach(rows, i, row) {
        if (isnan(plot_positive(plot_number_of(row, "p")))) {
            return false;
        }
    }
    return true;
}

static void put_rows(const json_t *root, source_kind kind, bool held_size, plot_data *data) {
    const json_t *rows = json_object_get(root, "rows");
    const json_t *base = json_object_get(root, "base");
    extent e = {.by_p = all_have_p(rows)};
    isocast_buffer_puts(&data->points, header);
    if (json_is_object(base)) {
        put_row(base, held_size, &e, data);
    }
    size_t i;
    const json_t *row;
    json_array_foreach(rows, i, row) {
        put_row(row, held_size, &e, data);
    }
    data->script = held_size ? "scaling.gp" : "prediction.gp";
    plot_variable(data, "source", kind);
    plot_variable(data, "by_p", e.by_p);
    plot_variable(data, "solved", e.solved);
    plot_variable(data, "intervals", e.intervals);
    plot_variable(data, "psi_intervals", e.psi_intervals);
    plot_variable(data, "base_intervals", e.base_intervals);
    double level = plot_number_of(root, "level");
    plot_variable(data, "level", isnan(level) ? 90 : 100 * level);
    plot_variable(data, "psi_count", e.psi_count);
    plot_variable(data, "psi_base", e.psi_base);
    plot_variable(data, "psi_high", 1.05 * fmax(1, e.psi_most));
    plot_variable(data, "speedups", e.speedups);
}

/* A table of CSV has no head: it is called by its file. */
static const char *subject_of(const json_t *root) {
    const char *file = plot_text_of(root, "file");
    return file[0] != '\0' ? file : plot_text_of(root, "algorithm");
}

static const char *place_of(const json_t *root, isocast_buffer *text) {
    const char *machine = plot_text_of(root, "machine");
    isocast_buffer_printf(text, "%s%s", machine[0] != '\0' ? " on " : "", machine);
    return text->text != NULL ? text->text : "";
}

/* What is held, and where: ", predicted, speed-efficiency held at 0.3". */
static void title_held(const json_t *root, const char *place, const char *how, double target,
                       plot_data *data) {
    isocast_metric metric = ISOCAST_METRIC_ISOSPEED_E;
    isocast_metric_find(plot_text_of(root, "metric"), &metric);
    isocast_buffer value = {0};
    isocast_metric_format(metric, target, 4, &value);
    plot_title(data, "%s%s: %s, %s held at %s", subject_of(root), place, how,
               isocast_metric_row_of(metric)->held, value.text != NULL ? value.text : "");
    isocast_buffer_free(&value);
}

/* Whether a table's rows all have one N and none has a psi. */
static bool table_holds_size(const json_t *rows) {
    double first = plot_number_of(json_array_get(rows, 0), "N");
    size_t i;
    const json_t *row;
    json_array_foreach(rows, i, row) {
        if (!(plot_number_of(row, "N") == first) || !isnan(plot_number_of(row, "psi"))) {
            return false;
        }
    }
    return true;
}

void plot_read_prediction(const json_t *root, plot_data *data) {
    isocast_buffer place = {0};
    const json_t *rows = json_object_get(root, "rows");
    const char *held = plot_text_of(root, "held");
    const char *size = plot_text_of(root, "size");
    double target = plot_number_of(root, "target");
    bool is_table = plot_text_of(root, "file")[0] != '\0';
    bool held_size = is_table          ? table_holds_size(rows)
                     : held[0] != '\0' ? strcmp(held, "size") == 0
                                       : isnan(target);
    if (held_size) {
        plot_title(data, "%s%s: predicted at %s = %g", subject_of(root), place_of(root, &place),
                   size[0] != '\0' ? size : "N", plot_number_of(json_array_get(rows, 0), "N"));
    } else if (isnan(target)) {
        plot_title(data, "%s%s: predicted", subject_of(root), place_of(root, &place));
    } else {
        title_held(root, place_of(root, &place), "predicted", target, data);
    }
    if (!plot_matrix(root, data)) {
        put_rows(root, PREDICTED, held_size, data);
    }
    isocast_buffer_free(&place);
}

void plot_read_scalability(const json_t *root, plot_data *data) {
    double efficiency = plot_number_of(root, "efficiency");
    bool is_table = plot_text_of(root, "file")[0] != '\0';
    const char *runs = plot_file_name(plot_text_of(root, is_table ? "file" : "runs"));
    if (is_table) {
        plot_title(data, "%s: scalability", runs);
    } else if (isnan(efficiency)) {
        plot_title(data, "Scalability with the work of %s, N as listed in %s", subject_of(root),
                   runs);
    } else {
        plot_title(data, "Scalability with the work of %s at E = %.4g, by the runs of %s",
                   subject_of(root), efficiency, runs);
    }
    if (!plot_matrix(root, data)) {
        put_rows(root, isnan(efficiency) && !is_table ? LISTED : TREND, false, data);
        plot_readings(root, data);
    }
}

void plot_read_found(const json_t *root, plot_data *data) {
    isocast_buffer place = {0};
    double target = plot_number_of(root, "target");
    bool simulated = json_is_true(json_object_get(root, "simulated"));
    const char *how = simulated ? "simulated" : "measured";
    if (isnan(target)) {
        plot_title(data, "%s%s: %s", subject_of(root), place_of(root, &place), how);
    } else {
        title_held(root, place_of(root, &place), how, target, data);
    }
    put_rows(root, simulated ? SIMULATED : FOUND, false, data);
    isocast_buffer_free(&place);
}
