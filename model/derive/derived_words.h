/* Words that all parts of a derived algorithm file have: names and places. */
#ifndef ISOCAST_DERIVED_WORDS_H
#define ISOCAST_DERIVED_WORDS_H

#include "derived.h"
#include "model/base/buffer.h"

/* A text from a record, for a comment or a text in quotes. */
void isocast_put_clean(const char *text, isocast_buffer *out);

/* A text as a part of a name: letters, digits and -. */
void isocast_put_name(const char *text, isocast_buffer *out);

/* Where a site stands: "jacobi.c:34", without lines its module and offset. */
void isocast_put_place(const isocast_record_site *site, isocast_buffer *out);

const char *isocast_call_name(const isocast_derived_site *site);

/* "exchange-Send-21". Names that come again, from several files, get the number of their site. */
void isocast_put_site_name(const isocast_derived *derived, size_t site, isocast_buffer *out);

#endif
