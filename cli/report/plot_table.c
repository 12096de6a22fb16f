#include "plot_table.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli/output/json_text.h"

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
    size_t i;
    const json_t *object;
    json_array_foreach(list, i, object) {
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
