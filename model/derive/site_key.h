/* Sites of records of one program, and when two are the same: where they stand at the same place,
 * and what called their function does so, too (paths.h). Counts nothing. */
#ifndef ISOCAST_DERIVE_SITE_KEY_H
#define ISOCAST_DERIVE_SITE_KEY_H

#include "model/record/record.h"

/* The name of a file without its folders. */
const char *isocast_base_name(const char *path);

/* A call site with the call that is made there. Texts belong to a record. */
typedef struct isocast_site_key {
    const isocast_record_site *site;
    isocast_record_operation operation;
} isocast_site_key;

/* By place: the line of a file, or without lines the place in a module. 0: both stand at one place.
 */
int isocast_site_order(const isocast_record_site *a, const isocast_record_site *b);

/* Whether both are the same call at the same place, and come from the same callers. */
bool isocast_site_key_same(const isocast_site_key *a, const isocast_site_key *b);

/* Whether a call of the record is made at that place. */
bool isocast_site_key_has_call(const isocast_site_key *key, const isocast_record *record,
                               const isocast_record_call *call);

/* Whether two records are of one source whose sizes were fixed when it was compiled: a command of
 * one name became files of different names, which call MPI at the same lines as far as both do. */
bool isocast_same_source(const isocast_record *a, const isocast_record *b);

/* Whether the call has MPI_PROC_NULL to send to, and to receive from. */
bool isocast_call_sends_nothing(const isocast_record_call *call);

/* B, of all messages of a call. Of an exchange the longer one counts: both go at once. */
double isocast_call_size(const isocast_record_call *call);

/* B, the message of a call: m of its operation. */
double isocast_call_message(const isocast_record *record, const isocast_record_call *call);

#endif
