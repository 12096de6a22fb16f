/* The option --size: what counts as the size of a system, the sum of its marked speeds or R_f C_1.
 */
#ifndef CLI_SIZE_OPTION_H
#define CLI_SIZE_OPTION_H

#include "model/spec/system.h"
#include "options.h"

#define CLI_SIZE_HELP                                                                              \
    "what counts as the size of a system: sum, the sum C of its marked speeds; or reference, "     \
    "R_f C_1 with R_f of the machine file's section reference, so that 1x2 and 2x1 differ "        \
    "(default: sum)"

/* Reads the option (NULL: not given) into *out. Tells on stderr what is wrong, also where the
 * machine gives no R_f; gives an exit status. */
int cli_size_read(const cli_usage *usage, const char *text, const isocast_machine *machine,
                  isocast_system_measure *out);

/* Reads it and sets the sizes of the systems, shape [count]. */
int cli_size_apply(const cli_usage *usage, const char *text, const isocast_machine *machine,
                   isocast_system **systems, size_t count);

#endif
