/* What isocast calibrate measures, by --operations, and what it says of the algorithm of --for
 * where the machine file will lack something that it calls. */
#ifndef CLI_CALIBRATE_CHOICE_H
#define CLI_CALIBRATE_CHOICE_H

#include "calibrate/campaign/event.h"
#include "calibrate/campaign/selection.h"
#include "calibrate/fit/fit_result.h"
#include "cli/options/options.h"

/* Wants what the list of --operations names. Gives an exit status; tells on stderr. */
int cli_choice_by_names(const cli_usage *usage, const char *text, campaign_selection *selection);

/* Warns where the algorithm's kernel is none that the probe measures: computing then takes W/C,
 * which nobody would see from the file. */
void cli_choice_tell_kernel(const campaign_selection *selection, const isocast_algorithm *algorithm,
                            const campaign_listener *listener);

/* Warns of operations that were wanted for the algorithm and that the fit has not. */
void cli_choice_tell_unmeasured(const campaign_selection *selection,
                                const isocast_algorithm *algorithm, const fit *f,
                                const campaign_listener *listener);

#endif
