/* Options that take one word of several. */
#ifndef CLI_WORD_OPTION_H
#define CLI_WORD_OPTION_H

#include "model/base/metric.h"
#include "model/spec/system.h"
#include "options.h"

/* The option --metric, and the target that goes with a metric. */

#define CLI_METRIC_HELP                                                                            \
    "what is held constant: isospeed-e (E = W/(T C)), isospeed (the average speed W/(R_f T)), or " \
    "isoefficiency, latency or time-scale (the efficiency T(W,1)/(R_f T)) (default: isospeed-e)"

#define CLI_SPEED_HELP                                                                             \
    "with --metric isospeed: hold this average speed W/(R_f T), such as 20Mflop/s; a plain "       \
    "number "                                                                                      \
    "is in flop/s"

/* The metric of a name; NULL: isospeed-e. Reports an unknown one on stderr; gives an exit status.
 */
int cli_metric_read(const cli_usage *usage, const char *name, isocast_metric *out);

/* A usage error where the metric has no psi. */
int cli_metric_needs_psi(const cli_usage *usage, isocast_metric metric);

/* The value to hold from --efficiency and --speed, each NAN where it was not given: isospeed holds
 * a speed, the others a ratio. *target is NAN where neither was given. Gives an exit status. */
int cli_metric_target(const cli_usage *usage, isocast_metric metric, double efficiency,
                      double speed, double *target);

/* The option --size: what counts as the size of a system, the sum of its marked speeds or R_f C_1.
 */

#define CLI_SIZE_HELP                                                                              \
    "what counts as the size of a system: sum, the sum C of its marked speeds; or reference, "     \
    "R_f C_1 with R_f of the machine file's section reference, so that 1x2 and 2x1 differ "        \
    "(default: sum)"

/* Reads the option (NULL: not given) into *out. Reports on stderr what is wrong, also where the
 * machine gives no R_f; gives an exit status. */
int cli_size_read(const cli_usage *usage, const char *text, const isocast_machine *machine,
                  isocast_system_measure *out);

/* Reads it and sets the sizes of the systems, shape [count]. */
int cli_size_apply(const cli_usage *usage, const char *text, const isocast_machine *machine,
                   isocast_system **systems, size_t count);

/* Refuses a word that is none of `names` (shape [count]), with all of them and the nearest:
 * "--metric takes isospeed-e, isospeed or latency, not 'speed'; did you mean 'isospeed'?". `what`
 * is the option, or the argument. Gives an exit status. */
int cli_word_refuse(const cli_usage *usage, const char *what, const char *word,
                    const char *const *names, size_t count);

#endif
