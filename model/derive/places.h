/* Places of processes in a grid, by whom they exchange messages with. Programs number the processes
 * of a grid in their own ways: row by row, or by cutting it in halves again and again. In all of
 * these each digit of a rank, to bases that are factors of p, belongs to one axis. Fits nothing. */
#ifndef ISOCAST_DERIVE_PLACES_H
#define ISOCAST_DERIVE_PLACES_H

#include "site_key.h"

enum { ISOCAST_PLACES_UNKNOWN = 8 /* no set of axes */ };

/* Shortest side first. */
typedef struct isocast_place_in_grid {
    unsigned short at[3];
} isocast_place_in_grid;

/* Sides of the grid in 2 or 3 dimensions: those that the record's words give, or of the most cubic
 * one, the shortest first. The first one is 1 in two dimensions. sides: [3]. */
void isocast_grid_sides(const isocast_record *record, size_t dimensions, size_t *sides);

/* How the places of a record were found. */
typedef struct isocast_grid_found {
    /* Some partner is known; and where each process has all others as partners, which in a small
     * grid are neighbours, one has messages of different sizes at one site. */
    bool any;
    bool fits; /* all that exchange messages are neighbours along an axis, an edge or a corner, also
                * around the ends, and some are so along each axis; not where four processes or more
                * have one partner in common, and no other one */
    bool faces;  /* that fits, and all are neighbours along one axis each */
    bool around; /* some are so around the ends */
    bool turned; /* the last digit of a rank is along the longest side, and the first one is not */
    bool plain;  /* that fits row by row, the sides in the order of the key */
} isocast_grid_found;

/* Places in the most cubic grid of 2 or 3 dimensions in which the processes fit that exchange
 * messages at a site, or anywhere in its function. Where several numberings fit, the first one is
 * taken that has the digits in the order of the key. places: [process_count]. Errors: NO_MEMORY. */
isocast_status isocast_places_try(const isocast_record *record, const isocast_site_key *key,
                                  bool function, size_t dimensions, isocast_place_in_grid *places,
                                  isocast_grid_found *out);

/* In three dimensions, by the function or else by the site alone. Errors: NO_MEMORY. */
isocast_status isocast_places_find(const isocast_record *record, const isocast_site_key *key,
                                   isocast_place_in_grid *places, bool *found);

/* The axes along which a call sends, a bit for each, the shortest side first;
 * ISOCAST_PLACES_UNKNOWN where its partner is not known. */
unsigned isocast_call_axes(const isocast_record *record, const isocast_record_call *call,
                           const isocast_place_in_grid *places);

/* Where the messages of a site go in any of the records. */
typedef struct isocast_axes_seen {
    unsigned sets; /* a bit for each set of axes */
    unsigned ways; /* a bit for each way to a neighbour: down, none or up along each axis */
    bool unknown;  /* some of them cannot be told */
} isocast_axes_seen;

/* Errors: NO_MEMORY. */
isocast_status isocast_site_axes_observe(isocast_record *const *records, size_t count,
                                         const isocast_site_key *key, isocast_axes_seen *seen);

#endif
