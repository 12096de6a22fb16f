/* Numbers as text on the command line and in files: read strictly, written so that reading gives
 * the same number back. Knows no units. */
#ifndef CLI_NUMBER_H
#define CLI_NUMBER_H

#include <stdbool.h>

#include "model/base/buffer.h"

/* Reads a finite decimal number at the start of a text; *end is what follows it. Refuses what
 * strtod takes besides: hexadecimal, "inf", "nan", leading blanks. */
bool cli_number_scan(const char *text, double *value, const char **end);

/* The same where the number is the whole text. */
bool cli_number_parse(const char *text, double *value);

/* Appends the shortest decimal text that reads back as the same finite number. */
void cli_number_format(double value, isocast_buffer *out);

#endif
