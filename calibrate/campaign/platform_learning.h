/* Models for platforms: asked what the answer needs, with simulations between, until it needs
 * nothing that is not known: times of operations on the very processes and at the sizes that the
 * answer depends on, simulated or taken from a cache. Nothing is fitted: a time between two sizes
 * is on the straight line that the simulation was seen to follow. One answer may be of several
 * algorithms and platforms. Knows neither the question nor the answer. */
#ifndef CAMPAIGN_PLATFORM_LEARNING_H
#define CAMPAIGN_PLATFORM_LEARNING_H

#include "model/base/diagnostic.h"
#include "model/solve/model.h"
#include "model/spec/platform.h"
#include "point_cache.h"

typedef struct campaign_platform_points campaign_platform_points;

/* An algorithm on a platform. Start from what is given; free with campaign_subject_free(). */
typedef struct campaign_subject {
    const isocast_algorithm *algorithm; /* given, as the next two; must outlive it */
    const isocast_platform *platform;
    const char *name; /* what diagnostics call its machine */
    /* The program of the algorithm, with all that was set; must outlive it. NULL: none is executed,
     * as `not_executed` says; NULL there: there is none. */
    const struct campaign_steps *steps;
    const char *not_executed;
    campaign_platform_points *points;
    isocast_machine *machine;        /* of what is known so far; the next two, too */
    isocast_model *model;            /* of algorithm and machine */
    isocast_diagnostics diagnostics; /* of both */
} campaign_subject;

void campaign_subject_free(campaign_subject *subject);

/* Notes what T of a subject on a system needs: all operations that its algorithm calls, from the
 * smallest message on, in steps that show where T comes from; and once these are known the sizes
 * between them that matter at N (NAN: none yet). Errors: ARGUMENT, which is reported, where the
 * algorithm or the system cannot be simulated in this way; NO_MEMORY. */
isocast_status campaign_subject_need(const campaign_subject *subject, const isocast_system *system,
                                     double N, const double *other_sizes);

/* What learning needs; all of it must outlive the subjects. */
typedef struct campaign_learning {
    const char *quick; /* like the next */
    const char *schedule, *quick_schedule;
    const char *probe; /* like the next four, as in campaign_points_request */
    const char *version;
    const campaign_point_cache *cache;
    const campaign_listener *listener;
    const struct campaign_twin_timings *timings; /* of the platforms' machine; NULL: none */
    double budget;                               /* s, of all subjects together */
    /* Puts into a subject's machine what is not the platform's, as campaign_dresser does. NULL:
     * nothing. */
    isocast_status (*dress)(void *context, const campaign_subject *subject,
                            isocast_machine *machine);
    /* Notes by campaign_subject_need() what the answer needs of each subject.
     * `first`: nothing is known yet, so that no size is either. */
    isocast_status (*need)(void *context, bool first);
    void *context;
} campaign_learning;

/* Asks, simulates what is missing, and asks again, until nothing is. Leaves each subject (shape
 * [count]) with the model that knows all of it. Reports how many simulations it took, and before
 * that how many it will take at least, where there are several subjects. Errors: those of `dress`,
 * `need`, and of the functions of campaign_platform_points; those of isocast_model_create(), with
 * diagnostics in the subject. */
isocast_status campaign_platform_learn(const campaign_learning *learning,
                                       campaign_subject *subjects, size_t count);

#endif
