#include "simulated.h"

#include <stdio.h>

#include "cli/options/exit.h"
#include "cli/options/locate.h"

int cli_simulated_program(const cli_usage *usage, const char *name, char **out) {
    *out = cli_locate_program(name);
    if (*out == NULL) {
        return cli_locate_fail(usage->command,
                               "%s is not there: isocast was built without SimGrid (package "
                               "libsimgrid-dev)",
                               name);
    }
    return CLI_EXIT_OK;
}

bool cli_cache_given(const char *folder, bool none) {
    return folder != NULL || none;
}

int cli_cache_check(const cli_usage *usage, const char *folder, bool none) {
    if (folder != NULL && none) {
        return cli_usage_error(usage, "--cache and --no-cache exclude each other");
    }
    return folder == NULL || folder[0] != '\0'
               ? CLI_EXIT_OK
               : cli_usage_error(usage, "--cache needs the name of a folder");
}

void cli_cache_open(const char *folder, bool none, const campaign_listener *listener,
                    campaign_point_cache *out) {
    if (!none) {
        campaign_point_cache_open(folder, listener, out);
    }
}
