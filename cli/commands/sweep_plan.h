/* What a sweep is asked on the command line, read into a sweep of the library. Computes nothing. */
#ifndef CLI_SWEEP_PLAN_H
#define CLI_SWEEP_PLAN_H

#include "cli/options/load.h"
#include "cli/options/prediction_options.h"
#include "model/sweep/sweep.h"
#include "platform_session.h"

/* What sweep does with --platform: a platform for each set of values that its numbers take, and
 * what each of them has to know for the rows. */

/* One platform. */
typedef struct sweep_variant {
    double *values; /* [axis_count], as in isocast_sweep_variant */
    isocast_platform *platform;
    cli_prediction_options question; /* its systems; of the first one everything */
} sweep_variant;

/* Start from what is given; free with sweep_platforms_free(). */
typedef struct sweep_platforms {
    const cli_usage *usage; /* given, like the next four */
    const cli_platform_texts *options;
    const cli_settings *settings;
    cli_loaded *loaded;
    isocast_design *design;
    sweep_variant *items;            /* [count] */
    campaign_subject *subjects;      /* [count] */
    isocast_sweep_variant *variants; /* [count] */
    size_t count;
    const double *row; /* [axis_count], what varies in the row whose needs are noted; NULL: none */
} sweep_platforms;

/* The options as given; start from {.prediction = ...}. */
typedef struct sweep_texts {
    cli_list vary;
    const char *design; /* NULL: a grid */
    long seed;
    cli_prediction_texts prediction;
    cli_platform_texts platform;
} sweep_texts;

/* Start from {0}. */
typedef struct sweep_plan {
    cli_loaded loaded;
    isocast_design design;
    cli_prediction_options question; /* the first target or size, and the systems */
    double *targets;                 /* [target_count], of what is held, or N */
    size_t target_count;
    isocast_sweep *sweep;
    sweep_platforms platforms; /* none where a machine is given */
    char *text;                /* the command line without what does not change the rows */
} sweep_plan;

/* Loads what the positional arguments name and plans the sweep; on a platform, simulates what the
 * rows need. Reports on stderr what is wrong;
 * gives an exit status. Free it in either case. */
int sweep_plan_read(const cli_call *call, const sweep_texts *texts, sweep_plan *out);
void sweep_plan_free(sweep_plan *plan);

#endif
