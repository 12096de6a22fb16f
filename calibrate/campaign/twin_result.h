/* What a twin of a machine is made for, what came out, and its platform file. */
#ifndef CAMPAIGN_TWIN_RESULT_H
#define CAMPAIGN_TWIN_RESULT_H

#include "calibrate/fit/fit_network.h"
#include "model/base/buffer.h"
#include "point_cache.h"
#include "twin_plan.h"

/* All must outlive the call. */
typedef struct campaign_twin_request {
    const isocast_machine *machine;
    const campaign_twin_timings *timings;
    const char *probe;   /* the program that is built for the simulator */
    const char *version; /* of isocast */
    const char *command; /* the command line, for the file */
    const char *source;  /* the machine file's path, likewise */
    const char *name;    /* of the platform */
    const campaign_point_cache *cache;
    const campaign_listener *listener;
    double budget; /* s that all simulations together may take */
    double nodes;  /* of each class that the platform has */
} campaign_twin_request;

/* What came out of one operation: medians of relative errors; NAN where there are none. */
typedef struct campaign_twin_row {
    size_t operation;   /* among the known ones */
    size_t points;      /* that it was fitted to, or compared with */
    double before;      /* with messages alone fitted */
    double after;       /* with all fitted */
    size_t held_points; /* on more processes than anything was fitted to */
    double held_p;      /* the most of these */
    double twin;        /* error of the twin there */
    double formulas;    /* error there of formulas that were fitted to the others */
} campaign_twin_row;

/* Start from {0}. */
typedef struct campaign_twin {
    fit_network network;
    fit_network_scales scales;
    isocast_collectives collectives;
    campaign_twin_row rows[ISOCAST_KNOWN_OPERATIONS]; /* [row_count]; messages first */
    size_t row_count;
    campaign_twin_row all; /* of all collectives together; operation is not set */
    bool spans_nodes;      /* something that was fitted passes between nodes */
    bool searched;         /* collectives were fitted */
    bool ended_early;      /* the budget ended the search */
    bool held_simulated;   /* the most processes were simulated within the budget */
    size_t evaluations;    /* sets of parameters that were tried */
    size_t launches, cached;
    isocast_buffer text; /* the platform file */
} campaign_twin;

/* Appends the file. `about`: what the twin was found to be worth, as a comment; NULL: none. */
void twin_text_write(const campaign_twin_request *request, const isocast_network *network,
                     const campaign_twin *about, isocast_buffer *out);

#endif
