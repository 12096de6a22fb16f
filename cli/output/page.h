/* A result as one page of HTML that needs no network: the answer first, then how sure it is, what
 * would change it, pictures, tables, inputs, and what the words mean. Every text is escaped. The
 * words of sections stand here; what a result says of itself stands in its JSON. */
#ifndef CLI_PAGE_H
#define CLI_PAGE_H

#include <jansson.h>

#include "cli/options/options.h"
#include "report.h"

/* Beside the tables; both are taken over. */
typedef struct cli_page_data {
    json_t *document; /* the result as JSON; NULL: memory was short */
    json_t *model;    /* what its numbers can be computed with in a browser; NULL: nothing */
} cli_page_data;

/* Renders reports, shape [count], which it frees; `data` may be NULL. The text fails where memory
 * was short. */
void cli_page_render(cli_report **reports, size_t count, const cli_page_data *data,
                     isocast_buffer *out);

#endif
