/* Ends what a launcher left running. mpiexec puts what it starts into sessions of their own, and
 * forgets it where it is ended while it starts up. */
#ifndef CLI_ORPHANS_H
#define CLI_ORPHANS_H

/* From here on processes whose parent has ended become children of this one. */
void cli_orphans_adopt(void);

/* Ends all children and what they leave, with a moment to do so, then without. To be called only
 * where no child is wanted any more. */
void cli_orphans_end(void);

#endif
