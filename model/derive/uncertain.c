#include "uncertain.h"

#include <math.h>
#include <stdint.h>

#include "derived_words.h"

static const double some_bytes = 1024; /* B; a call of less takes the time of its messages alone */
static const double long_bytes =
    10000; /* B; from there on a late process holds up those above it */

/* The message of a site in the record in which it is the largest, B. */
static double largest_of(const isocast_derived *d, const isocast_derived_site *site) {
    double largest = 0;
    for (size_t r = 0; r < d->record_count; r++) {
        double size = isocast_law_value(&site->size, &d->points[r]);
        double calls = isocast_law_value(&site->calls, &d->points[r]);
        bool all = site->several && !site->mean;
        largest = fmax(largest, all ? size / fmax(1, calls) : size);
    }
    return largest;
}

static bool is_scatter(const isocast_derived_site *site) {
    return site->key.operation == ISOCAST_RECORD_OPERATION_Scatter ||
           site->key.operation == ISOCAST_RECORD_OPERATION_Scatterv;
}

const char *isocast_derived_row_doubt(const isocast_derived *d, const isocast_derived_row *row) {
    const isocast_derived_site *before = &d->sites[row->before];
    const isocast_derived_site *after = &d->sites[row->after];
    double sizes[] = {largest_of(d, before), largest_of(d, after)};
    if (row->pairs_alone) {
        return "several calls lead to it, so that pairs of calls alone count: up to 50 % off in "
               "rows that were tried";
    }
    if (before->key.operation != after->key.operation && fmax(sizes[0], sizes[1]) < some_bytes) {
        return "where nodes have several processes, such rows were up to 36 % too short";
    }
    if (is_scatter(before) && is_scatter(after) && !isocast_law_same(&before->size, &after->size) &&
        fmax(sizes[0], sizes[1]) >= long_bytes) {
        return "such rows were up to 16 % too short, as a process that is late holds up others";
    }
    return NULL;
}

/* Whether another site has changing roots in a part of the processes, too. */
static bool has_other_part(const isocast_derived *d, const isocast_derived_site *site) {
    bool other = false;
    for (size_t s = 0; s < d->site_count; s++) {
        const isocast_derived_site *k = &d->sites[s];
        other = other || (k != site && isocast_derived_roots_change(k) && !k->everybody &&
                          !isocast_law_same(&k->among, &site->among));
    }
    return other;
}

const char *isocast_derived_roots_doubt(const isocast_derived *d,
                                        const isocast_derived_site *site) {
    if (!isocast_derived_roots_change(site)) {
        return NULL;
    }
    if (!site->everybody && has_other_part(d, site)) {
        return "calls in rows and in columns of a grid hold each other up: from 37 % too short to "
               "24 % too "
               "long where that was tried";
    }
    if (site->roots == ISOCAST_ROOTS_EACH_PERHAPS) {
        return "records do not tell whether the root changes with each call or after many; it "
               "counts as changing with each";
    }
    if (site->roots == ISOCAST_ROOTS_ANY) {
        return "roots are in no order that is known: too long where calls overlap";
    }
    return NULL;
}

void isocast_put_doubts(const isocast_derived *d, const char *prefix, isocast_buffer *out) {
    for (size_t s = 0; s < d->site_count; s++) {
        const isocast_derived_site *site = &d->sites[s];
        const char *doubt = isocast_derived_roots_doubt(d, site);
        if (doubt != NULL && site->term != SIZE_MAX) {
            isocast_buffer_printf(out, "%sUncertain is %s at ", prefix, isocast_call_name(site));
            isocast_put_place(site->key.site, out);
            isocast_buffer_printf(out, ": %s\n", doubt);
        }
    }
    for (size_t i = 0; i < d->row_count; i++) {
        const isocast_derived_row *row = &d->rows[i];
        const char *doubt = isocast_derived_row_doubt(d, row);
        if (doubt != NULL) {
            isocast_buffer_printf(out, "%sUncertain is the row of calls at ", prefix);
            isocast_put_place(d->sites[row->before].key.site, out);
            isocast_buffer_puts(out, " and ");
            isocast_put_place(d->sites[row->after].key.site, out);
            isocast_buffer_printf(out, ": %s\n", doubt);
        }
    }
}
