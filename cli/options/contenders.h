/* What `isocast compare` compares: algorithms and machines distinguished by their files, each pair
 * loaded and bound, with the systems that are asked for on it. Predicts nothing. */
#ifndef CLI_CONTENDERS_H
#define CLI_CONTENDERS_H

#include "load.h"

enum { CLI_CONTENDERS_MAX = 12 };

typedef struct cli_contender {
    char *name; /* what states it from the others: the algorithm, the machine, or both */
    cli_loaded loaded;
    isocast_system **systems; /* [system_count] of cli_contenders; of the machine or platform */
} cli_contender;

/* Start from {0}. */
typedef struct cli_contenders {
    cli_contender items[CLI_CONTENDERS_MAX]; /* [count], algorithm by algorithm */
    size_t count;
    size_t system_count;
    const char *held; /* a machine file among them that holds its platform, which then counts; NULL:
                         there is none */
} cli_contenders;

/* Loads every pair of the algorithms and machines among `names` (shape [count]), and of the
 * algorithms and `platforms`; a setting must mean something to one of them. `laws`: the
 * formulas of a machine file count, also where it holds a platform. `to` lists systems. On a
 * platform nothing is bound yet: machine and model are NULL. Reports on stderr what is wrong; gives
 * an exit status. Free in either case. */
int cli_contenders_load(const cli_usage *usage, const char *const *names, size_t count,
                        const cli_list *platforms, bool laws, const cli_settings *settings,
                        const char *to, bool quiet, cli_contenders *out);
void cli_contenders_free(cli_contenders *contenders);

#endif
