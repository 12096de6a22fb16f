#include "derived_words.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/text.h"

enum { NAME_MOST = 60 };

/* A text from a record in a comment or a text in quotes. */
void isocast_put_clean(const char *text, isocast_buffer *out) {
    isocast_buffer clean = {0};
    isocast_text_clean(text, strlen(text), "", &clean);
    for (size_t i = 0; i < clean.length; i++) {
        char byte = clean.text[i];
        isocast_buffer_append(out, byte == '"' || byte == '\\' ? "'" : &byte, 1);
    }
    out->failed = out->failed || clean.failed;
    isocast_buffer_free(&clean);
}

/* A text as a part of a name: letters, digits and -. */
void isocast_put_name(const char *text, isocast_buffer *out) {
    size_t length = strlen(text);
    bool any = false;
    for (size_t i = 0; i < length && i < NAME_MOST; i++) {
        bool plain = isalnum((unsigned char)text[i]) || (any && text[i] == '_');
        if (plain) {
            isocast_buffer_append(out, &text[i], 1);
            any = true;
        } else if (any && i + 1 < length && isalnum((unsigned char)text[i + 1])) {
            isocast_buffer_puts(out, "-");
        }
    }
    if (!any) {
        isocast_buffer_puts(out, "program");
    }
}

void isocast_put_place(const isocast_record_site *site, isocast_buffer *out) {
    if (site->line > 0) {
        isocast_put_clean(isocast_base_name(site->file), out);
        isocast_buffer_printf(out, ":%zu", site->line);
    } else {
        isocast_put_clean(isocast_base_name(site->module), out);
        isocast_buffer_printf(out, "+%.0f", site->offset);
    }
    /* Its callers are lines such as "a.c:12 in main". */
    const char *word = ", called at ";
    for (const char *at = site->path; *at != '\0'; at += strcspn(at, "\n") + 1) {
        const char *function = strstr(at, " in ");
        size_t line = strcspn(at, "\n");
        char *caller =
            strndup(at, function != NULL && function < at + line ? (size_t)(function - at) : line);
        isocast_buffer_puts(out, word);
        isocast_put_clean(caller != NULL ? caller : "", out);
        out->failed = out->failed || caller == NULL;
        free(caller);
        word = ", from ";
    }
}

const char *isocast_call_name(const isocast_derived_site *site) {
    return isocast_record_operation_find(site->key.operation)->name;
}

static void put_plain_name(const isocast_derived_site *site, isocast_buffer *out) {
    const isocast_record_site *place = site->key.site;
    if (place->function[0] != '\0') {
        isocast_put_name(place->function, out);
        isocast_buffer_puts(out, "-");
    }
    const char *call = isocast_call_name(site);
    isocast_put_name(strncmp(call, "MPI_", 4) == 0 ? call + 4 : call, out);
    if (place->line > 0) {
        isocast_buffer_printf(out, "-%zu", place->line);
    } else {
        isocast_buffer_printf(out, "-at-%.0f", place->offset);
    }
}

void isocast_put_site_name(const isocast_derived *d, size_t site, isocast_buffer *out) {
    isocast_buffer own = {0};
    isocast_buffer other = {0};
    put_plain_name(&d->sites[site], &own);
    bool again = false;
    for (size_t s = 0; s < site && !own.failed && !other.failed && !again; s++) {
        other.length = 0;
        put_plain_name(&d->sites[s], &other);
        again = !other.failed && strcmp(own.text, other.text) == 0;
    }
    out->failed = out->failed || own.failed || other.failed;
    isocast_buffer_append(out, own.text != NULL ? own.text : "", own.length);
    if (again) {
        isocast_buffer_printf(out, "--%zu", site + 1);
    }
    isocast_buffer_free(&own);
    isocast_buffer_free(&other);
}
