#include "set_times.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/csv.h"

typedef enum set_column {
    COLUMN_SET,
    COLUMN_T,
    COLUMN_T_REF,
    COLUMN_R_F,
    COLUMN_W,
    COLUMN_PROGRAM,
    COLUMNS
} set_column;

static const char *const column_names[COLUMNS] = {"set", "T_s", "T_ref_s", "R_f", "W", "program"};

/* One file and its columns. */
typedef struct reader {
    const isocast_source *source;
    isocast_diagnostics *diagnostics;
    isocast_csv csv;
    size_t columns[COLUMNS]; /* SIZE_MAX where there is none */
    size_t *lines;           /* [count], rows of the table that count: those of the program */
    size_t count;
    isocast_status status;
} reader;

/* A row as it stands in a file. */
typedef struct line {
    const isocast_csv_field *fields;
    size_t count;
} line;

static bool has(const reader *r, set_column column) {
    return r->columns[column] != SIZE_MAX;
}

static void refuse(reader *r, isocast_span span, const char *hint, const char *what,
                   const char *text) {
    isocast_diagnostics_add(r->diagnostics, ISOCAST_ERROR, r->source, span, hint, "%s '%s'", what,
                            text);
    r->status = ISOCAST_INVALID;
}

static line line_of(const reader *r, size_t row) {
    const isocast_csv_row *at = &r->csv.rows[row];
    return (line){r->csv.fields + at->first, at->count};
}

static isocast_span whole_line(const reader *r, size_t row) {
    return isocast_source_line(r->source, isocast_csv_span(line_of(r, row).fields).begin);
}

static void read_header(reader *r) {
    line header = line_of(r, 0);
    for (size_t c = 0; c < COLUMNS; c++) {
        r->columns[c] = SIZE_MAX;
        for (size_t i = 0; i < header.count; i++) {
            if (strcmp(header.fields[i].text, column_names[c]) != 0) {
                continue;
            }
            if (has(r, (set_column)c)) {
                refuse(r, isocast_csv_span(&header.fields[i]), "keep one of the two",
                       "a second column", column_names[c]);
            } else {
                r->columns[c] = i;
            }
        }
    }
}

static void require_column(reader *r, set_column column, const char *hint) {
    if (r->status == ISOCAST_OK && !has(r, column)) {
        refuse(r, whole_line(r, 0), hint, "there is no column", column_names[column]);
    }
}

/* Splits a file, finds its columns, and refuses rows of another length. */
static void open_reader(const isocast_source *source, isocast_diagnostics *diagnostics, reader *r) {
    *r = (reader){.source = source, .diagnostics = diagnostics};
    r->status = isocast_csv_read(source, diagnostics, &r->csv);
    if (r->status != ISOCAST_OK) {
        return;
    }
    if (r->csv.row_count < 2) {
        isocast_diagnostics_add_file(diagnostics, ISOCAST_ERROR, source->name,
                                     "the first line names the columns, such as set and T_s; each "
                                     "further line is a processor set",
                                     "holds no rows");
        r->status = ISOCAST_INVALID;
        return;
    }
    read_header(r);
    for (size_t i = 1; i < r->csv.row_count; i++) {
        if (r->csv.rows[i].count != r->csv.rows[0].count) {
            isocast_diagnostics_add(
                diagnostics, ISOCAST_ERROR, source, whole_line(r, i),
                "write decimal numbers with a point, and a text with a comma in "
                "it in quotes",
                "this row has %zu cells, the first line names %zu columns", r->csv.rows[i].count,
                r->csv.rows[0].count);
            r->status = ISOCAST_INVALID;
        }
    }
}

static const isocast_csv_field *field_of(const reader *r, size_t row, set_column column) {
    return &line_of(r, row).fields[r->columns[column]];
}

/* Takes the rows of a program where the file has such a column; NULL: all rows. */
static void choose_lines(reader *r, const char *program) {
    r->lines = calloc(r->csv.row_count, sizeof *r->lines);
    if (r->lines == NULL) {
        r->status = ISOCAST_NO_MEMORY;
        return;
    }
    for (size_t i = 1; i < r->csv.row_count; i++) {
        if (program == NULL || !has(r, COLUMN_PROGRAM) ||
            strcmp(field_of(r, i, COLUMN_PROGRAM)->text, program) == 0) {
            r->lines[r->count++] = i;
        }
    }
    if (r->count == 0) {
        isocast_diagnostics_add_file(r->diagnostics, ISOCAST_ERROR, r->source->name, NULL,
                                     "no row is of the program '%s'", program);
        r->status = ISOCAST_INVALID;
    }
}

/* A number above 0. Where the cell may be empty, NAN for an empty one or no such column. */
static double read_positive(reader *r, size_t row, set_column column, bool may_be_empty) {
    if (may_be_empty && (!has(r, column) || field_of(r, row, column)->text[0] == '\0')) {
        return NAN;
    }
    double value = NAN;
    if (!isocast_csv_positive(field_of(r, row, column), column_names[column], r->source,
                              r->diagnostics, &value)) {
        r->status = ISOCAST_INVALID;
    }
    return value;
}

/* Digits from *at on as a whole number above 0; NAN where there are none. */
static double scan_count(const char **at) {
    double value = 0;
    const char *begin = *at;
    while (**at >= '0' && **at <= '9') {
        value = 10 * value + (*(*at)++ - '0');
    }
    return *at == begin || value < 1 ? NAN : value;
}

double isocast_set_processors(const char *name) {
    double total = 0;
    for (const char *at = name;; at++) {
        const char *colon = strchr(at, ':');
        const char *plus = strchr(at, '+');
        if (colon != NULL && (plus == NULL || colon < plus)) {
            at = colon + 1;
        }
        double part = scan_count(&at);
        if (*at == 'x') {
            at++;
            part *= scan_count(&at);
        }
        total += part;
        if (isnan(part) || *at != '+') {
            return *at == '\0' ? total : NAN;
        }
    }
}

static bool is_number(double value) {
    return !isnan(value);
}

/* T_ref(1): of the row whose name states one processor; NAN where there is none. */
static double time_of_one(const isocast_set_row *rows, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (rows[i].n == 1 && is_number(rows[i].T_ref)) {
            return rows[i].T_ref;
        }
    }
    return NAN;
}

static void refuse_unknown_factor(reader *r, size_t row, const isocast_set_row *at, double one) {
    const char *hint = isnan(at->T_ref) ? "give T_ref_s or R_f"
                       : isnan(at->n)
                           ? "name the set kxm (k processors on each of m nodes), or give R_f"
                           : "add the reference time of one processor, 1x1, or give R_f";
    const char *why = isnan(at->T_ref) ? "it has neither time nor factor"
                      : isnan(at->n)   ? "its name does not state its processors"
                      : isnan(one)     ? "R_f = n T_ref(1)/T_ref needs the time of one processor"
                                       : "it is not finite";
    isocast_diagnostics_add(r->diagnostics, ISOCAST_ERROR, r->source,
                            isocast_csv_span(field_of(r, row, COLUMN_SET)), hint,
                            "R_f of set '%s' is not known: %s", at->set, why);
    r->status = ISOCAST_INVALID;
}

static bool start_rows(reader *r, isocast_set_row **rows) {
    size_t count = r->count;
    *rows = calloc(count + 1, sizeof **rows);
    if (*rows == NULL) {
        r->status = ISOCAST_NO_MEMORY;
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        isocast_set_row *row = &(*rows)[i];
        *row = (isocast_set_row){.set = strdup(field_of(r, r->lines[i], COLUMN_SET)->text),
                                 .n = NAN,
                                 .R_f = NAN,
                                 .R_f_given = NAN,
                                 .R_f_from_time = NAN,
                                 .T_ref = NAN,
                                 .T = NAN,
                                 .W = NAN,
                                 .psi = NAN,
                                 .psi_from_base = NAN};
        if (row->set == NULL) {
            r->status = ISOCAST_NO_MEMORY;
            return false;
        }
        row->n = isocast_set_processors(row->set);
    }
    return true;
}

static void free_rows(isocast_set_row *rows, size_t count) {
    for (size_t i = 0; rows != NULL && i < count; i++) {
        free(rows[i].set);
    }
    free(rows);
}

static int compare_rows(const void *a, const void *b) {
    const isocast_set_row *const *first = a;
    const isocast_set_row *const *second = b;
    int order = strcmp((*first)->set, (*second)->set);
    return order != 0 ? order : (*first > *second) - (*first < *second);
}

/* The rows in the order of their names, [count]; free with free(). NULL where memory is short. */
static const isocast_set_row **sort_rows(const isocast_set_row *rows, size_t count) {
    const isocast_set_row **sorted = malloc((count + 1) * sizeof *sorted);
    for (size_t i = 0; sorted != NULL && i < count; i++) {
        sorted[i] = &rows[i];
    }
    if (sorted != NULL) {
        qsort(sorted, count, sizeof *sorted, compare_rows);
    }
    return sorted;
}

/* The first row in the order of names that is not before the name; rows of one name stand in the
 * order of the file. */
static size_t first_of_name(const isocast_set_row *const *sorted, size_t count, const char *name) {
    size_t low = 0;
    size_t high = count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (strcmp(sorted[middle]->set, name) < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

/* Refuses rows without a name, and names that stand twice. */
static void check_names(reader *r, const isocast_set_row *rows,
                        const isocast_set_row *const *sorted) {
    size_t count = r->count;
    for (size_t i = 0; i < count; i++) {
        if (rows[i].set[0] == '\0') {
            isocast_diagnostics_add(r->diagnostics, ISOCAST_ERROR, r->source,
                                    whole_line(r, r->lines[i]),
                                    "name the processor set, such as 2x4", "this row names no set");
            r->status = ISOCAST_INVALID;
        }
    }
    for (size_t i = 0; i < count; i++) {
        if (rows[i].set[0] != '\0' &&
            sorted[first_of_name(sorted, count, rows[i].set)] != &rows[i]) {
            refuse(r, isocast_csv_span(field_of(r, r->lines[i], COLUMN_SET)),
                   has(r, COLUMN_PROGRAM) ? "keep one row of each set, or choose a program"
                                          : "keep one row of each set",
                   "a second row of set", rows[i].set);
        }
    }
}

/* Reads the reference times and makes R_f of each. */
static void read_reference(reader *r, isocast_set_row *rows) {
    for (size_t i = 0; i < r->count; i++) {
        rows[i].T_ref = read_positive(r, r->lines[i], COLUMN_T_REF, true);
        rows[i].R_f_given = read_positive(r, r->lines[i], COLUMN_R_F, true);
    }
    if (r->status != ISOCAST_OK) {
        return;
    }
    double one = time_of_one(rows, r->count);
    for (size_t i = 0; i < r->count; i++) {
        double from_time = rows[i].n * one / rows[i].T_ref;
        rows[i].R_f_from_time = isfinite(from_time) ? from_time : NAN;
        rows[i].R_f = is_number(rows[i].R_f_given) ? rows[i].R_f_given : rows[i].R_f_from_time;
        if (isnan(rows[i].R_f)) {
            refuse_unknown_factor(r, r->lines[i], &rows[i], one);
        }
    }
}

static void read_times(reader *r, isocast_set_row *rows) {
    for (size_t i = 0; i < r->count; i++) {
        rows[i].T = read_positive(r, r->lines[i], COLUMN_T, false);
        rows[i].W = has(r, COLUMN_W) ? read_positive(r, r->lines[i], COLUMN_W, false) : NAN;
    }
}

/* A file read into rows. */
typedef struct sheet {
    reader reader;
    isocast_set_row *rows;          /* [count] */
    const isocast_set_row **sorted; /* [count] */
    size_t count;
} sheet;

static void read_sheet(const isocast_source *source, const char *program,
                       isocast_diagnostics *diagnostics, bool is_reference, sheet *out) {
    reader *r = &out->reader;
    open_reader(source, diagnostics, r);
    if (r->status != ISOCAST_OK) {
        return;
    }
    require_column(r, COLUMN_SET, "the first line names the columns: set, and times in seconds");
    if (is_reference && !has(r, COLUMN_R_F)) {
        require_column(r, COLUMN_T_REF,
                       "give the reference program's time in seconds, or R_f in a column R_f");
    } else if (!is_reference) {
        require_column(r, COLUMN_T, "give the time on each set in seconds");
    }
    if (r->status == ISOCAST_OK) {
        choose_lines(r, program);
    }
    if (r->status != ISOCAST_OK) {
        return;
    }
    out->count = r->count;
    if (!start_rows(r, &out->rows)) {
        return;
    }
    out->sorted = sort_rows(out->rows, out->count);
    if (out->sorted == NULL) {
        r->status = ISOCAST_NO_MEMORY;
        return;
    }
    check_names(r, out->rows, out->sorted);
    if (is_reference) {
        read_reference(r, out->rows);
    } else {
        read_times(r, out->rows);
    }
}

static void free_sheet(sheet *s) {
    isocast_csv_free(&s->reader.csv);
    free(s->reader.lines);
    free_rows(s->rows, s->count);
    free(s->sorted);
}

/* The reference's row of a name; NULL where there is none. */
static const isocast_set_row *find_row(const sheet *reference, const char *name) {
    size_t at = first_of_name(reference->sorted, reference->count, name);
    return at < reference->count && strcmp(reference->sorted[at]->set, name) == 0
               ? reference->sorted[at]
               : NULL;
}

/* Takes R_f over from the reference. A set without one is refused where psi needs R_f. */
static void take_factors(sheet *times, const sheet *reference, isocast_set_table *table) {
    bool needed = table->has_W && table->metric == ISOCAST_METRIC_ISOSPEED;
    for (size_t i = 0; i < times->count; i++) {
        isocast_set_row *row = &times->rows[i];
        const isocast_set_row *found =
            reference->rows != NULL ? find_row(reference, row->set) : NULL;
        if (found != NULL) {
            row->R_f = found->R_f;
            row->R_f_given = found->R_f_given;
            row->R_f_from_time = found->R_f_from_time;
            row->T_ref = found->T_ref;
        } else if (needed && reference->rows != NULL) {
            refuse(&times->reader,
                   isocast_csv_span(field_of(&times->reader, times->reader.lines[i], COLUMN_SET)),
                   "add the set to the reference times",
                   "psi = R_f'W/(R_f W') needs R_f, and the reference has no set", row->set);
        } else {
            table->without_R_f = true;
        }
    }
    if (needed && reference->rows == NULL) {
        isocast_diagnostics_add(
            times->reader.diagnostics, ISOCAST_ERROR, times->reader.source,
            isocast_csv_span(&line_of(&times->reader, 0).fields[times->reader.columns[COLUMN_W]]),
            "give the reference times, or leave the column W out: at constant "
            "average speed psi is T/T'",
            "psi = R_f'W/(R_f W') needs R_f");
        times->reader.status = ISOCAST_INVALID;
    }
}

double isocast_set_psi(const isocast_set_table *table, size_t from, size_t to) {
    const isocast_set_row *a = &table->rows[from];
    const isocast_set_row *b = &table->rows[to];
    return table->has_W && table->metric == ISOCAST_METRIC_ISOSPEED
               ? b->R_f * a->W / (a->R_f * b->W)
               : a->T / b->T;
}

const isocast_set_row *isocast_set_table_find(const isocast_set_table *table, const char *name) {
    for (size_t i = 0; i < table->count; i++) {
        if (strcmp(table->rows[i].set, name) == 0) {
            return &table->rows[i];
        }
    }
    return NULL;
}

static void chain(isocast_set_table *table) {
    for (size_t i = 1; i < table->count; i++) {
        table->rows[i].psi = isocast_set_psi(table, i - 1, i);
        table->rows[i].psi_from_base = isocast_set_psi(table, 0, i);
    }
}

static isocast_status worse(isocast_status a, isocast_status b) {
    return a == ISOCAST_OK || b == ISOCAST_NO_MEMORY ? b : a;
}

/* Makes the table of what was read, and takes the rows over. */
static isocast_status make_table(sheet *times, sheet *reference, isocast_metric metric,
                                 isocast_set_table **out) {
    isocast_set_table *table = calloc(1, sizeof *table);
    if (table == NULL) {
        return ISOCAST_NO_MEMORY;
    }
    bool has_times = times->rows != NULL;
    table->metric = metric;
    table->times_name = has_times ? strdup(times->reader.source->name) : NULL;
    table->reference_name = reference->rows != NULL ? strdup(reference->reader.source->name) : NULL;
    table->has_W = has_times && has(&times->reader, COLUMN_W);
    if (has_times) {
        take_factors(times, reference, table);
    }
    sheet *taken = has_times ? times : reference;
    isocast_status status = taken->reader.status;
    if ((has_times && table->times_name == NULL) ||
        (reference->rows != NULL && table->reference_name == NULL)) {
        status = ISOCAST_NO_MEMORY;
    }
    if (status != ISOCAST_OK) {
        isocast_set_table_free(table);
        return status;
    }
    table->rows = taken->rows;
    table->count = taken->count;
    taken->rows = NULL;
    if (has_times) {
        chain(table);
    }
    *out = table;
    return ISOCAST_OK;
}

isocast_status isocast_set_table_read(const isocast_source *times, const isocast_source *reference,
                                      const char *program, isocast_metric metric,
                                      isocast_diagnostics *diagnostics, isocast_set_table **out) {
    if ((times == NULL && reference == NULL) ||
        (times != NULL && isocast_metric_row_of(metric)->psi == NULL)) {
        return ISOCAST_ARGUMENT;
    }
    sheet of_times = {.count = 0};
    sheet of_reference = {.count = 0};
    if (times != NULL) {
        read_sheet(times, program, diagnostics, false, &of_times);
    }
    if (reference != NULL) {
        read_sheet(reference, NULL, diagnostics, true, &of_reference);
    }
    isocast_status status = worse(of_times.reader.status, of_reference.reader.status);
    if (status == ISOCAST_OK) {
        status = make_table(&of_times, &of_reference, metric, out);
    }
    free_sheet(&of_times);
    free_sheet(&of_reference);
    return status;
}

void isocast_set_table_free(isocast_set_table *table) {
    if (table != NULL) {
        free(table->times_name);
        free(table->reference_name);
        free_rows(table->rows, table->count);
        free(table);
    }
}

isocast_status isocast_set_times_recognise(const isocast_source *source,
                                           isocast_diagnostics *diagnostics, bool *is_sets,
                                           bool *has_times) {
    isocast_csv csv = {0};
    isocast_status status = isocast_csv_read(source, diagnostics, &csv);
    bool found[COLUMNS] = {false};
    size_t count = status == ISOCAST_OK && csv.row_count > 0 ? csv.rows[0].count : 0;
    for (size_t i = 0; i < count; i++) {
        for (size_t c = 0; c < COLUMNS; c++) {
            found[c] =
                found[c] || strcmp(csv.fields[csv.rows[0].first + i].text, column_names[c]) == 0;
        }
    }
    isocast_csv_free(&csv);
    if (status == ISOCAST_OK) {
        *is_sets = found[COLUMN_SET];
        *has_times = found[COLUMN_T] || !(found[COLUMN_T_REF] || found[COLUMN_R_F]);
    }
    return status;
}
