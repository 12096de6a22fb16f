/* The option --marked-speed: which speed of a processor counts as its marked speed. Loads no file.
 */
#ifndef CLI_MARKED_SPEED_OPTION_H
#define CLI_MARKED_SPEED_OPTION_H

#include "model/spec/algorithm.h"
#include "model/spec/machine.h"
#include "options.h"

/* `target`: a const char *, NULL where the option is not given. */
#define CLI_MARKED_SPEED_OPTION(target)                                                            \
    {                                                                                              \
        "--marked-speed", 0, CLI_OPTION_TEXT, "WHICH",                                             \
            "marked speed of a processor: sustained (what the machine file says), peak (the best " \
            "rate of the algorithm's kernel in the section compute of the machine file) or a "     \
            "speed for all node classes, such as 12Gflop/s (default: sustained)",                  \
            (target)                                                                               \
    }

/* What it changes. */
typedef struct cli_marked_speed_subject {
    isocast_machine *machine;           /* NULL: there is none */
    const isocast_algorithm *algorithm; /* NULL: there is none */
    const char *kernel;                 /* whose best rate `peak` is; may be NULL */
    bool of_platform;                   /* the machine is a platform's */
} cli_marked_speed_subject;

/* Whether a name, up to its end or "=", is the marked speed of a class: "node.marked_speed". */
bool cli_is_marked_speed(const char *name);

/* Applies the option, `which`; NULL: it is not given. `set` are the texts of --set, which must give
 * no marked speed then. Tells on stderr what is wrong; gives an exit status. */
int cli_marked_speed_apply(const char *which, const cli_list *set,
                           const cli_marked_speed_subject *subject);

#endif
