/* The name of a call site, and what its calls take by themselves, as text of an algorithm file. */
#ifndef ISOCAST_DERIVE_SITE_TEXT_H
#define ISOCAST_DERIVE_SITE_TEXT_H

#include "derived.h"
#include "model/base/buffer.h"

/* "exchange-Send-21". Names that come again, from several files, get the number of their site. */
void isocast_put_site_name(const isocast_derived *derived, size_t site, isocast_buffer *out);

/* Whether laws say what its calls take. */
bool isocast_site_has_time(const isocast_derived_site *site);

/* "if(p > 1, 10*T_send(8 B * N), 0 s)". names: as of isocast_law_write(). */
void isocast_put_site_time(const isocast_derived_site *site, const char *const *names,
                           isocast_buffer *out);

#endif
