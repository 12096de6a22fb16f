#include "site_text.h"

#include <string.h>

#include "call_form.h"
#include "derived_words.h"

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

bool isocast_site_has_time(const isocast_derived_site *site) {
    return site->calls.known && site->calls.term_count > 0 && site->size.known;
}

/* The size of a message, B; of a site with several the mean one. */
static void put_size(const isocast_derived_site *site, const char *const *names,
                     isocast_buffer *out) {
    bool all = site->several && !site->mean;
    bool guarded = site->size.guard != ISOCAST_GUARD_NONE &&
                   site->size.guard != site->calls.guard && site->size.term_count > 0;
    isocast_buffer_puts(out, guarded ? "if(" : "");
    if (guarded) {
        isocast_guard_write(site->size.guard, out);
        isocast_buffer_puts(out, ", ");
    }
    isocast_law_write(&site->size, names, "B", all, out);
    if (all) {
        isocast_buffer_puts(out, "/max(1, ");
        isocast_law_write(&site->calls, names, "", false, out);
        isocast_buffer_puts(out, ")");
    }
    isocast_buffer_puts(out, guarded ? ", 0 B)" : "");
}

void isocast_put_site_time(const isocast_derived_site *site, const char *const *names,
                           isocast_buffer *out) {
    const derive_call_form *form = isocast_derive_call_form_find(site->key.operation);
    isocast_law_guard guard = site->calls.guard;
    guard = guard == ISOCAST_GUARD_NONE && isocast_record_is_of_all(site->key.operation)
                ? ISOCAST_GUARD_PROCESSES
                : guard;
    isocast_buffer count = {0};
    isocast_law_write(&site->calls, names, "", true, &count);
    isocast_buffer_puts(out, guard != ISOCAST_GUARD_NONE ? "if(" : "");
    if (guard != ISOCAST_GUARD_NONE) {
        isocast_guard_write(guard, out);
        isocast_buffer_puts(out, ", ");
    }
    if (count.text != NULL && strcmp(count.text, "1") != 0) {
        isocast_buffer_printf(out, "%s*", count.text);
    }
    isocast_buffer_printf(out, "%s(", form->name);
    if (form->has_size) {
        put_size(site, names, out);
    }
    isocast_buffer_puts(out, guard != ISOCAST_GUARD_NONE ? "), 0 s)" : ")");
    out->failed = out->failed || count.failed;
    isocast_buffer_free(&count);
}
