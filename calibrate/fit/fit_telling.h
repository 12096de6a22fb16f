/* Which points of an operation tell of more processes than were measured. */
#ifndef FIT_TELLING_H
#define FIT_TELLING_H

#include "fit_request.h"

/* Keeps the items that tell of more processes, where there are some; gives their number. */
size_t fit_keep_telling(const fit_request *request, fit_summary *items, size_t count);

#endif
