/* What a launcher says in the environment of the processes that it started. */
#ifndef CLI_RANKS_ANNOUNCED_H
#define CLI_RANKS_ANNOUNCED_H

#include <stdbool.h>

/* How many ranks the launcher says that it started; 0 where it does not say, 1 where there is no
 * launcher. */
long cli_ranks_announced(void);

/* Whether the launcher says that this is another process than the first. */
bool cli_ranks_is_another(void);

#endif
