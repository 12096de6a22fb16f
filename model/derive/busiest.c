#include "busiest.h"

#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>

#include "law_growth.h"
#include "stretches.h"

/* Shares that differ by less are those of processes that do the same. */
static const double uneven_least = 0.04;
/* Something else slowed a run that took so many times as long as the shortest of its kind. */
static const double longer_most = 1.05;
/* Of the longest computing; less is as long as what the clock and the system add. */
static const double floor_share = 0.01;

typedef struct busiest_runs {
    double *calm;   /* [count], s, of the busiest process */
    double *usual;  /* [count], s, the same with what else the machine did */
    double *shares; /* [most processes], of the mean, sums over runs of one p */
    double *times;  /* [most processes], s */
    bool *counts;   /* [count] */
    size_t count;
} busiest_runs;

static size_t most_processes(const isocast_derived *d) {
    size_t most = 1;
    for (size_t r = 0; r < d->record_count; r++) {
        size_t p = d->records[r]->process_count;
        most = p > most ? p : most;
    }
    return most;
}

static isocast_status runs_create(const isocast_derived *d, busiest_runs *out) {
    size_t count = d->record_count;
    size_t processes = most_processes(d);
    *out = (busiest_runs){.calm = calloc(count, sizeof *out->calm),
                          .usual = calloc(count, sizeof *out->usual),
                          .shares = calloc(processes, sizeof *out->shares),
                          .times = calloc(processes, sizeof *out->times),
                          .counts = calloc(count, sizeof *out->counts),
                          .count = count};
    bool enough = out->calm != NULL && out->usual != NULL && out->shares != NULL &&
                  out->times != NULL && out->counts != NULL;
    return enough ? ISOCAST_OK : ISOCAST_NO_MEMORY;
}

static void runs_free(busiest_runs *b) {
    free(b->calm);
    free(b->usual);
    free(b->shares);
    free(b->times);
    free(b->counts);
}

static double usual_time(const isocast_record *record, size_t process) {
    double time = 0;
    for (size_t i = 0; i < record->compute_count; i++) {
        time += record->computes[i].process == process ? record->computes[i].time : 0;
    }
    return time;
}

/* The process whose share is the largest one over all runs with p processes: noise makes another
 * one of them busy in each run. Gives that share over the mean. */
static double find_busiest(const isocast_derived *d, size_t p, busiest_runs *b, size_t *process) {
    size_t runs = 0;
    for (size_t i = 0; i < p; i++) {
        b->shares[i] = 0;
    }
    for (size_t r = 0; r < d->record_count; r++) {
        if (d->records[r]->process_count != p) {
            continue;
        }
        double all = 0;
        isocast_derive_calm_times(d, d->records[r], b->times);
        for (size_t i = 0; i < p; i++) {
            all += b->times[i];
        }
        for (size_t i = 0; i < p && all > 0; i++) {
            b->shares[i] += b->times[i] * (double)p / all;
        }
        runs += all > 0;
    }
    *process = 0;
    for (size_t i = 0; i < p; i++) {
        *process = b->shares[i] > b->shares[*process] ? i : *process;
    }
    return runs > 0 ? b->shares[*process] / (double)runs : 1;
}

/* The times of the busiest processes. Of runs of one p and the same sizes those count that nothing
 * slowed. Gives the longest time. */
static double observe(isocast_derived *d, busiest_runs *b) {
    double longest = 0;
    d->imbalance = 1;
    for (size_t r = 0; r < d->record_count; r++) {
        const isocast_record *record = d->records[r];
        size_t process;
        d->imbalance = fmax(d->imbalance, find_busiest(d, record->process_count, b, &process));
        isocast_derive_calm_times(d, record, b->times);
        b->calm[r] = b->times[process];
        b->usual[r] = usual_time(record, process);
        longest = fmax(longest, b->calm[r]);
    }
    for (size_t r = 0; r < d->record_count; r++) {
        double least = INFINITY;
        for (size_t k = 0; k < d->record_count; k++) {
            bool again = d->points[k].p == d->points[r].p &&
                         isocast_law_same_sizes(&d->points[k], &d->points[r]);
            least = again ? fmin(least, b->calm[k]) : least;
        }
        b->counts[r] = b->calm[r] > 0 && b->calm[r] <= longer_most * least;
    }
    return longest;
}

/* Error of even shares of the work, relative, root mean square. */
static double error_of_even(const isocast_derived *d, const busiest_runs *b) {
    double squares = 0;
    size_t count = 0;
    for (size_t r = 0; r < b->count; r++) {
        double even = (isocast_law_value(&d->work, &d->points[r]) +
                       isocast_law_value(&d->extra, &d->points[r])) /
                      d->points[r].p;
        if (b->counts[r]) {
            squares += (even / b->calm[r] - 1) * (even / b->calm[r] - 1);
            count++;
        }
    }
    return count > 0 ? sqrt(squares / (double)count) : 0;
}

/* Gives the law the length that computing had, by the median of the runs that tell. */
static void take_usual_length(const isocast_derived *d, const bool *tells, busiest_runs *b,
                              isocast_law *law) {
    size_t count = 0;
    for (size_t r = 0; r < b->count; r++) {
        double value = isocast_law_value(law, &d->points[r]);
        if (tells[r] && b->counts[r] && value > 0) {
            b->calm[count++] = b->usual[r] / value;
        }
    }
    if (count > 0) {
        gsl_sort(b->calm, 1, count);
        double middle = gsl_stats_median_from_sorted_data(b->calm, 1, count);
        for (size_t i = 0; i < law->term_count; i++) {
            law->numerators[i] *= middle;
        }
    }
}

/* One process computes a part of all: no term grows faster with the sizes, or with p. */
static bool is_part_of_work(const isocast_derived *d, const isocast_law *law) {
    static const double most = 1.05; /* shares are rounded up */
    bool is = law->known && law->guard == ISOCAST_GUARD_NONE;
    for (size_t r = 0; r < d->record_count && is; r++) {
        for (int sizes = 0; sizes < 2; sizes++) {
            double all = fmax(isocast_law_largest_growth(&d->work, &d->points[r], sizes != 0),
                              isocast_law_largest_growth(&d->extra, &d->points[r], sizes != 0));
            is = is && isocast_law_largest_growth(law, &d->points[r], sizes != 0) <= most * all;
        }
    }
    return is;
}

/* Leaves out runs that took much longer than a law of all says, where these are few: something else
 * slowed them. Whether there were some. */
static bool leave_out_slowed(const isocast_derived *d, const isocast_law *law, busiest_runs *b,
                             size_t *count) {
    static const double slowed_least = 1.15;
    size_t slowed = 0;
    for (size_t r = 0; r < b->count && law->known; r++) {
        slowed += b->counts[r] && b->calm[r] > slowed_least * isocast_law_value(law, &d->points[r]);
    }
    if (slowed == 0 || slowed > *count / 4) {
        return false;
    }
    for (size_t r = 0; r < b->count; r++) {
        b->counts[r] =
            b->counts[r] && b->calm[r] <= slowed_least * isocast_law_value(law, &d->points[r]);
    }
    *count -= slowed;
    return true;
}

static isocast_status find(isocast_derived *d, const bool *tells, derive_fitter *fitter,
                           double longest, busiest_runs *b) {
    size_t count = 0;
    for (size_t r = 0; r < b->count; r++) {
        count += b->counts[r];
    }
    if (d->imbalance < 1 + uneven_least || count < ISOCAST_LAW_TERMS_MAX) {
        return ISOCAST_OK;
    }
    double least = floor_share * longest;
    isocast_law one = {0};
    isocast_law two = {0};
    isocast_status status = isocast_derive_fitter_nearest(fitter, b->calm, b->counts, 2,
                                                          ISOCAST_LAW_BUSIEST, least, &two);
    if (status == ISOCAST_OK && leave_out_slowed(d, &two, b, &count)) {
        status = isocast_derive_fitter_nearest(fitter, b->calm, b->counts, 2, ISOCAST_LAW_BUSIEST,
                                               least, &two);
    }
    if (status == ISOCAST_OK) {
        status = isocast_derive_fitter_nearest(fitter, b->calm, b->counts, 1, ISOCAST_LAW_BUSIEST,
                                               least, &one);
    }
    bool several =
        is_part_of_work(d, &two) &&
        (!is_part_of_work(d, &one) || isocast_law_is_told(one.mean_error, two.mean_error, count));
    isocast_law law = several ? two : one;
    if (status == ISOCAST_OK && is_part_of_work(d, &law) &&
        isocast_law_is_told(error_of_even(d, b), law.mean_error, count)) {
        take_usual_length(d, tells, b, &law);
        d->busiest = law;
    }
    return status;
}

/* What the records have of computing beside what the laws say: other programs, shared processors
 * and caches make of it what they may make of another run. Takes b->calm as scratch. */
static void find_spread(isocast_derived *d, double longest, busiest_runs *b) {
    enum { RUNS_LEAST = 8 };
    static const double seldom = 0.1;
    size_t count = 0;
    for (size_t r = 0; r < b->count; r++) {
        double law = isocast_derived_computing(d, &d->points[r]);
        if (law > floor_share * longest) {
            b->calm[count++] = b->usual[r] / law;
        }
    }
    if (count >= RUNS_LEAST) {
        gsl_sort(b->calm, 1, count);
        d->slower = fmax(0, gsl_stats_quantile_from_sorted_data(b->calm, 1, count, 1 - seldom) - 1);
        d->faster = fmax(0, 1 - gsl_stats_quantile_from_sorted_data(b->calm, 1, count, seldom));
    }
}

isocast_status isocast_derive_busiest_find(isocast_derived *derived, const bool *tells,
                                           derive_fitter *fitter) {
    busiest_runs b;
    isocast_status status = runs_create(derived, &b);
    if (status == ISOCAST_OK) {
        double longest = observe(derived, &b);
        status = find(derived, tells, fitter, longest, &b);
        find_spread(derived, longest, &b);
    }
    runs_free(&b);
    return status;
}
