#include "mixed.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "site_key.h"

/* Places of calls with messages. */
typedef struct place {
    isocast_site_key key;
    double largest; /* B, message */
} place;

typedef struct places {
    place *items; /* [count], in the order of compare_places */
    size_t count;
} places;

static int sign(double difference) {
    return (difference > 0) - (difference < 0);
}

static int compare_places(const void *a, const void *b) {
    const isocast_site_key *one = &((const place *)a)->key;
    const isocast_site_key *other = &((const place *)b)->key;
    int order = (int)one->operation - (int)other->operation;
    order = order != 0 ? order : sign((double)one->site->line - (double)other->site->line);
    order = order != 0 ? order : strcmp(one->site->file, other->site->file);
    order = order != 0 ? order : strcmp(one->site->function, other->site->function);
    return order != 0 || one->site->line > 0 ? order
                                             : sign(one->site->offset - other->site->offset);
}

/* Errors: NO_MEMORY. */
static isocast_status find_places(const isocast_record *record, places *out) {
    size_t all = record->site_count * ISOCAST_RECORD_OPERATION_COUNT;
    double *largest = calloc(all > 0 ? all : 1, sizeof *largest);
    size_t count = 0;
    for (size_t i = 0; largest != NULL && i < record->call_count; i++) {
        const isocast_record_call *call = &record->calls[i];
        double bytes = call->merged ? call->bytes_most : call->bytes;
        double *own =
            &largest[call->site * ISOCAST_RECORD_OPERATION_COUNT + (size_t)call->operation];
        isocast_record_class kind = isocast_record_operation_find(call->operation)->kind;
        bool has_size = kind != ISOCAST_RECORD_COMPLETION && kind != ISOCAST_RECORD_TEST;
        count += has_size && *own == 0 && bytes > 0;
        *own = has_size ? fmax(*own, bytes) : 0;
    }
    place *items = largest != NULL ? calloc(count > 0 ? count : 1, sizeof *items) : NULL;
    if (items == NULL) {
        free(largest);
        return ISOCAST_NO_MEMORY;
    }
    size_t found = 0;
    for (size_t i = 0; i < all; i++) {
        if (largest[i] > 0) {
            items[found++] =
                (place){.key = {.site = &record->sites[i / ISOCAST_RECORD_OPERATION_COUNT],
                                .operation =
                                    (isocast_record_operation)(i % ISOCAST_RECORD_OPERATION_COUNT)},
                        .largest = largest[i]};
        }
    }
    free(largest);
    qsort(items, found, sizeof *items, compare_places);
    *out = (places){.items = items, .count = found};
    return ISOCAST_OK;
}

static bool same_words(const isocast_record *a, const isocast_record *b) {
    bool same = a->process_count == b->process_count && a->argument_count == b->argument_count;
    for (size_t i = 0; same && i < a->argument_count; i++) {
        same = strcmp(a->arguments[i], b->arguments[i]) == 0;
    }
    return same;
}

/* B; shorter messages are sums and flags, which mostly have one size. */
static const double short_most = 64;

/* Whether the largest message differs at more than half of the places of both with longer ones. */
static bool sizes_differ(const places *a, const places *b) {
    size_t both = 0;
    size_t other = 0;
    for (size_t i = 0, k = 0; i < a->count && k < b->count;) {
        int order = compare_places(&a->items[i], &b->items[k]);
        if (order == 0) {
            bool is_long = fmax(a->items[i].largest, b->items[k].largest) > short_most;
            both += is_long;
            other += is_long && a->items[i].largest != b->items[k].largest;
        }
        i += order <= 0;
        k += order >= 0;
    }
    return 2 * other > both;
}

static void refuse(const isocast_record *first, const isocast_record *record,
                   isocast_diagnostics *d) {
    char message[512];
    snprintf(message, sizeof message,
             "the words and the number of processes are those of %.300s, but the messages have "
             "other sizes",
             first->source->name);
    isocast_diagnostics_add_file(
        d, ISOCAST_ERROR, record->source->name,
        "a program that has its sizes from a file is started by a script that takes them as words "
        "and writes that file",
        "%s", message);
}

isocast_status isocast_mixed_records_refuse(isocast_record *const *records, size_t count,
                                            isocast_diagnostics *diagnostics) {
    for (size_t r = 1; r < count; r++) {
        size_t first = 0;
        while (first < r && !same_words(records[first], records[r])) {
            first++;
        }
        if (first == r) {
            continue;
        }
        places a = {0};
        places b = {0};
        isocast_status status = find_places(records[first], &a);
        status = status == ISOCAST_OK ? find_places(records[r], &b) : status;
        if (status == ISOCAST_OK && sizes_differ(&a, &b)) {
            refuse(records[first], records[r], diagnostics);
        }
        free(a.items);
        free(b.items);
        if (status != ISOCAST_OK) {
            return status;
        }
    }
    return ISOCAST_OK;
}
