/* Why a program of the user's cannot be started, as far as its file tells. */
#ifndef CAMPAIGN_PROGRAM_FILE_H
#define CAMPAIGN_PROGRAM_FILE_H

#include <stdbool.h>

/* A constant text that goes on behind "PROGRAM did not start: "; NULL where its file can be
 * executed. `folder` is where it works: a path that does not begin with / is relative to it; NULL
 * for the working folder. A launcher may start the program where it has another file. */
const char *campaign_program_obstacle(const char *program, const char *folder);

/* Whether a file has this text somewhere, such as a name of a compiled program. False where it
 * cannot be read. */
bool campaign_program_contains(const char *path, const char *text);

/* Whether it is a script, which an interpreter reads. */
bool campaign_program_is_script(const char *path);

#endif
