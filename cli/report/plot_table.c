#include "plot_table.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/options/number.h"
#include "cli/output/json_text.h"
#include "model/base/refused.h"
#include "model/base/text.h"

/* What gnuplot draws without a fault on a logarithmic axis. */
static const double positive_most = 1e200;
static const double positive_least = 1e-200;
/* Ticks of an axis that do not run into each other. */
static const double ticks_most = 8;

typedef enum text_use {
    AS_TEXT,
    AS_FORMAT, /* gnuplot takes it for a format: a per cent sign is written twice */
    AS_TITLE   /* it has two lines where it is too long for one */
} text_use;

/* The last blank of a first line. */
static size_t end_of_line(const char *text) {
    size_t last = 0;
    size_t used = 0;
    for (size_t i = 0; text[i] != '\0' && used <= PLOT_TITLE_MAX; used++) {
        last = text[i] == ' ' ? i : last;
        i += isocast_text_character(text + i, strlen(text + i));
    }
    return used > PLOT_TITLE_MAX ? last : 0;
}

static size_t add_text(plot_data *data, const char *text, size_t characters, text_use use) {
    isocast_buffer clean = {0};
    isocast_text_clean(text, strlen(text), "", &clean);
    if (data->text_count++ == 0) {
        isocast_buffer_puts(&data->texts, "text,byte\n");
    }
    size_t whole = 0;
    for (size_t i = 0; i < clean.length; whole++) {
        i += isocast_text_character(clean.text + i, clean.length - i);
    }
    size_t used = 0;
    size_t broken = use == AS_TITLE && clean.length > 0 ? end_of_line(clean.text) : 0;
    for (size_t i = 0; i < clean.length && used < characters; used++) {
        bool cut = whole > characters && used + 2 >= characters;
        const char *from = cut ? "." : broken > 0 && i == broken ? "\n" : clean.text + i;
        size_t bytes = cut ? 1 : isocast_text_character(clean.text + i, clean.length - i);
        size_t times = use == AS_FORMAT && from[0] == '%' ? 2 : 1;
        for (size_t k = 0; k < bytes * times; k++) {
            isocast_buffer_printf(&data->texts, "%zu,%u\n", data->text_count,
                                  (unsigned)(unsigned char)from[k % bytes]);
        }
        i += bytes;
    }
    isocast_buffer_free(&clean);
    return data->text_count;
}

size_t plot_text_add(plot_data *data, const char *text, size_t characters) {
    return add_text(data, text, characters, AS_TEXT);
}

size_t plot_text_take(plot_data *data, isocast_buffer *text, size_t characters) {
    size_t number = plot_text_add(data, text->text != NULL ? text->text : "", characters);
    isocast_buffer_free(text);
    return number;
}

size_t plot_tick_text_add(plot_data *data, const char *text, size_t characters) {
    return add_text(data, text, characters, AS_FORMAT);
}

void plot_title(plot_data *data, const char *format, ...) {
    va_list arguments;
    char *text = NULL;
    va_start(arguments, format);
    if (vasprintf(&text, format, arguments) < 0) {
        isocast_refused_note();
    } else {
        add_text(data, text, (size_t)2 * PLOT_TITLE_MAX, AS_TITLE);
        free(text);
    }
    va_end(arguments);
}

void plot_title_take(plot_data *data, isocast_buffer *title) {
    plot_title(data, "%s", title->text != NULL ? title->text : "");
    isocast_buffer_free(title);
}

static void put_number(isocast_buffer *out, double value) {
    if (isfinite(value)) {
        cli_number_format(value, out);
    } else {
        isocast_buffer_puts(out, "NaN");
    }
}

void plot_variable(plot_data *data, const char *name, double value) {
    isocast_buffer_printf(&data->variables, "%s = ", name);
    put_number(&data->variables, value);
    isocast_buffer_puts(&data->variables, "\n");
}

void plot_variable_of(plot_data *data, const char *name, size_t number, double value) {
    char numbered[PLOT_NAME_MAX];
    snprintf(numbered, sizeof numbered, "%s_%zu", name, number);
    plot_variable(data, numbered, value);
}

const plot_quantity *plot_know(plot_data *data, const char *name, double value) {
    size_t i = 0;
    while (i < data->quantity_count && strcmp(data->quantities[i].name, name) != 0) {
        i++;
    }
    plot_quantity *q = &data->quantities[i < PLOT_QUANTITIES_MAX ? i : 0];
    if (i == data->quantity_count && i < PLOT_QUANTITIES_MAX) {
        *q = (plot_quantity){.least = NAN, .most = NAN, .first = NAN, .last = NAN};
        snprintf(q->name, sizeof q->name, "%s", name);
        data->quantity_count++;
    }
    if (!isnan(value)) {
        q->count++;
        q->least = fmin(q->least, value);
        q->most = fmax(q->most, value);
        q->first = isnan(q->first) ? value : q->first;
        q->last = value;
    }
    return q;
}

void plot_row(isocast_buffer *out, const double *values, size_t count) {
    for (size_t i = 0; i < count; i++) {
        isocast_buffer_puts(out, i == 0 ? "" : ",");
        put_number(out, values[i]);
    }
    isocast_buffer_puts(out, "\n");
}

double plot_positive(double value) {
    return value >= positive_least && value <= positive_most ? value : NAN;
}

const char *plot_file_name(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}

/* Names a place of the horizontal axis, where it is not one of numbers. */
static void plot_tick(plot_data *data, double x, const char *text) {
    plot_variable_of(data, "tick_x", ++data->ticks, x);
    plot_variable_of(data, "tick_text", data->ticks,
                     (double)plot_tick_text_add(data, text, PLOT_LABEL_MAX / 2));
}

void plot_widen(plot_data *data, double x) {
    if (!isnan(plot_positive(x))) {
        data->x_low = data->x_low > 0 ? fmin(data->x_low, x) : x;
        data->x_high = fmax(data->x_high, x);
    }
}

void plot_group_note(plot_data *data, const char *name, const char *label) {
    size_t before = data->groups.count;
    size_t index = isocast_text_index_number(&data->groups, name, strlen(name));
    if (index == before) {
        isocast_buffer_append(&data->labels, label, strlen(label) + 1);
    }
}

/* Which of `count` groups the k-th is that is drawn, both from 0. */
static size_t chosen(size_t count, size_t k) {
    return count <= PLOT_GROUPS_MAX ? k : k * (count - 1) / (PLOT_GROUPS_MAX - 1);
}

size_t plot_groups_drawn(const plot_data *data) {
    return data->groups.count < PLOT_GROUPS_MAX ? data->groups.count : PLOT_GROUPS_MAX;
}

void plot_groups_choose(plot_data *data) {
    const char *label = data->labels.text;
    size_t drawn = 0;
    for (size_t i = 0; label != NULL && i < data->groups.count; i++) {
        if (drawn < plot_groups_drawn(data) && i == chosen(data->groups.count, drawn)) {
            plot_text_add(data, label, PLOT_LEGEND_MAX);
            drawn++;
        }
        label += strlen(label) + 1;
    }
    plot_variable(data, "groups", (double)drawn);
    plot_variable(data, "groups_all", (double)data->groups.count);
}

size_t plot_group_drawn(plot_data *data, const char *name) {
    size_t index = isocast_text_index_number(&data->groups, name, strlen(name));
    for (size_t k = 0; k < plot_groups_drawn(data); k++) {
        if (index == chosen(data->groups.count, k)) {
            return k + 1;
        }
    }
    return 0;
}

/* Colours of style.gp. Those of names that are the first to have them, and those for when these are
 * gone: grey and black mean other things, too. */
enum { BLUE = 1, SKY = 6, GREY = 8, FREELY = 6, COLOURS = 8 };
static const int colours[COLOURS] = {2, 3, 4, 5, 9, 10, GREY, 7};

static size_t place_of(const char *name) {
    unsigned hash = 2166136261U; /* FNV-1a */
    for (; *name != '\0'; name++) {
        hash = (hash ^ (unsigned char)*name) * 16777619U;
    }
    return hash % FREELY;
}

/* Gives a cost the colour of its name, or the next that is free. */
static int colour_of(const char *name, bool taken[COLOURS]) {
    if (strcmp(name, "computation") == 0 || strcmp(name, "others") == 0) {
        return name[0] == 'c' ? BLUE : GREY;
    }
    if (strcmp(name, PLOT_IDLE) == 0 || strcmp(name, "imbalance") == 0) {
        return SKY;
    }
    size_t place = place_of(name);
    size_t k = 0;
    while (k < FREELY && taken[(place + k) % FREELY]) {
        k++;
    }
    place = k < FREELY ? (place + k) % FREELY : !taken[FREELY] ? FREELY : COLOURS - 1;
    taken[place] = true;
    return colours[place];
}

/* The names take turns in the order of the alphabet, which does not depend on what they cost. */
void plot_colours(plot_data *data, const char *const *names, size_t count) {
    bool taken[COLOURS] = {false};
    const char *last = NULL;
    for (size_t turn = 0; turn < count; turn++) {
        size_t next = count;
        for (size_t i = 0; i < count; i++) {
            bool is_later = last == NULL || strcmp(names[i], last) > 0;
            next = is_later && (next == count || strcmp(names[i], names[next]) < 0) ? i : next;
        }
        if (next == count) {
            return;
        }
        last = names[next];
        plot_variable_of(data, "colour", next + 1, colour_of(last, taken));
    }
}

void plot_group_colours(plot_data *data) {
    const char *names[PLOT_GROUPS_MAX] = {NULL};
    for (size_t k = 0; k < plot_groups_drawn(data); k++) {
        names[k] = data->groups.texts[chosen(data->groups.count, k)];
    }
    plot_colours(data, names, plot_groups_drawn(data));
}

static void put_system(const char *system, double p, isocast_buffer *out) {
    char number[32];
    snprintf(number, sizeof number, "%g", p);
    isocast_buffer_printf(out, "%s%s", strcmp(number, system) == 0 ? "p=" : "", system);
}

size_t plot_system_add(plot_data *data, const char *system, double p) {
    isocast_buffer label = {0};
    put_system(system, p, &label);
    return plot_text_take(data, &label, PLOT_LABEL_MAX);
}

/* A label for a system: its name, or "p=8" where that is a number. */
static void plot_system_note(plot_data *data, const char *system, double p, bool oversubscribed) {
    isocast_buffer label = {0};
    put_system(system, p, &label);
    isocast_buffer_puts(&label, oversubscribed ? " (oversubscribed)" : "");
    plot_group_note(data, system, label.text != NULL ? label.text : "");
    isocast_buffer_free(&label);
}

bool plot_is_solved(const char *status) {
    return status[0] == '\0' || strcmp(status, "ok") == 0 || strcmp(status, "base") == 0 ||
           strcmp(status, "several") == 0;
}

/* The number of a status among those that are marked, from 1. */
static double status_kind(plot_data *data, const char *status) {
    const char *word = status[0] != '\0' ? status : "no value";
    size_t kind = isocast_text_index_number(&data->statuses, word, strlen(word));
    return (double)kind + 1;
}

void plot_mark(plot_data *data, double x, const char *status, size_t group) {
    isocast_buffer *marks = &data->blocks[PLOT_MARKS];
    if (marks->length == 0) {
        isocast_buffer_puts(marks, "x,kind,group\n");
    }
    plot_row(marks, (double[]){x, status_kind(data, status), (double)group}, 3);
}

/* What the script needs to know of a quantity. */
static void put_quantity(plot_data *data, const plot_quantity *q) {
    const struct {
        const char *end;
        double value;
    } variables[] = {{"count", q->count},
                     {"least", q->least},
                     {"most", q->most},
                     {"first", q->first},
                     {"last", q->last}};
    char name[PLOT_NAME_MAX + 8];
    for (size_t i = 0; i < sizeof variables / sizeof variables[0]; i++) {
        snprintf(name, sizeof name, "%s_%s", q->name, variables[i].end);
        plot_variable(data, name, variables[i].value);
    }
}

/* The axis with a margin; a tick stands at every tick_step-th power of two. */
static void finish_axis(plot_data *data) {
    static const double margin = 1.2;
    double powers = data->x_high > 0 ? log2(data->x_high / data->x_low) : 0;
    plot_variable(data, "x_low", data->x_low / margin);
    plot_variable(data, "x_high", data->x_high * margin);
    plot_variable(data, "tick_step", fmax(1, ceil(powers / ticks_most)));
}

/* What the legend says of a mark. */
static void add_kind(plot_data *data, const char *word) {
    static const char start[] = "no solution: ";
    isocast_buffer text = {0};
    isocast_buffer_printf(&text, "%s%s", start, word);
    if (plot_is_solved(word)) {
        isocast_buffer_free(&text);
        isocast_buffer_puts(&text, "too large or small to draw");
    }
    plot_text_take(data, &text, PLOT_LABEL_MAX + sizeof start - 1);
}

void plot_finish(plot_data *data) {
    enum { KINDS_MAX = 6 };
    size_t kinds = data->statuses.count < KINDS_MAX ? data->statuses.count : KINDS_MAX;
    plot_variable(data, "first_kind", (double)data->text_count + 1);
    for (size_t i = 0; i < kinds; i++) {
        add_kind(data, data->statuses.texts[i]);
    }
    plot_variable(data, "kinds", (double)kinds);
    plot_variable(data, "ticks", (double)data->ticks);
    plot_variable(data, "text_count", (double)data->text_count);
    plot_variable(data, "size_text", (double)data->size_text);
    finish_axis(data);
    for (size_t i = 0; i < data->quantity_count; i++) {
        put_quantity(data, &data->quantities[i]);
    }
}

void plot_data_free(plot_data *data) {
    isocast_buffer_free(&data->texts);
    isocast_buffer_free(&data->variables);
    isocast_buffer_free(&data->labels);
    for (size_t i = 0; i < PLOT_BLOCKS; i++) {
        isocast_buffer_free(&data->blocks[i]);
    }
    isocast_text_index_free(&data->groups);
    isocast_text_index_free(&data->statuses);
}

enum { COLUMNS_MAX = 16, NAME_MOST = PLOT_NAME_MAX - 6 };
/* No ratio that is drawn is as large. */
static const double ratio_most = 1e12;

double plot_number_of(const json_t *object, const char *key) {
    const json_t *value = json_object_get(object, key);
    return json_is_number(value) ? json_number_value(value) : (double)NAN;
}

const char *plot_text_of(const json_t *object, const char *key) {
    const char *text = json_string_value(json_object_get(object, key));
    return text != NULL ? text : "";
}

bool plot_flag_of(const json_t *object, const char *key) {
    return json_is_true(json_object_get(object, key));
}

double plot_positive_of(const json_t *object, const char *key) {
    return plot_positive(plot_number_of(object, key));
}

double plot_element_of(const json_t *object, const char *key, size_t index) {
    const json_t *value = json_array_get(json_object_get(object, key), index);
    return json_is_number(value) ? json_number_value(value) : (double)NAN;
}

void plot_set(json_t *object, const char *key, double value) {
    json_object_set_new(object, key, cli_json_number(value));
}

typedef struct column {
    char name[PLOT_NAME_MAX], key[PLOT_NAME_MAX];
    bool from_zero, needed, has_interval;
    size_t otherwise; /* the number of another column; COLUMNS_MAX: none */
} column;

/* A table while it is filled. */
typedef struct filling {
    plot_data *data;
    const plot_table *table;
    column columns[COLUMNS_MAX];
    size_t count;
    size_t solved; /* the number of that column; the count where there is none */
    size_t group;  /* whose turn it is */
} filling;

/* The text up to one of the signs, which it is moved to. */
static void cut(const char **text, const char *signs, char out[PLOT_NAME_MAX]) {
    size_t length = strcspn(*text, signs);
    snprintf(out, PLOT_NAME_MAX, "%.*s", (int)length, *text);
    *text += length;
}

/* The number of a column among those before it; their count where there is none. */
static size_t column_named(const filling *f, const char *name) {
    size_t i = 0;
    while (i < f->count && strcmp(f->columns[i].name, name) != 0) {
        i++;
    }
    return i;
}

/* An end of the interval of the column before. */
static void add_end(filling *f, const column *middle, const char *end) {
    column *c = &f->columns[f->count++];
    *c = (column){.from_zero = middle->from_zero, .otherwise = COLUMNS_MAX};
    snprintf(c->name, sizeof c->name, "%.*s%s", NAME_MOST, middle->name, end);
    snprintf(c->key, sizeof c->key, "%.*s%s", NAME_MOST, middle->key, end);
}

static void read_columns(filling *f) {
    static const char ends[] = "|0~! ";
    char otherwise[PLOT_NAME_MAX];
    char flags[PLOT_NAME_MAX];
    for (const char *text = f->table->columns; text[0] != '\0' && f->count + 2 < COLUMNS_MAX;
         text += text[0] == ' ') {
        column c;
        cut(&text, "=|0~! ", c.name);
        snprintf(c.key, sizeof c.key, "%s", c.name);
        if (text[0] == '=') {
            text++;
            cut(&text, ends, c.key);
        }
        text += text[0] == '|';
        cut(&text, "0~! ", otherwise);
        cut(&text, " ", flags);
        c.from_zero = strchr(flags, '0') != NULL;
        c.needed = strchr(flags, '!') != NULL;
        c.has_interval = strchr(flags, '~') != NULL;
        c.otherwise = otherwise[0] != '\0' ? column_named(f, otherwise) : COLUMNS_MAX;
        f->columns[f->count++] = c;
        if (c.has_interval) {
            add_end(f, &c, "_low");
            add_end(f, &c, "_high");
        }
    }
    for (size_t i = 0; i < f->count; i++) {
        plot_know(f->data, f->columns[i].name, NAN);
    }
}

static void put_header(const filling *f) {
    isocast_buffer *out = &f->data->blocks[f->table->block];
    isocast_buffer_puts(out, f->table->group != NULL ? "group," : "");
    for (size_t i = 0; i < f->count; i++) {
        isocast_buffer_printf(out, "%s%s", f->columns[i].name, i + 1 < f->count ? "," : "\n");
    }
}

static const json_t *member_of(const json_t *object, const json_t *holder, const char *key) {
    const json_t *own = json_object_get(object, key);
    return own != NULL ? own : json_object_get(holder, key);
}

/* An object of a list, and what has the list. */
typedef struct place {
    const json_t *object, *holder;
    size_t number; /* from 1 */
} place;

/* The value of a column; of a list of numbers, the k-th. */
static double value_of(const column *c, const place *at, size_t k) {
    const json_t *own = member_of(at->object, at->holder, c->key);
    own = json_is_array(own) ? json_array_get(own, k) : own;
    double value = json_is_number(own) ? json_number_value(own) : (double)NAN;
    if (strcmp(c->key, "#") == 0) {
        value = (double)at->number;
    }
    return !c->from_zero ? plot_positive(value) : value >= 0 && value < ratio_most ? value : NAN;
}

static void put_row(const filling *f, const place *at, size_t k) {
    double row[1 + COLUMNS_MAX] = {(double)f->group};
    double *v = row + 1;
    for (size_t i = 0; i < f->count; i++) {
        size_t otherwise = f->columns[i].otherwise;
        v[i] = value_of(&f->columns[i], at, k);
        v[i] = isnan(v[i]) && otherwise < i ? v[otherwise] : v[i];
    }
    if (isnan(v[0])) {
        return;
    }
    if (!f->table->beside) {
        plot_widen(f->data, v[0]);
    }
    const char *status = plot_text_of(at->object, "status");
    if (f->solved < f->count && (isnan(v[f->solved]) || !plot_is_solved(status))) {
        plot_mark(f->data, v[0], status, f->group);
    }
    bool whole = true;
    for (size_t i = 0; i < f->count; i++) {
        whole = whole && (!f->columns[i].needed || !isnan(v[i]));
        if (f->columns[i].has_interval && isnan(v[i] + v[i + 1] + v[i + 2])) {
            v[i + 1] = v[i + 2] = NAN;
        }
    }
    for (size_t i = 0; whole && i < f->count; i++) {
        plot_know(f->data, f->columns[i].name, v[i]);
    }
    if (whole) {
        bool grouped = f->table->group != NULL;
        plot_row(&f->data->blocks[f->table->block], grouped ? row : v, f->count + grouped);
    }
}

/* Those that an object is: as many as numbers stand in the first of its columns that is a list. */
static size_t rows_of(const filling *f, const place *at) {
    for (size_t i = 0; i < f->count; i++) {
        const json_t *own = member_of(at->object, at->holder, f->columns[i].key);
        if (json_is_array(own)) {
            return json_array_size(own);
        }
    }
    return 1;
}

static void put_object(const filling *f, const place *at) {
    const char *group = f->table->group;
    const char *name =
        group != NULL ? json_string_value(member_of(at->object, at->holder, group)) : NULL;
    if (json_is_object(at->object) &&
        (group == NULL || plot_group_drawn(f->data, name != NULL ? name : "") == f->group)) {
        size_t rows = rows_of(f, at);
        for (size_t k = 0; k < rows; k++) {
            put_row(f, at, k);
        }
    }
}

/* The objects that a path leads to, from their holder on. */
static void put_path(const filling *f, const json_t *holder, const char *path) {
    size_t length = strcspn(path, ". ");
    const json_t *list = json_object_getn(holder, path, length);
    size_t count = json_is_array(list) ? json_array_size(list) : 1;
    for (size_t i = 0; i < count; i++) {
        const json_t *object = json_is_array(list) ? json_array_get(list, i) : list;
        if (path[length] == '.') {
            put_path(f, object, path + length + 1);
        } else {
            put_object(f, &(place){object, holder, i + 1});
        }
    }
}

void plot_put(plot_data *data, const plot_table *tables, size_t count, const json_t *result) {
    for (size_t i = 0; i < count; i++) {
        filling f = {.data = data, .table = &tables[i]};
        size_t groups = tables[i].group != NULL ? plot_groups_drawn(data) : 1;
        read_columns(&f);
        put_header(&f);
        f.solved = tables[i].solved != NULL ? column_named(&f, tables[i].solved) : f.count;
        for (f.group = 1; f.group <= groups; f.group++) {
            for (const char *path = tables[i].rows; path[0] != '\0'; path += path[0] == ' ') {
                put_path(&f, result, path);
                path += strcspn(path, " ");
            }
        }
    }
}

void plot_choose(plot_data *data, const json_t *list, const char *group) {
    CLI_JSON_EACH(object, i, list) {
        const char *name = plot_text_of(object, group);
        if (strcmp(group, "system") == 0) {
            plot_system_note(data, name, plot_number_of(object, "p"),
                             plot_flag_of(object, "oversubscribed"));
        } else {
            plot_group_note(data, name, name);
        }
    }
    plot_groups_choose(data);
}

void plot_name_places(plot_data *data, const json_t *list, size_t first, const char *key,
                      size_t most) {
    size_t count = json_array_size(list);
    size_t every = (count + most - 1) / most;
    for (size_t i = first; i < count; i += every) {
        plot_tick(data, (double)(i - first + 1), plot_text_of(json_array_get(list, i), key));
    }
}
