#include "fit_summary.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "calibrate/samples/median.h"
#include "fit_polish.h"
#include "kernels/kernel_table.h"
#include "model/base/numerics.h"
#include "model/base/operation_name.h"
#include "model/base/order.h"

/* A shorter call than this is the clock's, not the operation's. Time per flop has no such limit. A
 * simulated clock is exact, so that a call may really take no time there; fits need one above 0. */
static const double call_least = 1e-9;
static const double call_least_simulated = 1e-12;

ISOCAST_ORDER_BY(by_point, sample, x->operation, x->p, x->nodes, x->p_node, x->m, x->launch)

static bool same_point(const sample *a, const sample *b) {
    return a->operation == b->operation && a->p == b->p && a->nodes == b->nodes &&
           a->p_node == b->p_node && a->m == b->m;
}

/* Median of one launch of one point, and its share of the spread within launches: the distance of
 * the quartiles over 1.349 is the sd of a normal. */
static double launch_median(const sample *rows, size_t count, double least, double *scratch,
                            fit_summaries *out) {
    for (size_t k = 0; k < count; k++) {
        scratch[k] = fmax(rows[k].seconds, least);
    }
    double median = isocast_median(scratch, count);
    if (count >= 8) {
        double spread = log(scratch[3 * count / 4] / scratch[count / 4]) / 1.349;
        out->within[out->within_count++] = spread * spread;
    }
    return median;
}

/* Sum of products of the deviations of ln(median) from their mean, each with that of the launch
 * that comes `later` launches behind it. */
static double sum_products(const double *medians, size_t count, size_t later) {
    double mean = 0;
    for (size_t k = 0; k < count; k++) {
        mean += log(medians[k]) / (double)count;
    }
    double sum = 0;
    for (size_t k = 0; k + later < count; k++) {
        sum += (log(medians[k]) - mean) * (log(medians[k + later]) - mean);
    }
    return sum;
}

bool fit_summary_is_regular(const fit_summary *item) {
    return item->p <= item->p_node * item->nodes && item->p > item->p_node * (item->nodes - 1);
}

void fit_summary_take(fit_summary *item, double *medians, size_t count) {
    item->launches = count;
    item->variance = count < 2 ? NAN : sum_products(medians, count, 0) / ((double)count - 1);
    item->following = sum_products(medians, count, 1);
    item->seconds = interquartile_mean(medians, count);
}

/* Summarises the samples of one point, sorted by launch. */
static void summarise_point(const sample *rows, size_t count, double least, double *scratch,
                            double *medians, fit_summaries *out) {
    size_t launches = 0;
    for (size_t begin = 0; begin < count;) {
        size_t end = begin;
        while (end < count && rows[end].launch == rows[begin].launch) {
            end++;
        }
        medians[launches++] = launch_median(rows + begin, end - begin, least, scratch, out);
        begin = end;
    }
    fit_summary *item = &out->items[out->count++];
    *item = (fit_summary){.operation = rows[0].operation,
                          .p = rows[0].p,
                          .nodes = rows[0].nodes,
                          .p_node = rows[0].p_node,
                          .m = rows[0].m};
    fit_summary_take(item, medians, launches);
}

static bool same_curve(const sample *a, const sample *b) {
    return a->operation == b->operation && a->p == b->p && a->nodes == b->nodes &&
           a->p_node == b->p_node;
}

static bool is_call(const samples *s, const sample *row) {
    return isocast_operation_is_name(s->operations[row->operation]);
}

/* Polishes the items of one curve, so many from `first` on. scratch: [count of items]. */
static bool polish_curve(const sample *rows, size_t count, fit_summaries *out, size_t first,
                         size_t items, double *scratch) {
    for (size_t i = 0; i < items; i++) {
        scratch[i] = out->items[first + i].seconds;
    }
    bool complete = fit_polish(rows, count, &out->pace, scratch, items);
    for (size_t i = 0; i < items; i++) {
        out->items[first + i].seconds = scratch[i];
    }
    return complete;
}

/* The triad's arrays are in memory, which has a pace of its own. */
static bool shows_pace(const samples *s, const sample *row) {
    return strcmp(s->operations[row->operation], kernel_names[KERNEL_BANDWIDTH]) != 0;
}

/* Work is measured at many sizes of one curve, the large ones in few launches: goes through the
 * curves, and once the pace is known sets their items. False where memory is short. */
static bool polish_kernels(const samples *s, const sample *rows, bool known, double *scratch,
                           fit_summaries *out) {
    bool complete = true;
    size_t item = 0;
    for (size_t begin = 0; complete && begin < s->count;) {
        size_t end = begin;
        size_t items = 0;
        while (end < s->count && same_curve(&rows[end], &rows[begin])) {
            items += end == begin || rows[end].m != rows[end - 1].m;
            end++;
        }
        bool kernel = !is_call(s, &rows[begin]);
        if (kernel && known) {
            complete = polish_curve(rows + begin, end - begin, out, item, items, scratch);
        } else if (kernel && shows_pace(s, &rows[begin])) {
            complete = fit_polish_launches(rows + begin, end - begin, items, &out->pace);
        }
        item += items;
        begin = end;
    }
    return complete;
}

/* Local work shares a node's memory with the other processes of the node alone: its time is a
 * function of these, however many there are on other nodes. */
static void place_kernels(const samples *s, sample *rows) {
    for (size_t i = 0; i < s->count; i++) {
        if (!is_call(s, &rows[i])) {
            rows[i].p = rows[i].p_node;
            rows[i].nodes = 1;
        }
    }
}

bool fit_summarise(const samples *s, fit_summaries *out) {
    sample *rows = malloc((s->count + 1) * sizeof *rows);
    double *scratch = malloc((2 * s->count + 1) * sizeof *scratch);
    out->items = malloc((s->count + 1) * sizeof *out->items);
    out->within = malloc((s->count + 1) * sizeof *out->within);
    bool complete = rows != NULL && scratch != NULL && out->items != NULL && out->within != NULL;
    double least = s->facts.is_simulated ? call_least_simulated : call_least;
    if (complete) {
        for (size_t i = 0; i < s->count; i++) {
            rows[i] = s->rows[i];
        }
        place_kernels(s, rows);
        qsort(rows, s->count, sizeof *rows, by_point);
        for (size_t begin = 0; begin < s->count;) {
            size_t end = begin;
            while (end < s->count && same_point(&rows[end], &rows[begin])) {
                end++;
            }
            summarise_point(rows + begin, end - begin, is_call(s, &rows[begin]) ? least : 0,
                            scratch, scratch + s->count, out);
            begin = end;
        }
        complete = polish_kernels(s, rows, false, scratch, out) && fit_pace_finish(&out->pace) &&
                   polish_kernels(s, rows, true, scratch, out);
    }
    free(rows);
    free(scratch);
    return complete;
}

/* The typical variance between launches: the median over points, as some points of an operation
 * jump from launch to launch, raised to the mean of what a chi-squared variate of so few degrees of
 * freedom has for a median (Wilson, Hilferty 1931). 0 where there was one launch. */
double fit_typical_variance(const fit_summary *items, size_t count) {
    double *variances = malloc((count + 1) * sizeof *variances);
    size_t known = 0;
    size_t launches = 0;
    for (size_t k = 0; variances != NULL && k < count; k++) {
        if (!isnan(items[k].variance)) {
            variances[known++] = items[k].variance;
            launches = items[k].launches > launches ? items[k].launches : launches;
        }
    }
    double median = known > 0 ? isocast_median(variances, known) : 0;
    if (variances == NULL) {
        return NAN;
    }
    free(variances);
    double freedom = launches > 1 ? (double)launches - 1 : 1;
    return median / pow(1 - 2 / (9 * freedom), 3);
}

double fit_pooled_variance(const fit_summary *items, size_t count, double *freedom) {
    double squares = 0;
    *freedom = 0;
    for (size_t k = 0; k < count; k++) {
        if (items[k].launches > 1) {
            squares += items[k].variance * ((double)items[k].launches - 1);
            *freedom += (double)items[k].launches - 1;
        }
    }
    return squares / *freedom;
}

double fit_few_launches(double freedom) {
    isocast_numerics_prepare();
    double few = gsl_cdf_tdist_Pinv(0.95, fmax(freedom, 1)) / gsl_cdf_ugaussian_Pinv(0.95);
    return few * few;
}

/* Asymptotic efficiency of the 25 % trimmed mean of normal variates (P. J. Huber, Robust
 * Statistics, 1981, section 4.8, has such figures). */
static const double mean_efficiency = 0.837;
/* Of what differs between launches, the part that all launches of one minute share, which none of
 * them can say: 0 to 0.23 by analyses of variance over 35 calibrations of a minute, and the
 * intervals are to hold where it is much. Such launches vary by a factor of 1 + (n - 1) rho more
 * (L. Kish, Survey Sampling, 1965, 5.4). */
static const double shared_in_minute = 0.2;
static const double launches_in_minute = 8;

/* How much more the mean of launches varies that are like those before them. 1 for a few. */
static double following_alike(const fit_summary *items, size_t count, size_t *launches) {
    static const double correlation_most = 0.5; /* a few launches state it badly */
    double following = 0;
    double squares = 0;
    *launches = 0;
    for (size_t k = 0; k < count; k++) {
        if (items[k].launches > 2) {
            following += items[k].following;
            squares += items[k].variance * ((double)items[k].launches - 1);
        }
        *launches = items[k].launches > *launches ? items[k].launches : *launches;
    }
    /* The mean is taken from the launches themselves, which makes the estimate too low by
     * (1 + 3 r)/n (M. G. Kendall, Biometrika 41, 1954). */
    double n = fmax((double)*launches, 4);
    double correlation = squares > 0 ? (n * following / squares + 1) / (n - 3) : 0;
    correlation = fmin(fmax(correlation, 0), correlation_most);
    return (1 + correlation) / (1 - correlation);
}

double fit_launch_inflation(const fit_summary *items, size_t count) {
    size_t launches;
    double alike = following_alike(items, count, &launches);
    double shared = 1 + shared_in_minute * (fmin((double)launches, launches_in_minute) - 1);
    return launches < 2 ? 1 : fmax(alike, shared) / mean_efficiency;
}

static bool same_placement(const fit_summary *a, const fit_summary *b) {
    return a->p == b->p && a->nodes == b->nodes && a->p_node == b->p_node;
}

fit_launches fit_count_launches(const fit_summary *items, size_t count, bool by_processes) {
    double most_processes = 0;
    for (size_t k = 0; k < count; k++) {
        most_processes = fmax(most_processes, items[k].p);
    }
    double weights = 0;
    double squares = 0;
    fit_launches found = {0};
    for (size_t begin = 0; begin < count;) {
        size_t end = begin;
        size_t launches = 0;
        while (end < count && same_placement(&items[end], &items[begin])) {
            launches = items[end].launches > launches ? items[end].launches : launches;
            end++;
        }
        double share = by_processes ? items[begin].p / most_processes : 1;
        weights += share * share;
        squares += pow(share, 4) / (double)launches;
        found.all += (double)launches;
        found.of_placement = fmax(found.of_placement, (double)launches);
        found.placements++;
        begin = end;
    }
    found.effective = squares > 0 ? weights * weights / squares : 0;
    return found;
}

double fit_shared_share(const fit_summary *items, size_t count, const fit_launches *launches) {
    size_t most;
    double alike = following_alike(items, count, &most);
    double minutes = fmax(launches->all / launches_in_minute, 1);
    double own = (1 - shared_in_minute) / launches->effective;
    double all = fmax(alike / launches->effective, own + shared_in_minute / minutes);
    return launches->all < 2 ? 1 : (all - own) / mean_efficiency;
}

double fit_placement_share(const fit_launches *launches) {
    return (1 - shared_in_minute) / launches->of_placement / mean_efficiency;
}

ISOCAST_ORDER_BY(by_place, fit_summary, x->operation, x->p, x->nodes, x->p_node, x->m)

const fit_summary *fit_summaries_find(const samples *s, const fit_summaries *all,
                                      isocast_known_operation_id operation, const fit_summary *at) {
    fit_summary key = *at;
    for (size_t k = 0; k < s->operation_count; k++) {
        if (isocast_known_operation_index(s->operations[k]) == operation) {
            key.operation = (unsigned)k;
            return bsearch(&key, all->items, all->count, sizeof *all->items, by_place);
        }
    }
    return NULL;
}

void fit_summaries_free(fit_summaries *all) {
    free(all->items);
    free(all->within);
    fit_pace_free(&all->pace);
}

size_t fit_count_processes(const fit_summary *items, size_t count) {
    size_t distinct = 0;
    for (size_t k = 0; k < count; k++) {
        bool seen = false;
        for (size_t l = 0; l < k && !seen; l++) {
            seen = items[l].p == items[k].p;
        }
        distinct += !seen;
    }
    return distinct;
}
