#include "joint.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/options/exit.h"
#include "model/spec/requirement.h"

/* Opens the names of the list, or what the file leaves to runs. */
static int open_names(const cli_joint_request *r, cli_loaded *loaded) {
    isocast_diagnostics diagnostics = {0};
    isocast_source *source = NULL;
    isocast_status status = ISOCAST_OK;
    for (size_t i = 0; r->names == NULL && i < loaded->algorithm->requirement_count; i++) {
        isocast_requirement *requirement = &loaded->algorithm->requirements[i];
        requirement->open = requirement->fitted;
    }
    if (r->names != NULL) {
        status = isocast_source_create("--fit", r->names, strlen(r->names), &source);
    }
    for (size_t at = 0; source != NULL && status == ISOCAST_OK && at <= source->length;) {
        size_t length = strcspn(r->names + at, ",");
        isocast_reader reader = {source, &diagnostics, ISOCAST_OK};
        char *name = strndup(r->names + at, length);
        if (name == NULL) {
            status = ISOCAST_NO_MEMORY;
            break;
        }
        cli_warn_of_replaced_times("--fit", name, loaded->algorithm, loaded->machine, &diagnostics);
        free(name);
        status = isocast_requirement_open(&reader, (isocast_span){at, at + length},
                                          loaded->algorithm, loaded->machine);
        at += length + 1;
    }
    isocast_source_free(source);
    int exit =
        r->quiet && status == ISOCAST_OK ? CLI_EXIT_OK : cli_exit_with_text(&diagnostics, status);
    isocast_diagnostics_clear(&diagnostics);
    return exit;
}

static int refuse(const cli_joint_request *r, const char *name, const char *why) {
    fprintf(stderr, "isocast %s: %s%s%s\n", r->usage->command, name, name[0] != '\0' ? ": " : "",
            why);
    return CLI_EXIT_NO_SOLUTION;
}

/* Whether there was anything to fit to, and a fit. */
static int check(const cli_joint_request *r, const isocast_joint_fit *fit) {
    if (fit->sizes == 0) {
        return cli_usage_error(r->usage,
                               "--fit-to %.6g: no run that counts is on so few processes; the "
                               "fewest are %.6g",
                               r->p_most, fit->p_least);
    }
    if (!isnan(r->p_most) && fit->left == 0) {
        return cli_usage_error(r->usage,
                               "--fit-to %.6g: no run is on more processes, so none is left to "
                               "compare",
                               r->p_most);
    }
    return fit->failure != NULL ? refuse(r, "", fit->failure) : CLI_EXIT_OK;
}

/* The values are reported as those of --set. */
static int report_values(const isocast_joint_fit *fit, cli_loaded *loaded) {
    isocast_setting *all =
        realloc(loaded->settings, (loaded->setting_count + fit->count) * sizeof *all);
    if (all == NULL) {
        return cli_exit_of(ISOCAST_NO_MEMORY);
    }
    loaded->settings = all;
    for (size_t i = 0; i < fit->count; i++) {
        const isocast_fitted_number *number = &fit->numbers[i];
        char *name = number->status == ISOCAST_FITTED_SILENT ? NULL : strdup(number->name);
        if (name != NULL) {
            all[loaded->setting_count++] =
                (isocast_setting){name, number->value, number->dimension};
        } else if (number->status != ISOCAST_FITTED_SILENT) {
            return cli_exit_of(ISOCAST_NO_MEMORY);
        }
    }
    return CLI_EXIT_OK;
}

static int make_text(const cli_loaded *loaded, const isocast_joint_fit *fit, isocast_buffer *out) {
    isocast_buffer text = {0};
    isocast_buffer comment = {0};
    isocast_buffer_printf(&comment,
                          "Numbers with fit: true were fitted to T of %zu %s on up to %.6g "
                          "processes of '%s'.",
                          fit->sizes, fit->sizes == 1 ? "size" : "sizes", fit->p,
                          loaded->machine->name);
    isocast_status status =
        comment.failed ? ISOCAST_NO_MEMORY
                       : isocast_algorithm_fitted_text(loaded->algorithm, comment.text, &text);
    isocast_buffer_free(&comment);
    if (status != ISOCAST_OK) {
        isocast_buffer_free(&text);
        return cli_exit_of(status);
    }
    *out = text;
    return CLI_EXIT_OK;
}

static int fit_loaded(const cli_joint_request *r, cli_loaded *loaded, isocast_joint_fit **out,
                      isocast_buffer *text) {
    int status = open_names(r, loaded);
    if (status != CLI_EXIT_OK) {
        return status;
    }
    isocast_diagnostics diagnostics = {0};
    isocast_joint_fit *fit = NULL;
    isocast_status result = isocast_joint_fit_make(loaded->algorithm, loaded->machine, r->runs,
                                                   r->rows, r->p_most, &diagnostics, &fit);
    status = cli_exit_with(&diagnostics, r->quiet, result);
    if (status != CLI_EXIT_OK) {
        return status;
    }
    status = check(r, fit);
    CLI_THEN(status, report_values(fit, loaded));
    CLI_THEN(status, cli_load_bind(loaded, true));
    CLI_THEN(status, make_text(loaded, fit, text));
    if (status != CLI_EXIT_OK) {
        isocast_joint_fit_free(fit);
        return status;
    }
    *out = fit;
    return CLI_EXIT_OK;
}

int cli_joint_load(const cli_joint_request *request, cli_loaded *loaded, isocast_joint_fit **fit,
                   isocast_buffer *text) {
    cli_loaded own = {0};
    if (strcmp(request->algorithm, "-") == 0 && strcmp(request->machine, "-") == 0) {
        return cli_usage_error(request->usage, "only one of the files can be standard input");
    }
    int status = cli_load_apart_set(request->algorithm, request->machine, request->settings,
                                    request->quiet, &own);
    if (status != CLI_EXIT_OK) {
        return status;
    }
    status = fit_loaded(request, &own, fit, text);
    if (status != CLI_EXIT_OK) {
        cli_loaded_free(&own);
        return status;
    }
    *loaded = own;
    return CLI_EXIT_OK;
}
