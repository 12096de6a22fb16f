#include "model_fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "model/base/buffer.h"
#include "model/base/source_read.h"
#include "model/spec/algorithm_load.h"
#include "model/spec/machine_load.h"
#include "model/spec/system.h"

static void expect_ok(isocast_status status, isocast_diagnostics *diagnostics) {
    if (status != ISOCAST_OK) {
        isocast_buffer text = {0};
        isocast_diagnostics_render(diagnostics, &text);
        print_error("%s\n%s\n", isocast_status_message(status), text.text == NULL ? "" : text.text);
        isocast_buffer_free(&text);
    }
    assert_int_equal(status, ISOCAST_OK);
    isocast_diagnostics_clear(diagnostics);
}

static isocast_source *take(const char *name, const char *text) {
    isocast_diagnostics diagnostics = {0};
    isocast_source *source = NULL;
    expect_ok(isocast_source_take(name, text, strlen(text), &diagnostics, &source), &diagnostics);
    return source;
}

fixture fixture_create(const char *algorithm, const char *machine, const char *systems) {
    fixture f = {0};
    isocast_diagnostics diagnostics = {0};
    expect_ok(isocast_algorithm_read(take("algorithm", algorithm), &diagnostics, &f.algorithm),
              &diagnostics);
    expect_ok(isocast_machine_read(take("machine", machine), &diagnostics, &f.machine),
              &diagnostics);
    expect_ok(isocast_model_create(f.algorithm, f.machine, &diagnostics, &f.model), &diagnostics);
    expect_ok(isocast_systems_parse(f.machine, f.algorithm->kernel, "systems", systems,
                                    &diagnostics, &f.systems, &f.system_count),
              &diagnostics);
    return f;
}

void fixture_free(fixture *f) {
    isocast_systems_free(f->systems, f->system_count);
    isocast_model_free(f->model);
    isocast_machine_free(f->machine);
    isocast_algorithm_free(f->algorithm);
}
