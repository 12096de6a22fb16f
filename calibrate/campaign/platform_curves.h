/* What simulations speak of a platform's operations: times over sizes, for each system, and the
 * text of a machine file that they make. Simulates nothing. */
#ifndef CAMPAIGN_PLATFORM_CURVES_H
#define CAMPAIGN_PLATFORM_CURVES_H

#include "model/base/known_operation.h"
#include "model/spec/platform.h"
#include "model/spec/system.h"
#include "point_cache.h"

enum { CAMPAIGN_GRID_MAX = 14, CAMPAIGN_CURVE_NAME_MAX = 192 };

/* One operation on one system. */
typedef struct campaign_curve {
    bool wanted;                      /* T needs it */
    bool known;                       /* it was simulated; without rows it does not apply */
    bool elsewhere;                   /* its times come from smaller systems (platform_ladder.h) */
    bool left;                        /* there was no time for all of it */
    bool skipped[CAMPAIGN_GRID_MAX];  /* [k] this size is not wanted */
    bool matters[CAMPAIGN_GRID_MAX];  /* [k] the answer depends on the time at this size, */
    bool raised[CAMPAIGN_GRID_MAX];   /* and more time was spent on it */
    double error;                     /* of times from elsewhere, relative */
    size_t source[CAMPAIGN_GRID_MAX]; /* [k] where the ladder finds what is between k and k + 1 */
    /* What timings say of it (platform_timings.h): rising in m, what times are multiplied by there;
     * none: nothing. */
    campaign_size_times factors;
    double corrected_by;       /* nodes that these timings are of */
    double misfit;             /* standard error of ln time that they leave */
    double simulated, counted; /* processes that these were simulated, and counted, on at most */
    campaign_size_times grid;  /* at the sizes of all; one row where it has no size */
    campaign_size_times cells[CAMPAIGN_GRID_MAX]; /* [k] between the sizes k and k + 1 */
    bool cell_wanted[CAMPAIGN_GRID_MAX];
    bool cell_known[CAMPAIGN_GRID_MAX];
    /* [k] single sizes between k and k + 1, or beyond the last, rising: those that calls have. */
    campaign_size_times points[CAMPAIGN_GRID_MAX];
    campaign_size_times points_wanted[CAMPAIGN_GRID_MAX]; /* without a time yet */
} campaign_curve;

/* A system whose operations are simulated, or the parts of one whose operations are simulated on
 * all parts at once. */
typedef struct campaign_place {
    isocast_system *system; /* of the platform */
    bool part;              /* of the system's processes, else all of them */
    double processes;       /* of the system, or of a part, as formulas say */
    double share;           /* of them on a node, as formulas say; 1/4: every fourth node has one */
    bool executed;          /* T there is that of the program: errors of these times do not count */
    campaign_curve curves[ISOCAST_KNOWN_OPERATIONS];
} campaign_place;

/* All systems of a platform that were asked for. */
typedef struct campaign_places {
    const isocast_platform *platform;
    const char *version;   /* of isocast */
    bool any_size;         /* also messages that MPI cannot count for all processes together */
    size_t grid;           /* sizes that every operation is simulated at */
    campaign_place *items; /* [count] */
    size_t count, room;
} campaign_places;

/* Start from {.platform, .version}. */
void campaign_places_begin(campaign_places *places);
void campaign_places_free(campaign_places *places);

/* The index of a system's place, which is added where it is new. Errors: ARGUMENT, which is
 * reported, where formulas cannot distinguish it from another one; NO_MEMORY. */
isocast_status campaign_places_find(campaign_places *places, const isocast_system *system,
                                    const char *kernel, const campaign_listener *listener,
                                    size_t *out);

/* The parts of a place's system that formulas call an operation on, by numbers that isocast_called
 * gives (model/solve/model.h). Adding one moves the places. Errors: those above. */
isocast_status campaign_places_find_part(campaign_places *places, size_t whole, const char *kernel,
                                         double processes, double share,
                                         const campaign_listener *listener, size_t *out);

/* Whether both are on the same system. */
bool campaign_place_is_beside(const campaign_place *a, const campaign_place *b);

/* Processes that an operation is simulated on. */
double campaign_place_processes(const campaign_place *at);

/* From one process of a part to the next one, in ranks: as far as nodes are apart that have the
 * share; 1 where a node has the whole part. */
double campaign_place_stride(const campaign_place *at);

bool campaign_operation_is_sized(const isocast_known_operation *known);

/* Whether a message, or a block, of so many bytes can be simulated on p processes: MPI counts what
 * a process has for all others in an int. */
bool campaign_operation_can_be_of(const isocast_known_operation *known, double size, double p);

/* The k-th size, B; of a message, or of a block where there are such. */
double campaign_grid_size(size_t k);

/* "T_bcast_p64_nodes16_4": of one place; "T_bcast_p64_nodes16_4_parts8_2": of parts of 8, to which
 * every second process belongs. out: [CAMPAIGN_CURVE_NAME_MAX]. */
void campaign_curve_name(const isocast_known_operation *known, const campaign_place *at, char *out);

/* The rows that a place's own machine file has of an operation: the sizes of all and the single
 * ones between them, rising, and the end of the straight line; `details`: also what was looked for
 * between the sizes. Free with campaign_size_times_free(). Errors: NO_MEMORY. */
isocast_status campaign_curve_rows(const campaign_curve *c, bool details, campaign_size_times *out);

/* The same as if there were no timings. */
isocast_status campaign_curve_plain_rows(const campaign_curve *c, bool details,
                                         campaign_size_times *out);

/* The machine file. `only`: of the places on this one's system, whose sizes are parameters; NULL:
 * of all places, whose levels are. On other systems an operation has no value. */
void campaign_places_write(const campaign_places *places, const campaign_place *only,
                           isocast_buffer *out);

#endif
