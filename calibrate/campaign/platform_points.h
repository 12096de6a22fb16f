/* What a prediction for a platform needs to know: times of operations on the very processes and at
 * the sizes that the answer hangs on, simulated or taken from a cache. Nothing is extrapolated in
 * the number of processes, nothing is fitted: a time between two sizes is on the straight line that
 * the simulation was seen to follow. Solves nothing. */
#ifndef CAMPAIGN_PLATFORM_POINTS_H
#define CAMPAIGN_PLATFORM_POINTS_H

#include "model/base/diagnostic.h"
#include "model/solve/model.h"
#include "model/spec/platform.h"
#include "point_cache.h"

typedef struct campaign_platform_points campaign_platform_points;

/* Puts into a machine that was just read what is not the platform's: values given by hand, and
 * inputs that vary. It must put in the same every time, apart from values. */
typedef struct campaign_dresser {
    isocast_status (*put)(void *context, isocast_machine *machine); /* NULL: nothing */
    void *context;
} campaign_dresser;

/* All must outlive the points. */
typedef struct campaign_points_request {
    const isocast_platform *platform;
    const isocast_algorithm *algorithm;
    const char *probe;   /* the program that is built for the simulator */
    const char *quick;   /* and the one that counts messages without it */
    const char *version; /* of isocast */
    const campaign_point_cache *cache;
    const campaign_listener *listener;
    const struct campaign_twin_timings *timings; /* of the platform's machine; NULL: none */
    double budget;                               /* s that all simulations together may take */
    campaign_dresser dress;
    /* The program of the algorithm, which is executed where the answer needs it (overlap.h), by
     * isocast-schedule for the simulator and without it; NULL: none is (steps_run.h). */
    const struct campaign_steps *steps;
    const char *schedule, *quick_schedule;
    /* Points that were created before, by the same programs: the budget is for both together.
     * NULL: there are none. */
    const campaign_platform_points *like;
} campaign_points_request;

/* Free with campaign_points_free(). Errors: IO where the probe cannot be read, which is told,
 * NO_MEMORY. */
isocast_status campaign_points_create(const campaign_points_request *request,
                                      campaign_platform_points **out);
void campaign_points_free(campaign_platform_points *points);

/* The platform as a machine with what is known so far, and the model of both, which has what the
 * program makes of it as a term: on other systems than those below its operations have no value,
 * and the term is 0. `name` is what diagnostics call it. Errors: those of the dresser, INVALID,
 * NO_MEMORY. */
isocast_status campaign_points_bind(campaign_platform_points *points, const char *name,
                                    isocast_diagnostics *diagnostics, isocast_machine **machine,
                                    isocast_model **model);

/* Forgets what answers before needed of the program. */
void campaign_points_begin(campaign_platform_points *points);

/* Notes what T of the algorithm on a system needs: all operations that it calls, from the smallest
 * message on, in steps that tell where T comes from; and once these are known the sizes between
 * them that matter at N (NAN: none yet). `model`: of the algorithm and the machine above. Errors:
 * ARGUMENT, which is told, where the algorithm or the system cannot be simulated in this way;
 * NO_MEMORY. */
isocast_status campaign_points_need(campaign_platform_points *points, const isocast_model *model,
                                    const isocast_system *system, double N,
                                    const double *other_sizes);

/* Simulates what was noted and is not known, or takes it from the cache. *news: there was some.
 * Errors: those of campaign_simulation_prepare() and campaign_probe_end(); PROGRAM, which is told,
 * where the budget is used up. */
isocast_status campaign_points_simulate(campaign_platform_points *points, bool *news);

/* Executes the program where the answer needs it, ends by `until`, s of campaign_clock(). *news:
 * there was some. Errors: those of campaign_overlap_execute(). */
isocast_status campaign_points_execute(campaign_platform_points *points, const isocast_model *model,
                                       double until, bool *news);

/* Where the program was executed, and where not; NULL: there is none, or memory is short. The
 * caller owns it. */
char *campaign_points_describe(const campaign_platform_points *points);

/* s of campaign_clock() at which the time is over that simulations may take. */
double campaign_points_end(const campaign_platform_points *points);

/* How many simulations what was noted takes, beyond what the cache has. Errors: NO_MEMORY. */
isocast_status campaign_points_missing(campaign_platform_points *points, size_t *launches);

/* Tells which times come from smaller systems than was asked for. */
void campaign_points_tell(const campaign_platform_points *points);

/* Simulations that were started so far, and spans of sizes that came from the cache. */
size_t campaign_points_launches(const campaign_platform_points *points);
size_t campaign_points_cached(const campaign_platform_points *points);

#endif
