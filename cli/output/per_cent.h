/* A share as a text in per cent, for cells and sentences. */
#ifndef CLI_PER_CENT_H
#define CLI_PER_CENT_H

#include <stdbool.h>

enum { CLI_PER_CENT_MAX = 32, CLI_THREE_DIGITS = -1 };

/* The number without its unit, such as "12.5" or, with sign, "+12.5". It has so many decimals, or
 * three digits; three digits also where more than five would stand before the decimals. */
const char *cli_per_cent(double share, int decimals, bool with_sign, char text[CLI_PER_CENT_MAX]);

#endif
