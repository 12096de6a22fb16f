#include "probe_launch.h"

#include <math.h>

enum { LIST_TIMEOUT = 30 }; /* s */

long campaign_site_processors(const campaign_site *site) {
    return site->processors > 0 ? site->processors : site->node.processors;
}

bool campaign_site_is_oversubscribed(const campaign_site *site, double processes) {
    return processes > (double)campaign_site_processors(site);
}

isocast_status campaign_probe_list(const char *probe, const campaign_listener *listener,
                                   campaign_selection *out) {
    const char *command[] = {probe, "--list", NULL};
    campaign_selection list = {0};
    launcher_request request = {.alone = true,
                                .processes = 1,
                                .command = command,
                                .timeout = LIST_TIMEOUT,
                                .line = campaign_selection_take_line,
                                .context = &list};
    launcher_end end;
    if (launcher_run(&request, &end) != ISOCAST_OK || list.count == 0) {
        return campaign_fail(listener, ISOCAST_PROGRAM, "%s does not list what it can measure\n%s",
                             probe, end.text);
    }
    *out = list;
    return ISOCAST_OK;
}

isocast_status campaign_probe_run(const campaign_site *site, const campaign_launch *launch,
                                  campaign_recorder *recorder) {
    launcher_words words = {0};
    launcher_words_add(&words, site->probe);
    launcher_words_put(&words, "--launch %ld --budget %.3f --seed %ld --planning %.3f",
                       launch->number, launch->seconds, launch->seed, launch->planning);
    launcher_words_option(&words, "--sizes", launch->sizes);
    launcher_words_option(&words, "--problems", launch->problems);
    launcher_words_option(&words, "--planned", launch->planned);
    launcher_words_option(&words, "--plans", launch->plans);
    launcher_words_option(&words, "--weights", launch->weights);
    launcher_words_option(&words, "--suite", launch->suite);
    if (launch->suite != NULL) {
        launcher_words_put(&words, "--suite-seconds %.3f --suite-first %.3f", launch->suite_seconds,
                           launch->suite_first);
    }
    if (campaign_site_is_oversubscribed(site, launch->processes)) {
        launcher_words_add(&words, "--oversubscribed");
    }
    launcher_request request = {.launcher = site->launcher,
                                .processes = (long)launch->processes,
                                .nodes =
                                    (long)ceil(launch->processes / (double)site->node.processors),
                                .command = (const char *const *)words.items,
                                .timeout = 60 + 20 * launch->seconds,
                                .line = campaign_recorder_take_line,
                                .context = recorder};
    launcher_end end;
    campaign_recorder_begin_launch(recorder);
    isocast_status status = words.failed ? ISOCAST_NO_MEMORY : launcher_run(&request, &end);
    launcher_words_free(&words);
    return campaign_probe_end(recorder, status, &end);
}

launcher_request campaign_probe_simulated(const campaign_simulation *simulation, double processes,
                                          const char *const *command, campaign_recorder *recorder) {
    return (launcher_request){.alone = simulation->quick,
                              .launcher = simulation->launcher,
                              .processes = (long)processes,
                              .command = command,
                              .temporary = simulation->folder,
                              .line = campaign_recorder_take_line,
                              .alive = campaign_recorder_report_progress,
                              .context = recorder};
}

isocast_status campaign_probe_end(const campaign_recorder *recorder, isocast_status status,
                                  const launcher_end *end) {
    const char *other_lines = recorder->launch.other_lines;
    if (status == ISOCAST_OK && other_lines[0] != '\0') {
        return campaign_fail(recorder->listener, ISOCAST_PROGRAM,
                             "the probe wrote lines that are not samples:\n%s", other_lines);
    }
    if (status == ISOCAST_PROGRAM && end->cause == LAUNCHER_STOPPED) {
        return recorder->launch.failure;
    }
    return launcher_fail(recorder->listener, "the probe", status, end, other_lines);
}
