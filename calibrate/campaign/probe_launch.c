#include "probe_launch.h"

#include <math.h>

long campaign_site_processors(const campaign_site *site) {
    return site->processors > 0 ? site->processors : site->node.processors;
}

bool campaign_site_is_oversubscribed(const campaign_site *site, double processes) {
    return processes > (double)campaign_site_processors(site);
}

isocast_status campaign_probe_list(const char *probe, const campaign_listener *listener,
                                   campaign_selection *out) {
    campaign_selection list = {0};
    launcher_end end;
    if (launcher_ask(probe, "--list", campaign_selection_take_line, &list, &end) != ISOCAST_OK ||
        list.count == 0) {
        return campaign_fail(listener, ISOCAST_PROGRAM, "%s does not list what it can measure\n%s",
                             probe, end.text);
    }
    *out = list;
    return ISOCAST_OK;
}

isocast_status campaign_probe_run(const campaign_site *site, const launcher_words *words,
                                  double processes, double seconds, campaign_recorder *recorder) {
    launcher_request request = {.launcher = site->launcher,
                                .processes = (long)processes,
                                .nodes = (long)ceil(processes / (double)site->node.processors),
                                .command = (const char *const *)words->items,
                                .timeout = 60 + 20 * seconds,
                                .line = campaign_recorder_take_line,
                                .context = recorder};
    launcher_end end;
    campaign_recorder_begin_launch(recorder);
    isocast_status status = words->failed ? ISOCAST_NO_MEMORY : launcher_run(&request, &end);
    return campaign_probe_end(recorder, status, &end);
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
