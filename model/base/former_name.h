/* Operations that had another name in earlier versions: files with that name are still read, and
 * say so. */
#ifndef ISOCAST_FORMER_NAME_H
#define ISOCAST_FORMER_NAME_H

#include "diagnostic.h"

/* The name that the operation `name` has today: the table's, or `name` itself. Notes a warning at
 * the span where `name` is a former one. */
const char *isocast_former_name_resolve(const char *name, const isocast_source *source,
                                        isocast_span span, isocast_diagnostics *diagnostics);

#endif
