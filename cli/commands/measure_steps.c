#include "measure_steps.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/options/locate.h"
#include "model/base/text.h"
#include "model/spec/algorithm_load.h"

bool cli_steps_named(const char *text) {
    if (strchr(text, '/') != NULL || isocast_text_ends(text, ".yaml")) {
        return true;
    }
    isocast_buffer kinds = {0};
    bool named = cli_locate_kinds(text, &kinds) && kinds.text != NULL &&
                 strstr(kinds.text, "algorithm") != NULL;
    isocast_buffer_free(&kinds);
    return named;
}

/* Sets what the algorithm knows, and leaves the rest in the list. */
static isocast_status set_values(cli_list *settings, const char **size,
                                 isocast_algorithm *algorithm, isocast_diagnostics *diagnostics,
                                 campaign_steps *steps) {
    isocast_status status = ISOCAST_OK;
    size_t kept = 0;
    for (size_t i = 0; i < settings->count; i++) {
        const char *text = settings->items[i];
        char *name = strndup(text, strcspn(text, "="));
        isocast_setting set = {0};
        if (name == NULL) {
            return ISOCAST_NO_MEMORY;
        }
        if (size != NULL && text[strlen(name)] == '=' &&
            strcmp(name, algorithm->sizes[0].name) == 0) {
            *size = text;
        } else if (isocast_setting_kind_of(name, algorithm, NULL) != ISOCAST_SETTING_ALGORITHM) {
            settings->items[kept++] = text;
        } else if (status == ISOCAST_OK) {
            status = isocast_setting_apply("--set", text, algorithm, NULL, diagnostics, &set);
            if (status == ISOCAST_OK && !campaign_steps_set(steps, &set)) {
                status = ISOCAST_NO_MEMORY;
            }
        }
        free(set.name);
        free(name);
    }
    settings->count = kept;
    return status;
}

int cli_steps_load(const cli_usage *usage, const char *name, cli_list *settings, const char **size,
                   bool quiet, cli_loaded *out, campaign_steps *steps) {
    int located = cli_locate_spec(CLI_SPEC_ALGORITHM, name, &out->algorithm_path);
    if (located != CLI_EXIT_OK) {
        return located;
    }
    isocast_diagnostics diagnostics = {0};
    isocast_status status =
        isocast_algorithm_load(out->algorithm_path, &diagnostics, &out->algorithm);
    status = cli_diagnostics_tell(&diagnostics, quiet, status);
    if (status != ISOCAST_OK || out->algorithm->program == NULL) {
        return cli_exit_of(status);
    }
    isocast_algorithm *algorithm = out->algorithm;
    isocast_buffer why = {0};
    int found = campaign_steps_locate(out->algorithm_path, steps, &why)
                    ? CLI_EXIT_OK
                    : cli_usage_error(usage, "%s", why.text != NULL ? why.text : "out of memory");
    isocast_buffer_free(&why);
    if (found != CLI_EXIT_OK) {
        return found;
    }
    status = set_values(settings, size, algorithm, &diagnostics, steps);
    status = cli_diagnostics_tell(&diagnostics, quiet, status);
    if (status != ISOCAST_OK) {
        return status == ISOCAST_INVALID ? CLI_EXIT_USAGE : cli_exit_of(status);
    }
    if (algorithm->size_count > 1) {
        const isocast_size *further = &algorithm->sizes[1];
        return cli_usage_error(usage, "%s also needs %s%s%s%s: --set %s=NUMBER", algorithm->name,
                               further->name, further->description != NULL ? " (" : "",
                               further->description != NULL ? further->description : "",
                               further->description != NULL ? ")" : "", further->name);
    }
    steps->algorithm = algorithm;
    return CLI_EXIT_OK;
}

campaign_kernel cli_steps_kernel(const isocast_algorithm *algorithm) {
    campaign_kernel made;
    snprintf(made.name, sizeof made.name, "%s",
             algorithm->kernel != NULL ? algorithm->kernel : algorithm->name);
    snprintf(made.algorithm, sizeof made.algorithm, "%s", algorithm->name);
    return made;
}
