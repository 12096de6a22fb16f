/* The name of a call site, as text of an algorithm file. */
#ifndef ISOCAST_DERIVE_SITE_TEXT_H
#define ISOCAST_DERIVE_SITE_TEXT_H

#include "derived.h"
#include "model/base/buffer.h"

/* "exchange-Send-21". Names that come again, from several files, get the number of their site. */
void isocast_put_site_name(const isocast_derived *derived, size_t site, isocast_buffer *out);

#endif
