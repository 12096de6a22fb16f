/* Which operation of a machine a recorded call counts as, and a formula for machines that lack it.
 */
#ifndef ISOCAST_DERIVE_CALL_FORM_H
#define ISOCAST_DERIVE_CALL_FORM_H

#include <stdbool.h>

#include "model/record/record_operation.h"

typedef struct derive_call_form {
    const char *name;   /* with T_ */
    const char *lacked; /* in p and m; NULL: every machine has it */
    bool has_size;
} derive_call_form;

/* The form of a call that sends. */
const derive_call_form *isocast_derive_call_form_find(isocast_record_operation operation);

/* The form with that operation, "T_bcast"; NULL: there is none. */
const derive_call_form *isocast_derive_call_form_named(const char *name);

#endif
