#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/options/exit.h"
#include "cli/options/number.h"
#include "cli/output/json_text.h"
#include "model/base/any.h"
#include "model/base/csv.h"
#include "model/base/refused.h"
#include "model/base/source_read.h"
#include "model/base/text.h"
#include "model/runs/runs.h"
#include "plot_results.h"

/* Draws rows as points, a group for each text of the member `group`, after the title. */
static void put_rows(json_t *rows, const char *group, const char *columns, plot_data *data) {
    const plot_table table = PLOT_TABLE(POINTS, "rows", group, columns);
    json_t *root = json_object();
    plot_choose(data, rows, group);
    cli_json_set(&root, "rows", rows);
    plot_put(data, &table, 1, root);
    json_decref(root);
}

/* By p, then by name, in which figures count as numbers: "8" is after "4", "C16" after "C8". */
static int compare_systems(const void *a, const void *b) {
    const isocast_run *one = *(const isocast_run *const *)a;
    const isocast_run *other = *(const isocast_run *const *)b;
    double first = isnan(one->p) ? 0 : one->p;
    double second = isnan(other->p) ? 0 : other->p;
    return first != second ? (first > second) - (first < second)
                           : strverscmp(one->system, other->system);
}

static void put_runs(const isocast_runs *runs, const isocast_run **order, plot_data *data) {
    json_t *rows = json_array();
    for (size_t i = 0; i < runs->count; i++) {
        order[i] = &runs->rows[i];
    }
    qsort(order, runs->count, sizeof *order, compare_systems);
    for (size_t i = 0; i < runs->count; i++) {
        json_t *row = json_object();
        cli_json_set(&row, "system", cli_json_string(order[i]->system));
        cli_json_set(&row, "oversubscribed", json_boolean(order[i]->oversubscribed));
        plot_set(row, "p", order[i]->p);
        plot_set(row, "N", order[i]->N);
        plot_set(row, "T", order[i]->T);
        cli_json_append(&rows, row);
    }
    data->script = "runs.gp";
    plot_title(data, "%s: every run", plot_file_name(runs->source->name));
    put_rows(rows, "system", "N T", data);
}

/* Takes the source over. */
static isocast_status read_runs(isocast_source *source, isocast_diagnostics *diagnostics,
                                plot_data *data) {
    isocast_runs *runs = NULL;
    isocast_status status = isocast_runs_read(source, diagnostics, &runs);
    if (status == ISOCAST_OK) {
        const isocast_run **order = malloc((runs->count + 1) * sizeof *order);
        if (order != NULL) {
            put_runs(runs, order, data);
        }
        status = order != NULL ? ISOCAST_OK : ISOCAST_NO_MEMORY;
        free(order);
    }
    isocast_runs_free(runs);
    return status;
}

enum { OPERATION, P, M, LAUNCH, MEASURED, FITTED, RATIO, COLUMNS };

/* A row must be whole and its numbers numbers: gnuplot would draw nothing and say nothing. */
static bool check_residual(const isocast_source *source, const isocast_csv *csv, size_t row,
                           isocast_diagnostics *diagnostics) {
    const isocast_csv_row *own = &csv->rows[row];
    if (own->count != COLUMNS) {
        isocast_diagnostics_add(diagnostics, ISOCAST_ERROR, source,
                                isocast_csv_span(&csv->fields[own->first]),
                                "isocast fit-operations --residuals writes it again",
                                "this row has %zu fields, the header %d", own->count, COLUMNS);
        return false;
    }
    for (size_t column = P; column < COLUMNS; column++) {
        const char *text = isocast_csv_text(csv, row, column);
        char *end = NULL;
        double value = strtod(text, &end);
        if (end == text || *end != '\0' || !isfinite(value) || value < 0) {
            isocast_diagnostics_add(diagnostics, ISOCAST_ERROR, source,
                                    isocast_csv_span(&csv->fields[own->first + column]),
                                    "write a plain number, 0 or more", "'%s' is not such a number",
                                    text);
            return false;
        }
    }
    return true;
}

/* Measured over fitted by operation, or by p where there is only one. */
static isocast_status read_residuals(const isocast_source *source, const isocast_csv *csv,
                                     isocast_diagnostics *diagnostics, plot_data *data) {
    const char *first = isocast_csv_text(csv, 1, OPERATION);
    bool by_p = csv->row_count > 1;
    bool good = true;
    for (size_t i = 1; i < csv->row_count; i++) {
        good = check_residual(source, csv, i, diagnostics) && good;
        by_p = by_p && strcmp(isocast_csv_text(csv, i, OPERATION), first) == 0;
    }
    const char *group = by_p ? "system" : "operation";
    json_t *rows = json_array();
    for (size_t i = 1; good && i < csv->row_count; i++) {
        json_t *row = json_object();
        cli_json_set(&row, group, cli_json_string(isocast_csv_text(csv, i, by_p ? P : OPERATION)));
        plot_set(row, "p", strtod(isocast_csv_text(csv, i, P), NULL));
        /* Sizes of 0, such as a barrier's, stand at 1 on the logarithmic axis. */
        plot_set(row, "m", fmax(strtod(isocast_csv_text(csv, i, M), NULL), 1));
        plot_set(row, "ratio", strtod(isocast_csv_text(csv, i, RATIO), NULL));
        cli_json_append(&rows, row);
    }
    data->script = "ratio.gp";
    plot_title(data, "%s: measured over fitted", by_p ? first : plot_file_name(source->name));
    put_rows(rows, group, "x=m ratio", data);
    plot_variable(data, "of_messages", 1);
    return good ? ISOCAST_OK : ISOCAST_INVALID;
}

ISOCAST_ANY(has_column, (const isocast_csv *csv, const char *name),
            csv->row_count > 0 ? csv->rows[0].count : 0,
            strcmp(isocast_csv_text(csv, 0, i), name) == 0)

/* The table as the JSON of the same rows: a cell is a number where it reads as one. */
static json_t *rows_of(const isocast_csv *csv) {
    json_t *rows = json_array();
    for (size_t i = 1; i < csv->row_count; i++) {
        json_t *row = json_object();
        for (size_t k = 0; k < csv->rows[0].count; k++) {
            double value;
            const char *text = isocast_csv_text(csv, i, k);
            bool is_number = cli_number_parse(text, &value);
            cli_json_set(&row, isocast_csv_text(csv, 0, k),
                         is_number ? cli_json_number(value) : cli_json_string(text));
        }
        cli_json_append(&rows, row);
    }
    return rows;
}

static isocast_status read_table(const isocast_source *source, const isocast_csv *csv,
                                 plot_data *data) {
    json_t *root = json_object();
    cli_json_set(&root, "file", cli_json_string(plot_file_name(source->name)));
    cli_json_set(&root, "rows", rows_of(csv));
    if (root == NULL) {
        return ISOCAST_NO_MEMORY;
    }
    if (has_column(csv, "T_o")) {
        plot_read_prediction(root, data);
    } else if (has_column(csv, "steps")) {
        plot_read_found(root, data);
    } else {
        plot_read_scalability(root, data);
    }
    json_decref(root);
    return ISOCAST_OK;
}

/* CSV as what a plot script reads: runs, tables that isocast writes, and the residuals of isocast
 * fit-operations. Draws nothing. */
static int plot_csv_read(const char *path, const isocast_buffer *text, plot_data *data) {
    isocast_diagnostics diagnostics = {0};
    isocast_source *source = NULL;
    isocast_csv csv = {0};
    isocast_status status =
        isocast_source_take(path, text->text, text->length, &diagnostics, &source);
    CLI_THEN(status, isocast_csv_read(source, &diagnostics, &csv));
    if (status == ISOCAST_OK &&
        strncmp(source->text, CLI_RESIDUALS_HEADER, strlen(CLI_RESIDUALS_HEADER)) == 0) {
        status = read_residuals(source, &csv, &diagnostics, data);
    } else if (status == ISOCAST_OK && has_column(&csv, "psi_from_base") &&
               has_column(&csv, "status")) {
        /* Every table with rows of systems has these; runs have no status. */
        status = read_table(source, &csv, data);
    } else if (status == ISOCAST_OK) {
        status = read_runs(source, &diagnostics, data);
        source = NULL;
    }
    status = cli_diagnostics_report(&diagnostics, false, status);
    isocast_csv_free(&csv);
    isocast_source_free(source);
    return cli_exit_of(status);
}

/* Bytes of a JSON file; in memory it takes some twenty times as many. */
enum { JSON_MAX = 16 * 1024 * 1024 };

static const char what_is_read[] = "isocast plot reads what isocast predict, explain, compare, "
                                   "offers, scalability, forecast, validate "
                                   "and measure --find write with --format json, a RUNS.csv, the "
                                   "CSV of predict, what sweep writes, "
                                   "and the residuals of fit-operations";

/* The whole file, up to one byte more than is allowed; of a sweep, which may be longer, only the
 * beginning. */
static isocast_status read_bytes(const char *path, isocast_buffer *out) {
    isocast_diagnostics diagnostics = {0};
    FILE *file = NULL;
    char block[65536];
    size_t got = 0;
    isocast_status status =
        isocast_input_open(path, ISOCAST_INPUT_ANY, SIZE_MAX, &diagnostics, &file);
    while (file != NULL && out->length <= JSON_MAX && !plot_sweep_recognise(out) &&
           (got = fread(block, 1, sizeof block, file)) > 0) {
        isocast_buffer_append(out, block, got);
    }
    if (file != NULL && ferror(file) != 0) {
        status = isocast_diagnostics_add_failure(&diagnostics, path, "read", errno);
    }
    if (file != NULL) {
        fclose(file);
    }
    status = status == ISOCAST_OK && out->failed ? ISOCAST_NO_MEMORY : status;
    return cli_diagnostics_report(&diagnostics, false, status);
}

/* Whether the first thing in it is what JSON starts with. */
static bool looks_like_json(const isocast_buffer *text) {
    size_t blanks = text->text != NULL ? strspn(text->text, " \t\r\n") : 0;
    return text->text != NULL && strchr("{[", text->text[blanks]) != NULL &&
           text->text[blanks] != '\0';
}

/* The first line that is no comment and not empty. */
static const char *first_line(const isocast_buffer *text) {
    const char *line = text->text != NULL ? text->text : "";
    while (line[0] == '#' || line[0] == '\n' || line[0] == '\r') {
        line += strcspn(line, "\n");
        line += line[0] == '\n';
    }
    return line;
}

/* Whether it is a key, as in algorithm and machine files. */
static bool looks_like_yaml(const isocast_buffer *text) {
    const char *line = first_line(text);
    size_t length = strcspn(line, "\r\n");
    size_t name = strspn(line, "abcdefghijklmnopqrstuvwxyz-_");
    return name > 0 && name < length && line[name] == ':' && memchr(line, ',', length) == NULL;
}

/* Whether it has no sign that parts columns. */
static bool looks_like_table(const isocast_buffer *text) {
    const char *line = first_line(text);
    return line[0] != '\0' && strcspn(line, ",;\t") >= strcspn(line, "\n");
}

/* A string of JSON at `at`, a quote: where it ends, and what stands in it. */
typedef struct token {
    size_t begin, end; /* between the quotes */
    unsigned control;  /* the first control character, escaped or not; 0: none */
} token;

/* The code point of an escape at `at`, a backslash; *length gets its bytes. */
static unsigned escape_code(const char *text, size_t *length) {
    static const char letters[] = "bfnrt";
    static const char codes[] = "\b\f\n\r\t";
    *length = 2;
    const char *letter = text[1] != '\0' ? strchr(letters, text[1]) : NULL;
    if (letter != NULL) {
        return (unsigned)codes[letter - letters];
    }
    unsigned code = ' ';
    if (text[1] == 'u' && sscanf(text + 2, "%4x", &code) == 1) {
        *length = 6;
    }
    return code;
}

static token read_token(const isocast_source *source, size_t at) {
    token t = {.begin = at + 1, .end = at + 1};
    while (t.end < source->length && source->text[t.end] != '"') {
        size_t length = isocast_text_character(source->text + t.end, source->length - t.end);
        length = length > 0 ? length : 1;
        unsigned code = isocast_text_code(source->text + t.end, length);
        if (code == '\\') {
            code = escape_code(source->text + t.end, &length);
        }
        t.control = t.control == 0 && isocast_text_is_control(code) ? code : t.control;
        t.end += length;
    }
    return t;
}

/* What comes into a picture. */
static bool is_drawn(const char *key, size_t length) {
    static const char *const keys[] = {
        "algorithm", "machine", "system", "part",     "driver", "kernel",    "status",
        "size",      "set",     "from",   "to",       "metric", "contender", "order",
        "offer",     "name",    "best",   "currency", "of",     "series",    "runs"};
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        if (strlen(keys[i]) == length && strncmp(keys[i], key, length) == 0) {
            return true;
        }
    }
    return false;
}

/* Names that a picture shows hold no control characters: isocast writes none. The text is JSON. */
static void refuse_controls(const isocast_source *source, isocast_diagnostics *diagnostics) {
    token key = {0};
    for (size_t at = 0; at < source->length; at++) {
        if (source->text[at] == '"') {
            token t = read_token(source, at);
            at = t.end;
            size_t next = at + 1 + strspn(source->text + at + 1, " \t\r\n");
            bool is_key = next < source->length && source->text[next] == ':';
            if (!is_key && t.control != 0 &&
                is_drawn(source->text + key.begin, key.end - key.begin)) {
                isocast_diagnostics_add(diagnostics, ISOCAST_ERROR, source,
                                        (isocast_span){t.begin, t.end},
                                        "remove it: a name is one line of plain characters",
                                        "this name holds the control character U+%04X", t.control);
            }
            key = is_key ? t : (token){0};
        }
    }
}

typedef struct schema {
    const char *name;
    void (*read)(json_t *root, plot_data *out);
} schema;

static const schema schemas[] = {{"isocast.prediction/1", plot_read_prediction},
                                 {"isocast.scalability/1", plot_read_scalability},
                                 {"isocast.measurement/1", plot_read_found},
                                 {"isocast.explanation/1", plot_read_explanation},
                                 {"isocast.comparison/1", plot_read_comparison},
                                 {"isocast.processor-sets/1", plot_read_sets},
                                 {"isocast.growth/1", plot_read_growth},
                                 {"isocast.scaling/1", plot_read_scaling},
                                 {"isocast.predictions/1", plot_read_predictions},
                                 {"isocast.measurements/1", plot_read_founds},
                                 {"isocast.explanations/1", plot_read_explanations},
                                 {"isocast.growths/1", plot_read_growths},
                                 {"isocast.ranking/1", plot_read_ranking},
                                 {"isocast.offers/1", plot_read_offers},
                                 {"isocast.suite/1", plot_read_suite},
                                 {"isocast.forecast/1", plot_read_forecast},
                                 {"isocast.joined/1", plot_read_joined},
                                 {"isocast.validation/1", plot_read_validation}};

static void refuse_schema(const isocast_source *source, const char *name,
                          isocast_diagnostics *diagnostics) {
    const char *key = strstr(source->text, "\"schema\"");
    const char *colon = key != NULL ? strchr(key, ':') : NULL;
    const char *quote = colon != NULL ? strchr(colon, '"') : NULL;
    isocast_span span = {0, 1};
    if (quote != NULL) {
        token value = read_token(source, (size_t)(quote - source->text));
        span = (isocast_span){value.begin, value.end};
    }
    bool formulas = strcmp(name, "isocast.fit/1") == 0;
    isocast_diagnostics_add(
        diagnostics, ISOCAST_ERROR, source, span,
        formulas ? "isocast fit-operations --residuals FILE.csv writes what can be drawn"
                 : what_is_read,
        formulas ? "this file holds formulas" : "there is no schema that is known here");
}

/* What the algorithm calls its size; of several answers, in the first. */
static void name_size(const json_t *root, plot_data *out) {
    const char *name = plot_text_of(root, "size");
    if (name[0] == '\0') {
        name = plot_text_of(json_array_get(json_object_get(root, "answers"), 0), "size");
    }
    out->size_text = name[0] != '\0' ? plot_text_add(out, name, PLOT_LABEL_MAX) : 0;
}

static void read_root(const isocast_source *source, json_t *root, isocast_diagnostics *diagnostics,
                      plot_data *out) {
    for (size_t i = 0; i < sizeof schemas / sizeof schemas[0]; i++) {
        if (strcmp(plot_text_of(root, "schema"), schemas[i].name) == 0) {
            schemas[i].read(root, out);
            name_size(root, out);
            return;
        }
    }
    refuse_schema(source, plot_text_of(root, "schema"), diagnostics);
}

static int read_json(const char *path, const isocast_buffer *text, plot_data *out) {
    isocast_source *source = NULL;
    if (isocast_source_create(path, text->text, text->length, &source) != ISOCAST_OK) {
        return cli_exit_of(ISOCAST_NO_MEMORY);
    }
    isocast_diagnostics diagnostics = {0};
    json_error_t error;
    int status = CLI_EXIT_INVALID;
    json_t *root = cli_json_read(text->text, text->length, &error);
    if (isocast_was_refused()) {
        status = cli_exit_of(ISOCAST_NO_MEMORY);
    } else if (root == NULL) {
        size_t at = error.position > 0 ? (size_t)error.position - 1 : 0;
        isocast_diagnostics_add(&diagnostics, ISOCAST_ERROR, source, (isocast_span){at, at + 1},
                                what_is_read, "this is no JSON: %s", error.text);
    } else {
        refuse_controls(source, &diagnostics);
        if (diagnostics.errors == 0) {
            read_root(source, root, &diagnostics, out);
        }
        status = diagnostics.errors == 0 ? CLI_EXIT_OK : status;
    }
    json_decref(root);
    isocast_source_free(source);
    bool reported = cli_diagnostics_report(&diagnostics, false, ISOCAST_OK) == ISOCAST_OK;
    return reported ? status : cli_exit_of(ISOCAST_NO_MEMORY);
}

static int read_file(const char *path, const isocast_buffer *text, plot_data *out) {
    if (text->length > JSON_MAX) {
        fprintf(stderr,
                "isocast plot: %s is too large for a picture: at most %d MB are read; ask for "
                "fewer systems or sizes\n",
                path, JSON_MAX / (1024 * 1024));
        return CLI_EXIT_INVALID;
    }
    if (looks_like_json(text)) {
        return read_json(path, text, out);
    }
    if (looks_like_yaml(text)) {
        fprintf(stderr, "isocast plot: %s is no result but a specification; %s\n", path,
                what_is_read);
        return CLI_EXIT_INVALID;
    }
    if (looks_like_table(text)) {
        fprintf(stderr,
                "isocast plot: %s is a table for people to read, or another text; to draw a "
                "result, write it again with --format json -o result.json\n",
                path);
        return CLI_EXIT_INVALID;
    }
    return plot_csv_read(path, text, out);
}

int plot_read(const char *path, plot_data *out) {
    isocast_buffer text = {0};
    int status = cli_exit_of(read_bytes(path, &text));
    if (status == CLI_EXIT_OK) {
        status =
            plot_sweep_recognise(&text) ? plot_sweep_read(path, out) : read_file(path, &text, out);
    }
    isocast_buffer_free(&text);
    if (status == CLI_EXIT_OK) {
        plot_finish(out);
    }
    if (status != CLI_EXIT_SYSTEM && isocast_was_refused()) {
        return cli_exit_of(ISOCAST_NO_MEMORY);
    }
    if (status == CLI_EXIT_OK && !(out->x_high > 0)) {
        fprintf(stderr, "isocast plot: %s has no rows to draw\n", path);
        return CLI_EXIT_INVALID;
    }
    return status;
}
