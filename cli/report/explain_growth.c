#include "explain_growth.h"

#include <stdlib.h>

#include "cli/options/exit.h"
#include "cli/output/fields.h"
#include "report_growth.h"
#include "report_several.h"

static json_t *object_of(const void *results, size_t k, const cli_subject *subject) {
    isocast_isoefficiency *const *functions = results;
    const cli_growth_view view = {*subject, functions[k]};
    return cli_fields_document(&cli_growth_document, &view);
}

/* Files get the table of all systems, people sentences, too. */
static size_t reports_of(const void *results, size_t k, const double *other_sizes, bool csv,
                         cli_report **out) {
    isocast_isoefficiency *const *functions = results;
    const cli_growth_view view = {.isoefficiency = functions[k]};
    size_t count = 0;
    out[count++] = cli_report_of_isoefficiency(&view, other_sizes);
    if (!csv) {
        out[count++] = cli_report_of_growth(&view);
    }
    return count;
}

static const cli_answers_writer writer = {&cli_growths_document, object_of, reports_of};

int cli_explain_growth(const cli_usage *usage, const cli_prediction_run *answer) {
    isocast_isoefficiency **functions = calloc(answer->count, sizeof(isocast_isoefficiency *));
    isocast_status outcome = functions == NULL ? ISOCAST_NO_MEMORY : ISOCAST_OK;
    for (size_t k = 0; k < answer->count && outcome == ISOCAST_OK; k++) {
        const cli_prediction_answer *one = &answer->answers[k];
        outcome =
            isocast_isoefficiency_find(one->prediction, &one->question.request, &functions[k]);
    }
    int status;
    if (outcome == ISOCAST_ARGUMENT) {
        status = cli_usage_error(usage, "--growth takes a speed-efficiency that is held: give "
                                        "--efficiency, or --base and --at, and no other metric");
    } else if (outcome != ISOCAST_OK) {
        status = cli_exit_of(outcome);
    } else {
        status = cli_answers_write(&writer, functions, answer);
    }
    for (size_t k = 0; functions != NULL && k < answer->count; k++) {
        isocast_isoefficiency_free(functions[k]);
    }
    free(functions);
    return status;
}
