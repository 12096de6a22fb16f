#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "cli/options/exit.h"
#include "cli/options/number.h"
#include "cli/output/json_text.h"
#include "model/base/diagnostic.h"
#include "model/base/input.h"
#include "model/base/order.h"
#include "model/base/quantity.h"
#include "model/base/refused.h"
#include "plot_results.h"

enum { SWEEP_COLUMNS_MAX = 200, SWEEP_LINE_MAX = 1024 * 1024 /* bytes */ };

typedef struct sweep_rows {
    FILE *file;
    bool json;
    char *line; /* owned */
    size_t line_number;
    bool too_long;  /* the last line: it is not read */
    char *question; /* owned; NULL where the head has none */
    size_t count;   /* columns */
    char *names[SWEEP_COLUMNS_MAX];
    char *units[SWEEP_COLUMNS_MAX];    /* "1" for a count; NULL where it has none */
    double numbers[SWEEP_COLUMNS_MAX]; /* of the row that was read; NAN where it is no number */
    char texts[SWEEP_COLUMNS_MAX][64]; /* the same as it stands, cut */
    double number;                     /* of the row */
    isocast_buffer head;               /* the beginning of the file, up to the names of columns */
    long start;                        /* where the first row begins */
    int cause;                         /* errno of a read that failed; 0: none did */
} sweep_rows;

static const char csv_start[] = "# isocast.sweep/1";
static const char json_start[] = "{\"schema\": \"isocast.sweep/1\"";

static bool starts_with(const char *text, const char *start) {
    return strncmp(text, start, strlen(start)) == 0;
}

bool plot_sweep_recognise(const isocast_buffer *start) {
    return start->text != NULL &&
           (starts_with(start->text, csv_start) || starts_with(start->text, json_start));
}

/* The next whole line, without its break. */
static bool next_line(sweep_rows *rows) {
    errno = 0;
    size_t length = isocast_input_line(rows->file, rows->line, SWEEP_LINE_MAX);
    if ((length == 0 || rows->line[length - 1] != '\n') && ferror(rows->file) != 0) {
        rows->cause = errno != 0 ? errno : EIO;
    }
    rows->line_number++;
    rows->too_long = isocast_input_is_long(rows->line, length, SWEEP_LINE_MAX);
    if (length < 1 || rows->line[length - 1] != '\n') {
        return false;
    }
    rows->line[length - 1] = '\0';
    return true;
}

static char *copy_of(sweep_rows *rows, const char *text) {
    char *copy = strdup(text);
    rows->cause = copy == NULL ? ENOMEM : rows->cause;
    return copy;
}

/* The index of a column; rows->count where there is none. */
static size_t sweep_rows_column(const sweep_rows *rows, const char *name) {
    size_t i = 0;
    while (i < rows->count && strcmp(rows->names[i], name) != 0) {
        i++;
    }
    return i;
}

static void note_name(sweep_rows *rows, const char *name) {
    char *copy = rows->count < SWEEP_COLUMNS_MAX ? copy_of(rows, name) : NULL;
    if (copy != NULL) {
        rows->names[rows->count++] = copy;
    }
}

static void note_unit(sweep_rows *rows, const char *name, const char *unit) {
    size_t column = sweep_rows_column(rows, name);
    if (column < rows->count && rows->units[column] == NULL) {
        rows->units[column] = copy_of(rows, unit);
    }
}

/* Cuts the field at `at`; gives where the next one begins, NULL at the end of the line. Quotes and
 * a guard in front of them are taken off. */
static char *cut_field(char *at, char **out) {
    bool quoted = at[0] == '"';
    char *to = at;
    char *from = quoted ? at + 1 : at;
    *out = at;
    while (*from != '\0') {
        if (quoted && from[0] == '"' && from[1] != '"') {
            from++;
            break;
        }
        if (!quoted && *from == ',') {
            break;
        }
        from += quoted && from[0] == '"' ? 1 : 0;
        *to++ = *from++;
    }
    char *next = *from == ',' ? from + 1 : NULL;
    *to = '\0';
    return next;
}

/* "t_c [s/flop] target [1]". */
static void read_units(sweep_rows *rows, char *text) {
    char *at = text;
    while (*at != '\0') {
        char *open = strstr(at, " [");
        char *close = open != NULL ? strchr(open, ']') : NULL;
        if (close == NULL) {
            return;
        }
        *open = *close = '\0';
        note_unit(rows, at + strspn(at, " "), open + 2);
        at = close + 1;
    }
}

static bool next_head_line(sweep_rows *rows) {
    bool read = next_line(rows);
    if (read) {
        isocast_buffer_puts(&rows->head, rows->line);
        isocast_buffer_puts(&rows->head, "\n");
    }
    return read;
}

static void read_csv_head(sweep_rows *rows) {
    static const char question[] = "# question: ";
    static const char units[] = "# units:";
    char *kept = NULL;
    while (next_head_line(rows)) {
        if (starts_with(rows->line, question) && rows->question == NULL) {
            rows->question = copy_of(rows, rows->line + sizeof question - 1);
        } else if (starts_with(rows->line, units) && kept == NULL) {
            kept = copy_of(rows, rows->line + sizeof units - 1);
        } else if (rows->line[0] != '#') {
            char *name;
            for (char *at = rows->line; at != NULL;) {
                at = cut_field(at, &name);
                note_name(rows, name);
            }
            break;
        }
    }
    if (kept != NULL) {
        read_units(rows, kept);
    }
    free(kept);
}

/* The names stand in the first row, which is read again then. */
static void read_json_head(sweep_rows *rows) {
    json_t *head =
        next_head_line(rows) ? cli_json_read(rows->line, strlen(rows->line), NULL) : NULL;
    const char *question = json_string_value(json_object_get(head, "question"));
    rows->question = question != NULL ? copy_of(rows, question) : NULL;
    long behind = ftell(rows->file);
    rows->cause = behind < 0 && rows->cause == 0 ? errno : rows->cause;
    json_t *first =
        next_head_line(rows) ? cli_json_read(rows->line, strlen(rows->line), NULL) : NULL;
    const char *name;
    json_t *value;
    json_object_foreach(first, name, value) {
        note_name(rows, name);
    }
    json_object_foreach(json_object_get(head, "units"), name, value) {
        const char *unit = json_string_value(value);
        note_unit(rows, name, unit != NULL ? unit : "1");
    }
    if (rows->cause == 0 && fseek(rows->file, behind, SEEK_SET) != 0) {
        rows->cause = errno;
    }
    rows->line_number -= rows->too_long ? 0 : 1;
    json_decref(head);
    json_decref(first);
}

/* What kept a file from being read, where something did. */
static int report_cause(const char *path, const sweep_rows *rows) {
    if (rows->too_long) {
        fprintf(stderr,
                "%s:%zu:1: error: this line is longer than %d bytes\n    hint: isocast sweep "
                "writes no such line: write the file again\n",
                path, rows->line_number, SWEEP_LINE_MAX);
        return CLI_EXIT_INVALID;
    }
    if (rows->cause == ENOMEM || isocast_was_refused()) {
        return cli_exit_of(ISOCAST_NO_MEMORY);
    }
    if (rows->cause != 0) {
        fprintf(stderr, "isocast plot: cannot read %s: %s\n", path, strerror(rows->cause));
        return CLI_EXIT_SYSTEM;
    }
    return CLI_EXIT_OK;
}

/* After the last row: reports on stderr what kept the file from being read to its end, and goes
 * back to the first row. Gives an exit status. */
static int sweep_rows_end(const char *path, sweep_rows *rows) {
    if (rows->cause == 0 && fseek(rows->file, rows->start, SEEK_SET) != 0) {
        rows->cause = errno;
    }
    rows->number = 0;
    return report_cause(path, rows);
}

/* Opens a file and reads its head. Reports on stderr what is wrong; gives an exit status. Close it
 * in either case. */
static int sweep_rows_open(const char *path, sweep_rows *out) {
    isocast_diagnostics diagnostics = {0};
    *out = (sweep_rows){.line = malloc(SWEEP_LINE_MAX + 2)};
    if (out->line == NULL) {
        return cli_exit_of(ISOCAST_NO_MEMORY);
    }
    isocast_status status =
        isocast_input_open(path, ISOCAST_INPUT_PLAIN, SIZE_MAX, &diagnostics, &out->file);
    status = cli_diagnostics_report(&diagnostics, false, status);
    if (status != ISOCAST_OK) {
        return cli_exit_of(status);
    }
    errno = 0;
    int first = getc(out->file);
    if (ferror(out->file) != 0) {
        out->cause = errno != 0 ? errno : EIO;
        return report_cause(path, out);
    }
    ungetc(first, out->file);
    out->json = first == '{';
    if (out->json) {
        read_json_head(out);
    } else {
        read_csv_head(out);
    }
    out->start = ftell(out->file);
    if (out->cause == 0 && out->start < 0) {
        out->cause = errno;
    }
    return report_cause(path, out);
}

static void sweep_rows_close(sweep_rows *rows) {
    if (rows->file != NULL) {
        fclose(rows->file);
    }
    for (size_t i = 0; i < rows->count; i++) {
        free(rows->names[i]);
        free(rows->units[i]);
    }
    isocast_buffer_free(&rows->head);
    free(rows->line);
    free(rows->question);
}

static void take_text(sweep_rows *rows, size_t column, const char *text) {
    if (!cli_number_parse(text, &rows->numbers[column])) {
        rows->numbers[column] = NAN;
    }
    (void)snprintf(rows->texts[column], sizeof rows->texts[column], "%s", text);
}

static bool read_csv_row(sweep_rows *rows) {
    size_t column = 0;
    char *field;
    for (char *at = rows->line; at != NULL && column < rows->count; column++) {
        at = cut_field(at, &field);
        take_text(rows, column, field);
    }
    return column == rows->count;
}

static bool read_json_row(sweep_rows *rows) {
    json_t *row = cli_json_read(rows->line, strlen(rows->line), NULL);
    for (size_t i = 0; i < rows->count; i++) {
        const json_t *value = json_object_get(row, rows->names[i]);
        const char *text = json_string_value(value);
        take_text(rows, i, text != NULL ? text : "");
        if (json_is_number(value)) {
            rows->numbers[i] = json_number_value(value);
            (void)snprintf(rows->texts[i], sizeof rows->texts[i], "%.10g", rows->numbers[i]);
        }
    }
    json_decref(row);
    return row != NULL;
}

/* Reads the next row; false at the end, at a row that was torn, and where sweep_rows_end() has
 * something to say. */
static bool sweep_rows_next(sweep_rows *rows) {
    if (rows->count == 0 || !next_line(rows)) {
        return false;
    }
    bool read = rows->json ? read_json_row(rows) : read_csv_row(rows);
    rows->number += read;
    return read;
}

/* Reports on stderr what is wrong with the columns, at the place of their names. Gives an exit
 * status. */
static int refuse_columns(const char *path, const sweep_rows *rows, const char *hint,
                          const char *message, const char *name) {
    isocast_diagnostics diagnostics = {0};
    isocast_source *source = NULL;
    const isocast_buffer *head = &rows->head;
    const char *text = head->text != NULL ? head->text : "";
    isocast_status status = isocast_source_create(path, text, head->length, &source);
    if (status == ISOCAST_OK) {
        size_t end = head->length > 0 ? head->length - 1 : 0;
        size_t begin = end;
        while (begin > 0 && text[begin - 1] != '\n') {
            begin--;
        }
        isocast_diagnostics_add(&diagnostics, ISOCAST_ERROR, source, (isocast_span){begin, end},
                                hint, "%s%s%s", message, name, name[0] != '\0' ? "'" : "");
        status = ISOCAST_INVALID;
    }
    isocast_source_free(source);
    return cli_exit_with(&diagnostics, false, status);
}

/* There is no such column (NULL: none of a name that varies). */
static int sweep_rows_lack(const char *path, const sweep_rows *rows, const char *name) {
    return refuse_columns(
        path, rows, "isocast sweep writes all columns that a picture needs: write the file again",
        name != NULL ? "there is no column '" : "there is no column of a name that varies",
        name != NULL ? name : "");
}

/* Places along an axis of a curve, and of a map. */
enum { CURVE_PLACES = 400, MAP_PLACES = 60, PANELS = 2, GROUPS = PLOT_GROUPS_MAX, NAME_MOST = 40 };

/* From this ratio of its ends on an axis, or a colour scale, is logarithmic. */
static const double logarithmic = 20;
/* Up to this ratio it has more numbers on it than powers of ten. */
static const double few_decades = 1000;

/* The places of a name that varies: its values, or equal parts of its range where it has more of
 * them than there is room for. */
typedef struct axis {
    size_t column;
    size_t most;                 /* places */
    double values[CURVE_PLACES]; /* [count], rising once all rows were seen */
    size_t count;
    bool full; /* there are more values than places */
    double low, high;
    bool log;
    const char *prefix; /* of the unit, as drawn: "n" */
    double factor;      /* what it stands for */
} axis;

/* Means of what the two panels show, at each place. */
typedef struct cell {
    double sum[PANELS];
    double rows[PANELS];
} cell;

typedef struct picture {
    sweep_rows rows;
    axis axes[2];
    size_t axis_count; /* 1: curves; 2: maps */
    size_t varied;     /* names that have several values */
    size_t panels[PANELS];
    size_t shown;          /* of maps: rows that they show */
    size_t system, target; /* columns; the target is rows.count where N is given */
    char chosen[2][64];    /* of maps: the system and the target that are shown */
    cell *cells;           /* [groups][places], or [places of x][places of y] */
    plot_data *data;
} picture;

static void see_value(axis *a, double value) {
    size_t i = 0;
    a->low = isnan(a->low) ? value : fmin(a->low, value);
    a->high = isnan(a->high) ? value : fmax(a->high, value);
    while (!a->full && i < a->count && a->values[i] != value) {
        i++;
    }
    if (!a->full && i == a->count && !isnan(value)) {
        a->full = a->count == a->most;
        a->count += !a->full;
        a->values[i < a->most ? i : 0] = a->full ? a->values[0] : value;
    }
}

static double scaled(const axis *a, double value) {
    return a->log ? log(value) : value;
}

static double unscaled(const axis *a, double value) {
    return a->log ? exp(value) : value;
}

ISOCAST_ORDER_BY(rising, double, *x)

static size_t places_for(double places) {
    return (size_t)fmax(2, fmin(floor(places), MAP_PLACES));
}

/* Draws fall anywhere: where they do not fill every place of a map, it gets fewer places, so that
 * few of them stay empty. */
static void choose_places(picture *p) {
    static const double rows_of_place = 3;
    axis *x = &p->axes[0];
    axis *y = &p->axes[1];
    double rows = (double)p->shown;
    bool filled = !x->full && !y->full && rows >= (double)(x->count * y->count);
    if (p->axis_count < 2 || filled) {
        return;
    }
    if (x->full == y->full) {
        x->full = y->full = true;
        x->most = y->most = places_for(sqrt(rows / rows_of_place));
    } else {
        axis *drawn = x->full ? x : y;
        const axis *other = x->full ? y : x;
        drawn->most = places_for(rows / rows_of_place / (double)other->count);
    }
}

/* Whether rising values go on by equal factors, as those of a range with :log do. */
static bool is_geometric(const axis *a) {
    static const double tolerance = 1e-6;
    double first = a->values[1] / a->values[0];
    bool equal = !a->full && a->count > 2 && a->low > 0;
    for (size_t i = 2; i < a->count && equal; i++) {
        equal = fabs(a->values[i] / a->values[i - 1] / first - 1) <= tolerance;
    }
    return equal;
}

/* After all rows: puts the places in order. */
static void arrange(axis *a) {
    if (!a->full) {
        qsort(a->values, a->count, sizeof *a->values, rising);
    }
    a->log = a->low > 0 && (a->high / a->low >= logarithmic || is_geometric(a));
    if (!a->full) {
        return;
    }
    a->count = a->most;
    double step = (scaled(a, a->high) - scaled(a, a->low)) / (double)a->count;
    for (size_t i = 0; i < a->count; i++) {
        a->values[i] = unscaled(a, scaled(a, a->low) + step * ((double)i + 0.5));
    }
}

/* The place of a value; the nearest one. */
static size_t place_of(const axis *a, double value) {
    size_t low = 0;
    size_t high = a->count - 1;
    while (low < high) {
        size_t middle = (low + high) / 2;
        double edge = (scaled(a, a->values[middle]) + scaled(a, a->values[middle + 1])) / 2;
        if (scaled(a, value) > edge) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

/* Where a place ends, towards the next one or the one before. */
static double edge_of(const axis *a, size_t place, int side) {
    double here = scaled(a, a->values[place]);
    bool inside = side > 0 ? place + 1 < a->count : place > 0;
    double to = inside          ? scaled(a, a->values[side > 0 ? place + 1 : place - 1])
                : a->count == 1 ? here + side
                : side > 0      ? 2 * here - scaled(a, a->values[place - 1])
                                : 2 * here - scaled(a, a->values[place + 1]);
    return unscaled(a, (here + to) / 2);
}

/* The names that vary stand behind the row's number and before the target or the system. */
static size_t end_of_varied(const picture *p) {
    return p->target < p->system ? p->target : p->system;
}

/* First reading: which names have several values, and how many rows there are. */
static void choose_axes(picture *p) {
    double first[SWEEP_COLUMNS_MAX];
    bool several[SWEEP_COLUMNS_MAX] = {false};
    size_t end = end_of_varied(p);
    for (bool begun = false; sweep_rows_next(&p->rows); begun = true) {
        for (size_t i = 1; i < end; i++) {
            /* A row without the number says nothing of whether it varies. */
            double number = p->rows.numbers[i];
            first[i] = begun && !isnan(first[i]) ? first[i] : number;
            several[i] = several[i] || (!isnan(number) && number != first[i]);
        }
        memcpy(p->chosen[0], p->rows.texts[p->system], sizeof p->chosen[0]);
        if (p->target < p->rows.count && p->chosen[1][0] == '\0') {
            memcpy(p->chosen[1], p->rows.texts[p->target], sizeof p->chosen[1]);
        }
    }
    for (size_t i = 1; i < end; i++) {
        p->varied += several[i];
        if (several[i] && p->axis_count < 2) {
            p->axes[p->axis_count++].column = i;
        }
    }
    if (p->axis_count == 0) {
        p->axes[p->axis_count++].column = 1;
    }
    for (size_t k = 0; k < p->axis_count; k++) {
        p->axes[k].most = p->axis_count == 1 ? CURVE_PLACES : MAP_PLACES;
        p->axes[k].low = p->axes[k].high = NAN;
    }
}

/* Units on axes have the prefix that leaves few digits. */
static void choose_prefix(const sweep_rows *rows, axis *a) {
    const char *unit = rows->units[a->column];
    double typical = a->log ? sqrt(a->low * a->high) : fmax(fabs(a->low), fabs(a->high));
    a->prefix = "";
    a->factor = 1;
    if (unit != NULL && strcmp(unit, "1") != 0) {
        a->prefix = isocast_quantity_prefix(typical, 3, &a->factor);
    }
}

static bool is_chosen(const picture *p) {
    return strcmp(p->rows.texts[p->system], p->chosen[0]) == 0 &&
           (p->target == p->rows.count || strcmp(p->rows.texts[p->target], p->chosen[1]) == 0);
}

/* "C4, E = 0.3"; of another metric "C4, target 0.3". */
static void put_line(const picture *p, const char *system, const char *target,
                     isocast_buffer *out) {
    const char *question = p->rows.question != NULL ? p->rows.question : "";
    isocast_buffer_puts(out, system);
    if (p->target < p->rows.count) {
        bool is_E = strstr(question, " --metric") == NULL;
        isocast_buffer_printf(out, ", %s%s", is_E ? "E = " : "target ", target);
    }
}

/* The name of the line that a row of curves belongs to: in `out`, or "". */
static const char *line_name(const picture *p, isocast_buffer *out) {
    put_line(p, p->rows.texts[p->system], p->rows.texts[p->target < p->rows.count ? p->target : 0],
             out);
    return out->text != NULL ? out->text : "";
}

/* Second reading: the places, and the lines of curves. */
static void see_row(picture *p) {
    p->shown += p->axis_count == 2 && is_chosen(p);
    for (size_t k = 0; k < p->axis_count; k++) {
        see_value(&p->axes[k], p->rows.numbers[p->axes[k].column]);
    }
    if (p->axis_count == 1) {
        isocast_buffer name = {0};
        const char *line = line_name(p, &name);
        plot_group_note(p->data, line, line);
        isocast_buffer_free(&name);
    }
}

/* Third reading: the means. */
static void add_row(picture *p) {
    size_t line = 0;
    for (size_t k = 0; k < p->axis_count; k++) {
        if (isnan(p->rows.numbers[p->axes[k].column])) {
            return;
        }
    }
    if (p->axis_count == 1) {
        isocast_buffer name = {0};
        line = plot_group_drawn(p->data, line_name(p, &name));
        isocast_buffer_free(&name);
        if (line == 0) {
            return;
        }
        line--;
    } else if (!is_chosen(p)) {
        return;
    }
    size_t x = place_of(&p->axes[0], p->rows.numbers[p->axes[0].column]);
    size_t at = p->axis_count == 1
                    ? line * CURVE_PLACES + x
                    : x * MAP_PLACES + place_of(&p->axes[1], p->rows.numbers[p->axes[1].column]);
    for (size_t k = 0; k < PANELS; k++) {
        double value = p->rows.numbers[p->panels[k]];
        if (!isnan(value)) {
            p->cells[at].sum[k] += value;
            p->cells[at].rows[k]++;
        }
    }
}

/* NAN also where gnuplot could not draw it. */
static double drawable(double value) {
    return value == 0 || !isnan(plot_positive(fabs(value))) ? value : NAN;
}

static double mean_of(const cell *c, size_t panel) {
    return c->rows[panel] > 0 ? drawable(c->sum[panel] / c->rows[panel]) : NAN;
}

static void put_curves(picture *p) {
    const axis *a = &p->axes[0];
    isocast_buffer_puts(&p->data->blocks[PLOT_POINTS], "group,x,first,second\n");
    for (size_t line = 0; line < GROUPS; line++) {
        for (size_t i = 0; i < a->count; i++) {
            const cell *c = &p->cells[line * CURVE_PLACES + i];
            /* An empty row of a line breaks it where a place has no solution. */
            plot_row(&p->data->blocks[PLOT_POINTS],
                     (double[]){(double)line + 1, a->values[i] / a->factor, mean_of(c, 0),
                                mean_of(c, 1)},
                     4);
        }
    }
}

/* The cells, and the same as a grid for contours: a blank line after each column of it. */
static void put_map(picture *p) {
    const axis *x = &p->axes[0];
    const axis *y = &p->axes[1];
    isocast_buffer_puts(&p->data->blocks[PLOT_POINTS],
                        "x,x_low,x_high,y,y_low,y_high,first,second\n");
    isocast_buffer_puts(&p->data->blocks[PLOT_CURVES], "x,y,first,second\n");
    for (size_t i = 0; i < x->count; i++) {
        for (size_t k = 0; k < y->count; k++) {
            const cell *c = &p->cells[i * MAP_PLACES + k];
            double first = mean_of(c, 0);
            double second = mean_of(c, 1);
            double here[] = {x->values[i] / x->factor, y->values[k] / y->factor};
            plot_row(&p->data->blocks[PLOT_CURVES], (double[]){here[0], here[1], first, second}, 4);
            if (!isnan(first) || !isnan(second)) {
                plot_row(&p->data->blocks[PLOT_POINTS],
                         (double[]){here[0], edge_of(x, i, -1) / x->factor,
                                    edge_of(x, i, 1) / x->factor, here[1],
                                    edge_of(y, k, -1) / y->factor, edge_of(y, k, 1) / y->factor,
                                    first, second},
                         8);
            }
        }
        isocast_buffer_puts(&p->data->blocks[PLOT_CURVES], "\n");
    }
}

/* "T (s)", or "N" for what has no unit: gives the number of the text. */
static double put_quantity(picture *p, size_t column, const char *prefix, size_t characters) {
    const char *unit = p->rows.units[column];
    isocast_buffer name = {0};
    isocast_buffer_puts(&name, p->rows.names[column]);
    if (unit != NULL && strcmp(unit, "1") != 0) {
        isocast_buffer_printf(&name, " (%s%s)", prefix, unit);
    }
    return (double)plot_text_take(p->data, &name, characters);
}

static void put_panels(picture *p, size_t cells) {
    static const char *const names[PANELS] = {"first", "second"};
    static const char *const texts[PANELS] = {"first_name", "second_name"};
    for (size_t k = 0; k < PANELS; k++) {
        for (size_t i = 0; i < cells; i++) {
            plot_know(p->data, names[k], mean_of(&p->cells[i], k));
        }
        plot_variable(p->data, texts[k], put_quantity(p, p->panels[k], "", PLOT_LABEL_MAX));
    }
    plot_variable(p->data, "log_from", logarithmic);
}

static void put_axes(picture *p) {
    static const char *const names[] = {"x_name", "y_name"};
    static const char *const logs[] = {"x_log", "y_log"};
    for (size_t k = 0; k < 2 && k < p->axis_count; k++) {
        const axis *a = &p->axes[k];
        plot_variable(p->data, names[k], put_quantity(p, a->column, a->prefix, PLOT_TITLE_MAX));
        plot_variable(p->data, logs[k], !a->log ? 0 : a->high / a->low > few_decades ? 1 : 2);
    }
}

static void put_title(picture *p) {
    static const char start[] = "isocast sweep ";
    const char *question = p->rows.question != NULL ? p->rows.question : "";
    question += strncmp(question, start, sizeof start - 1) == 0 ? sizeof start - 1 : 0;
    /* The algorithm and the machine. */
    size_t algorithm = strcspn(question, " ");
    const char *rest = question + algorithm + strspn(question + algorithm, " ");
    size_t machine = strcspn(rest, " ");
    isocast_buffer more = {0};
    if (p->axis_count == 2) {
        isocast_buffer_puts(&more, ", ");
        put_line(p, p->chosen[0], p->chosen[1], &more);
    }
    if (p->varied > 2) {
        isocast_buffer_puts(&more, "; means over what else varies");
    }
    plot_title(p->data, "Sweep: %.*s on %.*s%s",
               (int)(algorithm < NAME_MOST ? algorithm : NAME_MOST), question,
               (int)(machine < NAME_MOST ? machine : NAME_MOST), rest,
               more.text != NULL ? more.text : "");
    isocast_buffer_free(&more);
}

static int read_all(const char *path, picture *p, void (*take)(picture *p)) {
    while (sweep_rows_next(&p->rows)) {
        take(p);
    }
    return sweep_rows_end(path, &p->rows);
}

static int find_columns(picture *p, const char *path) {
    const sweep_rows *rows = &p->rows;
    p->system = sweep_rows_column(rows, "system");
    p->target = sweep_rows_column(rows, "target");
    bool solves = p->target < rows->count;
    const char *names[PANELS] = {solves ? "N" : "T", solves ? "T" : "E"};
    for (size_t k = 0; k < PANELS; k++) {
        p->panels[k] = sweep_rows_column(rows, names[k]);
        if (p->panels[k] == rows->count) {
            return sweep_rows_lack(path, rows, names[k]);
        }
    }
    if (p->system == rows->count) {
        return sweep_rows_lack(path, rows, "system");
    }
    /* The names that vary stand behind the row's number. */
    return end_of_varied(p) < 2 ? sweep_rows_lack(path, rows, NULL) : CLI_EXIT_OK;
}

static int draw(const char *path, picture *p) {
    int status = sweep_rows_open(path, &p->rows);
    if (status != CLI_EXIT_OK || p->rows.count == 0) {
        return status;
    }
    status = find_columns(p, path);
    if (status != CLI_EXIT_OK) {
        return status;
    }
    choose_axes(p);
    bool empty = p->rows.number == 0;
    status = sweep_rows_end(path, &p->rows);
    if (empty || status != CLI_EXIT_OK) {
        return status;
    }
    put_title(p);
    status = read_all(path, p, see_row);
    if (status != CLI_EXIT_OK) {
        return status;
    }
    for (size_t k = 0; k < p->axis_count; k++) {
        if (p->axes[k].count == 0) {
            return refuse_columns(path, &p->rows, "isocast sweep writes the value of every row",
                                  "no row has a number in column '",
                                  p->rows.names[p->axes[k].column]);
        }
    }
    choose_places(p);
    for (size_t k = 0; k < p->axis_count; k++) {
        arrange(&p->axes[k]);
        choose_prefix(&p->rows, &p->axes[k]);
    }
    plot_groups_choose(p->data);
    size_t cells =
        p->axis_count == 1 ? (size_t)GROUPS * CURVE_PLACES : (size_t)MAP_PLACES * MAP_PLACES;
    p->cells = calloc(cells, sizeof *p->cells);
    if (p->cells == NULL) {
        return cli_exit_of(ISOCAST_NO_MEMORY);
    }
    status = read_all(path, p, add_row);
    put_axes(p);
    put_panels(p, cells);
    if (p->axis_count == 1) {
        put_curves(p);
    } else {
        put_map(p);
    }
    /* The script has axes of its own. */
    plot_widen(p->data, 1);
    plot_widen(p->data, 2);
    p->data->script = p->axis_count == 1 ? "response.gp" : "map.gp";
    return status;
}

int plot_sweep_read(const char *path, plot_data *data) {
    picture *p = calloc(1, sizeof *p);
    if (p == NULL) {
        return cli_exit_of(ISOCAST_NO_MEMORY);
    }
    p->data = data;
    int status = draw(path, p);
    sweep_rows_close(&p->rows);
    free(p->cells);
    free(p);
    return status;
}
