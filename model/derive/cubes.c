#include "cubes.h"

#include <stdlib.h>

#include "places.h"

/* What the records tell of the pairs at a site, or in its function. */
typedef struct told {
    size_t cubes;  /* records that can tell three dimensions, in which they are neighbours there */
    size_t others; /* in which they are not */
    size_t
        squares; /* of the first ones, those in which they are neighbours in two dimensions, too */
    size_t turned;  /* where one side is the longest: records in which only the last digit is along
                     * it */
    size_t upright; /* in which that is not so */
    size_t plain[ISOCAST_ORDERS]; /* in which that order of given sides fits row by row */
    /* Records in which all are neighbours along a side of a grid of two dimensions with several
     * rows, and of one with a single row; and in which they are not. */
    size_t planes, rows, no_planes;
} told;

/* On fewer processes all of them are neighbours in a grid of three dimensions. */
enum { PROCESSES_LEAST = 8 };

/* In a grid whose sides the words give. */
static isocast_status look_at_told(const isocast_record *record, const isocast_site_key *key,
                                   bool function, told *t) {
    isocast_place_in_grid *places = calloc(record->process_count, sizeof *places);
    isocast_status status = places != NULL ? ISOCAST_OK : ISOCAST_NO_MEMORY;
    for (unsigned order = 0; order < ISOCAST_ORDERS && status == ISOCAST_OK; order++) {
        isocast_site_key in_order = *key;
        in_order.order = (isocast_axis_order)order;
        isocast_grid_found grid = {0};
        status = isocast_places_try(record, &in_order, function, record->side_count, places, &grid);
        t->plain[order] += grid.plain;
        t->cubes += order == 0 && grid.fits;
        t->others += order == 0 && grid.any && !grid.fits;
    }
    free(places);
    return status;
}

/* Messages that go to all neighbours of a small grid fit several orders. That of most records is
 * the program's. */
static isocast_axis_order best_order(const told *t) {
    unsigned best = 0;
    for (unsigned order = 1; order < ISOCAST_ORDERS; order++) {
        best = t->plain[order] > t->plain[best] ? order : best;
    }
    return (isocast_axis_order)best;
}

/* In two dimensions: three processes or more of which not all exchange messages. */
static isocast_status look_at_plane(const isocast_record *record, const isocast_site_key *key,
                                    bool function, told *t) {
    size_t sides[3];
    isocast_grid_sides(record, 2, sides);
    isocast_place_in_grid *places = calloc(record->process_count, sizeof *places);
    isocast_grid_found found = {0};
    isocast_status status = places != NULL
                                ? isocast_places_try(record, key, function, 2, places, &found)
                                : ISOCAST_NO_MEMORY;
    free(places);
    if (status == ISOCAST_OK && found.any) {
        t->planes += found.faces && sides[1] > 1;
        /* Around a ring of three any two are neighbours. */
        bool tells = !found.around || sides[2] > 3;
        t->rows += found.faces && sides[1] == 1 && tells;
        t->no_planes += !found.faces;
    }
    return status;
}

static isocast_status look_at(const isocast_record *record, const isocast_site_key *key,
                              bool function, told *t) {
    if (record->side_count > 0) {
        return look_at_told(record, key, function, t);
    }
    if (record->process_count > 2) {
        isocast_status status = look_at_plane(record, key, function, t);
        if (status != ISOCAST_OK) {
            return status;
        }
    }
    size_t sides[3];
    isocast_grid_sides(record, 3, sides);
    if (record->process_count < PROCESSES_LEAST || sides[0] < 2) {
        return ISOCAST_OK;
    }
    isocast_place_in_grid *places = calloc(record->process_count, sizeof *places);
    isocast_grid_found cube = {0};
    isocast_grid_found square = {0};
    isocast_status status = places != NULL
                                ? isocast_places_try(record, key, function, 3, places, &cube)
                                : ISOCAST_NO_MEMORY;
    if (status == ISOCAST_OK) {
        status = isocast_places_try(record, key, function, 2, places, &square);
    }
    free(places);
    if (status == ISOCAST_OK) {
        bool is_long = sides[2] > sides[1];
        cube.fits = cube.fits && cube.any;
        t->cubes += cube.fits;
        t->others += cube.any && !cube.fits;
        t->turned += cube.fits && is_long && cube.turned;
        t->upright += cube.fits && is_long && !cube.turned;
        t->squares += cube.fits && square.fits;
    }
    return status;
}

/* The axes of a site's messages where all go along the same ones, else none; and whether all go one
 * way. */
static isocast_status find_axes(const isocast_derived *d, isocast_derived_site *site) {
    isocast_axes_seen seen = {0};
    isocast_status status =
        isocast_site_axes_observe(d->records, d->record_count, &site->key, &seen);
    for (unsigned axes = 1; axes < ISOCAST_AXES; axes++) {
        site->axes = seen.sets == 1U << axes ? axes : site->axes;
    }
    site->one_way = site->axes != 0 && !seen.unknown && (seen.ways & (seen.ways - 1)) == 0;
    return status;
}

static isocast_status look_at_site(isocast_derived *d, isocast_derived_site *site) {
    size_t told_dimensions = d->records[0]->side_count;
    for (size_t way = 0; way < 2 && site->dimensions != 3; way++) {
        told t = {0};
        isocast_status status = ISOCAST_OK;
        for (size_t r = 0; r < d->record_count && status == ISOCAST_OK; r++) {
            status = look_at(d->records[r], &site->key, way == 0, &t);
        }
        if (status != ISOCAST_OK) {
            return status;
        }
        if (t.cubes > 0 && t.others == 0 && t.squares < t.cubes) {
            site->dimensions = told_dimensions > 0 ? told_dimensions : 3;
            site->key.order = told_dimensions > 0    ? best_order(&t)
                              : t.turned > t.upright ? ISOCAST_ORDER_DEPTH_FIRST
                                                     : ISOCAST_ORDER_WIDTH_FIRST;
        } else if (site->dimensions == 0 && t.rows > 0 && t.planes > 0 && t.no_planes == 0) {
            site->dimensions = 2;
        }
        if (t.squares > 0) {
            break; /* one site of a plane has messages along one of its sides alone */
        }
    }
    return site->dimensions == 3 ? find_axes(d, site) : ISOCAST_OK;
}

isocast_status isocast_derive_cubes_find(isocast_derived *derived) {
    isocast_status status = ISOCAST_OK;
    for (size_t s = 0; s < derived->site_count && status == ISOCAST_OK; s++) {
        if (isocast_record_is_between_two(derived->sites[s].key.operation)) {
            status = look_at_site(derived, &derived->sites[s]);
        }
    }
    return status;
}
