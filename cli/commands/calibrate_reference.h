/* The part of isocast calibrate that measures R_f of processor sets: --reference and --ratio. */
#ifndef CLI_CALIBRATE_REFERENCE_H
#define CLI_CALIBRATE_REFERENCE_H

#include "calibrate/campaign/reference.h"
#include "cli/options/options.h"

/* Start from {0}. */
typedef struct cli_reference {
    const char *text;         /* of --reference; NULL: no R_f is measured */
    double ratio;             /* flop/B of --ratio; 0: CAMPAIGN_REFERENCE_RATIO */
    isocast_machine *node;    /* what sets of this machine are read against; NULL in a simulation */
    isocast_system **systems; /* [system_count], all that were read */
    size_t system_count;
    isocast_system **sets; /* [count], each set once, of `systems` */
    size_t count;
    isocast_buffer section; /* of the machine file */
} cli_reference;

/* Reads the sets, and adds one processor where it is missing, as R_f compares with that. hardware:
 * of the platform; NULL: this machine, as `site` tells it. Tells what is wrong; gives an exit
 * status. */
int cli_reference_read(const cli_usage *usage, const campaign_site *site,
                       const isocast_machine *hardware, bool oversubscribe, cli_reference *out);

/* Measures the sets into the section, where there are any. Errors as of
 * campaign_reference_measure(). */
isocast_status cli_reference_measure(const campaign_site *site, campaign_simulation *simulation,
                                     const campaign_listener *listener, cli_reference *reference);

/* Appends the section to the text of a machine file, where the sets are systems of it; else warns.
 * Errors: NO_MEMORY. */
isocast_status cli_reference_append(const cli_reference *reference,
                                    const campaign_listener *listener, isocast_buffer *text);

void cli_reference_free(cli_reference *reference);

#endif
