/* A value given by hand in place of what the files say: "NAME=VALUE" for a further size, a
 * parameter or a definition of an algorithm, a parameter of a machine, a property of a node class,
 * or what is paid besides nodes ("energy_price"). Changes what was loaded, before the two are
 * bound. */
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

/* Gives the further sizes that have a default this value, but for those that `keeps` names, which
 * may be NULL: they are definitions then, as if they had been set. Errors: NO_MEMORY. */
isocast_status isocast_setting_defaults(isocast_algorithm *algorithm,
                                        bool (*keeps)(const char *name, const void *of),
                                        const void *of);

/* What a name stands for in an algorithm and a machine; the machine may be NULL. */
typedef enum isocast_setting_kind {
    ISOCAST_SETTING_ALGORITHM, /* a size, parameter or definition */
    ISOCAST_SETTING_PARAMETER, /* of the machine alone */
    ISOCAST_SETTING_CLASS,     /* a property of a node class */
    ISOCAST_SETTING_AMOUNT,    /* that this machine costs or draws besides its nodes */
    ISOCAST_SETTING_OTHER      /* any other name, or none */
} isocast_setting_kind;
isocast_setting_kind isocast_setting_kind_of(const char *name, const isocast_algorithm *algorithm,
                                             const isocast_machine *machine);

#endif
