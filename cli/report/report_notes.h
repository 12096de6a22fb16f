/* Footnotes that any table about an algorithm on a machine may need, worded once. */
#ifndef CLI_REPORT_NOTES_H
#define CLI_REPORT_NOTES_H

#include "cli/output/render.h"
#include "model/solve/model.h"

/* Whose marked speeds C is made of, where the machine has several: `program` is the algorithm's
 * kernel, or NULL. */
void cli_report_note_marked_speed(cli_report *report, const isocast_machine *machine,
                                  const char *program);

/* What E above 1 means for a program on this machine; for tables in which one is. */
void cli_report_note_above_one(cli_report *report, const isocast_machine *machine,
                               const char *program);

/* For each operation that the algorithm uses although the machine file gives it for others: which
 * these are, and why. */
void cli_report_note_restrictions(cli_report *report, const isocast_model *model);

#endif
