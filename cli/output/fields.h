/* Walks through the columns that a result declares (model/base/field.h): rows of a report, JSON,
 * and the JSON Schema of it. Knows no result. */
#ifndef CLI_FIELDS_H
#define CLI_FIELDS_H

#include <jansson.h>

#include "model/base/field.h"
#include "output.h"
#include "render.h"

/* Adds the columns of rows of a result. */
void cli_fields_head(cli_report *report, const isocast_table *table, const void *result);
/* Adds a row. */
void cli_fields_row(cli_report *report, const isocast_table *table, const isocast_at *at);
/* Adds the columns and all rows. */
void cli_fields_fill(cli_report *report, const isocast_table *table, const void *result,
                     isocast_item *item);

/* A report of the columns and all rows, under a title. */
cli_report *cli_fields_report(const isocast_table *table, const void *result, isocast_item *item,
                              const char *title, ...) __attribute__((format(printf, 4, 5)));

/* A whole result, which is its own row, as JSON. NULL where memory is short. */
json_t *cli_fields_document(const isocast_table *table, const void *result);

/* Makes what people read of a result or, where `csv`, the one table of CSV: at most
 * CLI_REPORTS_MAX reports; gives how many. */
enum { CLI_REPORTS_MAX = 5 };
typedef size_t cli_reports_maker(const void *result, bool csv, cli_report **out);

/* Makes what a page needs to compute a result again (page.h); NULL where memory is short. */
typedef json_t *cli_what_if_maker(const void *result);

/* What a command writes of a result. */
typedef struct cli_written {
    const isocast_table *document; /* its JSON */
    cli_reports_maker *make;
    cli_what_if_maker *what_if; /* NULL: no page computes it again */
} cli_written;

/* Writes a result as the common options ask for: as JSON, as a page, or as reports. With other
 * outputs ([count], two at most), all or none; one without a path is none. Frees their texts. Gives
 * an exit status. */
int cli_result_write(const cli_written *how, const void *result, const cli_common *common,
                     cli_output *others, size_t count);

/* The same into a text, which fails where memory was short. */
void cli_result_render(const cli_written *how, const void *result, const cli_common *common,
                       isocast_buffer *out);

/* {"name": schema, ...} of tables and of all that they use which have names; shape [count]. */
json_t *cli_fields_schema(const isocast_table *const *tables, size_t count);

#endif
