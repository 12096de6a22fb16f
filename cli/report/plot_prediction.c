/* What has a row a system: predictions, scalability from runs, sizes found by measuring, lines of
 * scaling, and isoefficiency functions. */
#include <math.h>
#include <string.h>

#include "cli/output/json_text.h"
#include "model/base/metric.h"
#include "model/base/quantity.h"
#include "plot_results.h"

/* Where N of the rows comes from; the scripts know these numbers. */
typedef enum source_kind {
    PREDICTED = 1,
    FOUND = 2,
    TREND = 3,
    LISTED = 4,
    SIMULATED = 5
} source_kind;

/* Places a row where all have p at that, else at its marked speed, in Gflop/s. */
static void place(json_t *row, bool by_p) {
    static const double giga = 1e9;
    plot_set(row, "x", by_p ? plot_number_of(row, "p") : plot_number_of(row, "C") / giga);
}

static void put_rows(json_t *root, source_kind kind, bool held_size, plot_data *data) {
    const plot_table table =
        PLOT_TABLE(POINTS, "base rows", NULL, "x N~ psi0~ psi_from_base0~ T~ speedup",
                   .solved = held_size ? "T" : "N");
    const json_t *rows = json_object_get(root, "rows");
    bool by_p = true;
    CLI_JSON_EACH(row, i, rows) {
        by_p = by_p && !isnan(plot_positive_of(row, "p"));
    }
    place(json_object_get(root, "base"), by_p);
    CLI_JSON_EACH(row, i, rows) {
        place(row, by_p);
    }
    double level = plot_number_of(root, "level");
    data->script = held_size ? "scaling.gp" : "prediction.gp";
    plot_put(data, &table, 1, root);
    plot_variable(data, "source", kind);
    plot_variable(data, "by_p", by_p);
    plot_variable(data, "level", isnan(level) ? 90 : 100 * level);
}

/* E over N as measured on each system, its trend line, and the N that was read from it, in a
 * picture beside that of the rows: the figures of [CSW 4.4]. */
static void put_readings(const json_t *root, plot_data *data) {
#define READ(its_block, its_rows, its_E)                                                           \
    {                                                                                              \
        .block = (its_block), .rows = (its_rows), .group = "system",                               \
        .columns = "N_read=N E_read=" its_E, .beside = true                                        \
    }
    static const plot_table tables[] = {READ(PLOT_CURVES, "curves", "E"),
                                        READ(PLOT_MORE, "measured", "E"),
                                        READ(PLOT_ROUTES, "rows", "efficiency")};
    if (json_array_size(json_object_get(root, "measured")) > 0) {
        plot_choose(data, json_object_get(root, "rows"), "system");
        plot_put(data, tables, 3, root);
        plot_variable(data, "E_held", plot_number_of(root, "efficiency"));
        data->beside = plot_know(data, "E_read", NAN)->count > 0 ? "readings.gp" : NULL;
    }
}

/* "gaussian-elimination on sunwulf"; a table of CSV has no head, and is called by its file. */
static void put_subject(const json_t *root, isocast_buffer *out) {
    const char *file = plot_text_of(root, "file");
    const char *machine = plot_text_of(root, "machine");
    isocast_buffer_printf(out, "%s%s%s", file[0] != '\0' ? file : plot_text_of(root, "algorithm"),
                          machine[0] != '\0' ? " on " : "", machine);
}

/* ", speed-efficiency held at 0.3". */
static void put_target(const json_t *root, isocast_buffer *out) {
    isocast_metric metric = ISOCAST_METRIC_ISOSPEED_E;
    isocast_metric_find(plot_text_of(root, "metric"), &metric);
    isocast_buffer_printf(out, ", %s held at ", isocast_metric_row_of(metric)->held);
    isocast_metric_format(metric, plot_number_of(root, "target"), 4, out);
}

/* Whether a table's rows all have one N and none has a psi. */
static bool table_holds_size(const json_t *rows) {
    double first = plot_number_of(json_array_get(rows, 0), "N");
    CLI_JSON_EACH(row, i, rows) {
        if (!(plot_number_of(row, "N") == first) || !isnan(plot_number_of(row, "psi"))) {
            return false;
        }
    }
    return true;
}

static void read_rows(json_t *root, const char *how, source_kind kind, plot_data *data) {
    isocast_buffer title = {0};
    const json_t *rows = json_object_get(root, "rows");
    const char *held = plot_text_of(root, "held");
    const char *size = plot_text_of(root, "size");
    bool has_target = !isnan(plot_number_of(root, "target"));
    bool held_size = kind != PREDICTED                       ? false
                     : plot_text_of(root, "file")[0] != '\0' ? table_holds_size(rows)
                     : held[0] != '\0'                       ? strcmp(held, "size") == 0
                                                             : !has_target;
    put_subject(root, &title);
    isocast_buffer_printf(&title, ": %s", how);
    if (held_size) {
        isocast_buffer_printf(&title, " at %s = %g", size[0] != '\0' ? size : "N",
                              plot_number_of(json_array_get(rows, 0), "N"));
    } else if (has_target) {
        put_target(root, &title);
    }
    plot_title_take(data, &title);
    if (!plot_matrix(root, data)) {
        put_rows(root, kind, held_size, data);
    }
}

void plot_read_prediction(json_t *root, plot_data *data) {
    read_rows(root, "predicted", PREDICTED, data);
}

void plot_read_found(json_t *root, plot_data *data) {
    bool simulated = plot_flag_of(root, "simulated");
    read_rows(root, simulated ? "simulated" : "measured", simulated ? SIMULATED : FOUND, data);
}

void plot_read_scalability(json_t *root, plot_data *data) {
    double efficiency = plot_number_of(root, "efficiency");
    bool is_table = plot_text_of(root, "file")[0] != '\0';
    const char *runs = plot_file_name(plot_text_of(root, is_table ? "file" : "runs"));
    const char *algorithm = plot_text_of(root, "algorithm");
    if (is_table) {
        plot_title(data, "%s: scalability", runs);
    } else if (isnan(efficiency)) {
        plot_title(data, "Scalability with the work of %s, N as listed in %s", algorithm, runs);
    } else {
        plot_title(data, "Scalability with the work of %s at E = %.4g, by the runs of %s",
                   algorithm, efficiency, runs);
    }
    if (!plot_matrix(root, data)) {
        put_rows(root, isnan(efficiency) && !is_table ? LISTED : TREND, false, data);
        put_readings(root, data);
    }
}

/* "work per process held at 16 flop". */
static void put_held(const json_t *root, isocast_buffer *out) {
    static const char *const units[][2] = {
        {"work-per-process", "flop"}, {"memory-per-process", "B"}, {"time", "s"}};
    const char *held = plot_text_of(root, "held");
    double level = plot_number_of(root, "level");
    for (const char *letter = held; *letter != '\0'; letter++) {
        isocast_buffer_printf(out, "%c", *letter == '-' ? ' ' : *letter);
    }
    isocast_buffer_puts(out, isnan(level) ? " filled" : " held at ");
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++) {
        if (!isnan(level) && strcmp(held, units[i][0]) == 0) {
            isocast_quantity_format(level, units[i][1], 4, out);
            return;
        }
    }
    if (!isnan(level)) {
        isocast_buffer_printf(out, "%g", level);
    }
}

void plot_read_scaling(json_t *root, plot_data *data) {
    const json_t *choice = json_object_get(root, "choice");
    bool held_size = strcmp(plot_text_of(root, "held"), "size") == 0;
    const plot_table tables[] = {PLOT_TABLE(POINTS, "base rows", NULL,
                                            "x=p N T speedup scaled_speedup",
                                            .solved = held_size ? "T" : "N"),
                                 PLOT_TABLE(CURVES, "choice.points", NULL, "x=p T_around=T!")};
    isocast_buffer title = {0};
    put_subject(root, &title);
    isocast_buffer_puts(&title, ": ");
    put_held(root, &title);
    if (json_is_object(choice)) {
        isocast_buffer_puts(&title, strcmp(plot_text_of(choice, "goal"), "most") == 0
                                        ? ", the largest number of processes at an efficiency"
                                        : ", the number of processes with the smallest T");
    }
    plot_title_take(data, &title);
    data->script = "lines.gp";
    plot_put(data, tables, 2, root);
    plot_variable(data, "held_size", held_size);
    plot_variable(data, "T_alone",
                  plot_number_of(json_array_get(json_object_get(root, "rows"), 0), "T_alone"));
}

/* Exponents of p and log p of an order that is proved; both NAN where it is not. */
static void put_order(const json_t *part, size_t order, plot_data *data) {
    const json_t *W = json_object_get(part, "W");
    const char *law = plot_text_of(part, "law");
    law = law[0] != '\0' ? law : plot_text_of(part, "order");
    plot_variable_of(data, "power", order, plot_number_of(W, "p"));
    plot_variable_of(data, "log_power", order, plot_number_of(W, "log_p"));
    plot_variable_of(data, "law", order, (double)plot_text_add(data, law, PLOT_TITLE_MAX));
}

static const json_t *bound_named(const json_t *parts, const char *name) {
    CLI_JSON_EACH(part, i, parts) {
        if (strcmp(plot_text_of(part, "part"), name) == 0 &&
            strcmp(plot_text_of(part, "kind"), "bound") == 0) {
            return part;
        }
    }
    return NULL;
}

/* A part of the overhead of a row, s of all processes together, as an object of its own. */
static void add_part(json_t **parts, const json_t *row, const char *name, const json_t *overhead) {
    json_t *part = json_object();
    cli_json_set(&part, "part", cli_json_string(name));
    plot_set(part, "p", plot_number_of(row, "p"));
    json_object_set(part, "overhead", (json_t *)overhead);
    cli_json_append(parts, part);
}

/* The isoefficiency function: W' over p with its proved order and the bounds, and the total
 * overhead by part. */
void plot_read_growth(json_t *root, plot_data *data) {
    static const plot_table tables[] = {
        PLOT_TABLE(POINTS, "rows", NULL, "x=p W! overhead", .solved = "W"),
        PLOT_TABLE(CURVES, "overheads", "part", "x=p overhead")};
    const json_t *parts = json_object_get(root, "parts");
    json_t *overheads = json_array();
    bool below = false; /* computing is faster than W/C, and is no part of a logarithmic scale */
    bool idles = false;
    CLI_JSON_EACH(row, i, json_object_get(root, "rows")) {
        double idle = plot_number_of(row, "idle");
        below = below || (idle < 0 && !isnan(plot_positive_of(row, "W")));
        idles = idles || idle > 0;
    }
    CLI_JSON_EACH(row, i, json_object_get(root, "rows")) {
        const char *name;
        json_t *overhead;
        json_object_foreach((json_t *)json_object_get(row, "terms"), name, overhead) {
            add_part(&overheads, row, name, overhead);
        }
        if (idles) {
            add_part(&overheads, row, PLOT_IDLE, json_object_get(row, "idle"));
        }
    }
    data->script = "growth.gp";
    plot_title(data, "%s on %s: the isoefficiency function at E = %.4g",
               plot_text_of(root, "algorithm"), plot_text_of(root, "machine"),
               plot_number_of(root, "target"));
    plot_choose(data, overheads, "part");
    json_object_set_new(root, "overheads", overheads);
    plot_group_colours(data);
    put_order(json_object_get(root, "growth"), 0, data);
    put_order(bound_named(parts, "processes"), 1, data);
    put_order(bound_named(parts, "concurrency"), 2, data);
    plot_put(data, tables, 2, root);
    plot_variable(data, "below", below ? 1 : 0);
}
