/* The names that can be given a value by hand (setting.h), or be varied (varied.h), for messages.
 */
#ifndef ISOCAST_SETTABLE_H
#define ISOCAST_SETTABLE_H

#include "algorithm.h"
#include "machine.h"
#include "model/yaml/schema.h"

/* Refuses a name that is none of them, with the nearest one or a list of them. `done` is what was
 * to be done with it: "set", "vary". Either of `algorithm` and `machine` may be NULL. */
void isocast_settable_refuse(isocast_reader *reader, isocast_span span, const char *name,
                             const char *done, const isocast_algorithm *algorithm,
                             const isocast_machine *machine);

#endif
