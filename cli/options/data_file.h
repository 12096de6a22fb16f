/* Arguments that are files of data: runs, timings, records, results. */
#ifndef CLI_DATA_FILE_H
#define CLI_DATA_FILE_H

#include "options.h"

/* Refuses the name of an installed specification that stands where such a file is due, which `what`
 * names ("RUNS.csv"). Gives an exit status. */
int cli_data_file_check(const cli_usage *usage, const char *text, const char *what);

#endif
