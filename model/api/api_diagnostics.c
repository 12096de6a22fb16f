#include <isocast/diagnostics.h>
#include <stdlib.h>

#include "api.h"

isocast_status isocast_diagnostics_create(isocast_diagnostics **out) {
    if (out == NULL) {
        return ISOCAST_ARGUMENT;
    }
    isocast_diagnostics *list = calloc(1, sizeof *list);
    if (list == NULL) {
        return ISOCAST_NO_MEMORY;
    }
    *out = list;
    return ISOCAST_OK;
}

void isocast_diagnostics_free(isocast_diagnostics *list) {
    if (list != NULL) {
        isocast_diagnostics_clear(list);
        free(list);
    }
}

void isocast_diagnostics_reset(isocast_diagnostics *list) {
    if (list != NULL) {
        isocast_diagnostics_clear(list);
    }
}

size_t isocast_diagnostics_count(const isocast_diagnostics *list) {
    return list != NULL ? list->count : 0;
}

size_t isocast_diagnostics_error_count(const isocast_diagnostics *list) {
    return list != NULL ? list->errors : 0;
}

size_t isocast_diagnostics_warning_count(const isocast_diagnostics *list) {
    return list != NULL ? list->warnings : 0;
}

/* One that is not there is like one that says nothing. */
static const isocast_diagnostic *item_at(const isocast_diagnostics *list, size_t index) {
    static const isocast_diagnostic nothing = {.severity = ISOCAST_ERROR};
    return list != NULL && index < list->count ? &list->items[index] : &nothing;
}

isocast_severity isocast_diagnostics_severity(const isocast_diagnostics *list, size_t index) {
    return item_at(list, index)->severity;
}

const char *isocast_diagnostics_message(const isocast_diagnostics *list, size_t index) {
    return item_at(list, index)->message;
}

const char *isocast_diagnostics_hint(const isocast_diagnostics *list, size_t index) {
    return item_at(list, index)->hint;
}

const char *isocast_diagnostics_file(const isocast_diagnostics *list, size_t index) {
    return item_at(list, index)->file;
}

size_t isocast_diagnostics_line(const isocast_diagnostics *list, size_t index) {
    return item_at(list, index)->line;
}

size_t isocast_diagnostics_column(const isocast_diagnostics *list, size_t index) {
    return item_at(list, index)->column;
}

const char *isocast_diagnostics_source_line(const isocast_diagnostics *list, size_t index) {
    return item_at(list, index)->source_line;
}

size_t isocast_diagnostics_caret_column(const isocast_diagnostics *list, size_t index) {
    return item_at(list, index)->caret_column;
}

size_t isocast_diagnostics_caret_length(const isocast_diagnostics *list, size_t index) {
    return item_at(list, index)->caret_length;
}

isocast_status isocast_diagnostics_format(const isocast_diagnostics *list, char **out) {
    if (list == NULL || out == NULL) {
        return ISOCAST_ARGUMENT;
    }
    isocast_buffer text = {0};
    isocast_diagnostics_render(list, &text);
    char *taken = isocast_buffer_take(&text);
    if (taken == NULL) {
        return ISOCAST_NO_MEMORY;
    }
    *out = taken;
    return ISOCAST_OK;
}
