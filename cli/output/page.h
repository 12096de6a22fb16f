/* A result as one page of HTML that needs no network: the answer first, then how sure it is, what
 * would change it, pictures, tables, inputs, and what the words mean. Every text is escaped. The
 * words of sections stand here; what a result says of itself stands in its JSON. */
#ifndef CLI_PAGE_H
#define CLI_PAGE_H

#include <jansson.h>

#include "cli/options/options.h"
#include "report.h"

/* Renders reports, shape [count], which it frees; their result as JSON; and what computes it again
 * in a browser (cli/report/what_if.h). Both are taken over and may be NULL. The text fails where
 * memory was short. */
void cli_page_render(cli_report **reports, size_t count, json_t *document, json_t *what_if,
                     isocast_buffer *out);

#endif
