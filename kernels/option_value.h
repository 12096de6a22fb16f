/* Numbers among the options of the programs that run under mpiexec, read strictly: the whole text
 * is one plain decimal number within its range. What is wrong is reported with the option and its
 * value. No MPI. */
#ifndef KERNEL_OPTION_VALUE_H
#define KERNEL_OPTION_VALUE_H

#include <stdbool.h>
#include <stddef.h>

/* An option as it was given. */
typedef struct option_value {
    const char *program; /* "isocast-kernel" */
    const char *option;  /* "--seed" */
    const char *text;
    bool loud; /* whether this process states on standard error what is wrong */
} option_value;

/* A whole number from `least` (0 or above) to `most`: digits alone. */
bool option_whole(const option_value *value, long least, long most, long *out);

/* A number above 0, or from 0 on where `zero`, up to `most`. */
bool option_number(const option_value *value, bool zero, double most, double *out);

/* Whole numbers from `least` to `most`, separated by commas; no text is no number. At most `room`
 * of them fit into numbers; *count gets how many there are. */
bool option_list(const option_value *value, size_t least, size_t most, size_t *numbers, size_t room,
                 size_t *count);

#endif
