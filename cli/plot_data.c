#include "plot_data.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "exit.h"
#include "load.h"
#include "number.h"
#include "plot_residuals.h"
#include "runs.h"

static double number_of(const json_t *object, const char *key) {
    const json_t *value = json_object_get(object, key);
    return json_is_number(value) ? json_number_value(value) : NAN;
}

static const char *text_of(const json_t *object, const char *key) {
    const char *text = json_string_value(json_object_get(object, key));
    return text != NULL ? text : "";
}

/* A name without what parts words and cells. */
static void put_name(isocast_buffer *out, const char *name) {
    for (; *name != '\0'; name++) {
        bool parting = *name == ' ' || *name == ',' || *name == '"';
        isocast_buffer_append(out, parting ? "_" : name, 1);
    }
}

/* A number, or gnuplot's NaN, as the last or a further cell. */
static void put_number(isocast_buffer *out, double value) {
    isocast_buffer_puts(out, ",");
    if (isfinite(value)) {
        cli_number_format(value, out);
    } else {
        isocast_buffer_puts(out, "NaN");
    }
}

static void widen(plot_data *data, double x) {
    if (isfinite(x) && x > 0) {
        data->x_low = data->x_low > 0 ? fmin(data->x_low, x) : x;
        data->x_high = fmax(data->x_high, x);
    }
}

/* A margin on both sides of a logarithmic axis. */
static void finish_axis(plot_data *data) {
    data->x_low /= 1.2;
    data->x_high *= 1.2;
}

static void add_system(plot_data *data, const char *name, double p, bool oversubscribed) {
    isocast_buffer_puts(&data->systems, data->systems.length > 0 ? " " : "");
    put_name(&data->systems, name);
    isocast_buffer_puts(&data->labels, data->labels.length > 0 ? " " : "");
    char number[32];
    snprintf(number, sizeof number, "%g", p);
    if (strcmp(number, name) == 0) {
        isocast_buffer_printf(&data->labels, "p=%s", number);
    } else {
        put_name(&data->labels, name);
    }
    isocast_buffer_puts(&data->labels, oversubscribed ? "(oversubscribed)" : "");
}

/* Whether a row's system was seen in an earlier row. */
static bool is_repeated(const json_t *rows, size_t index) {
    for (size_t i = 0; i < index; i++) {
        if (strcmp(text_of(json_array_get(rows, i), "system"),
                   text_of(json_array_get(rows, index), "system")) == 0) {
            return true;
        }
    }
    return false;
}

/* psi to each system from the one before. */
static void read_routes(const json_t *root, plot_data *data) {
    static const char *const routes[] = {"psi", "psi_direct", "psi_predicted"};
    isocast_buffer_puts(&data->routes, "system,computed,direct,predicted\n");
    const json_t *systems = json_object_get(root, "systems");
    for (size_t i = 1; i < json_array_size(systems); i++) {
        const json_t *system = json_array_get(systems, i);
        put_name(&data->routes, text_of(system, "system"));
        for (size_t route = 0; route < sizeof routes / sizeof routes[0]; route++) {
            double psi = number_of(system, routes[route]);
            put_number(&data->routes, psi);
            /* Routes are for comparing: a prediction alone has nothing beside it. */
            data->has_routes = data->has_routes || (isfinite(psi) && route < 2);
        }
        isocast_buffer_puts(&data->routes, "\n");
    }
}

static void read_validation(const json_t *root, plot_data *data) {
    data->script = "validation.gp";
    const json_t *machine = json_object_get(json_object_get(root, "provenance"), "machine");
    bool simulated = json_is_true(json_object_get(machine, "simulated"));
    isocast_buffer_printf(&data->title, "%s on %s%s: predicted against measured",
                          text_of(root, "algorithm"), text_of(root, "machine"),
                          simulated ? " (simulated)" : "");
    isocast_buffer_puts(&data->points, "system,N,T,T_min,T_max,E,E_min,E_max\n");
    isocast_buffer_puts(&data->curves, "system,N,T,E\n");
    const json_t *rows = json_object_get(root, "rows");
    for (size_t i = 0; i < json_array_size(rows); i++) {
        const json_t *row = json_array_get(rows, i);
        if (!is_repeated(rows, i)) {
            add_system(data, text_of(row, "system"), number_of(row, "p"),
                       json_is_true(json_object_get(row, "oversubscribed")));
        }
        double T = number_of(row, "T");
        double E = number_of(row, "E");
        double T_min = number_of(row, "T_min");
        double T_max = number_of(row, "T_max");
        put_name(&data->points, text_of(row, "system"));
        put_number(&data->points, number_of(row, "N"));
        put_number(&data->points, T);
        put_number(&data->points, T_min);
        put_number(&data->points, T_max);
        put_number(&data->points, E);
        put_number(&data->points, E * T / T_max);
        put_number(&data->points, E * T / T_min);
        isocast_buffer_puts(&data->points, "\n");
        widen(data, number_of(row, "N"));
    }
    read_routes(root, data);
    const json_t *curves = json_object_get(root, "curves");
    for (size_t i = 0; i < json_array_size(curves); i++) {
        const json_t *curve = json_array_get(curves, i);
        const json_t *N = json_object_get(curve, "N");
        for (size_t k = 0; k < json_array_size(N); k++) {
            put_name(&data->curves, text_of(curve, "system"));
            put_number(&data->curves, json_number_value(json_array_get(N, k)));
            put_number(&data->curves,
                       json_number_value(json_array_get(json_object_get(curve, "T"), k)));
            put_number(&data->curves,
                       json_number_value(json_array_get(json_object_get(curve, "E"), k)));
            isocast_buffer_puts(&data->curves, "\n");
        }
    }
}

static void put_prediction_row(plot_data *data, const json_t *row) {
    static const char *const columns[] = {"p", "N",   "N_low",         "N_high",
                                          "T", "psi", "psi_from_base", "speedup"};
    put_name(&data->points, text_of(row, "system"));
    for (size_t i = 0; i < sizeof columns / sizeof columns[0]; i++) {
        put_number(&data->points, number_of(row, columns[i]));
    }
    isocast_buffer_puts(&data->points, "\n");
    data->has_interval = data->has_interval || isfinite(number_of(row, "N_low"));
    widen(data, number_of(row, "p"));
}

static void read_prediction(const json_t *root, plot_data *data) {
    double target = number_of(root, "target");
    const json_t *rows = json_object_get(root, "rows");
    data->script = isnan(target) ? "scaling.gp" : "prediction.gp";
    isocast_buffer_printf(&data->title, "%s on %s", text_of(root, "algorithm"),
                          text_of(root, "machine"));
    if (isnan(target)) {
        isocast_buffer_printf(&data->title, ": N = %g", number_of(json_array_get(rows, 0), "N"));
    } else {
        isocast_buffer_printf(&data->title, ": speed-efficiency held at %.4g", target);
    }
    isocast_buffer_puts(&data->points, "system,p,N,N_low,N_high,T,psi,psi_from_base,speedup\n");
    const json_t *base = json_object_get(root, "base");
    if (json_is_object(base)) {
        put_prediction_row(data, base);
    }
    for (size_t i = 0; i < json_array_size(rows); i++) {
        put_prediction_row(data, json_array_get(rows, i));
    }
}

static int read_runs(const char *path, plot_data *data) {
    isocast_diagnostics diagnostics = {0};
    isocast_runs *runs = NULL;
    isocast_status status = isocast_runs_load(path, &diagnostics, &runs);
    status = cli_diagnostics_tell(&diagnostics, false, status);
    if (status != ISOCAST_OK) {
        return cli_exit_of(status);
    }
    data->script = "runs.gp";
    isocast_buffer_printf(&data->title, "%s: measured", path);
    isocast_buffer_puts(&data->points, "system,N,T\n");
    for (size_t i = 0; i < runs->count; i++) {
        bool repeated = false;
        for (size_t k = 0; k < i && !repeated; k++) {
            repeated = strcmp(runs->rows[k].system, runs->rows[i].system) == 0;
        }
        if (!repeated) {
            add_system(data, runs->rows[i].system, runs->rows[i].p, runs->rows[i].oversubscribed);
        }
        put_name(&data->points, runs->rows[i].system);
        put_number(&data->points, runs->rows[i].N);
        put_number(&data->points, runs->rows[i].T);
        isocast_buffer_puts(&data->points, "\n");
        widen(data, runs->rows[i].N);
    }
    isocast_runs_free(runs);
    return CLI_EXIT_OK;
}

static int refuse(const char *path) {
    fprintf(
        stderr,
        "isocast plot: %s is neither the JSON of isocast validate or predict (--format json), nor "
        "a RUNS.csv or the residuals of isocast fit-operations\n",
        path);
    return CLI_EXIT_INVALID;
}

int plot_data_read(const char *path, plot_data *out) {
    json_error_t error;
    json_t *root = json_load_file(path, 0, &error);
    int status = CLI_EXIT_OK;
    if (root == NULL) {
        size_t length = strlen(path);
        bool csv = length > 4 && strcmp(path + length - 4, ".csv") == 0;
        if (!csv) {
            fprintf(stderr, "isocast plot: %s:%d:%d: %s\n", path, error.line > 0 ? error.line : 0,
                    error.column > 0 ? error.column : 0, error.text);
            return CLI_EXIT_INVALID;
        }
        status =
            plot_residuals_recognise(path) ? plot_residuals_read(path, out) : read_runs(path, out);
    } else if (strcmp(text_of(root, "schema"), "isocast.validation/1") == 0) {
        read_validation(root, out);
    } else if (strcmp(text_of(root, "schema"), "isocast.prediction/1") == 0) {
        read_prediction(root, out);
    } else {
        status = refuse(path);
    }
    json_decref(root);
    finish_axis(out);
    if (status == CLI_EXIT_OK && !(out->x_high > 0)) {
        fprintf(stderr, "isocast plot: %s has no rows to draw\n", path);
        status = CLI_EXIT_INVALID;
    }
    return status;
}

void plot_data_free(plot_data *data) {
    isocast_buffer_free(&data->title);
    isocast_buffer_free(&data->systems);
    isocast_buffer_free(&data->labels);
    isocast_buffer_free(&data->points);
    isocast_buffer_free(&data->curves);
    isocast_buffer_free(&data->routes);
}
