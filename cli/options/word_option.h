/* Options that take one word of several. */
#ifndef CLI_WORD_OPTION_H
#define CLI_WORD_OPTION_H

#include "options.h"

/* Refuses a word that is none of `names` (shape [count]), with all of them and the nearest:
 * "--metric takes isospeed-e, isospeed or latency, not 'speed'; did you mean 'isospeed'?". `what`
 * is the option, or the argument. Gives an exit status. */
int cli_word_refuse(const cli_usage *usage, const char *what, const char *word,
                    const char *const *names, size_t count);

#endif
