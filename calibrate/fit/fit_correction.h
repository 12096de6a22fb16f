/* What the terms of a range miss at the counts of processes that were measured. */
#ifndef FIT_CORRECTION_H
#define FIT_CORRECTION_H

#include "fit_ranges.h"

enum { FIT_COUNTS_MAX = 32 };

/* What terms are multiplied with at counts of processes that were measured. Straight lines in
 * between. */
typedef struct fit_correction {
    double count_measured[FIT_COUNTS_MAX]; /* [counts], rising */
    double ratio[FIT_COUNTS_MAX];          /* [counts]; 1 at twice the largest count and beyond */
    size_t counts;                         /* 0: nothing worth reporting */
    double variance; /* of ln of the ratios: what launches that differ have put into them */
} fit_correction;

/* Learns them from the points (shape [count], sorted by size) for each range: [0] where each
 * process has a node, [1] where some share one. `noise` is the variance of ln T of one count of
 * processes from launches that differ. By that ratios differ from 1 where the terms miss nothing:
 * so they are drawn towards 1 by the part of their spread that it makes up (empirical Bayes; C. N.
 * Morris, J. Amer. Statist. Assoc. 78, 1983). */
void fit_corrections_learn(const fit_ranges *f, const fit_point *points, size_t count, double noise,
                           fit_correction corrections[FIT_RANGES_MAX][2]);

/* The time with what is known, the terms, and their correction, s. */
double fit_corrected_time(const fit_ranges *f, fit_correction corrections[FIT_RANGES_MAX][2],
                          const fit_point *at);

#endif
