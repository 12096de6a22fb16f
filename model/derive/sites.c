#include "sites.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "cubes.h"
#include "derived.h"
#include "lines.h"
#include "places.h"
#include "ranks.h"

static const double call_most = 20e-6; /* s */
static const double byte_most = 1e-9;  /* s/B */

/* Sets site->waiting, from runs whose processes had a processor each: the share of T at the site
 * beyond 20 us for a call and 1 ns for each byte, which is more than messages of a usual network
 * take. seen and computing: [derived->record_count]. */
static void find_waiting(const isocast_derived *derived, const isocast_site_seen *seen,
                         const isocast_compute_seen *computing, isocast_derived_site *site) {
    isocast_record_class kind = isocast_record_operation_find(site->key.operation)->kind;
    bool is_setup = kind == ISOCAST_RECORD_SETUP || kind == ISOCAST_RECORD_CREATION;
    for (size_t r = 0; r < derived->record_count; r++) {
        if (!computing[r].alone || !(computing[r].T > 0) || derived->points[r].p < 2 || is_setup) {
            continue;
        }
        /* Where it asks again and again, calls explain nothing. */
        double call = isocast_derived_site_asks(site) ? 0 : call_most;
        double explained = seen[r].calls_mean * call + seen[r].moved_mean * byte_most;
        double share = fmin(fmax(seen[r].time - explained, 0) / computing[r].T, 1);
        if (!(share <= site->waiting)) {
            site->waiting = share;
            site->waiting_p = derived->points[r].p;
        }
    }
}

/* Values of one site at all records. */
typedef struct columns {
    isocast_site_seen *seen; /* [count] */
    double *values;          /* [count] */
    bool *known;             /* [count] */
    size_t count;
} columns;

/* Along one side of a grid messages have the length of the other one. All bytes of a process are
 * those for its neighbours. */
static isocast_favoured_side favoured_of(const isocast_derived_site *site) {
    if (isocast_law_needs_rows(&site->calls)) {
        return ISOCAST_FAVOURED_COLUMNS;
    }
    if (site->several && site->line && !site->mean) {
        return ISOCAST_FAVOURED_LINE;
    }
    if (site->dimensions == 3) {
        return site->whole_sizes ? ISOCAST_FAVOURED_CUBE : isocast_derived_site_favours(site);
    }
    if (site->dimensions == 2 && site->several && !site->mean &&
        isocast_record_is_between_two(site->key.operation)) {
        return ISOCAST_FAVOURED_ACROSS;
    }
    return site->dimensions == 2 && site->calls.guard != ISOCAST_GUARD_NONE ? ISOCAST_FAVOURED_ROWS
                                                                            : ISOCAST_FAVOURED_NONE;
}

/* A law of sizes alone, times neighbours, has the fewest ways to be wrong at other p. So it may be
 * further off than one with any functions of p, by a factor and an error. */
static const double repeats_most = 1.5;
static const double repeats_more = 0.01;

/* Of a site whose observations are in c->seen: how often it is called. */
static isocast_status fit_calls(columns *c, derive_fitter *fitter, isocast_derived_site *site) {
    for (size_t i = 0; i < c->count; i++) {
        bool told = c->seen[i].dimensions == 2 || c->seen[i].dimensions == 3;
        site->dimensions = site->dimensions == 0 && told ? c->seen[i].dimensions : site->dimensions;
        site->several = site->several || c->seen[i].several;
        c->values[i] = c->seen[i].calls;
    }
    isocast_favoured_side favoured = isocast_derived_site_favours(site);
    isocast_status status =
        isocast_derive_fitter_fit(fitter, c->values, NULL, favoured, &site->calls);
    if (status == ISOCAST_OK && !site->calls.exact) {
        isocast_law repeats = {0};
        status = isocast_derive_fitter_repeats(fitter, c->values, favoured, &repeats);
        double most = repeats_most * site->calls.mean_error + repeats_more;
        bool near = favoured >= ISOCAST_FAVOURED_CUBE || repeats.mean_error <= most;
        site->calls = status == ISOCAST_OK && repeats.known && near ? repeats : site->calls;
    }
    return status;
}

/* How often a solver repeats a call may have no exact law, but what it sends each time has one. */
static isocast_status fit_mean_size(columns *c, derive_fitter *fitter, isocast_derived_site *site) {
    for (size_t i = 0; i < c->count; i++) {
        c->values[i] = c->known[i] ? c->seen[i].bytes / c->seen[i].calls : 0;
    }
    site->mean = true;
    isocast_law mean = {0};
    isocast_status status =
        isocast_derive_fitter_fit(fitter, c->values, c->known, favoured_of(site), &mean);
    bool nearer = mean.exact || (!site->size.exact && mean.mean_error < site->size.mean_error);
    site->mean = status == ISOCAST_OK && mean.known && nearer;
    site->size = site->mean ? mean : site->size;
    return status;
}

/* What is known where it is called: sizes and communicators. */
static isocast_status fit_sizes(columns *c, derive_fitter *fitter, isocast_derived_site *site) {
    for (size_t i = 0; i < c->count; i++) {
        c->known[i] = c->seen[i].calls > 0;
        c->values[i] = site->several ? c->seen[i].bytes : c->seen[i].largest;
    }
    isocast_status status =
        isocast_derive_fitter_fit(fitter, c->values, c->known, favoured_of(site), &site->size);
    if (status == ISOCAST_OK && !site->several && !site->size.exact &&
        isocast_record_is_to_neighbours(site->key.operation)) {
        /* Those along the sides of a grid have other sizes each: their sum may be exact. */
        isocast_law mean = site->size;
        site->several = true;
        for (size_t i = 0; i < c->count; i++) {
            c->values[i] = c->seen[i].bytes;
        }
        status =
            isocast_derive_fitter_fit(fitter, c->values, c->known, favoured_of(site), &site->size);
        if (status == ISOCAST_OK && !site->size.exact) {
            site->several = false;
            site->size = mean;
        }
    }
    if (status == ISOCAST_OK && site->several && !isocast_derived_site_is_exact(site)) {
        status = fit_mean_size(c, fitter, site);
    }
    return status;
}

static isocast_status observe(const isocast_derived *d, columns *c,
                              const isocast_derived_site *site) {
    isocast_status status = ISOCAST_OK;
    for (size_t r = 0; r < d->record_count && status == ISOCAST_OK; r++) {
        status = isocast_site_observe(d->records[r], &site->key, 1, &c->seen[r]);
    }
    return status;
}

/* Calls come first: a site that is called where the grid has several rows, and not before, tells
 * that processes stand in a grid, also where no communicator says so. Then the other messages
 * between two of the same function are those along the other side. */
static isocast_status fit_whole(isocast_derived *d, columns *c,
                                const isocast_compute_seen *computing, derive_fitter *fitter) {
    isocast_status status = isocast_derive_lines_find(d);
    status = status == ISOCAST_OK ? isocast_derive_cubes_find(d) : status;
    for (size_t s = 0; s < d->site_count && status == ISOCAST_OK; s++) {
        isocast_derived_site *site = &d->sites[s];
        status = observe(d, c, site);
        if (status == ISOCAST_OK) {
            find_waiting(d, c->seen, computing, site);
            bool counts = isocast_derived_site_sends(site) || isocast_derived_site_asks(site) ||
                          isocast_derived_site_synchronizes(site);
            status = counts ? fit_calls(c, fitter, site) : ISOCAST_OK;
        }
    }
    for (size_t s = 0; s < d->site_count; s++) {
        const isocast_derived_site *told = &d->sites[s];
        for (size_t k = 0; k < d->site_count; k++) {
            isocast_derived_site *site = &d->sites[k];
            bool beside = isocast_law_needs_rows(&told->calls) &&
                          isocast_record_is_between_two(told->key.operation) &&
                          isocast_record_is_between_two(site->key.operation) &&
                          strcmp(told->key.site->function, site->key.site->function) == 0;
            site->dimensions = site->dimensions == 0 && beside ? 2 : site->dimensions;
        }
    }
    for (size_t s = 0; s < d->site_count && status == ISOCAST_OK; s++) {
        isocast_derived_site *site = &d->sites[s];
        if (isocast_derived_site_sends(site)) {
            status = observe(d, c, site);
            status = status == ISOCAST_OK ? fit_sizes(c, fitter, site) : status;
        }
    }
    return status;
}

/* Whether a law has a share of a size as a factor; or the size by itself. */
static bool has_size(const isocast_law *law, size_t size, bool share) {
    bool has = false;
    for (size_t t = 0; t < law->term_count; t++) {
        for (size_t i = 0; i < ISOCAST_MONOMIAL_FACTORS; i++) {
            size_t factor = law->terms[t].factors[i];
            const char *text = isocast_law_size_factors[factor].text;
            has = has || (factor != 0 && law->terms[t].sizes[i] == size &&
                          (strchr(text, '/') != NULL && text[0] != '/') == share);
        }
    }
    return has;
}

/* Whether the site has a share of a size of which another one of its function has all, though
 * shares were favoured there, too. */
static bool shares_what_is_whole(const isocast_derived *d, const isocast_derived_site *site) {
    bool shares = false;
    for (size_t size = 0; size < ISOCAST_DERIVE_SIZES_MAX; size++) {
        for (size_t s = 0; s < d->site_count && has_size(&site->size, size, true); s++) {
            const isocast_derived_site *other = &d->sites[s];
            shares = shares ||
                     (other->dimensions == 3 && other->axes != 0 && other->size.exact &&
                      has_size(&other->size, size, false) && !has_size(&other->size, size, true) &&
                      strcmp(other->key.site->function, site->key.site->function) == 0);
        }
    }
    return shares;
}

/* Where all records have two processes along a side, half of a size is a share of it or not. */
static isocast_status refit_shares(isocast_derived *d, columns *c, derive_fitter *fitter) {
    isocast_status status = ISOCAST_OK;
    for (size_t s = 0; s < d->site_count && status == ISOCAST_OK; s++) {
        isocast_derived_site *site = &d->sites[s];
        if (site->dimensions == 3 && site->axes != 0 && isocast_derived_site_sends(site) &&
            shares_what_is_whole(d, site)) {
            isocast_derived_site other = *site;
            other.whole_sizes = true;
            status = observe(d, c, &other);
            status = status == ISOCAST_OK ? fit_sizes(c, fitter, &other) : status;
            bool whole = other.size.exact || !site->size.exact;
            *site = status == ISOCAST_OK && whole ? other : *site;
        }
    }
    return status;
}

/* The sets of axes that the messages of a site go along in all records, a bit for each; 0 where
 * that is not known, or there is one. */
static isocast_status find_sets(const isocast_derived *d, const isocast_derived_site *site,
                                unsigned *out) {
    isocast_axes_seen seen = {0};
    isocast_status status =
        isocast_site_axes_observe(d->records, d->record_count, &site->key, &seen);
    bool one = (seen.sets & (seen.sets - 1)) == 0;
    *out = status == ISOCAST_OK && !seen.unknown && !one ? seen.sets : 0;
    return status;
}

/* How far laws of a site are off, the mean. */
static double error_of(const isocast_derived_site *site) {
    double calls = site->calls.known ? site->calls.mean_error : INFINITY;
    double size =
        site->size.known || site->calls.term_count == 0 ? site->size.mean_error : INFINITY;
    return isocast_derived_site_is_exact(site) ? 0 : fmax(calls, size);
}

/* parts: [count], each a key of some messages of the whole. Whether the laws of all of them are
 * nearer than that of the whole. */
static isocast_status fit_parts(isocast_derived *d, columns *c, derive_fitter *fitter,
                                const isocast_derived_site *whole, isocast_derived_site *parts,
                                size_t count, bool *nearer) {
    isocast_status status = ISOCAST_OK;
    *nearer = count > 0;
    for (size_t i = 0; i < count && *nearer && status == ISOCAST_OK; i++) {
        isocast_derived_site *part = &parts[i];
        part->waiting = i == 0 ? whole->waiting : NAN;
        part->waiting_p = whole->waiting_p;
        part->held_out = NAN;
        status = observe(d, c, part);
        status = status == ISOCAST_OK ? fit_calls(c, fitter, part) : status;
        status = status == ISOCAST_OK ? fit_sizes(c, fitter, part) : status;
        *nearer = error_of(part) < error_of(whole) || isocast_derived_site_is_exact(part);
    }
    return status;
}

/* Messages along each set of axes. parts: [ISOCAST_AXES]. *count: 0 where they are no parts. */
static isocast_status part_by_axes(isocast_derived *d, columns *c, derive_fitter *fitter,
                                   const isocast_derived_site *whole, isocast_derived_site *parts,
                                   size_t *count) {
    unsigned sets;
    isocast_status status = find_sets(d, whole, &sets);
    size_t made = 0;
    for (unsigned axes = 0; axes < ISOCAST_AXES && status == ISOCAST_OK; axes++) {
        if ((sets & 1U << axes) != 0) {
            parts[made] = (isocast_derived_site){.key = whole->key, .dimensions = 3, .axes = axes};
            parts[made].key.is_part = true;
            parts[made++].key.axes = axes;
        }
    }
    bool nearer = false;
    status = status == ISOCAST_OK ? fit_parts(d, c, fitter, whole, parts, made, &nearer) : status;
    *count = nearer ? made : 0;
    return status;
}

/* Whether all parts are exact, each length by one product. */
static bool are_simple(const isocast_derived_site *parts, size_t count) {
    bool simple = count > 0;
    for (size_t i = 0; i < count; i++) {
        simple = simple && isocast_derived_site_is_exact(&parts[i]) && !parts[i].several &&
                 parts[i].size.term_count == 1;
    }
    return simple;
}

/* Messages of each length. parts: [ISOCAST_RANKS_MOST]. *count: 0 where they are no parts. */
static isocast_status part_by_ranks(isocast_derived *d, columns *c, derive_fitter *fitter,
                                    const isocast_derived_site *whole, isocast_derived_site *parts,
                                    size_t *count) {
    size_t ranks = 0;
    isocast_status status = isocast_ranks_count(d->records, d->record_count, &whole->key, &ranks);
    ranks = ranks > 1 ? ranks : 0;
    for (size_t i = 0; i < ranks; i++) {
        parts[i] = (isocast_derived_site){.key = whole->key,
                                          .dimensions = whole->dimensions,
                                          .axes = whole->axes,
                                          .line = whole->line};
        parts[i].key.rank = (unsigned)(i + 1);
    }
    bool nearer = false;
    status = status == ISOCAST_OK ? fit_parts(d, c, fitter, whole, parts, ranks, &nearer) : status;
    /* A sum that is exact for several lengths together may be so by chance. */
    bool exact = isocast_derived_site_is_exact(whole);
    *count = nearer && (!exact || are_simple(parts, ranks)) ? ranks : 0;
    return status;
}

static isocast_status replace(isocast_derived *d, size_t site, const isocast_derived_site *parts,
                              size_t count) {
    isocast_derived_site *sites = realloc(d->sites, (d->site_count + count) * sizeof *sites);
    if (sites == NULL) {
        return ISOCAST_NO_MEMORY;
    }
    d->sites = sites;
    memmove(sites + site + count, sites + site + 1, (d->site_count - site - 1) * sizeof *sites);
    memcpy(sites + site, parts, count * sizeof *sites);
    d->site_count += count - 1;
    return ISOCAST_OK;
}

enum {
    PARTS_MOST = (int)ISOCAST_AXES > (int)ISOCAST_RANKS_MOST ? ISOCAST_AXES : ISOCAST_RANKS_MOST
};

static isocast_status part_sites(isocast_derived *d, columns *c, derive_fitter *fitter) {
    isocast_status status = ISOCAST_OK;
    for (size_t s = 0; s < d->site_count && status == ISOCAST_OK; s++) {
        const isocast_derived_site *site = &d->sites[s];
        bool whole = !site->key.is_part && site->key.rank == 0 && isocast_derived_site_sends(site);
        bool exact = isocast_derived_site_is_exact(site);
        isocast_derived_site parts[PARTS_MOST];
        size_t count = 0;
        if (whole && !exact && site->dimensions == 3 &&
            isocast_record_is_between_two(site->key.operation)) {
            status = part_by_axes(d, c, fitter, site, parts, &count);
        }
        bool sum = !exact || site->size.term_count > 1;
        if (whole && sum && count == 0 && site->several && status == ISOCAST_OK) {
            status = part_by_ranks(d, c, fitter, site, parts, &count);
        }
        if (status == ISOCAST_OK && count > 0) {
            status = replace(d, s, parts, count);
        }
    }
    return status;
}

isocast_status isocast_derive_sites_fit(isocast_derived *derived,
                                        const isocast_compute_seen *computing,
                                        derive_fitter *fitter) {
    size_t count = derived->record_count;
    columns c = {.seen = calloc(count + 1, sizeof *c.seen),
                 .values = calloc(count + 1, sizeof *c.values),
                 .known = calloc(count + 1, sizeof *c.known),
                 .count = count};
    bool enough = c.seen != NULL && c.values != NULL && c.known != NULL;
    isocast_status status = enough ? fit_whole(derived, &c, computing, fitter) : ISOCAST_NO_MEMORY;
    status = status == ISOCAST_OK ? refit_shares(derived, &c, fitter) : status;
    if (status == ISOCAST_OK) {
        status = part_sites(derived, &c, fitter);
    }
    free(c.seen);
    free(c.values);
    free(c.known);
    return status;
}
