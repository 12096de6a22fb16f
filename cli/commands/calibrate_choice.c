#include "calibrate_choice.h"

#include <stdlib.h>
#include <string.h>

#include "cli/options/exit.h"
#include "model/base/nearest.h"

int cli_choice_by_names(const cli_usage *usage, const char *text, campaign_selection *selection) {
    isocast_span unknown;
    if (campaign_selection_want_list(selection, text, &unknown) == ISOCAST_OK) {
        return CLI_EXIT_OK;
    }
    if (text[0] == '\0') {
        return cli_usage_error(usage, "--operations is an empty list; name what to measure");
    }
    size_t count = selection->count;
    const char **names = calloc(count + 2, sizeof *names);
    char *word = strndup(text + unknown.begin, unknown.end - unknown.begin);
    isocast_buffer hint = {0};
    if (names != NULL && word != NULL) {
        for (size_t i = 0; i < count; i++) {
            names[i] = selection->items[i].name;
        }
        names[count] = "usual";
        names[count + 1] = "all";
        isocast_nearest_hint(&hint, word, names, count + 2,
                             "besides the groups usual and all there are");
    }
    bool failed = names == NULL || word == NULL || hint.failed;
    int status = failed ? cli_exit_of(ISOCAST_NO_MEMORY)
                        : cli_usage_error(usage, "--operations: '%s' cannot be measured; %s", word,
                                          hint.text);
    isocast_buffer_free(&hint);
    free(word);
    free(names);
    return status;
}

void cli_choice_tell_kernel(const campaign_selection *selection, const isocast_algorithm *algorithm,
                            const campaign_listener *listener) {
    if (algorithm->kernel != NULL && !campaign_selection_has(selection, algorithm->kernel)) {
        campaign_tell(listener, CAMPAIGN_WARNING,
                      "the machine file gets no time per flop for kernel '%s' of %s, which is none "
                      "of isocast's kernels: --command './PROGRAM {N}' measures it from your "
                      "program",
                      algorithm->kernel, algorithm->name);
    }
}

void cli_choice_tell_unmeasured(const campaign_selection *selection,
                                const isocast_algorithm *algorithm, const fit *f,
                                const campaign_listener *listener) {
    isocast_buffer names = {0};
    for (size_t i = 0; i < selection->count; i++) {
        const campaign_measurable *item = &selection->items[i];
        bool found = !item->wanted || campaign_measurable_is_kernel(item);
        for (size_t k = 0; k < f->operation_count && !found; k++) {
            found = strcmp(f->operations[k].name, item->name) == 0;
        }
        if (!found) {
            isocast_buffer_printf(&names, "%s%s", names.length > 0 ? ", " : "", item->name);
        }
    }
    if (names.length > 0 && !names.failed) {
        campaign_tell(listener, CAMPAIGN_WARNING,
                      "%s called by %s could not be measured: give more --budget, or more "
                      "processes where there was one",
                      names.text, algorithm->name);
    }
    isocast_buffer_free(&names);
}
