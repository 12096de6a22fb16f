/* The signals that end a run (launcher.h), between programs that are run: noted, so that what was
 * measured is kept. While one runs the launcher catches them. */
#ifndef CLI_INTERRUPT_H
#define CLI_INTERRUPT_H

#include <stdbool.h>

/* From here on the signals no longer end this process. Those that were ignored stay so. */
void cli_interrupts_catch(void);

/* Whether one came since. */
bool cli_interrupts_came(void);

#endif
