#include "settable.h"
#include "model/base/nearest.h"

#include <stdlib.h>
#include <string.h>

void isocast_settable_refuse(isocast_reader *reader, isocast_span span, const char *name,
                             const char *done, const isocast_algorithm *algorithm,
                             const isocast_machine *machine) {
    const isocast_algorithm *a = algorithm;
    const isocast_machine *m = machine;
    size_t most = (a != NULL ? a->size_count + a->requirement_count + a->definition_count : 0) +
                  (m != NULL ? m->parameter_count : 0);
    const char **names = isocast_reader_allocate(reader, most + 1, sizeof(const char *));
    if (names == NULL) {
        return;
    }
    size_t count = 0;
    for (size_t i = 1; a != NULL && i < a->size_count; i++) {
        names[count++] = a->sizes[i].name;
    }
    for (size_t i = 0; a != NULL && i < a->requirement_count; i++) {
        names[count++] = a->requirements[i].name;
    }
    for (size_t i = 0; a != NULL && i < a->definition_count; i++) {
        names[count++] = a->definitions[i].name;
    }
    size_t of_algorithm = count;
    for (size_t i = 0; m != NULL && i < m->parameter_count; i++) {
        size_t k = 0;
        while (k < of_algorithm && strcmp(names[k], m->parameters[i].name) != 0) {
            k++;
        }
        names[count] = m->parameters[i].name;
        count += k == of_algorithm;
    }
    isocast_buffer hint = {0};
    bool processes = strcmp(name, "p") == 0;
    if (processes) {
        isocast_buffer_puts(&hint, "numbers of processes are systems: --to 2,4,8");
    } else {
        isocast_nearest_hint(&hint, name, names, count, "these can be set");
    }
    if (!processes && isocast_nearest_name(name, names, count) == NULL && m != NULL &&
        m->class_count > 0) {
        isocast_buffer_printf(&hint,
                              "%s %s.marked_speed and the like (docs/reference/specifications.md)",
                              count == 0 ? "these can be set:" : ";", m->classes[0].name);
    }
    isocast_diagnostics_rely(reader->diagnostics, &hint);
    isocast_reader_refuse(reader, span, hint.text,
                          "there is no size, parameter or definition '%s' to %s", name, done);
    isocast_buffer_free(&hint);
    free(names);
}
