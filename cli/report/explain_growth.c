#include "explain_growth.h"

#include <stdlib.h>
#include <string.h>

#include "cli/options/exit.h"
#include "cli/output/json_text.h"
#include "cli/output/provenance.h"
#include "report_growth.h"
#include "report_several.h"

enum { REPORTS_EACH = 2 };

static const double *other_sizes_of(const cli_prediction_run *answer, size_t k) {
    return answer->answers[k].question.request.other_sizes;
}

static int write_json(isocast_isoefficiency *const *functions, const cli_prediction_run *answer) {
    json_t **objects = calloc(answer->count, sizeof(json_t *));
    if (objects == NULL) {
        return cli_exit_of(ISOCAST_NO_MEMORY);
    }
    for (size_t k = 0; k < answer->count; k++) {
        json_t *provenance = cli_provenance(answer->argc, answer->argv, &answer->loaded);
        objects[k] = cli_json_growth(functions[k], other_sizes_of(answer, k), provenance);
    }
    json_t *all = answer->count == 1
                      ? objects[0]
                      : cli_json_several("isocast.growths/1", "growths", objects, answer->count);
    free(objects);
    return cli_json_write(all, &answer->common);
}

/* Files get one table of all systems, people a table and sentences for each answer. */
static int write_reports(isocast_isoefficiency *const *functions,
                         const cli_prediction_run *answer) {
    cli_report **reports = calloc(REPORTS_EACH * answer->count, sizeof(cli_report *));
    if (reports == NULL) {
        return cli_exit_of(ISOCAST_NO_MEMORY);
    }
    size_t count = 0;
    bool csv = strcmp(answer->common.format, "csv") == 0;
    for (size_t k = 0; k < answer->count; k++) {
        reports[count++] = cli_report_of_isoefficiency(functions[k], other_sizes_of(answer, k));
        if (!csv) {
            reports[count++] = cli_report_of_growth(functions[k]);
        }
    }
    if (csv && answer->count > 1) {
        reports[0] = cli_report_several(answer, reports, true);
        count = 1;
    }
    int status = cli_reports_write(reports, count, &answer->common);
    free(reports);
    return status;
}

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
        bool json = strcmp(answer->common.format, "json") == 0;
        status = json ? write_json(functions, answer) : write_reports(functions, answer);
    }
    for (size_t k = 0; functions != NULL && k < answer->count; k++) {
        isocast_isoefficiency_free(functions[k]);
    }
    free(functions);
    return status;
}
