/* What the commands that measure have in common: what a campaign states goes to standard error,
 * what its statuses mean becomes exit statuses, and signals ask it to stop. */
#ifndef CLI_CAMPAIGN_H
#define CLI_CAMPAIGN_H

#include <stdbool.h>

#include "calibrate/campaign/event.h"
#include "cli/options/options.h"
#include "model/base/diagnostic.h"

/* The signals that end a run (launcher.h), between programs that are run: noted, so that what was
 * measured is kept. While one runs the launcher catches them. */

/* From here on the signals no longer end this process. Those that were ignored stay so. */
void cli_interrupts_catch(void);

/* Whether one came since. */
bool cli_interrupts_came(void);

/* One command's talk with its campaign. */
typedef struct cli_campaign {
    const char *command; /* "measure" */
    bool quiet;          /* no notes, no progress */
    bool shows_progress; /* a line of progress is on the terminal */
    campaign_listener listener;
} cli_campaign;

/* Makes out->listener one that states on standard error, on a terminal with progress unless quiet;
 * it points to *out. */
void cli_campaign_begin(const cli_call *call, cli_campaign *out);

/* Takes the line of progress away. */
void cli_campaign_clear(cli_campaign *campaign);

/* The exit status for what a function of the campaign came back with; states the diagnostics and
 * empties them. The listener has heard the rest. ARGUMENT is CLI_EXIT_USAGE. */
int cli_campaign_exit(cli_campaign *campaign, isocast_diagnostics *diagnostics,
                      isocast_status status);

#endif
