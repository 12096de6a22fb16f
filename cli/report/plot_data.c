#include "plot_data.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/options/number.h"
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

void plot_tick(plot_data *data, double x, const char *text) {
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
    size_t index = text_index_of(&data->groups, name, strlen(name));
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
    size_t index = text_index_of(&data->groups, name, strlen(name));
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

void plot_system_note(plot_data *data, const char *system, double p, bool oversubscribed) {
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
    size_t kind = text_index_of(&data->statuses, word, strlen(word));
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
    text_index_free(&data->groups);
    text_index_free(&data->statuses);
}
