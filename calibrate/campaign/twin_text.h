/* The platform file of a twin. */
#ifndef CAMPAIGN_TWIN_TEXT_H
#define CAMPAIGN_TWIN_TEXT_H

#include "twin_result.h"

/* Appends the file. `about`: what the twin was found to be worth, as a comment; NULL: none. */
void twin_text_write(const campaign_twin_request *request, const isocast_network *network,
                     const campaign_twin *about, isocast_buffer *out);

#endif
