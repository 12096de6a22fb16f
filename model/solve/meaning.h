/* What a number of a machine file means, in words, from the formula that it stands in: "time per
 * flop of ge at 4.2 MB on 2 processes". Knows no names but those of the formula language. */
#ifndef ISOCAST_MEANING_H
#define ISOCAST_MEANING_H

#include "model/spec/machine.h"

/* The meaning of a parameter by the first of the kernels' and operations' formulas that it stands
 * in; *meaning is NULL where it stands in none. Free it with free(). Errors: NO_MEMORY. */
isocast_status isocast_parameter_meaning(const isocast_machine *machine, const char *parameter,
                                         char **meaning);

#endif
