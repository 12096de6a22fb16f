#include "recheck.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "calibrate/fit/fit_summary.h"
#include "kernels/kernel_table.h"
#include "model/base/known_operation.h"
#include "model/base/operation_name.h"

/* A band holds 99 %% of what the file lets expect; it is never narrower than this, as no formula is
 * that good between the sizes measured. */
static const double band_sigmas = 2.576;
static const double band_least = 0.10;
/* A point with a band as wide as this says nothing when it is inside. */
static const double band_most = 3;
/* The file no longer describes the machine where a larger share of the points is outside. */
static const double outside_most = 0.1;

/* What a file has of an operation, or of a kernel; NULL: nothing. */
static const isocast_operation *operation_of(const isocast_machine *machine, bool is_kernel,
                                             const char *name) {
    const isocast_operation *list = is_kernel ? machine->compute : machine->operations;
    size_t count = is_kernel ? machine->compute_count : machine->operation_count;
    for (size_t i = 0; i < count; i++) {
        if (strcmp(list[i].name, name) == 0) {
            return &list[i];
        }
    }
    return NULL;
}

/* The file promises nothing outside the range that it was measured in. */
static bool is_covered(const isocast_machine *machine, const campaign_recheck_point *point) {
    const isocast_operation *o = operation_of(machine, point->is_kernel, point->name);
    return o != NULL && !(point->p < o->p_min) && !(point->p > o->p_max) &&
           !(point->m < 0.99 * o->m_min) && !(point->m > 1.01 * o->m_max);
}

/* How far the fit was from its own points, relative, as the file states it. */
static double fit_error(const isocast_machine *machine, const campaign_recheck_point *point) {
    const isocast_operation *o = operation_of(machine, point->is_kernel, point->name);
    return o != NULL && o->fitted.mean_error > 0 ? o->fitted.mean_error : 0;
}

/* The variance of ln T that is expected: that of launches now and for the file, that of the
 * coefficients' errors, and that of the fit's misfit. */
static void add_spread(const isocast_machine *machine, campaign_recheck_point *point) {
    double launch = machine->sigma_launch > 0 ? machine->sigma_launch : 0;
    launch = point->sigma_now > launch ? point->sigma_now : launch;
    double variance = point->sigma * point->sigma + launch * launch / (double)point->launches +
                      pow(fit_error(machine, point), 2);
    point->sigma = sqrt(variance);
}

double campaign_recheck_high(const campaign_recheck_point *point) {
    return exp(fmax(band_sigmas * point->sigma, log1p(band_least)));
}

double campaign_recheck_low(const campaign_recheck_point *point) {
    return 1 / campaign_recheck_high(point);
}

static bool is_outside(const campaign_recheck_point *point) {
    double ratio = point->measured / point->predicted;
    return !(ratio >= campaign_recheck_low(point) && ratio <= campaign_recheck_high(point));
}

campaign_recheck_place campaign_recheck_place_of(const campaign_recheck_point *point) {
    if (is_outside(point)) {
        return CAMPAIGN_RECHECK_OUTSIDE;
    }
    return campaign_recheck_high(point) <= band_most ? CAMPAIGN_RECHECK_INSIDE
                                                     : CAMPAIGN_RECHECK_WIDE;
}

/* Points that the file states a time for. Times are made of launches as those of the file were.
 * False where memory is short. */
static bool make_points(const isocast_machine *machine, const samples *s, campaign_recheck *out) {
    fit_summaries all = {0};
    bool complete = fit_summarise(s, &all);
    out->points = malloc((all.count + 1) * sizeof *out->points);
    complete = complete && out->points != NULL;
    for (size_t i = 0; i < all.count && complete; i++) {
        const fit_summary *item = &all.items[i];
        const char *name = s->operations[item->operation];
        const campaign_recheck_point point = {.name = name,
                                              .is_kernel = !isocast_operation_is_name(name),
                                              .p = item->p,
                                              .m = item->m,
                                              .measured = item->seconds,
                                              .sigma_now = sqrt(item->variance),
                                              .launches = item->launches};
        if (is_covered(machine, &point)) {
            out->points[out->count++] = point;
        }
    }
    fit_summaries_free(&all);
    return complete;
}

isocast_status campaign_recheck_make(const isocast_machine *machine, const samples *s,
                                     campaign_recheck *out) {
    *out = (campaign_recheck){0};
    if (!make_points(machine, s, out)) {
        return ISOCAST_NO_MEMORY;
    }
    isocast_status status = campaign_recheck_predict(machine, out->points, out->count);
    if (status != ISOCAST_OK) {
        return status;
    }
    for (size_t i = 0; i < out->count; i++) {
        add_spread(machine, &out->points[i]);
        out->outside += is_outside(&out->points[i]);
        out->reporting += campaign_recheck_place_of(&out->points[i]) != CAMPAIGN_RECHECK_WIDE;
    }
    bool agrees = (double)out->outside <= outside_most * (double)out->reporting;
    out->verdict = out->count == 0       ? CAMPAIGN_RECHECK_NOT_COVERED
                   : out->reporting == 0 ? CAMPAIGN_RECHECK_UNSTEADY
                   : agrees              ? CAMPAIGN_RECHECK_HOLDS
                                         : CAMPAIGN_RECHECK_FAILS;
    return ISOCAST_OK;
}

void campaign_recheck_free(campaign_recheck *r) {
    free(r->points);
    *r = (campaign_recheck){0};
}

/* Message sizes that show the latency, the bandwidth and what lies between; problem sizes inside
 * and outside the caches. */
static const char message_sizes[] = "64,4096,65536,1048576";
static const char problem_sizes[] = "128,512,1024";
enum { LAUNCHES = 4 };

/* Marks what the file has as wanted. Gives its number. */
static size_t choose(const isocast_machine *machine, campaign_selection *selection) {
    size_t count = 0;
    for (size_t i = 0; i < selection->count; i++) {
        campaign_measurable *item = &selection->items[i];
        bool kernel = item->is_kernel;
        /* A triad is known at one working set, which none of the sizes here is; what is left of a
         * message when its sender is free may be next to nothing, so a ratio says nothing. */
        const isocast_known_operation *known = isocast_known_operation_find(item->name);
        bool compares = kernel ? strcmp(item->name, kernel_names[KERNEL_BANDWIDTH]) != 0
                               : known == NULL || !known->is_rest;
        item->wanted = compares && operation_of(machine, kernel, item->name) != NULL;
        count += item->wanted;
    }
    return count;
}

/* The largest number of processes that the file was measured with and that this machine has. */
static double most_processes(const isocast_machine *machine, long processors) {
    double most = 0;
    for (size_t i = 0; i < machine->operation_count; i++) {
        most = machine->operations[i].p_max > most ? machine->operations[i].p_max : most;
    }
    return most > 0 ? fmin(most, (double)processors) : (double)processors;
}

isocast_status campaign_recheck_measure(const isocast_machine *machine, const campaign_site *site,
                                        double budget, double started,
                                        campaign_recorder *recorder) {
    campaign_selection selection;
    isocast_status status = campaign_probe_list(site->probe, recorder->listener, &selection);
    if (status != ISOCAST_OK) {
        return status;
    }
    if (choose(machine, &selection) == 0) {
        return ISOCAST_ARGUMENT;
    }
    double processes[] = {1, most_processes(machine, campaign_site_processors(site))};
    campaign_request request = {.site = *site,
                                .processes = processes,
                                .process_count = processes[1] > 1 ? 2 : 1,
                                .launches = LAUNCHES,
                                .seed = 1,
                                .budget = budget,
                                .started = started,
                                .sizes = message_sizes,
                                .problems = problem_sizes,
                                .selection = &selection};
    double others;
    return campaign_calibrate(&request, recorder, &others);
}
