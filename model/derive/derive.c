#include "derive.h"

#include <stdint.h>
#include <stdlib.h>

#include "computing.h"
#include "flow.h"
#include "held_point.h"
#include "model/base/numerics.h"
#include "paths.h"
#include "sites.h"
#include "steps.h"
#include "steps_check.h"

void isocast_derived_free(isocast_derived *derived) {
    if (derived == NULL) {
        return;
    }
    if (derived->program != NULL) {
        free(derived->program->doubts);
    }
    if (derived->fitter != NULL) {
        isocast_fitter_free(derived->fitter);
    }
    free(derived->rehearsed.problem);
    isocast_pool_free(&derived->pool);
    free(derived);
}

/* What each record says by itself. */
static isocast_status observe(isocast_derived *d) {
    isocast_status status = ISOCAST_OK;
    d->points = isocast_pool_take(&d->pool, d->record_count, sizeof *d->points);
    d->seen = isocast_pool_take(&d->pool, d->record_count, sizeof *d->seen);
    d->fitter = isocast_pool_take(&d->pool, 1, sizeof *d->fitter);
    if (d->pool.failed) {
        return ISOCAST_NO_MEMORY;
    }
    for (size_t r = 0; r < d->record_count && status == ISOCAST_OK; r++) {
        isocast_size_words_point(&d->sizes, d->records[r], &d->points[r]);
        status = isocast_compute_observe(d->records[r], &d->seen[r]);
    }
    isocast_fitter_create(d->points, d->record_count, d->sizes.count, d->fitter);
    return status;
}

/* All that the records say. choose: by which rule the processes stand in a grid is looked for. */
static isocast_status derive_from(isocast_record *const *records, size_t count,
                                  const isocast_size_words *sizes, bool choose,
                                  isocast_derived **out) {
    isocast_derived *d = calloc(1, sizeof *d);
    bool known = false;
    if (d == NULL) {
        return ISOCAST_NO_MEMORY;
    }
    *d = (isocast_derived){.records = records, .record_count = count, .sizes = *sizes};
    isocast_status status = observe(d);
    if (status == ISOCAST_OK) {
        status = isocast_derive_sites_find(d);
    }
    if (status == ISOCAST_OK) {
        status = isocast_derive_flow_find(d, &known);
    }
    if (status == ISOCAST_OK && known) {
        status = isocast_derive_grid_choose(d, choose);
        isocast_fitter_free(d->fitter); /* the points may have other grids now */
    }
    if (status == ISOCAST_OK) {
        status = isocast_derive_exponents_note(d);
    }
    if (status == ISOCAST_OK) {
        status = isocast_derive_computing_fit(d);
    }
    if (status == ISOCAST_OK) {
        status = isocast_derive_root_order_find(d);
    }
    if (status != ISOCAST_OK) {
        isocast_derived_free(d);
        return status;
    }
    *out = d;
    return ISOCAST_OK;
}

/* The steps, where the order of the calls is known. */
static isocast_status add_steps(isocast_derived *d) {
    if (d->flow->all.count == 0) {
        return ISOCAST_OK;
    }
    isocast_status status = isocast_derive_steps_make(d);
    isocast_fitter_free(d->fitter);
    return status == ISOCAST_OK ? isocast_derive_steps_check(d) : status;
}

/* Without some records. */
static isocast_status derive_without(const isocast_derived *all, isocast_record *const *records,
                                     size_t count, isocast_derived **out) {
    isocast_derived *d = NULL;
    isocast_status status = derive_from(records, count, &all->sizes, false, &d);
    if (status == ISOCAST_OK) {
        status = add_steps(d);
    }
    if (status != ISOCAST_OK) {
        isocast_derived_free(d);
        return status;
    }
    *out = d;
    return ISOCAST_OK;
}

static size_t most_processes(isocast_record *const *records, size_t count) {
    size_t most = 0;
    for (size_t r = 0; r < count; r++) {
        most = records[r]->process_count > most ? records[r]->process_count : most;
    }
    return most;
}

/* The errors of other steps of the same sites. */
static void take_held_out(isocast_derived *d, const isocast_derived *from) {
    size_t worst = d->held_out.worst_site;
    d->held_out.worst_site = SIZE_MAX;
    for (size_t s = 0; s < d->site_count; s++) {
        for (size_t k = 0; k < from->site_count; k++) {
            const isocast_derived_site *other = &from->sites[k];
            if (isocast_site_key_same(&other->key, &d->sites[s].key)) {
                d->sites[s].there = other->there;
                d->held_out.worst_site = k == worst ? s : d->held_out.worst_site;
            }
        }
    }
}

isocast_status isocast_derive_without_point(const isocast_derived *derived, double processors,
                                            const isocast_law_point *at, isocast_record **sorted,
                                            isocast_held_point *point, isocast_derived **out) {
    size_t others;
    isocast_held_point_split(derived, processors, at, sorted, &others, point);
    return others > 0 ? derive_without(derived, sorted, others, out) : ISOCAST_OK;
}

/* Steps made without the records with most processes, where these are enough, are compared with all
 * of them; else those made without the largest point alone, with its computing. */
static isocast_status check_without_largest(isocast_derived *d) {
    isocast_record **sorted = calloc(d->record_count, sizeof *sorted);
    isocast_derived *without = NULL;
    if (sorted == NULL) {
        return ISOCAST_NO_MEMORY;
    }
    isocast_status status =
        isocast_derive_without_point(d, 0, NULL, sorted, &d->held_computing, &without);
    size_t kept = without != NULL ? without->record_count : 0;
    bool fewer = kept > 0 && (double)most_processes(sorted, kept) < d->held_computing.point.p;
    if (status == ISOCAST_OK && fewer) {
        status = isocast_derive_held_out_check(without, sorted + kept, d->record_count - kept,
                                               &d->held_out);
        take_held_out(d, without);
    }
    if (status == ISOCAST_OK && kept > 0) {
        status = isocast_held_point_compare(without, sorted + kept, d->record_count - kept,
                                            &d->held_computing);
    }
    isocast_derived_free(without);
    free(sorted);
    return status;
}

isocast_status isocast_derive(isocast_record *const *records, size_t count,
                              isocast_record *const *others, size_t other_count,
                              const isocast_size_words *asked, isocast_diagnostics *diagnostics,
                              isocast_derived **out) {
    isocast_size_words sizes;
    isocast_numerics_prepare();
    isocast_status status =
        isocast_size_words_find(records, count, others, other_count, asked, diagnostics, &sizes);
    isocast_derived *d = NULL;
    size_t errors = diagnostics->errors;
    if (status == ISOCAST_OK) {
        status = isocast_derive_paths_align(records, count, others, other_count);
    }
    if (status == ISOCAST_OK) {
        status = isocast_mixed_records_refuse(records, count, diagnostics);
    }
    if (status == ISOCAST_OK && diagnostics->errors > errors) {
        status = ISOCAST_INVALID;
    }
    if (status == ISOCAST_OK) {
        status = derive_from(records, count, &sizes, true, &d);
    }
    if (status == ISOCAST_OK) {
        d->checked_beyond = most_processes(others, other_count) > most_processes(records, count);
        status = add_steps(d);
    }
    if (status == ISOCAST_OK && d->program == NULL) {
        isocast_diagnostics_add_file(diagnostics, ISOCAST_ERROR, records[0]->source->name, NULL,
                                     "no steps can be made of a program that calls MPI at %zu "
                                     "places: there are at most %d, and fewer where records have "
                                     "many processes",
                                     d->site_count, DERIVE_PLACES_MOST);
        status = diagnostics->failed ? ISOCAST_NO_MEMORY : ISOCAST_INVALID;
    }
    if (status == ISOCAST_OK) {
        status = other_count > 0
                     ? isocast_derive_held_out_check(d, others, other_count, &d->held_out)
                     : check_without_largest(d);
    }
    if (status == ISOCAST_OK && other_count > 0) {
        status = isocast_held_point_compare(d, others, other_count, &d->held_computing);
    }
    if (status != ISOCAST_OK) {
        isocast_derived_free(d);
        return status;
    }
    *out = d;
    return ISOCAST_OK;
}
