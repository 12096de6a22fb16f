#include "render_grid.h"

#include <locale.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include "model/base/text.h"
#include "report.h"

/* Reading the locale takes as long as a table of hundreds of rows, so it is read once, and stays.
 */
static locale_t utf8;
static pthread_once_t utf8_is_read = PTHREAD_ONCE_INIT;

static void read_utf8(void) {
    utf8 = newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0);
}

/* The process stays in the C locale, where numbers have a point and wcwidth() knows ASCII only; the
 * widths come from a locale that is used here alone. Without it every character counts as one. */
size_t cli_bytes_width(const char *text, size_t length) {
    size_t width = 0;
    while (width < length && text[width] >= ' ' && text[width] <= '~') {
        width++; /* nearly all text; the locale is asked about the rest */
    }
    text += width;
    length -= width;
    if (length == 0) {
        return width;
    }
    mbstate_t state = {0};
    pthread_once(&utf8_is_read, read_utf8);
    locale_t before = utf8 != (locale_t)0 ? uselocale(utf8) : (locale_t)0;
    while (length > 0) {
        wchar_t character;
        size_t bytes = mbrtowc(&character, text, length, &state);
        int columns = 1;
        if (bytes == (size_t)-1 || bytes == (size_t)-2) {
            bytes = 1;
            memset(&state, 0, sizeof state);
        } else {
            columns = wcwidth(character);
        }
        width += columns < 0 ? 1 : (size_t)columns;
        text += bytes;
        length -= bytes;
    }
    if (utf8 != (locale_t)0) {
        uselocale(before);
    }
    return width;
}

size_t cli_text_width(const char *text) {
    return cli_bytes_width(text, strlen(text));
}

static const char *const prefixes[] = {"n", "u", "m", "", "k", "M", "G", "T", "P", "E"};
enum { UNITY = 3, PREFIX_MAX = sizeof prefixes / sizeof prefixes[0] - 1 };

/* Significant digits where a column does not say; how many more the largest value of a column may
 * get so that the smallest one has its own; digits of a whole number; orders of magnitude from
 * which on a column is too wide for one prefix and one number of decimals. */
enum { DIGITS = 4, DIGITS_MORE = 4, WHOLE_MAX = 12, WIDE = 7 };

/* Times are read in seconds and parts of them, nobody reads kiloseconds; and nothing but times has
 * useful parts. Compound units take a prefix only where it belongs to their first name. */
static void prefix_range(const char *unit, int *least, int *most) {
    bool is_time = strcmp(unit, "s") == 0;
    bool is_large = strcmp(unit, "flop") == 0 || strcmp(unit, "flop/s") == 0 ||
                    strcmp(unit, "B") == 0 || strcmp(unit, "B/s") == 0 || strcmp(unit, "W") == 0 ||
                    strcmp(unit, "J") == 0;
    *least = is_time ? 0 : UNITY;
    *most = is_large ? PREFIX_MAX : UNITY;
}

typedef struct extent {
    double least;           /* smallest magnitude above 0, or 0 where there is none */
    double most;            /* largest magnitude */
    double order;           /* mean of the decimal logarithms of the magnitudes above 0 */
    bool whole;             /* all are whole numbers of a readable length */
    bool wide;              /* over many orders of magnitude */
    bool empty;             /* no row has a value */
    double orders, counted; /* what the mean is of */
} extent;

static void extend(const cli_report *report, size_t column, extent *e) {
    for (size_t row = 0; row < cli_report_rows(report); row++) {
        const cli_cell *cell = cli_report_cell(report, row, column);
        double value = fabs(cell->value);
        e->empty = e->empty && cell->text == NULL && isnan(value);
        if (isnan(value)) {
            continue;
        }
        e->most = fmax(e->most, value);
        if (value > 0) {
            e->least = e->least == 0 || value < e->least ? value : e->least;
            e->orders += log10(value);
            e->counted += 1;
        }
        e->whole = e->whole && value == floor(value) && value < pow(10, WHOLE_MAX);
    }
}

static extent finish(extent e) {
    e.order = e.counted > 0 ? e.orders / e.counted : 0;
    e.wide = e.counted > 0 && log10(e.most / e.least) >= WIDE;
    return e;
}

static extent measure(const cli_report *report, size_t column) {
    extent e = {.whole = true, .empty = true};
    extend(report, column, &e);
    return finish(e);
}

/* Of a column and those that it is compared with. */
static extent measure_compared(const cli_report *report, size_t column) {
    int compared = report->columns[column].compared;
    extent e = {.whole = true, .empty = true};
    for (size_t i = 0; i < report->column_count; i++) {
        bool together = compared > 0 && report->columns[i].compared == compared;
        if ((i == column || together) && !report->columns[i].file_only) {
            extend(report, i, &e);
        }
    }
    return finish(e);
}

static int clamp(int value, int least, int most) {
    return value < least ? least : value > most ? most : value;
}

/* The prefix at which the mean of the column, by order of magnitude, has one to three digits. */
static int choose_prefix(const cli_column *column, extent e) {
    int least;
    int most;
    if (column->kind != CLI_COLUMN_NUMBER || column->unit == NULL || e.wide) {
        return UNITY;
    }
    prefix_range(column->unit, &least, &most);
    int prefix = UNITY + (int)floor(e.order / 3);
    return clamp(prefix, least, most);
}

typedef struct style {
    double factor; /* a value is divided by it */
    int digits;    /* significant, for a column that is wide */
    int decimals;  /* of every cell, for one that is not */
    bool wide;
    bool share; /* in per cent, with one decimal */
} style;

/* What rounding alone keeps below a power of ten is of that order: both are written alike. */
static int order_of(double magnitude) {
    static const double rounding = 1e-13;
    return (int)floor(log10(magnitude * (1 + rounding)));
}

static style choose_style(const cli_column *column, extent e, int prefix) {
    style s = {.digits = column->digits > 0 ? column->digits : DIGITS,
               .factor = pow(1000, prefix - UNITY)};
    s.share = column->kind == CLI_COLUMN_SHARE;
    if (!s.share && e.most > 0 && !(column->kind == CLI_COLUMN_COUNT && e.whole)) {
        int due = s.digits - 1 - order_of(e.least / s.factor);
        int allowed = s.digits + DIGITS_MORE - 1 - order_of(e.most / s.factor);
        s.decimals = due < 0 ? 0 : due < allowed ? due : allowed;
        /* Where the smallest value would lose digits, or the column be long, each cell has its own
         * number of decimals. */
        s.wide = e.wide || due - allowed > 1 || s.decimals > WIDE ||
                 order_of(e.most / s.factor) >= WHOLE_MAX;
    }
    return s;
}

static char *format_number(const style *s, double value) {
    char text[64];
    if (s->share) {
        return strdup(cli_per_cent(value, 1, false).text);
    }
    (void)snprintf(text, sizeof text, s->wide ? "%.*g" : "%.*f", s->wide ? s->digits : s->decimals,
                   value / s->factor);
    return strdup(text);
}

static char *format_cell(const style *s, const cli_cell *cell) {
    if (cell->text != NULL) {
        isocast_buffer text = {0};
        isocast_text_clean(cell->text, strlen(cell->text), "", &text);
        return isocast_buffer_take(&text);
    }
    return isnan(cell->value) ? strdup("-") : format_number(s, cell->value);
}

/* Fills the grid's column `at` from the report's column `from`. */
static bool fill_column(const cli_report *report, size_t from, extent e, cli_grid *grid,
                        size_t at) {
    const cli_column *head = &report->columns[from];
    cli_grid_column *column = &grid->columns[at];
    int prefix = choose_prefix(head, e);
    style s = choose_style(head, e, prefix);
    const char *unit = head->kind == CLI_COLUMN_SHARE ? "%" : head->unit != NULL ? head->unit : "";
    column->heading = head->heading != NULL ? head->heading : head->name;
    column->is_text = head->kind == CLI_COLUMN_TEXT;
    column->column = from;
    (void)snprintf(column->unit, sizeof column->unit, "%s%s", prefixes[prefix], unit);
    size_t heading = cli_text_width(column->heading);
    size_t below = cli_text_width(column->unit);
    column->width = heading > below ? heading : below;
    for (size_t row = 0; row < grid->row_count; row++) {
        char *text = format_cell(&s, cli_report_cell(report, row, from));
        if (text == NULL) {
            return false;
        }
        size_t width = cli_text_width(text);
        grid->texts[row * grid->column_count + at] = text;
        column->width = width > column->width ? width : column->width;
    }
    return true;
}

static bool fill(const cli_report *report, const size_t *shown, cli_grid *grid) {
    for (size_t i = 0; i < grid->column_count; i++) {
        if (!fill_column(report, shown[i], measure_compared(report, shown[i]), grid, i)) {
            return false;
        }
    }
    return true;
}

bool cli_grid_create(const cli_report *report, cli_grid *out) {
    cli_grid grid = {.row_count = cli_report_rows(report)};
    size_t *shown = calloc(report->column_count + 1, sizeof *shown);
    for (size_t i = 0; shown != NULL && i < report->column_count; i++) {
        const cli_column *column = &report->columns[i];
        if (!column->file_only && !(column->optional && measure(report, i).empty)) {
            shown[grid.column_count++] = i;
        }
    }
    grid.columns = calloc(grid.column_count + 1, sizeof *grid.columns);
    grid.texts = calloc(grid.row_count * grid.column_count + 1, sizeof *grid.texts);
    bool filled =
        shown != NULL && grid.columns != NULL && grid.texts != NULL && fill(report, shown, &grid);
    free(shown);
    if (!filled) {
        cli_grid_free(&grid);
        return false;
    }
    *out = grid;
    return true;
}

void cli_grid_free(cli_grid *grid) {
    for (size_t i = 0; grid->texts != NULL && i < grid->row_count * grid->column_count; i++) {
        free(grid->texts[i]);
    }
    free(grid->texts);
    free(grid->columns);
}

const char *cli_grid_text(const cli_grid *grid, size_t row, size_t column) {
    return grid->texts[row * grid->column_count + column];
}
