#include "paths.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "site_key.h"

enum { SITES_MOST = 400 /* of a program, as far as fewer callers make fewer */ };

/* A site of a record. */
typedef struct item {
    const isocast_record *record;
    isocast_record_site *site;
    size_t number;
} item;

static int by_path(const void *a, const void *b) {
    const item *x = a;
    const item *y = b;
    int order = isocast_site_order(x->site, y->site);
    return order != 0 ? order : strcmp(x->site->path, y->site->path);
}

/* The length of so many callers of a path. */
static size_t length_of(const char *path, size_t callers) {
    size_t length = 0;
    for (size_t k = 0; k < callers && path[length] != '\0'; k++) {
        length += strcspn(path + length, "\n") + 1;
    }
    return length;
}

static size_t count_callers(const char *path) {
    size_t count = 0;
    for (; *path != '\0'; path++) {
        count += *path == '\n';
    }
    return count;
}

/* How many sites there are by so many callers; items are sorted. */
static size_t count_sites(const item *items, size_t count, size_t callers) {
    size_t sites = 0;
    for (size_t i = 0; i < count; i++) {
        size_t length = length_of(items[i].site->path, callers);
        sites += i == 0 || isocast_site_order(items[i - 1].site, items[i].site) != 0 ||
                 length_of(items[i - 1].site->path, callers) != length ||
                 memcmp(items[i - 1].site->path, items[i].site->path, length) != 0;
    }
    return sites;
}

/* So many callers that there are not too many sites. */
static size_t choose_depth(const item *items, size_t count) {
    size_t depth = 0;
    for (size_t i = 0; i < count; i++) {
        size_t own = count_callers(items[i].site->path);
        depth = own > depth ? own : depth;
    }
    while (depth > 0 && count_sites(items, count, depth) > SITES_MOST) {
        depth--;
    }
    return depth;
}

static bool is_collective(isocast_record_operation operation) {
    switch (isocast_record_operation_find(operation)->kind) {
    case ISOCAST_RECORD_COLLECTIVE:
    case ISOCAST_RECORD_CREATION:
        return true;
    default:
        return false;
    }
}

/* Collective calls of one process in one communicator. */
typedef struct part {
    size_t communicator, process;
    double calls;
} part;

static int by_communicator(const void *a, const void *b) {
    const part *x = a;
    const part *y = b;
    int order = (x->communicator > y->communicator) - (x->communicator < y->communicator);
    return order != 0 ? order : (x->process > y->process) - (x->process < y->process);
}

/* Adds up what stands one after the other for one process. Gives how many are left. */
static size_t add_up(part *parts, size_t count) {
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        if (kept > 0 && by_communicator(&parts[kept - 1], &parts[i]) == 0) {
            parts[kept - 1].calls += parts[i].calls;
        } else {
            parts[kept++] = parts[i];
        }
    }
    return kept;
}

/* Whether the members of each communicator make as many calls as each other. */
static bool are_even(const part *parts, size_t count, const isocast_record *record) {
    for (size_t i = 0; i < count;) {
        size_t end = i;
        bool even = true;
        while (end < count && parts[end].communicator == parts[i].communicator) {
            even = even && parts[end].calls == parts[i].calls;
            end++;
        }
        if (!even || end - i != record->communicators[parts[i].communicator].size) {
            return false;
        }
        i = end;
    }
    return true;
}

/* Whether all processes make the collective calls of a site. parts: room for all calls. */
static bool is_of_all(const item *site, part *parts) {
    const isocast_record *record = site->record;
    size_t count = 0;
    for (size_t c = 0; c < record->call_count; c++) {
        const isocast_record_call *call = &record->calls[c];
        if (call->site == site->number && is_collective(call->operation) &&
            call->communicator != SIZE_MAX) {
            parts[count++] = (part){call->communicator, call->process, call->calls};
        }
    }
    qsort(parts, count, sizeof *parts, by_communicator);
    return are_even(parts, add_up(parts, count), record);
}

static bool begin_alike(const item *items, size_t count, size_t length) {
    bool alike = true;
    for (size_t i = 1; i < count && alike; i++) {
        alike = strncmp(items[0].site->path, items[i].site->path, length) == 0;
    }
    return alike;
}

/* So many callers distinguish the sites of one place as well as all of them do; items are sorted.
 */
static size_t choose_callers(const item *items, size_t count, size_t callers) {
    size_t sites = count_sites(items, count, callers);
    while (callers > 0 && count_sites(items, count, callers - 1) == sites) {
        callers--;
    }
    return callers;
}

/* Cuts the paths of the sites of one place. */
static void cut(item *items, size_t count, size_t depth, part *parts) {
    size_t common = 0;
    bool whole = true;
    for (size_t i = 0; i < count; i++) {
        items[i].site->path[length_of(items[i].site->path, depth)] = '\0';
    }
    const char *first = items[0].site->path;
    size_t callers = count_callers(first);
    while (common < callers && begin_alike(items, count, length_of(first, common + 1))) {
        common++;
    }
    bool single = begin_alike(items, count, strlen(first) + 1);
    for (size_t i = 0; i < count && whole && !single; i++) {
        whole = items[i].site->path[0] != '\0' && is_of_all(&items[i], parts);
    }
    for (size_t i = 0; i < count; i++) {
        char *path = items[i].site->path;
        size_t length = whole ? length_of(path, common) : strlen(path);
        memmove(path, path + length, strlen(path + length) + 1);
    }
    callers = choose_callers(items, count, depth);
    for (size_t i = 0; i < count; i++) {
        items[i].site->path[length_of(items[i].site->path, callers)] = '\0';
    }
}

isocast_status isocast_derive_paths_align(isocast_record *const *records, size_t count,
                                          isocast_record *const *others, size_t other_count) {
    size_t all = 0;
    size_t rows = 1;
    for (size_t r = 0; r < count + other_count; r++) {
        const isocast_record *record = r < count ? records[r] : others[r - count];
        all += record->site_count;
        rows = record->call_count > rows ? record->call_count : rows;
    }
    item *items = calloc(all > 0 ? all : 1, sizeof *items);
    part *parts = calloc(rows, sizeof *parts);
    if (items == NULL || parts == NULL) {
        free(items);
        free(parts);
        return ISOCAST_NO_MEMORY;
    }
    size_t filled = 0;
    for (size_t r = 0; r < count + other_count; r++) {
        isocast_record *record = r < count ? records[r] : others[r - count];
        for (size_t s = 0; s < record->site_count; s++) {
            items[filled++] = (item){record, &record->sites[s], s};
        }
    }
    qsort(items, all, sizeof *items, by_path);
    size_t depth = choose_depth(items, all);
    for (size_t i = 0; i < all;) {
        size_t end = i + 1;
        while (end < all && isocast_site_order(items[i].site, items[end].site) == 0) {
            end++;
        }
        cut(&items[i], end - i, depth, parts);
        i = end;
    }
    free(items);
    free(parts);
    return ISOCAST_OK;
}
