/* Systems as the public functions take them: by their names, as text. Private to the room. */
#ifndef ISOCAST_API_SYSTEMS_H
#define ISOCAST_API_SYSTEMS_H

#include "model/spec/system.h"

/* Reads exactly one system, with the marked speeds of `program`, as in isocast_system_parse().
 * `label` names the text in diagnostics. Errors, with diagnostics: INVALID, NO_MEMORY. */
isocast_status isocast_api_read_system(const isocast_machine *machine, const char *program,
                                       const char *label, const char *text,
                                       isocast_diagnostics *diagnostics, isocast_system **out);

/* What isocast_machine_describe_system() does, for a program. */
isocast_status isocast_api_describe_system(const isocast_machine *machine, const char *program,
                                           const char *system, isocast_diagnostics *diagnostics,
                                           double *processes, double *marked_speed);

#endif
