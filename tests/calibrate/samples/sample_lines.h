/* Lines of samples for tests, which fail where a line is not what it is meant to be. */
#ifndef SAMPLE_LINES_H
#define SAMPLE_LINES_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "calibrate/samples/samples.h"

static inline void add_line(samples *s, const char *line, samples_line expected) {
    samples_line kind;
    assert_int_equal(samples_add_line(s, line, &kind), ISOCAST_OK);
    assert_int_equal(kind, expected);
}

#endif
