/* Simulations of what the curves of a platform want and do not know: from the cache, or by launches
 * of the probe, of which several run at once. Decides nothing of what is wanted. */
#ifndef CAMPAIGN_PLATFORM_LAUNCHES_H
#define CAMPAIGN_PLATFORM_LAUNCHES_H

#include <sha256.h>

#include "platform_curves.h"

enum { CAMPAIGN_SIMULATOR_MAX = 128 };

/* Start from the first five, and the next four where they are not 0; all must outlive it. */
typedef struct campaign_launches {
    const char *probe; /* the program that is built for the simulator */
    const campaign_point_cache *cache;
    const campaign_listener *listener;
    double budget; /* s that all simulations together may take */
    campaign_places *places;
    bool quick;   /* the probe counts messages on links, without the simulator */
    long roots;   /* that rounds of broadcasts start from, all over the system; 0: as usual */
    bool partial; /* sizes are of use without the others of their operation */
    double until; /* s of campaign_clock(): what is not done then is left; 0: it is a problem */
    char probe_sha256[SHA256_DIGEST_STRING_LENGTH];
    char simulator[CAMPAIGN_SIMULATOR_MAX]; /* what it says of its version; "" where it says nothing
                                             */
    double started;                         /* s of campaign_clock() */
    size_t count, cached; /* launches that were started, and spans of sizes from the cache */
} campaign_launches;

/* Notes by which programs the times come about. Errors: IO where the probe cannot be read, which is
 * reported. */
isocast_status campaign_launches_begin(campaign_launches *launches);
/* Takes that from launches that began before: the budget is for both together. */
void campaign_launches_begin_like(campaign_launches *launches, const campaign_launches *like);

/* Begins the key of times in the cache: by which programs they come about. `version`: of isocast.
 */
void campaign_launches_put_origin(const campaign_launches *launches, const char *version,
                                  isocast_buffer *key);

/* What is to be simulated: sizes of an operation from one to another, or one alone. */
typedef struct campaign_span {
    campaign_place *place;
    size_t operation;
    size_t cell;     /* index of the first size of all that is not above them */
    bool single;     /* a size between those of all, or beyond them */
    double from, to; /* B; the same: this size alone */
    campaign_size_times found;
    bool done;
    isocast_buffer key; /* of the cache */
} campaign_span;

/* Start from {0}. */
typedef struct campaign_spans {
    campaign_span *items; /* [count] */
    size_t count, room;
    bool failed; /* memory was short */
} campaign_spans;

void campaign_spans_add(campaign_spans *spans, campaign_span span);
void campaign_spans_free(campaign_spans *spans);

/* Fills in `found` and `done` of the spans, which follow each other place by place. Errors: those
 * of campaign_launches_run(), and NO_MEMORY where adding failed. */
isocast_status campaign_spans_simulate(campaign_launches *launches, campaign_spans *spans);

/* How many launches what is wanted takes, beyond what is in the cache. Errors: NO_MEMORY. */
isocast_status campaign_launches_missing(campaign_launches *launches, size_t *out);

/* Simulates what is wanted and not known, or takes it from the cache. *news: there was some.
 * Errors: those of campaign_simulation_prepare() and campaign_probe_end(); PROGRAM, which is
 * reported, where the budget is used up. */
isocast_status campaign_launches_run(campaign_launches *launches, bool *news);

#endif
