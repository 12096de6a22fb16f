#include "sweep_rows.h"

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
#include "model/base/refused.h"

static const char csv_start[] = "# isocast.sweep/1";
static const char json_start[] = "{\"schema\": \"isocast.sweep/1\"";

static bool starts_with(const char *text, const char *start) {
    return strncmp(text, start, strlen(start)) == 0;
}

bool sweep_rows_recognise(const isocast_buffer *start) {
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
static int tell_cause(const char *path, const sweep_rows *rows) {
    if (rows->too_long) {
        fprintf(stderr,
                "%s:%zu:1: error: this line is longer than %d bytes\n    hint: isocast sweep "
                "writes no such line: write the file anew\n",
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

int sweep_rows_end(const char *path, sweep_rows *rows) {
    if (rows->cause == 0 && fseek(rows->file, rows->start, SEEK_SET) != 0) {
        rows->cause = errno;
    }
    rows->number = 0;
    return tell_cause(path, rows);
}

int sweep_rows_open(const char *path, sweep_rows *out) {
    isocast_diagnostics diagnostics = {0};
    *out = (sweep_rows){.line = malloc(SWEEP_LINE_MAX + 2)};
    if (out->line == NULL) {
        return cli_exit_of(ISOCAST_NO_MEMORY);
    }
    isocast_status status =
        isocast_input_open(path, ISOCAST_INPUT_PLAIN, SIZE_MAX, &diagnostics, &out->file);
    status = cli_diagnostics_tell(&diagnostics, false, status);
    if (status != ISOCAST_OK) {
        return cli_exit_of(status);
    }
    errno = 0;
    int first = getc(out->file);
    if (ferror(out->file) != 0) {
        out->cause = errno != 0 ? errno : EIO;
        return tell_cause(path, out);
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
    return tell_cause(path, out);
}

void sweep_rows_close(sweep_rows *rows) {
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

bool sweep_rows_next(sweep_rows *rows) {
    if (rows->count == 0 || !next_line(rows)) {
        return false;
    }
    bool read = rows->json ? read_json_row(rows) : read_csv_row(rows);
    rows->number += read;
    return read;
}

/* Notes a message at the names of the columns. */
static int refuse_columns(const char *path, const sweep_rows *rows, const char *hint,
                          const char *message) {
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
                                hint, "%s", message);
        status = ISOCAST_INVALID;
    }
    isocast_source_free(source);
    return cli_exit_of(cli_diagnostics_tell(&diagnostics, false, status));
}

int sweep_rows_lack(const char *path, const sweep_rows *rows, const char *name) {
    isocast_buffer message = {0};
    if (name != NULL) {
        isocast_buffer_printf(&message, "there is no column '%s'", name);
    } else {
        isocast_buffer_puts(&message, "there is no column of a name that varies");
    }
    int status = refuse_columns(
        path, rows, "isocast sweep writes all columns that a picture needs: write the file anew",
        message.text != NULL ? message.text : "");
    isocast_buffer_free(&message);
    return status;
}

int sweep_rows_no_number(const char *path, const sweep_rows *rows, size_t column) {
    isocast_buffer message = {0};
    isocast_buffer_printf(&message, "no row has a number in column '%s'", rows->names[column]);
    int status = refuse_columns(path, rows, "isocast sweep writes the value of every row",
                                message.text != NULL ? message.text : "");
    isocast_buffer_free(&message);
    return status;
}

size_t sweep_rows_column(const sweep_rows *rows, const char *name) {
    size_t i = 0;
    while (i < rows->count && strcmp(rows->names[i], name) != 0) {
        i++;
    }
    return i;
}
