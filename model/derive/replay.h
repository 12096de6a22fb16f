/* Goes once more through the calls of a recorded run (walk.h), to see who waits for whom. Measures
 * no time. */
#ifndef ISOCAST_DERIVE_REPLAY_H
#define ISOCAST_DERIVE_REPLAY_H

#include "model/base/status.h"
#include "model/record/record.h"

/* The weight of the heaviest chain of calls of which each waits for the one before it: on one
 * process, by a message, or by a collective. Sends do not wait, and a wait for no message weighs
 * nothing. *own: of the calls of one process, at most. weights: [process_count * site_count], what
 * a call at a site weighs on a process; NULL: the computing between calls weighs, in s, but for
 * that between calls that ask one after the other, and no call does. NAN: it is not known, as
 * partners or the order of calls are not, or the run is too long. guesses: calls with several
 * partners at one line are taken in turns, and what is asked for, or one of several requests that
 * are waited for, stands for all that were started. Errors: NO_MEMORY. */
isocast_status isocast_replay_chain(const isocast_record *record, const unsigned char *weights,
                                    bool guesses, double *heaviest, double *own);

#endif
