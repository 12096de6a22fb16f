#include "recheck.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "calibrate/samples/launches.h"
#include "calibrate/samples/median.h"
#include "model/base/operation_name.h"

/* A band holds 99 %% of what the file lets expect; it is never narrower than this, as no formula is
 * that good between the sizes measured. */
static const double band_sigmas = 2.576;
static const double band_least = 0.10;
/* A point with a band as wide as this tells nothing when it is inside. */
static const double band_most = 3;
/* The file no longer describes the machine where a larger share of the points is outside. */
static const double outside_most = 0.1;

/* The rows of one point, sorted by launch; scratch and medians: shape [count] each. */
static campaign_recheck_point summarise(const samples *s, const sample *rows, size_t count,
                                        double *scratch, double *medians) {
    campaign_recheck_point point = {
        .name = s->operations[rows[0].operation], .p = rows[0].p, .m = rows[0].m};
    point.is_kernel = !isocast_operation_is_name(point.name);
    point.launches = launches_medians(rows, count, 1e-15, scratch, medians);
    point.sigma_now = sqrt(launches_variance(medians, point.launches));
    point.measured = interquartile_mean(medians, point.launches);
    return point;
}

static bool make_points(const samples *s, campaign_recheck *out) {
    sample *rows = malloc((s->count + 1) * sizeof *rows);
    double *scratch = malloc((2 * s->count + 1) * sizeof *scratch);
    out->points = malloc((s->count + 1) * sizeof *out->points);
    bool complete = rows != NULL && scratch != NULL && out->points != NULL;
    if (complete) {
        memcpy(rows, s->rows, s->count * sizeof *rows);
        qsort(rows, s->count, sizeof *rows, launches_by_point);
    }
    for (size_t begin = 0; complete && begin < s->count;) {
        size_t end = launches_point_end(rows, s->count, begin);
        out->points[out->count++] =
            summarise(s, rows + begin, end - begin, scratch, scratch + s->count);
        begin = end;
    }
    free(rows);
    free(scratch);
    return complete;
}

static const isocast_operation *operation_of(const isocast_machine *machine,
                                             const campaign_recheck_point *point) {
    const isocast_operation *list = point->is_kernel ? machine->compute : machine->operations;
    size_t count = point->is_kernel ? machine->compute_count : machine->operation_count;
    for (size_t i = 0; i < count; i++) {
        if (strcmp(list[i].name, point->name) == 0) {
            return &list[i];
        }
    }
    return NULL;
}

/* The file promises nothing outside the range that it was measured in. */
static bool is_covered(const isocast_machine *machine, const campaign_recheck_point *point) {
    const isocast_operation *o = operation_of(machine, point);
    return o != NULL && !(point->p < o->p_min) && !(point->p > o->p_max) &&
           !(point->m < 0.99 * o->m_min) && !(point->m > 1.01 * o->m_max);
}

/* How far the fit was from its own points, relative, as the file tells it. */
static double fit_error(const isocast_machine *machine, const campaign_recheck_point *point) {
    const isocast_operation *o = operation_of(machine, point);
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

/* Keeps the points that the file tells a time for. */
static void keep_covered(const isocast_machine *machine, campaign_recheck *r) {
    size_t kept = 0;
    for (size_t i = 0; i < r->count; i++) {
        if (is_covered(machine, &r->points[i])) {
            r->points[kept++] = r->points[i];
        }
    }
    r->count = kept;
}

isocast_status campaign_recheck_make(const isocast_machine *machine, const samples *s,
                                     campaign_recheck *out) {
    *out = (campaign_recheck){0};
    if (!make_points(s, out)) {
        return ISOCAST_NO_MEMORY;
    }
    keep_covered(machine, out);
    isocast_status status = campaign_recheck_predict(machine, out->points, out->count);
    if (status != ISOCAST_OK) {
        return status;
    }
    for (size_t i = 0; i < out->count; i++) {
        add_spread(machine, &out->points[i]);
        out->outside += is_outside(&out->points[i]);
        out->telling += campaign_recheck_place_of(&out->points[i]) != CAMPAIGN_RECHECK_WIDE;
    }
    bool agrees = (double)out->outside <= outside_most * (double)out->telling;
    out->verdict = out->count == 0     ? CAMPAIGN_RECHECK_NOT_COVERED
                   : out->telling == 0 ? CAMPAIGN_RECHECK_UNSTEADY
                   : agrees            ? CAMPAIGN_RECHECK_HOLDS
                                       : CAMPAIGN_RECHECK_FAILS;
    return ISOCAST_OK;
}

void campaign_recheck_free(campaign_recheck *r) {
    free(r->points);
    *r = (campaign_recheck){0};
}
