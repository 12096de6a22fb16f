#include "field.h"

#include <math.h>
#include <string.h>

bool isocast_field_is_in(const isocast_table *table, const isocast_field *column, unsigned where) {
    unsigned in = column->where != 0                   ? column->where
                  : column->kind >= ISOCAST_FIELD_FLAG ? ISOCAST_IN_JSON
                                                       : ISOCAST_IN_TABLES | ISOCAST_IN_FILES;
    return (in & where) != 0 && (column->only & table->without) == 0;
}

/* Copies what stands at the offset. */
static void copy(const isocast_field *column, const isocast_at *at, void *out, size_t size) {
    const void *from = column->from != NULL ? column->from(at) : at->row;
    memcpy(out, (const char *)from + column->offset, size);
}

double isocast_field_number(const isocast_field *column, const isocast_at *at) {
    double number = NAN;
    if (column->number != NULL) {
        return column->number(at);
    }
    if (column->is_size) {
        size_t size = 0;
        copy(column, at, &size, sizeof size);
        return (double)size;
    }
    copy(column, at, &number, sizeof number);
    return number;
}

bool isocast_field_flag(const isocast_field *column, const isocast_at *at) {
    bool flag = false;
    if (column->flag != NULL) {
        return column->flag(at);
    }
    copy(column, at, &flag, sizeof flag);
    return flag;
}

const char *isocast_field_text(const isocast_field *column, const isocast_at *at,
                               isocast_buffer *made) {
    const char *text = NULL;
    if (column->text != NULL) {
        return column->text(at);
    }
    if (column->put != NULL) {
        column->put(at, made);
        return made->text;
    }
    if (column->words != NULL && column->words[1] == NULL) {
        return column->words[0];
    }
    copy(column, at, &text, sizeof text);
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
