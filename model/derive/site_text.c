#include "site_text.h"

#include <string.h>

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
