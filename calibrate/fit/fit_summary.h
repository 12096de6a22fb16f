/* What launches measured at one point, as one time: medians within launches, their mean and spread
 * between them. */
#ifndef FIT_SUMMARY_H
#define FIT_SUMMARY_H

#include "calibrate/samples/samples.h"
#include "fit_pace.h"
#include "model/base/known_operation.h"

/* A placement of processes and m of one operation, with the medians of its launches. */
typedef struct fit_summary {
    unsigned operation; /* index of its name in the samples or observations */
    double p;
    double nodes;     /* that the processes are on; 0 where nobody knows */
    double p_node;    /* processes on the node of process 0; likewise */
    double m;         /* B */
    double seconds;   /* interquartile mean of the launches' medians */
    double variance;  /* of ln(median) between launches; NAN for one launch */
    double following; /* sum of products of the deviations of launches that follow each other */
    size_t launches;
    size_t first; /* index of its first launch among the observations; of samples 0 */
} fit_summary;

/* Fills what the launches report: seconds, variance, following and launches. medians: shape
 * [count], in the order of the launches; sorted afterwards. */
void fit_summary_take(fit_summary *item, double *medians, size_t count);

/* Whether all nodes but the last have the same number of processes. */
bool fit_summary_is_regular(const fit_summary *item);

/* Start from {0}. */
typedef struct fit_summaries {
    fit_summary *items; /* [count], sorted by operation, p, nodes, p_node, m */
    size_t count;
    double *within; /* [within_count], variance of ln(seconds) within each launch of each point */
    size_t within_count;
    fit_pace pace;
} fit_summaries;

/* False where memory is short; free what there is all the same. */
bool fit_summarise(const samples *s, fit_summaries *out);
void fit_summaries_free(fit_summaries *all);

/* The item of another operation (ISOCAST_KNOWN_recv) at the place and size of an item; NULL where
 * there is none. */
const fit_summary *fit_summaries_find(const samples *s, const fit_summaries *all,
                                      isocast_known_operation_id operation, const fit_summary *at);

/* The typical variance of ln(median) between launches over the items (shape [count]), 0 where there
 * was one launch, NAN where memory is short. */
double fit_typical_variance(const fit_summary *items, size_t count);

/* The variance of ln(median) between launches that several items (shape [count]) have together,
 * each by its launches less 1, of which *freedom gets the sum; NAN where each had one launch. */
double fit_pooled_variance(const fit_summary *items, size_t count, double *freedom);

/* By how much the variance of a point's time over the launches is more than that of ln(median)
 * between them over their number: launches that follow each other, and all within a minute, are
 * alike, and an interquartile mean varies more than a mean. 1 for one launch. Shape of items:
 * [count]. */
double fit_launch_inflation(const fit_summary *items, size_t count);

/* How many launches an operation was measured in. Each launch has one placement. */
typedef struct fit_launches {
    double all;
    double of_placement; /* most of them in one placement */
    size_t placements;
    /* As many launches of one weight would state the level of all times as well: where
     * `by_processes`, points weigh in proportion to p, as their terms are fitted. */
    double effective;
} fit_launches;

/* Of the points of one operation (shape [count], sorted by placement). */
fit_launches fit_count_launches(const fit_summary *items, size_t count, bool by_processes);

/* The variance that the levels of all placements share, over the variance between launches. The
 * level of all times varies by this and by what each placement has of its own. */
double fit_shared_share(const fit_summary *items, size_t count, const fit_launches *launches);

/* The variance by which the times of one placement are off those of all, over the same. */
double fit_placement_share(const fit_launches *launches);

/* By how much wider, squared, an interval is by Student's t than by the normal distribution: few
 * launches say little of their spread. freedom: what the spread was found from, launches less 1.
 */
double fit_few_launches(double freedom);

/* Different numbers of processes among the items (shape [count]). */
size_t fit_count_processes(const fit_summary *items, size_t count);

#endif
