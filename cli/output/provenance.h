/* Where a result comes from, as every JSON result carries it. */
#ifndef CLI_PROVENANCE_H
#define CLI_PROVENANCE_H

#include <jansson.h>

#include "cli/options/offers_load.h"
#include "model/base/field.h"

/* The command line and the files that it names. argv[0] is the subcommand. */
typedef struct cli_provenance {
    const cli_call *call;
    const cli_loaded *loaded;
    /* What files of the command line name: they are inputs, too. */
    const cli_offers *offers; /* [offers_count] */
    size_t offers_count;
} cli_provenance;

/* What it says; the whole is a cli_provenance. */
extern const isocast_table cli_provenance_table;

/* Values that --set gave, by name: the i-th; NULL where there is none. */
const char *cli_setting_of(const cli_loaded *loaded, size_t i, double *value);

/* The files that the command line names, and those that its files of offers do, and their digests:
 * [{"file", "sha256"}], each once; NULL where memory is short, or where a file cannot be read any
 * more, which is reported on stderr. */
json_t *cli_inputs(const cli_provenance *provenance);

#define CLI_INPUTS(how)                                                                            \
    ISOCAST_MADE("inputs", FOREIGN, .foreign = (how), NULL,                                        \
                 "the files that the command line names, and those that its files of offers name", \
                 .schema =                                                                         \
                     "{\"type\": \"array\", \"items\": {\"type\": \"object\", "                    \
                     "\"properties\": {\"file\": {\"type\": \"string\", \"description\": "         \
                     "\"the path it was read from\"}, \"sha256\": {\"type\": [\"string\", "        \
                     "\"null\"], \"description\": \"SHA-256 of it as it was when the result "      \
                     "was written; null of a pipe\"}}, \"required\": [\"file\", "                  \
                     "\"sha256\"], \"additionalProperties\": false}}")

/* Appends a word of a command line, as a POSIX shell reads it back. */
void cli_argument_put(const char *argument, isocast_buffer *out);

/* "isocast ...", as a POSIX shell takes it; NULL where memory is short. */
json_t *cli_command_line(int argc, char *const *argv);

#endif
