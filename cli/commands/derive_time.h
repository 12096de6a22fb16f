/* T of a point that was held out, as predict gives it for the machine that the records are from. */
#ifndef CLI_DERIVE_TIME_H
#define CLI_DERIVE_TIME_H

#include "model/derive/derived.h"
#include "model/spec/machine.h"

typedef struct cli_derive_time {
    const isocast_machine *machine; /* that the records were made on */
    const char *name;               /* of the algorithm and its kernel */
    double speed;                   /* that turns time into work, flop/s; 0: not known */
} cli_derive_time;

/* Sets derived->held_time. Errors: NO_MEMORY. */
isocast_status cli_derive_hold_time(const cli_derive_time *with, isocast_derived *derived);

#endif
