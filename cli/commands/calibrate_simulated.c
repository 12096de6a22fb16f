#include "calibrate_simulated.h"

#include <math.h>

#include "calibrate/campaign/kernel_entry.h"
#include "calibrate/campaign/kernel_time.h"
#include "cli/options/exit.h"
#include "cli/output/output.h"
#include "interrupt.h"
#include "model/spec/platform_load.h"
#include "platform_session.h"

/* A calibration, and what it learns of the platform. */
typedef struct learning {
    const cli_calibration *c;
    campaign_subject subject;
} learning;

/* The sizes that are run on each system; before anything is known, what the systems call. */
static isocast_status need(void *context, bool first) {
    const learning *l = context;
    const cli_calibration *c = l->c;
    const size_t sizes = first ? 1 : c->kernel.size_count;
    isocast_status status = ISOCAST_OK;
    for (size_t i = 0; i < c->system_count; i++) {
        for (size_t k = 0; k < sizes && status == ISOCAST_OK; k++) {
            status = campaign_points_need(l->subject.points, l->subject.model, c->systems[i],
                                          first ? NAN : c->kernel.sizes[k], NULL);
        }
    }
    return status;
}

/* Runs the program; *text gets the platform file with its time per flop. */
static isocast_status measure(cli_calibration *c, const learning *l, isocast_buffer *text) {
    const campaign_run_points points =
        cli_kernel_calibration_points(&c->kernel, c->systems, c->system_count);
    const campaign_kernel_setup setup = {.listener = &c->campaign.listener,
                                         .kernel = c->kernel.kernel,
                                         .seed = c->request.seed,
                                         .machine = c->platform->hardware,
                                         .own = &c->kernel.own.program,
                                         .simulation = &c->simulation};
    const campaign_kernel_time_request request = {.setup = &setup,
                                                  .algorithm = c->loaded.algorithm,
                                                  .text = l->subject.machine->tree->source,
                                                  .points = &points,
                                                  .runs_path = c->kernel.runs_path};
    isocast_buffer entry = {0};
    isocast_platform *read = NULL;
    isocast_status status = campaign_kernel_time_measure(&request, &c->diagnostics, &entry);
    if (status == ISOCAST_OK) {
        status = campaign_kernel_entry_put(c->platform->hardware->tree, c->loaded.algorithm->kernel,
                                           entry.text, &c->diagnostics, text);
    }
    if (status == ISOCAST_OK) {
        /* A file in a form that lines cannot be added to is not written. */
        status = isocast_platform_read_text(c->common.output, text->text, text->length,
                                            &c->diagnostics, &read);
    }
    isocast_platform_free(read);
    isocast_buffer_free(&entry);
    return status;
}

static int learn(cli_calibration *c, learning *l) {
    const cli_platform_texts texts = {.platform = c->platform_name,
                                      .cache = c->twin.cache,
                                      .no_cache = c->twin.no_cache,
                                      .budget = c->request.budget};
    cli_platform_question question = {.need = need, .context = l};
    return cli_platform_learn(c->usage, &texts, c->common.quiet, &question, &l->subject, 1);
}

int cli_calibration_add_simulated(cli_calibration *c) {
    isocast_buffer text = {0};
    int status = cli_calibration_plan_program(c);
    if (status == CLI_EXIT_OK) {
        c->simulation.own_speed =
            cli_own_program_speed(c->usage, &c->kernel.own, c->platform->hardware, c->common.quiet);
    }
    learning l = {.c = c,
                  .subject = {.algorithm = c->loaded.algorithm,
                              .platform = c->platform,
                              .name = c->platform_name}};
    status = status == CLI_EXIT_OK ? learn(c, &l) : status;
    if (status == CLI_EXIT_OK) {
        cli_interrupts_catch();
        status = cli_calibration_exit(c, measure(c, &l, &text));
    }
    if (status == CLI_EXIT_OK) {
        status = cli_output_write_text(c->common.output, &text);
        text = (isocast_buffer){0};
    }
    isocast_buffer_free(&text);
    campaign_subject_free(&l.subject);
    return status;
}
