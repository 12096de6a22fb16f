/* What somebody may have meant by a word of the command line that is not understood. Prints
 * nothing. */
#ifndef CLI_SLIPS_H
#define CLI_SLIPS_H

#include "model/base/buffer.h"
#include "option.h"

/* The option of a table (shape [count]) that may be meant by a text of `length` bytes: one that is
 * spelled alike, one that says the same as that option of another command, or one whose value has
 * this name. NULL where there is none; *failed is set where memory is short. */
const char *cli_slips_option(const cli_option *options, size_t count, const char *text,
                             size_t length, bool *failed);

/* Appends how to write "30%" or "30 %" as a number: "; 30 % is 0.3". Nothing for other texts. */
void cli_slips_percent(const char *text, isocast_buffer *out);

/* Appends what to do with an argument too many, which came after the value of an option or after
 * NULL. `output` is what -o gives, NULL where it is not there. */
void cli_slips_argument(const cli_usage *usage, const char *text, const cli_option *option,
                        const char *value, const char *output, isocast_buffer *out);

/* Appends a sentence where a list of shares, such as efficiencies, has one that looks like a
 * percentage: 1 is all, and only little more than that is ever reached. */
void cli_slips_share(const char *text, isocast_buffer *out);

#endif
