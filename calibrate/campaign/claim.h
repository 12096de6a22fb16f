/* The claim on a name that this process is about to write: two commands that write one file at a
 * time would lose what one of them wrote. A claim is a lock on an empty file beside the output,
 * ".NAME.isocast-lock", which is gone when the claim is given back. It ends with the process,
 * however that ends, so a lock file that was left behind keeps nobody away. Knows nothing of what
 * is written.
 *
 * Where there are no locks (a folder that cannot be written to, a file system without locks), the
 * claim holds without one: then campaign_claim_check() alone notices what others have written.
 * Standard output, pipes, devices and folders need no claim. */
#ifndef CAMPAIGN_CLAIM_H
#define CAMPAIGN_CLAIM_H

#include <stdbool.h>

#include "event.h"
#include "model/base/buffer.h"

/* Claims the name before anything of the file is looked at; claims of one name nest. Errors: IO
 * where another process has it, or has written the file at this moment, or where the system fails:
 * then *why is the sentence that says so, for the caller to free. */
isocast_status campaign_claim_take(const char *path, isocast_buffer *why);

/* Claims all of the names or none; shape [count]. Two commands whose outputs are the same files
 * take them in the same order, whichever is which: one of them gets all. Errors: as above. */
isocast_status campaign_claim_take_all(const char *const *paths, size_t count, isocast_buffer *why);

/* The same, and the listener gets the sentence. */
isocast_status campaign_claim_take_for(const campaign_listener *listener, const char *path);

/* The same where nobody is reported why; errno is EAGAIN where another process has it. */
bool campaign_claim_try(const char *path);

/* Whether the file is still what it was when it was claimed, or last written by this process. Else
 * IO with a sentence as above: it is another's now, and not to be replaced. */
isocast_status campaign_claim_check(const char *path, isocast_buffer *why);

/* What is there now is this process's own. */
void campaign_claim_written(const char *path);

/* Gives a claim back; the last one of a name removes the lock. */
void campaign_claim_release(const char *path);

/* The same for all names, before the process ends. */
void campaign_claims_release(void);

#endif
