/* The results that commands write: what each is made of, and what makes its reports (tables,
 * Markdown, CSV; cli/output/fields.h). The tables of their JSON ("isocast.forecast/1" and so on of
 * docs/result-schema.json) are in subject.h. What writes a result itself gives an exit status. */
#ifndef CLI_RESULTS_H
#define CLI_RESULTS_H

#include "calibrate/campaign/efficiency_search.h"
#include "cli/options/offers_load.h"
#include "cli/options/prediction_run.h"
#include "cli/output/fields.h"
#include "model/offers/acceptance.h"
#include "model/offers/suite.h"
#include "model/runs/transfer.h"
#include "model/runs/validation.h"
#include "model/solve/least_time.h"
#include "subject.h"

/* The parts of a prediction against the phases of runs, an isocast_comparison: every point part by
 * part, and the parts over all points with the verdict. */
cli_reports_maker cli_reports_of_comparison;

/* Where the time goes, an isocast_explanation: for people the parts of T, a column for each system
 * and, for one system, a bar; and what moves N' or T, where something does. For files a row for
 * each system and part. */
cli_reports_maker cli_reports_of_explanation;

/* What does not matter, and the factors by which it would: a row for each number of the machine; in
 * files also for those that matter. Where no system has a solution, for people the parts, which say
 * why. The result is an isocast_explanation whose factors were looked for. */
cli_reports_maker cli_reports_of_idle;

/* An isocast_isoefficiency: W', costs and overheads of each system, as processor-time; for people,
 * what each part and each bound needs, and in sentences what follows. */
cli_reports_maker cli_reports_of_growth;

/* Times and reference factors of processor sets, an isocast_set_table; the subject is the command
 * line, and a matrix where one is asked for: that, or a row for each set. */
cli_reports_maker cli_reports_of_sets;

/* A computed scalability, an isocast_scalability; the subject's machine is that which was asked for
 * marked speeds, NULL: none. A row for each system; or, where the subject has a matrix, that. */
cli_reports_maker cli_reports_of_scalability;

/* A line of scaling, or the choice of a number of processes, whose one row is the line. */
typedef struct cli_scaling_view {
    cli_subject subject;
    const isocast_scaling *scaling;
    const isocast_choice *choice; /* NULL: none was asked for */
    isocast_prediction_row unknown;
} cli_scaling_view;

/* `other_sizes` like in the requests. */
cli_scaling_view cli_scaling_view_of(const cli_prediction_run *run, const double *other_sizes,
                                     const isocast_scaling *scaling, const isocast_choice *choice);

/* A base is a row of its own, but for CSV. */
cli_reports_maker cli_reports_of_scaling;

/* Runs carried over to another machine. */
typedef struct cli_transfer_view {
    cli_subject subject; /* the algorithm is NULL where none was asked for */
    const isocast_transfer *transfer;
    const isocast_transfer_request *request;
    const char *from_path, *to_path;
} cli_transfer_view;

cli_reports_maker cli_reports_of_transfer;

/* The sizes that measure --find found. */
typedef struct cli_find_subject {
    cli_subject subject;
    const char *kernel;
    isocast_size_search search;
    size_t repetitions;
    const campaign_search_row *rows; /* [count] */
    size_t count;
    bool simulated; /* the runs are */
} cli_find_subject;

/* Free with cli_report_free(). */
cli_report *cli_report_find(const cli_find_subject *subject);

/* Those of several targets as one, with a column of the targets, shape [count]; takes the reports
 * over. NULL where memory is short. */
cli_report *cli_report_finds(cli_report **reports, const double *targets, size_t count,
                             isocast_metric metric);

/* The predicted T and E of one system over the sizes measured on it. */
typedef struct cli_validation_curve cli_validation_curve;

/* The reports: points, sizes (N and psi), summary. */
enum { VALIDATION_POINTS, VALIDATION_SIZES, VALIDATION_SUMMARY, VALIDATION_REPORTS };

/* Validations by the same runs, at one value each of what is held. */
typedef struct cli_validations {
    cli_subject subject;
    const isocast_validation *const *items; /* [count], at least one */
    size_t count;
    isocast_error_summary errors[ISOCAST_VALIDATION_PSI + 1]; /* of all together */
    size_t only;                 /* the report that is asked for; VALIDATION_REPORTS: all */
    const char *fitted;          /* what the runs say of a value that was fitted; NULL: none was */
    cli_validation_curve *curve; /* the one that is written; NULL outside of it */
} cli_validations;

/* Sums up the errors. */
void cli_validations_sum(cli_validations *all);

/* Writes them, and another output with them (fields.h). */
int cli_validations_write(const cli_validations *validations, const cli_common *common,
                          cli_output *other);

/* What a few nodes of an offer must show, of offers and of suites alike: a row is an
 * isocast_acceptance. */
extern const isocast_table cli_acceptance_table;

cli_report *cli_acceptance_report(const isocast_acceptances *acceptances);

/* The list in the JSON of a result. */
#define CLI_ACCEPTANCE(items)                                                                      \
    ISOCAST_LIST("acceptance", items, &cli_acceptance_table,                                       \
                 "with --accept: what a few nodes must show so that T on all of them is at most "  \
                 "the promised one with a probability of 90 %, by offer; else empty")

/* What would change the answer, of offers and of suites alike: a number, its value, and from where
 * on. */
#define CLI_CHANGE_COLUMNS(what, now, threshold)                                                   \
    ISOCAST_PUT("number", what, NULL, ISOCAST_ROWS), ISOCAST_PUT("now", now, NULL, ISOCAST_ROWS),  \
        ISOCAST_PUT("threshold", threshold, NULL, ISOCAST_ROWS, .heading = "the answer changes")

/* Offers judged by a suite of applications. */
typedef struct cli_suite_view {
    cli_subject subject; /* of the first application on the first offer */
    const char *path;    /* of the file of offers */
    const isocast_suite_verdict *verdict;
    const isocast_acceptances *acceptances;
    isocast_currency currency;
} cli_suite_view;

/* As tables with a sentence, or as JSON. */
int cli_suite_write(const cli_suite_view *view, const cli_common *common);

#endif
