/* An algorithm, a machine and systems from texts, bound to a model: what tests of the solver begin
 * with. */
#ifndef MODEL_FIXTURE_H
#define MODEL_FIXTURE_H

#include "model/solve/model.h"

typedef struct fixture {
    isocast_algorithm *algorithm;
    isocast_machine *machine;
    isocast_model *model;
    isocast_system **systems; /* [system_count] */
    size_t system_count;
} fixture;

/* Fails the test, with all diagnostics, where one of the texts is refused. */
fixture fixture_create(const char *algorithm, const char *machine, const char *systems);
void fixture_free(fixture *f);

#endif
