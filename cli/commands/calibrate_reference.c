#include "calibrate_reference.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "calibrate/campaign/kernel_run.h"
#include "cli/options/exit.h"
#include "cli/options/system_size.h"
#include "model/spec/machine_load.h"

/* Launches of each set: enough to tell a spread. */
enum { LAUNCHES = 5 };

/* Nodes as this one, as many as the launcher's processors need. */
static isocast_status describe_site(const campaign_site *site, isocast_diagnostics *diagnostics,
                                    isocast_machine **out) {
    isocast_buffer text = {0};
    isocast_buffer_printf(
        &text, "machine: here\nnodes: {node: {count: %.0f, processors: %ld, marked_speed: 1}}\n",
        ceil((double)campaign_site_processors(site) / (double)site->node.processors),
        site->node.processors);
    isocast_status status = text.failed ? ISOCAST_NO_MEMORY
                                        : isocast_machine_read_text("this machine", text.text,
                                                                    text.length, diagnostics, out);
    isocast_buffer_free(&text);
    return status;
}

static bool has_one(const cli_reference *r, size_t class) {
    for (size_t i = 0; i < r->system_count; i++) {
        if (r->systems[i]->p == 1 && r->systems[i]->classes[0] == class) {
            return true;
        }
    }
    return false;
}

/* The list, with one processor of each class that process 0 is on. */
static void complete_list(const isocast_machine *machine, const cli_reference *r,
                          isocast_buffer *out) {
    for (size_t class = 0; class < machine->class_count; class ++) {
        bool used = false;
        for (size_t i = 0; i < r->system_count; i++) {
            used = used || r->systems[i]->classes[0] == class;
        }
        if (used && !has_one(r, class) && machine->class_count == 1) {
            isocast_buffer_puts(out, "1x1,");
        } else if (used && !has_one(r, class)) {
            isocast_buffer_printf(out, "%s:1,", machine->classes[class].name);
        }
    }
    isocast_buffer_puts(out, r->text);
}

static isocast_status read_list(const isocast_machine *machine, isocast_diagnostics *diagnostics,
                                cli_reference *r) {
    isocast_status status = isocast_systems_parse(machine, NULL, "--reference", r->text,
                                                  diagnostics, &r->systems, &r->system_count);
    if (status != ISOCAST_OK) {
        return status;
    }
    isocast_buffer whole = {0};
    complete_list(machine, r, &whole);
    isocast_systems_free(r->systems, r->system_count);
    r->systems = NULL;
    r->system_count = 0;
    status = whole.failed ? ISOCAST_NO_MEMORY
                          : isocast_systems_parse(machine, NULL, "--reference", whole.text,
                                                  diagnostics, &r->systems, &r->system_count);
    isocast_buffer_free(&whole);
    return status;
}

/* A set that is written in two ways is one. */
static isocast_status keep_each_once(const isocast_machine *machine, cli_reference *r) {
    char **placements = calloc(r->system_count + 1, sizeof *placements);
    r->sets = calloc(r->system_count + 1, sizeof(isocast_system *));
    isocast_status status = placements == NULL || r->sets == NULL ? ISOCAST_NO_MEMORY : ISOCAST_OK;
    for (size_t i = 0; status == ISOCAST_OK && i < r->system_count; i++) {
        placements[i] = isocast_system_placement(machine, r->systems[i]);
        bool known = placements[i] == NULL;
        status = known ? ISOCAST_NO_MEMORY : ISOCAST_OK;
        for (size_t k = 0; !known && k < i; k++) {
            known = strcmp(placements[k], placements[i]) == 0;
        }
        if (!known) {
            r->sets[r->count++] = r->systems[i];
        }
    }
    for (size_t i = 0; placements != NULL && i < r->system_count; i++) {
        free(placements[i]);
    }
    free(placements);
    return status;
}

static int check_set(const cli_usage *usage, const campaign_site *site,
                     const isocast_machine *hardware, bool oversubscribe,
                     const isocast_system *set) {
    if (hardware != NULL) {
        return cli_system_size_check(usage, set, hardware);
    }
    if (campaign_site_is_oversubscribed(site, set->p) && !oversubscribe) {
        return cli_usage_error(usage,
                               "system %s has %.10g processes, this machine %ld processors: that "
                               "would measure the scheduler",
                               set->name, set->p, campaign_site_processors(site));
    }
    isocast_buffer why = {0};
    bool possible = campaign_placement_possible(set, site->launcher, &why);
    int status = possible ? CLI_EXIT_OK
                          : cli_usage_error(usage, "--reference: %s",
                                            why.text != NULL ? why.text : "cannot be placed");
    isocast_buffer_free(&why);
    return status;
}

int cli_reference_read(const cli_usage *usage, const campaign_site *site,
                       const isocast_machine *hardware, bool oversubscribe, cli_reference *out) {
    if (out->text == NULL) {
        return out->ratio == 0 ? CLI_EXIT_OK
                               : cli_usage_error(usage, "--ratio is of the reference program: name "
                                                        "the sets to run it on with --reference");
    }
    if (out->ratio < 0) {
        return cli_usage_error(usage, "--ratio must be above 0");
    }
    isocast_diagnostics diagnostics = {0};
    isocast_status status =
        hardware == NULL ? describe_site(site, &diagnostics, &out->node) : ISOCAST_OK;
    const isocast_machine *machine = hardware != NULL ? hardware : out->node;
    if (status == ISOCAST_OK) {
        status = read_list(machine, &diagnostics, out);
    }
    if (status == ISOCAST_OK) {
        status = keep_each_once(machine, out);
    }
    status = cli_diagnostics_tell(&diagnostics, false, status);
    int checked = status == ISOCAST_INVALID ? CLI_EXIT_USAGE : cli_exit_of(status);
    for (size_t i = 0; checked == CLI_EXIT_OK && i < out->count && out->sets[i] != NULL; i++) {
        checked = check_set(usage, site, hardware, oversubscribe, out->sets[i]);
    }
    return checked;
}

isocast_status cli_reference_measure(const campaign_site *site, campaign_simulation *simulation,
                                     const campaign_listener *listener, cli_reference *reference) {
    campaign_reference_request request = {.site = site,
                                          .simulation = simulation,
                                          .listener = listener,
                                          .sets = reference->sets,
                                          .count = reference->count,
                                          .ratio = reference->ratio > 0 ? reference->ratio
                                                                        : CAMPAIGN_REFERENCE_RATIO,
                                          .launches = LAUNCHES};
    return reference->text != NULL ? campaign_reference_measure(&request, &reference->section)
                                   : ISOCAST_OK;
}

isocast_status cli_reference_append(const cli_reference *reference,
                                    const campaign_listener *listener, isocast_buffer *text) {
    if (reference->text == NULL) {
        return ISOCAST_OK;
    }
    isocast_diagnostics diagnostics = {0};
    isocast_machine *machine = NULL;
    size_t without = text->length;
    isocast_buffer_append(text, reference->section.text, reference->section.length);
    isocast_status status = text->failed
                                ? ISOCAST_NO_MEMORY
                                : isocast_machine_read_text("machine", text->text, text->length,
                                                            &diagnostics, &machine);
    if (status == ISOCAST_INVALID) {
        campaign_tell(listener, CAMPAIGN_WARNING,
                      "R_f is left out of the file: its nodes are of several classes, and the sets "
                      "of --reference do not name them");
        text->length = without;
        text->text[without] = '\0';
        status = ISOCAST_OK;
    }
    isocast_machine_free(machine);
    isocast_diagnostics_clear(&diagnostics);
    return status;
}

void cli_reference_free(cli_reference *reference) {
    isocast_systems_free(reference->systems, reference->system_count);
    free(reference->sets);
    isocast_machine_free(reference->node);
    isocast_buffer_free(&reference->section);
}
