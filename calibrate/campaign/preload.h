/* The environment by which a program loads the library that records it, wherever isocast is
 * installed. Starts nothing. */
#ifndef CAMPAIGN_PRELOAD_H
#define CAMPAIGN_PRELOAD_H

#include "event.h"
#include "record/join/parts.h"

enum { CAMPAIGN_PRELOAD_VARIABLES = 3 };

/* out: [CAMPAIGN_PRELOAD_VARIABLES], "NAME=VALUE" each, `mode` among them; NULL where it fails. A
 * link in the folder stands for a library whose path the loader would part. Errors: IO, which is
 * told, where the folder's path would be parted, too; NO_MEMORY. */
isocast_status campaign_preload(const campaign_listener *listener, const char *library,
                                const record_folder *folder, const char *mode, char **out);
void campaign_preload_free(char **variables);

/* Holds a folder that was just made, for what processes leave, by its whole path. An error is told
 * to the listener, and the folder is removed then. */
isocast_status campaign_folder_hold(const campaign_listener *listener, const char *name,
                                    record_folder *out);
/* Empties and removes it; the listener hears where it stays. */
void campaign_folder_remove(const campaign_listener *listener, record_folder *folder);

#endif
