/* What a recorded call is among the steps of a program. */
#ifndef ISOCAST_DERIVE_CALL_FORM_H
#define ISOCAST_DERIVE_CALL_FORM_H

#include "model/record/record.h"

/* Whether an operation has messages between two processes, or to those beside one; and whether it
 * waits for what was started. */
bool isocast_derive_is_message(isocast_record_operation operation);
bool isocast_derive_is_wait(isocast_record_operation operation);

/* The word of a step of all processes; NULL: none stands for it. */
const char *isocast_derive_word_of(isocast_record_operation operation);

/* Whether what a call does is waited for later. */
bool isocast_derive_starts(isocast_record_operation operation);

/* Whether steps have the calls of a site, by themselves or as what they wait for. */
bool isocast_derive_has_step(isocast_record_operation operation);

/* The operation of machine files that takes the time of a call that sends, and whether that has a
 * size. */
const char *isocast_derive_operation_of(isocast_record_operation operation, bool *has_size);

#endif
