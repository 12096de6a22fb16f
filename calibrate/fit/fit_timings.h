/* One operation's times at each (p, m), over launches: what models are fitted to. */
#ifndef FIT_TIMINGS_H
#define FIT_TIMINGS_H

#include "calibrate/samples/observations.h"
#include "fit_summary.h"

/* Start from {0}. */
typedef struct fit_timings {
    fit_summary *items; /* [count], sorted by p, then m; placements are not known */
    size_t count;
    double *counts_of_p; /* [p_count], rising: the numbers of processes that were measured */
    size_t *p_begin;     /* [p_count + 1], index of the first item of each of them, and the count */
    size_t p_count;
    double *sizes; /* [size_count], rising, B */
    size_t size_count;
    double per_node;        /* processes on a node; 1 where that is not known */
    double launch_variance; /* typical, of ln T between launches; 0 where each had one launch */
    double within_variance; /* median, of ln T within a launch; NAN unknown */
    size_t launches_most;
} fit_timings;

/* Of the operation's observations, those with p <= p_most. False where memory is short. */
bool fit_timings_make(const observations *o, uint32_t operation, double p_most, fit_timings *out);
void fit_timings_free(fit_timings *t);

/* The same without the last numbers of processes; a view, not to be freed. left_out < p_count. */
fit_timings fit_timings_without_last(const fit_timings *t, size_t left_out);

/* Times of another drawing of the launches: within each p whole launches are drawn with
 * replacement, and `seconds` is made again of those drawn. draw: a state of random numbers. */
typedef struct fit_random {
    uint64_t state;
} fit_random;

/* Uniform in 0 .. below - 1 (model/base/random_bits.h). */
size_t fit_random_below(fit_random *random, size_t below);

/* What is the same in every draw from the timings: sorting it again would take most of the time. */
typedef struct fit_draws {
    size_t *by_seconds;    /* of each point its launches, rising in seconds, from its first on */
    double *launches;      /* of each p its launches, each once, rising */
    size_t *launch_counts; /* [p_count] */
    unsigned *times;       /* [launches]: how often each is drawn */
    double *scratch;
} fit_draws;

/* False where memory is short. */
bool fit_draws_make(const observations *o, const fit_timings *t, fit_draws *out);
void fit_draws_free(fit_draws *d);
void fit_timings_redraw(const observations *o, const fit_draws *d, fit_random *random,
                        fit_timings *t);

#endif
