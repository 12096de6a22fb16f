/* What a result is of, and the members that the JSON of most results has. A view of a result that
 * is written begins with its subject. */
#ifndef CLI_SUBJECT_H
#define CLI_SUBJECT_H

#include "cli/output/provenance.h"
#include "model/base/field.h"
#include "model/base/metric.h"
#include "report_matrix.h"

typedef struct cli_subject {
    const isocast_algorithm *algorithm;
    const isocast_machine *machine;
    const isocast_model *model; /* of both; NULL: there is none */
    const double *other_sizes;  /* [size_count - 1]; NULL: none, or not the same for all rows */
    isocast_metric metric;
    const char *runs;                 /* name of the runs */
    const isocast_psi_matrix *matrix; /* psi between all pairs; NULL: not asked for */
    cli_provenance provenance;
} cli_subject;

/* A result that is written, and its subject: the whole of most results' tables. */
typedef struct cli_view {
    cli_subject subject;
    const void *result;
} cli_view;

/* Defines what gives the result of such a whole. */
#define CLI_RESULT(type)                                                                           \
    ISOCAST_GIVES(const type *, result_of, ((const cli_view *)at->result)->result)

/* With the algorithm and the machine of the files. */
cli_subject cli_subject_of(const cli_call *call, const cli_loaded *loaded);

/* What the fields below have as accessors, items and tables. */
typedef const char *cli_text_of(const isocast_at *at);
typedef bool cli_flag_of(const isocast_at *at);
typedef void *cli_json_of(const isocast_at *at);
cli_text_of cli_subject_algorithm, cli_subject_machine, cli_subject_size, cli_subject_metric,
    cli_subject_runs, cli_subject_schedule, cli_subject_version;
cli_flag_of cli_subject_has_schedule, cli_subject_has_matrix;
cli_json_of cli_subject_command, cli_subject_inputs;
const char *cli_subject_other_size(const isocast_at *at, size_t i, double *value);
isocast_item cli_subject_provenance, cli_subject_source, cli_subject_pair;
extern const isocast_table cli_sources, cli_brief_provenance;

/* All results as JSON. */
extern const isocast_table cli_prediction_document, cli_validation_document,
    cli_scalability_document, cli_comparison_document, cli_sets_document, cli_transfer_document,
    cli_scaling_document, cli_growth_document, cli_explanation_document, cli_ranking_document,
    cli_offers_document, cli_suite_document, cli_measurement_document, cli_predictions_document,
    cli_explanations_document, cli_growths_document, cli_measurements_document, cli_fit_document,
    cli_sweep_document, cli_forecast_document, cli_joined_document;
extern const isocast_table cli_sweep_rows; /* of a sweep, a line each */

/* Ending in NULL. */
extern const char *const cli_metric_words[];

/* The answer in a sentence or two, for people who read nothing else. */
#define CLI_ANSWER(how) ISOCAST_PUT("answer", how, "the answer in a sentence or two", ISOCAST_JSON)

/* The fixed sizes by name. */
const char *cli_other_size(const isocast_algorithm *algorithm, const double *other_sizes, size_t i,
                           double *value);

#define CLI_SCHEMA(its_name)                                                                       \
    {                                                                                              \
        .name = "schema", .words = (const char *const[]){its_name, NULL}, .known = true,           \
        .meaning = "name and version of this shape", ISOCAST_JSON                                  \
    }
#define CLI_ALGORITHM                                                                              \
    ISOCAST_TEXT("algorithm", cli_subject_algorithm, "name of the algorithm", .known = true)
#define CLI_MACHINE                                                                                \
    ISOCAST_TEXT("machine", cli_subject_machine, "name of the machine", .known = true)
#define CLI_SIZE                                                                                   \
    ISOCAST_TEXT("size", cli_subject_size, "name of the first size parameter, whose values are N", \
                 .known = true)
#define CLI_OTHER_SIZES                                                                            \
    ISOCAST_MADE("other_sizes", NAMED, .named = cli_subject_other_size, NULL,                      \
                 "the further size parameters, which are the same on every system, by name",       \
                 .known = true)
#define CLI_METRIC                                                                                 \
    ISOCAST_TEXT("metric", cli_subject_metric,                                                     \
                 "what is held and what psi is read off: isospeed-e holds E = W/(T C), psi = "     \
                 "C'W/(C W'); isospeed holds the average speed W/(R_f T), psi = R_f'W/(R_f W'); "  \
                 "isoefficiency, latency and time-scale hold the efficiency T(W,1)/(R_f T), and "  \
                 "have no psi (the result is the function W), psi = L_e/L_e' and psi = T/T'",      \
                 .words = cli_metric_words, .known = true)
#define CLI_RUNS(meaning) ISOCAST_TEXT("runs", cli_subject_runs, meaning, .known = true)
#define CLI_PAIRS                                                                                  \
    ISOCAST_LIST("pairs", cli_subject_pair, &cli_pairs,                                            \
                 "with --matrix: psi between all pairs of systems, each ordered pair once",        \
                 .shown = cli_subject_has_matrix)
#define CLI_BY_REFERENCE(is_it)                                                                    \
    ISOCAST_MADE("system_size", TEXT, .shown = is_it, NULL,                                        \
                 "R_f C_1 is the size of a system, in place of C; with --size reference only",     \
                 .words = (const char *const[]){"reference", NULL}, .known = true)
#define CLI_SET(settings)                                                                          \
    ISOCAST_MADE("set", NAMED, .named = settings, "SI units", "values that --set gave",            \
                 .known = true)
/* Of a result that has no algorithm and machine of its own. */
#define CLI_PROVENANCE_BRIEF                                                                       \
    ISOCAST_OBJECT("provenance", NULL, &cli_brief_provenance, "where the result comes from",       \
                   .known = true)
#define CLI_COMMAND                                                                                \
    ISOCAST_MADE("command", FOREIGN, .foreign = cli_subject_command, NULL,                         \
                 "the command line, quoted for a POSIX shell",                                     \
                 .schema = "{\"type\": \"string\"}"),                                              \
        CLI_INPUTS(cli_subject_inputs)
#define CLI_VERSION                                                                                \
    ISOCAST_TEXT("isocast", cli_subject_version, "version of isocast", .known = true)
/* Where numbers come from, by parts of T. */
#define CLI_SOURCES                                                                                \
    ISOCAST_LIST(                                                                                  \
        "sources", cli_subject_source, &cli_sources,                                               \
        "where T comes from, part by part; all that is read off T comes from all of them"),        \
        ISOCAST_TEXT("schedule", cli_subject_schedule,                                             \
                     "where the program of the algorithm file was executed, and where it was not " \
                     "and why; only on a platform, of an algorithm that has one",                  \
                     .shown = cli_subject_has_schedule)
#define CLI_PROVENANCE                                                                             \
    ISOCAST_OBJECT("provenance", cli_subject_provenance, &cli_provenance_table,                    \
                   "where the result comes from", .known = true)

#endif
