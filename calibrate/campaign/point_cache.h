/* Simulated times that were found before, in a folder with a file for each span of sizes. A file is
 * found by what its times depend on, and never changes. Files that others could have written, and
 * files that are not whole, are as if they were not there. Simulates nothing. */
#ifndef CAMPAIGN_POINT_CACHE_H
#define CAMPAIGN_POINT_CACHE_H

#include "event.h"
#include <math.h>

/* A size and the time there. */
typedef struct campaign_size_time {
    double m;       /* B */
    double seconds; /* of one call */
    double cost;    /* s of this machine's time that finding it took; 0: not known */
} campaign_size_time;

/* Rows of a span, rising in m. Start from {0}. */
typedef struct campaign_size_times {
    campaign_size_time *rows; /* [count] */
    size_t count, room;
} campaign_size_times;

/* A size of a message, or of a program, that is as near to a known one, relative, is as good as
 * known; so is one that rounds to the same whole number. */
static const double campaign_size_near = 0.0005;

static inline bool campaign_size_is_near(double size, double known) {
    return fabs(size - known) <= fmax(0.5, campaign_size_near * known);
}

/* At the end, or where m belongs; there once only. False where memory is short. */
bool campaign_size_times_add(campaign_size_times *times, double m, double seconds);
bool campaign_size_times_insert(campaign_size_times *times, double m, double seconds);
bool campaign_size_times_insert_all(campaign_size_times *times, const campaign_size_time *rows,
                                    size_t count);
void campaign_size_times_free(campaign_size_times *times);

/* The time at m: between two rows it is a power of m; before the first and after the last it is
 * theirs. count: 1 or more. */
double campaign_size_times_at(const campaign_size_times *times, double m);

enum { CAMPAIGN_CACHE_FOLDER_MAX = 4096 };

/* The folder; an empty name: nothing is kept. */
typedef struct campaign_point_cache {
    char folder[CAMPAIGN_CACHE_FOLDER_MAX];
} campaign_point_cache;

/* Makes the folder, and those above it, unless they are there; NULL: the user's own, isocast in
 * XDG_CACHE_HOME, else in .cache of HOME. Where it cannot be used the listener is warned, and
 * nothing is kept. */
void campaign_point_cache_open(const char *folder, const campaign_listener *listener,
                               campaign_point_cache *out);

/* The rows that are kept for a key, a text of any length; none where there are none. Errors:
 * NO_MEMORY. */
isocast_status campaign_point_cache_find(const campaign_point_cache *cache, const char *key,
                                         campaign_size_times *out);

/* Keeps rows. What cannot be kept is found again the next time: there is nothing to say. */
void campaign_point_cache_keep(const campaign_point_cache *cache, const char *key,
                               const campaign_size_times *times);

#endif
