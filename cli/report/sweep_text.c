#include "sweep_text.h"

#include <jansson.h>
#include <math.h>
#include <sha256.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/options/number.h"
#include "cli/output/fields.h"
#include "cli/output/json_text.h"
#include "model/base/csv.h"
#include "model/base/text.h"
#include "model/solve/prediction_fields.h"
#include "model/spec/bill.h"
#include "subject.h"

/* Where a column is: where N is solved for, not given; where the machine file gives prices or
 * powers; where there are several systems; or what is held and has no other column. */
enum { SOLVED_ONLY = 1, OF_BILL = 2, OF_SEVERAL = 4, OF_HELD = 8 };

/* In a line of a sweep, which is made without accessors: it is one of millions. */
static bool is_sometimes(const isocast_at *at) {
    (void)at;
    return true;
}

#define COLUMN(its_name, member, its_unit, ...)                                                    \
    ISOCAST_FIELD(its_name, NUMBER, isocast_sweep_records, member, its_unit, __VA_ARGS__)
#define AROUND(its_name, its_kind, its_unit, ...)                                                  \
    {                                                                                              \
        .name = (its_name), .kind = ISOCAST_FIELD_##its_kind, .unit = (its_unit), .known = true,   \
        .meaning = __VA_ARGS__                                                                     \
    }
#define SOMETIMES .shown = is_sometimes
#define BILL SOMETIMES, .only = OF_BILL
static const char currencies[] = "EUR or USD";
static const char unit_held[] = "units"; /* of what is held */
static const char *const note_words[] = {
    [ISOCAST_BATCH_PLAIN] = "",          [ISOCAST_BATCH_INCOMPLETE] = "not-proved",
    [ISOCAST_BATCH_JUMP] = "jump",       [ISOCAST_BATCH_EVERY_N] = "every-N",
    [ISOCAST_BATCH_RAISED] = "raised",   [ISOCAST_BATCH_FEWER] = "fewer-work",
    [ISOCAST_BATCH_GAVE_UP] = "gave-up", NULL};
/* The columns of numbers besides those that vary, in the order of the lines; what a line has around
 * them stands behind. */
enum { COLUMNS = 15 };
static const isocast_field columns[] = {
    COLUMN("N", results.N, "1", "first size parameter"),
    COLUMN("W", results.W, "flop", "work"),
    COLUMN("T", results.T, "s", "execution time"),
    COLUMN("T_c", results.T_c, "s", "computation time"),
    COLUMN("T_o", results.T_o, "s", "overhead"),
    COLUMN("E", results.E, "1", "speed-efficiency W/(T C)"),
    COLUMN("average_speed", results.held, "flop/s", "what isospeed holds, W/(R_f T)", SOMETIMES,
           .only = OF_HELD),
    COLUMN("efficiency", results.held, "1",
           "what isoefficiency, latency and time-scale hold, T(W,1)/(R_f T)", SOMETIMES,
           .only = OF_HELD),
    COLUMN("psi", psi, "1",
           "scalability to this system from the one before it in the list, at the same values and "
           "target; missing for one system",
           SOMETIMES, .only = SOLVED_ONLY | OF_SEVERAL),
    COLUMN("best", results.best_E, unit_held,
           "where the target is unreachable: the largest of what is held that was found", SOMETIMES,
           .only = SOLVED_ONLY),
    COLUMN("nodes", nodes, "1", "that the system uses", BILL),
    COLUMN("price", price, currencies, "of these nodes", BILL),
    COLUMN("power", power, "W", "of these nodes", BILL),
    COLUMN("energy", energy, "J", "of a run", BILL),
    COLUMN("cost", cost, currencies, "of a run", BILL),
    AROUND("row", NUMBER, "1", "number of the row, from 1 on"),
    AROUND("target", NUMBER, "units", "what is held at this value; missing where N is given",
           SOMETIMES),
    AROUND("system", TEXT, NULL, "as it was asked for"),
    AROUND("p", NUMBER, "1", "processes"),
    COLUMN("C", C, "flop/s",
           "sum of their marked speeds; null where the machine has no such system in this row"),
    AROUND("note", TEXT, NULL,
           "empty; or not-proved: further N may meet the target; jump: what is held jumps over the "
           "target; every-N: every N meets it; raised: N is the smallest at which all processes "
           "can work; fewer-work: fewer processes work than there are; gave-up: the search was "
           "given up",
           .words = note_words),
    AROUND("status", TEXT, NULL, "whether there is a solution", .words = isocast_row_status_words)};
const isocast_table cli_sweep_rows = {
    "sweep_row", "a further line of a sweep. What varies stands under its own name, in its SI unit",
    ISOCAST_TABLE(columns), .further = "the value of a name that varies"};

static bool is_solving(const isocast_sweep_request *request) {
    return request->targets != NULL;
}

/* What is held has a column of its own where it is not E. */
static bool has_column(const isocast_sweep_request *request, size_t i) {
    const char *held = isocast_metric_row_of(request->metric)->field;
    bool bill = isocast_machine_has_bill(isocast_model_machine(request->model));
    int lacks = (is_solving(request) ? 0 : SOLVED_ONLY) | (bill ? 0 : OF_BILL) |
                (request->system_count > 1 ? 0 : OF_SEVERAL) |
                (strcmp(columns[i].name, held) == 0 ? 0 : OF_HELD);
    return (columns[i].only & (unsigned)lacks) == 0;
}

static const char *held_unit(const isocast_sweep_request *request) {
    const char *unit = isocast_metric_row_of(request->metric)->unit;
    return unit[0] != '\0' ? unit : "1";
}

static const char *column_unit(const isocast_sweep_request *request, size_t i) {
    isocast_currency currency = isocast_model_machine(request->model)->purchase.currency;
    return columns[i].unit == unit_held        ? held_unit(request)
           : columns[i].unit != currencies     ? columns[i].unit
           : currency != ISOCAST_CURRENCY_NONE ? isocast_currency_name(currency)
                                               : "1";
}

/* The columns of numbers, each with its unit. */
typedef void (*column_visitor)(const char *name, const char *unit, void *context);

static void visit_columns(const isocast_sweep_request *request, column_visitor visit,
                          void *context) {
    for (size_t i = 0; i < request->design->axis_count; i++) {
        const isocast_varied *varied = &request->design->axes[i].variable;
        isocast_unit_text unit = isocast_dimension_text(varied->dimension);
        visit(varied->name, unit.text, context);
    }
    if (is_solving(request)) {
        visit("target", held_unit(request), context);
    }
    visit("system", NULL, context);
    visit("p", "1", context);
    visit("C", "flop/s", context);
    for (size_t i = 0; i < COLUMNS; i++) {
        if (has_column(request, i)) {
            visit(columns[i].name, column_unit(request, i), context);
        }
    }
}

static void put_unit(const char *name, const char *unit, void *context) {
    if (unit != NULL) {
        isocast_buffer_printf(context, " %s [%s]", name, unit);
    }
}

static void put_name(const char *name, const char *unit, void *context) {
    (void)unit;
    isocast_buffer_puts(context, ",");
    isocast_csv_write(name, context);
}

static void set_unit(const char *name, const char *unit, void *context) {
    json_t **object = context;
    if (unit != NULL) {
        cli_json_set(object, name, cli_json_string(unit));
    }
}

/* The hash of the head without itself, and of the texts of the algorithm and of all machines. */
static void hash_question(const isocast_sweep_request *request, const isocast_buffer *head,
                          char hash[CLI_SWEEP_HASH + 1]) {
    const isocast_source *algorithm = isocast_model_algorithm(request->model)->tree->source;
    SHA2_CTX context;
    SHA256Init(&context);
    SHA256Update(&context, (const uint8_t *)head->text, head->length + 1);
    SHA256Update(&context, (const uint8_t *)algorithm->text, algorithm->length + 1);
    size_t machines = request->variants != NULL ? request->variant_count : 1;
    for (size_t i = 0; i < machines; i++) {
        const isocast_model *model =
            request->variants != NULL ? request->variants[i].model : request->model;
        const isocast_source *machine = isocast_model_machine(model)->tree->source;
        SHA256Update(&context, (const uint8_t *)machine->text, machine->length + 1);
    }
    SHA256End(&context, hash);
}

static void put_csv_head(const isocast_sweep *sweep, const char *question, const char *hash,
                         isocast_buffer *out) {
    const isocast_sweep_request *request = isocast_sweep_request_of(sweep);
    isocast_buffer_puts(out, "# isocast.sweep/1, isocast " ISOCAST_VERSION "\n# question: ");
    isocast_text_clean(question, strlen(question), "", out);
    isocast_buffer_printf(out, "\n# rows: %.0f\n# units:", isocast_sweep_rows(sweep));
    visit_columns(request, put_unit, out);
    isocast_buffer_printf(out, "\n# sha256: %s\nrow", hash);
    visit_columns(request, put_name, out);
    isocast_buffer_puts(out, ",note,status\n");
}

/* The first line. */
typedef struct head {
    const isocast_sweep *sweep;
    const char *question, *hash;
} head;

ISOCAST_GIVES(double, rows_of, isocast_sweep_rows(((const head *)at->result)->sweep))

static void *units_of(const isocast_at *at) {
    json_t *units = json_object();
    visit_columns(isocast_sweep_request_of(((const head *)at->result)->sweep), set_unit, &units);
    return units;
}

static const isocast_field head_fields[] = {
    CLI_SCHEMA("isocast.sweep/1"),
    CLI_VERSION,
    ISOCAST_FIELD("question", TEXT, head, question, NULL,
                  "the command line without what does not change the rows", .known = true),
    ISOCAST_NUMBER("rows", rows_of, NULL, "rows of the whole sweep", .known = true),
    ISOCAST_MADE("units", FOREIGN, .foreign = units_of, NULL,
                 "SI unit of each column of numbers, 1 for counts and ratios",
                 .schema =
                     "{\"type\": \"object\", \"additionalProperties\": {\"type\": \"string\", "
                     "\"description\": \"unit\"}}"),
    ISOCAST_FIELD("sha256", TEXT, head, hash, NULL,
                  "of the question, the version, and the texts of both files: a sweep that is gone "
                  "on with has the same",
                  .known = true)};
const isocast_table cli_sweep_document = {
    "sweep",
    "sweep: the first of its JSON lines; a sweep_row follows for each row. CSV has the same in "
    "lines that begin with #",
    ISOCAST_TABLE(head_fields)};

static void put_json_head(const isocast_sweep *sweep, const char *question, const char *hash,
                          isocast_buffer *out) {
    const head line = {sweep, question, hash};
    cli_json_put(cli_fields_document(&cli_sweep_document, &line), out);
    isocast_buffer_puts(out, "\n");
}

bool cli_sweep_head(const isocast_sweep *sweep, cli_sweep_format format, const char *question,
                    isocast_buffer *out, char hash[CLI_SWEEP_HASH + 1]) {
    void (*put)(const isocast_sweep *, const char *, const char *, isocast_buffer *) =
        format == CLI_SWEEP_CSV ? put_csv_head : put_json_head;
    isocast_buffer bare = {0};
    put(sweep, question, "", &bare);
    bool good = !bare.failed;
    if (good) {
        hash_question(isocast_sweep_request_of(sweep), &bare, hash);
        put(sweep, question, hash, out);
    }
    isocast_buffer_free(&bare);
    return good && !out->failed;
}

/* A text that stands in line after line. */
typedef struct piece {
    char *text;
    size_t length;
} piece;

struct cli_sweep_text {
    const isocast_sweep_request *request;
    cli_sweep_format format;
    bool varies_systems;
    piece *names;   /* [column_count], of the columns for JSON: ",\"T\":" ; for CSV "," */
    piece *systems; /* [system_count], with the name and p, and C where it does not vary */
    piece *targets; /* [target_count] */
    piece *values;  /* [axis_count], of the row before */
    double *before; /* [axis_count], what they say */
};

static piece piece_of(isocast_buffer *text) {
    size_t length = text->length;
    return (piece){isocast_buffer_take(text), length};
}

/* The name of a column as it goes before its value. */
static void put_key(const cli_sweep_text *t, const char *name, isocast_buffer *out) {
    if (t->format == CLI_SWEEP_CSV) {
        isocast_buffer_puts(out, ",");
        return;
    }
    isocast_buffer_puts(out, ",");
    cli_json_put(cli_json_string(name), out);
    isocast_buffer_puts(out, ":");
}

static void put_number(const cli_sweep_text *t, double value, isocast_buffer *out) {
    if (isfinite(value)) {
        cli_number_format(value, out);
    } else if (t->format == CLI_SWEEP_JSON) {
        isocast_buffer_append(out, "null", 4);
    }
}

static void put_string(const cli_sweep_text *t, const char *text, isocast_buffer *out) {
    if (t->format == CLI_SWEEP_CSV) {
        isocast_csv_write(text, out);
    } else {
        cli_json_put(cli_json_string(text), out);
    }
}

static piece system_piece(const cli_sweep_text *t, const isocast_system *system) {
    isocast_buffer text = {0};
    put_key(t, "system", &text);
    put_string(t, system->name, &text);
    put_key(t, "p", &text);
    put_number(t, system->p, &text);
    put_key(t, "C", &text);
    if (!t->varies_systems) {
        put_number(t, system->C, &text);
    }
    return piece_of(&text);
}

static piece target_piece(const cli_sweep_text *t, double value) {
    isocast_buffer text = {0};
    put_key(t, "target", &text);
    put_number(t, value, &text);
    return piece_of(&text);
}

static bool prepare(cli_sweep_text *t) {
    const isocast_sweep_request *request = t->request;
    bool good = true;
    for (size_t i = 0; i < request->system_count && good; i++) {
        t->systems[i] = system_piece(t, request->systems[i]);
        good = t->systems[i].text != NULL;
    }
    for (size_t i = 0; is_solving(request) && i < request->target_count && good; i++) {
        t->targets[i] = target_piece(t, request->targets[i]);
        good = t->targets[i].text != NULL;
    }
    for (size_t i = 0; i < COLUMNS && good; i++) {
        isocast_buffer text = {0};
        put_key(t, columns[i].name, &text);
        t->names[i] = piece_of(&text);
        good = t->names[i].text != NULL;
    }
    for (size_t i = 0; i < request->design->axis_count; i++) {
        t->before[i] = NAN;
    }
    return good;
}

cli_sweep_text *cli_sweep_text_create(const isocast_sweep *sweep, cli_sweep_format format) {
    cli_sweep_text *t = calloc(1, sizeof *t);
    if (t == NULL) {
        return NULL;
    }
    t->request = isocast_sweep_request_of(sweep);
    t->format = format;
    t->varies_systems = isocast_sweep_varies_systems(sweep);
    size_t axes = t->request->design->axis_count;
    t->names = calloc(COLUMNS, sizeof *t->names);
    t->systems = calloc(t->request->system_count, sizeof *t->systems);
    t->targets = calloc(t->request->target_count, sizeof *t->targets);
    t->values = calloc(axes + 1, sizeof *t->values);
    t->before = calloc(axes + 1, sizeof *t->before);
    if (t->names == NULL || t->systems == NULL || t->targets == NULL || t->values == NULL ||
        t->before == NULL || !prepare(t)) {
        cli_sweep_text_free(t);
        return NULL;
    }
    return t;
}

static void free_pieces(piece *pieces, size_t count) {
    for (size_t i = 0; pieces != NULL && i < count; i++) {
        free(pieces[i].text);
    }
    free(pieces);
}

void cli_sweep_text_free(cli_sweep_text *text) {
    if (text != NULL) {
        free_pieces(text->names, COLUMNS);
        free_pieces(text->systems, text->request->system_count);
        free_pieces(text->targets, text->request->target_count);
        free_pieces(text->values, text->request->design->axis_count);
        free(text->before);
        free(text);
    }
}

static void put_piece(const piece *text, isocast_buffer *out) {
    isocast_buffer_append(out, text->text, text->length);
}

/* The value of what varies, with its name before it; made again where it is another one than in the
 * row before. */
static void put_value(cli_sweep_text *t, size_t axis, double value, isocast_buffer *out) {
    if (value != t->before[axis]) {
        isocast_buffer text = {0};
        put_key(t, t->request->design->axes[axis].variable.name, &text);
        put_number(t, value, &text);
        free(t->values[axis].text);
        t->values[axis] = piece_of(&text);
        t->before[axis] = t->values[axis].text != NULL ? value : NAN;
        out->failed = out->failed || t->values[axis].text == NULL;
    }
    if (t->values[axis].text != NULL) {
        put_piece(&t->values[axis], out);
    }
}

static bool is_solved(isocast_row_status status) {
    return status == ISOCAST_ROW_OK || status == ISOCAST_ROW_SEVERAL;
}

static void put_row_number(const cli_sweep_text *t, double row, isocast_buffer *out) {
    char text[32];
    int length =
        snprintf(text, sizeof text, "%s%.0f", t->format == CLI_SWEEP_JSON ? "{\"row\":" : "", row);
    isocast_buffer_append(out, text, (size_t)length);
}

/* The end of a line. */
static void put_status(const cli_sweep_text *t, isocast_batch_note note, isocast_row_status status,
                       isocast_buffer *out) {
    bool json = t->format == CLI_SWEEP_JSON;
    isocast_buffer_puts(out, json ? ",\"note\":\"" : ",");
    isocast_buffer_puts(out, note_words[note]);
    isocast_buffer_puts(out, json ? "\",\"status\":\"" : ",");
    isocast_buffer_puts(out, isocast_row_status_word(status));
    isocast_buffer_puts(out, json ? "\"}\n" : "\n");
}

static void put_line(cli_sweep_text *t, const isocast_sweep_records *records, size_t k,
                     isocast_buffer *out) {
    const isocast_sweep_request *request = t->request;
    const isocast_batch_results *r = &records->results;
    put_row_number(t, records->first + (double)k + 1, out);
    for (size_t i = 0; i < request->design->axis_count; i++) {
        put_value(t, i, records->values[i][k], out);
    }
    if (is_solving(request)) {
        put_piece(&t->targets[records->target[k]], out);
    }
    put_piece(&t->systems[records->system[k]], out);
    if (t->varies_systems) {
        put_number(t, records->C[k], out);
    }
    for (size_t i = 0; i < COLUMNS; i++) {
        if (has_column(request, i)) {
            put_piece(&t->names[i], out);
            const void *numbers = (const char *)records + columns[i].offset;
            put_number(t, (*(double *const *)numbers)[k], out);
        }
    }
    put_status(t, r->note[k], r->status[k], out);
}

double cli_sweep_lines(cli_sweep_text *text, const isocast_sweep_records *records,
                       isocast_buffer *out) {
    double unsolved = 0;
    for (size_t k = 0; k < records->count; k++) {
        put_line(text, records, k, out);
        unsolved += is_solved(records->results.status[k]) ? 0 : 1;
    }
    return unsolved;
}

/* Whether a text ends in another one, which stands behind `before`. */
static bool ends_in(const char *line, size_t length, const char *before, const char *word,
                    const char *after) {
    char end[64];
    int size = snprintf(end, sizeof end, "%s%s%s", before, word, after);
    return size > 0 && (size_t)size <= length &&
           memcmp(line + length - (size_t)size, end, (size_t)size) == 0;
}

bool cli_sweep_line_read(cli_sweep_format format, const char *line, size_t length, double row,
                         bool *solved) {
    static const isocast_row_status statuses[] = {
#define ROW(name, word) ISOCAST_ROW_##name,
        ISOCAST_ROW_LIST(ROW)
#undef ROW
    };
    bool json = format == CLI_SWEEP_JSON;
    char start[40];
    int size = snprintf(start, sizeof start, "%s%.0f,", json ? "{\"row\":" : "", row);
    if (size < 0 || (size_t)size > length || memcmp(line, start, (size_t)size) != 0) {
        return false;
    }
    for (size_t i = 0; i < sizeof statuses / sizeof statuses[0]; i++) {
        if (ends_in(line, length, json ? ",\"status\":\"" : ",",
                    isocast_row_status_word(statuses[i]), json ? "\"}" : "")) {
            *solved = is_solved(statuses[i]);
            return true;
        }
    }
    return false;
}
