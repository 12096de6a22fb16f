#include "json_prediction.h"

#include "cli/output/fields.h"
#include "model/solve/prediction_fields.h"
#include "subject.h"

typedef struct view {
    cli_subject subject;
    const isocast_prediction *prediction;
} view;

ISOCAST_GIVES(const isocast_prediction *, prediction_of, ((const view *)at->result)->prediction)
ISOCAST_GIVES(const void *, from_prediction, prediction_of(at))
ISOCAST_GIVES(const char *, held_of, cli_held_word(prediction_of(at)))
ISOCAST_GIVES(bool, is_by_reference, prediction_of(at)->measure == ISOCAST_SIZE_BY_REFERENCE)

ISOCAST_ITEMS_WITHIN(row_item, prediction_of(in), isocast_prediction_row_item)
ISOCAST_ITEMS_WITHIN(base_item, prediction_of(in), isocast_prediction_base_item)

#define NUMBER(member, ...)                                                                        \
    ISOCAST_FIELD(#member, NUMBER, isocast_prediction, member, NULL, __VA_ARGS__,                  \
                  .from = from_prediction)
static const isocast_field columns[] = {
    CLI_SCHEMA("isocast.prediction/1"),
    CLI_ALGORITHM,
    CLI_MACHINE,
    CLI_METRIC,
    ISOCAST_MADE("held", TEXT, .text = held_of, NULL,
                 "what is held constant over the rows: the speed-efficiency or efficiency, the "
                 "average speed, or N (then nothing is solved)",
                 .words = cli_held_words, .known = true),
    CLI_SIZE,
    CLI_OTHER_SIZES,
    ISOCAST_MADE("base", OBJECT, .item = base_item, NULL,
                 "the system and size whose speed-efficiency is held; null where it was given as a "
                 "number, and at a fixed size",
                 .of = &isocast_prediction_base),
    NUMBER(target, "the speed-efficiency that is held; null at a fixed size; with isospeed in "
                   "flop/s, else"),
    NUMBER(level, "the share of cases in which an interval is to hold the true value",
           .known = true),
    NUMBER(sum_error, "largest relative error estimate of any sum() in the formulas; 0: exact",
           .known = true),
    ISOCAST_MADE("rows", LIST, .item = row_item, NULL, "one for each system of --to, in its order",
                 .of = &isocast_prediction_rows),
    CLI_PAIRS,
    CLI_PROVENANCE,
    CLI_BY_REFERENCE(is_by_reference)};

const isocast_table cli_prediction_document = {"prediction", "what isocast predict writes",
                                               ISOCAST_TABLE(columns)};

const char *const cli_held_words[] = {"efficiency", "speed", "size", NULL};

const char *cli_held_word(const isocast_prediction *prediction) {
    bool is_speed = isocast_metric_row_of(prediction->metric)->unit[0] != '\0';
    return prediction->fixed_size ? "size" : is_speed ? "speed" : "efficiency";
}

json_t *cli_json_prediction(const cli_prediction_run *answer, const isocast_prediction *prediction,
                            const double *other_sizes, const isocast_psi_matrix *matrix) {
    view v = {cli_subject_of(answer->argc, answer->argv, &answer->loaded), prediction};
    v.subject.matrix = matrix;
    v.subject.other_sizes = other_sizes;
    v.subject.metric = prediction->metric;
    return cli_fields_document(&cli_prediction_document, &v);
}
