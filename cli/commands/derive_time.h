/* T of a point that was held out, as predict gives it, beside T there: of the records, for the
 * machine that these are from, or of runs, for the machine or the platform of these. */
#ifndef CLI_DERIVE_TIME_H
#define CLI_DERIVE_TIME_H

#include "model/derive/derived.h"
#include "model/runs/runs.h"
#include "platform_session.h"

typedef struct cli_derive_time {
    const isocast_machine *machine;   /* NULL: there is a platform */
    const isocast_platform *platform; /* NULL: there is a machine */
    const isocast_runs *runs;         /* NULL: the records tell T */
    const char *name;                 /* of the algorithm and its kernel */
    double speed;                     /* that turns time into work, flop/s; 0: not known */
    const cli_usage *usage;           /* of the command, for simulations, as the next two */
    const cli_platform_texts *texts;
    bool quiet;
} cli_derive_time;

/* Sets derived->held_time. Gives an exit status, and tells on stderr why it is none. */
int cli_derive_hold_time(const cli_derive_time *with, isocast_derived *derived);

#endif
