/* Whether a machine file still describes a machine: measures a few points of what it has, here and
 * now, and compares them with the file. */
#ifndef CAMPAIGN_RECHECK_H
#define CAMPAIGN_RECHECK_H

#include "calibrate/samples/samples.h"
#include "calibration.h"
#include "model/spec/machine.h"

/* One operation at a message size, or kernel at a working set, on p processes. */
typedef struct campaign_recheck_point {
    const char *name; /* its name in the samples */
    bool is_kernel;   /* seconds are those of a flop */
    double p;
    const char *system; /* of the machine, that has so many processes; NULL: they are on its nodes,
                           class after class */
    double m;           /* B */
    double predicted;   /* s, by the file; NAN where it says nothing */
    double measured;    /* s, interquartile mean of the launches' medians */
    double sigma;       /* sd of ln measured that launches of now and of the file, the coefficients'
                           errors and the fit let expect */
    double sigma_now;   /* sd of ln median between the launches of now; NAN for one */
    size_t launches;
} campaign_recheck_point;

/* Where the ratio of measured to predicted time lies. */
typedef enum campaign_recheck_place {
    CAMPAIGN_RECHECK_INSIDE,
    CAMPAIGN_RECHECK_OUTSIDE, /* of the band */
    CAMPAIGN_RECHECK_WIDE     /* inside, but the band is too wide to say anything */
} campaign_recheck_place;

typedef enum campaign_recheck_verdict {
    CAMPAIGN_RECHECK_HOLDS,
    CAMPAIGN_RECHECK_FAILS,       /* too many points are outside their bands */
    CAMPAIGN_RECHECK_NOT_COVERED, /* nothing was measured that the file covers */
    CAMPAIGN_RECHECK_UNSTEADY     /* all bands are too wide to report */
} campaign_recheck_verdict;

typedef struct campaign_recheck {
    campaign_recheck_point *points; /* [count], by name, p, m */
    size_t count;
    size_t reporting; /* points whose band is narrow enough to say, or that are outside */
    size_t outside;   /* points whose ratio is outside its band */
    campaign_recheck_verdict verdict;
} campaign_recheck;

/* Makes points of the samples and holds those that the machine file has, within the sizes and
 * counts of processes it was measured at, against it. Errors: NO_MEMORY. Free in either case. */
isocast_status campaign_recheck_make(const isocast_machine *machine, const samples *s,
                                     campaign_recheck *out);
void campaign_recheck_free(campaign_recheck *r);

/* Fills in `predicted`, and the sd that the coefficients' errors give in `sigma`; NAN and 0 where
 * the file has no such operation, or no time for that system. Errors: NO_MEMORY. */
isocast_status campaign_recheck_predict(const isocast_machine *machine,
                                        campaign_recheck_point *points, size_t count);

/* The bounds of measured/predicted within which the file describes the machine. */
double campaign_recheck_low(const campaign_recheck_point *point);
double campaign_recheck_high(const campaign_recheck_point *point);

campaign_recheck_place campaign_recheck_place_of(const campaign_recheck_point *point);

/* Measures within `budget` s, since `started` s of campaign_clock(). Errors: ARGUMENT where the
 * file has no operation that the probe can measure; else as in campaign_calibrate(). */
isocast_status campaign_recheck_measure(const isocast_machine *machine, const campaign_site *site,
                                        double budget, double started, campaign_recorder *recorder);

#endif
