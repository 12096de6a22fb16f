/* Reports in the format that was asked for. It knows no command; commands with a JSON contract of
 * their own build it with json_text.h. */
#ifndef CLI_RENDER_H
#define CLI_RENDER_H

#include "cli/options/options.h"
#include "report.h"

/* Renders reports in the format of the common options, writes them to its output, and frees them in
 * every case; a report may be NULL, as where its making had no memory. Tables and
 * Markdown show all, one below the other; CSV is the first one alone; JSON is an object of row
 * lists: "rows" for the first, "rows_2" and so on for the others. With --quiet the titles and
 * footnotes are left out; a table is as wide as terminal.h says. Gives an exit status; failures are
 * reported on stderr. */
int cli_reports_write(cli_report **reports, size_t count, const cli_common *common);

/* Reports on stderr where the ending of the output is one of another format; not with --quiet. */
void cli_reports_hint(const cli_common *common);

/* The same as cli_reports_write() into a text, which fails where a report has or is NULL. */
void cli_reports_render(cli_report **reports, size_t count, const cli_common *common,
                        isocast_buffer *out);

#endif
