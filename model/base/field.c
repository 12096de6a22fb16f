#include "field.h"

#include <math.h>
#include <string.h>

static bool is_named(const isocast_table *table, const char *name) {
    const char *const *names = table->names;
    while (names != NULL && *names != NULL && strcmp(*names, name) != 0) {
        names++;
    }
    return names == NULL || *names != NULL;
}

bool isocast_field_is_in(const isocast_table *table, const isocast_field *field, unsigned where) {
    unsigned in = field->where != 0                   ? field->where
                  : field->kind >= ISOCAST_FIELD_FLAG ? ISOCAST_IN_JSON
                                                      : ISOCAST_IN_TABLES | ISOCAST_IN_FILES;
    return (in & where) != 0 && (field->only & table->without) == 0 && is_named(table, field->name);
}

/* Copies what stands at the offset. */
static void copy(const isocast_field *field, const isocast_at *at, void *out, size_t size) {
    const void *from = field->from != NULL ? field->from(at) : at->row;
    memcpy(out, (const char *)from + field->offset, size);
}

double isocast_field_number(const isocast_field *field, const isocast_at *at) {
    double number = NAN;
    if (field->number != NULL) {
        return field->number(at);
    }
    if (field->is_size) {
        size_t size = 0;
        copy(field, at, &size, sizeof size);
        return (double)size;
    }
    copy(field, at, &number, sizeof number);
    return number;
}

bool isocast_field_flag(const isocast_field *field, const isocast_at *at) {
    bool flag = false;
    if (field->flag != NULL) {
        return field->flag(at);
    }
    copy(field, at, &flag, sizeof flag);
    return flag;
}

const char *isocast_field_text(const isocast_field *field, const isocast_at *at,
                               isocast_buffer *made) {
    const char *text = NULL;
    unsigned chosen = 0;
    if (field->text != NULL) {
        return field->text(at);
    }
    if (field->put != NULL) {
        field->put(at, made);
        return made->text;
    }
    if (field->words != NULL && field->words[1] != NULL) {
        copy(field, at, &chosen, sizeof chosen);
    }
    if (field->words != NULL) {
        return field->words[chosen];
    }
    copy(field, at, &text, sizeof text);
    return text;
}

const isocast_field *isocast_field_find(const isocast_table *table, const char *name) {
    for (size_t i = 0; i < table->count; i++) {
        if (strcmp(table->fields[i].name, name) == 0) {
            return &table->fields[i];
        }
    }
    return NULL;
}
