/* The programs that commands start, and the parts of isocast that they load: whether each is there
 * and answers. Every program is started without a shell, within a time. */
#ifndef CLI_DOCTOR_PROGRAMS_H
#define CLI_DOCTOR_PROGRAMS_H

#include "cli/report/report_checkup.h"
#include "isocast/status.h"

/* launcher: as in launcher_request, NULL for the default. Errors: INTERRUPTED; IO, where the system
 * starts no process; NO_MEMORY. */
isocast_status doctor_programs(const char *launcher, checkup *out);

#endif
