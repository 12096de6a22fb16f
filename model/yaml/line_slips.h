/* What is wrong around a line of YAML whose ':' the parser does not understand: it blames the line
 * after the one with the slip. */
#ifndef ISOCAST_LINE_SLIPS_H
#define ISOCAST_LINE_SLIPS_H

#include <stdbool.h>

#include "model/base/source.h"

typedef struct isocast_line_slip {
    isocast_span span;
    const char *message;
    const char *hint;
} isocast_line_slip;

/* Looks at the line of the byte `at`, where the parser stopped, and at the one before it. False
 * where neither has a slip that is known. */
bool isocast_line_slip_find(const isocast_source *source, size_t at, isocast_line_slip *out);

#endif
