/* A program of the user's, as far as its file states: why it cannot be started, and the environment
 * by which it loads the library that records it, wherever isocast is installed. Starts nothing. */
#ifndef CAMPAIGN_PROGRAM_FILE_H
#define CAMPAIGN_PROGRAM_FILE_H

#include <stdbool.h>

#include "event.h"
#include "launcher.h"
#include "record/join/parts.h"

/* A constant text that goes on behind "PROGRAM did not start: "; NULL where its file can be
 * executed. `folder` is where it works: a path that does not begin with / is relative to it; NULL
 * for the working folder. A launcher may start the program where it has another file. */
const char *campaign_program_obstacle(const char *program, const char *folder);

/* Whether a file has this text somewhere, such as a name of a compiled program. False where it
 * cannot be read. */
bool campaign_program_contains(const char *path, const char *text);

/* Whether it is a script, which an interpreter reads. */
bool campaign_program_is_script(const char *path);

/* Adds variables of the environment, "NAME=VALUE" each, `mode` among them. A link in the folder
 * stands for a library whose path the loader would part. Errors: IO, which is reported, where the
 * folder's path would be parted, too; NO_MEMORY. */
isocast_status campaign_preload(const campaign_listener *listener, const char *library,
                                const record_folder *folder, const char *mode,
                                launcher_words *environment);

/* Holds a folder that was just made, for what processes leave, by its whole path. An error is
 * reported to the listener, and the folder is removed then. */
isocast_status campaign_folder_hold(const campaign_listener *listener, const char *name,
                                    record_folder *out);
/* Empties and removes it; the listener hears where it stays. */
void campaign_folder_remove(const campaign_listener *listener, record_folder *folder);

#endif
