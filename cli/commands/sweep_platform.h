/* What sweep does with --platform: a platform for each set of values that its numbers take, and
 * what each of them has to know for the rows. */
#ifndef CLI_SWEEP_PLATFORM_H
#define CLI_SWEEP_PLATFORM_H

#include "cli/options/prediction_options.h"
#include "model/sweep/sweep.h"
#include "platform_session.h"

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

/* Makes the platforms that the design takes. Gives an exit status, and tells why it is none. */
int sweep_platforms_create(sweep_platforms *platforms);
void sweep_platforms_free(sweep_platforms *platforms);

/* What learning calls for each machine: puts in what is set by hand, and opens what varies. */
isocast_status sweep_platforms_dress(sweep_platforms *platforms, isocast_machine *machine,
                                     isocast_diagnostics *diagnostics);

/* The models as they are, for a sweep: *out, shape [count], stays until the next call. */
void sweep_platforms_variants(sweep_platforms *platforms, const isocast_sweep_variant **out);

/* Notes what all systems call, at the values of the design's first point. */
isocast_status sweep_platforms_need_systems(sweep_platforms *platforms, const double *other_sizes);

/* Notes what the rows of a sweep of these variants need, of very many a part. */
isocast_status sweep_platforms_need_rows(sweep_platforms *platforms, const isocast_sweep *sweep);

#endif
