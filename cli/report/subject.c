#include "subject.h"

ISOCAST_GIVES(const cli_subject *, subject_of, at->result)

const char *cli_subject_algorithm(const isocast_at *at) {
    return subject_of(at)->algorithm->name;
}

const char *cli_subject_machine(const isocast_at *at) {
    return subject_of(at)->machine->name;
}

const char *cli_subject_size(const isocast_at *at) {
    return subject_of(at)->algorithm->sizes[0].name;
}

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

const char *cli_subject_metric(const isocast_at *at) {
    return isocast_metric_name(subject_of(at)->metric);
}

const char *cli_subject_runs(const isocast_at *at) {
    return subject_of(at)->runs;
}

bool cli_subject_provenance(const isocast_at *in, size_t i, isocast_at *out) {
    out->result = &subject_of(in)->provenance;
    return i == 0;
}

bool cli_subject_pair(const isocast_at *in, size_t i, isocast_at *out) {
    out->result = subject_of(in)->matrix;
    return cli_pair_item(out, i, out);
}

bool cli_subject_has_matrix(const isocast_at *at) {
    return subject_of(at)->matrix != NULL;
}

void *cli_subject_command(const isocast_at *at) {
    return cli_command_line(subject_of(at)->provenance.argc, subject_of(at)->provenance.argv);
}

const char *cli_subject_version(const isocast_at *at) {
    (void)at;
    return ISOCAST_VERSION;
}

static const isocast_field brief_fields[] = {CLI_VERSION, CLI_COMMAND};
const isocast_table cli_brief_provenance = {NULL, "where the result comes from",
                                            ISOCAST_TABLE(brief_fields)};

const char *const cli_metric_words[] = {"isospeed-e", "isospeed",   "isoefficiency",
                                        "latency",    "time-scale", NULL};

cli_subject cli_subject_of(int argc, char *const *argv, const cli_loaded *loaded) {
    return (cli_subject){.algorithm = loaded->algorithm,
                         .machine = loaded->machine,
                         .provenance = {argc, argv, loaded}};
}
