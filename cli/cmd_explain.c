/* isocast explain: where the time of a prediction goes, how its parts grow, what moves N'. */
#include <string.h>

#include "answer.h"
#include "command.h"
#include "explanation.h"
#include "json_text.h"
#include "provenance.h"
#include "report_explanation.h"

static const cli_usage usage = {
    .command = "explain",
    .arguments = "ALGORITHM MACHINE",
    .summary = "Explains a prediction: the time and share of the computation and of each overhead "
               "term, how each grows from the first system to the last, and which machine "
               "parameter or term moves N' (T at a fixed size) most. Takes the options of predict.",
    .details = "The elasticity of N' to a parameter is the per cent by which N' moves for one "
               "per cent more of it; where a base gives the efficiency, the base is taken anew. "
               "CSV has the parts only, JSON all of it (docs/result-schema.json). The exit status "
               "is 4 where a system has no solution.\n"
               "\n"
               "Examples:\n"
               "  isocast explain gaussian-elimination-published sunwulf --at N=1000 --to C8\n"
               "  isocast explain gaussian-elimination-published sunwulf --efficiency 0.3 \\\n"
               "      --to C2,C8,C32",
    .fewest = 2,
    .most = 2};

static int write_reports(const cli_explanation *explanation, const cli_answer *answer) {
    const cli_common *common = &answer->common;
    const double *other_sizes = answer->question.request.other_sizes;
    if (strcmp(common->format, "json") == 0) {
        json_t *provenance = cli_provenance(answer->argc, answer->argv, &answer->loaded);
        return cli_json_write(cli_json_explanation(explanation, other_sizes, provenance), common);
    }
    cli_report *reports[2] = {NULL, NULL};
    size_t count = 1;
    if (strcmp(common->format, "csv") == 0) {
        reports[0] = cli_report_of_part_rows(explanation);
    } else {
        reports[0] = cli_report_of_parts(explanation, other_sizes);
        if (cli_explanation_has_drivers(explanation)) {
            reports[count++] = cli_report_of_drivers(explanation);
        }
    }
    int status = cli_reports_write(reports, count, common);
    cli_report_free(reports[0]);
    cli_report_free(reports[1]);
    return status;
}

static int write_explanation(const cli_answer *answer) {
    cli_explanation explanation;
    isocast_status outcome =
        cli_explain(answer->prediction, &answer->question.request, &explanation);
    if (outcome != ISOCAST_OK) {
        return cli_exit_of(outcome);
    }
    int status = write_reports(&explanation, answer);
    cli_explanation_free(&explanation);
    return status;
}

int cmd_explain(int argc, char **argv) {
    return cli_answer_command(&usage, argc, argv, write_explanation);
}
