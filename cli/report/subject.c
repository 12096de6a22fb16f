#include "subject.h"

#include "model/solve/sources.h"

ISOCAST_GIVES(const cli_subject *, subject_of, at->result)

/* Defines an accessor that other files use, too. */
#define GIVES(type, name, value)                                                                   \
    type name(const isocast_at *at) {                                                              \
        (void)at;                                                                                  \
        return value;                                                                              \
    }
GIVES(const char *, cli_subject_algorithm, subject_of(at)->algorithm->name)
GIVES(const char *, cli_subject_machine, subject_of(at)->machine->name)
GIVES(const char *, cli_subject_size, subject_of(at)->algorithm->sizes[0].name)
GIVES(const char *, cli_subject_metric, isocast_metric_name(subject_of(at)->metric))
GIVES(const char *, cli_subject_runs, subject_of(at)->runs)
GIVES(const char *, cli_subject_version, ISOCAST_VERSION)
GIVES(const char *, cli_subject_schedule, subject_of(at)->machine->schedule)
GIVES(bool, cli_subject_has_schedule, cli_subject_schedule(at) != NULL)
GIVES(bool, cli_subject_has_matrix, subject_of(at)->matrix != NULL)
GIVES(void *, cli_subject_inputs, cli_inputs(&subject_of(at)->provenance))
GIVES(void *, cli_subject_command,
      cli_command_line(subject_of(at)->provenance.call->argc,
                       subject_of(at)->provenance.call->argv))

const char *cli_other_size(const isocast_algorithm *algorithm, const double *other_sizes, size_t i,
                           double *value) {
    if (other_sizes == NULL || i + 1 >= algorithm->size_count) {
        return NULL;
    }
    *value = other_sizes[i];
    return algorithm->sizes[i + 1].name;
}

const char *cli_subject_other_size(const isocast_at *at, size_t i, double *value) {
    return cli_other_size(subject_of(at)->algorithm, subject_of(at)->other_sizes, i, value);
}

bool cli_subject_provenance(const isocast_at *in, size_t i, isocast_at *out) {
    out->result = &subject_of(in)->provenance;
    return i == 0;
}

static const char *part_name(const isocast_at *at) {
    const isocast_model *model = at->row;
    return isocast_algorithm_part_name(isocast_model_algorithm(model), at->index);
}

ISOCAST_GIVES(const char *, part_source,
              isocast_source_words[isocast_source_of_part(at->row, at->index)])

static const isocast_field source_fields[] = {
    ISOCAST_TEXT("part", part_name, "'computation', or the name of the overhead term",
                 .known = true),
    ISOCAST_WORD("source", part_source, isocast_source_words,
                 "formulas: with numbers of the files alone; measured-operations: with times of "
                 "operations, or of computing, that were measured; simulated-operations: likewise, "
                 "in simulation; simulated-schedule: the program was executed in simulation")};
const isocast_table cli_sources = ISOCAST_TABLE_OF(source_fields, "where a part of T comes from");

ISOCAST_ITEMS(cli_subject_source,
              subject_of(in)->model == NULL
                  ? 0
                  : isocast_model_algorithm(subject_of(in)->model)->overhead_count + 1,
              subject_of(in)->model)

bool cli_subject_pair(const isocast_at *in, size_t i, isocast_at *out) {
    out->result = subject_of(in)->matrix;
    return cli_pair_item(out, i, out);
}

static const isocast_field brief_fields[] = {CLI_VERSION, CLI_COMMAND};
const isocast_table cli_brief_provenance =
    ISOCAST_TABLE_OF(brief_fields, "where the result comes from");

const char *const cli_metric_words[] = {"isospeed-e", "isospeed",   "isoefficiency",
                                        "latency",    "time-scale", NULL};

cli_subject cli_subject_of(const cli_call *call, const cli_loaded *loaded) {
    return (cli_subject){.algorithm = loaded->algorithm,
                         .machine = loaded->machine,
                         .model = loaded->model,
                         .provenance = {.call = call, .loaded = loaded}};
}
