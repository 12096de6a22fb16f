/* A machine from the text of its file, for tests; which fail where that is refused. */
#ifndef MACHINE_OF_TEXT_H
#define MACHINE_OF_TEXT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "model/spec/machine_load.h"

static inline isocast_machine *machine_of(const char *text) {
    isocast_diagnostics diagnostics = {0};
    isocast_source *source = NULL;
    isocast_machine *machine = NULL;
    assert_int_equal(isocast_source_create("machine", text, strlen(text), &source), ISOCAST_OK);
    assert_int_equal(isocast_machine_read(source, &diagnostics, &machine), ISOCAST_OK);
    isocast_diagnostics_clear(&diagnostics);
    return machine;
}

#endif
