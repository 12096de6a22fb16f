/* The samples of a calibration, fitted and written as a machine file. Measures nothing. */
#ifndef CLI_CALIBRATION_RESULT_H
#define CLI_CALIBRATION_RESULT_H

#include "calibration.h"
#include "model/spec/platform.h"

/* What the file says that the calibration does not know. */
typedef struct cli_calibration_facts {
    const char *output; /* path of the machine file */
    const char *name;   /* of the machine */
    const char *date;   /* ISO 8601, UTC */
    const char *command;
    const isocast_platform *platform; /* that it was simulated on; NULL: real */
    size_t system_count;              /* of the platform that were simulated */
    bool oversubscribed;
} cli_calibration_facts;

/* Fits and writes, and tells on stderr how steady the machine was. The samples' file must be
 * finished. Gives an exit status. */
int cli_calibration_write(const cli_calibration *c, const cli_calibration_facts *facts);

#endif
