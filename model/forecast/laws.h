/* What the classical laws of scaling make of a series of runs, without a run on one process: serial
 * fraction (Amdahl 1967; Karp, Flatt 1990), scaled speedup (Gustafson 1988), and contention and
 * coherency (universal scalability law; Gunther 1993), with the p of the largest speedup. */
#ifndef ISOCAST_LAWS_H
#define ISOCAST_LAWS_H

#include "series.h"

/* A number with its 90 % interval; NAN where it is not known. */
typedef struct isocast_law_number {
    double value, low, high;
} isocast_law_number;

typedef struct isocast_laws {
    /* Strong scaling: T = T_1 (f + (1 - f)/p). */
    isocast_law_number serial;       /* f, of the T that one process would take */
    isocast_law_number speedup_most; /* 1/f */
    /* Strong scaling: T = (1/p) (1 + sigma (p - 1) + kappa p (p - 1))/lambda; weak: p times that.
     */
    isocast_law_number contention, coherency; /* sigma and kappa */
    isocast_law_number
        peak; /* sqrt((1 - sigma)/kappa), where the throughput is largest; infinite */
} isocast_laws;

/* Of two or more points. The intervals come from times that are drawn about the fits again, by the
 * scatter of the runs about them, with a generator of a fixed start. Memory that
 * runs short is noted (model/base/refused.h). */
isocast_laws isocast_laws_find(const isocast_series *series);

/* Karp-Flatt's serial fraction at a point of strong scaling, from the first and this one:
 * f = (1/p_1 - S/p)/(S (1 - 1/p) - (1 - 1/p_1)) with S = T(p_1)/T(p), which is (1/S - 1/p)/(1 -
 * 1/p) for p_1 = 1. NAN at the first. */
double isocast_laws_karp_flatt(const isocast_series *series, size_t point);

/* Gustafson's serial share at a point of weak scaling: s of S = x - s (x - 1), x = p/p_1, with S
 * the work that is done in the time of the first point. NAN at the first. */
double isocast_laws_gustafson(const isocast_series *series, size_t point);

#endif
