#include "row_loops.h"

#include <stdint.h>
#include <stdlib.h>

typedef enum visit { UNSEEN, ON_WAY, LEFT } visit;

/* A walk through what follows what. */
typedef struct walk {
    derive_follow *follows;
    size_t count;
    visit *visits; /* [site] */
    size_t *way;   /* [site_count], sites from where the walk began to where it is */
    size_t *next;  /* [site], what of its follows comes next */
} walk;

/* The first of the follows of a site, or of a later one. */
static size_t first_from(const walk *w, size_t site) {
    size_t low = 0;
    size_t high = w->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (w->follows[middle].before < site) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

/* What leads to a call that the walk is still behind goes back. */
static void walk_from(walk *w, size_t site) {
    size_t length = 0;
    w->way[length++] = site;
    w->visits[site] = ON_WAY;
    w->next[site] = first_from(w, site);
    while (length > 0) {
        size_t at = w->way[length - 1];
        size_t i = w->next[at]++;
        if (i >= w->count || w->follows[i].before != at) {
            w->visits[at] = LEFT;
            length--;
            continue;
        }
        size_t to = w->follows[i].after;
        w->follows[i].is_back = w->visits[to] == ON_WAY;
        if (w->visits[to] == UNSEEN) {
            w->visits[to] = ON_WAY;
            w->next[to] = first_from(w, to);
            w->way[length++] = to;
        }
    }
}

/* What alone leads to a call within a turn; SIZE_MAX: nothing, or several. */
static size_t only_before(const derive_follow *follows, size_t count, size_t site) {
    size_t found = SIZE_MAX;
    for (size_t i = 0; i < count; i++) {
        if (!follows[i].is_back && follows[i].after == site) {
            if (found != SIZE_MAX) {
                return SIZE_MAX;
            }
            found = i;
        }
    }
    return found;
}

/* Whether calls follow each other in one way alone from where a turn begins to its end; then what
 * is done in each further turn counts, if `add`. */
static bool go_round(derive_follow *follows, size_t count, size_t back, bool add,
                     size_t record_count) {
    size_t steps = 0;
    for (size_t site = follows[back].before; site != follows[back].after; steps++) {
        size_t i = only_before(follows, count, site);
        if (i == SIZE_MAX || steps > count) {
            return false;
        }
        for (size_t r = 0; r < record_count && add; r++) {
            follows[i].again[r] += follows[back].counts[r];
        }
        site = follows[i].before;
    }
    for (size_t r = 0; r < record_count && add; r++) {
        follows[back].again[r] += follows[back].counts[r];
    }
    return true;
}

isocast_status isocast_derive_row_loops_find(derive_follow *follows, size_t count,
                                             const bool *entered, size_t site_count,
                                             size_t record_count) {
    walk w = {.follows = follows,
              .count = count,
              .visits = calloc(site_count + 1, sizeof *w.visits),
              .way = malloc((site_count + 1) * sizeof *w.way),
              .next = malloc((site_count + 1) * sizeof *w.next)};
    bool enough = w.visits != NULL && w.way != NULL && w.next != NULL;
    for (int other = 0; other <= 1 && enough; other++) {
        for (size_t s = 0; s < site_count; s++) {
            if (w.visits[s] == UNSEEN && (other == 1 || entered[s])) {
                walk_from(&w, s);
            }
        }
    }
    for (size_t i = 0; i < count && enough; i++) {
        if (follows[i].is_back && go_round(follows, count, i, false, record_count)) {
            go_round(follows, count, i, true, record_count);
        }
    }
    free(w.visits);
    free(w.way);
    free(w.next);
    return enough ? ISOCAST_OK : ISOCAST_NO_MEMORY;
}
