#include "campaign.h"

#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "calibrate/campaign/launcher.h"
#include "cli/options/exit.h"
#include "cli/output/progress.h"

static volatile sig_atomic_t came;

static void note(int number) {
    came = number;
}

void cli_interrupts_catch(void) {
    for (size_t i = 0; i < launcher_signal_count; i++) {
        struct sigaction before;
        const struct sigaction action = {.sa_handler = note, .sa_flags = SA_RESTART};
        /* A program run with `nohup` or in the background ignores them, and goes on doing so. */
        if (sigaction(launcher_signals[i], NULL, &before) == 0 && before.sa_handler != SIG_IGN) {
            sigaction(launcher_signals[i], &action, NULL);
        }
    }
}

bool cli_interrupts_came(void) {
    return came != 0;
}

static void report(const campaign_event *event, void *context) {
    cli_campaign *campaign = context;
    if (event->kind == CAMPAIGN_PROGRESS) {
        if (!campaign->quiet && isatty(STDERR_FILENO)) {
            cli_progress_show("%s", event->text);
            campaign->shows_progress = true;
        }
        return;
    }
    if (event->kind == CAMPAIGN_NOTE && campaign->quiet) {
        return;
    }
    cli_campaign_clear(campaign);
    size_t length = strlen(event->text);
    bool ended = length > 0 && event->text[length - 1] == '\n';
    fprintf(stderr, "isocast %s: %s%s", campaign->command, event->text, ended ? "" : "\n");
}

static bool stop(void *context) {
    (void)context;
    return cli_interrupts_came();
}

void cli_campaign_begin(const cli_call *call, cli_campaign *out) {
    *out = (cli_campaign){.command = call->usage->command,
                          .quiet = call->common.quiet,
                          .listener = {.report = report, .stop = stop, .context = out}};
}

void cli_campaign_clear(cli_campaign *campaign) {
    if (campaign->shows_progress) {
        cli_progress_clear();
        campaign->shows_progress = false;
    }
}

int cli_campaign_exit(cli_campaign *campaign, isocast_diagnostics *diagnostics,
                      isocast_status status) {
    cli_campaign_clear(campaign);
    isocast_status reported = cli_diagnostics_report(diagnostics, campaign->quiet, status);
    return reported == ISOCAST_ARGUMENT ? CLI_EXIT_USAGE : cli_exit_of(reported);
}
