/* A value given by hand in place of what the files say: "NAME=VALUE" for a further size, a
 * parameter or a definition of an algorithm, a parameter of a machine, or a property of a node
 * class. Changes what was loaded, before the two are bound. */
#ifndef ISOCAST_SETTING_H
#define ISOCAST_SETTING_H

#include "algorithm.h"
#include "machine.h"

/* What was set. */
typedef struct isocast_setting {
    char *name;
    double value; /* SI */
    isocast_dimension dimension;
} isocast_setting;

/* Reads a setting and applies it; a parameter that is set has no error any more. Either of
 * `algorithm` and `machine` may be NULL. `label` names the text in diagnostics ("--set"). Free
 * out->name with free(). Errors, with a diagnostic: INVALID (no such name, the wrong unit, a size
 * out of its bounds), NO_MEMORY. */
isocast_status isocast_setting_apply(const char *label, const char *text,
                                     isocast_algorithm *algorithm, isocast_machine *machine,
                                     isocast_diagnostics *diagnostics, isocast_setting *out);

#endif
