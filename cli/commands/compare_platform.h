/* What compare does with --platform: the contenders on platforms learn what the rows and the
 * crossings need. */
#ifndef CLI_COMPARE_PLATFORM_H
#define CLI_COMPARE_PLATFORM_H

#include "compare_answer.h"
#include "platform_session.h"

/* Gives each contender on a platform its machine and model; nothing to do where none is on one.
 * `question` is of these contenders. Gives an exit status, and tells why it is none. */
int compare_learn(const cli_usage *usage, const cli_platform_texts *texts,
                  const cli_settings *settings, bool quiet, const compare_question *question,
                  cli_contenders *contenders);

#endif
